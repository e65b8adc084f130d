//! Every entry of several axes against its reference and its bound.

use super::cells::Cell;
use super::comparison::AxialComparison;
use super::gathered::silent;
use crate::Invalid;
use crate::compare::overflow::Overflowed;
use crate::compare::{last_place, require};
use crate::compared::ComparedRows;
use crate::exactness::ComparedEntries;
use crate::extent::Extent;
use crate::faults::{Region, Span};
use crate::input::About;
use crate::row::pair_length;
use crate::subject::Subject;
use crate::totals::{ComparedRow, EntryTotals, GridPlace};
use posproof_bound::{AxialAllowance, Origin};
use posproof_encoding::axes::AxialLaw;
use posproof_encoding::convention::{Component, Encoding};
use posproof_numerics::format::Format;
use posproof_numerics::{Interval, Rational};
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// A comparison with the bounds of an allowance.
pub(crate) struct AxialRows<'a> {
    pub(super) comparison: &'a AxialComparison<'a>,
    allowance: AxialAllowance,
    faithful: AtomicBool,
    /// Where a run found finite entries beyond their bounds, and where entries that are not finite.
    pub(super) beyond: Extent,
    strange: Extent,
    /// Entries that overflowed to NaN or infinity in a format of 8 bits, and the first row of one.
    overflowed: Overflowed,
}

impl<'a> AxialRows<'a> {
    pub fn new(comparison: &'a AxialComparison<'a>, allowance: AxialAllowance) -> Self {
        let (slabs, rows) = (comparison.subject.judged().slabs(), comparison.coordinates.rows());
        let extent = || Extent::new(slabs, rows, comparison.cells.iter().map(Vec::len));
        let (beyond, strange) = (extent(), extent());
        let (faithful, overflowed) = (AtomicBool::new(true), Overflowed::default());
        Self { comparison, allowance, faithful, beyond, strange, overflowed }
    }

    /// Where the bounds come from.
    pub fn origin(&self) -> Origin {
        self.allowance.origin()
    }

    /// The slots of finite entries beyond their bounds.
    pub fn slots(&self) -> Option<Span> {
        self.comparison.slots(&self.beyond)
    }

    /// Where a run found finite entries beyond their bounds, and where entries that are not finite.
    pub fn regions(&self) -> [Option<Region>; 2] {
        [&self.beyond, &self.strange].map(|extent| self.comparison.region(extent))
    }

    /// A rotated vector, and the bounds of its entries.
    fn turn(&self, [cos, sin, c]: [&[f64]; 3], x: &[f64], (expected, bounds): (&mut [f64], &mut [f64])) {
        let allowance = &self.allowance;
        for turn in self.comparison.law.turns() {
            let ((a, b), (to_a, to_b), (first, second)) = (turn.read, turn.write, turn.slots);
            let length = pair_length(x[a], x[b]);
            expected[to_a] = x[a] * cos[first] - x[b] * sin[turn.sines.0];
            expected[to_b] = x[b] * cos[second] + x[a] * sin[turn.sines.1];
            bounds[to_a] = allowance.turned(c[first], first, length);
            bounds[to_b] = if first == second { bounds[to_a] } else { allowance.turned(c[second], second, length) };
            if turn.sines != turn.slots {
                let larger = bounds[to_a].max(bounds[to_b]);
                (bounds[to_a], bounds[to_b]) = (larger, larger);
            }
            [to_a, to_b].into_iter().for_each(|to| bounds[to] = allowance.kept(bounds[to], expected[to]));
        }
        for (column, at) in &self.comparison.kept {
            (expected[*column], bounds[*column]) = (x[*at], allowance.stored(x[*at]));
        }
    }
}

impl ComparedRows for AxialRows<'_> {
    type Buffers = AxialBuffers;

    // Cosines, sines and bounds of the slots are held beside those of the entries.
    const BLOCK: usize = 1 << 14;

    fn pairs(&self) -> usize {
        self.comparison.law.slots()
    }

    fn columns(&self, grid: usize) -> &[usize] {
        &self.comparison.gathered[grid].slots
    }

    fn rows(
        &self,
        slab: usize,
        rows: Range<usize>,
        buffers: &mut AxialBuffers,
        mut visit: impl FnMut(&ComparedRow<'_>, &[f64]),
    ) -> Result<(), Invalid> {
        let (comparison, allowance) = (self.comparison, &self.allowance);
        let (slots, width) = (comparison.law.slots(), comparison.law.convention().dim);
        let AxialBuffers { reference, x, got, expected, bounds, computed, .. } = buffers;
        reference.iter_mut().for_each(|part| part.resize(rows.len() * slots, 0.0));
        let [cos, sin, c] = reference;
        comparison.table.fill(slab, rows.clone(), cos, sin)?;
        for (row, c) in rows.clone().zip(c.chunks_exact_mut(slots)) {
            allowance.computed(slab, |axis| comparison.coordinates.place(row, axis), c);
        }
        let rotation = matches!(comparison.subject, Subject::Rotation { .. });
        if let Subject::Rotation { x: grid, .. } = comparison.subject {
            grid.read(slab, rows.clone(), x)?;
            require(grid, rows.len(), x)?;
            if let Some(at) = x.iter().position(|x| !x.is_finite()) {
                let found = format!("{} in column {}", x[at], at % width);
                let place = format!("row {}", rows.start + at / width);
                return Err(About(grid.name()).error(place, "finite numbers", found, "rotate finite vectors").into());
            }
        }
        for ((index, columns), (_, grid)) in comparison.gathered.iter().enumerate().zip(comparison.subject.grids()) {
            grid.read(slab, rows.clone(), got)?;
            require(grid, rows.len(), got)?;
            let entries = columns.slots.len();
            [&mut *expected, &mut *bounds, &mut *computed].into_iter().for_each(|part| part.resize(entries, 0.0));
            for (i, row) in rows.clone().enumerate() {
                let of = [&*cos, &*sin, &*c].map(|part| &part[i * slots..][..slots]);
                let x = if rotation { &x[i * width..][..width] } else { &[] };
                if rotation {
                    self.turn(of, x, (expected, bounds));
                } else {
                    columns.gather(of, expected, computed);
                    allowance.entries(computed, expected, bounds);
                }
                self.overflowed.keep(comparison.storage, row, expected, (bounds, &mut got[i * entries..][..entries]));
                if let Some(levels) = grid.levels() {
                    levels.keep(expected, bounds);
                }
                let place = GridPlace { slab, row, grid: index, column: 0 };
                visit(&ComparedRow { place, got: &got[i * entries..][..entries], expected, bounds }, x);
            }
        }
        Ok(())
    }

    fn overflowed(&self) -> &Overflowed {
        &self.overflowed
    }

    fn note(&self, row: &ComparedRow<'_>, x: &[f64], totals: &mut EntryTotals) {
        let AxialComparison { cells, gathered, gain, .. } = self.comparison;
        let grid = row.place.grid;
        if self.is_rotation() {
            let [vacuous, zeros] = silent(&cells[grid], *gain, row, x);
            (totals.uninformative, totals.zeros) = (totals.uninformative + vacuous, totals.zeros + zeros);
        } else {
            totals.uninformative += gathered[grid].uninformative(row.expected, row.bounds);
        }
    }
}

