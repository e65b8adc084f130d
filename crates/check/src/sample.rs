//! Some rows of the subject, as phasors: cosine and sine of each pair, however they are arranged.

use super::Invalid;
use super::duplication::Duplication;
use super::subject::{Subject, Wiring, columns};
use crate::row::pair_length;
use posproof_bound::Allowance;
use posproof_encoding::convention::{Component, Convention};
use posproof_table::Positions;
use std::collections::BTreeSet;

/// Rows that were read.
pub(super) struct Sample {
    /// Their numbers and positions.
    pub rows: Vec<usize>,
    pub positions: Vec<u64>,
    /// The rows of each grid.
    grids: Vec<(Option<Component>, usize, Vec<f64>)>,
    /// The rows of x, for a rotation.
    x: Vec<f64>,
    repeated: bool,
    /// Half a step of the grid that entries are on; 0 if they are on none.
    off_grid: f64,
}

/// Cosine and sine, measured, of every pair in every row of a sample; divided by the amplitude.
#[derive(Clone)]
pub(super) struct Phasors {
    pub positions: Vec<u64>,
    pub pairs: usize,
    /// One of them may be missing, for half a cache.
    pub cos: Option<Vec<f64>>,
    pub sin: Option<Vec<f64>>,
    /// True if they are computed from vectors and rotated vectors.
    pub rotation: bool,
    /// Lengths of the pairs that were rotated; empty of tables and caches.
    pub lengths: Vec<f64>,
    /// By how much a component may be off besides, because entries are on an integer grid.
    pub off_grid: f64,
}

/// Rows that tell hypotheses apart: the first ones, powers of two and the numbers around them,
/// some at equal distances, the last ones, and those around a place of interest.
pub(super) fn choose(rows: usize, interest: Option<usize>) -> Vec<usize> {
    let mut chosen: BTreeSet<usize> = (0..24).collect();
    for i in 4..usize::BITS - 1 {
        let power = 1usize << i;
        chosen.extend([power - 1, power, power + 1, power + 2, power + power / 2, power + power / 2 + 1]);
    }
    chosen.extend((0..40).map(|i| (rows as u128 * i / 40) as usize));
    chosen.extend((1..5).map(|i| rows.saturating_sub(i)));
    if let Some(at) = interest {
        chosen.extend(at.saturating_sub(3)..at.saturating_add(8));
    }
    chosen.into_iter().filter(|&row| row < rows).collect()
}

impl Sample {
    /// Reads rows of one table of the subject. Those with values that are not finite are left out; where all rows have some, as
    /// where a whole column is no number, rows are kept with what is finite in them.
    pub fn read(subject: Subject<'_>, slab: usize, rows: &[usize], positions: &Positions) -> Result<Self, Invalid> {
        let whole = Self::with(subject, slab, rows, positions, |row| row.iter().all(|value| value.is_finite()))?;
        if !whole.rows.is_empty() {
            return Ok(whole);
        }
        Self::with(subject, slab, rows, positions, |row| row.iter().any(|value| value.is_finite()))
    }

    /// Reads the rows whose entries are `kept`.
    fn with(
        subject: Subject<'_>,
        slab: usize,
        rows: &[usize],
        positions: &Positions,
        is_kept: impl Fn(&[f64]) -> bool,
    ) -> Result<Self, Invalid> {
        let mut kept = Self {
            rows: Vec::new(),
            positions: Vec::new(),
            grids: Vec::new(),
            x: Vec::new(),
            repeated: false,
            off_grid: 0.0,
        };
        kept.off_grid = subject.judged().levels().map_or(0.0, |levels| levels.step() / 2.0);
        kept.grids = subject.grids().iter().map(|(component, grid)| (*component, grid.width(), Vec::new())).collect();
        let (mut buffer, mut vector) = (Vec::new(), Vec::new());
        for &row in rows {
            let mut read: Vec<Vec<f64>> = Vec::new();
            for (_, grid) in subject.grids() {
                grid.read(slab, row..row + 1, &mut buffer)?;
                read.push(buffer.clone());
            }
            if let Subject::Rotation { x, .. } = subject {
                x.read(slab, row..row + 1, &mut vector)?;
            }
            if read.iter().all(|row| is_kept(row)) && vector.iter().all(|value| value.is_finite()) {
                kept.rows.push(row);
                kept.positions.push(positions.get(row).unwrap_or_default());
                kept.x.extend(&vector);
                kept.grids.iter_mut().zip(&read).for_each(|((_, _, all), row)| all.extend(row));
            }
        }
        kept.repeated =
            kept.grids.iter().any(|(_, width, rows)| Duplication::of(rows, *width) == Some(Duplication::Repeated));
        Ok(kept)
    }

