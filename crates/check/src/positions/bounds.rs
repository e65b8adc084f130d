//! The bounds that positions are excluded by: those of a convention of one axis, or of one axis among several.

use posproof_bound::{Allowance, AxialAllowance};

/// Bounds that grow with the distance of a position from the origin.
#[derive(Clone, Debug)]
pub(super) enum Bounds {
    /// Of a convention of one axis at whole positions, pair by pair.
    Position(Allowance),
    /// Of conventions of several axes, and of one at fractional positions, slot by slot.
    Axis(AxialAllowance),
}

impl Bounds {
    /// The bound for an entry of magnitude `exact` at most, where |x| + |offset| ≤ `t`.
    pub fn entry(&self, pair: usize, t: f64, exact: f64) -> f64 {
        match self {
            Self::Position(allowance) => allowance.of(pair, t, exact),
            Self::Axis(allowance) => allowance.entry(allowance.within(pair, t), exact),
        }
    }

    /// The same for an entry of a rotated pair of this length.
    pub fn rotated(&self, pair: usize, t: f64, length: f64) -> f64 {
        match self {
            Self::Position(allowance) => allowance.rotated(pair, t, length),
            Self::Axis(allowance) => allowance.rotated(allowance.within(pair, t), pair, length),
        }
    }
}
