//! `posproof sweep`: long certified computations in shards.

use super::restate::shell;
use super::{Failure, Outcome, print, progress, tell};
use clap::{Args, Subcommand};
use posproof_encoding::real::Real;
use posproof_numerics::decimal::counted;
use posproof_numerics::format::Format;
use posproof_sweep::bases::{AdmissibleBases, Base};
use posproof_sweep::hard_cases::HardCases;
use posproof_sweep::rotation::Bf16Rotation;
use posproof_sweep::{Document, InvalidSweep, Shard, Sweep};
use posproof_table::arrays::atomic::{NewFile, NotWritten};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments of `sweep`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct SweepArguments {
    #[command(subcommand)]
    sweep: SweepKind,
}

const EXAMPLES: &str = "Examples:
  posproof sweep admissible-bases --dim 128 --length 8192 --bases 1e3..1e7
  posproof sweep admissible-bases --dim 128 --length 8192 --bases 1e3..1e7 --list 16 | parallel
  posproof merge admissible-bases-128-8192.*.json";

#[derive(Clone, Debug, Subcommand)]
enum SweepKind {
    /// Which bases serve a context length: a certified set, with a witness for every base outside
    #[command(after_help = "Example:
  posproof sweep admissible-bases --dim 128 --length 8192 --bases 1e3..1e7 --shard 3/16 --out 3.json")]
    AdmissibleBases {
        /// Dimension of a head
        #[arg(long, value_name = "D")]
        dim: usize,
        /// The largest distance at which the sum of cosines must not be negative
        #[arg(long, value_name = "L")]
        length: u32,
        /// The range of bases: exact decimals with at most nine digits after the point
        #[arg(long, value_name = "B..B", value_parser = bases)]
        bases: [Base; 2],
        #[command(flatten)]
        options: Options,
    },
    /// The entries of a rotary table that are nearest to a tie between two numbers of a format
    #[command(after_help = "Example:
  posproof sweep hard-cases --dim 128 --base 10000 --positions 0..1048576 --dtype f32")]
    HardCases {
        /// Dimension of a head
        #[arg(long, value_name = "D")]
        dim: usize,
        /// Base of the frequencies, an exact decimal
        #[arg(long, value_name = "B", default_value = "10000")]
        base: Real,
        /// The range of positions
        #[arg(long, value_name = "A..B", value_parser = range)]
        positions: [u64; 2],
        /// Format of the entries: f16, bf16 or f32
        #[arg(long, value_name = "FORMAT", value_parser = Format::computing)]
        dtype: Format,
        /// Number of entries that are kept
        #[arg(long, value_name = "N", default_value_t = 32)]
        keep: usize,
        #[command(flatten)]
        options: Options,
    },
    /// The exact worst error of rotations of bf16 vectors at a position, over all inputs
    #[command(after_help = "Example:
  posproof sweep bf16-rotation --dim 128 --base 500000 --position 4097")]
    Bf16Rotation {
        /// Dimension of a head
        #[arg(long, value_name = "D")]
        dim: usize,
        /// Base of the frequencies, an exact decimal
        #[arg(long, value_name = "B", default_value = "10000")]
        base: Real,
        /// The position
        #[arg(long, value_name = "P")]
        position: u64,
        #[command(flatten)]
        options: Options,
    },
}

/// Arguments of all sweeps.
#[derive(Args, Clone, Debug)]
struct Options {
    /// Compute the K-th of N parts only; the same part has the same bytes wherever it is computed
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// File to write the result to (schema posproof.sweep/1). A result of the same shard that is there is kept
    #[arg(long, value_name = "FILE.json")]
    out: Option<PathBuf>,
    /// Print the commands of N shards, one a line, instead of computing anything; --out names their files
    #[arg(long, value_name = "N", conflicts_with_all = ["shard", "json", "force"])]
    list: Option<usize>,
    /// Replace the file if it exists
    #[arg(long, requires = "out")]
    force: bool,
    /// Print one JSON document (schema posproof.sweep/1)
    #[arg(long)]
    json: bool,
}

fn bases(text: &str) -> Result<[Base; 2], String> {
    let (lower, upper) = text.split_once("..").ok_or("expected two bases such as 1e3..1e7")?;
    Ok([lower.parse()?, upper.parse()?])
}

/// A result is far smaller: beyond this a file is something else.
const MAX_BYTES: u64 = 1 << 28;

