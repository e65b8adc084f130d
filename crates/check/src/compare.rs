//! Every entry against the certified reference, block by block.

use super::Invalid;
use super::duplication::Duplication;
use super::exactness::Compared;
use super::grid::Grid;
use super::input::About;
use super::row::{Counts, Extremes, compare};
use super::subject::{Columns, Subject, Wiring, columns, joined};
use super::totals::{EntryTotals, GridPlace, Seen, decade};
use super::ulp::{Ulp, negative_zeros};
use posproof_bound::{Allowance, Origin};
use posproof_encoding::Law;
use posproof_encoding::convention::{Component, Convention};
use posproof_encoding::frequency::Entries;
use posproof_numerics::format::Format;
use posproof_table::{Positions, Table};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Entries that a thread takes at a time: its buffers stay in the second-level cache.
const BLOCK: usize = 1 << 15;

/// A comparison that is set up: the reference, the bounds, the meaning of every column.
pub(super) struct TableComparison<'a> {
    subject: Subject<'a>,
    positions: &'a Positions,
    allowance: &'a Allowance,
    table: Table<f64>,
    entries: Entries,
    grids: Vec<Judged<'a>>,
    wiring: Wiring,
    law: Law,
    pairs: usize,
    faithful: AtomicBool,
}

/// A grid and the meaning of its columns.
struct Judged<'a> {
    grid: &'a dyn Grid,
    /// The entry of the joined row [cos…, sin…] that each column should be; unused for a rotation.
    columns: Columns,
    /// The parts of the reference row that make up a row, one after the other.
    runs: Vec<Range<usize>>,
    /// The pair of each column; beyond the last one for entries that are not rotated.
    pairs: Vec<usize>,
    /// How fast the bound of each column grows.
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

/// A row of a grid; its vector, for a rotation.
struct Line<'a> {
    place: GridPlace,
    got: &'a [f64],
    x: &'a [f64],
}

/// Whether a grid gave as many entries as it was asked for.
fn require(grid: &dyn Grid, rows: usize, entries: &[f64]) -> Result<(), Invalid> {
    let (expected, found) = (rows.saturating_mul(grid.width()), entries.len());
    if expected == found {
        return Ok(());
    }
    let expected = format!("{expected} entries of {rows} rows");
    let advice = "Grid::read is to write rows × width entries";
    Err(About(grid.name()).error("the rows", expected, format!("{found} entries"), advice).into())
}

/// Whether an error is beyond its bound, or no number at all.
#[inline(always)]
fn exceeds(error: f64, bound: f64) -> bool {
    error.is_nan() || error > bound
}

/// Above the error of a correctly rounded binary64 number, and enough to move it by one number.
fn last_place(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.abs() * f64::EPSILON + f64::from_bits(1) }
}

/// Buffers of one block.
#[derive(Default)]
struct Buffers {
    got: Vec<f64>,
    x: Vec<f64>,
    reference: Vec<f64>,
    expected: Vec<f64>,
    bound: Vec<f64>,
    extremes: Extremes,
}

impl<'a> TableComparison<'a> {
    pub fn new(
        subject: Subject<'a>,
        convention: &Convention,
        positions: &'a Positions,
        allowance: &'a Allowance,
    ) -> Result<Self, Invalid> {
        subject.check_shape(convention, positions.len())?;
        // A sinusoid's reference is arranged as its rows are.
        let sinusoid = matches!(subject, Subject::Sinusoid(_));
        let arranged = if sinusoid { convention.clone() } else { joined(convention) };
        let table = Table::<f64>::new(&arranged, positions)?;
        let entries = Entries::new(table.convention());
        let wiring = Wiring::new(convention);
        let mut grids = Vec::new();
        for (component, grid) in subject.grids() {
            let repeated = component.is_some()
                && grid.width() == 2 * convention.pairs()
                && Duplication::detect(grid)? == Some(Duplication::Repeated);
            let width = grid.width();
            let (columns, pairs) = if matches!(subject, Subject::Rotation { .. }) {
                let mut pairs = vec![usize::MAX; width];
                wiring.write.iter().enumerate().for_each(|(k, &(a, b))| (pairs[a], pairs[b]) = (k, k));
                (vec![0; width], pairs)
            } else {
                let columns = columns(convention, component, width, repeated);
                let pairs = columns.iter().map(|entry| entry % convention.pairs()).collect();
                (columns, pairs)
            };
            let slopes = pairs.iter().map(|&pair| allowance.slope(pair)).collect();
            let runs = if sinusoid { std::iter::once(0..width).collect() } else { runs(&columns) };
            grids.push(Judged { grid, columns, runs, pairs, slopes });
        }
        Ok(Self {
            subject,
            positions,
            allowance,
            entries,
            grids,
            wiring,
            law: Law::new(convention),
            pairs: convention.pairs(),
            table,
            faithful: AtomicBool::new(true),
        })
    }

