//! Entries of a comparison: their exact values, the decisions that binary64 cannot make about them (correct rounding next to a
//! tie, the two neighbours of the exact value), and counts of their rows.

use super::Invalid;
use super::extent::Extent;
use super::row::{Extremes, Gauge, compare};
use super::subject::Subject;
use super::totals::{ComparedRow, EntryTotals, GridPlace};
use super::ulp::{Ulp, around, negative_zeros, neighbour};
use posproof_encoding::convention::Component;
use posproof_numerics::format::Format;
use posproof_numerics::rounding::{nearest, nearest_rational};
use posproof_numerics::{Interval, Rational};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Precisions at which it is asked on which side of a number an exact value lies.
const PRECISIONS: [u32; 3] = [128, 512, 2048];

/// An entry that was compared: where it stands, the vector that it was rotated from, the reference
/// and how far that may be from the exact value.
pub(super) struct Compared<'a> {
    pub place: GridPlace,
    pub x: &'a [f64],
    pub got: f64,
    pub reference: f64,
    pub error: f64,
}

/// Exact values below this share of the amplitude are near zero.
const NEAR_ZERO: f64 = 1.0 / 256.0;

/// Entries of a comparison, of one axis or of several.
pub(super) trait ComparedEntries {
    /// The pair and the component of an entry; none for an entry that is not rotated.
    fn meaning(&self, place: GridPlace) -> Option<(usize, Component)>;

    /// The format that the entries of a grid should have.
    fn format(&self, grid: usize) -> Format;

    /// The largest amplitude.
    fn gain(&self) -> f64;

    /// Subject of the comparison.
    fn subject(&self) -> Subject<'_>;

    /// Distance of the reference of an entry from its exact value, at most.
    fn reference_error(&self, place: GridPlace, x: &[f64], reference: f64) -> f64;

    /// False once an entry was found that is no neighbour of its exact value.
    fn faithful(&self) -> &AtomicBool;

    /// Places of finite entries beyond their bounds, and of those that are not finite.
    fn extents(&self) -> (&Extent, &Extent);

    /// The exact value of an entry, enclosed; `x` is the row's vector, for a rotation.
    fn enclose(&self, place: GridPlace, x: &[f64], bits: u32) -> Option<Interval>;

    /// The exact value of an entry where it is known to be rational: only such a value may lie half way between two numbers.
    fn rational(&self, place: GridPlace, x: &[f64]) -> Option<Rational>;

    /// True if the entries are those of rotated vectors, whose reference is computed in binary64.
    fn is_rotation(&self) -> bool {
        matches!(self.subject(), Subject::Rotation { .. })
    }

    /// An enclosure of the exact value of an entry, 128 bits wide.
    ///
    /// # Errors
    ///
    /// Where the vector that was rotated cannot be read.
    fn enclosed(&self, place: GridPlace) -> Result<Option<Interval>, Invalid> {
        let mut vector = Vec::new();
        if let Subject::Rotation { x, .. } = self.subject() {
            x.read(place.slab, place.row..place.row + 1, &mut vector)?;
        }
        Ok(self.enclose(place, &vector, 128))
    }

    /// True if an exact value is not near zero, so that units in its last place say something of it.
    fn is_weighed(&self, exact: f64) -> bool {
        exact.abs() >= NEAR_ZERO * self.gain()
    }

    /// The unit in the last place of a value, in the format of an entry.
    fn unit(&self, place: GridPlace, value: f64) -> f64 {
        Ulp::new(self.format(place.grid)).of(value)
    }

    /// Counts a row. The reference of a table is the correctly rounded binary64 number, so that only an entry that is half a unit
    /// from it has to be enclosed; that of a rotation has an error of its own, and decides nothing of entries in binary64.
    fn count(
        &self,
        row: &ComparedRow<'_>,
        x: &[f64],
        extremes: &mut Extremes,
        (totals, largest): (&mut EntryTotals, &mut Option<f64>),
    ) {
        let &ComparedRow { place, got, expected, .. } = row;
        let (format, rotation) = (self.format(place.grid), self.is_rotation());
        let near_zero = (NEAR_ZERO * self.gain()).max(f64::MIN_POSITIVE);
        let counts = compare(format, Gauge { near_zero, threshold: *largest }, (got, expected, row.bounds), extremes);
        let mut incorrect = counts.incorrect;
        let compared = |column: usize| {
            let (place, reference) = (GridPlace { column, ..place }, expected[column]);
            let error = self.reference_error(place, x, reference);
            Compared { place, x, got: got[column], reference, error }
        };
        if format == Format::F64 && rotation {
            totals.undecided = true;
            totals.unfaithful = true;
        } else if counts.close || rotation {
            incorrect = (0..got.len()).filter(|&column| !self.is_correct(format, &compared(column))).count() as u64;
        }
        if counts.zero && !rotation {
            let zeros = negative_zeros(format, got, expected);
            (incorrect, totals.negative_zeros) = (incorrect + zeros, totals.negative_zeros + zeros);
        }
        if incorrect > 0 && !totals.unfaithful && self.faithful().load(Relaxed) {
            totals.unfaithful = (0..got.len()).any(|column| !self.is_faithful(format, &compared(column)));
            self.faithful().fetch_and(!totals.unfaithful, Relaxed);
        }
        totals.incorrect += incorrect;
        totals.row(row, &counts, (extremes, largest), self.extents());
    }

    /// True if an entry is the correct rounding of the exact value.
    fn is_correct(&self, format: Format, entry: &Compared<'_>) -> bool {
        let &Compared { place, x, got, reference, error } = entry;
        let (low, high) = (format.round(reference - error), format.round(reference + error));
        if low == high {
            return got == low;
        }
        let between = low <= got && got <= high;
        let rounded = || match self.rational(place, x) {
            Some(exact) => nearest_rational(format, &exact),
            None => nearest(format, |bits| self.enclose(place, x, bits)),
        };
        between && rounded() == Some(got)
    }

    /// True if an entry is the exact value, or one of its two neighbours.
    fn is_faithful(&self, format: Format, entry: &Compared<'_>) -> bool {
        let &Compared { place, x, got, reference, error } = entry;
        let (below, above) = (around(format, reference - error).0, around(format, reference + error).1);
        if below < above && neighbour(format, below, true) == above {
            // No number of the format lies within the error: both neighbours are known.
            return got == below || got == above;
        }
        if !(below <= got && got <= above) {
            return false;
        }
        PRECISIONS.into_iter().find_map(|bits| {
            let exact = self.enclose(place, x, bits)?;
            if exact.is_point() && *exact.lower() == got {
                return Some(true);
            }
            // The exact value is strictly on one side of the entry: is it nearer than the next number?
            if *exact.lower() > got {
                let next = neighbour(format, got, true);
                return (*exact.upper() <= next).then_some(true).or((*exact.lower() > next).then_some(false));
            }
            if *exact.upper() < got {
                let next = neighbour(format, got, false);
                return (*exact.lower() >= next).then_some(true).or((*exact.upper() < next).then_some(false));
            }
            None
        }) == Some(true)
    }
}
