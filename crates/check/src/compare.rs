//! Every entry against the certified reference, block by block.

use super::Invalid;
use super::duplication::Duplication;
use super::exactness::Compared;
use super::extent::Extent;
use super::faults::{Region, Shape, Span};
use super::grid::Grid;
use super::input::About;
use super::reference::{Reading, Reference};
use super::row::{Extremes, Gauge, compare};
use super::subject::{Columns, Subject, Wiring, columns, joined};
use super::totals::{EntryTotals, GridPlace, Seen, decade};
use super::ulp::{Ulp, negative_zeros};
use posproof_bound::{Allowance, Origin};
use posproof_encoding::Law;
use posproof_encoding::convention::{Component, Convention};
use posproof_encoding::frequency::Entries;
use posproof_numerics::format::Format;
use posproof_table::Positions;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Exact values below this share of the amplitude are near zero.
const NEAR_ZERO: f64 = 1.0 / 256.0;

/// Entries that a thread takes at a time: its buffers stay in the second-level cache.
const BLOCK: usize = 1 << 15;

/// A comparison that is set up: the reference, the bounds, the meaning of every column.
pub(super) struct TableComparison<'a> {
    subject: Subject<'a>,
    positions: &'a Positions,
    allowance: &'a Allowance,
    reference: Reference<'a>,
    entries: Entries,
    grids: Vec<Judged<'a>>,
    wiring: Wiring,
    law: Law,
    pairs: usize,
    faithful: AtomicBool,
    beyond: Extent,
    strange: Extent,
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
pub(super) struct Buffers {
    got: Vec<f64>,
    x: Vec<f64>,
    reference: Vec<f64>,
    other: Vec<f64>,
    expected: Vec<f64>,
    bound: Vec<f64>,
    extremes: Extremes,
}

/// How an entry stands to its bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stand {
    Within,
    Beyond,
    /// Any number would be within the bound, or hardly any would not.
    Vacuous,
}

/// Entries whose bound is this share of the amplitude or more say nothing of a hypothesis.
pub(super) const VACUOUS: f64 = 0.25;

