//! Rigorous enclosures: MPFR intervals with directed rounding.

mod enclosing;

pub use enclosing::Enclosing;

use super::Number;
use super::cache::Cache;
use super::phase::Frequency;
use rug::float::{Constant, Round};
use rug::ops::AssignRound;
use rug::{Float, Rational};
use std::cmp::Ordering;
use std::sync::LazyLock;

/// A closed interval [lower, upper] that contains the exact value.
///
/// Every operation rounds its lower end down and its upper end up, at the larger precision of its
/// operands; an undefined result (a quotient by an interval that contains 0) has NaN ends and
/// every comparison with it is unable. Equality (`==`) compares the ends.
///
/// ```
/// use posproof::number::interval::Interval;
/// let third = Interval::from(1) / Interval::from(3);
/// assert!(third.width_up() < 1e-76);
/// assert!((third * Interval::from(3)).contains(&1.into()));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    lower: Float,
    upper: Float,
}

/// The value rounded down and up.
fn outward<T>(bits: u32, down: T, up: T) -> Interval
where
    Float: AssignRound<T, Round = Round, Ordering = Ordering>,
{
    Interval {
        lower: Float::with_val_round(bits, down, Round::Down).0,
        upper: Float::with_val_round(bits, up, Round::Up).0,
    }
}

impl Interval {
    /// The default precision in bits.
    pub const PRECISION: u32 = 256;

    /// The interval between two numbers; undefined unless lower ≤ upper.
    pub fn new(lower: Float, upper: Float) -> Self {
        if lower <= upper { Self { lower, upper } } else { Self::undefined() }
    }

    /// The interval that consists of one number.
    pub fn point(value: Float) -> Self {
        Self { lower: value.clone(), upper: value }
    }

    /// The interval of one binary64 number at the default precision.
    pub fn exactly(value: f64) -> Self {
        Self::point(Float::with_val(Self::PRECISION, value))
    }

    /// The result of an operation that has no value.
    pub fn undefined() -> Self {
        Self::point(Float::with_val(Self::PRECISION, rug::float::Special::Nan))
    }

    /// An enclosure of a rational number.
    pub fn rational(value: &Rational, bits: u32) -> Self {
        outward(bits, value, value)
    }

    /// An enclosure of π.
    pub fn pi(bits: u32) -> Self {
        outward(bits, Constant::Pi, Constant::Pi)
    }

    /// An enclosure of 2π·turns.
    pub fn full_turns(turns: &Rational, bits: u32) -> Self {
        Self::pi(bits) * Self::rational(&Rational::from(turns * 2), bits)
    }

    /// An enclosure of base^(−2·index/dim) (Linear Relationships, equation 2). A free frequency
    /// has no value of its own: undefined.
    pub fn frequency(frequency: &Frequency, bits: u32) -> Self {
        static KNOWN: LazyLock<Cache<(Frequency, u32), Interval>> = LazyLock::new(Cache::default);
        match frequency {
            Frequency::Power { base, dim, index } if *dim > 0 => KNOWN.get(&(frequency.clone(), bits), || {
                let exponent = Rational::from((-2 * *index as i64, *dim as i64));
                (Self::rational(&Rational::from(*base), bits).ln() * Self::rational(&exponent, bits)).exp()
            }),
            _ => Self::undefined(),
        }
    }

    /// The lower end.
    pub fn lower(&self) -> &Float {
        &self.lower
    }

    /// The upper end.
    pub fn upper(&self) -> &Float {
        &self.upper
    }

    /// A number between the ends, as near to their middle as one more bit allows.
    pub fn midpoint(&self) -> Float {
        Float::with_val(self.bits() + 1, &self.lower + &self.upper) / 2
    }

    /// upper − lower, rounded up to binary64.
    pub fn width_up(&self) -> f64 {
        Float::with_val_round(64, &self.upper - &self.lower, Round::Up).0.to_f64_round(Round::Up)
    }

    /// True if the ends are numbers, possibly infinite.
    pub fn is_defined(&self) -> bool {
        !self.lower.is_nan() && !self.upper.is_nan()
    }

    /// True if the interval is a single number.
    pub fn is_point(&self) -> bool {
        self.lower == self.upper
    }

    /// True if the number lies in the interval.
    pub fn contains(&self, value: &Rational) -> bool {
        self.lower <= *value && self.upper >= *value
    }

    /// True if every number of this interval is below every number of the other.
    pub fn is_below(&self, other: &Self) -> bool {
        self.upper < other.lower
    }

