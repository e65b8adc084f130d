//! Every entry against the certified reference, block by block.

mod beside;
mod entries;
mod factor;
mod furthest;
pub(crate) mod overflow;
mod place;
mod predict;
mod scope;

use super::Invalid;
use super::cache;
use super::duplication::Duplication;
use super::exactness::ComparedEntries;
use super::extent::Extent;
use super::grid::Grid;
use super::input::About;
use super::reference::{Reading, Reference};
use super::row::Extremes;
use super::subject::{ColumnEntries, Subject, Wiring, columns, joined};
use super::totals::{BlockSums, ComparedRow, EntryTotals, GridPlace, decade};
use overflow::Overflowed;
use posproof_bound::{Allowance, Origin};
use posproof_encoding::Law;
use posproof_encoding::convention::Convention;
use posproof_encoding::frequency::Entries;
use posproof_table::Positions;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

pub(super) use scope::{Coverage, EVIDENCE, Scope, VACUOUS};

/// Entries that a thread takes at a time: its buffers stay in the second-level cache.
const BLOCK: usize = 1 << 15;

/// A comparison that is set up: the reference, the bounds, the meaning of every column.
pub(super) struct TableComparison<'a> {
    subject: Subject<'a>,
    positions: &'a Positions,
    allowance: &'a Allowance,
    reference: Reference<'a>,
    entries: Entries,
    grids: Vec<JudgedGrid<'a>>,
    wiring: Wiring,
    law: Law,
    pairs: usize,
    faithful: AtomicBool,
    beyond: Extent,
    strange: Extent,
    overflowed: Overflowed,
}

/// A grid and the meaning of its columns.
struct JudgedGrid<'a> {
    grid: &'a dyn Grid,
    /// The entry of the joined row [cos…, sin…] that each column should be; unused for a rotation.
    columns: ColumnEntries,
    /// The parts of the reference row that make up a row, one after the other.
    runs: Vec<Range<usize>>,
    /// The pair of each column; beyond the last one for entries that are not rotated.
    pairs: Vec<usize>,
    /// Slope of each column's bound.
    slopes: Vec<f64>,
}

/// Consecutive numbers as ranges.
fn runs(columns: &[usize]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for &column in columns {
        match runs.last_mut() {
            Some(run) if run.end == column => run.end += 1,
            _ => runs.push(column..column + 1),
        }
    }
    runs
}

/// Refuses a grid that gave more or fewer entries than it was asked for.
pub(super) fn require(grid: &dyn Grid, rows: usize, entries: &[f64]) -> Result<(), Invalid> {
    let (expected, found) = (rows.saturating_mul(grid.width()), entries.len());
    if expected == found {
        return Ok(());
    }
    let expected = format!("{expected} entries of {rows} rows");
    let advice = "Grid::read is to write rows × width entries";
    Err(About(grid.name()).error("the rows", expected, format!("{found} entries"), advice).into())
}

/// True if an error is beyond its bound, or no number at all.
#[inline(always)]
pub(super) fn exceeds(error: f64, bound: f64) -> bool {
    error.is_nan() || error > bound
}

/// Above the error of a correctly rounded binary64 number, and enough to move it by one number.
pub(super) fn last_place(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.abs() * f64::EPSILON + f64::from_bits(1) }
}

/// Buffers of one block.
#[derive(Default)]
pub(super) struct Buffers {
    got: Vec<f64>,
    x: Vec<f64>,
    reference: Vec<f64>,
    other: Vec<f64>,
    expected: Vec<f64>,
    bound: Vec<f64>,
    slack: Vec<f64>,
    /// Of each grid.
    extremes: Vec<Extremes>,
    /// The largest quotient of error and bound of all rows before, which come earlier in the order of entries too.
    largest: Option<f64>,
}

impl<'a> TableComparison<'a> {
    /// With the certified table of a convention.
    pub fn new(
        subject: Subject<'a>,
        convention: &Convention,
        positions: &'a Positions,
        allowance: &'a Allowance,
    ) -> Result<Self, Invalid> {
        subject.check_shape(convention, positions.len())?;
        let reference = Reference::certified(convention, positions, matches!(subject, Subject::Sinusoid(_)))?;
        Self::with(subject, &Reading::new(convention), positions, allowance, reference)
    }

