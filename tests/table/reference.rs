//! A reference that shares no code with the library's: frequencies by MPFR's pow, entries by its sine
//! and cosine at one fixed high precision, rounding by integer arithmetic on the significand.

use rug::float::Constant;
use rug::ops::Pow;
use rug::{Float, Integer};

/// sin(p·scale·base^(−2k/dim)) and the cosine, with an absolute error below 2^−bits.
pub struct Reference {
    bits: u32,
    frequencies: Vec<Float>,
}

impl Reference {
    /// `base` is an exact decimal such as 10000.5, `bits` the accuracy for positions below 2^53.
    pub fn new(base: &str, dim: u32, bits: u32) -> Self {
        let working = bits + 64;
        let base = Float::with_val(working + 64, Float::parse(base).expect("a decimal"));
        let frequency = |k: u32| {
            let exponent = Float::with_val(working + 64, -2 * k as i32) / dim;
            Float::with_val(working, base.clone().pow(exponent))
        };
        Self { bits: working, frequencies: (0..dim / 2).map(frequency).collect() }
    }

    pub fn sin_cos(&self, position: u64, pair: usize) -> (Float, Float) {
        let angle = Float::with_val(self.bits, &self.frequencies[pair] * Integer::from(position));
        angle.sin_cos(Float::new(self.bits))
    }
}

/// Rounds to nearest, ties to even, in a format of `precision` bits whose smallest normal number is
/// 2^min_exponent; finite results only.
pub fn round(x: &Float, precision: i32, min_exponent: i32) -> f64 {
    let Some((significand, exponent)) = x.to_integer_exp() else { return f64::NAN };
    if significand == 0 {
        return 0.0;
    }
    let top = significand.significant_bits() as i32 + exponent - 1;
    let quantum = top.max(min_exponent) - (precision - 1);
    let drop = quantum - exponent;
    assert!(drop > 0, "the reference has more bits than the format");
    let (quotient, remainder) = significand.clone().abs().div_rem(Integer::from(1) << drop as u32);
    let twice = remainder * 2u32;
    let half = Integer::from(1) << drop as u32;
    let up = twice > half || twice == half && quotient.is_odd();
    let rounded = Float::with_val(64, quotient + u32::from(up)) << quantum;
    // Exact: at most 53 bits, and within the range of binary64.
    if significand < 0 { -rounded.to_f64() } else { rounded.to_f64() }
}

/// The reference itself: sin² + cos² = 1, and π recovered from it.
#[test]
fn the_reference_is_sound() {
    let reference = Reference::new("10000", 4, 200);
    let (sin, cos) = reference.sin_cos(123456789, 1);
    assert!((sin.square() + cos.square() - 1u32).abs() < 1e-60);
    let pi = Float::with_val(200, Constant::Pi);
    assert_eq!(round(&pi, 53, -1022), std::f64::consts::PI);
    assert_eq!(round(&pi, 24, -126), f64::from(std::f32::consts::PI));
    assert_eq!(round(&Float::with_val(100, 257.0), 8, -126), 256.0);
    assert_eq!(round(&Float::with_val(100, 259.0), 8, -126), 260.0);
}