    /// True if the two have no number in common.
    pub fn is_separate_from(&self, other: &Self) -> bool {
        self.is_below(other) || other.is_below(self)
    }

    /// The natural logarithm; undefined where the interval reaches below 0.
    pub fn ln(&self) -> Self {
        if self.lower < 0 { Self::undefined() } else { outward(self.bits(), self.lower.ln_ref(), self.upper.ln_ref()) }
    }

    /// The absolute value.
    pub fn abs(&self) -> Self {
        match self.sign() {
            IntervalSign::Positive => self.clone(),
            IntervalSign::Negative => self.negated(),
            IntervalSign::Mixed => {
                let upper = if -self.lower.clone() > self.upper { -self.lower.clone() } else { self.upper.clone() };
                Self { lower: Float::new(upper.prec()), upper }
            }
        }
    }

    /// The cosine and the sine.
    pub fn cos_sin(&self) -> (Self, Self) {
        if !self.is_defined() {
            return (Self::undefined(), Self::undefined());
        }
        let bits = self.bits();
        let whole = || Self::new(Float::with_val(bits, -1), Float::with_val(bits, 1));
        if !(self.lower.is_finite() && self.upper.is_finite() && self.width_up() < 1.0) {
            return (whole(), whole());
        }
        let ([cos_low, sin_low], [cos_high, sin_high]) = (around(&self.lower), around(&self.upper));
        let (cos, sin) = ([cos_low, cos_high], [sin_low, sin_high]);
        // On less than half a turn each is monotone unless the other, its derivative, changes sign.
        (between(&cos, &sin), between(&sin, &cos))
    }

    /// Both ends in decimal, rounded outward, with as many digits as the precision justifies.
    pub fn decimal(&self) -> (String, String) {
        let digits = Some((f64::from(self.bits()) * std::f64::consts::LOG10_2) as usize);
        self.decimal_with(digits)
    }

    /// Both ends in decimal, rounded outward to `digits` significant digits.
    pub fn decimal_with(&self, digits: Option<usize>) -> (String, String) {
        (plain(&self.lower, digits, Round::Down), plain(&self.upper, digits, Round::Up))
    }

    fn bits(&self) -> u32 {
        self.lower.prec().max(self.upper.prec())
    }

    fn sign(&self) -> IntervalSign {
        if self.lower >= 0 {
            IntervalSign::Positive
        } else if self.upper <= 0 {
            IntervalSign::Negative
        } else {
            IntervalSign::Mixed
        }
    }

    fn is_nought(&self) -> bool {
        self.lower.is_zero() && self.upper.is_zero()
    }

    fn is_one(&self) -> bool {
        self.lower == 1 && self.upper == 1
    }

    fn plus(&self, other: &Self) -> Self {
        outward(self.bits().max(other.bits()), &self.lower + &other.lower, &self.upper + &other.upper)
    }

    fn minus(&self, other: &Self) -> Self {
        outward(self.bits().max(other.bits()), &self.lower - &other.upper, &self.upper - &other.lower)
    }

    fn times(&self, other: &Self) -> Self {
        let bits = self.bits().max(other.bits());
        if !self.is_defined() || !other.is_defined() {
            return Self::undefined();
        }
        if self.is_nought() || other.is_nought() {
            return Self::point(Float::new(bits));
        }
        // Matrix products multiply every term by the constants 1 of their general form.
        if other.is_one() && other.bits() <= self.bits() {
            return self.clone();
        }
        if self.is_one() && self.bits() <= other.bits() {
            return other.clone();
        }
        let (a, b, c, d) = (&self.lower, &self.upper, &other.lower, &other.upper);
        let (low, high) = match (self.sign(), other.sign()) {
            (IntervalSign::Positive, IntervalSign::Positive) => ((a, c), (b, d)),
            (IntervalSign::Positive, IntervalSign::Negative) => ((b, c), (a, d)),
            (IntervalSign::Negative, IntervalSign::Positive) => ((a, d), (b, c)),
            (IntervalSign::Negative, IntervalSign::Negative) => ((b, d), (a, c)),
            (IntervalSign::Positive, IntervalSign::Mixed) => ((b, c), (b, d)),
            (IntervalSign::Mixed, IntervalSign::Positive) => ((a, d), (b, d)),
            (IntervalSign::Negative, IntervalSign::Mixed) => ((a, d), (a, c)),
            (IntervalSign::Mixed, IntervalSign::Negative) => ((b, c), (a, c)),
            (IntervalSign::Mixed, IntervalSign::Mixed) => {
                let one = outward(bits, a * d, a * c);
                let two = outward(bits, b * c, b * d);
                let lower = if one.lower < two.lower { one.lower } else { two.lower };
                let upper = if one.upper > two.upper { one.upper } else { two.upper };
                return Self { lower, upper };
            }
        };
        outward(bits, low.0 * low.1, high.0 * high.1)
    }

