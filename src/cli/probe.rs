//! `posproof probe`: writes vectors and positions for another implementation to rotate or encode.

use super::restate::{arguments, shell};
use super::specification::{SharedArguments, Specification};
use super::{Failure, Outcome, print, print_json};
use crate::conformance::probe::{LAST, positions as default_positions};
use crate::conformance::write::{Array, Entries, WriteError, write};
use crate::encoding::convention::{Convention, Encoding};
use crate::number::format::Format;
use crate::table::Positions;
use clap::{Args, Subcommand};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Arguments of `probe`.
#[derive(Args, Clone, Debug)]
#[command(after_help = TWO_CALLS)]
pub struct Arguments {
    #[command(subcommand)]
    asked: Asked,
}

const TWO_CALLS: &str = "Examples:
  posproof probe rotation --dim 128 --base 500000 --layout halves --out probe.safetensors
  posproof probe rope --dim 128 --base 500000 --out probe.npy

State that survives a call shows only in a second one: write a long probe (--last 131071) and a short one \
(--last 63), have the same object answer the long one and then the short one, and judge both answers; the same with two bases. See docs/checking.md.";

/// What the other implementation is asked for.
#[derive(Clone, Debug, Subcommand)]
enum Asked {
    /// Positions to encode as a table [positions, dim]
    #[command(override_usage = "posproof probe sinusoid --dim <D> --out <FILE> [OPTIONS]")]
    Sinusoid {
        #[command(flatten)]
        encoding: SharedArguments,
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
        probe: Probe,
    },
    /// Vectors [heads, positions, dim] to rotate, and their positions
    #[command(override_usage = "posproof probe rotation --dim <D> --out <FILE> [OPTIONS]
       posproof probe rotation --config <config.json> --out <FILE> [OPTIONS]")]
    Rotation {
        #[command(flatten)]
        encoding: Specification,
        #[command(flatten)]
        probe: Probe,
    },
}

/// What all of them take.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Probe")]
struct Probe {
    /// The file to write: x and positions in .safetensors; in .npy x, and positions beside it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Format of the vectors, and of the answer
    #[arg(long, value_name = "f16|bf16|f32|f64", default_value = "f32")]
    dtype: Format,
    /// Vectors for so many heads: x is [heads, positions, dim] instead of [positions, dim]
    #[arg(long, value_name = "H")]
    heads: Option<u32>,
    /// The last position, where --positions does not say
    #[arg(long, value_name = "P", default_value_t = LAST)]
    last: u64,
    /// Replace files that exist
    #[arg(long)]
    force: bool,
    /// Print one JSON document (schema posproof.probe/1)
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    match &arguments.asked {
        Asked::Sinusoid { encoding, probe } => ask("sinusoid", Encoding::Sinusoid, &encoding.clone().into(), probe),
        Asked::Rope { encoding, probe } => ask("rope", Encoding::Rope, encoding, probe),
        Asked::Rotation { encoding, probe } => ask("rotation", Encoding::Rope, encoding, probe),
    }
}

/// Numbers in a probe at most: 2 GiB of binary64.
const MAX_ENTRIES: usize = 1 << 28;

fn ask(subject: &str, encoding: Encoding, specification: &Specification, probe: &Probe) -> Result<Outcome, Failure> {
    let usage = |error: String| Failure::Usage(error);
    let convention = specification.convention(encoding)?;
    let positions = match specification.positions()? {
        Some(positions) => positions,
        None => default_positions(probe.last).map_err(|error| usage(error.to_string()))?,
    };
    let heads = probe.heads.map_or(1, |heads| heads as usize);
    let entries = positions.len().checked_mul(convention.dim).and_then(|n| n.checked_mul(heads));
    if heads == 0 || entries.is_none_or(|entries| entries > MAX_ENTRIES) {
        let found = format!("{heads} heads, {} positions, dimension {}", positions.len(), convention.dim);
        return Err(usage(format!(
            "the probe: expected at least one head and at most {MAX_ENTRIES} entries; found {found}"
        )));
    }
    let mut shape = vec![positions.len(), convention.dim];
    if probe.heads.is_some() {
        shape.insert(0, heads);
    }
    let whole =
        Array { name: "positions", shape: vec![positions.len()], entries: Entries::Positions(positions.clone()) };
    let vectors = Array { name: "x", shape: shape.clone(), entries: Entries::Vectors(probe.dtype) };
    let rotation = subject == "rotation";
    let arrays = if rotation { vec![vectors, whole] } else { vec![whole] };
    let files = write(&probe.out, &arrays, probe.force)?;
    let command = command(subject, &convention, probe, &files);
    let shell = shell(command.iter().map(String::as_str));
    if probe.json {
        let document = json!({
            "schema": "posproof.probe/1", "subject": subject, "convention": convention, "dtype": probe.dtype,
            "positions": positions.len(), "last": positions.max(), "files": files, "command": command,
        });
        print_json(&document)?;
    } else {
        print(&instructions(subject, &positions, &shape, probe, &files, &shell))?;
    }
    Ok(Outcome::Good)
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::NotWritten(error) => error.into(),
            _ => Self::Usage(error.to_string()),
        }
    }
}

/// `probe-answer.safetensors` beside `probe.safetensors`.
fn answer(out: &Path, suffix: &str) -> String {
    let stem = out.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let extension = out.extension().map(|extension| extension.to_string_lossy().into_owned()).unwrap_or_default();
    out.with_file_name(format!("{stem}-{suffix}.{extension}")).to_string_lossy().into_owned()
}

/// The command that judges the answer.
fn command(subject: &str, convention: &Convention, probe: &Probe, files: &[String]) -> Vec<String> {
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
    words.extend(arguments(convention));
    words.extend(["--dtype".to_owned(), probe.dtype.name().to_owned()]);
    words
}

fn instructions(
    subject: &str,
    positions: &Positions,
    shape: &[usize],
    probe: &Probe,
    files: &[String],
    shell: &str,
) -> String {
    let dtype = probe.dtype;
    let count = positions.len();
    let wrote =
        format!("wrote {}: {count} positions from {} to {}", files.join(" and "), positions.min(), positions.max());
    let task = match subject {
        "sinusoid" => format!("encode them as a table [{count}, dim] of {dtype}: row i for position positions[i]"),
        "rope" => format!("compute cos and sin [{count}, pairs] of {dtype}: row i for position positions[i]"),
        _ => format!("rotate x, {shape:?} of {dtype}, into y of the same shape: row i by position positions[i]"),
    };
    format!("{wrote}\n{task};\nwrite the answer under the names in this command, which judges it:\n\n  {shell}\n")
}
