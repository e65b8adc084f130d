//! `posproof positions`: says by which position each row was rotated.

use super::arrays::{Cache, Opened, Stored, Table, Vectors};
use super::axes::{AxesArguments, Stated};
use super::computed::any_or_one;
use super::documents::JsonArguments;
use super::refusal::refused;
use super::rows::coordinates;
use super::specification::{SharedArguments, Specification};
use super::{Failure, Outcome};
use clap::{Args, Subcommand};
use posproof_bound::Path as CodePath;
use posproof_check::positions::write::{Written, write, write_axes};
use posproof_check::positions::{AxialQuery, Domain, Query, decode, decode_axes};
use posproof_check::request::{law, require_axial};
use posproof_check::{Subject, read};
use posproof_encoding::axes::{AxialConvention, AxialLaw, PositionAxes};
use posproof_encoding::convention::{Convention, Encoding};
use posproof_encoding::real::Real;
use posproof_numerics::Rational;
use posproof_numerics::format::Format;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

/// Arguments of `positions`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct PositionsArguments {
    #[command(subcommand)]
    subject: DecodedRows,
}

const EXAMPLES: &str = "Examples:
  posproof positions rotation --x q.npy --y q_rotated.npy --dim 128 --base 500000 --layout halves
  posproof positions rope --cos cache.npz:cos --sin cache.npz:sin --dim 128 --expected position_ids.npy
  posproof positions rotation --x x.npy --y y.npy --config config.json --domain 0..4096 --out q.npy
  posproof positions rope --cos c.npy --sin s.npy --convention flux.json --domain 0..4096 --expected ids.npy

Exit status: 0 no row contradicts every position, or the expected one (rows of zeros and open ones included), 1 some row does, \
2 usage or unreadable input, 3 some position remains open under --strict.";

/// Rows that are decoded.
#[derive(Clone, Debug, Subcommand)]
enum DecodedRows {
    /// A table of sinusoidal encodings [..., positions, dim]
    #[command(override_usage = "posproof positions sinusoid --table <ARRAY> --dim <D> [OPTIONS]")]
    Sinusoid {
        #[command(flatten)]
        table: Table,
        #[command(flatten)]
        encoding: SharedArguments,
        #[command(flatten)]
        axes: AxesArguments,
        #[command(flatten)]
        decoding: Decoding,
    },
    /// A cache of cosines and sines [..., positions, dim/2] (or dim, each value twice)
    #[command(override_usage = "posproof positions rope --cos <ARRAY> --sin <ARRAY> --dim <D> [OPTIONS]
       posproof positions rope --cos <ARRAY> --sin <ARRAY> --config <config.json> [OPTIONS]")]
    Rope {
        #[command(flatten)]
        cache: Cache,
        #[command(flatten)]
        encoding: Specification,
        #[command(flatten)]
        axes: AxesArguments,
        #[command(flatten)]
        decoding: Decoding,
    },
    /// Vectors and what a rotation made of them [..., positions, dim]
    #[command(override_usage = "posproof positions rotation --x <ARRAY> --y <ARRAY> --dim <D> [OPTIONS]
       posproof positions rotation --x <ARRAY> --y <ARRAY> --config <config.json> [OPTIONS]")]
    Rotation {
        #[command(flatten)]
        vectors: Vectors,
        #[command(flatten)]
        encoding: Specification,
        #[command(flatten)]
        axes: AxesArguments,
        #[command(flatten)]
        decoding: Decoding,
    },
}