fn range(text: &str) -> Result<[u64; 2], String> {
    let ends = text.split_once("..").and_then(|(start, end)| Some([start.parse().ok()?, end.parse().ok()?]));
    ends.ok_or_else(|| "expected A..B such as 0..1048576".to_owned())
}

impl From<InvalidSweep> for Failure {
    fn from(error: InvalidSweep) -> Self {
        Self::Usage(format!("--{error}"))
    }
}

/// Runs the verb.
pub fn run(arguments: &SweepArguments) -> Result<Outcome, Failure> {
    match arguments.sweep.clone() {
        SweepKind::AdmissibleBases { dim, length, bases, options } => {
            perform(&AdmissibleBases { dim, length, bases }, &options)
        }
        SweepKind::HardCases { dim, base, positions, dtype, keep, options } => {
            perform(&HardCases { dim, base, positions, dtype, keep }, &options)
        }
        SweepKind::Bf16Rotation { dim, base, position, options } => {
            perform(&Bf16Rotation { dim, base, position }, &options)
        }
    }
}

fn perform<S: Sweep>(specification: &S, options: &Options) -> Result<Outcome, Failure> {
    specification.validate()?;
    if let Some(count) = options.list {
        return list(specification, count, options.out.as_deref());
    }
    let shard = options.shard.unwrap_or(Shard::WHOLE);
    let tasks = shard.tasks(specification.tasks())?;
    if let Some(path) = options.out.as_deref().filter(|path| !options.force && path.exists()) {
        let document = there(path, specification, shard)?;
        tell(format_args!("posproof: {} holds the result of shard {shard} already", path.display()));
        return describe(&document, options.json);
    }
    // What cannot be written is found out before the work is done.
    let file = options.out.as_deref().map(|path| NewFile::create(path, options.force)).transpose()?;
    let bar = progress(tasks.len(), "tasks");
    let document = Document::compute(specification, shard, &|| bar.inc(1));
    bar.finish_and_clear();
    let document = document?;
    if let Some((mut file, path)) = file.zip(options.out.as_deref()) {
        file.file().write_all(document.to_json().as_bytes()).map_err(NotWritten::io(path))?;
        file.finish()?;
    }
    describe(&document, options.json)
}

/// The result that a file holds, if it is that of this very shard.
fn there<S: Sweep>(path: &Path, specification: &S, shard: Shard) -> Result<Document<S>, Failure> {
    let name = path.display().to_string();
    let other = |found: String| {
        Failure::Usage(format!("{name} exists: {found}; expected a new name, the result of the same shard, or --force"))
    };
    let document = Document::<S>::read(&name, &text(path)?).map_err(|error| other(error.problem))?;
    if document.specification != *specification || document.shard != shard {
        return Err(other(format!(
            "it is shard {} of {}",
            document.shard,
            document.specification.arguments().join(" ")
        )));
    }
    Ok(document)
}

/// The text of a result.
pub fn text(path: &Path) -> Result<String, Failure> {
    super::input::text(path, MAX_BYTES, "the result of a shard")
}

/// Prints a result: what it establishes, or as JSON.
pub fn describe<S: Sweep>(document: &Document<S>, json: bool) -> Result<Outcome, Failure> {
    let text = if json {
        document.to_json()
    } else {
        let shard =
            if document.shard == Shard::WHOLE { String::new() } else { format!("shard {} of ", document.shard) };
        shard + &document.specification.summary(&document.findings)
    };
    print(&text)?;
    Ok(Outcome::Good)
}

/// Prints the commands of all shards.
fn list<S: Sweep>(specification: &S, count: usize, out: Option<&Path>) -> Result<Outcome, Failure> {
    let out = out.map_or_else(|| PathBuf::from(specification.slug() + ".json"), Path::to_path_buf);
    let tasks = specification.tasks();
    if count == 0 || count > tasks {
        let most = counted(tasks as u64, "shard");
        let expected = format!("expected 1 to {most}, one task of this sweep in each at least");
        return Err(Failure::Usage(format!("--list {count}: {expected}")));
    }
    for shard in Shard::all(count)? {
        shard.tasks(tasks)?;
        let file = out.with_extension(format!("{}-of-{count}.json", shard.index()));
        let options = ["--shard".to_owned(), shard.to_string(), "--out".to_owned(), file.display().to_string()];
        let words = ["posproof", "sweep", S::NAME].map(str::to_owned).into_iter();
        let words: Vec<String> = words.chain(specification.arguments()).chain(options).collect();
        print(&(shell(words.iter().map(String::as_str)) + "\n"))?;
    }
    Ok(Outcome::Good)
}
