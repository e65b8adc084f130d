//! `posproof table`: writes a correctly rounded reference table.

use super::axes::{AxesArguments, AxialFile, Stated};
use super::rows;
use super::specification::{Specification, positions};
use super::{Failure, Outcome, print, print_json, progress};
use clap::Args;
use posproof_check::request::RowPositions;
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_encoding::convention::{Component, Convention, Encoding};
use posproof_numerics::format::Format;
use posproof_table::write::{WriteError, Written, write};
use posproof_table::{Element, Positions, Table, in_format};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

/// Arguments of `table`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct TableArguments {
    /// sinusoid: one array [positions, dim]; rope: the arrays cos and sin, [positions, dim/2]
    #[arg(value_name = "sinusoid|rope", value_parser = encoding)]
    encoding: Encoding,
    #[command(flatten)]
    specification: Specification,
    #[command(flatten)]
    axes: AxesArguments,
    /// Format of the entries; those of 8 bits (OCP, e4m3 is also called e4m3fn) go to .safetensors or .json
    #[arg(long, default_value = "f32", value_name = "f16|bf16|f32|f64|e4m3|e5m2")]
    dtype: Format,
    /// File to write; .npy, .npz, .safetensors or .json (small tables, with enclosures)
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Write only the cosines or only the sines
    #[arg(long, value_name = "cos|sin", value_parser = component)]
    component: Option<Component>,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    /// Print one JSON document (schema posproof.table/1) about what was written
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "Every entry is the correct rounding (to nearest, ties to even) of the exact real number.

Examples:
  posproof table sinusoid --dim 512 --positions 0..4096 --dtype f32 --out pe.npy
  posproof table rope --dim 128 --base 500000 --positions 0..131072 --dtype bf16 --out cache.safetensors
  posproof table rope --config config.json --positions 0..8192 --out cache.npz";

pub fn encoding(name: &str) -> Result<Encoding, String> {
    serde_json::from_value(name.into()).map_err(|_| "expected sinusoid or rope".into())
}

fn component(name: &str) -> Result<Component, String> {
    serde_json::from_value(name.into()).map_err(|_| "expected cos or sin".into())
}

/// Output of `--json`.
#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    convention: &'a Convention,
    positions: String,
    dtype: Format,
    #[serde(flatten)]
    written: &'a Written,
    seconds: f64,
}

/// Runs the verb.
pub fn run(arguments: &TableArguments) -> Result<Outcome, Failure> {
    let convention = match arguments.axes.stated(arguments.encoding, &arguments.specification)? {
        Stated::Axial(convention) => {
            let positions = arguments.specification.shared.positions.as_deref();
            return arguments.axial(&arguments.axes.open(&convention, positions)?);
        }
        Stated::Plain(convention) => *convention,
        Stated::Nothing => arguments.specification.convention(arguments.encoding)?,
    };
    // Whole numbers are tabulated in any order.
    let read =
        |text: &str| positions(text).map_or_else(|_| rows::read(text), |whole| Ok(RowPositions::Increasing(whole)));
    let stated = arguments.specification.shared.positions.as_deref();
    let positions = match stated.map_or(Ok(RowPositions::Counted), read)? {
        RowPositions::Increasing(positions) => positions,
        RowPositions::Any(coordinates) => {
            return arguments.axial(&(rows::law(&convention, &coordinates)?, coordinates));
        }
        RowPositions::Counted => {
            return Err(Failure::Usage("no positions: expected --positions A..B, a list, or a file p.npy".into()));
        }
    };
    in_format!(arguments.dtype, T => make::<T>(arguments, &convention, &positions))
}

impl TableArguments {
    /// Writes the table of an encoding at coordinates.
    fn axial(&self, stated: &(AxialLaw, Coordinates)) -> Result<Outcome, Failure> {
        if self.json {
            let expected = "expected none, no such document is defined yet";
            return Err(Failure::Usage(format!("--json with axes, or positions that are not whole: {expected}")));
        }
        AxialFile { path: &self.out, force: self.force, component: self.component }.write(stated, self.dtype)
    }
}

fn make<T: Element>(
    arguments: &TableArguments,
    convention: &Convention,
    positions: &Positions,
) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let table = Table::<T>::new(convention, positions).map_err(|error| Failure::Usage(error.to_string()))?;
    let arrays = if arguments.encoding == Encoding::Rope && arguments.component.is_none() { 2 } else { 1 };
    let bar = progress(table.rows().saturating_mul(arrays), "rows");
    let written = write(&table, &arguments.out, arguments.component, arguments.force, &|rows| bar.inc(rows as u64));
    bar.finish_and_clear();
    let (written, seconds) = (written?, start.elapsed().as_secs_f64());
    if arguments.json {
        let (schema, convention, positions) = ("posproof.table/1", table.convention(), positions.summary());
        let report = Report { schema, convention, positions, dtype: T::FORMAT, written: &written, seconds };
        print_json(&report)?;
    } else {
        print(&text(&written, seconds))?;
    }
    Ok(Outcome::Good)
}

fn text(written: &Written, seconds: f64) -> String {
    let mut text = format!("wrote {} ({} bytes) in {seconds:.2} s\n", written.path.display(), written.bytes);
    for array in &written.arrays {
        let [rows, columns] = array.shape;
        text += &format!("  {} [{rows}, {columns}] {}, sha256 {}\n", array.name, array.dtype, array.sha256);
    }
    let statistics = written.statistics;
    text + &format!(
        "  {} entries, all correctly rounded: {} exact, {} refined, {} in arbitrary precision, the rest at once\n",
        statistics.entries, statistics.exact, statistics.refined, statistics.multiprecision
    )
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::NotWritten(error) => error.into(),
            _ => Self::Usage(error.to_string()),
        }
    }
}
