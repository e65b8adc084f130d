//! Reach of bounds.

/// At least |x| + |offset| for every x that is a multiple of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct PositionReach {
    pub step: f64,
    pub offset: f64,
}

impl PositionReach {
    /// For a multiple of the step, in binary64: the sum, and more than what the roundings of step, offset, product and sum take from it.
    pub fn of(self, multiple: i64) -> f64 {
        let sum = (multiple as f64).abs() * self.step + self.offset;
        (sum * (1.0 + 2.0 * f64::EPSILON)).next_up()
    }
}