    /// Compares everything.
    pub fn run(&self) -> Result<EntryTotals, Invalid> {
        let (slabs, rows) = (self.grids[0].grid.slabs(), self.grids[0].grid.rows());
        let step = (BLOCK / self.grids[0].grid.width()).clamp(1, rows);
        let blocks = rows.div_ceil(step);
        (0..slabs * blocks)
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
                Ok(tally)
            })
            .try_reduce(|| EntryTotals::new(self.pairs), |a, b| Ok(a.merge(b)))
    }

    fn block(
        &self,
        slab: usize,
        rows: Range<usize>,
        buffers: &mut Buffers,
        tally: &mut EntryTotals,
    ) -> Result<(), Invalid> {
        let width = 2 * self.pairs;
        buffers.reference.resize(rows.len() * width, 0.0);
        self.table.fill(rows.clone(), &mut buffers.reference)?;
        if let Subject::Rotation { x, .. } = self.subject {
            x.read(slab, rows.clone(), &mut buffers.x)?;
            require(x, rows.len(), &buffers.x)?;
        }
        for (index, judged) in self.grids.iter().enumerate() {
            let (grid, columns) = (judged.grid, judged.columns.len());
            grid.read(slab, rows.clone(), &mut buffers.got)?;
            require(grid, rows.len(), &buffers.got)?;
            buffers.expected.resize(columns, 0.0);
            buffers.bound.resize(columns, 0.0);
            buffers.extremes.reset(columns);
            for (i, row) in rows.clone().enumerate() {
                let position = self.positions.get(row).unwrap_or_default();
                let t = self.law.count(position as f64).abs();
                let reference = &buffers.reference[i * width..][..width];
                let x = buffers.x.get(i * columns..).and_then(|x| x.get(..columns)).unwrap_or_default();
                if let Subject::Rotation { x: grid, .. } = self.subject {
                    if let Some(at) = x.iter().position(|x| !x.is_finite()) {
                        let advice = "rotate finite vectors: posproof probe writes some";
                        let found = format!("{} in column {at}", x[at]);
                        return Err(About(grid.name())
                            .error(format!("row {row}"), "finite numbers", found, advice)
                            .into());
                    }
                    self.rotate(x, reference, t, &mut buffers.expected, &mut buffers.bound);
                } else {
                    self.expect(judged, reference, t, &mut buffers.expected, &mut buffers.bound);
                }
                let place = GridPlace { slab, row, grid: index, column: 0 };
                let got = &buffers.got[i * columns..][..columns];
                let row = (&buffers.expected[..], &buffers.bound[..]);
                self.row(&Line { place, got, x }, row, &mut buffers.extremes, tally);
            }
            let decade = decade(self.position(rows.start));
            tally.add(&judged.pairs, decade, rows.len() as u64, &buffers.extremes);
        }
        Ok(())
    }

    /// The entries of a table's row and their bounds ([`Allowance::row`]).
    fn expect(&self, judged: &Judged<'_>, reference: &[f64], t: f64, expected: &mut [f64], bound: &mut [f64]) {
        let mut rest = &mut *expected;
        for run in &judged.runs {
            let (part, others) = rest.split_at_mut(run.len());
            part.copy_from_slice(&reference[run.clone()]);
            rest = others;
        }
        self.allowance.row(&judged.slopes, t, expected, bound);
    }

    /// The rotated vector, in binary64 from correctly rounded cosines and sines (error at most
    /// 4·2^−53 of the pair's length), and its bounds ([`Allowance::rotated`]).
    fn rotate(&self, x: &[f64], joined: &[f64], t: f64, expected: &mut [f64], bound: &mut [f64]) {
        for (k, (&(a, b), &(to_a, to_b))) in self.wiring.read.iter().zip(&self.wiring.write).enumerate() {
            let (c, s) = (joined[k], joined[k + self.pairs]);
            expected[to_a] = x[a] * c - x[b] * s;
            expected[to_b] = x[a] * s + x[b] * c;
            let limit = self.allowance.rotated(k, t, x[a].hypot(x[b]));
            (bound[to_a], bound[to_b]) = (limit, limit);
        }
        for j in self.wiring.untouched(x.len()) {
            (expected[j], bound[j]) = (x[j], self.allowance.stored(x[j]));
        }
    }

    fn row(
        &self,
        line: &Line<'_>,
        (expected, bound): (&[f64], &[f64]),
        extremes: &mut Extremes,
        tally: &mut EntryTotals,
    ) {
        let &Line { place, got, x } = line;
        let format = self.grids[place.grid].grid.format();
        let counts = compare(format, got, expected, bound, extremes);
        let Counts { mut incorrect, exceeding, close, max_error, max_ulps, sum_ulps } = counts;
        let rotation = matches!(self.subject, Subject::Rotation { .. });
        let compared = |j: usize| {
            let error = if rotation { self.rotation_error(x, place.grid, j) } else { last_place(expected[j]) };
            Compared { place: GridPlace { column: j, ..place }, x, got: got[j], reference: expected[j], error }
        };
        // Binary64 cannot tell the correct rounding of everything; of rotations in binary64, of nothing.
        let undecided = format == Format::F64 && rotation;
        if undecided {
            tally.undecided = true;
            tally.unfaithful = true;
        } else if close || rotation {
            incorrect = (0..got.len()).filter(|&j| !self.is_correct(format, &compared(j))).count() as u64;
        }
        if !rotation {
            let zeros = negative_zeros(format, got, expected);
            (incorrect, tally.negative_zeros) = (incorrect + zeros, tally.negative_zeros + zeros);
        }
        if incorrect > 0 && !tally.unfaithful && self.faithful.load(Relaxed) {
            let unfaithful = (0..got.len()).any(|j| !self.is_faithful(format, &compared(j)));
            if unfaithful {
                tally.unfaithful = true;
                self.faithful.store(false, Relaxed);
            }
        }
        if !sum_ulps.is_finite() {
            for column in (0..got.len()).filter(|&j| !got[j].is_finite()) {
                tally.not_finite += 1;
                tally.first_not_finite.get_or_insert(GridPlace { column, ..place });
            }
        }
        if sum_ulps.is_finite() {
            tally.sum_ulps += sum_ulps;
            tally.max_ulps = tally.max_ulps.max(max_ulps);
        }
        tally.entries += got.len() as u64;
        tally.incorrect += incorrect;
        tally.exceeding += exceeding;
        if exceeding > 0 {
            let column = (0..got.len()).find(|&j| exceeds((got[j] - expected[j]).abs(), bound[j])).unwrap_or(0);
            let place = GridPlace { column, ..place };
            tally.first_exceeding.get_or_insert(place);
            if tally.last_exceeding.is_none_or(|last| last.row < place.row) {
                tally.last_exceeding = Some(place);
            }
        }
        if tally.worst.is_none_or(|worst| max_error > worst.error) {
            let at = (0..got.len()).find(|&j| (got[j] - expected[j]).abs() == max_error);
            tally.worst = at.map(|j| Seen {
                place: GridPlace { column: j, ..place },
                got: got[j],
                error: max_error,
                ulps: max_error / Ulp::new(format).of(expected[j]),
                bound: bound[j],
            });
        }
    }

    /// How far the reference of a rotated entry may be from the exact value: 4·2^−53 of the pair's
    /// length times the amplitude, from two products of correctly rounded numbers and their sum.
    fn rotation_error(&self, x: &[f64], grid: usize, column: usize) -> f64 {
        let pair = self.grids[grid].pairs[column];
        let length = self.wiring.read.get(pair).map_or(0.0, |&(a, b)| x[a].hypot(x[b]));
        4.01 * 2f64.powi(-53) * self.allowance.gain() * length
    }

    /// The pair and the component of an entry; none for entries that are not rotated.
    pub fn meaning(&self, place: GridPlace) -> Option<(usize, Component)> {
        let pairs = self.pairs;
        if matches!(self.subject, Subject::Rotation { .. }) {
            let pair = self.grids[0].pairs[place.column];
            let first = self.wiring.write.get(pair)?.0 == place.column;
            return Some((pair, if first { Component::Cos } else { Component::Sin }));
        }
        let entry = self.grids[place.grid].columns[place.column];
        Some((entry % pairs, if entry < pairs { Component::Cos } else { Component::Sin }))
    }

    /// Where the bounds come from.
    pub fn origin(&self) -> Origin {
        self.allowance.origin()
    }

    /// The position of a row.
    pub fn position(&self, row: usize) -> u64 {
        self.positions.get(row).unwrap_or_default()
    }

    /// The exact real entries.
    pub fn entries(&self) -> &Entries {
        &self.entries
    }

    /// The entries that a rotation reads and writes.
    pub fn wiring(&self) -> &Wiring {
        &self.wiring
    }

    /// What is compared.
    pub fn subject(&self) -> &Subject<'a> {
        &self.subject
    }

    /// The vector that an entry was rotated from; empty for a table.
    pub fn vector(&self, place: GridPlace) -> Result<Vec<f64>, Invalid> {
        let mut vector = Vec::new();
        if let Subject::Rotation { x, .. } = self.subject {
            x.read(place.slab, place.row..place.row + 1, &mut vector)?;
        }
        Ok(vector)
    }
}
