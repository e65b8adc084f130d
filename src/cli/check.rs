//! `posproof check`: judges another implementation's output against a stated convention.

use super::arrays::{Cache, Table, Vectors, positions};
use super::specification::Specification;
use super::{Failure, Outcome, print, print_json};
use crate::conformance::allowance::Path;
use crate::conformance::{Expectation, Subject, check};
use crate::encoding::convention::Encoding;
use crate::number::format::Format;
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
        #[command(flatten)]
        table: Table,
        #[command(flatten)]
        rest: Rest,
    },
    /// A cache of cosines and sines [..., positions, dim/2] (or dim, each value twice)
    Rope {
        #[command(flatten)]
        cache: Cache,
        #[command(flatten)]
        rest: Rest,
    },
    /// Vectors and what a rotation made of them [..., positions, dim]
    Rotation {
        #[command(flatten)]
        vectors: Vectors,
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

/// Runs the verb.
pub fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    match &arguments.subject {
        Judged::Sinusoid { table, rest } => table.open(|subject| judge(subject, rest)),
        Judged::Rope { cache, rest } => cache.open(|subject| judge(subject, rest)),
        Judged::Rotation { vectors, rest } => vectors.open(|subject| judge(subject, rest)),
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
