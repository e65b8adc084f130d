//! Rows of two outputs beside each other.

use super::row::exceeds;
use super::totals::GridPlace;

/// Counts of differences.
#[derive(Clone, Debug, Default)]
pub(super) struct Differences {
    pub entries: u64,
    pub differing: u64,
    pub beyond: u64,
    /// The largest of finite entries: its place, both entries, and the sum of their bounds.
    pub largest: Option<(GridPlace, [f64; 2], f64)>,
}

/// Rows of one output: places, entries and bounds.
pub(super) type Lines = Vec<(GridPlace, Vec<f64>, Vec<f64>)>;

impl Differences {
    /// Adds the same rows of both outputs.
    pub fn add(&mut self, [first, second]: &[Lines; 2]) {
        for ((place, one, bounds), (_, other, others)) in first.iter().zip(second) {
            let entries = one.iter().zip(other).zip(bounds.iter().zip(others));
            for (column, ((&a, &b), (&bound, &also))) in entries.enumerate() {
                self.entries += 1;
                if a == b || (a.is_nan() && b.is_nan()) {
                    continue;
                }
                self.differing += 1;
                let (difference, allowed) = ((a - b).abs(), bound + also);
                self.beyond += u64::from(!difference.is_finite() || exceeds(difference, allowed));
                let larger = self.largest.is_none_or(|(_, [a, b], _)| difference > (a - b).abs());
                if difference.is_finite() && larger {
                    self.largest = Some((GridPlace { column, ..*place }, [a, b], allowed));
                }
            }
        }
    }
}