    /// With any reference, and entries that are read in any way.
    pub fn with(
        subject: Subject<'a>,
        reading: &Reading,
        positions: &'a Positions,
        allowance: &'a Allowance,
        reference: Reference<'a>,
    ) -> Result<Self, Invalid> {
        let convention = &reading.convention;
        subject.check_shape(convention, positions.len())?;
        let sinusoid = matches!(subject, Subject::Sinusoid(_));
        let arranged = sinusoid && reference.program().is_none();
        let entries = Entries::new(&if sinusoid { convention.clone() } else { joined(convention) });
        let wiring = reading.wiring.clone();
        let mut grids = Vec::new();
        for (component, grid) in subject.grids() {
            let repeated = component.is_some()
                && grid.width() == 2 * convention.pairs()
                && cache::duplication(grid)? == Some(Duplication::Repeated);
            let width = grid.width();
            let (columns, pairs) = if matches!(subject, Subject::Rotation { .. }) {
                let mut pairs = vec![usize::MAX; width];
                wiring.write.iter().enumerate().for_each(|(k, &(a, b))| (pairs[a], pairs[b]) = (k, k));
                (vec![0; width], pairs)
            } else {
                let columns = columns(convention, reading.component(component), width, repeated);
                let pairs = columns.iter().map(|entry| entry % convention.pairs()).collect();
                (columns, pairs)
            };
            let slopes = pairs.iter().map(|&pair| allowance.slope(pair)).collect();
            let runs = if arranged { std::iter::once(0..width).collect() } else { runs(&columns) };
            grids.push(JudgedGrid { grid, columns, runs, pairs, slopes });
        }
        let (first, pairs) = (subject.judged(), convention.pairs());
        let extent = || Extent::new(first.slabs(), first.rows(), grids.iter().map(|judged| judged.columns.len()));
        let (beyond, strange) = (extent(), extent());
        Ok(Self {
            subject,
            positions,
            allowance,
            reference,
            entries,
            grids,
            wiring,
            law: Law::new(convention),
            pairs,
            faithful: AtomicBool::new(true),
            beyond,
            strange,
            overflowed: Overflowed::default(),
        })
    }

    /// Rows that a thread takes at a time.
    fn step(&self) -> usize {
        (BLOCK / self.grids[0].grid.width()).clamp(1, self.grids[0].grid.rows())
    }

    /// Compares everything.
    pub fn run(&self) -> Result<EntryTotals, Invalid> {
        self.overflowed.clear();
        let (slabs, rows) = (self.grids[0].grid.slabs(), self.grids[0].grid.rows());
        let step = self.step();
        let blocks = rows.div_ceil(step);
        let sums = BlockSums::of(slabs * blocks);
        let tally = (0..slabs * blocks)
            .into_par_iter()
            .map_init(Buffers::default, |buffers, task| {
                let (slab, start) = (task / blocks, task % blocks * step);
                let end = (start + step).min(rows);
                // The rows of a part are of one decade.
                let mut tally = EntryTotals::new(self.pairs);
                let mut from = start;
                while from < end {
                    let decade = decade(self.position(from));
                    let beyond = |row: &usize| super::totals::decade(self.position(*row)) != decade;
                    let to = (from + 1..end).find(beyond).unwrap_or(end);
                    self.block(slab, from..to, buffers, &mut tally)?;
                    from = to;
                }
                sums.set(task, tally.sum_ulps);
                Ok::<_, Invalid>(tally)
            })
            .try_reduce(|| EntryTotals::new(self.pairs), |a, b| Ok(a.merge(b)))?;
        Ok(EntryTotals { sum_ulps: sums.total(), overflow: self.overflowed.found(), ..tally })
    }

    fn block(
        &self,
        slab: usize,
        rows: Range<usize>,
        buffers: &mut Buffers,
        tally: &mut EntryTotals,
    ) -> Result<(), Invalid> {
        let (mut all, mut largest) = (std::mem::take(&mut buffers.extremes), buffers.largest);
        all.resize_with(self.grids.len(), Extremes::default);
        let decade = decade(self.position(rows.start));
        for ((index, judged), extremes) in self.grids.iter().enumerate().zip(&mut all) {
            extremes.begin(decade, judged.columns.len());
            self.rows((slab, index), rows.clone(), index == 0, buffers, |row, x| {
                self.count(row, x, extremes, (tally, &mut largest));
            })?;
            extremes.beyond().for_each(|column| self.beyond.columns[index].add(column));
            tally.add(&judged.pairs, decade, rows.len() as u64, extremes);
        }
        (buffers.extremes, buffers.largest) = (all, largest);
        Ok(())
    }

