//! Counts and extremes over the entries of a comparison, which add up over blocks.

use super::compare::overflow::Overflow;
use super::extent::Extent;
use super::row::{Extremes, RowCounts, exceeds};
use serde::Serialize;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// One entry, by where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct GridPlace {
    /// The number of the table among the leading dimensions.
    pub slab: usize,
    /// The row.
    pub row: usize,
    /// Which grid of the subject.
    pub grid: usize,
    /// The column.
    pub column: usize,
}

/// An entry, what it is and how far that is from the exact value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub place: GridPlace,
    pub got: f64,
    pub error: f64,
    pub bound: f64,
}

impl Seen {
    /// Error over bound; infinite for an entry that is not finite.
    pub fn ratio(&self) -> f64 {
        let ratio = self.error / self.bound;
        if ratio.is_nan() || !self.got.is_finite() { f64::INFINITY } else { ratio }
    }

    /// Error over bound, where no error is within any bound, 0 included.
    pub fn share(&self) -> f64 {
        if self.got.is_finite() && self.error == 0.0 { 0.0 } else { self.ratio() }
    }
}

/// A row of a grid beside what its entries should be, and their bounds.
pub(super) struct ComparedRow<'a> {
    /// Its first entry.
    pub place: GridPlace,
    pub got: &'a [f64],
    pub expected: &'a [f64],
    pub bounds: &'a [f64],
}

impl ComparedRow<'_> {
    pub fn seen(&self, column: usize) -> Seen {
        let got = self.got[column];
        let error = (got - self.expected[column]).abs();
        Seen { place: GridPlace { column, ..self.place }, got, error, bound: self.bounds[column] }
    }
}

/// Statistics of a part of the entries: a pair, or the positions of a decade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PartStatistics {
    /// Entries.
    pub entries: u64,
    /// The largest error.
    pub max_error: f64,
    /// The largest quotient of error and bound.
    pub max_ratio: f64,
    /// Entries beyond their bound, those that are not finite included.
    pub exceeding: u64,
}

impl PartStatistics {
    pub(super) fn merge(&mut self, other: &Self) {
        self.entries += other.entries;
        self.max_error = self.max_error.max(other.max_error);
        self.max_ratio = self.max_ratio.max(other.max_ratio);
        self.exceeding += other.exceeding;
    }
}

/// Decades of positions: 0, 1 to 9, 10 to 99, …
pub(super) const DECADES: usize = 17;

/// The decade that a position lies in.
pub(super) fn decade(position: u64) -> usize {
    position.checked_ilog10().map_or(0, |log| log as usize + 1)
}

/// Sums of blocks that end in any order. They are added up in one, so that the last digits are the same each time.
pub(super) struct BlockSums(Vec<AtomicU64>);

impl BlockSums {
    pub fn of(blocks: usize) -> Self {
        Self((0..blocks).map(|_| AtomicU64::new(0)).collect())
    }

    pub fn set(&self, block: usize, sum: f64) {
        self.0[block].store(sum.to_bits(), Relaxed);
    }

    pub fn total(&self) -> f64 {
        self.0.iter().map(|sum| f64::from_bits(sum.load(Relaxed))).sum()
    }
}

/// Everything that is counted.
#[derive(Clone, Debug, Default)]
pub(super) struct EntryTotals {
    pub entries: u64,
    pub incorrect: u64,
    pub unfaithful: bool,
    /// Binary64 cannot tell which entries are correctly rounded.
    pub undecided: bool,
    /// Beyond their bounds, those that are not finite included.
    pub exceeding: u64,
    pub not_finite: u64,
    /// Those that overflowed, of a whole run; they are counted as the largest number.
    pub overflow: Option<Overflow>,
    /// Entries of several axes whose bound allows any number that a sine can be; on one axis they are measured apart.
    #[cfg(feature = "axes")]
    pub uninformative: u64,
    /// Entries of several axes that are 0 whatever the angle is: those of vectors that are 0.
    #[cfg(feature = "axes")]
    pub zeros: u64,
    /// Of entries whose exact values are not near zero, how many these are, the sum and the largest of their errors.
    pub weighed: u64,
    /// Entries −0 whose exact value is 0 or above.
    pub negative_zeros: u64,
    pub sum_ulps: f64,
    pub max_ulps: f64,
    pub worst: Option<Seen>,
    /// The first entry that is finite and beyond its bound.
    pub first_beyond: Option<GridPlace>,
    pub first_not_finite: Option<GridPlace>,
    pub pairs: Vec<PartStatistics>,
    pub decades: Vec<PartStatistics>,
}

impl EntryTotals {
    pub fn new(pairs: usize) -> Self {
        Self {
            pairs: vec![PartStatistics::default(); pairs],
            decades: vec![PartStatistics::default(); DECADES],
            ..Self::default()
        }
    }

