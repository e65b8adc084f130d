//! `posproof positions`: says by which position each row was rotated.

use super::arrays::{Cache, Opened, Table, Vectors};
use super::check::any_or_one;
use super::specification::{SharedArguments, Specification};
use super::{Failure, Outcome, print, print_json};
use crate::bound::Path as CodePath;
use crate::conformance::positions::write::write;
use crate::conformance::positions::{Decoded, Domain, Query, decode};
use crate::conformance::read;
use crate::encoding::convention::{Convention, Encoding};
use crate::number::format::Format;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Arguments of `positions`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    subject: Rows,
}

const EXAMPLES: &str = "Examples:
  posproof positions rotation --x q.npy --y q_rotated.npy --dim 128 --base 500000 --layout halves
  posproof positions rope --cos cache.npz:cos --sin cache.npz:sin --dim 128 --expected position_ids.npy
  posproof positions rotation --x x.npy --y y.npy --config config.json --domain 0..4096 --out q.npy

Exit status: 0 no row contradicts every position, or the expected one (rows of zeros and open ones included), 1 some row does, \
2 usage or unreadable input, 3 some position remains open under --strict.";

/// What is decoded.
#[derive(Clone, Debug, Subcommand)]
enum Rows {
    /// A table of sinusoidal encodings [..., positions, dim]
    #[command(override_usage = "posproof positions sinusoid --table <ARRAY> --dim <D> [OPTIONS]")]
    Sinusoid {
        #[command(flatten)]
        table: Table,
        #[command(flatten)]
        encoding: SharedArguments,
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
        decoding: Decoding,
    },
}

/// How rows are decoded.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Decoding")]
struct Decoding {
    /// The positions that rows may have: all integers from A to B − 1
    #[arg(long, value_name = "A..B", default_value_t = Domain::default(), allow_hyphen_values = true)]
    domain: Domain,
    /// The position that each row should have: integers in a file, for the rows of one table or of all
    #[arg(long, value_name = "ARRAY")]
    expected: Option<String>,
    /// Format that the entries should have, whatever format holds them [default: the file's]
    #[arg(long, value_name = "f16|bf16|f32|f64")]
    dtype: Option<Format>,
    /// Precision of the implementation's angles: it decides the bound
    #[arg(long, value_name = "f64|f32|bf16|f16", default_value = "f32")]
    compute: Format,
    /// How it computes its frequencies
    #[arg(long, value_name = "any|rounded|f64|pow|exp|repeated|recurrence", default_value = "any", value_parser = any_or_one)]
    path: std::option::Option<CodePath>,
    /// The file to write positions to, .npy or .safetensors: int64; float64 with NaN where a row has none that is certified
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace a file that exists
    #[arg(long, requires = "out")]
    force: bool,
    /// Exit with status 3 if some row's position remains open
    #[arg(long)]
    strict: bool,
    /// Print one JSON document (schema posproof.positions/1)
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    match &arguments.subject {
        Rows::Sinusoid { table, encoding, decoding } => {
            let convention = convention(&encoding.clone().into(), Encoding::Sinusoid)?;
            table.open(None, |opened| decoding.run(opened, convention))
        }
        Rows::Rope { cache, encoding, decoding } => {
            let convention = convention(encoding, Encoding::Rope)?;
            cache.open(None, |opened| decoding.run(opened, convention))
        }
        Rows::Rotation { vectors, encoding, decoding } => {
            let convention = convention(encoding, Encoding::Rope)?;
            vectors.open(None, |opened| decoding.run(opened, convention))
        }
    }
}

fn convention(specification: &Specification, encoding: Encoding) -> Result<Convention, Failure> {
    if specification.shared.positions.is_some() {
        let advice = "--domain says which are possible, --expected which they should be";
        return Err(Failure::Usage(format!("--positions: positions are what is looked for; {advice}")));
    }
    specification.convention(encoding)
}

impl Decoding {
    fn run(&self, opened: Opened<'_>, convention: Convention) -> Result<Outcome, Failure> {
        let Self { domain, expected, dtype: storage, compute, path, out, force, strict, json } = self;
        let Opened::Subject(subject) = opened else {
            return Err(Failure::Usage("--inv-freq: frequencies have no positions; name cosines and sines".into()));
        };
        let query = Query { convention, domain: *domain, compute: *compute, path: *path, storage: *storage };
        let usage = |error: crate::conformance::Invalid| Failure::Usage(error.to_string());
        let mut decoded = decode(subject, &query).map_err(usage)?;
        if let Some(name) = expected {
            decoded = decoded.compared(name, &read::open(name)?.integers()?).map_err(usage)?;
        }
        let written = out.as_ref().map(|out| write(out, &decoded, *force)).transpose()?;
        if *json {
            print_json(&decoded)?;
        } else {
            let written = written.map_or_else(String::new, |written| format!("wrote {written}\n"));
            print(&(decoded.to_string() + &written))?;
        }
        Ok(outcome(&decoded, *strict))
    }
}

fn outcome(decoded: &Decoded, strict: bool) -> Outcome {
    if decoded.falls_short() {
        Outcome::FallsShort
    } else if strict && !decoded.is_certified() {
        Outcome::Inconclusive
    } else {
        Outcome::Good
    }
}
