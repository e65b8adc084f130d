//! MPFR numbers, correctly rounded at a number of bits: the error law across precisions.

use super::Number;
use super::float::Arithmetic;
use rug::float::{Round, Special};
use rug::ops::AssignRound;
use rug::{Float as Big, Rational};
use std::cmp::Ordering;

/// A number of some bits of significand, rounded to nearest after every operation, with MPFR's
/// exponent range (no subnormal numbers; overflow beyond 2^(2^30)); or a constant.
///
/// ```
/// use posproof::number::float::Arithmetic;
/// use posproof::number::mp::Mp;
/// let third = Mp::from_f64(1.0, 113).0 / Mp::from(3);
/// assert_ne!(third.clone() + third.clone() + third, Mp::from(0));
/// ```
#[derive(Clone, Debug)]
pub struct Mp {
    value: Big,
    /// None of constants.
    precision: Option<u32>,
}

/// Equality of values.
impl PartialEq for Mp {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Mp {
    /// Bits in which constants are held.
    const CONSTANT_BITS: u32 = 64;

    /// The value.
    pub fn get(&self) -> &Big {
        &self.value
    }

    /// The precision of a result of two operands.
    fn common(&self, other: &Self) -> Option<u32> {
        self.precision.or(other.precision)
    }

    fn rounded<T>(value: T, precision: Option<u32>) -> (Self, bool)
    where
        Big: AssignRound<T, Round = Round, Ordering = Ordering>,
    {
        let bits = precision.unwrap_or(Self::CONSTANT_BITS);
        let (value, direction) = Big::with_val_round(bits, value, Round::Nearest);
        let exact = direction == Ordering::Equal;
        if precision.is_none() && !exact {
            return (Self::undefined(), false);
        }
        (Self { value, precision }, exact)
    }

    fn undefined() -> Self {
        Self { value: Big::with_val(Self::CONSTANT_BITS, Special::Nan), precision: None }
    }

    fn plus(&self, other: &Self) -> Self {
        self.sum(other).0
    }
    fn minus(&self, other: &Self) -> Self {
        Self::rounded(&self.value - &other.value, self.common(other)).0
    }
    fn times(&self, other: &Self) -> Self {
        self.product(other).0
    }
    fn over(&self, other: &Self) -> Self {
        self.quotient(other).0
    }
    fn negated(&self) -> Self {
        Self { value: -self.value.clone(), ..*self }
    }
    fn nought() -> Self {
        Self::from(0)
    }
    fn unit() -> Self {
        Self::from(1)
    }
}

/// The integer as a constant.
impl From<i32> for Mp {
    fn from(integer: i32) -> Self {
        Self::rounded(integer, None).0
    }
}

number_operators!(Mp);

impl Number for Mp {
    fn exp(&self) -> Self {
        Self::rounded(self.value.exp_ref(), self.precision).0
    }

    fn sqrt(&self) -> Self {
        Self::rounded(self.value.sqrt_ref(), self.precision).0
    }
}

impl Arithmetic for Mp {
    /// Bits of the significand.
    type Format = u32;

    fn round(x: &Big, precision: u32) -> Self {
        Self::rounded(x, Some(precision)).0
    }

    fn from_f64(x: f64, precision: u32) -> (Self, bool) {
        Self::rounded(x, Some(precision))
    }

    fn from_rational(x: &Rational, precision: u32) -> (Self, bool) {
        Self::rounded(x, Some(precision))
    }

    fn sum(&self, other: &Self) -> (Self, bool) {
        Self::rounded(&self.value + &other.value, self.common(other))
    }

    fn product(&self, other: &Self) -> (Self, bool) {
        Self::rounded(&self.value * &other.value, self.common(other))
    }

    fn quotient(&self, other: &Self) -> (Self, bool) {
        Self::rounded(&self.value / &other.value, self.common(other))
    }

    fn cos_sin(&self) -> (Self, Self) {
        if self.precision.is_none() {
            return (Self::rounded(self.value.cos_ref(), None).0, Self::rounded(self.value.sin_ref(), None).0);
        }
        let (mut sin, mut cos) = (self.value.clone(), Big::new(self.value.prec()));
        sin.sin_cos_mut(&mut cos);
        (Self { value: cos, ..*self }, Self { value: sin, ..*self })
    }

    fn magnitude(&self) -> f64 {
        self.value.clone().abs().to_f64_round(Round::Up)
    }

    fn half_ulp(&self) -> f64 {
        let Some(precision) = self.precision else { return f64::INFINITY };
        match self.value.get_exp() {
            Some(exponent) => Big::with_val(2, Big::i_exp(1, exponent - 1 - precision as i32)).to_f64_round(Round::Up),
            None if self.value.is_zero() => f64::from_bits(1), // an underflow below 2^(−2^30)
            None => f64::INFINITY,
        }
    }

    fn distance(&self, other: &Self) -> f64 {
        let bits = self.value.prec().max(other.value.prec());
        Big::with_val(bits + 64, &self.value - &other.value).abs().to_f64()
    }

    fn is_below(&self, other: &Self) -> bool {
        self.value < other.value
    }

    fn is_constant_one(&self) -> bool {
        self.precision.is_none() && self.value == 1
    }

    fn is_finite(&self) -> bool {
        self.value.is_finite()
    }

    fn decimal(&self, precision: u32) -> String {
        Big::with_val(precision, &self.value).to_string_radix(10, None)
    }

    fn hex(&self) -> String {
        let (negative, digits, exponent) = self.value.to_sign_string_exp(16, None);
        let Some(exponent) = exponent else { return digits };
        // 0.d₁d₂… · 16^e = d₁.d₂… · 2^(4(e − 1))
        let (lead, rest) = digits.split_at(1);
        let (sign, rest) = (if negative { "-" } else { "" }, rest.trim_end_matches('0'));
        let point = if rest.is_empty() { "" } else { "." };
        format!("{sign}0x{lead}{point}{rest}p{:+}", 4 * (exponent - 1))
    }
}
