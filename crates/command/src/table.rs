//! `posproof table`: writes a correctly rounded reference table.

use super::axes::AxesArguments;
use super::documents::JsonArguments;
use super::specification::Specification;
use super::{Failure, Outcome, progress};
use clap::Args;
use posproof_bound::first::FirstVersion;
use posproof_check::request::EncodedRows;
use posproof_encoding::axes::WithAxes;
use posproof_encoding::convention::{Component, Convention, Encoding};
use posproof_numerics::format::Format;
use posproof_table::write::{Array, Kind, Tabulated, WriteError, Written, write};
use posproof_table::{AxialTable, Element, InvalidTable, Positions, Statistics, Table, in_format};
use serde::{Serialize, Serializer};
use std::fmt;
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
    #[command(flatten)]
    json: JsonArguments,
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

/// Document of what was written: schema `posproof.table/1` of whole positions along one axis, `posproof.table/2` of all.
struct Report<'a> {
    of: &'a EncodedRows,
    dtype: Format,
    written: &'a Written,
    seconds: f64,
}

#[derive(Serialize)]
struct Version<'a, C: Serialize> {
    schema: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    axes: Option<Vec<String>>,
    convention: C,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<usize>,
    dtype: Format,
    #[serde(flatten)]
    written: &'a Written,
    seconds: f64,
}

impl<'a> Report<'a> {
    fn second<C: Serialize>(&self, convention: &'a C, rows: usize) -> Version<'a, WithAxes<'a, C>> {
        let (schema, convention) = ("posproof.table/2", WithAxes(convention));
        let Self { dtype, written, seconds, .. } = *self;
        let (axes, rows) = (Some(convention.names()), Some(rows));
        Version { schema, axes, convention, positions: None, rows, dtype, written, seconds }
    }
}

impl Serialize for Report<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.of {
            EncodedRows::Whole(convention, positions) => {
                self.second(&resolved(convention, positions), positions.len()).serialize(serializer)
            }
            EncodedRows::Axes(law, coordinates) => {
                self.second(law.convention(), coordinates.rows()).serialize(serializer)
            }
        }
    }
}

impl FirstVersion for Report<'_> {
    fn first_version<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let EncodedRows::Whole(convention, positions) = self.of else { return self.serialize(serializer) };
        let (schema, convention) = ("posproof.table/1", resolved(convention, positions));
        let Self { dtype, written, seconds, .. } = *self;
        let positions = Some(positions.summary());
        Version { schema, axes: None, convention, positions, rows: None, dtype, written, seconds }.serialize(serializer)
    }
}

/// The convention of a table, its sequence length resolved.
fn resolved(convention: &Convention, positions: &Positions) -> Convention {
    convention.clone().for_length(positions.max() + 1)
}

/// Runs the verb.
pub fn run(arguments: &TableArguments) -> Result<Outcome, Failure> {
    let placed = arguments.axes.at(arguments.encoding, &arguments.specification)?;
    // A name that says no format is refused before anything is computed.
    Kind::of(&arguments.out)?;
    in_format!(arguments.dtype, T => make::<T>(arguments, &placed))
}

fn make<T: Element>(arguments: &TableArguments, placed: &EncodedRows) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let invalid = |error: InvalidTable| Failure::Usage(error.to_string());
    let written = match placed {
        EncodedRows::Whole(convention, positions) => {
            arguments.write(&Table::<T>::new(convention, positions).map_err(invalid)?, positions.len())?
        }
        EncodedRows::Axes(law, coordinates) => {
            let (rows, slots, most) = (coordinates.rows(), law.slots(), AxialTable::<T>::MOST_ENTRIES);
            if law.heads() > 1 {
                let expected = "expected [slots], a list for one head";
                return Err(Failure::Usage(format!("a table of frequencies for several heads: {expected}")));
            }
            if rows.saturating_mul(slots) > most {
                let expected = format!("expected at most {most} entries in one file");
                return Err(Failure::Usage(format!("--positions: {rows} rows of {slots} slots; {expected}")));
            }
            arguments.write(&AxialTable::<T>::new(law, coordinates).map_err(invalid)?, rows)?
        }
    };
    let report = Report { of: placed, dtype: T::FORMAT, written: &written, seconds: start.elapsed().as_secs_f64() };
    arguments.json.say(&report, String::new)?;
    Ok(Outcome::Good)
}

impl TableArguments {
    fn write<'a, T: Element>(&self, table: impl Into<Tabulated<'a, T>>, rows: usize) -> Result<Written, Failure> {
        let arrays = if self.encoding == Encoding::Rope && self.component.is_none() { 2 } else { 1 };
        let bar = progress(rows.saturating_mul(arrays), "rows");
        let written = write(table, &self.out, self.component, self.force, &|rows| bar.inc(rows as u64));
        bar.finish_and_clear();
        Ok(written?)
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Written { path, bytes, arrays, statistics, .. } = self.written;
        writeln!(f, "wrote {} ({bytes} bytes) in {:.2} s", path.display(), self.seconds)?;
        for Array { name, shape, dtype, sha256 } in arrays {
            writeln!(f, "  {name} {shape:?} {dtype}, sha256 {sha256}")?;
        }
        let entries: usize = arrays.iter().map(|array| array.shape.iter().product::<usize>()).sum();
        write!(f, "  {entries} entries, all correctly rounded")?;
        match statistics {
            Some(Statistics { exact, refined, multiprecision, .. }) => writeln!(
                f,
                ": {exact} exact, {refined} refined, {multiprecision} in arbitrary precision, the rest at once"
            ),
            None => writeln!(f),
        }
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
