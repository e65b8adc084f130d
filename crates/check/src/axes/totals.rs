//! Counts over the entries of a comparison, which add up over blocks.

use super::cells::Cell;
use crate::totals::{GridPlace, PartStatistics, Seen};

/// Everything that is counted.
#[derive(Clone, Debug, Default)]
pub(super) struct AxialTotals {
    pub entries: u64,
    /// Entries that are not the correct rounding.
    pub incorrect: u64,
    /// Entries that are not even a neighbour of the exact value.
    pub unfaithful: u64,
    /// Beyond their bounds, those that are not finite included.
    pub exceeding: u64,
    /// Entries that may be any number that a sine can be.
    pub uninformative: u64,
    pub negative_zeros: u64,
    pub not_finite: u64,
    pub first_not_finite: Option<GridPlace>,
    pub worst: Option<Seen>,
    /// Slot by slot, and what is not rotated behind the last.
    pub slots: Vec<PartStatistics>,
}

impl AxialTotals {
    pub fn new(slots: usize) -> Self {
        Self { slots: vec![PartStatistics::default(); slots + 1], ..Self::default() }
    }

    /// Takes note of an entry.
    pub fn add(&mut self, seen: Seen, cell: Cell) {
        let (ratio, exceeds) = (seen.ratio(), seen.exceeds());
        self.entries += 1;
        self.exceeding += u64::from(exceeds);
        if !seen.got.is_finite() {
            self.not_finite += 1;
            self.first_not_finite = earlier(self.first_not_finite, Some(seen.place));
        }
        let last = self.slots.len() - 1;
        let error = if seen.error.is_nan() { f64::INFINITY } else { seen.error };
        let part = PartStatistics { entries: 1, max_error: error, max_ratio: ratio, exceeding: u64::from(exceeds) };
        self.slots[cell.slot().unwrap_or(last)].merge(&part);
        self.worst = further(self.worst, Some(seen));
    }

    /// Entries that are finite and beyond their bounds.
    pub fn beyond(&self) -> u64 {
        self.exceeding - self.not_finite
    }

    /// The sum of two; the same whatever the order in which blocks end.
    pub fn merge(mut self, other: Self) -> Self {
        self.entries += other.entries;
        self.incorrect += other.incorrect;
        self.unfaithful += other.unfaithful;
        self.exceeding += other.exceeding;
        self.uninformative += other.uninformative;
        self.negative_zeros += other.negative_zeros;
        self.not_finite += other.not_finite;
        self.first_not_finite = earlier(self.first_not_finite, other.first_not_finite);
        self.worst = further(self.worst, other.worst);
        self.slots.iter_mut().zip(&other.slots).for_each(|(a, b)| a.merge(b));
        self
    }
}

fn order(place: &GridPlace) -> (usize, usize, usize, usize) {
    (place.slab, place.row, place.grid, place.column)
}

fn earlier(a: Option<GridPlace>, b: Option<GridPlace>) -> Option<GridPlace> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if order(&a) <= order(&b) { a } else { b }),
        (a, b) => a.or(b),
    }
}

/// The one with the larger quotient of error and bound, the earlier one of equals.
fn further(a: Option<Seen>, b: Option<Seen>) -> Option<Seen> {
    match (a, b) {
        (Some(a), Some(b)) => {
            let first = a.ratio() > b.ratio() || (a.ratio() == b.ratio() && order(&a.place) <= order(&b.place));
            Some(if first { a } else { b })
        }
        (a, b) => a.or(b),
    }
}
