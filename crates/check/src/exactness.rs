//! Decisions that binary64 cannot make about an entry: its correct rounding next to a tie, and whether an entry is one
//! of the two neighbours of the exact value.

use super::compare::TableComparison;
use super::subject::Subject;
use super::totals::GridPlace;
use super::ulp::{around, neighbour};
use posproof_encoding::convention::Component;
use posproof_numerics::format::Format;
use posproof_numerics::rounding::{nearest, nearest_rational};
use posproof_numerics::{Interval, Rational};

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

/// Exact values of the entries of a comparison.
pub(super) trait Exact {
    /// The exact value of an entry, enclosed; `x` is the row's vector, for a rotation.
    fn enclose(&self, place: GridPlace, x: &[f64], bits: u32) -> Option<Interval>;

    /// The exact value of an entry where it is known to be rational: only such a value may lie half way between two numbers.
    fn rational(&self, place: GridPlace, x: &[f64]) -> Option<Rational>;

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

impl Exact for TableComparison<'_> {
    fn enclose(&self, place: GridPlace, x: &[f64], bits: u32) -> Option<Interval> {
        let position = self.position(place.row);
        let entry = |pair, component| self.entries().enclose(position, pair, component, bits);
        if !matches!(self.subject(), Subject::Rotation { .. }) {
            let (pair, component) = self.meaning(place)?;
            return entry(pair, component);
        }
        let Some((pair, component)) = self.meaning(place) else {
            return Some(Interval::exactly(*x.get(place.column)?));
        };
        let &(a, b) = self.wiring().read.get(pair)?;
        let (a, b) = (Interval::exactly(*x.get(a)?), Interval::exactly(*x.get(b)?));
        let (cos, sin) = (entry(pair, Component::Cos)?, entry(pair, Component::Sin)?);
        Some(if component == Component::Cos { a * cos - b * sin } else { a * sin + b * cos })
    }

    fn rational(&self, place: GridPlace, x: &[f64]) -> Option<Rational> {
        let position = self.position(place.row);
        let entry = |pair, component| self.entries().exact(position, pair, component);
        let Some((pair, component)) = self.meaning(place) else { return Rational::from_f64(*x.get(place.column)?) };
        if !matches!(self.subject(), Subject::Rotation { .. }) {
            return entry(pair, component);
        }
        let &(a, b) = self.wiring().read.get(pair)?;
        let (a, b) = (Rational::from_f64(*x.get(a)?)?, Rational::from_f64(*x.get(b)?)?);
        if a.is_zero() && b.is_zero() {
            return Some(a);
        }
        let (cos, sin) = (entry(pair, Component::Cos)?, entry(pair, Component::Sin)?);
        Some(if component == Component::Cos { a * cos - b * sin } else { a * sin + b * cos })
    }
}
