//! MPFR numbers, correctly rounded at `P` bits: the error law across precisions.

use super::Number;
use super::float::Arithmetic;
use rug::float::Round;
use rug::{Float as Big, Rational};
use std::cmp::Ordering;

/// A number of `P` bits of significand, rounded to nearest after every operation, with MPFR's
/// exponent range (no subnormal numbers; overflow beyond 2^(2^30)).
///
/// ```
/// use posproof::number::mp::Mp;
/// let third = Mp::<113>::from(1) / Mp::from(3);
/// assert_ne!(third.clone() + third.clone() + third, Mp::from(0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Mp<const P: u32>(Big);

impl<const P: u32> Mp<P> {
    /// The value.
    pub fn get(&self) -> &Big {
        &self.0
    }

    fn rounded<T>(value: T) -> (Self, bool)
    where
        Big: rug::ops::AssignRound<T, Round = Round, Ordering = Ordering>,
    {
        let (value, direction) = Big::with_val_round(P, value, Round::Nearest);
        (Self(value), direction == Ordering::Equal)
    }

    fn plus(&self, other: &Self) -> Self {
        Self::rounded(&self.0 + &other.0).0
    }
    fn minus(&self, other: &Self) -> Self {
        Self::rounded(&self.0 - &other.0).0
    }
    fn times(&self, other: &Self) -> Self {
        Self::rounded(&self.0 * &other.0).0
    }
    fn over(&self, other: &Self) -> Self {
        Self::rounded(&self.0 / &other.0).0
    }
    fn negated(&self) -> Self {
        Self(-self.0.clone())
    }
    fn nought() -> Self {
        Self::rounded(0).0
    }
    fn unit() -> Self {
        Self::rounded(1).0
    }
}

impl<const P: u32> From<i32> for Mp<P> {
    fn from(integer: i32) -> Self {
        Self::rounded(integer).0
    }
}

number_operators!(Mp<P>, [const P: u32]);

impl<const P: u32> Number for Mp<P> {
    fn exp(&self) -> Self {
        Self::rounded(self.0.exp_ref()).0
    }

    fn sqrt(&self) -> Self {
        Self::rounded(self.0.sqrt_ref()).0
    }
}

impl<const P: u32> Arithmetic for Mp<P> {
    fn name() -> String {
        format!("mp{P}")
    }

    fn round(x: &Big) -> Self {
        Self::rounded(x).0
    }

    fn from_f64(x: f64) -> (Self, bool) {
        Self::rounded(x)
    }

    fn from_rational(x: &Rational) -> (Self, bool) {
        Self::rounded(x)
    }

    fn sum(&self, other: &Self) -> (Self, bool) {
        Self::rounded(&self.0 + &other.0)
    }

    fn product(&self, other: &Self) -> (Self, bool) {
        Self::rounded(&self.0 * &other.0)
    }

    fn quotient(&self, other: &Self) -> (Self, bool) {
        Self::rounded(&self.0 / &other.0)
    }

    fn cos_sin(&self) -> (Self, Self) {
        let (mut sin, mut cos) = (self.0.clone(), Big::new(P));
        sin.sin_cos_mut(&mut cos);
        (Self(cos), Self(sin))
    }

    fn magnitude(&self) -> f64 {
        self.0.clone().abs().to_f64_round(Round::Up)
    }

    fn half_ulp(&self) -> f64 {
        match self.0.get_exp() {
            Some(exponent) => Big::with_val(2, Big::i_exp(1, exponent - 1 - P as i32)).to_f64_round(Round::Up),
            None if self.0.is_zero() => f64::from_bits(1), // an underflow below 2^(−2^30)
            None => f64::INFINITY,
        }
    }

    fn distance(&self, other: &Self) -> f64 {
        Big::with_val(P + 64, &self.0 - &other.0).abs().to_f64()
    }

    fn is_below(&self, other: &Self) -> bool {
        self.0 < other.0
    }

    fn is_finite(&self) -> bool {
        self.0.is_finite()
    }

    fn decimal(&self) -> String {
        self.0.to_string_radix(10, None)
    }

    fn hex(&self) -> String {
        let (negative, digits, exponent) = self.0.to_sign_string_exp(16, None);
        let Some(exponent) = exponent else { return digits };
        // 0.d₁d₂… · 16^e = d₁.d₂… · 2^(4(e − 1))
        let (lead, rest) = digits.split_at(1);
        let (sign, rest) = (if negative { "-" } else { "" }, rest.trim_end_matches('0'));
        let point = if rest.is_empty() { "" } else { "." };
        format!("{sign}0x{lead}{point}{rest}p{:+}", 4 * (exponent - 1))
    }
}
