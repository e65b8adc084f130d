//! Enclosures: intervals between two floating-point numbers, rounded outward.

use crate::cache::Cache;
use crate::decimal::plain;
use crate::trigonometry;
use crate::{Float, Rational, Round};
use dashu_float::{Context, round::mode};
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};
use std::sync::LazyLock;

/// A closed interval that contains the exact result of whatever made it, at a precision that its maker chose.
///
/// An operation works at the larger of its operands' precisions. What has no finite value (a quotient by an interval
/// around 0) is *undefined* and stays so.
///
/// ```
/// use posproof_numerics::{Interval, Rational};
/// let third = Interval::rational(&Rational::from((1, 3)), 100);
/// let one = third.clone() + third.clone() + third;
/// assert!(one.contains(&Rational::ONE) && one.width_up() < 1e-29);
/// ```
#[derive(Clone, Debug)]
pub struct Interval {
    lower: Float,
    upper: Float,
    bits: u32,
}

impl PartialEq for Interval {
    fn eq(&self, other: &Self) -> bool {
        self.lower == other.lower && self.upper == other.upper
    }
}

impl Interval {
    /// The default precision in bits.
    pub const PRECISION: u32 = 256;

    /// The interval between two numbers; undefined unless lower ≤ upper.
    pub fn new(lower: Float, upper: Float) -> Self {
        if lower <= upper { Self { lower, upper, bits: Self::PRECISION } } else { Self::undefined() }
    }

    /// The same interval, to be worked with at another precision.
    pub fn at(mut self, bits: u32) -> Self {
        self.bits = bits;
        self
    }

    /// The interval that consists of one number.
    pub fn point(value: Float) -> Self {
        Self { lower: value.clone(), upper: value, bits: Self::PRECISION }
    }

    /// The interval of one binary64 number.
    pub fn exactly(value: f64) -> Self {
        Self::point(Float::from_f64(value))
    }

    /// The result of an operation that has no value.
    pub fn undefined() -> Self {
        Self::point(Float::UNDEFINED)
    }

    /// An interval from the operation that makes an end in each direction.
    fn outward(bits: u32, lower: impl FnOnce(Round) -> Float, upper: impl FnOnce(Round) -> Float) -> Self {
        Self { lower: lower(Round::Down), upper: upper(Round::Up), bits }
    }

    /// An enclosure of a rational number.
    pub fn rational(value: &Rational, bits: u32) -> Self {
        let end = |round| Float::from_rational(value, bits, round);
        Self::outward(bits, end, end)
    }

    /// An enclosure of π.
    pub fn pi(bits: u32) -> Self {
        static KNOWN: LazyLock<Cache<u32, Interval>> = LazyLock::new(Cache::default);
        KNOWN.get(&bits, || {
            // π is irrational: the number next to the one below is above.
            let below = Context::<mode::Down>::new(bits as usize).pi::<2>(None).value().into_repr();
            let above = Context::<mode::Up>::new(bits as usize).pi::<2>(None).value().into_repr();
            let [lower, upper] = [below, above].map(|pi| Float::from_parts(pi.significand().clone(), pi.exponent()));
            Self { lower, upper, bits }
        })
    }

    /// An enclosure of ln value, undefined where the value is not positive. It is remembered: the bases and factors of
    /// encodings are few.
    pub fn ln_rational(value: &Rational, bits: u32) -> Self {
        static KNOWN: LazyLock<Cache<(Rational, u32), Interval>> = LazyLock::new(Cache::default);
        KNOWN.get_of(bits, &(value.clone(), bits), || Self::rational(value, bits).ln())
    }

    /// The lower end.
    pub fn lower(&self) -> &Float {
        &self.lower
    }

    /// The upper end.
    pub fn upper(&self) -> &Float {
        &self.upper
    }

    /// The precision that operations on the interval work at, in bits.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The middle of the interval, rounded to nearest with one bit more than its precision.
    pub fn midpoint(&self) -> Float {
        self.lower.add(&self.upper, self.bits + 1, Round::Nearest).scaled(-1)
    }

    /// upper − lower, rounded up to binary64.
    pub fn width_up(&self) -> f64 {
        self.width().to_f64(Round::Up)
    }

    /// upper − lower, rounded up to 64 bits.
    pub fn width(&self) -> Float {
        self.upper.sub(&self.lower, 64, Round::Up)
    }

    /// The lower end, rounded down to binary64.
    pub fn lower_f64(&self) -> f64 {
        self.lower.to_f64(Round::Down)
    }

    /// The upper end, rounded up to binary64.
    pub fn upper_f64(&self) -> f64 {
        self.upper.to_f64(Round::Up)
    }

    /// The binary64 number nearest to the middle.
    pub fn approximate(&self) -> f64 {
        self.midpoint().to_f64(Round::Nearest)
    }