    /// Rows of a grid, each with what its entries should be and their bounds, and the vector that was rotated; `first` where the grid is the first that these
    /// rows are asked of.
    fn rows(
        &self,
        (slab, index): (usize, usize),
        rows: Range<usize>,
        first: bool,
        buffers: &mut Buffers,
        mut visit: impl FnMut(&ComparedRow<'_>, &[f64]),
    ) -> Result<(), Invalid> {
        let width = 2 * self.pairs;
        if first {
            buffers.reference.resize(rows.len() * width, 0.0);
            match &self.reference {
                Reference::Certified(table) => {
                    table.fill(rows.clone(), &mut buffers.reference)?;
                }
                Reference::Program(program) => {
                    for row in rows.clone() {
                        let (before, rest) = buffers.reference.split_at_mut((row - rows.start) * width);
                        let (out, position) = (&mut rest[..width], self.position(row));
                        let last = before.len().checked_sub(width).and_then(|at| before.get(at..));
                        match last {
                            Some(last) if program.repeats(slab, [row - 1, row], [self.position(row - 1), position]) => {
                                out.copy_from_slice(last);
                            }
                            _ => program.row(slab, row, position, 0, out),
                        }
                    }
                }
            }
            if let Subject::Rotation { x, .. } = self.subject {
                x.read(slab, rows.clone(), &mut buffers.x)?;
                require(x, rows.len(), &buffers.x)?;
            }
        }
        let judged = &self.grids[index];
        let (grid, columns) = (judged.grid, judged.columns.len());
        grid.read(slab, rows.clone(), &mut buffers.got)?;
        require(grid, rows.len(), &buffers.got)?;
        buffers.expected.resize(columns, 0.0);
        buffers.bound.resize(columns, 0.0);
        for (i, row) in rows.clone().enumerate() {
            let position = self.position(row);
            let own = || self.law.reach(position as f64);
            let t = self.reference.program().and_then(|program| program.reach(slab, row, position)).unwrap_or_else(own);
            let x = buffers.x.get(i * columns..).and_then(|x| x.get(..columns)).unwrap_or_default();
            if let Subject::Rotation { x: grid, .. } = self.subject
                && let Some(at) = x.iter().position(|x| !x.is_finite())
            {
                let advice = "rotate finite vectors: posproof probe writes some";
                let found = format!("{} in column {at}", x[at]);
                return Err(About(grid.name()).error(format!("row {row}"), "finite numbers", found, advice).into());
            }
            let reference = &buffers.reference[i * width..][..width];
            let got = &mut buffers.got[i * columns..][..columns];
            self.predict(judged, (reference, x), t, (&mut buffers.expected, &mut buffers.bound), (row, got));
            let got = &buffers.got[i * columns..][..columns];
            if let Some(program) = self.reference.program() {
                buffers.slack.resize(self.pairs + 1, 0.0);
                program.slack(position, &mut buffers.slack);
                let slacks = &buffers.slack;
                let slack = |j: usize| {
                    let own = slacks[judged.pairs[j].min(self.pairs)];
                    let angles = self.wiring.angles(judged.pairs[j]);
                    angles.fold(own, |most, pair| most.max(slacks[pair])) * self.length(x, index, j)
                };
                if matches!(self.subject, Subject::Rotation { .. }) {
                    buffers.bound.iter_mut().enumerate().for_each(|(j, bound)| *bound += slack(j));
                } else {
                    let pairs = judged.pairs.iter().map(|pair| slacks[*pair.min(&self.pairs)]);
                    buffers.bound.iter_mut().zip(pairs).for_each(|(bound, slack)| *bound += slack);
                }
                let off = |j: usize| exceeds((got[j] - buffers.expected[j]).abs(), buffers.bound[j]);
                if program.ways() > 1 && (0..columns).any(off) {
                    // The other ways to round what lies next to a tie, for the entries that are nearer to one of them.
                    let mut joined = std::mem::take(&mut buffers.other);
                    joined.resize(width + 2 * columns, 0.0);
                    let (joined_row, rest) = joined.split_at_mut(width);
                    let (other, bound) = rest.split_at_mut(columns);
                    for way in 1..program.ways() {
                        program.row(slab, row, position, way, joined_row);
                        self.predict(judged, (joined_row, x), t, (other, bound), (row, &mut []));
                        for j in 0..columns {
                            if (got[j] - other[j]).abs() < (got[j] - buffers.expected[j]).abs() {
                                (buffers.expected[j], buffers.bound[j]) = (other[j], bound[j] + slack(j));
                            }
                        }
                    }
                    buffers.other = joined;
                }
            }
            let place = GridPlace { slab, row, grid: index, column: 0 };
            visit(&ComparedRow { place, got, expected: &buffers.expected, bounds: &buffers.bound }, x);
        }
        Ok(())
    }

    /// Where the bounds come from.
    pub fn origin(&self) -> Origin {
        self.allowance.origin()
    }

    /// The position of a row.
    pub fn position(&self, row: usize) -> u64 {
        self.positions.get(row).unwrap_or_default()
    }
}
