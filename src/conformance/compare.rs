//! Every entry against the certified reference, block by block.

use super::Invalid;
use super::allowance::Allowance;
use super::grid::Grid;
use super::read::About;
use super::subject::{Columns, Subject, Wiring, columns, is_repeated, joined};
use super::tally::{Place, Seen, Tally, decade};
use crate::encoding::convention::{Component, Convention};
use crate::encoding::frequency::Entries;
use crate::number::format::Format;
use crate::table::rounding::nearest;
use crate::table::{Positions, Table};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Entries that a thread takes at a time: its buffers stay in the second-level cache.
const BLOCK: usize = 1 << 15;

/// A comparison that is set up: the reference, the bounds, the meaning of every column.
pub(super) struct Comparison<'a> {
    subject: Subject<'a>,
    positions: &'a Positions,
    allowance: &'a Allowance,
    table: Table<f64>,
    entries: Entries,
    grids: Vec<Judged<'a>>,
    wiring: Wiring,
    effective: (f64, f64),
    pairs: usize,
    faithful: AtomicBool,
}

/// A grid and the meaning of its columns.
struct Judged<'a> {
    grid: &'a dyn Grid,
    /// The entry of the joined row that each column should be; unused for a rotation.
    columns: Columns,
    /// The pair of each column; beyond the last one for entries that are not rotated.
    pairs: Vec<usize>,
}

/// Buffers of one block.
#[derive(Default)]
struct Buffers {
    got: Vec<f64>,
    x: Vec<f64>,
    reference: Vec<f64>,
    expected: Vec<f64>,
    bound: Vec<f64>,
}

impl<'a> Comparison<'a> {
    pub fn new(
        subject: Subject<'a>,
        convention: &Convention,
        positions: &'a Positions,
        allowance: &'a Allowance,
    ) -> Result<Self, Invalid> {
        subject.check_shape(convention, positions.len())?;
        let joined = joined(convention);
        let table = Table::<f64>::new(&joined, positions)?;
        let entries = Entries::new(table.convention());
        let wiring = Wiring::new(convention);
        let mut grids = Vec::new();
        for (component, grid) in subject.grids() {
            let repeated = component.is_some() && grid.width() == 2 * convention.pairs() && {
                let mut rows = Vec::new();
                let last = grid.rows() - 1;
                grid.read(0, last..last + 1, &mut rows)?;
                is_repeated(&rows, grid.width())
            };
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
            grids.push(Judged { grid, columns, pairs });
        }
        Ok(Self {
            subject,
            positions,
            allowance,
            entries,
            grids,
            wiring,
            effective: (convention.position_offset.value().to_f64(), convention.position_scale.value().to_f64()),
            pairs: convention.pairs(),
            table,
            faithful: AtomicBool::new(true),
        })
    }

    /// Compares everything.
    pub fn run(&self) -> Result<Tally, Invalid> {
        let (slabs, rows) = (self.grids[0].grid.slabs(), self.grids[0].grid.rows());
        let step = (BLOCK / self.grids[0].grid.width()).clamp(1, rows);
        let blocks = rows.div_ceil(step);
        (0..slabs * blocks)
            .into_par_iter()
            .map_init(Buffers::default, |buffers, task| {
                let (slab, start) = (task / blocks, task % blocks * step);
                self.block(slab, start..(start + step).min(rows), buffers)
            })
            .try_reduce(|| Tally::new(self.pairs), |a, b| Ok(a.merge(b)))
    }

    fn block(&self, slab: usize, rows: Range<usize>, buffers: &mut Buffers) -> Result<Tally, Invalid> {
        let mut tally = Tally::new(self.pairs);
        let width = 2 * self.pairs;
        buffers.reference.resize(rows.len() * width, 0.0);
        self.table.fill(rows.clone(), &mut buffers.reference)?;
        if let Subject::Rotation { x, .. } = self.subject {
            x.read(slab, rows.clone(), &mut buffers.x)?;
        }
        for (index, Judged { grid, columns, .. }) in self.grids.iter().enumerate() {
            grid.read(slab, rows.clone(), &mut buffers.got)?;
            buffers.expected.resize(columns.len(), 0.0);
            buffers.bound.resize(columns.len(), 0.0);
            for (i, row) in rows.clone().enumerate() {
                let position = self.positions.get(row).unwrap_or_default();
                let t = ((position as f64 + self.effective.0) * self.effective.1.signum()).abs();
                let joined = &buffers.reference[i * width..][..width];
                if let Subject::Rotation { x, .. } = self.subject {
                    let vector = &buffers.x[i * columns.len()..][..columns.len()];
                    if let Some(at) = vector.iter().position(|x| !x.is_finite()) {
                        let advice = "rotate finite vectors: posproof probe writes some";
                        let found = format!("{} in column {at}", vector[at]);
                        return Err(About(x.name()).error(format!("row {row}"), "finite numbers", found, advice).into());
                    }
                    self.rotate(vector, joined, t, &mut buffers.expected, &mut buffers.bound);
                } else {
                    self.expect(columns, &self.grids[index].pairs, joined, t, &mut buffers.expected, &mut buffers.bound);
                }
                let place = Place { slab, row, grid: index, column: 0 };
                let got = &buffers.got[i * columns.len()..][..columns.len()];
                self.row(place, position, got, &buffers.expected, &buffers.bound, &mut tally);
            }
        }
        Ok(tally)
    }

