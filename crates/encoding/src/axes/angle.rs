//! Angles that are known exactly, and those of their cosines and sines that are rational.

use posproof_numerics::Rational;

/// An angle that is known exactly: a rational number, or a rational multiple of π.
///
/// For a rational angle other than 0 cosine and sine are transcendental (Lindemann); for a rational multiple of π they are
/// algebraic, and rational only where they are 0, ±1/2 or ±1 (Niven). So no other value that is known exactly is a tie between two
/// floating-point numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactAngle {
    /// The angle, or its quotient by π.
    pub value: Rational,
    /// True if it is multiplied by π.
    pub of_pi: bool,
}

impl ExactAngle {
    /// The angle 0.
    pub const ZERO: Self = Self { value: Rational::ZERO, of_pi: false };

    /// The sum, where it is rational or a rational multiple of π.
    pub fn plus(self, other: Self) -> Option<Self> {
        match () {
            () if other.value.is_zero() => Some(self),
            () if self.value.is_zero() => Some(other),
            () if self.of_pi == other.of_pi => Some(Self { value: self.value + other.value, of_pi: self.of_pi }),
            () => None,
        }
    }

    /// The cosine, where it is rational.
    pub fn cos(&self) -> Option<Rational> {
        if self.value.is_zero() {
            return Some(Rational::ONE);
        }
        cosine(self.twelfths()?)
    }

    /// The sine, where it is rational.
    pub fn sin(&self) -> Option<Rational> {
        if self.value.is_zero() {
            return Some(Rational::ZERO);
        }
        // sin φ = cos(φ − π/2), a quarter of a turn less.
        cosine((self.twelfths()? + 9) % 12)
    }

    /// The angle in twelfths of a turn, from 0 to 11, where it is a whole number of them.
    fn twelfths(&self) -> Option<u64> {
        let twelfths = self.value.clone() * Rational::from(6);
        let twelve = Rational::from(12);
        let turns = (&twelfths / &twelve).floor();
        (twelfths - turns * twelve).to_u64().filter(|_| self.of_pi)
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
            let angle = ExactAngle { value: (twelfths, 6i64).into(), of_pi: true };
            let radians = twelfths as f64 * std::f64::consts::FRAC_PI_6;
            for (found, value) in [(angle.cos(), radians.cos()), (angle.sin(), radians.sin())] {
                let rational = (2.0 * value - (2.0 * value).round()).abs() < 1e-9;
                assert_eq!(found.is_some(), rational, "{twelfths}");
                assert!(found.is_none_or(|found| (found.to_f64() - value).abs() < 1e-9), "{twelfths}");
            }
        }
        let plain = ExactAngle { value: Rational::from(2), of_pi: false };
        assert_eq!((plain.cos(), plain.sin()), (None, None));
        assert_eq!((ExactAngle::ZERO.cos(), ExactAngle::ZERO.sin()), (Some(Rational::ONE), Some(Rational::ZERO)));
    }
}