/// Tables and rows that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scope {
    pub slabs: Span,
    pub rows: Span,
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
                && Duplication::detect(grid)? == Some(Duplication::Repeated);
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
            grids.push(Judged { grid, columns, runs, pairs, slopes });
        }
        let first = subject.judged();
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
            pairs: convention.pairs(),
            faithful: AtomicBool::new(true),
            beyond,
            strange,
        })
    }

    /// Rows that a thread takes at a time.
    fn step(&self) -> usize {
        (BLOCK / self.grids[0].grid.width()).clamp(1, self.grids[0].grid.rows())
    }

    /// Compares everything.
    pub fn run(&self) -> Result<EntryTotals, Invalid> {
        let (slabs, rows) = (self.grids[0].grid.slabs(), self.grids[0].grid.rows());
        let step = self.step();
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
        let mut extremes = std::mem::take(&mut buffers.extremes);
        for (index, judged) in self.grids.iter().enumerate() {
            extremes.reset(judged.columns.len());
            self.rows((slab, index), rows.clone(), index == 0, buffers, |line, expected, bound| {
                self.row(line, (expected, bound), &mut extremes, tally);
            })?;
            for (column, (_, _, exceeding)) in extremes.columns().enumerate().take(judged.columns.len()) {
                if exceeding > 0 {
                    self.beyond.columns[index].add(column);
                }
            }
            let decade = decade(self.position(rows.start));
            tally.add(&judged.pairs, decade, rows.len() as u64, &extremes);
        }
        buffers.extremes = extremes;
        Ok(())
    }

    /// Rows of a grid, each with what its entries should be and their bounds; `first` where the grid is the first that these
    /// rows are asked of.
    fn rows(
        &self,
        (slab, index): (usize, usize),
        rows: Range<usize>,
        first: bool,
        buffers: &mut Buffers,
        mut visit: impl FnMut(&Line<'_>, &[f64], &[f64]),
    ) -> Result<(), Invalid> {
        let width = 2 * self.pairs;
        if first {
            buffers.reference.resize(rows.len() * width, 0.0);
            match &self.reference {
                Reference::Certified(table) => {
                    table.fill(rows.clone(), &mut buffers.reference)?;
                }
                Reference::Program(program) => {
                    for (row, out) in rows.clone().zip(buffers.reference.chunks_exact_mut(width)) {
                        program.row(slab, row, self.position(row), false, out);
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
            let t = self.law.count(position as f64).abs();
            let x = buffers.x.get(i * columns..).and_then(|x| x.get(..columns)).unwrap_or_default();
            if let Subject::Rotation { x: grid, .. } = self.subject
                && let Some(at) = x.iter().position(|x| !x.is_finite())
            {
                let advice = "rotate finite vectors: posproof probe writes some";
                let found = format!("{} in column {at}", x[at]);
                return Err(About(grid.name()).error(format!("row {row}"), "finite numbers", found, advice).into());
            }
            let reference = &buffers.reference[i * width..][..width];
            let got = &buffers.got[i * columns..][..columns];
            self.predict(judged, (reference, x), t, (&mut buffers.expected, &mut buffers.bound));
            if let Some(program) = self.reference.program() {
                let slack = |j: usize| program.slack(position, judged.pairs[j]);
                let length = |j: usize| self.length(x, index, j);
                buffers.bound.iter_mut().enumerate().for_each(|(j, bound)| *bound += slack(j) * length(j));
                let off = |j: usize| exceeds((got[j] - buffers.expected[j]).abs(), buffers.bound[j]);
                if program.has_ties() && (0..columns).any(off) {
                    // The other way of each tie, for the entries that are nearer to it.
                    let mut joined = std::mem::take(&mut buffers.other);
                    joined.resize(width + 2 * columns, 0.0);
                    let (joined_row, rest) = joined.split_at_mut(width);
                    let (other, unused) = rest.split_at_mut(columns);
                    program.row(slab, row, position, true, joined_row);
                    self.predict(judged, (joined_row, x), t, (other, unused));
                    for (j, expected) in buffers.expected.iter_mut().enumerate() {
                        if (got[j] - other[j]).abs() < (got[j] - *expected).abs() {
                            *expected = other[j];
                        }
                    }
                    buffers.other = joined;
                }
            }
            let place = GridPlace { slab, row, grid: index, column: 0 };
            visit(&Line { place, got, x }, &buffers.expected, &buffers.bound);
        }
        Ok(())
    }

    /// The entries of a row and their bounds, from a row of cosines and sines.
    fn predict(
        &self,
        judged: &Judged<'_>,
        (reference, x): (&[f64], &[f64]),
        t: f64,
        (expected, bound): (&mut [f64], &mut [f64]),
    ) {
        if matches!(self.subject, Subject::Rotation { .. }) {
            self.rotate(x, reference, t, expected, bound);
        } else {
            self.expect(judged, reference, t, expected, bound);
        }
    }

    /// How each entry of some rows stands to its bound, grid after grid.
    fn stands(
        &self,
        slab: usize,
        rows: Range<usize>,
        buffers: &mut Buffers,
        stands: &mut Vec<Stand>,
    ) -> Result<(), Invalid> {
        stands.clear();
        let vacuous = VACUOUS * self.allowance.gain();
        (0..self.grids.len()).try_for_each(|index| {
            self.rows((slab, index), rows.clone(), index == 0, buffers, |line, expected, bound| {
                let entries = line.got.iter().zip(expected).zip(bound);
                stands.extend(entries.map(|((got, expected), bound)| match () {
                    // Entries that are not finite are findings of their own.
                    () if !got.is_finite() => Stand::Vacuous,
                    () if exceeds((got - expected).abs(), *bound) => Stand::Beyond,
                    () if *bound >= vacuous => Stand::Vacuous,
                    () => Stand::Within,
                }));
            })
        })
    }

    /// The blocks of a scope: a table and rows of it, whole blocks where the rows are consecutive and single rows where not.
    fn blocks(&self, scope: Scope) -> Vec<(usize, Range<usize>)> {
        let step = if scope.rows.step == 1 { self.step() } else { 1 };
        let starts: Vec<usize> = if step == 1 {
            scope.rows.iter().collect()
        } else {
            (scope.rows.first..=scope.rows.last).step_by(step).collect()
        };
        let end = scope.rows.last + 1;
        let of = |slab: usize| starts.iter().map(move |&start| (slab, start..(start + step).min(end)));
        scope.slabs.iter().flat_map(of).collect()
    }

    /// Whether every entry of a scope is within its bound; asks no further than the first that is not.
    pub fn holds(&self, scope: Scope) -> Result<bool, Invalid> {
        let beyond = AtomicBool::new(false);
        self.blocks(scope).into_par_iter().try_for_each_init(
            || (Buffers::default(), Vec::new()),
            |(buffers, stands), (slab, rows)| {
                if !beyond.load(Relaxed) {
                    self.stands(slab, rows, buffers, stands)?;
                    if stands.contains(&Stand::Beyond) {
                        beyond.store(true, Relaxed);
                    }
                }
                Ok::<(), Invalid>(())
            },
        )?;
        Ok(!beyond.load(Relaxed))
    }

    /// How many entries of these rows of one table are within their bounds, and of how many.
    pub fn score(&self, slab: usize, rows: impl IntoIterator<Item = usize>) -> Result<(u64, u64), Invalid> {
        let (mut buffers, mut stands) = (Buffers::default(), Vec::new());
        let (mut within, mut all) = (0, 0);
        for row in rows {
            self.stands(slab, row..row + 1, &mut buffers, &mut stands)?;
            within += stands.iter().filter(|stand| **stand != Stand::Beyond).count() as u64;
            all += stands.len() as u64;
        }
        Ok((within, all))
    }

    /// Of the entries that are beyond their bounds here, how many are within them in another comparison; and how many
    /// are beyond them there that are not here.
    pub fn explained_by(&self, other: &TableComparison<'_>) -> Result<(u64, u64), Invalid> {
        let first = self.grids[0].grid;
        let scope = Scope { slabs: Span::all(first.slabs()), rows: Span::all(first.rows()) };
        self.blocks(scope)
            .into_par_iter()
            .map_init(
                || (Buffers::default(), Vec::new(), Vec::new()),
                |(buffers, here, there), (slab, rows)| {
                    self.stands(slab, rows.clone(), buffers, here)?;
                    other.stands(slab, rows, buffers, there)?;
                    let both = || here.iter().zip(there.iter());
                    let explained = both().filter(|of| *of == (&Stand::Beyond, &Stand::Within)).count();
                    let broken = both().filter(|(a, b)| **a != Stand::Beyond && **b == Stand::Beyond).count();
                    Ok((explained as u64, broken as u64))
                },
            )
            .try_reduce(|| (0, 0), |a, b| Ok((a.0 + b.0, a.1 + b.1)))
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
        let Wiring { read, write, turns, in_place } = &self.wiring;
        for (k, ((&(a, b), &(to_a, to_b)), &(i, j))) in read.iter().zip(write).zip(turns).enumerate() {
            let first = x[a] * joined[i] - x[b] * joined[i + self.pairs];
            let other = if *in_place { first } else { x[a] };
            expected[to_a] = first;
            expected[to_b] = other * joined[j + self.pairs] + x[b] * joined[j];
            // In place, the error of the first entry goes through a sine once more.
            let length = x[a].hypot(x[b]) * if *in_place { 2.0 } else { 1.0 };
            let limit = self.allowance.rotated(k.min(i).min(j), t, length);
            (bound[to_a], bound[to_b]) = (limit, limit);
        }
        for j in self.wiring.untouched(x.len()) {
            (expected[j], bound[j]) = (x[j], self.allowance.stored(x[j]));
        }
    }

    /// What an error of a cosine or a sine is multiplied by in an entry: √2 times the length of a rotated pair; 1 in a table.
    fn length(&self, x: &[f64], grid: usize, column: usize) -> f64 {
        if !matches!(self.subject, Subject::Rotation { .. }) {
            return 1.0;
        }
        let pair = self.grids[grid].pairs[column];
        self.wiring.read.get(pair).map_or(0.0, |&(a, b)| std::f64::consts::SQRT_2 * x[a].hypot(x[b]))
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
        let threshold = tally.worst.map_or(-1.0, |worst| worst.ratio());
        let gauge = Gauge { near_zero: (NEAR_ZERO * self.allowance.gain()).max(f64::MIN_POSITIVE), threshold };
        let counts = compare(format, gauge, (got, expected, bound), extremes);
        let mut incorrect = counts.incorrect;
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
        } else if counts.close || rotation {
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
        if counts.not_finite {
            for column in (0..got.len()).filter(|&j| !got[j].is_finite()) {
                tally.not_finite += 1;
                self.strange.rows.add(place.row);
                self.strange.slabs.add(place.slab);
                self.strange.columns[place.grid].add(column);
                tally.first_not_finite.get_or_insert(GridPlace { column, ..place });
            }
        } else {
            tally.weighed += counts.weighed;
            tally.sum_ulps += counts.sum_ulps;
            tally.max_ulps = tally.max_ulps.max(counts.max_ulps);
        }
        tally.entries += got.len() as u64;
        tally.incorrect += incorrect;
        tally.exceeding += counts.exceeding;
        if counts.exceeding > 0 {
            self.beyond.rows.add(place.row);
            self.beyond.slabs.add(place.slab);
            let column = (0..got.len()).find(|&j| exceeds((got[j] - expected[j]).abs(), bound[j])).unwrap_or(0);
            let place = GridPlace { column, ..place };
            tally.first_exceeding.get_or_insert(place);
            if tally.last_exceeding.is_none_or(|last| last.row < place.row) {
                tally.last_exceeding = Some(place);
            }
        }
        if counts.above || counts.not_finite {
            let seen = |j: usize| Seen {
                place: GridPlace { column: j, ..place },
                got: got[j],
                error: (got[j] - expected[j]).abs(),
                bound: bound[j],
            };
            // The first of the largest.
            let worst = (0..got.len()).map(seen).reduce(|a, b| if b.ratio() > a.ratio() { b } else { a });
            tally.worst = match (tally.worst, worst) {
                (Some(before), Some(now)) if before.ratio() >= now.ratio() => Some(before),
                (before, now) => now.or(before),
            };
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

    /// The smallest box around the entries that a run found beyond their bounds; `None` where there are none.
    pub fn region(&self) -> Option<Region> {
        self.region_of(&self.beyond)
    }

    /// The smallest box around those that are not finite.
    pub fn strange(&self) -> Option<Region> {
        self.region_of(&self.strange)
    }

    fn region_of(&self, extent: &Extent) -> Option<Region> {
        let (rows, heads) = (extent.rows.span()?, extent.slabs.span()?);
        let mut pairs = std::collections::BTreeSet::new();
        let mut components = [false; 2];
        let mut whole = true;
        for (grid, columns) in extent.columns.iter().enumerate() {
            for column in columns.iter() {
                let meaning = self.meaning(GridPlace { slab: 0, row: 0, grid, column });
                whole &= meaning.is_some();
                if let Some((pair, component)) = meaning {
                    pairs.insert(pair);
                    components[usize::from(component == Component::Sin)] = true;
                }
            }
        }
        let component = match components {
            [true, false] => Some(Component::Cos),
            [false, true] => Some(Component::Sin),
            _ => None,
        };
        let first = self.grids[0].grid;
        Some(Region {
            positions: [self.position(rows.first), self.position(rows.last)],
            rows,
            heads,
            pairs: Span::of(pairs).filter(|_| whole),
            component,
            of: Shape { rows: first.rows(), heads: first.slabs(), pairs: self.pairs },
        })
    }

    /// Whether an exact value is not near zero, so that units in its last place say something of it.
    pub fn is_weighed(&self, exact: f64) -> bool {
        exact.abs() >= NEAR_ZERO * self.allowance.gain()
    }

    /// The unit in the last place of a value, in the format of the entry's grid.
    pub fn unit(&self, place: GridPlace, value: f64) -> f64 {
        Ulp::new(self.grids[place.grid].grid.format()).of(value)
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