    fn over(&self, other: &Self) -> Self {
        if !self.is_defined() || !other.is_defined() || other.contains(&Rational::new()) {
            return Self::undefined();
        }
        if other.upper < 0 {
            return self.negated().over(&other.negated());
        }
        let least = if self.lower >= 0 { &other.upper } else { &other.lower };
        let greatest = if self.upper >= 0 { &other.lower } else { &other.upper };
        outward(self.bits().max(other.bits()), &self.lower / least, &self.upper / greatest)
    }

    fn negated(&self) -> Self {
        Self { lower: -self.upper.clone(), upper: -self.lower.clone() }
    }

    fn nought() -> Self {
        Self::from(0)
    }

    fn unit() -> Self {
        Self::from(1)
    }
}

enum IntervalSign {
    Positive,
    Negative,
    Mixed,
}

/// Enclosures of the cosine and the sine of one number: the correctly rounded values, widened by
/// one unit in the last place on each side unless they are exact, as at 0.
fn around(angle: &Float) -> [Interval; 2] {
    let (mut sin, mut cos) = (angle.clone(), Float::new(angle.prec()));
    let (sin_direction, cos_direction) = sin.sin_cos_round(&mut cos, Round::Nearest);
    let widened = |value: Float, direction: Ordering| {
        let (mut lower, mut upper) = (value.clone(), value);
        if direction != Ordering::Equal {
            lower.next_down();
            upper.next_up();
        }
        Interval { lower, upper }
    };
    [widened(cos, cos_direction), widened(sin, sin_direction)]
}

/// The hull of the values at both ends, extended to the extremum ±1 that lies between them when
/// the derivative is not of one certain sign.
fn between(values: &[Interval; 2], derivative: &[Interval; 2]) -> Interval {
    let [a, b] = values;
    let mut lower = if a.lower < b.lower { a.lower.clone() } else { b.lower.clone() };
    let mut upper = if a.upper > b.upper { a.upper.clone() } else { b.upper.clone() };
    let positive = derivative.iter().all(|d| d.lower > 0);
    let negative = derivative.iter().all(|d| d.upper < 0);
    if !positive && !negative {
        // Within one radian of an extremum the function keeps the extremum's sign.
        if lower > 0 {
            upper = Float::with_val(upper.prec(), 1);
        } else if upper < 0 {
            lower = Float::with_val(lower.prec(), -1);
        }
    }
    Interval { lower, upper }
}

/// Decimal digits without an exponent where that is short, in the manner of `249.10209…`.
fn plain(value: &Float, digits: Option<usize>, round: Round) -> String {
    if !value.is_finite() || value.is_zero() {
        return value.to_string_radix_round(10, Some(1), round);
    }
    let (negative, text, exponent) = value.to_sign_string_exp_round(10, digits, round);
    let sign = if negative { "-" } else { "" };
    let trimmed = text.trim_end_matches('0');
    match exponent {
        Some(e) if e > 0 && (e as usize) < text.len() => {
            let (whole, fraction) = text.split_at(e as usize);
            let fraction = fraction.trim_end_matches('0');
            let point = if fraction.is_empty() { "" } else { "." };
            format!("{sign}{whole}{point}{fraction}")
        }
        Some(e) if (-4..=0).contains(&e) => format!("{sign}0.{}{trimmed}", "0".repeat(e.unsigned_abs() as usize)),
        Some(e) => {
            let (lead, rest) = trimmed.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            format!("{sign}{lead}{point}{rest}e{:+}", e - 1)
        }
        None => format!("{sign}{text}"),
    }
}

impl From<i32> for Interval {
    fn from(integer: i32) -> Self {
        Self::point(Float::with_val(Self::PRECISION, integer))
    }
}

number_operators!(Interval);

impl Number for Interval {
    fn exp(&self) -> Self {
        outward(self.bits(), self.lower.exp_ref(), self.upper.exp_ref())
    }

    fn sqrt(&self) -> Self {
        if self.lower < 0 {
            Self::undefined()
        } else {
            outward(self.bits(), self.lower.sqrt_ref(), self.upper.sqrt_ref())
        }
    }
}