impl ComparedEntries for AxialRows<'_> {
    fn meaning(&self, place: GridPlace) -> Option<(usize, Component)> {
        let cell = self.comparison.cell(place);
        cell.slot().zip(cell.component())
    }

    fn format(&self, _: usize) -> Format {
        self.comparison.storage
    }

    fn gain(&self) -> f64 {
        self.comparison.gain
    }

    fn subject(&self) -> Subject<'_> {
        self.comparison.subject
    }

    /// Of a rotated entry a·cos − b·sin: two products of correctly rounded numbers and their sum, so 3·2^−53·(|a| + |b|) times the
    /// amplitude at most, and somewhat more for products of errors.
    fn reference_error(&self, place: GridPlace, x: &[f64], reference: f64) -> f64 {
        match self.comparison.cell(place) {
            Cell::Part(..) => last_place(reference),
            Cell::Turned { read: (a, b), .. } => {
                3.01 * 2f64.powi(-53) * self.comparison.gain * (x[a].abs() + x[b].abs())
            }
            Cell::Kept(_) => 0.0,
        }
    }

    fn faithful(&self) -> &AtomicBool {
        &self.faithful
    }

    fn extents(&self) -> (&Extent, &Extent) {
        (&self.beyond, &self.strange)
    }

    /// A row without a position has an angle of 0 in a cache and in vectors; it is 0 in a table.
    fn enclose(&self, place: GridPlace, x: &[f64], bits: u32) -> Option<Interval> {
        let (row, head) = (self.comparison.coordinates.row(place.row), place.slab % self.comparison.law.heads());
        let part = |slot, component| match &row {
            Some(row) => self.comparison.law.enclose(head, slot, row, component, bits),
            None => Some(Interval::exactly(unplaced(self.comparison.law, component))),
        };
        match self.comparison.cell(place) {
            Cell::Part(slot, component) => part(slot, component),
            Cell::Turned { read: (a, b), slot, sine, second } => {
                let (a, b) = (Interval::exactly(*x.get(a)?).at(bits), Interval::exactly(*x.get(b)?).at(bits));
                let (cos, sin) = (part(slot, Component::Cos)?, part(sine, Component::Sin)?);
                Some(if second { b * cos + a * sin } else { a * cos - b * sin })
            }
            Cell::Kept(at) => Some(Interval::exactly(x.get(at).copied().unwrap_or(0.0))),
        }
    }

    fn rational(&self, place: GridPlace, x: &[f64]) -> Option<Rational> {
        let (row, head) = (self.comparison.coordinates.row(place.row), place.slab % self.comparison.law.heads());
        let part = |slot, component| match &row {
            Some(row) => self.comparison.law.exact(head, slot, row, component),
            None => Rational::from_f64(unplaced(self.comparison.law, component)),
        };
        let of = |column: usize| Rational::from_f64(*x.get(column)?);
        match self.comparison.cell(place) {
            Cell::Part(slot, component) => part(slot, component),
            Cell::Turned { read, slot, sine, second } => {
                let (a, b) = (of(read.0)?, of(read.1)?);
                if a.is_zero() && b.is_zero() {
                    return Some(a);
                }
                let (cos, sin) = (part(slot, Component::Cos)?, part(sine, Component::Sin)?);
                Some(if second { b * cos + a * sin } else { a * cos - b * sin })
            }
            Cell::Kept(at) => of(at),
        }
    }
}

/// Cosine and sine of a row without a position.
fn unplaced(law: &AxialLaw, component: Component) -> f64 {
    let rope = law.convention().encoding == Encoding::Rope;
    if rope && component == Component::Cos { 1.0 } else { 0.0 }
}

/// Buffers of a thread.
#[derive(Default)]
pub(crate) struct AxialBuffers {
    /// Cosines and sines of the slots, and their C: row after row.
    reference: [Vec<f64>; 3],
    x: Vec<f64>,
    got: Vec<f64>,
    expected: Vec<f64>,
    bounds: Vec<f64>,
    computed: Vec<f64>,
}