/// Terms of decoding rows.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Decoding")]
struct Decoding {
    /// The positions that rows may have: all integers from A to B − 1; of some axes others, as in 0..4096,t=0..64
    #[arg(long, value_name = "A..B", default_value_t = Domains::default(), allow_hyphen_values = true)]
    domain: Domains,
    /// Step of which positions are multiples, for fractional ones [default: 1]
    #[arg(long, value_name = "P/Q")]
    step: Option<Real>,
    /// The position that each row should have, in the forms of --positions elsewhere: for the rows of one table, or an array [sequences, rows]; [rows, axes] for several axes
    #[arg(long, value_name = "POSITIONS", allow_hyphen_values = true)]
    expected: Option<String>,
    /// Format that the entries should have, whatever format holds them [default: the file's]
    #[arg(long, value_name = "f16|bf16|f32|f64|e4m3|e5m2")]
    dtype: Option<Format>,
    /// Precision of the implementation's angles: it decides the bound
    #[arg(long, value_name = "f64|f32|bf16|f16", default_value = "f32", value_parser = Format::computing)]
    compute: Format,
    /// Path of its frequencies
    #[arg(long, value_name = "any|rounded|f64|pow|exp|repeated|recurrence", default_value = "any", value_parser = any_or_one)]
    path: std::option::Option<CodePath>,
    /// The file to write positions to, .npy or .safetensors: int64; float64 for fractions, with NaN where a row has none that is certified
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace a file that exists
    #[arg(long, requires = "out")]
    force: bool,
    /// Exit with status 3 if some row's position remains open
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    json: JsonArguments,
}

/// A domain, and those of some axes.
#[derive(Clone, Debug, Default)]
struct Domains {
    all: Domain,
    own: Vec<(String, Domain)>,
}

impl Display for Domains {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let own = |(name, domain): &(String, Domain)| format!(",{name}={domain}");
        write!(f, "{}{}", self.all, self.own.iter().map(own).collect::<String>())
    }
}

impl FromStr for Domains {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (mut all, mut own) = (None, Vec::new());
        for part in text.split(',') {
            let domain = |text: &str| text.parse::<Domain>().map_err(|error| error.to_string());
            match part.split_once('=') {
                Some((name, range)) => own.push((name.trim().to_owned(), domain(range)?)),
                None if all.is_some() => return Err("two domains without the name of an axis: expected one".into()),
                None => all = Some(domain(part)?),
            }
        }
        Ok(Self { all: all.unwrap_or_default(), own })
    }
}

/// Runs the verb.
pub fn run(arguments: &PositionsArguments) -> Result<Outcome, Failure> {
    match &arguments.subject {
        DecodedRows::Sinusoid { table, encoding, axes, decoding } => {
            let case = RowDecoding::new(&encoding.clone().into(), axes, Encoding::Sinusoid, decoding)?;
            table.open(decoding.stored(), |opened| case.run(opened))
        }
        DecodedRows::Rope { cache, encoding, axes, decoding } => {
            let case = RowDecoding::new(encoding, axes, Encoding::Rope, decoding)?;
            cache.open(decoding.stored(), |opened| case.run(opened))
        }
        DecodedRows::Rotation { vectors, encoding, axes, decoding } => {
            let case = RowDecoding::new(encoding, axes, Encoding::Rope, decoding)?;
            vectors.open(decoding.stored(), |opened| case.run(opened))
        }
    }
}

/// Conventions that rows follow.
enum Followed {
    /// A convention of one axis, at whole positions.
    Position(Box<Convention>),
    /// Several axes, or fractional positions.
    Axes(Box<AxialLaw>),
}

/// Decoding of rows, by a convention.
struct RowDecoding<'a> {
    followed: Followed,
    axes: &'a AxesArguments,
    decoding: &'a Decoding,
}

/// The file that was written, if one was, in words.
fn said(written: Option<Written>) -> String {
    written.map_or_else(String::new, |written| format!("wrote {written}\n"))
}

/// The whole positions that are expected: those of a file's array, or in any of the forms in which positions are stated.
fn integers(name: &str) -> Result<Vec<i64>, Failure> {
    if read::names_a_file(name) {
        return Ok(read::open(name)?.integers()?);
    }
    let stated = coordinates(name, PositionAxes::One)?.once();
    let whole = |row: usize| {
        let found = stated.get(row, 0).filter(|_| stated.axes() == 1);
        found.filter(|x| x.is_integer()).and_then(Rational::to_i64).ok_or_else(|| {
            let found = found.map_or_else(|| "no single number".to_owned(), Rational::to_string);
            let advice =
                "of fractions, state what they are multiples of (--step p/q); of several axes, state these (--axis)";
            usage(format!("--expected {name}: row {row}: expected a whole position; found {found}; {advice}"))
        })
    };
    (0..stated.rows()).map(whole).collect()
}

