//! Angles that are known exactly, and those of their cosines and sines that are rational.

use posproof_numerics::Rational;

/// An angle that is known exactly: a + b·π with rational a and b.
///
/// Cosine and sine are transcendental where a is not 0 (Lindemann: exp(ia) is, and exp(ibπ) is algebraic). Of a rational multiple of π
/// they are algebraic, and rational only where they are 0, ±1/2 or ±1 (Niven). So no other value that is known exactly is a tie between
/// two floating-point numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactAngle {
    /// a.
    pub plain: Rational,
    /// b.
    pub of_pi: Rational,
}

impl ExactAngle {
    /// The angle 0.
    pub const ZERO: Self = Self { plain: Rational::ZERO, of_pi: Rational::ZERO };

    /// True if it is 0: π is irrational.
    pub fn is_zero(&self) -> bool {
        self.plain.is_zero() && self.of_pi.is_zero()
    }

    /// The sum.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { plain: self.plain + other.plain, of_pi: self.of_pi + other.of_pi }
    }

    /// A rational multiple.
    #[must_use]
    pub fn times(self, factor: &Rational) -> Self {
        Self { plain: self.plain * factor, of_pi: self.of_pi * factor }
    }

    /// π times it, where that is a + b·π again: a rational multiple of π times π is none.
    pub fn times_pi(self) -> Option<Self> {
        self.of_pi.is_zero().then_some(Self { plain: Rational::ZERO, of_pi: self.plain })
    }

    /// The cosine, where it is rational.
    pub fn cos(&self) -> Option<Rational> {
        cosine(self.twelfths()?)
    }

    /// The sine, where it is rational.
    pub fn sin(&self) -> Option<Rational> {
        // sin φ = cos(φ − π/2), a quarter of a turn less.
        cosine((self.twelfths()? + 9) % 12)
    }

    /// The angle in twelfths of a turn, from 0 to 11, where it is a whole number of them.
    fn twelfths(&self) -> Option<u64> {
        let twelfths = self.of_pi.clone() * Rational::from(6);
        let twelve = Rational::from(12);
        let turns = (&twelfths / &twelve).floor();
        (twelfths - turns * twelve).to_u64().filter(|_| self.plain.is_zero())
    }
}

/// The cosine of so many twelfths of a turn, where it is rational.
fn cosine(twelfths: u64) -> Option<Rational> {
    Some(match twelfths {
        0 => Rational::ONE,
        2 | 10 => Rational::from((1, 2)),
        3 | 9 => Rational::ZERO,
        4 | 8 => Rational::from((-1, 2)),
        6 => Rational::from(-1),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rational_values_are_those_of_niven() {
        for twelfths in -30i64..30 {
            let angle = ExactAngle { plain: 0.into(), of_pi: (twelfths, 6i64).into() };
            let radians = twelfths as f64 * std::f64::consts::FRAC_PI_6;
            for (found, value) in [(angle.cos(), radians.cos()), (angle.sin(), radians.sin())] {
                let rational = (2.0 * value - (2.0 * value).round()).abs() < 1e-9;
                assert_eq!(found.is_some(), rational, "{twelfths}");
                assert!(found.is_none_or(|found| (found.to_f64() - value).abs() < 1e-9), "{twelfths}");
            }
        }
        for of_pi in [0, 1] {
            let angle = ExactAngle { plain: 2.into(), of_pi: of_pi.into() };
            assert_eq!((angle.cos(), angle.sin()), (None, None));
        }
        assert_eq!((ExactAngle::ZERO.cos(), ExactAngle::ZERO.sin()), (Some(Rational::ONE), Some(Rational::ZERO)));
    }
}
