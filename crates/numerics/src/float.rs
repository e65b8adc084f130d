//! Binary floating-point numbers of any precision, rounded in a stated direction.

use crate::Rational;
use crate::binary64::power_of_two;
use crate::operations::{quotient, rounded, shifted, sum};
use dashu_base::{BitTest, Sign};
use dashu_float::round::mode;
use dashu_float::{Context, FBig, Repr};
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;

/// The direction of a rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// To the nearest number, ties to even.
    Nearest,
    /// Towards −∞.
    Down,
    /// Towards +∞.
    Up,
}

/// A number m·2^e with an exponent of any size, or *undefined*: the result of an operation that has no
/// finite value. What is undefined stays so through every operation and compares with nothing.
///
/// Arithmetic, square root, exponential and logarithm are correctly rounded.
///
/// ```
/// use posproof_numerics::{Float, Round};
/// let third = Float::from_f64(1.0).div(&Float::from_f64(3.0), 100, Round::Down);
/// assert!(third.to_f64(Round::Up) > third.to_f64(Round::Down));
/// assert_eq!(third.to_f64(Round::Nearest), 1.0 / 3.0);
/// ```
#[derive(Clone, Debug)]
pub struct Float(Option<Repr<2>>);

/// An operation of the library in a direction known at run time.
macro_rules! correctly {
    ($bits:expr, $round:expr, $context:ident => $operation:expr) => {{
        fn value<R: dashu_float::round::Round>(result: dashu_float::FpResult<FBig<R, 2>>) -> Float {
            Float::kept(result.ok().map(|rounded| rounded.value().into_repr()))
        }
        let bits = $bits as usize;
        match $round {
            Round::Nearest => {
                let $context = Context::<mode::HalfEven>::new(bits);
                value($operation)
            }
            Round::Down => {
                let $context = Context::<mode::Down>::new(bits);
                value($operation)
            }
            Round::Up => {
                let $context = Context::<mode::Up>::new(bits);
                value($operation)
            }
        }
    }};
}

impl Float {
    /// Zero.
    pub const ZERO: Self = Self(Some(Repr::zero()));
    /// The number that there is not.
    pub(crate) const UNDEFINED: Self = Self(None);

    fn kept(value: Option<Repr<2>>) -> Self {
        // One zero only: the sign of zero has no meaning for an end of an enclosure.
        Self(value.filter(Repr::is_finite).map(|repr| if repr.significand().is_zero() { Repr::zero() } else { repr }))
    }

    /// The binary64 number, exactly; undefined for infinities and NaN.
    pub fn from_f64(x: f64) -> Self {
        Self::kept(FBig::<mode::Zero, 2>::try_from(x).ok().map(FBig::into_repr))
    }

    pub(crate) fn from_parts(significand: IBig, exponent: isize) -> Self {
        Self(Some(Repr::new(significand, exponent)))
    }

    /// The rational number, rounded to `bits` bits.
    pub fn from_rational(x: &Rational, bits: u32, round: Round) -> Self {
        match x.is_integer() {
            true => rounded(x.numerator().clone(), 0, bits, round),
            false => quotient((x.numerator(), 0), (&x.denominator().clone().into(), 0), bits, round),
        }
    }

