//! Floating-point numbers rounded after every operation, and what the running error asks of them.

use super::Number;
use super::format::{Format, exponent_of, hex};
use rug::float::Round;
use rug::{Float as Big, Rational};
use std::cmp::Ordering;
use std::fmt::Debug;
use std::marker::PhantomData;

/// Correctly rounded arithmetic that says of each result whether it is exact.
///
/// This is what [`Running`](super::running::Running) needs of a format in order to bound the error.
/// A result may be called inexact although it is exact; never the reverse.
pub trait Arithmetic: Number {
    /// The system's name: `f32`, `mp113`.
    fn name() -> String;
    /// The number rounded to nearest, ties to even.
    fn round(x: &Big) -> Self;
    /// The binary64 number rounded to nearest, ties to even, and whether it was kept.
    fn from_f64(x: f64) -> (Self, bool);
    /// The rational rounded to nearest, ties to even, and whether it was kept.
    fn from_rational(x: &Rational) -> (Self, bool);
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
    /// A bound on |x − z| for every z that rounds to x, rounded up to binary64.
    fn half_ulp(&self) -> f64;
    /// |x − y| to within a relative 2^−52.
    fn distance(&self, other: &Self) -> f64;
    /// Whether x < y.
    fn is_below(&self, other: &Self) -> bool;
    /// Whether the number is neither infinite nor undefined.
    fn is_finite(&self) -> bool;
    /// The value in decimal.
    fn decimal(&self) -> String;
    /// The value in hexadecimal, exactly.
    fn hex(&self) -> String;
}

/// The type-level name of a [`Format`].
pub trait Binary: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// The format itself.
    const FORMAT: Format;
}

/// Declares the type-level names of formats.
macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident = $format:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name;
        impl Binary for $name {
            const FORMAT: Format = Format::$format;
        }
    )*};
}

formats! {
    /// IEEE 754 binary64.
    Binary64 = F64;
    /// IEEE 754 binary32.
    Binary32 = F32;
    /// IEEE 754 binary16.
    Binary16 = F16;
    /// bfloat16.
    Bfloat16 = Bf16;
}

/// A number of format `F`, held in a binary64.
///
/// Every operation is carried out in binary64 and rounded to the format. For the narrower formats
/// that is the correctly rounded result, because 53 ≥ 2p + 2 makes the first rounding innocuous
/// for +, −, ×, ÷ and √ (Figueroa 1995, "When is double rounding innocuous?").
///
/// ```
/// use posproof::number::float::{Binary16, Float};
/// let x = Float::<Binary16>::new(2048.0);
/// assert_eq!((x + Float::new(1.0)).get(), 2048.0); // binary16 cannot hold 2049
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Float<F: Binary> {
    value: f64,
    format: PhantomData<F>,
}

impl<F: Binary> Float<F> {
    /// The number rounded to nearest in the format.
    pub fn new(x: f64) -> Self {
        Self::exactly(F::FORMAT.round(x))
    }

    /// The value.
    pub fn get(self) -> f64 {
        self.value
    }

    fn exactly(value: f64) -> Self {
        Self { value, format: PhantomData }
    }

    fn plus(&self, other: &Self) -> Self {
        Self::new(self.value + other.value)
    }
    fn minus(&self, other: &Self) -> Self {
        Self::new(self.value - other.value)
    }
    fn times(&self, other: &Self) -> Self {
        Self::new(self.value * other.value)
    }
    fn over(&self, other: &Self) -> Self {
        Self::new(self.value / other.value)
    }
    fn negated(&self) -> Self {
        Self::exactly(-self.value)
    }
    fn nought() -> Self {
        Self::exactly(0.0)
    }
    fn unit() -> Self {
        Self::exactly(1.0)
    }

