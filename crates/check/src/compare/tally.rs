//! What is counted of a row of entries.

use super::{Line, TableComparison, exceeds, last_place};
use crate::exactness::Compared;
use crate::row::{Extremes, Gauge, compare};
use crate::subject::Subject;
use crate::totals::{EntryTotals, GridPlace, Seen};
use crate::ulp::negative_zeros;
use posproof_numerics::format::Format;
use std::sync::atomic::Ordering::Relaxed;

/// Exact values below this share of the amplitude are near zero.
const NEAR_ZERO: f64 = 1.0 / 256.0;

impl TableComparison<'_> {
    /// Whether an exact value is not near zero, so that units in its last place say something of it.
    pub fn is_weighed(&self, exact: f64) -> bool {
        exact.abs() >= NEAR_ZERO * self.allowance.gain()
    }

    pub(super) fn row(
        &self,
        line: &Line<'_>,
        (expected, bound): (&[f64], &[f64]),
        extremes: &mut Extremes,
        (tally, largest): (&mut EntryTotals, &mut Option<f64>),
    ) {
        let &Line { place, got, x } = line;
        let format = self.grids[place.grid].grid.format();
        let near_zero = (NEAR_ZERO * self.allowance.gain()).max(f64::MIN_POSITIVE);
        let gauge = Gauge { near_zero, threshold: *largest };
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
        if counts.zero && !rotation {
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
        let mut beyond = counts.exceeding;
        if counts.not_finite {
            for column in (0..got.len()).filter(|&j| !got[j].is_finite()) {
                // An infinite error is not above an infinite bound.
                let counted = u64::from(exceeds((got[column] - expected[column]).abs(), bound[column]));
                (tally.not_finite, tally.exceeding) = (tally.not_finite + 1, tally.exceeding + 1 - counted);
                beyond -= counted;
                extremes.add_not_finite(column);
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
        if beyond > 0 {
            self.beyond.rows.add(place.row);
            self.beyond.slabs.add(place.slab);
            let is_beyond = |&j: &usize| got[j].is_finite() && exceeds((got[j] - expected[j]).abs(), bound[j]);
            let column = (0..got.len()).find(is_beyond).unwrap_or(0);
            tally.first_beyond.get_or_insert(GridPlace { column, ..place });
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
            let ratio = worst.map(|worst| worst.ratio());
            *largest = largest.map_or(ratio, |before| ratio.map(|now| now.max(before)));
            tally.worst = match (tally.worst, worst) {
                (Some(before), Some(now)) if before.ratio() >= now.ratio() => Some(before),
                (before, now) => now.or(before),
            };
        }
    }
}
