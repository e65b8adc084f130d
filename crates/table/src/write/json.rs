//! Small tables as JSON: each entry as a hexadecimal float, with a decimal enclosure of the exact value.

use super::{Array, ArrayPart, Element, Interrupted, Job, WriteError};
use posproof_encoding::convention::{Component, Convention, Layout, Order};
use posproof_encoding::frequency::Entries;
use posproof_numerics::format::{Format, hex};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// Entries that a file may have.
pub const LIMIT: usize = 1 << 16;

/// The precision of the enclosures.
const BITS: u32 = 128;

#[derive(Serialize)]
struct TableDocument<'a> {
    schema: &'static str,
    convention: &'a Convention,
    dtype: Format,
    positions: Vec<u64>,
    arrays: Vec<JsonValues>,
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
    let entries = job.parts.iter().map(|&part| job.shape(part).iter().product::<usize>()).sum();
    if entries > LIMIT {
        return Err(Interrupted::Other(WriteError::TooLarge { path: path.to_owned(), entries, limit: LIMIT }));
    }
    let exact = Entries::new(table.convention());
    let mut arrays = Vec::new();
    for part in job.parts.clone() {
        let mut bytes = Vec::new();
        let array = job.stream(part, &mut bytes)?;
        let [_, columns] = array.shape;
        let mut values = JsonValues { array, values: Vec::new(), lower: Vec::new(), upper: Vec::new() };
        for (position, row) in table.positions().iter().zip(bytes.chunks_exact(columns * size_of::<T>())) {
            let numbers = row.chunks_exact(size_of::<T>()).map(|bytes| hex(T::read_le(bytes).to_f64()));
            values.values.push(numbers.collect());
            let (mut lower, mut upper) = (Vec::new(), Vec::new());
            for column in 0..columns {
                let (pair, component) = place(table.convention(), part, column);
                let enclosure = exact.enclose(position, pair, component, BITS).ok_or(crate::InvalidTable::Precision)?;
                let (below, above) = enclosure.decimal_with(40);
                lower.push(below);
                upper.push(above);
            }
            values.lower.push(lower);
            values.upper.push(upper);
        }
        arrays.push(values);
    }
    let positions = table.positions().iter().collect();
    let (schema, convention) = ("posproof.table/1", table.convention());
    let document = TableDocument { schema, convention, dtype: T::FORMAT, positions, arrays };
    serde_json::to_writer_pretty(&mut *out, &document).map_err(io::Error::from)?;
    writeln!(out)?;
    out.flush()?;
    Ok(document.arrays.into_iter().map(|values| values.array).collect())
}

/// Entry that stands in a column: the inverse of [`Convention::column`].
fn place(convention: &Convention, part: ArrayPart, column: usize) -> (usize, Component) {
    if let ArrayPart::One(component) = part {
        return (column, component);
    }
    let (pair, second) = match convention.layout {
        Layout::Interleaved => (column / 2, column % 2 == 1),
        Layout::Halves | Layout::InterleavedToHalves => (column % convention.pairs(), column >= convention.pairs()),
    };
    let cos = second == (convention.order == Order::SinCos);
    (pair, if cos { Component::Cos } else { Component::Sin })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_invert_columns() {
        for layout in [Layout::Interleaved, Layout::Halves] {
            for order in [Order::SinCos, Order::CosSin] {
                let convention = Convention { layout, order, ..Convention::sinusoid(10) };
                for column in 0..10 {
                    let (pair, component) = place(&convention, ArrayPart::Joined, column);
                    assert_eq!(convention.column(pair, component), column);
                }
            }
        }
    }
}
