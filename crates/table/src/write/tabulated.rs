//! The tables that files hold: of one axis, or of several.

use crate::{AxialTable, Element, InvalidTable, Statistics, Table, first_infinite};
use posproof_encoding::axes::{AxialLaw, WithAxes};
use posproof_encoding::convention::{Component, Convention, Encoding, Layout, Order};
use posproof_encoding::frequency::Entries;
use posproof_numerics::Interval;
use std::ops::Range;

/// Which part of a table an array is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArrayPart {
    Joined,
    One(Component),
}

impl ArrayPart {
    pub fn name(self) -> &'static str {
        match self {
            Self::Joined => "pe",
            Self::One(Component::Cos) => "cos",
            Self::One(Component::Sin) => "sin",
        }
    }
}

/// A table that is written.
#[derive(Clone, Copy)]
pub enum Tabulated<'a, T: Element> {
    /// Of one axis, at whole positions.
    Whole(&'a Table<T>),
    /// Of axes at coordinates, or of one at positions of any kind.
    Axes(&'a AxialTable<'a, T>),
}

impl<'a, T: Element> From<&'a Table<T>> for Tabulated<'a, T> {
    fn from(table: &'a Table<T>) -> Self {
        Self::Whole(table)
    }
}

impl<'a, T: Element> From<&'a AxialTable<'a, T>> for Tabulated<'a, T> {
    fn from(table: &'a AxialTable<'a, T>) -> Self {
        Self::Axes(table)
    }
}

impl<T: Element> Tabulated<'_, T> {
    /// The arrays of it: one, or cosines and sines, or one of them if `component` says so.
    pub(super) fn parts(&self, component: Option<Component>) -> Vec<ArrayPart> {
        let encoding = match self {
            Self::Whole(table) => table.convention().encoding,
            Self::Axes(table) => table.law().convention().encoding,
        };
        match (encoding, component) {
            (_, Some(component)) => vec![ArrayPart::One(component)],
            (Encoding::Sinusoid, None) => vec![ArrayPart::Joined],
            (Encoding::Rope, None) => vec![ArrayPart::One(Component::Cos), ArrayPart::One(Component::Sin)],
        }
    }

    /// The number of rows, of all sequences.
    pub(super) fn rows(&self) -> usize {
        match self {
            Self::Whole(table) => table.rows(),
            Self::Axes(table) => table.rows(),
        }
    }

    /// The number of entries in a row of a part.
    pub(super) fn columns(&self, part: ArrayPart) -> usize {
        match (self, part) {
            (Self::Whole(table), ArrayPart::Joined) => table.width(),
            (Self::Whole(table), ArrayPart::One(_)) => table.pairs(),
            (Self::Axes(table), ArrayPart::Joined) => table.law().convention().dim,
            (Self::Axes(table), ArrayPart::One(_)) => table.slots(),
        }
    }

    /// The shape of a part: \[rows, columns\], or \[sequences, rows, columns\] of a batch.
    pub(super) fn shape(&self, part: ArrayPart) -> Vec<usize> {
        let columns = self.columns(part);
        match self {
            Self::Axes(table) if table.coordinates().sequences() > 1 => {
                vec![table.coordinates().sequences(), table.coordinates().length(), columns]
            }
            _ => vec![self.rows(), columns],
        }
    }

    /// Some rows of a part. Cosines and sines are computed together: those that are not of it go to `others`. How the entries were settled is
    /// counted for one axis.
    pub(super) fn fill(
        &self,
        rows: Range<usize>,
        part: ArrayPart,
        (entries, others): (&mut [T], &mut [T]),
    ) -> Result<Option<Statistics>, InvalidTable> {
        match self {
            Self::Whole(table) => Ok(Some(match part {
                ArrayPart::Joined => table.par_fill(rows, entries)?,
                ArrayPart::One(Component::Cos) => table.par_fill_each(rows, entries, others)?.cos,
                ArrayPart::One(Component::Sin) => table.par_fill_each(rows, others, entries)?.sin,
            })),
            Self::Axes(table) => {
                match part {
                    ArrayPart::Joined => table.fill_joined(0, rows, entries)?,
                    ArrayPart::One(Component::Cos) => table.fill(0, rows, entries, others)?,
                    ArrayPart::One(Component::Sin) => table.fill(0, rows, others, entries)?,
                }
                Ok(None)
            }
        }
    }

    /// The first infinite one of some entries, each the correct rounding of what the format does not hold.
    pub(super) fn first_infinite(&self, entries: &[T]) -> Option<usize> {
        match self {
            Self::Whole(table) => table.first_infinite(entries),
            Self::Axes(_) => first_infinite(entries),
        }
    }

    /// A row in words.
    pub(super) fn place(&self, row: usize) -> String {
        match self {
            Self::Whole(table) => format!("position {}", table.positions().get(row).unwrap_or_default()),
            Self::Axes(_) => format!("row {row}"),
        }
    }

    /// Description of the table in files that have room for one.
    pub(super) fn metadata(&self) -> serde_json::Result<Vec<(&'static str, String)>> {
        const CONVENTION: &str = "posproof.convention";
        Ok(match self {
            Self::Whole(table) => vec![
                (CONVENTION, serde_json::to_string(table.convention())?),
                ("posproof.positions", table.positions().summary()),
            ],
            Self::Axes(table) => vec![(CONVENTION, serde_json::to_string(&WithAxes(table.law().convention()))?)],
        })
    }
}

