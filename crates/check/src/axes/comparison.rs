//! A comparison of several axes that is set up: the reference and the meaning of every column.

use super::cells::{Cell, cells};
use super::gathered::Gathered;
use super::rows::AxialRows;
use crate::Invalid;
use crate::input::About;
use crate::row::pair_length;
use crate::subject::Subject;
use crate::totals::GridPlace;
use posproof_bound::AxialAllowance;
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_encoding::convention::Component;
use posproof_numerics::format::Format;
use posproof_table::AxialTable;
use std::ops::Range;

/// A comparison that is set up.
pub(crate) struct AxialComparison<'a> {
    pub(super) subject: Subject<'a>,
    pub(super) law: &'a AxialLaw,
    pub(super) coordinates: &'a Coordinates,
    pub(super) table: AxialTable<'a, f64>,
    pub(super) cells: Vec<Vec<Cell>>,
    /// Meaning of the columns of a cache, by slots.
    pub columns: Option<&'static str>,
    /// The format that the entries should have.
    pub(super) storage: Format,
    pub(super) gathered: Vec<Gathered>,
    /// Columns of vectors that are not rotated, and the entries that they hold.
    pub(super) kept: Vec<(usize, usize)>,
    /// The largest amplitude.
    pub(super) gain: f64,
}

/// Some tables of a subject, and some of their rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AxialScope {
    pub slabs: Vec<usize>,
    pub rows: Range<usize>,
}

/// Expected entries of a row, and their bounds.
#[derive(Clone, Default)]
pub(super) struct Row {
    /// The cosines and the sines of the slots.
    pub cos: Vec<f64>,
    pub sin: Vec<f64>,
    /// C of each slot.
    pub computed: Vec<f64>,
}

impl Row {
    /// Of so many slots.
    pub fn of(slots: usize) -> Self {
        Self { cos: vec![0.0; slots], sin: vec![0.0; slots], computed: vec![0.0; slots] }
    }

    /// Expected entry; `x` is the vector of a rotation.
    pub fn exact(&self, cell: Cell, x: &[f64]) -> f64 {
        match cell {
            Cell::Part(slot, Component::Cos) => self.cos[slot],
            Cell::Part(slot, Component::Sin) => self.sin[slot],
            Cell::Turned { read: (a, b), slot, sine, second } => {
                let (cos, sin) = (self.cos[slot], self.sin[sine]);
                if second { x[b] * cos + x[a] * sin } else { x[a] * cos - x[b] * sin }
            }
            Cell::Kept(at) => x.get(at).copied().unwrap_or(0.0),
        }
    }

    /// Expected entry, and its bound.
    pub fn predict(&self, allowance: &AxialAllowance, cell: Cell, x: &[f64]) -> (f64, f64) {
        let exact = self.exact(cell, x);
        let bound = match cell {
            Cell::Part(slot, _) => allowance.entry(self.computed[slot], exact),
            Cell::Turned { read: (a, b), slot, sine, .. } => {
                let bound = |slot: usize| allowance.turned(self.computed[slot], slot, pair_length(x[a], x[b]));
                allowance.kept(if sine == slot { bound(slot) } else { bound(slot).max(bound(sine)) }, exact)
            }
            Cell::Kept(_) => allowance.stored(exact),
        };
        (exact, bound)
    }
}

impl<'a> AxialComparison<'a> {
    pub fn new(
        subject: Subject<'a>,
        law: &'a AxialLaw,
        coordinates: &'a Coordinates,
        storage: Format,
    ) -> Result<Self, Invalid> {
        let (cells, columns) = cells(subject, law)?;
        for (_, grid) in subject.grids() {
            let (rows, slabs, heads) = (coordinates.rows(), grid.slabs(), law.heads());
            let about = About(grid.name());
            if grid.rows() != rows {
                let expected = format!("{rows} rows, one for each position");
                return Err(about
                    .error("the last dimension but one", expected, grid.rows().to_string(), "check the positions")
                    .into());
            }
            if slabs != subject.judged().slabs() || !slabs.is_multiple_of(heads) {
                let expected = format!("as many tables as the other array has, a multiple of {heads} heads");
                return Err(about
                    .error("the leading dimensions", expected, slabs.to_string(), "check the axes of the array")
                    .into());
            }
        }
        let table = AxialTable::new(law, coordinates)?;
        let gathered = cells.iter().map(|cells| Gathered::new(cells, law)).collect();
        let kept = |(column, cell): (usize, &Cell)| if let Cell::Kept(at) = cell { Some((column, *at)) } else { None };
        let kept = cells.first().into_iter().flatten().enumerate().filter_map(kept).collect();
        let amplitude = |slot| law.gain(slot).enclose(64).abs().upper_f64();
        let gain = (0..law.slots()).map(amplitude).fold(0.0, f64::max);
        Ok(Self { subject, law, coordinates, table, cells, columns, gathered, kept, storage, gain })
    }

    /// The comparison with the bounds of an allowance.
    pub fn along(&self, allowance: AxialAllowance) -> AxialRows<'_> {
        AxialRows::new(self, allowance)
    }

    /// Every table, and every row.
    pub(super) fn all(&self) -> AxialScope {
        AxialScope { slabs: (0..self.subject.judged().slabs()).collect(), rows: 0..self.coordinates.rows() }
    }

    /// Meaning of an entry.
    pub fn cell(&self, place: GridPlace) -> Cell {
        self.cells[place.grid][place.column]
    }

    /// Cosines and sines of a row of a table.
    pub(super) fn reference(&self, slab: usize, row: usize, out: &mut Row) -> Result<(), Invalid> {
        Ok(self.table.fill(slab, row..row + 1, &mut out.cos, &mut out.sin)?)
    }
}
