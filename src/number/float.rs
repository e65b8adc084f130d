//! Floating-point numbers rounded after every operation, and what the running error asks of them.

use super::Number;
use super::format::{Format, exponent_of, hex};
use super::mpfr;
use rug::float::Round;
use rug::{Float as Big, Rational};
use std::cmp::Ordering;
use std::fmt::Debug;

/// Correctly rounded arithmetic that says of each result whether it is exact.
///
/// This is what [`Running`](super::running::Running) needs of a number in order to bound its error.
/// A result may be called inexact although it is exact; never the reverse.
///
/// A *constant* (0, 1 and the integers) is exact and has no format: a result takes the format of its
/// operands that are none. Of constants alone it is a constant where it is exact, and undefined elsewhere;
/// so is a result with a constant that the format cannot hold.
pub trait Arithmetic: Number + From<i32> {
    /// Format that results are rounded to.
    type Format: Copy + Debug + Send + Sync;
    /// The number rounded to nearest, ties to even.
    fn round(x: &Big, format: Self::Format) -> Self;
    /// The binary64 number rounded to nearest, ties to even, and whether it was kept.
    fn from_f64(x: f64, format: Self::Format) -> (Self, bool);
    /// The rational rounded to nearest, ties to even, and whether it was kept.
    fn from_rational(x: &Rational, format: Self::Format) -> (Self, bool);
    /// The sum, and whether it is exact.
    fn sum(&self, other: &Self) -> (Self, bool);
    /// The product, and whether it is exact.
    fn product(&self, other: &Self) -> (Self, bool);
    /// The quotient, and whether it is exact.
    fn quotient(&self, other: &Self) -> (Self, bool);
    /// The cosine and the sine, each correctly rounded.
    fn cos_sin(&self) -> (Self, Self);
    /// |x|, rounded up to binary64.
    fn magnitude(&self) -> f64;
    /// A bound on |x − z| for every z that rounds to x, rounded up to binary64; infinite for a constant.
    fn half_ulp(&self) -> f64;
    /// |x − y| to within a relative 2^−52.
    fn distance(&self, other: &Self) -> f64;
    /// True if x < y.
    fn is_below(&self, other: &Self) -> bool;
    /// The value in binary64, and the format, which constants have none of; none for numbers of other precisions.
    fn in_binary64(&self) -> Option<(f64, Option<Format>)> {
        None
    }
    /// The number of which [`in_binary64`](Self::in_binary64) says that.
    fn of_binary64(_: f64, _: Option<Format>) -> Option<Self> {
        None
    }
    /// True if the number is the constant 1, which leaves the format of the other factor of a product.
    fn is_constant_one(&self) -> bool;
    /// True if the number is neither infinite nor undefined.
    fn is_finite(&self) -> bool;
    /// The value in decimal, with the digits that a format has.
    fn decimal(&self, format: Self::Format) -> String;
    /// The value in hexadecimal, exactly.
    fn hex(&self) -> String;
}

/// A number of a binary [`Format`], or a constant, held in a binary64.
///
/// Every operation is carried out in binary64 and rounded to the format. For the narrower formats
/// that is the correctly rounded result, because 53 ≥ 2p + 2 makes the first rounding innocuous
/// for +, −, ×, ÷ and √ (Figueroa 1995, "When is double rounding innocuous?"). The format is known
/// at run time only, so that what is computed with numbers is compiled once for all formats.
///
/// ```
/// use posproof::number::float::Float;
/// use posproof::number::format::Format;
/// let x = Float::new(2048.0, Format::F16);
/// assert_eq!((x + Float::from(1)).get(), 2048.0); // binary16 cannot hold 2049
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Float {
    value: f64,
    /// None of constants.
    format: Option<Format>,
}

/// Equality of values.
impl PartialEq for Float {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Float {
    /// The number rounded to nearest in the format.
    pub fn new(x: f64, format: Format) -> Self {
        Self { value: format.round(x), format: Some(format) }
    }

    /// The value.
    pub fn get(self) -> f64 {
        self.value
    }

    /// The values of two operands and the format of a result of both. A constant that the format
    /// cannot hold is undefined there.
    #[inline]
    fn operands(&self, other: &Self) -> (f64, f64, Option<Format>) {
        let format = self.format.or(other.format);
        let held = |x: &Self| match (x.format, format) {
            (None, Some(format)) if format.round(x.value) != x.value => f64::NAN,
            _ => x.value,
        };
        (held(self), held(other), format)
    }

    /// `wide`, the binary64 result of an operation and whether it is exact, rounded to the format.
    #[inline]
    fn rounded((wide, exact): (f64, bool), format: Option<Format>) -> (Self, bool) {
        let value = match format {
            Some(format) => format.round(wide),
            None if exact => wide,
            None => f64::NAN,
        };
        (Self { value, format }, exact && value == wide)
    }

    fn plus(&self, other: &Self) -> Self {
        self.sum(other).0
    }
    fn minus(&self, other: &Self) -> Self {
        self.sum(&other.negated()).0
    }
    fn times(&self, other: &Self) -> Self {
        self.product(other).0
    }
    fn over(&self, other: &Self) -> Self {
        self.quotient(other).0
    }
    fn negated(&self) -> Self {
        Self { value: -self.value, ..*self }
    }
    fn nought() -> Self {
        Self::from(0)
    }
    fn unit() -> Self {
        Self::from(1)
    }

