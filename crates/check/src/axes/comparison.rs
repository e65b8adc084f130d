//! Every entry against its reference and its bound, block by block.

use super::cells::{Cell, cells};
use super::extent::AxialExtent;
use super::totals::AxialTotals;
use crate::Invalid;
use crate::faults::Shape;
use crate::input::About;
use crate::subject::Subject;
use crate::totals::{GridPlace, Seen};
use crate::ulp::{around, neighbour};
use posproof_bound::AxialAllowance;
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_encoding::convention::Component;
use posproof_numerics::format::Format;
use posproof_numerics::rounding::nearest;
use posproof_numerics::{Float, Interval};
use posproof_table::AxialTable;
use rayon::prelude::*;
use std::ops::Range;

/// Entries that a thread takes at a time.
const BLOCK: usize = 1 << 14;

/// A comparison that is set up.
pub(super) struct Comparison<'a> {
    pub(super) subject: Subject<'a>,
    law: &'a AxialLaw,
    coordinates: &'a Coordinates,
    table: AxialTable<'a, f64>,
    pub(super) cells: Vec<Vec<Cell>>,
    /// How the columns of a cache stand for its slots.
    pub columns: Option<&'static str>,
    /// The format that the entries should have.
    storage: Format,
    /// Where the last run found finite entries beyond their bounds, and where entries that are not finite.
    pub beyond: AxialExtent,
    pub strange: AxialExtent,
}

/// Some tables of a subject, and some of their rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scope {
    pub slabs: Vec<usize>,
    pub rows: Range<usize>,
}

/// What the entries of a row should be, and their bounds.
#[derive(Default)]
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

    /// What an entry should be, and its bound; `x` is the vector of a rotation.
    pub fn predict(&self, allowance: &AxialAllowance, cell: Cell, x: &[f64]) -> (f64, f64) {
        match cell {
            Cell::Part(slot, component) => {
                let exact = if component == Component::Cos { self.cos[slot] } else { self.sin[slot] };
                (exact, allowance.entry(self.computed[slot], exact))
            }
            Cell::Turned { read: (a, b), slot, second } => {
                let (cos, sin) = (self.cos[slot], self.sin[slot]);
                let exact = if second { x[b] * cos + x[a] * sin } else { x[a] * cos - x[b] * sin };
                (exact, allowance.rotated(self.computed[slot], slot, x[a].hypot(x[b])))
            }
            Cell::Kept(at) => (x[at], allowance.stored(x[at])),
        }
    }
}