    /// The entries of a table's row and their bounds.
    fn expect(
        &self,
        columns: &[usize],
        pairs: &[usize],
        joined: &[f64],
        t: f64,
        expected: &mut [f64],
        bound: &mut [f64],
    ) {
        let Allowance { slope, flat, gain, unit, tiny } = self.allowance;
        for (((expected, bound), &column), &pair) in expected.iter_mut().zip(bound).zip(columns).zip(pairs) {
            *expected = joined[column];
            let computed = gain * ((t * slope[pair]).min(2.0) + flat);
            *bound = (unit * (expected.abs() + computed) + computed + tiny) * (1.0 + 1e-9);
        }
    }

    /// The rotated vector, in binary64 from correctly rounded cosines and sines (error at most
    /// 4·2^−53 of the pair's length), and its bounds: the pair's length times the error of the cosine and
    /// sine, stored in the vector's format, and of two products and a sum in it (`RoundingRope.v`).
    fn rotate(&self, x: &[f64], joined: &[f64], t: f64, expected: &mut [f64], bound: &mut [f64]) {
        let unit = self.allowance.unit;
        for (k, (&(a, b), &(to_a, to_b))) in self.wiring.read.iter().zip(&self.wiring.write).enumerate() {
            let (c, s) = (joined[k], joined[k + self.pairs]);
            expected[to_a] = x[a] * c - x[b] * s;
            expected[to_b] = x[a] * s + x[b] * c;
            let length = x[a].hypot(x[b]);
            let relative = self.allowance.computed(k, t) * 1.5 + 6.5 * unit * self.allowance.gain + 1e-15;
            let limit = length * relative + 4.0 * self.allowance.tiny;
            (bound[to_a], bound[to_b]) = (limit, limit);
        }
        for j in self.wiring.untouched(x.len()) {
            (expected[j], bound[j]) = (x[j], unit * x[j].abs() + self.allowance.tiny);
        }
    }

    fn row(&self, place: Place, position: u64, got: &[f64], expected: &[f64], bound: &[f64], tally: &mut Tally) {
        let format = self.grids[place.grid].grid.format();
        let (mut incorrect, mut exceeding, mut close) = (0u64, 0u64, false);
        let (mut max_error, mut max_ulps, mut sum_ulps) = (0f64, 0f64, 0f64);
        let ulp = Ulp::new(format);
        for ((&got, &exact), &bound) in got.iter().zip(expected).zip(bound) {
            let error = (got - exact).abs();
            let unit = ulp.of(exact);
            let ulps = error / unit;
            incorrect += u64::from(format.round(exact) != got);
            close |= format != Format::F64 && ulps == 0.5;
            exceeding += u64::from(!(error <= bound));
            max_error = max_error.max(error);
            max_ulps = max_ulps.max(ulps);
            sum_ulps += ulps;
        }
        let rotation = matches!(self.subject, Subject::Rotation { .. });
        if close && !rotation {
            // A value that binary64 cannot tell from a tie: MPFR decides which way it rounds.
            let differs = |j: usize| self.nearest(place, j, format).is_some_and(|right| right != got[j]);
            let ties = (0..got.len()).filter(|&j| (got[j] - expected[j]).abs() == 0.5 * ulp.of(expected[j]));
            let plain = ties.clone().filter(|&j| format.round(expected[j]) != got[j]).count() as u64;
            incorrect = incorrect - plain + ties.filter(|&j| differs(j)).count() as u64;
        }
        if incorrect > 0 && !tally.unfaithful && self.faithful.load(Relaxed) {
            let unfaithful = (0..got.len()).any(|j| !self.is_faithful(place, j, format, got[j], expected[j]));
            if unfaithful {
                tally.unfaithful = true;
                self.faithful.store(false, Relaxed);
            }
        }
        if !sum_ulps.is_finite() {
            for column in (0..got.len()).filter(|&j| !got[j].is_finite()) {
                tally.not_finite += 1;
                tally.first_not_finite.get_or_insert(Place { column, ..place });
            }
        }
        if sum_ulps.is_finite() {
            tally.sum_ulps += sum_ulps;
            tally.max_ulps = tally.max_ulps.max(max_ulps);
        }
        tally.entries += got.len() as u64;
        tally.incorrect += incorrect;
        tally.exceeding += exceeding;
        let (mut ratio, pairs) = (0f64, &self.grids[place.grid].pairs);
        for (j, ((&got, &exact), &bound)) in got.iter().zip(expected).zip(bound).enumerate() {
            let error = (got - exact).abs();
            let Some(part) = tally.pairs.get_mut(pairs[j]) else { continue };
            let quotient = error / bound;
            part.entries += 1;
            part.max_error = part.max_error.max(error);
            part.max_ratio = part.max_ratio.max(quotient);
            part.exceeding += u64::from(!(error <= bound));
            ratio = ratio.max(quotient);
        }
        let part = &mut tally.decades[decade(position)];
        part.entries += got.len() as u64;
        part.max_error = part.max_error.max(max_error);
        part.max_ratio = part.max_ratio.max(ratio);
        part.exceeding += exceeding;
        if exceeding > 0 && tally.first_exceeding.is_none() {
            let column = (0..got.len()).find(|&j| !((got[j] - expected[j]).abs() <= bound[j])).unwrap_or(0);
            tally.first_exceeding = Some(Place { column, ..place });
        }
        if tally.worst.is_none_or(|worst| max_error > worst.error) {
            let at = (0..got.len()).find(|&j| (got[j] - expected[j]).abs() == max_error);
            tally.worst = at.map(|j| Seen {
                place: Place { column: j, ..place },
                got: got[j],
                reference: expected[j],
                error: max_error,
                ulps: max_error / ulp.of(expected[j]),
                bound: bound[j],
            });
        }
    }