    /// True if the interval has a value.
    pub fn is_defined(&self) -> bool {
        self.lower.is_defined() && self.upper.is_defined()
    }

    /// True if the interval is a single number.
    pub fn is_point(&self) -> bool {
        self.lower == self.upper
    }

    /// True if the interval is the number 0.
    pub fn is_zero(&self) -> bool {
        self.lower.is_zero() && self.upper.is_zero()
    }

    /// True if 0 is certainly not in it.
    pub fn excludes_zero(&self) -> bool {
        self.lower > 0.0 || self.upper < 0.0
    }

    /// True if the number lies in the interval.
    pub fn contains(&self, value: &Rational) -> bool {
        let ends = self.lower.to_rational().zip(self.upper.to_rational());
        ends.is_some_and(|(lower, upper)| lower <= *value && *value <= upper)
    }

    /// True if every number of this interval is below every number of the other.
    pub fn is_below(&self, other: &Self) -> bool {
        self.upper < other.lower
    }

    /// True if the two have no number in common.
    pub fn is_separate_from(&self, other: &Self) -> bool {
        self.is_below(other) || other.is_below(self)
    }

    /// e^x.
    pub fn exp(&self) -> Self {
        let bits = self.bits;
        Self::outward(bits, |round| self.lower.exp(bits, round), |round| self.upper.exp(bits, round)).checked()
    }

    /// The natural logarithm; undefined where the interval reaches 0.
    pub fn ln(&self) -> Self {
        let bits = self.bits;
        Self::outward(bits, |round| self.lower.ln(bits, round), |round| self.upper.ln(bits, round)).checked()
    }

    /// The non-negative square root; undefined where the interval reaches below 0.
    pub fn sqrt(&self) -> Self {
        let bits = self.bits;
        Self::outward(bits, |round| self.lower.sqrt(bits, round), |round| self.upper.sqrt(bits, round)).checked()
    }

    /// The absolute value.
    pub fn abs(&self) -> Self {
        match self.sign() {
            Sign::Positive => self.clone(),
            Sign::Negative => -self.clone(),
            Sign::Mixed => {
                let below = self.lower.neg();
                let upper = if below > self.upper { below } else { self.upper.clone() };
                Self { lower: Float::ZERO, upper, bits: self.bits }.checked()
            }
        }
    }

    /// The cosine and the sine.
    pub fn cos_sin(&self) -> (Self, Self) {
        if !self.is_defined() {
            return (Self::undefined(), Self::undefined());
        }
        let bits = self.bits;
        if self.width() >= 1.0 {
            let whole = Self::new((-1).into(), 1.into()).at(bits);
            return (whole.clone(), whole);
        }
        let at = |end: &Float| trigonometry::cos_sin(end, bits).map(|part| part.narrowed(bits));
        let [cos_low, sin_low] = at(&self.lower);
        if self.is_narrow() {
            // No slope is above 1: what the other end adds is no more than the width, and not looked for.
            let width = self.width();
            return (cos_low.widened(&width), sin_low.widened(&width));
        }
        let [cos_high, sin_high] = if self.is_point() { [cos_low.clone(), sin_low.clone()] } else { at(&self.upper) };
        let (cos, sin) = ([cos_low, cos_high], [sin_low, sin_high]);
        // On less than half a turn each is monotone unless the other, its derivative, changes sign.
        (between(&cos, &sin), between(&sin, &cos))
    }

    /// True if its width is at most 2^(6−bits) of its magnitude, and not zero.
    fn is_narrow(&self) -> bool {
        let magnitude = self.lower.exponent().min(self.upper.exponent());
        let enough = |width: i64| magnitude.is_some_and(|magnitude| width <= magnitude + 6 - i64::from(self.bits));
        self.excludes_zero() && self.width().exponent().is_some_and(enough)
    }

    /// All that is within a distance of it, but for what is beyond ±1.
    fn widened(&self, distance: &Float) -> Self {
        let lower = self.lower.sub(distance, self.bits, Round::Down);
        let upper = self.upper.add(distance, self.bits, Round::Up);
        let (lower, upper) =
            (if lower < -1.0 { (-1).into() } else { lower }, if upper > 1.0 { 1.into() } else { upper });
        Self { lower, upper, bits: self.bits }
    }

    /// The interval with ends of `bits` bits.
    fn narrowed(&self, bits: u32) -> Self {
        Self::outward(bits, |round| self.lower.round_to(bits, round), |round| self.upper.round_to(bits, round))
    }

    /// Both ends in decimal, rounded outward to `digits` significant digits.
    pub fn decimal_with(&self, digits: usize) -> (String, String) {
        (plain(&self.lower, digits, Round::Down), plain(&self.upper, digits, Round::Up))
    }

