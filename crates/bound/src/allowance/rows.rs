//! The bounds of a row of entries at once, in plain arithmetic that the compiler makes vector instructions of.

use super::{Allowance, UPWARD};
use posproof_table::Loop;

/// The bounds of a row.
pub(super) struct Bounds<'a> {
    pub gain: f64,
    pub flat: f64,
    pub unit: f64,
    pub tiny: f64,
    pub t: f64,
    pub slopes: &'a [f64],
    pub exact: &'a [f64],
    pub bounds: &'a mut [f64],
}

impl Loop for Bounds<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { gain, flat, unit, tiny, t, .. } = self;
        for ((bound, &exact), &slope) in self.bounds.iter_mut().zip(self.exact).zip(self.slopes) {
            let angle = t * slope;
            let computed = gain * (if angle < 2.0 { angle } else { 2.0 } + flat);
            *bound = (unit * (exact.abs() + computed) + computed + tiny) * UPWARD;
        }
    }
}

/// The bounds of a row of rotated pairs.
pub(super) struct TurnedBounds<'a> {
    pub allowance: &'a Allowance,
    pub grown: f64,
    pub t: f64,
    pub lengths: &'a [f64],
    pub bounds: &'a mut [f64],
}

impl Loop for TurnedBounds<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { allowance, grown, t, .. } = self;
        let (gain, storage) = (allowance.gain, allowance.storage);
        for ((bound, &length), &slope) in self.bounds.iter_mut().zip(self.lengths).zip(&allowance.slopes) {
            *bound = storage.turned(allowance.computed_at(t * slope, grown), gain, length);
        }
    }
}
