//! `posproof identify`: says which convention a table, a cache or a rotation follows.

use super::arrays::{Cache, Table, Vectors, positions};
use super::restate::{arguments, shell};
use super::specification::Specification;
use super::{Failure, Outcome, print, print_json};
use crate::conformance::{Confidence, Subject, identify};
use clap::{Args, Subcommand};

/// Arguments of `identify`.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    subject: Measured,
}

/// What is measured.
#[derive(Clone, Debug, Subcommand)]
enum Measured {
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
    /// Positions of the rows: A..B, a list such as 0..64,127,131071, or a file of integers
    #[arg(long, value_name = "POSITIONS")]
    positions: Option<String>,
    /// Print one JSON document (schema posproof.identify/1)
    #[arg(long)]
    json: bool,
}

/// Runs the verb: exit status 1 where the entries follow no convention that is known.
pub fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    match &arguments.subject {
        Measured::Sinusoid { table, rest } => table.open(|subject| judge(subject, rest)),
        Measured::Rope { cache, rest } => cache.open(|subject| judge(subject, rest)),
        Measured::Rotation { vectors, rest } => vectors.open(|subject| judge(subject, rest)),
    }
}

fn judge(subject: Subject<'_>, rest: &Rest) -> Result<Outcome, Failure> {
    let specification = Specification { positions: rest.positions.clone(), ..Specification::default() };
    let found =
        identify(subject, positions(&specification)?.as_ref()).map_err(|error| Failure::Usage(error.to_string()))?;
    if rest.json {
        print_json(&found)?;
    } else {
        let restated = found.remaining.iter().map(|convention| {
            let words = arguments(convention);
            format!("  as arguments: {}\n", shell(words.iter().map(String::as_str)))
        });
        print(&(found.to_string() + &restated.collect::<String>()))?;
    }
    Ok(if found.confidence == Confidence::Unexplained { Outcome::FallsShort } else { Outcome::Good })
}
