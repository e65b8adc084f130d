//! From the position of a row to its effective position, the number that every frequency is multiplied by.

use crate::convention::{Convention, Direction};
use posproof_numerics::Rational;

/// The law of a convention: a row at position p has the *count* p + `position_offset` and the *effective position*
/// (p + `position_offset`)·`position_scale`; the angle of pair k is ± the effective position times ω_k, with the sign of the
/// `direction`.
///
/// Exactly, for enclosures; and in binary64, each value within 2^−52 of the exact one relative to the larger of |p| and
/// |`position_offset`| times the scale, for comparing and diagnosing.
///
/// ```
/// use posproof_encoding::Law;
/// use posproof_encoding::convention::Convention;
/// let shifted = Convention { position_offset: 2.into(), position_scale: "1/4".parse().unwrap(), ..Convention::rope(64) };
/// let law = Law::new(&shifted);
/// assert_eq!(law.exact(7).to_string(), "9/4");
/// assert_eq!((law.count(7.0), law.effective(7.0), law.position(2.25)), (9.0, 2.25, 7.0));
/// ```
#[derive(Clone, Debug)]
pub struct Law {
    offset: Rational,
    scale: Rational,
    sense: f64,
    approximate_offset: f64,
    approximate_scale: f64,
}

impl Law {
    /// The law of a convention.
    pub fn new(convention: &Convention) -> Self {
        let (offset, scale) = (convention.position_offset.value().clone(), convention.position_scale.value().clone());
        let sense = if convention.direction == Direction::CounterClockwise { 1.0 } else { -1.0 };
        let (approximate_offset, approximate_scale) = (offset.to_f64(), scale.to_f64());
        Self { offset, scale, sense, approximate_offset, approximate_scale }
    }

    /// p + offset, in binary64.
    pub fn count(&self, position: f64) -> f64 {
        position + self.approximate_offset
    }

    /// |p| + |offset|, in binary64: what the errors of an angle grow with, because those of both terms remain where the sum
    /// cancels.
    pub fn reach(&self, position: f64) -> f64 {
        position.abs() + self.approximate_offset.abs()
    }

    /// (p + offset)·scale, in binary64.
    pub fn effective(&self, position: f64) -> f64 {
        self.count(position) * self.approximate_scale
    }

    /// The position with this effective position, in binary64.
    pub fn position(&self, effective: f64) -> f64 {
        effective / self.approximate_scale - self.approximate_offset
    }

    /// Change of the effective position by one position, in binary64.
    pub fn scale(&self) -> f64 {
        self.approximate_scale
    }

    /// 1 for a counter-clockwise rotation, −1 for a clockwise one.
    pub fn sense(&self) -> f64 {
        self.sense
    }

    /// The offset, where it is an integer from −2^63 to 2^63 − 1.
    pub fn whole_offset(&self) -> Option<i64> {
        self.offset.to_i64()
    }

    /// (p + offset)·scale, exactly.
    pub fn exact(&self, position: u64) -> Rational {
        (Rational::from(position) + &self.offset) * &self.scale
    }

    /// ±(p + offset)·scale, exactly: what ω_k is multiplied by.
    pub fn turned(&self, position: u64) -> Rational {
        let exact = self.exact(position);
        if self.sense < 0.0 { -exact } else { exact }
    }

    /// ±scale, exactly: what one position adds to [`turned`](Self::turned).
    pub fn step(&self) -> Rational {
        if self.sense < 0.0 { -self.scale.clone() } else { self.scale.clone() }
    }

    /// True if the angle of a positive frequency decreases from position to position.
    pub fn is_mirrored(&self) -> bool {
        (self.sense < 0.0) != (self.scale < 0)
    }

    /// The position at which every angle is 0, where there is one.
    pub fn origin(&self) -> Option<u64> {
        (-self.offset.clone()).to_u64()
    }
}
