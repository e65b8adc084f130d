//! `posproof probe`: writes vectors and positions for another implementation to rotate or encode.

use super::arrays::positions;
use super::restate::{arguments, shell};
use super::specification::Specification;
use super::{Failure, Outcome, print, print_json};
use crate::conformance::probe::{self, LAST};
use crate::conformance::write::{Array, Entries, write};
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

const TWO_CALLS: &str = "State that survives a call shows only in a second one: write a long probe (--last 131071) and a short one \
(--last 63), have the same object answer the long one and then the short one, and judge both answers; the same with two bases. See docs/checking.md.";

/// What the other implementation is asked for.
#[derive(Clone, Debug, Subcommand)]
enum Asked {
    /// Positions to encode as a table [positions, dim]
    Sinusoid(Rest),
    /// Positions to make a cache of cosines and sines for
    Rope(Rest),
    /// Vectors [heads, positions, dim] to rotate, and their positions
    Rotation(Rest),
}

/// What all of them take.
#[derive(Args, Clone, Debug)]
struct Rest {
    #[command(flatten)]
    specification: Specification,
    /// The file to write: x and positions in .safetensors; in .npy x, and positions beside it
    #[arg(long, value_name = "FILE", help_heading = "Probe")]
    out: PathBuf,
    /// Format of the vectors, and of the answer
    #[arg(long, value_name = "f16|bf16|f32|f64", default_value = "f32", help_heading = "Probe")]
    dtype: Format,
    /// Vectors for so many heads: x is [heads, positions, dim] instead of [positions, dim]
    #[arg(long, value_name = "H", help_heading = "Probe")]
    heads: Option<u32>,
    /// The last position, where --positions does not say
    #[arg(long, value_name = "P", default_value_t = LAST, help_heading = "Probe")]
    last: u64,
    /// Replace files that exist
    #[arg(long, help_heading = "Probe")]
    force: bool,
    /// Print one JSON document (schema posproof.probe/1)
    #[arg(long, help_heading = "Probe")]
    json: bool,
}

/// Runs the verb.
pub fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    match &arguments.asked {
        Asked::Sinusoid(rest) => ask("sinusoid", Encoding::Sinusoid, rest),
        Asked::Rope(rest) => ask("rope", Encoding::Rope, rest),
        Asked::Rotation(rest) => ask("rotation", Encoding::Rope, rest),
    }
}

/// Numbers in a probe at most: 2 GiB of binary64.
const MAX_ENTRIES: usize = 1 << 28;

fn ask(subject: &str, encoding: Encoding, rest: &Rest) -> Result<Outcome, Failure> {
    let usage = |error: String| Failure::Usage(error);
    let convention = rest.specification.convention(encoding)?;
    let positions = match positions(&rest.specification)? {
        Some(positions) => positions,
        None => probe::positions(rest.last).map_err(|error| usage(error.to_string()))?,
    };
    let heads = rest.heads.map_or(1, |heads| heads as usize);
    let entries = positions.len().checked_mul(convention.dim).and_then(|n| n.checked_mul(heads));
    if heads == 0 || entries.is_none_or(|entries| entries > MAX_ENTRIES) {
        let found = format!("{heads} heads, {} positions, dimension {}", positions.len(), convention.dim);
        return Err(usage(format!(
            "the probe: expected at least one head and at most {MAX_ENTRIES} entries; found {found}"
        )));
    }
    let mut shape = vec![positions.len(), convention.dim];
    if rest.heads.is_some() {
        shape.insert(0, heads);
    }
    let whole =
        Array { name: "positions", shape: vec![positions.len()], entries: Entries::Positions(positions.clone()) };
    let vectors = Array { name: "x", shape: shape.clone(), entries: Entries::Vectors(rest.dtype) };
    let rotation = subject == "rotation";
    let arrays = if rotation { vec![vectors, whole] } else { vec![whole] };
    let files = write(&rest.out, &arrays, rest.force).map_err(|error| usage(error.to_string()))?;
    let command = command(subject, &convention, rest, &files);
    let shell = shell(command.iter().map(String::as_str));
    if rest.json {
        let document = json!({
            "schema": "posproof.probe/1", "subject": subject, "convention": convention, "dtype": rest.dtype,
            "positions": positions.len(), "last": positions.max(), "files": files, "command": command,
        });
        print_json(&document)?;
    } else {
        print(&instructions(subject, &positions, &shape, rest, &files, &shell))?;
    }
    Ok(Outcome::Good)
}

/// `probe-answer.safetensors` beside `probe.safetensors`.
fn answer(out: &Path, suffix: &str) -> String {
    let stem = out.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let extension = out.extension().map(|extension| extension.to_string_lossy().into_owned()).unwrap_or_default();
    out.with_file_name(format!("{stem}-{suffix}.{extension}")).to_string_lossy().into_owned()
}

/// The command that judges the answer.
fn command(subject: &str, convention: &Convention, rest: &Rest, files: &[String]) -> Vec<String> {
    let mut words: Vec<String> = ["posproof", "check", subject].map(String::from).to_vec();
    let tensors = rest.out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("safetensors"));
    let mut argument = |flag: &str, name: &str| {
        let file = if tensors { format!("{}:{name}", answer(&rest.out, "answer")) } else { answer(&rest.out, name) };
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
    words.extend(["--dtype".to_owned(), rest.dtype.name().to_owned()]);
    words
}

fn instructions(
    subject: &str,
    positions: &Positions,
    shape: &[usize],
    rest: &Rest,
    files: &[String],
    shell: &str,
) -> String {
    let dtype = rest.dtype;
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
