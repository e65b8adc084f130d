//! `posproof probe`: writes vectors and positions for another implementation to rotate or encode.

use super::axes::{AxesArguments, Stated};
use super::claim;
use super::documents::JsonArguments;
use super::refusal::refused;
use super::restate::{answer, arguments, shell};
use super::specification::{SharedArguments, Specification};
use super::{Failure, Outcome};
use clap::{Args, Subcommand};
use posproof_bound::first::FirstVersion;
use posproof_check::axes::probe_coordinates;
use posproof_check::probe::{LAST, positions as default_positions};
use posproof_check::request::{EncodedRows, law};
use posproof_check::write::{Entries, ProbeArray, WriteError, write};
use posproof_encoding::axes::{AxialConvention, WithAxes};
use posproof_encoding::convention::Encoding;
use posproof_numerics::Rational;
use posproof_numerics::format::Format;
use posproof_table::arrays::atomic::{NewFile, NotWritten};
use serde::{Serialize, Serializer};
use serde_json::json;
use std::fmt;
use std::io::Write as _;
use std::path::PathBuf;

/// Arguments of `probe`.
#[derive(Args, Clone, Debug)]
#[command(after_help = TWO_CALLS)]
pub struct ProbeArguments {
    #[command(subcommand)]
    asked: Asked,
}

const TWO_CALLS: &str = "Examples:
  posproof probe rotation --dim 128 --base 500000 --layout halves --out probe.safetensors
  posproof probe rope --dim 128 --base 500000 --out probe.npy

State that survives a call shows only in a second one: write a long probe (--last 131071) and a short one \
(--last 63), have the same object answer the long one and then the short one, and judge both answers; the same with two bases. See docs/dumps.md.";

/// Question to the other implementation.
#[derive(Clone, Debug, Subcommand)]
enum Asked {
    /// Positions to encode as a table [positions, dim]
    #[command(override_usage = "posproof probe sinusoid --dim <D> --out <FILE> [OPTIONS]")]
    Sinusoid {
        #[command(flatten)]
        encoding: SharedArguments,
        #[command(flatten)]
        axes: AxesArguments,
        #[command(flatten)]
        probe: Probe,
    },
    /// Positions to make a cache of cosines and sines for
    #[command(override_usage = "posproof probe rope --dim <D> --out <FILE> [OPTIONS]
       posproof probe rope --config <config.json> --out <FILE> [OPTIONS]")]
    Rope {
        #[command(flatten)]
        encoding: Specification,
        #[command(flatten)]
        axes: AxesArguments,
        #[command(flatten)]
        probe: Probe,
    },
    /// Vectors [heads, positions, dim] to rotate, and their positions
    #[command(override_usage = "posproof probe rotation --dim <D> --out <FILE> [OPTIONS]
       posproof probe rotation --config <config.json> --out <FILE> [OPTIONS]")]
    Rotation {
        #[command(flatten)]
        encoding: Specification,
        #[command(flatten)]
        axes: AxesArguments,
        #[command(flatten)]
        probe: Probe,
    },
    /// The inputs on which a claim of the ledger is put to functions
    #[command(override_usage = "posproof probe claim <ID> --dim <D> --out <FILE> [OPTIONS]", after_help = claim::PROBE_EXAMPLES)]
    Claim(Box<claim::Inputs>),
}

/// Arguments that all of them take.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Probe")]
struct Probe {
    /// The file to write: x and positions in .safetensors; in .npy x, and positions beside it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Format of the vectors, and of the answer
    #[arg(long, value_name = "f16|bf16|f32|f64|e4m3|e5m2", default_value = "f32")]
    dtype: Format,
    /// Vectors for so many heads: x is [heads, positions, dim] instead of [positions, dim]
    #[arg(long, value_name = "H")]
    heads: Option<u32>,
    /// The last position, where --positions does not say
    #[arg(long, value_name = "P", default_value_t = LAST)]
    last: u64,
    /// Of several axes: a negative and a fractional coordinate on each too, where --positions does not say
    #[arg(long)]
    fractional: bool,
    /// Replace files that exist
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    json: JsonArguments,
}

/// Runs the verb.
pub fn run(arguments: &ProbeArguments) -> Result<Outcome, Failure> {
    match &arguments.asked {
        Asked::Sinusoid { encoding, axes, probe } => {
            ask("sinusoid", Encoding::Sinusoid, (&encoding.clone().into(), axes), probe)
        }
        Asked::Rope { encoding, axes, probe } => ask("rope", Encoding::Rope, (encoding, axes), probe),
        Asked::Rotation { encoding, axes, probe } => ask("rotation", Encoding::Rope, (encoding, axes), probe),
        Asked::Claim(inputs) => claim::probe(inputs),
    }
}

/// Numbers in a probe at most: 2 GiB of binary64.
const MAX_ENTRIES: usize = 1 << 28;