    /// Rounds `nearest`, the binary64 number nearest to an irrational value, to the format; where
    /// `nearest` is too close to a tie to tell, the value is taken from MPFR.
    fn from_nearest(nearest: f64, value: impl Fn(u32) -> Big) -> Self {
        if F::FORMAT == Format::F64 || !nearest.is_finite() {
            return Self::exactly(nearest);
        }
        let rounded = F::FORMAT.round(nearest);
        if F::FORMAT.round(nearest.next_down()) == rounded && F::FORMAT.round(nearest.next_up()) == rounded {
            return Self::exactly(rounded);
        }
        // The value is transcendental (Lindemann), hence no tie, and some precision tells.
        let mut bits = 128;
        loop {
            let (mut below, mut above) = (value(bits), value(bits));
            below.next_down();
            above.next_up();
            let rounded = F::FORMAT.round_float(&below);
            if rounded == F::FORMAT.round_float(&above) {
                return Self::exactly(rounded);
            }
            bits *= 2;
        }
    }
}

impl<F: Binary> From<i32> for Float<F> {
    fn from(integer: i32) -> Self {
        Self::new(f64::from(integer))
    }
}

number_operators!(Float<F>, [F: Binary]);

impl<F: Binary> Number for Float<F> {
    fn exp(&self) -> Self {
        let x = self.value;
        Self::from_nearest(core_math::exp(x), |bits| Big::with_val(bits, x).exp())
    }

    fn sqrt(&self) -> Self {
        Self::new(self.value.sqrt())
    }
}

impl<F: Binary> Arithmetic for Float<F> {
    fn name() -> String {
        F::FORMAT.name().to_owned()
    }

    fn round(x: &Big) -> Self {
        Self::exactly(F::FORMAT.round_float(x))
    }

    fn from_f64(x: f64) -> (Self, bool) {
        let rounded = Self::new(x);
        (rounded, rounded.value == x)
    }

    fn from_rational(x: &Rational) -> (Self, bool) {
        // Rounding to odd at 128 bits first makes the second rounding the only one that counts.
        let rounded = Self::round(&round_to_odd(x));
        (rounded, Rational::from_f64(rounded.value).as_ref() == Some(x))
    }

    fn sum(&self, other: &Self) -> (Self, bool) {
        let (a, b) = (self.value, other.value);
        let wide = a + b;
        // Knuth's TwoSum: the rounding error of the binary64 addition.
        let shadow = wide - a;
        let residual = (a - (wide - shadow)) + (b - shadow);
        let rounded = Self::new(wide);
        (rounded, residual == 0.0 && rounded.value == wide)
    }

    fn product(&self, other: &Self) -> (Self, bool) {
        let (a, b) = (self.value, other.value);
        let wide = a * b;
        let rounded = Self::new(wide);
        let wide_is_exact = match F::FORMAT {
            Format::F64 => scales_exactly(a, b, wide),
            _ => true, // 2p ≤ 53, and no exponent of a narrower format leaves the range of binary64
        };
        (rounded, wide_is_exact && rounded.value == wide)
    }

    fn quotient(&self, other: &Self) -> (Self, bool) {
        let (a, b) = (self.value, other.value);
        let rounded = Self::new(a / b);
        let exact = match F::FORMAT {
            Format::F64 => is_power_of_two(b) && (a == 0.0 || exponent_of(rounded.value) > -1022),
            _ => rounded.value * b == a,
        };
        (rounded, exact)
    }

    fn cos_sin(&self) -> (Self, Self) {
        let x = self.value;
        let cos = Self::from_nearest(core_math::cos(x), |bits| Big::with_val(bits, x).cos());
        let sin = Self::from_nearest(core_math::sin(x), |bits| Big::with_val(bits, x).sin());
        (cos, sin)
    }

    fn magnitude(&self) -> f64 {
        self.value.abs()
    }

    fn half_ulp(&self) -> f64 {
        F::FORMAT.half_ulp(self.value)
    }

    fn distance(&self, other: &Self) -> f64 {
        (self.value - other.value).abs()
    }

    fn is_below(&self, other: &Self) -> bool {
        self.value < other.value
    }

    fn is_finite(&self) -> bool {
        self.value.is_finite()
    }

    fn decimal(&self) -> String {
        format!("{:?}", self.value)
    }

    fn hex(&self) -> String {
        hex(self.value)
    }
}

fn is_power_of_two(x: f64) -> bool {
    x.is_normal() && x.to_bits() & ((1 << 52) - 1) == 0
}

/// Whether a·b = `product` is certainly exact in binary64: a factor is zero or a power of two, and nothing underflowed.
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