    fn binary(&self, other: &Self, operation: impl Fn(&Repr<2>, &Repr<2>) -> Self) -> Self {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => operation(a, b),
            _ => Self::UNDEFINED,
        }
    }

    fn unary(&self, operation: impl Fn(&Repr<2>) -> Self) -> Self {
        self.0.as_ref().map_or(Self::UNDEFINED, operation)
    }

    /// The sum.
    pub fn add(&self, other: &Self, bits: u32, round: Round) -> Self {
        self.binary(other, |a, b| sum(parts(a), parts(b), bits, round))
    }

    /// The difference.
    pub fn sub(&self, other: &Self, bits: u32, round: Round) -> Self {
        self.binary(other, |a, b| sum(parts(a), (&-b.significand(), b.exponent()), bits, round))
    }

    /// The product.
    pub fn mul(&self, other: &Self, bits: u32, round: Round) -> Self {
        self.binary(other, |a, b| rounded(a.significand() * b.significand(), a.exponent() + b.exponent(), bits, round))
    }

    /// The quotient; undefined for a divisor of zero.
    pub fn div(&self, other: &Self, bits: u32, round: Round) -> Self {
        self.binary(other, |a, b| match b.significand().is_zero() {
            true => Self::UNDEFINED,
            false => quotient(parts(a), parts(b), bits, round),
        })
    }

    /// The square root; undefined for negative numbers.
    pub fn sqrt(&self, bits: u32, round: Round) -> Self {
        self.unary(|x| match x.sign() {
            Sign::Negative => Self::UNDEFINED,
            Sign::Positive => correctly!(bits, round, context => context.sqrt(x)),
        })
    }

    /// e^x.
    pub fn exp(&self, bits: u32, round: Round) -> Self {
        self.unary(|x| correctly!(bits, round, context => context.exp::<2>(x, None)))
    }

    /// e^x − 1.
    pub fn exp_m1(&self, bits: u32, round: Round) -> Self {
        self.unary(|x| correctly!(bits, round, context => context.exp_m1::<2>(x, None)))
    }

    /// The natural logarithm; undefined for numbers that are not positive.
    pub fn ln(&self, bits: u32, round: Round) -> Self {
        self.unary(|x| match *x > Repr::zero() {
            true => correctly!(bits, round, context => context.ln::<2>(x, None)),
            false => Self::UNDEFINED,
        })
    }

    /// The number rounded to `bits` bits.
    pub fn round_to(&self, bits: u32, round: Round) -> Self {
        self.add(&Self::ZERO, bits, round)
    }

    /// −x.
    pub fn neg(&self) -> Self {
        self.unary(|x| Self::kept(Some(-x.clone())))
    }

    /// |x|.
    pub fn abs(&self) -> Self {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// x·2^exponent.
    pub fn scaled(&self, exponent: i32) -> Self {
        self.unary(|x| match x.significand().is_zero() {
            true => Self::ZERO,
            false => Self::from_parts(x.significand().clone(), x.exponent() + exponent as isize),
        })
    }

    /// True if it is a number.
    pub fn is_defined(&self) -> bool {
        self.0.is_some()
    }

    /// True if it is zero.
    pub fn is_zero(&self) -> bool {
        self.0.as_ref().is_some_and(|x| x.significand().is_zero())
    }

    /// True if it is below zero.
    pub fn is_negative(&self) -> bool {
        self.0.as_ref().is_some_and(|x| *x.significand() < IBig::ZERO)
    }

    /// The e with 2^(e−1) ≤ |x| < 2^e; none for zero and for what is undefined.
    pub fn exponent(&self) -> Option<i64> {
        let x = self.0.as_ref().filter(|x| !x.significand().is_zero())?;
        Some(x.significand().bit_len() as i64 + x.exponent() as i64)
    }

    /// The exact value; none for what is undefined.
    pub fn to_rational(&self) -> Option<Rational> {
        let x = self.0.as_ref()?;
        let shift = x.exponent().unsigned_abs();
        Some(match x.exponent() {
            0.. => Rational::from_integers(x.significand() << shift, UBig::ONE),
            _ => Rational::from_integers(x.significand().clone(), UBig::ONE << shift),
        })
    }

    pub(crate) fn parts(&self) -> Option<(&IBig, isize)> {
        self.0.as_ref().map(|x| (x.significand(), x.exponent()))
    }

    /// x/2^quantum rounded to an integer; none for what is undefined.
    pub(crate) fn quanta(&self, quantum: i64, round: Round) -> Option<IBig> {
        let (significand, exponent) = self.parts()?;
        let shift = exponent as i64 - quantum;
        Some(if shift >= 0 { significand << shift as usize } else { shifted(significand, shift.unsigned_abs(), round) })
    }

    /// x/2^quantum rounded to the nearest integer, ties to even, which binary64 must be able to hold.
    pub(crate) fn quanta_f64(&self, quantum: i32) -> f64 {
        let quanta = self.quanta(i64::from(quantum), Round::Nearest);
        quanta.and_then(|quanta| i64::try_from(&quanta).ok()).map_or(f64::NAN, |quanta| quanta as f64)
    }

    /// x·2^scale rounded to an integer, if that is below 2^127.
    pub fn to_integer(&self, scale: i32, round: Round) -> Option<i128> {
        if self.exponent().is_some_and(|exponent| exponent + i64::from(scale) > 128) {
            return None;
        }
        self.quanta(-i64::from(scale), round).and_then(|integer| i128::try_from(&integer).ok())
    }

    /// The largest integer that is not above it.
    pub fn floor(&self) -> Self {
        self.quanta(0, Round::Down).map_or(Self::UNDEFINED, |integer| Self::from_parts(integer, 0))
    }

    /// The smallest integer that is not below it.
    pub fn ceil(&self) -> Self {
        self.quanta(0, Round::Up).map_or(Self::UNDEFINED, |integer| Self::from_parts(integer, 0))
    }

    /// The number rounded to binary64, subnormal numbers and overflow included; NaN for what is undefined.
    pub fn to_f64(&self, round: Round) -> f64 {
        let negative = self.is_negative();
        let Some(exponent) = self.exponent() else {
            return if self.is_defined() { 0.0 } else { f64::NAN };
        };
        let away = (round == Round::Up) != negative;
        if exponent > 1024 {
            let largest = if round == Round::Nearest || away { f64::INFINITY } else { f64::MAX };
            return if negative { -largest } else { largest };
        }
        let quantum = (exponent - 53).max(-1074) as i32;
        let quanta = self.quanta(i64::from(quantum), round).and_then(|integer| i64::try_from(&integer).ok());
        let value = quanta.map_or(f64::NAN, |quanta| {
            // At most 2^53 quanta. Scaling in two steps keeps each factor in range; both are exact.
            let half = quantum / 2;
            quanta as f64 * power_of_two(half) * power_of_two(quantum - half)
        });
        if value.is_infinite() && round != Round::Nearest && !away { f64::MAX.copysign(value) } else { value }
    }
}

/// m and e of m·2^e.
fn parts(x: &Repr<2>) -> (&IBig, isize) {
    (x.significand(), x.exponent())
}

impl From<i32> for Float {
    fn from(integer: i32) -> Self {
        Self::from_parts(integer.into(), 0)
    }
}

impl From<u64> for Float {
    fn from(integer: u64) -> Self {
        Self::from_parts(integer.into(), 0)
    }
}

impl PartialEq for Float {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Float {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.0.as_ref()?.cmp(other.0.as_ref()?))
    }
}

impl PartialEq<f64> for Float {
    fn eq(&self, other: &f64) -> bool {
        *self == Self::from_f64(*other)
    }
}

impl PartialOrd<f64> for Float {
    fn partial_cmp(&self, other: &f64) -> Option<Ordering> {
        match (self.is_defined(), *other) {
            (true, f64::INFINITY) => Some(Ordering::Less),
            (true, f64::NEG_INFINITY) => Some(Ordering::Greater),
            _ => self.partial_cmp(&Self::from_f64(*other)),
        }
    }
}
