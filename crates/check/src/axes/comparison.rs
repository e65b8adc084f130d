//! Every entry against its reference and its bound, block by block.

use super::cells::{Cell, cells};
use super::gathered::{Gathered, silent};
use crate::Invalid;
use crate::compare::overflow::Overflowed;
use crate::compare::{last_place, require};
use crate::exactness::ComparedEntries;
use crate::extent::Extent;
use crate::input::About;
use crate::row::Extremes;
use crate::subject::Subject;
use crate::totals::{BlockSums, ComparedRow, EntryTotals, GridPlace};
use posproof_bound::AxialAllowance;
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_encoding::convention::{Component, Encoding};
use posproof_numerics::format::Format;
use posproof_numerics::{Interval, Rational};
use posproof_table::AxialTable;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Entries that a thread takes at a time.
pub(super) const BLOCK: usize = 1 << 14;

/// A comparison that is set up.
pub(crate) struct AxialComparison<'a> {
    pub(super) subject: Subject<'a>,
    law: &'a AxialLaw,
    coordinates: &'a Coordinates,
    table: AxialTable<'a, f64>,
    pub(super) cells: Vec<Vec<Cell>>,
    /// Meaning of the columns of a cache, by slots.
    pub columns: Option<&'static str>,
    /// The format that the entries should have.
    storage: Format,
    gathered: Vec<Gathered>,
    /// Columns of vectors that are not rotated, and the entries that they hold.
    kept: Vec<(usize, usize)>,
    /// The largest amplitude.
    gain: f64,
    faithful: AtomicBool,
    /// Where the last run found finite entries beyond their bounds, and where entries that are not finite.
    pub beyond: Extent,
    pub strange: Extent,
    /// Entries of the last run that overflowed to NaN or infinity in a format of 8 bits, and the first row of one.
    overflowed: Overflowed,
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

    /// Expected entry, and its bound; `x` is the vector of a rotation.
    pub fn predict(&self, allowance: &AxialAllowance, cell: Cell, x: &[f64]) -> (f64, f64) {
        match cell {
            Cell::Part(slot, component) => {
                let exact = if component == Component::Cos { self.cos[slot] } else { self.sin[slot] };
                (exact, allowance.entry(self.computed[slot], exact))
            }
            Cell::Turned { read: (a, b), slot, sine, second } => {
                let (cos, sin) = (self.cos[slot], self.sin[sine]);
                let exact = if second { x[b] * cos + x[a] * sin } else { x[a] * cos - x[b] * sin };
                let length = x[a].hypot(x[b]);
                let bound = |slot: usize| allowance.turned(self.computed[slot], slot, length);
                (exact, allowance.kept(if sine == slot { bound(slot) } else { bound(slot).max(bound(sine)) }, exact))
            }
            Cell::Kept(at) => {
                let kept = x.get(at).copied().unwrap_or(0.0);
                (kept, allowance.stored(kept))
            }
        }
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
        let extent = || Extent::new(subject.judged().slabs(), coordinates.rows(), cells.iter().map(Vec::len));
        let (beyond, strange) = (extent(), extent());
        let gathered = cells.iter().map(|cells| Gathered::new(cells, law)).collect();
        let kept = |(column, cell): (usize, &Cell)| if let Cell::Kept(at) = cell { Some((column, *at)) } else { None };
        let kept = cells.first().into_iter().flatten().enumerate().filter_map(kept).collect();
        let amplitude = |slot| law.gain(slot).enclose(64).abs().upper_f64();
        let gain = (0..law.slots()).map(amplitude).fold(0.0, f64::max);
        let faithful = AtomicBool::new(true);
        Ok(Self {
            subject,
            law,
            coordinates,
            table,
            cells,
            columns,
            gathered,
            kept,
            storage,
            gain,
            faithful,
            beyond,
            strange,
            overflowed: Overflowed::default(),
        })
    }

    /// Compares everything.
    pub fn run(&self, allowance: &AxialAllowance) -> Result<EntryTotals, Invalid> {
        self.run_in(allowance, &self.all())
    }

    /// Every table, and every row.
    pub(super) fn all(&self) -> AxialScope {
        AxialScope { slabs: (0..self.subject.judged().slabs()).collect(), rows: 0..self.coordinates.rows() }
    }

    /// Compares a part.
    pub(super) fn run_in(
        &self,
        allowance: &AxialAllowance,
        AxialScope { slabs, rows }: &AxialScope,
    ) -> Result<EntryTotals, Invalid> {
        let step = (BLOCK / self.cells[0].len().max(1)).clamp(1, rows.len().max(1));
        let blocks = rows.len().div_ceil(step);
        [&self.beyond, &self.strange].into_iter().for_each(Extent::clear);
        self.overflowed.clear();
        self.faithful.store(true, Relaxed);
        let none = || EntryTotals::new(self.law.slots());
        let sums = BlockSums::of(slabs.len() * blocks);
        let totals = (0..slabs.len() * blocks)
            .into_par_iter()
            .map_init(AxialBuffers::default, |buffers, task| {
                let (slab, start) = (slabs[task / blocks], rows.start + task % blocks * step);
                let mut totals = none();
                self.block(slab, start..(start + step).min(rows.end), allowance, (buffers, &mut totals))?;
                sums.set(task, totals.sum_ulps);
                Ok::<_, Invalid>(totals)
            })
            .try_reduce(none, |a, b| Ok::<_, Invalid>(a.merge(b)))?;
        Ok(EntryTotals { sum_ulps: sums.total(), overflow: self.overflowed.found(), ..totals })
    }

    fn block(
        &self,
        slab: usize,
        rows: Range<usize>,
        allowance: &AxialAllowance,
        (buffers, totals): (&mut AxialBuffers, &mut EntryTotals),
    ) -> Result<(), Invalid> {
        let (mut all, mut largest) = (std::mem::take(&mut buffers.extremes), buffers.largest);
        all.resize_with(self.cells.len(), Extremes::default);
        all.iter_mut().zip(&self.gathered).for_each(|(extremes, columns)| extremes.begin(0, columns.slots.len()));
        let table = !matches!(self.subject, Subject::Rotation { .. });
        self.lines(slab, rows.clone(), allowance, buffers, |row, x| {
            if table {
                totals.uninformative += self.gathered[row.place.grid].uninformative(row.expected, row.bounds);
            } else {
                let silent = silent(&self.cells[row.place.grid], self.gain, row, x);
                (totals.uninformative, totals.zeros) = (totals.uninformative + silent[0], totals.zeros + silent[1]);
            }
            self.count(row, x, &mut all[row.place.grid], (totals, &mut largest));
        })?;
        for ((index, columns), extremes) in self.gathered.iter().enumerate().zip(&all) {
            extremes.beyond().for_each(|column| self.beyond.columns[index].add(column));
            totals.add(&columns.slots, 0, rows.len() as u64, extremes);
        }
        (buffers.extremes, buffers.largest) = (all, largest);
        Ok(())
    }

    /// Rows of a table, grid by grid, each with what its entries should be and their bounds, and the vector that was rotated.
    pub(super) fn lines(
        &self,
        slab: usize,
        rows: Range<usize>,
        allowance: &AxialAllowance,
        buffers: &mut AxialBuffers,
        mut visit: impl FnMut(&ComparedRow<'_>, &[f64]),
    ) -> Result<(), Invalid> {
        let (slots, width) = (self.law.slots(), self.law.convention().dim);
        let AxialBuffers { reference, x, got, expected, bounds, computed, .. } = buffers;
        reference.iter_mut().for_each(|part| part.resize(rows.len() * slots, 0.0));
        let [cos, sin, c] = reference;
        self.table.fill(slab, rows.clone(), cos, sin)?;
        for (row, c) in rows.clone().zip(c.chunks_exact_mut(slots)) {
            allowance.computed(slab, |axis| self.coordinates.place(row, axis), c);
        }
        let rotation = matches!(self.subject, Subject::Rotation { .. });
        if let Subject::Rotation { x: grid, .. } = self.subject {
            grid.read(slab, rows.clone(), x)?;
            require(grid, rows.len(), x)?;
            if let Some(at) = x.iter().position(|x| !x.is_finite()) {
                let found = format!("{} in column {}", x[at], at % width);
                let place = format!("row {}", rows.start + at / width);
                return Err(About(grid.name()).error(place, "finite numbers", found, "rotate finite vectors").into());
            }
        }
        for ((index, columns), (_, grid)) in self.gathered.iter().enumerate().zip(self.subject.grids()) {
            grid.read(slab, rows.clone(), got)?;
            require(grid, rows.len(), got)?;
            let entries = columns.slots.len();
            [&mut *expected, &mut *bounds, &mut *computed].into_iter().for_each(|part| part.resize(entries, 0.0));
            for (i, row) in rows.clone().enumerate() {
                let of = [&*cos, &*sin, &*c].map(|part| &part[i * slots..][..slots]);
                let x = if rotation { &x[i * width..][..width] } else { &[] };
                if rotation {
                    self.turn(of, allowance, x, (expected, bounds));
                } else {
                    columns.gather(of, expected, computed);
                    allowance.entries(computed, expected, bounds);
                }
                self.overflowed.keep(self.storage, row, expected, (bounds, &mut got[i * entries..][..entries]));
                if let Some(levels) = grid.levels() {
                    levels.keep(expected, bounds);
                }
                let place = GridPlace { slab, row, grid: index, column: 0 };
                visit(&ComparedRow { place, got: &got[i * entries..][..entries], expected, bounds }, x);
            }
        }
        Ok(())
    }

    /// A rotated vector, and the bounds of its entries.
    fn turn(
        &self,
        [cos, sin, c]: [&[f64]; 3],
        allowance: &AxialAllowance,
        x: &[f64],
        (expected, bounds): (&mut [f64], &mut [f64]),
    ) {
        for turn in self.law.turns() {
            let ((a, b), (to_a, to_b), (first, second)) = (turn.read, turn.write, turn.slots);
            let length = x[a].hypot(x[b]);
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
        for (column, at) in &self.kept {
            (expected[*column], bounds[*column]) = (x[*at], allowance.stored(x[*at]));
        }
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

impl ComparedEntries for AxialComparison<'_> {
    fn meaning(&self, place: GridPlace) -> Option<(usize, Component)> {
        let cell = self.cell(place);
        cell.slot().zip(cell.component())
    }

    fn format(&self, _: usize) -> Format {
        self.storage
    }

    fn gain(&self) -> f64 {
        self.gain
    }

    fn subject(&self) -> Subject<'_> {
        self.subject
    }

    /// Of a rotated entry a·cos − b·sin: two products of correctly rounded numbers and their sum, so 3·2^−53·(|a| + |b|) times the
    /// amplitude at most, and somewhat more for products of errors.
    fn reference_error(&self, place: GridPlace, x: &[f64], reference: f64) -> f64 {
        match self.cell(place) {
            Cell::Part(..) => last_place(reference),
            Cell::Turned { read: (a, b), .. } => 3.01 * 2f64.powi(-53) * self.gain * (x[a].abs() + x[b].abs()),
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
        let (row, head) = (self.coordinates.row(place.row), place.slab % self.law.heads());
        let part = |slot, component| match &row {
            Some(row) => self.law.enclose(head, slot, row, component, bits),
            None => Some(Interval::exactly(unplaced(self.law, component))),
        };
        match self.cell(place) {
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
        let (row, head) = (self.coordinates.row(place.row), place.slab % self.law.heads());
        let part = |slot, component| match &row {
            Some(row) => self.law.exact(head, slot, row, component),
            None => Rational::from_f64(unplaced(self.law, component)),
        };
        let of = |column: usize| Rational::from_f64(*x.get(column)?);
        match self.cell(place) {
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
pub(super) struct AxialBuffers {
    /// Cosines and sines of the slots, and their C: row after row.
    reference: [Vec<f64>; 3],
    x: Vec<f64>,
    got: Vec<f64>,
    expected: Vec<f64>,
    bounds: Vec<f64>,
    computed: Vec<f64>,
    /// Of each grid.
    extremes: Vec<Extremes>,
    largest: Option<f64>,
}
