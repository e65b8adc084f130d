//! Counts of a row of entries.

use super::{GridRow, TableComparison, last_place};
use crate::exactness::{Compared, Exact};
use crate::row::{Extremes, Gauge, compare};
use crate::subject::Subject;
use crate::totals::{ComparedRow, EntryTotals, GridPlace};
use crate::ulp::negative_zeros;
use posproof_numerics::format::Format;
use std::sync::atomic::Ordering::Relaxed;

/// Exact values below this share of the amplitude are near zero.
const NEAR_ZERO: f64 = 1.0 / 256.0;

impl TableComparison<'_> {
    /// True if an exact value is not near zero, so that units in its last place say something of it.
    pub fn is_weighed(&self, exact: f64) -> bool {
        exact.abs() >= NEAR_ZERO * self.allowance.gain()
    }

    pub(super) fn row(
        &self,
        line: &GridRow<'_>,
        (expected, bound): (&[f64], &[f64]),
        extremes: &mut Extremes,
        (tally, largest): (&mut EntryTotals, &mut Option<f64>),
    ) {
        let &GridRow { place, got, x } = line;
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
        tally.incorrect += incorrect;
        let row = ComparedRow { place, got, expected, bounds: bound };
        tally.row(&row, &counts, (extremes, largest), (&self.beyond, &self.strange));
    }
}