fn usage(error: impl Display) -> Failure {
    Failure::Usage(error.to_string())
}

impl<'a> RowDecoding<'a> {
    fn new(
        specification: &Specification,
        axes: &'a AxesArguments,
        encoding: Encoding,
        decoding: &'a Decoding,
    ) -> Result<Self, Failure> {
        if specification.shared.positions.is_some() {
            let advice = "--domain says which are possible, --expected which they should be";
            return Err(usage(format!("--positions: positions are what is looked for; {advice}")));
        }
        let axial = |convention: &AxialConvention| {
            require_axial(decoding.path).and_then(|()| law(convention)).map(Box::new).map(Followed::Axes)
        };
        let followed = match axes.stated(encoding, specification)? {
            Stated::Axial(convention) => axial(&convention).map_err(|error| refused(&error))?,
            stated => {
                let convention = match stated {
                    Stated::Plain(convention) => *convention,
                    _ => specification.convention(encoding)?,
                };
                if decoding.step.is_some() {
                    axial(&(&convention).into()).map_err(|error| refused(&error))?
                } else {
                    Followed::Position(Box::new(convention))
                }
            }
        };
        Ok(Self { followed, axes, decoding })
    }

    fn run(&self, opened: Opened<'_>) -> Result<Outcome, Failure> {
        let Opened::Subject(subject) = opened else {
            return Err(usage("--inv-freq: frequencies have no positions; name cosines and sines"));
        };
        match &self.followed {
            Followed::Position(convention) => self.decoding.rows(subject, (**convention).clone()),
            Followed::Axes(law) => self.decoding.coordinates(subject, law, self.axes),
        }
    }
}

impl Decoding {
    /// The entries, as they are stated.
    fn stored(&self) -> Stored {
        Stored { format: self.dtype, ..Stored::default() }
    }

    /// Decodes whole positions of one axis.
    fn rows(&self, subject: Subject<'_>, convention: Convention) -> Result<Outcome, Failure> {
        let Self { domain, expected, dtype: storage, compute, path, out, force, .. } = self;
        if let Some((name, _)) = domain.own.first() {
            return Err(usage(format!("--domain {name}=…: expected A..B without a name where there is one axis")));
        }
        let query = Query { convention, domain: domain.all, compute: *compute, path: *path, storage: *storage };
        let mut decoded = decode(subject, &query).map_err(usage)?;
        if let Some(name) = expected {
            decoded = decoded.compared(name, &integers(name)?).map_err(usage)?;
        }
        let written = out.as_ref().map(|out| write(out, &decoded, *force)).transpose()?;
        self.json.say(&decoded, || said(written))?;
        Ok(self.outcome(decoded.falls_short(), decoded.is_certified()))
    }

    /// Decodes a coordinate along each axis.
    fn coordinates(&self, subject: Subject<'_>, law: &AxialLaw, axes: &AxesArguments) -> Result<Outcome, Failure> {
        let Self { domain, step, expected, dtype: storage, compute, path, out, force, .. } = self;
        let step = step.as_ref().map_or_else(|| Rational::from(1), |step| step.value().clone());
        let Domains { all: domain, own: domains } = domain.clone();
        let query = AxialQuery { law, domain, domains, step, compute: *compute, path: *path, storage: *storage };
        let mut decoded = decode_axes(subject, &query).map_err(usage)?;
        if let Some(name) = expected {
            decoded = decoded.compared(name, &coordinates(name, axes.positions_axes.of())?.once()).map_err(usage)?;
        }
        let written = out.as_ref().map(|out| write_axes(out, &decoded, *force)).transpose()?;
        self.json.say(&decoded, || said(written))?;
        Ok(self.outcome(decoded.falls_short(), decoded.is_certified()))
    }

    fn outcome(&self, falls_short: bool, certified: bool) -> Outcome {
        match () {
            () if falls_short => Outcome::FallsShort,
            () if self.strict && !certified => Outcome::Inconclusive,
            () => Outcome::Good,
        }
    }
}
