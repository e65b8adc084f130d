//! Small tables as JSON: each entry as a hexadecimal float, with a decimal enclosure of the exact value.

use super::tabulated::{Exact, Tabulated};
use super::{Array, Element, Interrupted, Job, WriteError};
use posproof_encoding::axes::WithAxes;
use posproof_encoding::convention::Convention;
use posproof_numerics::format::{Format, hex};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// Entries that a file may have.
pub const LIMIT: usize = 1 << 16;

/// The precision of the enclosures.
const BITS: u32 = 128;

/// A table: of whole positions along one axis schema `posproof.table/1`, and of all others `posproof.table/2`.
#[derive(Serialize)]
#[serde(untagged)]
enum TableDocument<'a> {
    Whole {
        schema: &'static str,
        convention: &'a Convention,
        dtype: Format,
        positions: Vec<u64>,
        arrays: Vec<JsonValues>,
    },
    Axes {
        schema: &'static str,
        axes: Vec<String>,
        convention: WithAxes<'a, posproof_encoding::axes::AxialConvention>,
        dtype: Format,
        /// The exact coordinates of each row; none of a row without a position.
        positions: Vec<Option<Vec<String>>>,
        arrays: Vec<JsonValues>,
    },
}

#[derive(Serialize)]
struct JsonValues {
    #[serde(flatten)]
    array: Array,
    values: Vec<Vec<String>>,
    lower: Vec<Vec<String>>,
    upper: Vec<Vec<String>>,
}

pub fn write<T: Element>(job: &mut Job<'_, T>, path: &Path, out: &mut impl Write) -> Result<Vec<Array>, Interrupted> {
    let table = job.table;
    let entries = job.parts.iter().map(|&part| table.rows().saturating_mul(table.columns(part))).sum();
    if entries > LIMIT {
        return Err(Interrupted::Other(WriteError::TooLarge { path: path.to_owned(), entries, limit: LIMIT }));
    }
    let exact = Exact::new(table);
    let (mut arrays, mut written) = (Vec::new(), Vec::new());
    for part in job.parts.clone() {
        let mut bytes = Vec::new();
        let array = job.stream(part, &mut bytes)?;
        written.push(array.clone());
        let columns = table.columns(part);
        let mut values = JsonValues { array, values: Vec::new(), lower: Vec::new(), upper: Vec::new() };
        for (at, row) in bytes.chunks_exact(columns * size_of::<T>()).enumerate() {
            let numbers = row.chunks_exact(size_of::<T>()).map(|bytes| hex(T::read_le(bytes).to_f64()));
            values.values.push(numbers.collect());
            let (mut lower, mut upper) = (Vec::new(), Vec::new());
            for column in 0..columns {
                let enclosure = exact.enclose(at, part, column, BITS).ok_or(crate::InvalidTable::Precision)?;
                let (below, above) = enclosure.decimal_with(40);
                lower.push(below);
                upper.push(above);
            }
            values.lower.push(lower);
            values.upper.push(upper);
        }
        arrays.push(values);
    }
    let document = match table {
        Tabulated::Whole(table) => TableDocument::Whole {
            schema: "posproof.table/1",
            convention: table.convention(),
            dtype: T::FORMAT,
            positions: table.positions().iter().collect(),
            arrays,
        },
        Tabulated::Axes(table) => {
            let convention = WithAxes(table.law().convention());
            let row = |row| Some(table.coordinates().row(row)?.iter().map(ToString::to_string).collect());
            let positions = (0..table.rows()).map(row).collect();
            let (schema, axes, dtype) = ("posproof.table/2", convention.names(), T::FORMAT);
            TableDocument::Axes { schema, axes, convention, dtype, positions, arrays }
        }
    };
    serde_json::to_writer_pretty(&mut *out, &document).map_err(io::Error::from)?;
    writeln!(out)?;
    out.flush()?;
    Ok(written)
}