    /// All finite entries that are judged.
    pub fn values(&self) -> impl Iterator<Item = f64> + '_ {
        self.values_of(None)
    }

    /// Those of the cosines or of the sines of a cache, where one of them is meant.
    pub fn values_of(&self, part: Option<Component>) -> impl Iterator<Item = f64> + '_ {
        let meant = move |component: &Option<Component>| part.is_none() || component.is_none() || *component == part;
        let grids = self.grids.iter().filter(move |(component, ..)| meant(component));
        grids.flat_map(|(_, _, rows)| rows.iter().copied()).filter(|value| value.is_finite())
    }

    /// The phasors as a convention arranges them; `wiring` for a rotation. `None` where entries that
    /// should not be rotated were.
    pub fn phasors(&self, convention: &Convention, wiring: Option<&Wiring>) -> Option<Phasors> {
        let pairs = convention.pairs();
        let count = self.rows.len() * pairs;
        let mut phasors = Phasors {
            positions: self.positions.clone(),
            pairs,
            cos: None,
            sin: None,
            rotation: false,
            lengths: Vec::new(),
            off_grid: self.off_grid,
        };
        if let Some(wiring) = wiring {
            return self.rotated(wiring, phasors);
        }
        for (component, width, rows) in &self.grids {
            let columns = columns(convention, *component, *width, self.repeated);
            for (entry, part) in [(0, &mut phasors.cos), (pairs, &mut phasors.sin)] {
                let places: Option<Vec<usize>> =
                    (0..pairs).map(|k| columns.iter().position(|&column| column == entry + k)).collect();
                let Some(places) = places else { continue };
                let part = part.get_or_insert_with(|| Vec::with_capacity(count));
                for row in rows.chunks_exact(*width) {
                    part.extend(places.iter().map(|&place| row[place]));
                }
            }
        }
        Some(phasors)
    }

    fn rotated(&self, wiring: &Wiring, mut phasors: Phasors) -> Option<Phasors> {
        let (_, width, rows) = &self.grids[0];
        let untouched = wiring.untouched(*width);
        let (mut cos, mut sin, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
        for (x, y) in self.x.chunks_exact(*width).zip(rows.chunks_exact(*width)) {
            if untouched.iter().any(|&j| (x[j] - y[j]).abs() > 1e-2 * x[j].abs()) {
                return None;
            }
            for (&(a, b), &(to_a, to_b)) in wiring.read.iter().zip(&wiring.write) {
                let length = pair_length(x[a], x[b]);
                // Squares of very long or short vectors are no numbers of binary64.
                let by = if (1e-140..1e140).contains(&length) { 1.0 } else { length.max(f64::MIN_POSITIVE) };
                let [[a, b], [to_a, to_b]] = [[x[a], x[b]], [y[to_a], y[to_b]]].map(|pair| pair.map(|x| x / by));
                let square = (a * a + b * b).max(f64::MIN_POSITIVE);
                cos.push((a * to_a + b * to_b) / square);
                sin.push((a * to_b - b * to_a) / square);
                lengths.push(length);
            }
        }
        // Both entries of a pair may be off; the shorter it is, the more that turns it.
        let (least, most) = lengths.iter().fold((f64::INFINITY, 0f64), |(a, b), x| (a.min(*x), b.max(*x)));
        phasors.off_grid *= std::f64::consts::SQRT_2 / least.max(most / 4.0).max(f64::MIN_POSITIVE);
        (phasors.cos, phasors.sin, phasors.rotation, phasors.lengths) = (Some(cos), Some(sin), true, lengths);
        Some(phasors)
    }

    /// The vectors of a rotation and what became of them, row by row.
    pub fn vectors(&self) -> impl Iterator<Item = (&[f64], &[f64])> {
        let (_, width, rows) = &self.grids[0];
        self.x.chunks_exact(*width).zip(rows.chunks_exact(*width))
    }

    /// The columns of a rotation that never change, although some of what they hold could have: a zero is one under every
    /// rotation of zeros.
    pub fn unchanged(&self) -> Vec<usize> {
        let (_, width, rows) = &self.grids[0];
        let moved = |j: &usize| {
            self.x
                .chunks_exact(*width)
                .zip(rows.chunks_exact(*width))
                .any(|(x, y)| (x[*j] - y[*j]).abs() > 1e-2 * x[*j].abs())
        };
        let tells = |j: &usize| self.x.chunks_exact(*width).any(|x| x[*j] != 0.0);
        (0..*width).filter(|j| !moved(j) && tells(j)).collect()
    }
}

