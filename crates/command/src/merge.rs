//! `posproof merge`: one result of those of all shards.

use super::sweep::{describe, text};
use super::{Failure, Outcome};
use clap::Args;
use posproof_sweep::bases::AdmissibleBases;
use posproof_sweep::hard_cases::HardCases;
use posproof_sweep::rotation::Bf16Rotation;
use posproof_sweep::{Document, InvalidResult, Sweep, named};
use posproof_table::arrays::atomic::{NewFile, NotWritten};
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `merge`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct MergeArguments {
    /// The results of all shards, each once, in any order
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to write the whole to: the same bytes as without shards
    #[arg(long, value_name = "FILE.json")]
    out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "out")]
    force: bool,
    /// Print the whole as one JSON document (schema posproof.sweep/1)
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "Examples:
  posproof merge admissible-bases-128-8192.*.json
  posproof merge shards/*.json --out whole.json

Refused are shards that are missing or there twice, and results of another version or specification.";

impl From<InvalidResult> for Failure {
    fn from(error: InvalidResult) -> Self {
        Self::Usage(error.to_string())
    }
}

/// Runs the verb.
pub fn run(arguments: &MergeArguments) -> Result<Outcome, Failure> {
    let mut texts = Vec::new();
    for path in &arguments.files {
        texts.push((path.display().to_string(), text(path)?));
    }
    let Some((file, first)) = texts.first() else {
        return Err(Failure::Usage("no results: expected those of all shards".to_owned()));
    };
    match named(file, first)?.as_str() {
        AdmissibleBases::NAME => merge::<AdmissibleBases>(&texts, arguments),
        HardCases::NAME => merge::<HardCases>(&texts, arguments),
        Bf16Rotation::NAME => merge::<Bf16Rotation>(&texts, arguments),
        name => {
            let known = [AdmissibleBases::NAME, HardCases::NAME, Bf16Rotation::NAME].join(", ");
            Err(Failure::Usage(format!("{file}: a result of {name}: expected one of {known}")))
        }
    }
}

fn merge<S: Sweep>(texts: &[(String, String)], arguments: &MergeArguments) -> Result<Outcome, Failure> {
    let mut results = Vec::new();
    for (file, text) in texts {
        results.push((file.clone(), Document::<S>::read(file, text)?));
    }
    let whole = Document::merge(results)?;
    if let Some(path) = &arguments.out {
        let mut file = NewFile::create(path, arguments.force)?;
        file.file().write_all(whole.to_json().as_bytes()).map_err(NotWritten::io(path))?;
        file.finish()?;
    }
    describe(&whole, arguments.json)
}
