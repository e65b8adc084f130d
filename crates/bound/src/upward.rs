//! Upper bounds in binary64: every operation is rounded up.

use posproof_numerics::format::{Format, power_of_two};
use std::ops::{Add, Mul};

/// An upper bound of a non-negative real number. Infinite where nothing is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub(super) struct Upper(f64);

impl Upper {
    pub const ZERO: Self = Self(0.0);

    /// A number that is negative or undefined is no bound: infinite.
    pub fn of(value: f64) -> Self {
        Self(if value >= 0.0 { value } else { f64::INFINITY })
    }

    /// The quotient by a lower bound of a positive number; infinite where that is not positive.
    pub fn over(self, below: f64) -> Self {
        if self.0 == 0.0 && below > 0.0 {
            return self;
        }
        Self(if below > 0.0 { (self.0 / below).next_up() } else { f64::INFINITY })
    }

    pub fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    pub fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }

    pub fn get(self) -> f64 {
        self.0
    }

    /// x·2^e, also where 2^e is no number of binary64.
    pub fn scaled(self, e: i32) -> Self {
        let step = e.clamp(-1000, 1000);
        let scaled = self * Self(power_of_two(step));
        if step == e { scaled } else { scaled.scaled(e - step) }
    }

    /// The difference of two numbers, rounded up; 0 where it is not positive.
    pub fn difference(larger: f64, smaller: f64) -> Self {
        match larger - smaller {
            gap if gap.is_nan() => Self(f64::INFINITY),
            gap if gap <= 0.0 => Self::ZERO,
            gap => Self(gap.next_up()),
        }
    }

    /// (1 + x)(1 + y) − 1 for two relative errors, without the cancellation.
    pub fn compose(self, other: Self) -> Self {
        self + other + self * other
    }

    /// (1 + x)^k − 1.
    pub fn repeat(self, k: u32) -> Self {
        let (mut power, mut square, mut rest) = (Self::ZERO, self, k);
        while rest > 0 {
            if rest % 2 == 1 {
                power = power.compose(square);
            }
            square = square.compose(square);
            rest /= 2;
        }
        power
    }

    /// e^x − 1.
    pub fn expm1(self) -> Self {
        if self.0 == 0.0 { self } else { Self(core_math::expm1(self.0).next_up()) }
    }

    /// −ln(1 − x); infinite from 1 on.
    pub fn minus_ln_one_minus(self) -> Self {
        if self.0 >= 1.0 { Self(f64::INFINITY) } else { Self((-core_math::log1p(-self.0)).next_up()) }
    }

    /// 1/(1 − x) − 1.
    pub fn reciprocal_excess(self) -> Self {
        self.over((1.0 - self.0).next_down())
    }
}

impl Add for Upper {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        match (self.0, other.0) {
            (0.0, _) => other,
            (_, 0.0) => self,
            (x, y) => Self((x + y).next_up()),
        }
    }
}

impl Mul for Upper {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        // 0·∞ counts as 0: a factor that is exactly zero leaves no error.
        if self.0 == 0.0 || other.0 == 0.0 { Self::ZERO } else { Self((self.0 * other.0).next_up()) }
    }
}

/// u.
pub(super) fn unit(format: Format) -> Upper {
    Upper(format.unit_roundoff())
}

/// v = u/(1 + u); 1 + u is exact, or rounded down to 1 in binary64.
pub(super) fn sharp_unit(format: Format) -> Upper {
    unit(format).over(1.0 + format.unit_roundoff())
}

/// η, the smallest positive number.
pub(super) fn smallest(format: Format) -> Upper {
    Upper(format.min_positive())
}

/// spacing(x) = max(2^(e−p), η), where e is the least integer with |x| ≤ 2^e (`RoundingFormat.v`).
pub(super) fn spacing(format: Format, x: Upper) -> Upper {
    if x.0 == 0.0 || x.0.is_infinite() {
        return if x.0 == 0.0 { smallest(format) } else { x };
    }
    Upper(power_of_two(binade(x.0) - format.precision() as i32)).max(smallest(format))
}

/// The least integer e with |x| ≤ 2^e, for x ≠ 0.
pub(super) fn binade(x: f64) -> i32 {
    let bits = x.abs().to_bits();
    let exponent = (bits >> 52) as i32;
    if exponent == 0 {
        // Subnormal: x is a multiple of 2^−1074.
        return 64 - (bits - 1).leading_zeros() as i32 - 1074;
    }
    exponent - 1023 + i32::from(bits & ((1 << 52) - 1) != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binades_end_at_powers_of_two() {
        assert_eq!(
            [1.0, 1.5, 2.0, 0.5, 2f64.powi(-1074), 3.0 * 2f64.powi(-1074)].map(binade),
            [0, 1, 1, -1, -1074, -1072]
        );
        assert_eq!(spacing(Format::F32, Upper::of(1.0)).get(), 2f64.powi(-24));
        assert_eq!(spacing(Format::F32, Upper::of(1.1)).get(), 2f64.powi(-23));
        assert_eq!(spacing(Format::F16, Upper::of(1e-9)).get(), 2f64.powi(-24));
    }

    #[test]
    fn powers_of_two_beyond_binary64_do_not_make_an_error_vanish() {
        let most = Upper::of(1e30);
        assert!(most.scaled(-1100).get() > 0.0 && most.scaled(-1100).get() < 1e-300);
        assert_eq!(most.scaled(-3000).get(), f64::from_bits(1));
        assert_eq!(Upper::ZERO.scaled(-1100).get(), 0.0);
    }

    #[test]
    fn relative_errors_compose() {
        let x = Upper::of(0.25);
        assert!((x.repeat(3).get() - (1.25f64.powi(3) - 1.0)).abs() < 1e-15);
        assert!(x.repeat(3).get() >= 1.25f64.powi(3) - 1.0);
        assert_eq!(Upper::of(-1.0).get(), f64::INFINITY);
    }
}