impl Phasors {
    pub fn cos(&self, row: usize, pair: usize) -> Option<f64> {
        self.cos.as_ref().map(|cos| cos[row * self.pairs + pair])
    }

    pub fn sin(&self, row: usize, pair: usize) -> Option<f64> {
        self.sin.as_ref().map(|sin| sin[row * self.pairs + pair])
    }

    /// The angle in (−π, π]; no number where an entry is none.
    pub fn phase(&self, row: usize, pair: usize) -> Option<f64> {
        Some(self.sin(row, pair)?.atan2(self.cos(row, pair)?))
    }

    /// The angles of a row.
    pub fn phases(&self, row: usize) -> Option<Vec<f64>> {
        (0..self.pairs).map(|pair| self.phase(row, pair)).collect()
    }

    /// The length.
    pub fn norm(&self, row: usize, pair: usize) -> Option<f64> {
        Some(self.cos(row, pair)?.hypot(self.sin(row, pair)?))
    }

    /// The bound for the entries of a phasor that has been divided by its amplitude, at effective
    /// position `t` ≥ 0. Rotated entries are within 1.5 computed errors and 6.5u of the pair's length
    /// ([`super::compare`]), and the phasor of two of them within √2 times that.
    pub fn tolerance(&self, allowance: &Allowance, pair: usize, t: f64) -> f64 {
        self.tolerance_of(allowance, (pair, t), 1.0)
    }

    /// The same for one entry: what is small is stored with a small error.
    pub fn tolerance_of(&self, allowance: &Allowance, (pair, t): (usize, f64), entry: f64) -> f64 {
        let gain = allowance.gain().max(f64::MIN_POSITIVE);
        let off = if self.rotation {
            1.415 * allowance.rotated(pair, t, 1.0) / gain
        } else {
            allowance.of(pair, t, gain * entry) / gain
        };
        off + self.off_grid / gain
    }

    /// The same for an entry of a row, whose vector may be short: (x·y)/|x|² is wrong by √2 times the bound of y's entries
    /// over |x|.
    pub fn noise(&self, allowance: &Allowance, (row, pair): (usize, usize), (t, entry): (f64, f64)) -> f64 {
        match self.lengths.get(row * self.pairs + pair) {
            None => self.tolerance_of(allowance, (pair, t), entry),
            Some(0.0) => f64::INFINITY,
            Some(length) => {
                let off = 1.415 * allowance.rotated(pair, t, *length) / length;
                (off + self.off_grid) / allowance.gain().max(f64::MIN_POSITIVE) + 8.0 * f64::EPSILON
            }
        }
    }

    /// True if a pair's sines are all exactly zero: it is not rotated.
    pub fn is_still(&self, pair: usize) -> bool {
        (0..self.positions.len()).all(|row| self.sin(row, pair) == Some(0.0))
    }

    /// The rows whose positions are multiples of a number, at these divided by it.
    pub fn every(&self, by: u64) -> Self {
        let rows: Vec<usize> =
            (0..self.positions.len()).filter(|row| self.positions[*row].is_multiple_of(by)).collect();
        let kept = |all: &[f64]| -> Vec<f64> {
            rows.iter().flat_map(|row| all.get(row * self.pairs..(row + 1) * self.pairs)).flatten().copied().collect()
        };
        let positions = rows.iter().map(|row| self.positions[*row] / by).collect();
        let (cos, sin) = (self.cos.as_deref().map(kept), self.sin.as_deref().map(kept));
        Self { positions, cos, sin, lengths: kept(&self.lengths), ..self.clone() }
    }

    /// Every entry divided by a number.
    pub fn divided(&self, by: f64) -> Self {
        let divide = |values: &Option<Vec<f64>>| values.as_ref().map(|v| v.iter().map(|x| x / by).collect());
        Self { cos: divide(&self.cos), sin: divide(&self.sin), ..self.clone() }
    }
}

/// The angle of the circle nearest to 0 that differs by whole turns.
pub(super) fn wrap(angle: f64) -> f64 {
    angle - (angle / std::f64::consts::TAU).round() * std::f64::consts::TAU
}