fn ask(
    subject: &'static str,
    encoding: Encoding,
    (specification, axes): (&Specification, &AxesArguments),
    probe: &Probe,
) -> Result<Outcome, Failure> {
    let placed = probe.placed(encoding, specification, axes)?;
    if let EncodedRows::Axes(_, coordinates) = &placed {
        let all = (0..coordinates.axes()).flat_map(|axis| coordinates.distinct(axis));
        if let Some(beyond) = all.into_iter().find(|x| !x.to_f64().is_finite()) {
            let expected = "expected numbers that binary64 holds, as which they are written";
            return Err(Failure::Usage(format!("--positions: {} digits; {expected}", beyond.to_string().len())));
        }
    }
    let (leading, rows, dim) = match &placed {
        EncodedRows::Whole(convention, positions) => (None, positions.len(), convention.dim),
        EncodedRows::Axes(law, coordinates) => {
            let sequences = Some(coordinates.sequences()).filter(|sequences| *sequences > 1);
            (sequences, coordinates.length(), law.convention().dim)
        }
    };
    let shape = probe.shape(leading, rows, dim)?;
    let rows: Vec<usize> = leading.into_iter().chain([rows]).collect();
    let mut at = rows.clone();
    let entries = match &placed {
        EncodedRows::Whole(_, positions) => Entries::Positions(positions.clone()),
        EncodedRows::Axes(law, coordinates) => {
            // Positions along one axis that has no name are numbers.
            at.extend(law.convention().plain().is_none().then(|| coordinates.axes()));
            Entries::Coordinates(coordinates.clone())
        }
    };
    let whole = ProbeArray { name: "positions", shape: at.clone(), entries };
    let vectors = ProbeArray { name: "x", shape: shape.clone(), entries: Entries::Vectors(probe.dtype) };
    let arrays = if subject == "rotation" { vec![vectors, whole] } else { vec![whole] };
    let (stated, beside) = match &placed {
        EncodedRows::Whole(convention, _) => (arguments(convention), None),
        EncodedRows::Axes(law, _) => match law.convention().plain() {
            Some(convention) => (arguments(&convention), None),
            None => {
                let (path, file) = probe.convention(law.convention())?;
                (vec!["--convention".to_owned(), path.display().to_string()], Some((path, file)))
            }
        },
    };
    let (beside, companion) = beside.unzip();
    let files = write(&probe.out, &arrays, companion.into_iter().collect(), probe.force)?;
    let mut command = judging(subject, probe, &files);
    command.extend(stated);
    command.extend(["--dtype".to_owned(), probe.dtype.name().to_owned()]);
    let written = WrittenProbe { subject, probe, placed: &placed, rows, at, shape, files, beside, command };
    probe.json.say(&written, String::new)?;
    Ok(Outcome::Good)
}

/// A probe that was written: schema `posproof.probe/1` of whole positions along one axis, `posproof.probe/2` of all.
struct WrittenProbe<'a> {
    subject: &'static str,
    probe: &'a Probe,
    placed: &'a EncodedRows,
    /// Rows, and before them the sequences of a batch.
    rows: Vec<usize>,
    /// The shape of the positions.
    at: Vec<usize>,
    /// The shape of the vectors.
    shape: Vec<usize>,
    files: Vec<String>,
    /// The file of the convention, where options cannot state it.
    beside: Option<PathBuf>,
    command: Vec<String>,
}

impl Serialize for WrittenProbe<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { subject, probe, at, files, command, .. } = self;
        let (axes, convention) = match self.placed {
            EncodedRows::Whole(convention, _) => (WithAxes(&**convention).names(), json!(WithAxes(&**convention))),
            EncodedRows::Axes(law, _) => (WithAxes(law.convention()).names(), json!(WithAxes(law.convention()))),
        };
        let document = json!({
            "schema": "posproof.probe/2", "subject": subject, "axes": axes, "convention": convention, "dtype": probe.dtype,
            "positions": at, "files": files, "command": command,
        });
        document.serialize(serializer)
    }
}

impl FirstVersion for WrittenProbe<'_> {
    fn first_version<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let EncodedRows::Whole(convention, positions) = self.placed else { return self.serialize(serializer) };
        let Self { subject, probe, files, command, .. } = self;
        let document = json!({
            "schema": "posproof.probe/1", "subject": subject, "convention": convention, "dtype": probe.dtype,
            "positions": positions.len(), "last": positions.max(), "files": files, "command": command,
        });
        document.serialize(serializer)
    }
}