    /// Rounds `nearest`, the binary64 number nearest to a function's value at this number, to the format;
    /// where `nearest` is too close to a tie to tell, the value is taken from MPFR.
    fn function(&self, nearest: f64, exactly: impl Fn(Big) -> Big) -> Self {
        let of_value = |value| Self { value, ..*self };
        let format = match self.format {
            // The functions are exact at 0 alone.
            None => return of_value(if self.value == 0.0 { nearest } else { f64::NAN }),
            Some(Format::F64) => return of_value(nearest),
            Some(format) => format,
        };
        if !nearest.is_finite() {
            return of_value(nearest);
        }
        let rounded = format.round(nearest);
        if format.round(nearest.next_down()) == rounded && format.round(nearest.next_up()) == rounded {
            return of_value(rounded);
        }
        // The value is transcendental (Lindemann), hence no tie, and some precision tells.
        let mut bits = 128;
        loop {
            let mut below = exactly(Big::with_val(bits, self.value));
            let mut above = below.clone();
            below.next_down();
            above.next_up();
            let rounded = mpfr::round(format, &below);
            if rounded == mpfr::round(format, &above) {
                return of_value(rounded);
            }
            bits *= 2;
        }
    }
}

/// The integer as a constant.
impl From<i32> for Float {
    fn from(integer: i32) -> Self {
        Self { value: f64::from(integer), format: None }
    }
}

number_operators!(Float);

impl Number for Float {
    fn exp(&self) -> Self {
        self.function(core_math::exp(self.value), Big::exp)
    }

    fn sqrt(&self) -> Self {
        let root = self.value.sqrt();
        let exact = self.format.is_none() && root.mul_add(root, -self.value) == 0.0;
        Self::rounded((root, exact), self.format).0
    }
}

impl Arithmetic for Float {
    type Format = Format;

    fn round(x: &Big, format: Format) -> Self {
        Self { value: mpfr::round(format, x), format: Some(format) }
    }

    fn from_f64(x: f64, format: Format) -> (Self, bool) {
        let rounded = Self::new(x, format);
        (rounded, rounded.value == x)
    }

    fn from_rational(x: &Rational, format: Format) -> (Self, bool) {
        // Rounding to odd at 128 bits first makes the second rounding the only one that counts.
        let rounded = Self::round(&round_to_odd(x), format);
        (rounded, Rational::from_f64(rounded.value).as_ref() == Some(x))
    }

    #[inline]
    fn sum(&self, other: &Self) -> (Self, bool) {
        let (a, b, format) = self.operands(other);
        let wide = a + b;
        // Knuth's TwoSum: the rounding error of the binary64 addition.
        let shadow = wide - a;
        let residual = (a - (wide - shadow)) + (b - shadow);
        Self::rounded((wide, residual == 0.0), format)
    }

    #[inline]
    fn product(&self, other: &Self) -> (Self, bool) {
        let (a, b, format) = self.operands(other);
        let wide = a * b;
        let exact = match format {
            Some(Format::F64) => scales_exactly(a, b, wide),
            Some(_) => true, // 2p ≤ 53, and no exponent of a narrower format leaves the range of binary64
            None => a.mul_add(b, -wide) == 0.0,
        };
        Self::rounded((wide, exact), format)
    }

    fn quotient(&self, other: &Self) -> (Self, bool) {
        let (a, b, format) = self.operands(other);
        let wide = a / b;
        let exact = match format {
            Some(Format::F64) => is_power_of_two(b) && (a == 0.0 || exponent_of(wide) > -1022),
            Some(format) => format.round(wide) * b == a,
            None => wide.mul_add(b, -a) == 0.0,
        };
        Self::rounded((wide, exact), format)
    }

    fn cos_sin(&self) -> (Self, Self) {
        let (sin, cos) = core_math::sincos(self.value);
        (self.function(cos, Big::cos), self.function(sin, Big::sin))
    }

    #[inline]
    fn magnitude(&self) -> f64 {
        self.value.abs()
    }

    #[inline]
    fn half_ulp(&self) -> f64 {
        self.format.map_or(f64::INFINITY, |format| format.half_ulp(self.value))
    }

    fn distance(&self, other: &Self) -> f64 {
        (self.value - other.value).abs()
    }

    #[inline]
    fn is_below(&self, other: &Self) -> bool {
        self.value < other.value
    }

    fn in_binary64(&self) -> Option<(f64, Option<Format>)> {
        Some((self.value, self.format))
    }

    fn of_binary64(value: f64, format: Option<Format>) -> Option<Self> {
        Some(Self { value, format })
    }

    #[inline]
    fn is_constant_one(&self) -> bool {
        self.format.is_none() && self.value == 1.0
    }

    #[inline]
    fn is_finite(&self) -> bool {
        self.value.is_finite()
    }

    fn decimal(&self, _: Format) -> String {
        format!("{:?}", self.value)
    }

    fn hex(&self) -> String {
        hex(self.value)
    }
}

#[inline]
fn is_power_of_two(x: f64) -> bool {
    x.is_normal() && x.to_bits() & ((1 << 52) - 1) == 0
}

/// True if a·b = `product` is certainly exact in binary64: a factor is zero or a power of two, and nothing underflowed.
#[inline]
fn scales_exactly(a: f64, b: f64, product: f64) -> bool {
    a == 0.0 || b == 0.0 || ((is_power_of_two(a) || is_power_of_two(b)) && exponent_of(product) > -1022)
}

/// The rational truncated to 128 bits, the last bit set where anything was cut off (Boldo and Melquiond 2008).
fn round_to_odd(x: &Rational) -> Big {
    let (mut truncated, direction) = Big::with_val_round(128, x, Round::Zero);
    if direction != Ordering::Equal && truncated.get_significand().is_some_and(|digits| digits.is_even()) {
        if truncated.is_sign_negative() { truncated.next_down() } else { truncated.next_up() }
    }
    truncated
}
