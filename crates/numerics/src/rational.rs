//! Exact rational numbers.

use dashu_base::{Abs, Inverse, SquareRoot, UnsignedAbs};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::cmp::Ordering;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub};

/// 2^53: binary64 has every whole number up to it.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// A rational number in lowest terms.
///
/// ```
/// use posproof_numerics::Rational;
/// let third = Rational::from((1, 3));
/// assert_eq!(third.clone() + Rational::from((1, 6)), Rational::from((1, 2)));
/// assert_eq!(Rational::from_f64(0.1).unwrap() == Rational::from((1, 10)), false);
/// assert_eq!(third.to_string(), "1/3");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rational(RBig);

impl Rational {
    /// Zero.
    pub const ZERO: Self = Self(RBig::ZERO);
    /// One.
    pub const ONE: Self = Self(RBig::ONE);

    /// The binary64 number, exactly; none for infinities and NaN.
    pub fn from_f64(x: f64) -> Option<Self> {
        // Whole numbers are common, and need no search for their lowest terms.
        if x.fract() == 0.0 && x.abs() <= WHOLE {
            return Some(Self((x as i64).into()));
        }
        RBig::try_from(x).ok().map(Self)
    }

    /// The integer that decimal digits say, with an optional sign; none for anything else.
    pub fn from_digits(digits: &str) -> Option<Self> {
        IBig::from_str_radix(digits, 10).ok().map(|integer| Self(integer.into()))
    }

    /// 10^exponent.
    pub fn power_of_ten(exponent: i32) -> Self {
        let power = UBig::from(10u8).pow(exponent.unsigned_abs() as usize);
        let power = Self(power.into());
        if exponent < 0 { power.recip() } else { power }
    }

    /// 2^exponent.
    pub fn power_of_two(exponent: i64) -> Self {
        let power = Self((UBig::ONE << exponent.unsigned_abs() as usize).into());
        if exponent < 0 { power.recip() } else { power }
    }

    /// The binary64 number nearest to it, ties to even.
    pub fn to_f64(&self) -> f64 {
        match self.to_i64().map(|whole| whole as f64).filter(|whole| whole.abs() <= WHOLE) {
            Some(whole) => whole,
            None => self.0.to_f64().value(),
        }
    }

    /// The value, if it is an integer from −2^63 to 2^63 − 1.
    pub fn to_i64(&self) -> Option<i64> {
        self.0.is_int().then(|| i64::try_from(self.0.numerator()).ok()).flatten()
    }

    /// The value, if it is an integer from 0 to 2^64 − 1.
    pub fn to_u64(&self) -> Option<u64> {
        self.0.is_int().then(|| u64::try_from(self.0.numerator()).ok()).flatten()
    }

    /// True if it is an integer.
    pub fn is_integer(&self) -> bool {
        self.0.is_int()
    }

    /// True if it is zero.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// True if the denominator is a power of two, so that some binary format holds the number.
    pub(crate) fn is_dyadic(&self) -> bool {
        dashu_base::PowerOfTwo::is_power_of_two(self.0.denominator())
    }

    /// The number of bits of the numerator.
    pub fn numerator_bits(&self) -> u32 {
        bits(self.0.numerator().unsigned_abs())
    }

    /// The number of bits of the denominator.
    pub fn denominator_bits(&self) -> u32 {
        bits(self.0.denominator().clone())
    }

    /// The reciprocal; zero has none and stays zero.
    pub fn recip(self) -> Self {
        if self.is_zero() { self } else { Self(self.0.inv()) }
    }

    /// The largest integer that is not above it.
    pub fn floor(&self) -> Self {
        Self(self.0.floor().into())
    }

    /// The smallest integer that is not below it.
    pub fn ceil(&self) -> Self {
        Self(self.0.ceil().into())
    }

    /// The absolute value.
    pub fn abs(&self) -> Self {
        Self(self.0.clone().abs())
    }

    /// The square.
    pub fn square(&self) -> Self {
        Self(&self.0 * &self.0)
    }

    /// The power with a non-negative exponent.
    pub fn pow(&self, exponent: u32) -> Self {
        Self(self.0.pow(exponent as isize))
    }

    /// The non-negative square root, where it is rational.
    pub fn square_root(&self) -> Option<Self> {
        let numerator = UBig::try_from(self.0.numerator().clone()).ok()?;
        let root = |square: &UBig| {
            let root = square.sqrt();
            (&root * &root == *square).then_some(root)
        };
        Some(Self(RBig::from_parts(root(&numerator)?.into(), root(self.0.denominator())?)))
    }

    /// The positive n-th root of a positive number, n ≥ 1, where it is rational.
    pub fn root(&self, n: u32) -> Option<Self> {
        let numerator = UBig::try_from(self.0.numerator().clone()).ok()?;
        let root = |power: &UBig| {
            let root = power.nth_root(n as usize);
            (root.pow(n as usize) == *power).then_some(root)
        };
        if numerator.is_zero() || n == 0 {
            return None;
        }
        Some(Self(RBig::from_parts(root(&numerator)?.into(), root(self.0.denominator())?)))
    }

