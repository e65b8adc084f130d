//! Counts and extremes over the entries of a comparison, which add up over blocks.

use super::row::Extremes;
use serde::Serialize;

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

    /// Whether it is beyond its bound, or not finite.
    #[cfg(feature = "axes")]
    pub fn exceeds(&self) -> bool {
        !self.got.is_finite() || super::compare::exceeds(self.error, self.bound)
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

    /// The sum of two; the same whatever the order in which blocks end.
    pub fn merge(mut self, other: Self) -> Self {
        self.entries += other.entries;
        self.incorrect += other.incorrect;
        self.unfaithful |= other.unfaithful;
        self.undecided |= other.undecided;
        self.exceeding += other.exceeding;
        self.not_finite += other.not_finite;
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