    /// Adds the extremes of so many rows, which belong to one decade, to those of their pairs and of the decade.
    pub fn add(&mut self, pairs: &[usize], decade: usize, rows: u64, extremes: &Extremes) {
        for (&pair, (max_error, max_ratio, exceeding)) in pairs.iter().zip(extremes.columns()) {
            let column = PartStatistics { entries: rows, max_error, max_ratio, exceeding };
            self.decades[decade].merge(&column);
            // Entries that are not rotated belong to no pair.
            if let Some(part) = self.pairs.get_mut(pair) {
                part.merge(&column);
            }
        }
    }

    /// Adds what was counted of a row, but for the entries that are correctly rounded, and the places of those that are beyond their bounds or
    /// not finite. `largest` is the largest quotient of error and bound of all rows before.
    pub fn row(
        &mut self,
        row: &ComparedRow<'_>,
        counts: &RowCounts,
        (extremes, largest): (&mut Extremes, &mut Option<f64>),
        (beyond, strange): (&Extent, &Extent),
    ) {
        let &ComparedRow { place, got, expected, bounds } = row;
        let is_beyond = |j: usize| exceeds((got[j] - expected[j]).abs(), bounds[j]);
        let mut finite_beyond = counts.exceeding;
        if counts.not_finite {
            for column in (0..got.len()).filter(|&j| !got[j].is_finite()) {
                // An infinite error is not above an infinite bound.
                let counted = u64::from(is_beyond(column));
                (self.not_finite, self.exceeding) = (self.not_finite + 1, self.exceeding + 1 - counted);
                finite_beyond -= counted;
                extremes.add_not_finite(column);
                strange.rows.add(place.row);
                strange.slabs.add(place.slab);
                strange.columns[place.grid].add(column);
                self.first_not_finite.get_or_insert(GridPlace { column, ..place });
            }
        } else {
            self.weighed += counts.weighed;
            self.sum_ulps += counts.sum_ulps;
            self.max_ulps = self.max_ulps.max(counts.max_ulps);
        }
        self.entries += got.len() as u64;
        self.exceeding += counts.exceeding;
        if finite_beyond > 0 {
            beyond.rows.add(place.row);
            beyond.slabs.add(place.slab);
            let column = (0..got.len()).find(|&j| got[j].is_finite() && is_beyond(j)).unwrap_or(0);
            self.first_beyond.get_or_insert(GridPlace { column, ..place });
        }
        if counts.above || counts.not_finite {
            // The first of the largest.
            let worst = (0..got.len()).map(|j| row.seen(j)).reduce(|a, b| if b.ratio() > a.ratio() { b } else { a });
            let ratio = worst.map(|worst| worst.ratio());
            *largest = largest.map_or(ratio, |before| ratio.map(|now| now.max(before)));
            self.worst = match (self.worst, worst) {
                (Some(before), Some(now)) if before.ratio() >= now.ratio() => Some(before),
                (before, now) => now.or(before),
            };
        }
    }

    /// Entries that are finite and beyond their bounds.
    #[cfg(feature = "axes")]
    pub fn beyond(&self) -> u64 {
        self.exceeding - self.not_finite
    }

    /// True if no finite entry is beyond its bound, and half of all bounds say something.
    #[cfg(feature = "axes")]
    pub fn are_explained(&self) -> bool {
        self.beyond() == 0 && 2 * self.uninformative <= self.entries
    }

    /// The sum of two; the same whatever the order in which blocks end.
    pub fn merge(mut self, other: Self) -> Self {
        self.entries += other.entries;
        self.incorrect += other.incorrect;
        self.unfaithful |= other.unfaithful;
        self.undecided |= other.undecided;
        self.exceeding += other.exceeding;
        self.not_finite += other.not_finite;
        #[cfg(feature = "axes")]
        {
            self.uninformative += other.uninformative;
            self.zeros += other.zeros;
        }
        self.weighed += other.weighed;
        self.negative_zeros += other.negative_zeros;
        self.sum_ulps += other.sum_ulps;
        self.max_ulps = self.max_ulps.max(other.max_ulps);
        let order = |place: &GridPlace| (place.slab, place.row, place.grid, place.column);
        let earlier = |a: Option<GridPlace>, b: Option<GridPlace>| match (a, b) {
            (Some(a), Some(b)) => Some(if order(&a) <= order(&b) { a } else { b }),
            (a, b) => a.or(b),
        };
        self.worst = match (self.worst, other.worst) {
            (Some(a), Some(b)) => {
                let first = a.ratio() > b.ratio() || (a.ratio() == b.ratio() && order(&a.place) <= order(&b.place));
                Some(if first { a } else { b })
            }
            (a, b) => a.or(b),
        };
        self.first_beyond = earlier(self.first_beyond, other.first_beyond);
        self.first_not_finite = earlier(self.first_not_finite, other.first_not_finite);
        self.pairs.iter_mut().zip(&other.pairs).for_each(|(a, b)| a.merge(b));
        self.decades.iter_mut().zip(&other.decades).for_each(|(a, b)| a.merge(b));
        self
    }
}
