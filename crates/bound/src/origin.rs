//! A bound, and where it comes from.

use super::upward::Upper;
use serde::{Serialize, Serializer};
use std::fmt;

/// An upper bound of an absolute error.
///
/// There is no constructor from a bare number: every bound comes out of the formula of a theorem, and
/// says of which. The value is rounded up.
///
/// ```compile_fail
/// let invented = posproof_bound::Bound { value: 1e-7, origin: todo!() };
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bound {
    value: f64,
    origin: Origin,
}

/// Where a bound comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A theorem of the Coq development, by its name.
    Theorem(&'static str),
    /// A theorem whose formula is evaluated with figures that two other theorems bound.
    Applied {
        /// The theorem whose formula is evaluated.
        theorem: &'static str,
        /// The theorems that bound what it speaks of.
        to: [&'static str; 2],
        /// Matters that the last of these is applied to in its turn, one after the other: a cast is of what a scaling rule makes of the
        /// frequencies of a path.
        over: &'static [&'static str],
    },
    /// A theorem, applied to every stretch of positions with its error of the angle: by `rounding_lattice_angle`, the
    /// maximum over the stretch's integers, found exactly by Euclid's algorithm.
    Lattice {
        /// The theorem whose formula is evaluated.
        theorem: &'static str,
        /// The theorem on the angle.
        angles: &'static str,
    },
    /// A published theorem: document and place.
    Cited(&'static str),
    /// Derived from theorems or published lemmas: the place of the derivation.
    Derived(&'static str),
    /// The two values lie within an interval of this length whatever the program does.
    Trivial,
}

impl Bound {
    /// The smaller of a formula's value and the trivial bound.
    pub(super) fn clipped(value: Upper, origin: Origin, trivial: Upper) -> Self {
        if value < trivial {
            Self { value: value.get(), origin }
        } else {
            Self { value: trivial.get(), origin: Origin::Trivial }
        }
    }

    /// A formula's value, for what has no trivial bound.
    pub(super) fn of(value: Upper, origin: Origin) -> Self {
        Self { value: value.get(), origin }
    }

    /// The bound.
    pub fn value(self) -> f64 {
        self.value
    }

    /// Where it comes from.
    pub fn origin(self) -> Origin {
        self.origin
    }

    /// The larger of two bounds.
    pub fn max(self, other: Self) -> Self {
        if other.value > self.value { other } else { self }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Theorem(name) => write!(f, "theorem {name}"),
            Self::Applied { theorem, to: [one, other], over } => {
                write!(f, "theorem {theorem}, applied to {one} and {other}")?;
                over.iter().try_for_each(|over| write!(f, ", over {over}"))
            }
            Self::Lattice { theorem, angles } => write!(f, "theorem {theorem}, applied stretch by stretch to {angles}"),
            Self::Cited(place) => write!(f, "cited: {place}"),
            Self::Derived(from) => write!(f, "derived: {from}"),
            Self::Trivial => f.write_str("trivial: |sin|, |cos| ≤ 1"),
        }
    }
}

impl Serialize for Origin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
