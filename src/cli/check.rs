//! `posproof check`: judges another implementation's output against a stated convention.

use super::specification::Specification;
use super::{Failure, Outcome, print, print_json};
use crate::conformance::allowance::Path;
use crate::conformance::{Expectation, FloatArray, Grid, Subject, check, read};
use crate::encoding::convention::Encoding;
use crate::number::format::Format;
use crate::table::Positions;
use clap::{Args, Subcommand};

/// Arguments of `check`.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    subject: Judged,
}

/// What is judged.
#[derive(Clone, Debug, Subcommand)]
enum Judged {
    /// A table of sinusoidal encodings [..., positions, dim]
    Sinusoid {
        /// The table: file.npy, file.npz:name or file.safetensors:name
        #[arg(long, value_name = "ARRAY")]
        table: String,
        #[command(flatten)]
        rest: Rest,
    },
    /// A cache of cosines and sines [..., positions, dim/2] (or dim, each value twice)
    Rope {
        /// The cosines: file.npy, file.npz:name or file.safetensors:name
        #[arg(long, value_name = "ARRAY", required_unless_present = "sin")]
        cos: Option<String>,
        /// The sines
        #[arg(long, value_name = "ARRAY")]
        sin: Option<String>,
        #[command(flatten)]
        rest: Rest,
    },
    /// Vectors and what a rotation made of them [..., positions, dim]
    Rotation {
        /// The vectors: file.npy, file.npz:name or file.safetensors:name
        #[arg(long, value_name = "ARRAY")]
        x: String,
        /// The rotated vectors
        #[arg(long, value_name = "ARRAY")]
        y: String,
        #[command(flatten)]
        rest: Rest,
    },
}

/// What all of them take.
#[derive(Args, Clone, Debug)]
struct Rest {
    #[command(flatten)]
    specification: Specification,
    /// Format that the entries should have [default: the file's]
    #[arg(long, value_name = "f16|bf16|f32|f64", help_heading = "Judging")]
    dtype: Option<Format>,
    /// Precision that the implementation computes its angles in: it decides the bound
    #[arg(long, value_name = "f64|f32|bf16|f16", default_value = "f32", help_heading = "Judging")]
    compute: Format,
    /// How it computes its frequencies
    #[arg(long, value_enum, default_value_t, help_heading = "Judging")]
    path: Path,
    /// Print one JSON document (schema posproof.check/1)
    #[arg(long, help_heading = "Judging")]
    json: bool,
}

/// Opens an array of floating-point numbers.
pub fn open(specification: &str) -> Result<FloatArray, Failure> {
    let array = read::open(specification).map_err(|error| Failure::Usage(error.to_string()))?;
    FloatArray::new(array).map_err(|error| Failure::Usage(error.to_string()))
}

/// The positions that are given as a range, a list or a file.
pub fn positions(specification: &Specification) -> Result<Option<Positions>, Failure> {
    let usage = |error: String| Failure::Usage(error);
    match &specification.positions {
        Some(text) if [".npy", ".npz", ".safetensors"].iter().any(|extension| text.contains(extension)) => {
            let array = read::open(text).map_err(|error| usage(error.to_string()))?;
            let list = array.positions().map_err(|error| usage(error.to_string()))?;
            Positions::list(list).map(Some).map_err(|error| usage(error.to_string()))
        }
        _ => specification.positions(),
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    match &arguments.subject {
        Judged::Sinusoid { table, rest } => judge(Subject::Sinusoid(&open(table)?), rest),
        Judged::Rope { cos, sin, rest } => {
            let cos = cos.as_deref().map(open).transpose()?;
            let sin = sin.as_deref().map(open).transpose()?;
            let (cos, sin) = (cos.as_ref().map(|a| a as &dyn Grid), sin.as_ref().map(|a| a as &dyn Grid));
            judge(Subject::Rope { cos, sin }, rest)
        }
        Judged::Rotation { x, y, rest } => judge(Subject::Rotation { x: &open(x)?, y: &open(y)? }, rest),
    }
}

fn judge(subject: Subject<'_>, rest: &Rest) -> Result<Outcome, Failure> {
    let encoding = if matches!(subject, Subject::Sinusoid(_)) { Encoding::Sinusoid } else { Encoding::Rope };
    let expectation = Expectation {
        convention: rest.specification.convention(encoding)?,
        positions: positions(&rest.specification)?,
        compute: rest.compute,
        path: rest.path,
        storage: rest.dtype,
    };
    let report = check(subject, &expectation).map_err(|error| Failure::Usage(error.to_string()))?;
    if rest.json {
        print_json(&report)?;
    } else {
        print(&report.to_string())?;
    }
    Ok(if report.conforms { Outcome::Good } else { Outcome::FallsShort })
}