impl fmt::Display for WrittenProbe<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, probe, rows, shape, files, command, .. } = self;
        let beside = self.beside.as_ref().map_or(String::new(), |beside| format!(" and {}", beside.display()));
        write!(f, "wrote {}{beside}: ", files.join(" and "))?;
        let (width, slots, row) = match self.placed {
            EncodedRows::Whole(_, positions) => {
                writeln!(f, "{} positions from {} to {}", positions.len(), positions.min(), positions.max())?;
                ("dim".to_owned(), "pairs".to_owned(), "for position positions[i]")
            }
            EncodedRows::Axes(law, coordinates) if law.convention().plain().is_some() => {
                let (all, known) = (coordinates.rows(), coordinates.distinct(0));
                let end = |x: Option<&Rational>| x.map_or(String::new(), ToString::to_string);
                writeln!(f, "{all} positions from {} to {}", end(known.first()), end(known.last()))?;
                ("dim".to_owned(), "pairs".to_owned(), "for position positions[i]")
            }
            EncodedRows::Axes(law, coordinates) => {
                let names: Vec<&str> = law.axes().iter().map(posproof_encoding::axes::AxisLaw::name).collect();
                writeln!(f, "{} rows of the coordinates {}", coordinates.rows(), names.join(", "))?;
                (law.convention().dim.to_string(), law.slots().to_string(), "at positions[i]")
            }
        };
        let rows: String = rows.iter().map(|n| format!("{n}, ")).collect();
        let dtype = probe.dtype;
        match *subject {
            "sinusoid" => writeln!(f, "encode them as a table [{rows}{width}] of {dtype}: row i {row};")?,
            "rope" => writeln!(f, "compute cos and sin [{rows}{slots}] of {dtype}: row i {row};")?,
            _ => writeln!(f, "rotate x, {shape:?} of {dtype}, into y of the same shape: row i {row};")?,
        }
        let shell = shell(command.iter().map(String::as_str));
        writeln!(f, "write the answer under the names in this command, which judges it:\n\n  {shell}")
    }
}

impl Probe {
    /// The encoding at its rows: those that tell encodings apart, where no positions are stated.
    fn placed(
        &self,
        encoding: Encoding,
        specification: &Specification,
        axes: &AxesArguments,
    ) -> Result<EncodedRows, Failure> {
        if specification.shared.positions.is_some() {
            if self.fractional {
                return Err(Failure::Usage("--fractional with --positions: expected one of them".into()));
            }
            return axes.at(encoding, specification);
        }
        let convention = match axes.stated(encoding, specification)? {
            Stated::Axial(convention) => {
                let law = law(&convention).map_err(|error| refused(&error))?;
                let coordinates = probe_coordinates(law.axes().len(), self.fractional);
                return Ok(EncodedRows::Axes(Box::new(law), coordinates));
            }
            Stated::Plain(convention) => convention,
            Stated::Nothing => Box::new(specification.convention(encoding)?),
        };
        if self.fractional {
            let expected = "expected with several axes only (--axis, --sections, --convention)";
            return Err(Failure::Usage(format!("--fractional: {expected}")));
        }
        let positions = default_positions(self.last).map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(EncodedRows::Whole(convention, positions))
    }

    /// The shape of the vectors.
    fn shape(&self, sequences: Option<usize>, rows: usize, dim: usize) -> Result<Vec<usize>, Failure> {
        let heads = self.heads.map(|heads| heads as usize);
        let shape: Vec<usize> = sequences.into_iter().chain(heads).chain([rows, dim]).collect();
        let entries = shape.iter().try_fold(1usize, |product, &n| product.checked_mul(n));
        if heads == Some(0) || entries.is_none_or(|entries| entries > MAX_ENTRIES) {
            let found = format!("{} heads, {rows} positions, dimension {dim}", heads.unwrap_or(1));
            return Err(Failure::Usage(format!(
                "the probe: expected at least one head and at most {MAX_ENTRIES} entries; found {found}"
            )));
        }
        Ok(shape)
    }

    /// The convention in a file of its own.
    fn convention(&self, convention: &AxialConvention) -> Result<(PathBuf, NewFile), Failure> {
        let path = PathBuf::from(answer(&self.out, "convention")).with_extension("json");
        let mut file = NewFile::create(&path, self.force)?;
        let text = serde_json::to_string_pretty(convention).map_err(|error| Failure::Internal(error.to_string()))?;
        file.file().write_all((text + "\n").as_bytes()).map_err(NotWritten::io(&path))?;
        Ok((path, file))
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::NotWritten(error) => error.into(),
            _ => Self::Usage(error.to_string()),
        }
    }
}

/// The command that judges the answer, without the encoding.
fn judging(subject: &str, probe: &Probe, files: &[String]) -> Vec<String> {
    let mut words: Vec<String> = ["posproof", "check", subject].map(String::from).to_vec();
    let tensors = probe.out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("safetensors"));
    let mut argument = |flag: &str, name: &str| {
        let file = if tensors { format!("{}:{name}", answer(&probe.out, "answer")) } else { answer(&probe.out, name) };
        words.extend([flag.to_owned(), file]);
    };
    match subject {
        "sinusoid" => argument("--table", "table"),
        "rope" => {
            argument("--cos", "cos");
            argument("--sin", "sin");
        }
        _ => argument("--y", "y"),
    }
    if subject == "rotation" {
        words.extend(["--x".to_owned(), files.first().cloned().unwrap_or_default()]);
    }
    words.extend(["--positions".to_owned(), files.last().cloned().unwrap_or_default()]);
    words
}