    /// The pair and the component of an entry; none for entries that are not rotated.
    pub fn meaning(&self, place: Place) -> Option<(usize, Component)> {
        let pairs = self.pairs;
        if matches!(self.subject, Subject::Rotation { .. }) {
            let pair = self.grids[0].pairs[place.column];
            let first = self.wiring.write.get(pair)?.0 == place.column;
            return Some((pair, if first { Component::Cos } else { Component::Sin }));
        }
        let entry = self.grids[place.grid].columns[place.column];
        Some((entry % pairs, if entry < pairs { Component::Cos } else { Component::Sin }))
    }

    /// The position of a row.
    pub fn position(&self, row: usize) -> u64 {
        self.positions.get(row).unwrap_or_default()
    }

    /// The exact real entries.
    pub fn entries(&self) -> &Entries {
        &self.entries
    }

    /// The correct rounding of a table's entry.
    fn nearest(&self, place: Place, column: usize, format: Format) -> Option<f64> {
        let (pair, component) = self.meaning(Place { column, ..place })?;
        let position = self.position(place.row);
        nearest(format, |bits| self.entries.enclose(position, pair, component, bits))
    }

    /// Whether `got` is one of the two neighbours of the exact value, or the exact value.
    fn is_faithful(&self, place: Place, column: usize, format: Format, got: f64, exact: f64) -> bool {
        let rounded = format.round(exact);
        if got == rounded {
            return true;
        }
        if rounded != exact {
            return got == neighbour(format, rounded, exact > rounded);
        }
        // Binary64 rounded onto a number of the format: which side is it on?
        if got != neighbour(format, rounded, true) && got != neighbour(format, rounded, false) {
            return false;
        }
        let Some((pair, component)) = self.meaning(Place { column, ..place }) else { return false };
        let position = self.position(place.row);
        [128, 512, 2048].into_iter().find_map(|bits| {
            let enclosure = self.entries.enclose(position, pair, component, bits)?;
            let above = *enclosure.lower() > rounded;
            (above || *enclosure.upper() < rounded).then(|| got == neighbour(format, rounded, above))
        }) == Some(true)
    }
}

/// The next number of the format above or below one of its numbers.
fn neighbour(format: Format, x: f64, up: bool) -> f64 {
    let unit = Ulp::new(format).of(x);
    let moved = if up { x + unit } else { x - unit };
    let crosses = x != 0.0 && (up != (x > 0.0)) && x.to_bits() & ((1 << 52) - 1) == 0 && unit > format.min_positive();
    match (format, crosses) {
        (Format::F64, _) => if up { x.next_up() } else { x.next_down() },
        (_, true) => if up { x + unit / 2.0 } else { x - unit / 2.0 },
        _ => moved,
    }
}

/// The distance of neighbours in the binade of a number.
#[derive(Clone, Copy)]
pub(super) struct Ulp {
    scale: f64,
    least: f64,
}

impl Ulp {
    pub fn new(format: Format) -> Self {
        Self { scale: 2.0 * format.unit_roundoff(), least: format.min_positive() }
    }

    pub fn of(self, x: f64) -> f64 {
        let binade = f64::from_bits(x.to_bits() & (0x7ff << 52));
        (binade * self.scale).max(self.least)
    }
}