    /// Both ends in decimal, rounded outward, with as many digits as the precision justifies.
    pub fn decimal(&self) -> (String, String) {
        self.decimal_with((f64::from(self.bits) * std::f64::consts::LOG10_2) as usize)
    }

    /// The interval, or undefined where an end is.
    fn checked(self) -> Self {
        if self.is_defined() { self } else { Self::undefined() }
    }

    fn sign(&self) -> Sign {
        if !self.lower.is_negative() {
            Sign::Positive
        } else if self.upper <= 0.0 {
            Sign::Negative
        } else {
            Sign::Mixed
        }
    }
}

enum Sign {
    Positive,
    Negative,
    Mixed,
}

/// The hull of the values at both ends, extended to the extremum ±1 that lies between them when
/// the derivative is not of one certain sign.
fn between(values: &[Interval; 2], derivative: &[Interval; 2]) -> Interval {
    let [a, b] = values;
    if !a.is_defined() || !b.is_defined() {
        return Interval::undefined();
    }
    let mut lower = if a.lower < b.lower { a.lower.clone() } else { b.lower.clone() };
    let mut upper = if a.upper > b.upper { a.upper.clone() } else { b.upper.clone() };
    let positive = derivative.iter().all(|d| d.lower > 0.0);
    let negative = derivative.iter().all(|d| d.upper < 0.0);
    if !positive && !negative {
        // Within one radian of an extremum the function keeps the extremum's sign.
        if lower > 0.0 {
            upper = 1.into();
        } else if upper < 0.0 {
            lower = (-1).into();
        }
    }
    Interval { lower, upper, bits: a.bits.max(b.bits) }
}

impl From<i32> for Interval {
    fn from(integer: i32) -> Self {
        Self::point(integer.into())
    }
}

impl Add for Interval {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let bits = self.bits.max(other.bits);
        let lower = |round| self.lower.add(&other.lower, bits, round);
        Self::outward(bits, lower, |round| self.upper.add(&other.upper, bits, round))
    }
}

impl AddAssign for Interval {
    fn add_assign(&mut self, other: Self) {
        *self = self.clone() + other;
    }
}

impl Sub for Interval {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        let bits = self.bits.max(other.bits);
        let lower = |round| self.lower.sub(&other.upper, bits, round);
        Self::outward(bits, lower, |round| self.upper.sub(&other.lower, bits, round))
    }
}

impl Mul for Interval {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let bits = self.bits.max(other.bits);
        if !self.is_defined() || !other.is_defined() {
            return Self::undefined();
        }
        let (a, b, c, d) = (&self.lower, &self.upper, &other.lower, &other.upper);
        let (low, high) = match (self.sign(), other.sign()) {
            (Sign::Positive, Sign::Positive) => ((a, c), (b, d)),
            (Sign::Positive, Sign::Negative) => ((b, c), (a, d)),
            (Sign::Negative, Sign::Positive) => ((a, d), (b, c)),
            (Sign::Negative, Sign::Negative) => ((b, d), (a, c)),
            (Sign::Positive, Sign::Mixed) => ((b, c), (b, d)),
            (Sign::Mixed, Sign::Positive) => ((a, d), (b, d)),
            (Sign::Negative, Sign::Mixed) => ((a, d), (a, c)),
            (Sign::Mixed, Sign::Negative) => ((b, c), (a, c)),
            (Sign::Mixed, Sign::Mixed) => {
                let one = Self::outward(bits, |round| a.mul(d, bits, round), |round| a.mul(c, bits, round));
                let two = Self::outward(bits, |round| b.mul(c, bits, round), |round| b.mul(d, bits, round));
                let lower = if one.lower < two.lower { one.lower } else { two.lower };
                let upper = if one.upper > two.upper { one.upper } else { two.upper };
                return Self { lower, upper, bits };
            }
        };
        Self::outward(bits, |round| low.0.mul(low.1, bits, round), |round| high.0.mul(high.1, bits, round))
    }
}

impl Div for Interval {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        if !self.is_defined() || !other.is_defined() || !other.excludes_zero() {
            return Self::undefined();
        }
        if other.upper.is_negative() {
            return -self / -other;
        }
        let bits = self.bits.max(other.bits);
        let least = if self.lower.is_negative() { &other.lower } else { &other.upper };
        let greatest = if self.upper.is_negative() { &other.upper } else { &other.lower };
        Self::outward(bits, |round| self.lower.div(least, bits, round), |round| self.upper.div(greatest, bits, round))
    }
}

impl Neg for Interval {
    type Output = Self;
    fn neg(self) -> Self {
        Self { lower: self.upper.neg(), upper: self.lower.neg(), bits: self.bits }
    }
}