/// Enclosures of the exact values of a table's entries.
pub(super) enum Exact<'a, T: Element> {
    Whole(&'a Table<T>, Box<Entries>),
    /// With the slot and the component of each column of a joined row, where it has one.
    Axes(&'a AxialTable<'a, T>, Vec<Option<(usize, Component)>>),
}

impl<'a, T: Element> Exact<'a, T> {
    pub fn new(table: Tabulated<'a, T>) -> Self {
        match table {
            Tabulated::Whole(table) => Self::Whole(table, Box::new(Entries::new(table.convention()))),
            Tabulated::Axes(table) => Self::Axes(table, columns(table.law())),
        }
    }

    /// An entry's; none where it cannot be enclosed so narrowly.
    pub fn enclose(&self, row: usize, part: ArrayPart, column: usize, bits: u32) -> Option<Interval> {
        match self {
            Self::Whole(table, entries) => {
                let (pair, component) = match part {
                    ArrayPart::One(component) => (column, component),
                    ArrayPart::Joined => place(table.convention(), column),
                };
                entries.enclose(table.positions().get(row)?, pair, component, bits)
            }
            Self::Axes(table, columns) => {
                let entry = match part {
                    ArrayPart::One(component) => Some((column, component)),
                    ArrayPart::Joined => columns.get(column).copied().flatten(),
                };
                match (entry, table.coordinates().row(row)) {
                    (Some((slot, component)), Some(row)) => table.law().enclose(0, slot, &row, component, bits),
                    // A row without a position is left alone by a rotation, and is zero in a sinusoid.
                    (Some((_, Component::Cos)), None) if table.law().convention().encoding == Encoding::Rope => {
                        Some(Interval::from(1))
                    }
                    _ => Some(Interval::from(0)),
                }
            }
        }
    }
}

/// Entry that stands in a column of a joined row: the inverse of [`Convention::column`].
fn place(convention: &Convention, column: usize) -> (usize, Component) {
    let (pair, second) = match convention.layout {
        Layout::Interleaved => (column / 2, column % 2 == 1),
        Layout::Halves | Layout::InterleavedToHalves => (column % convention.pairs(), column >= convention.pairs()),
    };
    let cos = second == (convention.order == Order::SinCos);
    (pair, if cos { Component::Cos } else { Component::Sin })
}

/// Slot and component that stand in each column of a joined row of several axes; none in a column of zeros.
fn columns(law: &AxialLaw) -> Vec<Option<(usize, Component)>> {
    let mut columns = vec![None; law.convention().dim];
    for turn in law.turns() {
        let slot = turn.slots.0;
        let first = law.order(slot) == Order::SinCos;
        let [one, other] = if first { [Component::Sin, Component::Cos] } else { [Component::Cos, Component::Sin] };
        for (column, component) in [(turn.write.0, one), (turn.write.1, other)] {
            if let Some(entry) = columns.get_mut(column) {
                *entry = Some((slot, component));
            }
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use posproof_encoding::axes::{AxialConvention, Coordinates};
    use posproof_numerics::rounding::nearest;

    /// Every entry of every part is the rounding of its enclosure, rows without a position and unclaimed slots included.
    #[test]
    fn entries_are_those_of_their_enclosures() {
        let rows: Coordinates = "0 1\n-7 1/3\nnan nan\n5 2".parse().expect("rows");
        for encoding in ["rope", "sinusoid"] {
            let json = format!(
                r#"{{"encoding": "{encoding}", "dim": 12, "amplitude": "3/2", "layout": "halves", "order": "cos-sin",
                    "axes": [{{"name": "h", "pairs": "0..2"}}, {{"name": "w", "pairs": "3..5", "order": "sin-cos"}}]}}"#
            );
            let convention: AxialConvention = serde_json::from_str(&json).expect(encoding);
            let law = convention.law(|_| Err("none".into())).expect(encoding);
            let table = AxialTable::<f32>::new(&law, &rows).expect(encoding);
            let (of, exact) = (Tabulated::from(&table), Exact::new(Tabulated::from(&table)));
            let one = [Component::Cos, Component::Sin].map(ArrayPart::One);
            let joined = (encoding == "sinusoid").then_some(ArrayPart::Joined);
            for part in one.into_iter().chain(joined) {
                let columns = of.columns(part);
                let (mut entries, mut others) = (vec![0f32; 4 * columns], vec![0f32; 4 * columns]);
                of.fill(0..4, part, (&mut entries, &mut others)).expect(encoding);
                for (at, &entry) in entries.iter().enumerate() {
                    let rounded = nearest(f32::FORMAT, |bits| exact.enclose(at / columns, part, at % columns, bits));
                    assert_eq!(rounded, Some(f64::from(entry)), "{encoding}, {part:?}, {at}");
                }
            }
        }
    }

    #[test]
    fn places_invert_columns() {
        for layout in [Layout::Interleaved, Layout::Halves] {
            for order in [Order::SinCos, Order::CosSin] {
                let convention = Convention { layout, order, ..Convention::sinusoid(10) };
                let law = AxialConvention::from(&convention).law(|_| Err("none".into()));
                let axial = columns(&law.expect("a law"));
                assert_eq!(axial.len(), 10);
                for (column, entry) in axial.into_iter().enumerate() {
                    let (pair, component) = place(&convention, column);
                    assert_eq!(convention.column(pair, component), column);
                    assert_eq!(entry, Some((pair, component)));
                }
            }
        }
    }
}
