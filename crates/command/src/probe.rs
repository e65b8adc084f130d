//! `posproof probe`: writes vectors and positions for another implementation to rotate or encode.

use super::axes::{AxesArguments, Stated};
use super::claim;
use super::restate::{arguments, shell};
use super::specification::{SharedArguments, Specification};
use super::{Failure, Outcome, print, print_json};
use clap::{Args, Subcommand};
use posproof_check::probe::{LAST, positions as default_positions};
use posproof_check::write::{Entries, ProbeArray, WriteError, write};
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_encoding::convention::{Convention, Encoding};
use posproof_numerics::format::Format;
use posproof_table::Positions;
use posproof_table::arrays::atomic::{NewFile, NotWritten};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

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
    /// Print one JSON document (schema posproof.probe/1)
    #[arg(long)]
    json: bool,
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
    subject: &str,
    encoding: Encoding,
    (specification, axes): (&Specification, &AxesArguments),
    probe: &Probe,
) -> Result<Outcome, Failure> {
    let usage = |error: String| Failure::Usage(error);
    let convention = match axes.stated(encoding, specification)? {
        Stated::Axial(convention) => {
            let positions = specification.shared.positions.as_deref();
            return axial(subject, &axes.opened(&convention, positions, probe.fractional)?, probe);
        }
        Stated::Plain(convention) => *convention,
        Stated::Nothing => specification.convention(encoding)?,
    };
    if probe.fractional {
        return Err(usage("--fractional: expected with several axes only (--axis, --sections, --convention)".into()));
    }
    let positions = match specification.positions()? {
        Some(positions) => positions,
        None => default_positions(probe.last).map_err(|error| usage(error.to_string()))?,
    };
    let shape = probe.shape(positions.len(), convention.dim)?;
    let whole =
        ProbeArray { name: "positions", shape: vec![positions.len()], entries: Entries::Positions(positions.clone()) };
    let vectors = ProbeArray { name: "x", shape: shape.clone(), entries: Entries::Vectors(probe.dtype) };
    let rotation = subject == "rotation";
    let arrays = if rotation { vec![vectors, whole] } else { vec![whole] };
    let files = write(&probe.out, &arrays, Vec::new(), probe.force)?;
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

/// A probe of several axes, and its convention beside it.
fn axial(subject: &str, (law, coordinates): &(AxialLaw, Coordinates), probe: &Probe) -> Result<Outcome, Failure> {
    if probe.json {
        return Err(Failure::Usage("--json with axes: expected none, no such document is defined yet".into()));
    }
    let shape = probe.shape(coordinates.rows(), law.convention().dim)?;
    let rows = vec![coordinates.rows(), coordinates.axes()];
    let whole =
        ProbeArray { name: "positions", shape: rows.clone(), entries: Entries::Coordinates(coordinates.clone()) };
    let vectors = ProbeArray { name: "x", shape: shape.clone(), entries: Entries::Vectors(probe.dtype) };
    let arrays = if subject == "rotation" { vec![vectors, whole] } else { vec![whole] };
    let beside = PathBuf::from(answer(&probe.out, "convention")).with_extension("json");
    let mut convention = NewFile::create(&beside, probe.force)?;
    let text = serde_json::to_string_pretty(law.convention()).map_err(|error| Failure::Internal(error.to_string()))?;
    convention.file().write_all((text + "\n").as_bytes()).map_err(NotWritten::io(&beside))?;
    let files = write(&probe.out, &arrays, vec![convention], probe.force)?;
    let mut words = judging(subject, probe, &files);
    words.extend(["--convention".to_owned(), beside.display().to_string()]);
    words.extend(["--dtype".to_owned(), probe.dtype.name().to_owned()]);
    let shell = shell(words.iter().map(String::as_str));
    let names: Vec<&str> = law.axes().iter().map(posproof_encoding::axes::AxisLaw::name).collect();
    let dtype = probe.dtype;
    let task = match subject {
        "sinusoid" => format!("encode them as a table [{}, {}] of {dtype}", rows[0], law.convention().dim),
        "rope" => format!("compute cos and sin [{}, {}] of {dtype}", rows[0], law.slots()),
        _ => format!("rotate x, {shape:?} of {dtype}, into y of the same shape"),
    };
    print(&format!(
        "wrote {} and {}: {} rows of the coordinates {}\n{task}: row i at positions[i];\nwrite the answer under the names in this command, which judges it:\n\n  {shell}\n",
        files.join(" and "),
        beside.display(),
        rows[0],
        names.join(", "),
    ))?;
    Ok(Outcome::Good)
}

impl Probe {
    /// The shape of the vectors.
    fn shape(&self, rows: usize, dim: usize) -> Result<Vec<usize>, Failure> {
        let heads = self.heads.map_or(1, |heads| heads as usize);
        let entries = rows.checked_mul(dim).and_then(|n| n.checked_mul(heads));
        if heads == 0 || entries.is_none_or(|entries| entries > MAX_ENTRIES) {
            let found = format!("{heads} heads, {rows} positions, dimension {dim}");
            return Err(Failure::Usage(format!(
                "the probe: expected at least one head and at most {MAX_ENTRIES} entries; found {found}"
            )));
        }
        let head = self.heads.map(|_| heads);
        Ok(head.into_iter().chain([rows, dim]).collect())
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

/// `probe-answer.safetensors` beside `probe.safetensors`.
pub(super) fn answer(out: &Path, suffix: &str) -> String {
    let stem = out.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let extension = out.extension().map(|extension| extension.to_string_lossy().into_owned()).unwrap_or_default();
    out.with_file_name(format!("{stem}-{suffix}.{extension}")).to_string_lossy().into_owned()
}

/// The command that judges the answer.
fn command(subject: &str, convention: &Convention, probe: &Probe, files: &[String]) -> Vec<String> {
    let mut words = judging(subject, probe, files);
    words.extend(arguments(convention));
    words.extend(["--dtype".to_owned(), probe.dtype.name().to_owned()]);
    words
}

/// That command without the encoding.
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