    /// The digits of |x| and the number of them behind the decimal point, where that is finite.
    pub fn finite_decimal(&self) -> Option<(String, u32)> {
        let mut rest = self.0.denominator().clone();
        let twos = rest.trailing_zeros().unwrap_or(0);
        rest >>= twos;
        let (mut fives, five) = (0, UBig::from(5u8));
        while rest > UBig::ONE {
            let (quotient, remainder) = dashu_base::DivRem::div_rem(&rest, &five);
            if !remainder.is_zero() {
                return None;
            }
            (rest, fives) = (quotient, fives + 1);
        }
        let places = twos.max(fives) as u32;
        let scaled = self.clone() * Self::power_of_ten(places as i32);
        Some((scaled.0.numerator().unsigned_abs().to_string(), places))
    }

    pub(crate) fn numerator(&self) -> &IBig {
        self.0.numerator()
    }

    pub(crate) fn denominator(&self) -> &UBig {
        self.0.denominator()
    }

    pub(crate) fn from_integers(numerator: IBig, denominator: UBig) -> Self {
        Self(RBig::from_parts(numerator, denominator))
    }
}

fn bits(magnitude: UBig) -> u32 {
    dashu_base::BitTest::bit_len(&magnitude) as u32
}

/// Conversions from, and comparisons with, integers.
macro_rules! integers {
    ($($integer:ty)*) => {$(
        impl From<$integer> for Rational {
            fn from(integer: $integer) -> Self {
                Self(IBig::from(integer).into())
            }
        }
        impl From<($integer, $integer)> for Rational {
            /// The quotient; a denominator of zero counts as one.
            fn from((numerator, denominator): ($integer, $integer)) -> Self {
                let denominator = if denominator == 0 { 1 } else { denominator };
                Self(RBig::from_parts_signed(numerator.into(), denominator.into()))
            }
        }
        impl PartialEq<$integer> for Rational {
            fn eq(&self, other: &$integer) -> bool {
                self.0.is_int() && *self.0.numerator() == IBig::from(*other)
            }
        }
        impl PartialOrd<$integer> for Rational {
            fn partial_cmp(&self, other: &$integer) -> Option<Ordering> {
                self.partial_cmp(&Self::from(*other))
            }
        }
    )*};
}

integers! { i32 u32 i64 u64 usize }

/// Operators between values and references, in every combination that occurs.
macro_rules! operators {
    ($($operator:ident $method:ident)*) => {$(
        impl $operator for Rational {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0))
            }
        }
        impl $operator<&Rational> for Rational {
            type Output = Self;
            fn $method(self, other: &Self) -> Self {
                Self(self.0.$method(&other.0))
            }
        }
        impl $operator<Rational> for &Rational {
            type Output = Rational;
            fn $method(self, other: Rational) -> Rational {
                Rational((&self.0).$method(other.0))
            }
        }
        impl $operator for &Rational {
            type Output = Rational;
            fn $method(self, other: Self) -> Rational {
                Rational((&self.0).$method(&other.0))
            }
        }
    )*};
}

operators! { Add add Sub sub Mul mul }

impl Div<&Rational> for &Rational {
    type Output = Rational;
    /// The quotient; a divisor of zero gives zero.
    fn div(self, other: &Rational) -> Rational {
        if other.is_zero() { Rational::ZERO } else { Rational(&self.0 / &other.0) }
    }
}

impl Div for Rational {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        &self / &other
    }
}

impl Div<&Rational> for Rational {
    type Output = Self;
    fn div(self, other: &Self) -> Self {
        &self / other
    }
}

impl AddAssign for Rational {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl MulAssign for Rational {
    fn mul_assign(&mut self, other: Self) {
        self.0 *= other.0;
    }
}

impl Neg for Rational {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Sum for Rational {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Self::ZERO, |sum, term| sum + term)
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_finite_where_only_two_and_five_divide() {
        assert_eq!(Rational::from((1, 8)).finite_decimal(), Some(("125".into(), 3)));
        assert_eq!(Rational::from((-7, 250)).finite_decimal(), Some(("28".into(), 3)));
        assert_eq!(Rational::from((1, 3)).finite_decimal(), None);
        assert_eq!(Rational::ZERO.finite_decimal(), Some(("0".into(), 0)));
    }

    #[test]
    fn roots_are_rational_or_none() {
        assert_eq!(Rational::from((4, 9)).square_root(), Some(Rational::from((2, 3))));
        assert_eq!(Rational::from((4, 8)).square_root(), None);
        assert_eq!(Rational::from(-4).square_root(), None);
        assert_eq!(Rational::ZERO.square_root(), Some(Rational::ZERO));
        assert_eq!(Rational::from((1, 10000)).root(4), Some(Rational::from((1, 10))));
        assert_eq!(Rational::from(10000).root(3), None);
        assert_eq!(Rational::from(-8).root(3), None);
    }

    #[test]
    fn nothing_divides_by_zero() {
        assert_eq!(Rational::from((3, 0)), 3);
        assert_eq!(Rational::from(3) / Rational::ZERO, 0);
    }

    #[test]
    fn powers_and_parts() {
        assert_eq!(Rational::power_of_ten(-2), Rational::from((1, 100)));
        assert_eq!(Rational::power_of_two(-3), Rational::from((1, 8)));
        assert_eq!(Rational::from((-7, 2)).floor(), -4);
        assert_eq!(Rational::from((-7, 2)).ceil(), -3);
        assert_eq!(Rational::from_digits("-12345678901234567890").unwrap().to_string(), "-12345678901234567890");
        assert_eq!(Rational::from((6, 4)).pow(3).to_string(), "27/8");
    }
}