/// True if every finite entry of a subject is a number of a format.
pub(super) fn holds(subject: Subject<'_>, format: Format) -> Result<bool, Invalid> {
    let mut got = Vec::new();
    for (_, grid) in subject.grids() {
        let step = (BLOCK / grid.width().max(1)).max(1);
        for slab in 0..grid.slabs() {
            for start in (0..grid.rows()).step_by(step) {
                grid.read(slab, start..(start + step).min(grid.rows()), &mut got)?;
                if got.iter().any(|got| got.is_finite() && format.round(*got) != *got) {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

impl<'a> Comparison<'a> {
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
        let of = Shape { rows: coordinates.rows(), heads: subject.judged().slabs(), pairs: law.slots() };
        let (beyond, strange) = (AxialExtent::new(of), AxialExtent::new(of));
        Ok(Self { subject, law, coordinates, table, cells, columns, storage, beyond, strange })
    }

    /// Compares everything.
    pub fn run(&self, allowance: &AxialAllowance) -> Result<AxialTotals, Invalid> {
        self.run_in(allowance, &self.all())
    }

    /// Every table, and every row.
    pub(super) fn all(&self) -> Scope {
        Scope { slabs: (0..self.subject.judged().slabs()).collect(), rows: 0..self.coordinates.rows() }
    }

    /// Compares a part.
    pub(super) fn run_in(
        &self,
        allowance: &AxialAllowance,
        Scope { slabs, rows }: &Scope,
    ) -> Result<AxialTotals, Invalid> {
        let step = (BLOCK / self.cells[0].len().max(1)).clamp(1, rows.len().max(1));
        let blocks = rows.len().div_ceil(step);
        [&self.beyond, &self.strange].into_iter().for_each(AxialExtent::clear);
        let none = || AxialTotals::new(self.law.slots());
        (0..slabs.len() * blocks)
            .into_par_iter()
            .map(|task| {
                let (slab, start) = (slabs[task / blocks], rows.start + task % blocks * step);
                let mut totals = none();
                self.block(slab, start..(start + step).min(rows.end), allowance, &mut totals)?;
                Ok(totals)
            })
            .try_reduce(none, |a, b| Ok(a.merge(b)))
    }

    fn block(
        &self,
        slab: usize,
        rows: Range<usize>,
        allowance: &AxialAllowance,
        totals: &mut AxialTotals,
    ) -> Result<(), Invalid> {
        let slots = self.law.slots();
        let grids = self.subject.grids();
        let vectors = if let Subject::Rotation { x, .. } = self.subject { Some(x) } else { None };
        let (mut x, mut all) = (Vec::new(), vec![Vec::new(); grids.len()]);
        if let Some(grid) = vectors {
            grid.read(slab, rows.clone(), &mut x)?;
        }
        for ((_, grid), got) in grids.iter().zip(&mut all) {
            grid.read(slab, rows.clone(), got)?;
            if got.len() != rows.len() * grid.width() {
                let expected = format!("{} entries", rows.len() * grid.width());
                return Err(About(grid.name())
                    .error("the rows", expected, got.len().to_string(), "Grid::read is to write rows × width entries")
                    .into());
            }
        }
        let mut here = Row::of(slots);
        for (i, row) in rows.enumerate() {
            self.table.fill(slab, row..row + 1, &mut here.cos, &mut here.sin)?;
            allowance.computed(slab, |axis| self.coordinates.place(row, axis), &mut here.computed);
            let width = self.law.convention().dim;
            let x = x.get(i * width..).and_then(|x| x.get(..width)).unwrap_or_default();
            if let (Some(grid), Some(at)) = (vectors, x.iter().position(|x| !x.is_finite())) {
                let found = format!("{} in column {at}", x[at]);
                return Err(About(grid.name())
                    .error(format!("row {row}"), "finite numbers", found, "rotate finite vectors")
                    .into());
            }
            for (grid, (cells, got)) in self.cells.iter().zip(&all).enumerate() {
                for (column, (&cell, &got)) in cells.iter().zip(&got[i * cells.len()..]).enumerate() {
                    let (exact, bound) = here.predict(allowance, cell, x);
                    let place = GridPlace { slab, row, grid, column };
                    let seen = Seen { place, got, error: (got - exact).abs(), bound };
                    self.judge(seen, cell, exact, totals);
                    let most = cell.slot().map_or(f64::INFINITY, |slot| allowance.gain(slot)) + exact.abs();
                    totals.uninformative += u64::from(matches!(cell, Cell::Part(..)) && bound >= most);
                    totals.add(seen, cell);
                    if !got.is_finite() {
                        self.strange.add(place, cell);
                    } else if seen.exceeds() {
                        self.beyond.add(place, cell);
                    }
                }
            }
        }
        Ok(())
    }

    /// Counts an entry that is not correctly rounded, or not faithful. The reference of a table is the correctly rounded binary64 number, so
    /// that only a reference on a tie, or on the entry's own format, has to be enclosed.
    fn judge(&self, seen: Seen, cell: Cell, exact: f64, totals: &mut AxialTotals) {
        let Cell::Part(slot, component) = cell else {
            totals.incorrect += 1;
            totals.unfaithful += 1;
            return;
        };
        let (format, got) = (self.storage, seen.got);
        let enclose = |bits| match self.coordinates.row(seen.place.row) {
            Some(row) => self.law.enclose(seen.place.slab % self.law.heads(), slot, &row, component, bits),
            None => Some(Interval::exactly(exact)),
        };
        let tie = format != Format::F64 && format.round(exact.next_down()) != format.round(exact.next_up());
        let rounded = if tie { nearest(format, enclose) } else { Some(format.round(exact)) };
        let negative_zero = got.to_bits() == 1 << 63 && rounded.is_some_and(|rounded| rounded.to_bits() == 0);
        totals.negative_zeros += u64::from(negative_zero);
        if rounded == Some(got) && !negative_zero {
            return;
        }
        totals.incorrect += 1;
        let (below, above) = around(format, exact);
        let faithful = match () {
            () if got == below || got == above => true,
            () if below < above => false,
            // The reference is a number of the format: the exact value lies to one side of it, or is it.
            () => enclose(128).is_some_and(|value| {
                let reference = Float::from_f64(exact);
                (got == neighbour(format, exact, true) && *value.lower() > reference)
                    || (got == neighbour(format, exact, false) && *value.upper() < reference)
            }),
        };
        totals.unfaithful += u64::from(!faithful);
    }

    /// What an entry should be.
    pub fn cell(&self, place: GridPlace) -> Cell {
        self.cells[place.grid][place.column]
    }

    /// Cosines and sines of a row of a table.
    pub fn reference(&self, slab: usize, row: usize, out: &mut Row) -> Result<(), Invalid> {
        Ok(self.table.fill(slab, row..row + 1, &mut out.cos, &mut out.sin)?)
    }

    /// An enclosure of what an entry should be.
    pub fn enclose(&self, place: GridPlace) -> Result<Option<Interval>, Invalid> {
        let Some(row) = self.coordinates.row(place.row) else { return Ok(None) };
        let head = place.slab % self.law.heads();
        let part = |slot, component| self.law.enclose(head, slot, &row, component, 128);
        let Subject::Rotation { x, .. } = self.subject else {
            let Cell::Part(slot, component) = self.cell(place) else { return Ok(None) };
            return Ok(part(slot, component));
        };
        let mut vector = Vec::new();
        x.read(place.slab, place.row..place.row + 1, &mut vector)?;
        Ok(match self.cell(place) {
            Cell::Turned { read: (a, b), slot, second } => {
                let (a, b) = (Interval::exactly(vector[a]).at(128), Interval::exactly(vector[b]).at(128));
                let parts = part(slot, Component::Cos).zip(part(slot, Component::Sin));
                parts.map(|(cos, sin)| if second { b * cos + a * sin } else { a * cos - b * sin })
            }
            Cell::Kept(at) => Some(Interval::exactly(vector[at])),
            Cell::Part(..) => None,
        })
    }
}
