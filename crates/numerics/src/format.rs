//! The formats that entries are stored in, and correct rounding into them.
//!
//! Conversions of the `half` crate go through binary32 or truncate the significand, so that a
//! binary64 value next to a tie is rounded wrongly; the rounding here is exact for every input.

pub use crate::binary64::{binade, exponent_of, power_of_two};
use crate::narrow::{Narrow, Overflow, Towards};
use crate::{Float, Round};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A binary floating-point format with subnormal numbers. Those of 16 bits and more are IEEE 754's kind: they compute, and
/// have infinities. Those of 8 bits only store: a number beyond the largest one is stored as that (it *saturates*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// OCP E5M2: 3 bits of significand, largest number 57344; [`Narrow::E5m2`].
    E5m2,
    /// OCP E4M3, also called E4M3FN: 4 bits of significand, largest number 448; [`Narrow::E4m3`].
    E4m3,
    /// IEEE 754 binary16: 11 bits of significand, largest number 65504.
    F16,
    /// bfloat16: 8 bits of significand with the exponents of binary32.
    Bf16,
    /// IEEE 754 binary32: 24 bits of significand.
    F32,
    /// IEEE 754 binary64: 53 bits of significand.
    F64,
}

impl Format {
    /// The formats that compute, narrowest significand last.
    pub const ALL: [Format; 4] = [Format::F64, Format::F32, Format::F16, Format::Bf16];

    /// All formats, narrowest significand last.
    pub const STORED: [Format; 6] = [Format::F64, Format::F32, Format::F16, Format::Bf16, Format::E4m3, Format::E5m2];

    /// The name used on the command line and in files: `f16`, `bf16`, `f32`, `f64`, `e4m3`, `e5m2`.
    pub fn name(self) -> &'static str {
        match self {
            Format::E5m2 => "e5m2",
            Format::E4m3 => "e4m3",
            Format::F16 => "f16",
            Format::Bf16 => "bf16",
            Format::F32 => "f32",
            Format::F64 => "f64",
        }
    }

    /// The format of 8 bits, if it is one: it stores what other formats compute.
    #[inline]
    pub const fn narrow(self) -> Option<Narrow> {
        match self {
            Format::E5m2 => Some(Narrow::E5m2),
            Format::E4m3 => Some(Narrow::E4m3),
            _ => None,
        }
    }

    /// A format that computes, by its name.
    ///
    /// # Errors
    ///
    /// A sentence, for other names and for formats that only store.
    pub fn computing(name: &str) -> Result<Self, String> {
        match name.parse::<Self>() {
            Ok(format) if format.narrow().is_some() => Err(format!(
                "{format} stores numbers and computes none: expected f16, bf16, f32 or f64, and {format} as the format of the entries"
            )),
            Ok(format) => Ok(format),
            Err(_) => Err(format!("unknown format '{name}': expected f16, bf16, f32 or f64")),
        }
    }

    /// Bits of the significand, the leading bit included: p.
    #[inline]
    pub const fn precision(self) -> u32 {
        match self {
            Format::E5m2 => 3,
            Format::E4m3 => 4,
            Format::F16 => 11,
            Format::Bf16 => 8,
            Format::F32 => 24,
            Format::F64 => 53,
        }
    }

    /// The exponent e of the smallest normal number 2^e.
    #[inline]
    pub const fn min_exponent(self) -> i32 {
        match self {
            Format::E4m3 => -6,
            Format::E5m2 | Format::F16 => -14,
            Format::Bf16 | Format::F32 => -126,
            Format::F64 => -1022,
        }
    }

    /// The exponent e of the binade of the largest finite number: it is below 2^(e+1).
    #[inline]
    pub const fn max_exponent(self) -> i32 {
        match self {
            // The largest exponent has numbers where IEEE 754 has infinities.
            Format::E4m3 => 8,
            _ => 1 - self.min_exponent(),
        }
    }

    /// Bytes that one value takes in memory and in files.
    pub const fn bytes(self) -> usize {
        match self {
            Format::E5m2 | Format::E4m3 => 1,
            Format::F16 | Format::Bf16 => 2,
            Format::F32 => 4,
            Format::F64 => 8,
        }
    }

    /// The unit roundoff u = 2^−p: correct rounding of a number in the normal range has relative error at most u.
    #[inline]
    pub fn unit_roundoff(self) -> f64 {
        power_of_two(-(self.precision() as i32))
    }

    /// The largest finite number, (2 − 2^(1−p))·2^emax; 1.75·2^8 in E4M3, whose last code is NaN.
    #[inline]
    pub fn max_finite(self) -> f64 {
        match self {
            Format::E4m3 => 448.0,
            _ => (2.0 - 2.0 * self.unit_roundoff()) * power_of_two(self.max_exponent()),
        }
    }

    /// The result of rounding a number of this sign beyond the largest one: infinity, or the largest number of a format that
    /// only stores.
    #[inline]
    fn overflowed(self, x: f64) -> f64 {
        if self.narrow().is_some() { self.max_finite().copysign(x) } else { f64::INFINITY.copysign(x) }
    }

    /// The smallest positive number, 2^(emin−p+1).
    #[inline]
    pub fn min_positive(self) -> f64 {
        power_of_two(self.min_exponent() - self.precision() as i32 + 1)
    }

    /// The binary64 number rounded to nearest in this format, ties to even; beyond the largest
    /// finite number by half a unit in the last place or more, infinity, or the largest number in a format of 8 bits.
    ///
    /// ```
    /// use posproof_numerics::format::Format;
    /// assert_eq!(Format::Bf16.round(257.0), 256.0);
    /// // Just above a tie: going through binary32 first would give 1.
    /// assert_eq!(Format::F16.round(1.0 + 2f64.powi(-11) + 2f64.powi(-40)), 1.0 + 2f64.powi(-10));
    /// ```
    #[inline]
    pub fn round(self, x: f64) -> f64 {
        match self {
            Format::F64 => x,
            Format::F32 => f64::from(x as f32),
            Format::F16 | Format::Bf16 => self.round_on_grid(x),
            Format::E4m3 => Narrow::E4m3.round(x, Towards::Nearest, Overflow::Saturate),
            Format::E5m2 => Narrow::E5m2.round(x, Towards::Nearest, Overflow::Saturate),
        }
    }

    /// Adding and subtracting 1.5·2^52 quanta leaves x rounded to a whole number of quanta by the
    /// hardware's own rounding to nearest even.
    #[inline]
    fn round_on_grid(self, x: f64) -> f64 {
        if !x.is_finite() || x == 0.0 {
            return x;
        }
        if x.abs() >= power_of_two(self.max_exponent() + 1) {
            return f64::INFINITY.copysign(x);
        }
        let exponent = exponent_of(x).max(self.min_exponent());
        let quantum = exponent - (self.precision() as i32 - 1);
        let shift = 1.5 * power_of_two(52 + quantum);
        let rounded = ((x + shift) - shift).copysign(x);
        if rounded.abs() > self.max_finite() { f64::INFINITY.copysign(x) } else { rounded }
    }

    /// The number rounded to nearest in this format, ties to even, from any precision in one step; NaN for
    /// what is undefined. What underflows keeps its sign, as in IEEE 754.
    ///
    /// ```
    /// use posproof_numerics::format::Format;
    /// use posproof_numerics::Float;
    /// let tiny = Float::from_f64(-1e-300);
    /// assert!(Format::F32.round_float(&tiny) == 0.0 && Format::F32.round_float(&tiny).is_sign_negative());
    /// ```
    pub fn round_float(self, x: &Float) -> f64 {
        let Some(exponent) = x.exponent() else {
            return x.to_f64(Round::Nearest);
        };
        if exponent - 1 > i64::from(self.max_exponent()) {
            return self.overflowed(if x.is_negative() { -1.0 } else { 1.0 });
        }
        let quantum = (exponent - 1).max(i64::from(self.min_exponent())) as i32 - (self.precision() as i32 - 1);
        // Whole numbers of quanta have no negative zero.
        let rounded = self.from_quanta(x.quanta_f64(quantum), quantum);
        if rounded == 0.0 && x.is_negative() { -0.0 } else { rounded }
    }

    /// quanta·2^quantum for a whole number of quanta of at most [`precision`](Self::precision) bits and one more, the
    /// result of rounding to the grid of this format; beyond the largest finite number as by [`round`](Self::round).
    pub fn from_quanta(self, quanta: f64, quantum: i32) -> f64 {
        // Scaling in two steps keeps each factor in range; both are exact.
        let half = quantum / 2;
        let rounded = quanta * power_of_two(half) * power_of_two(quantum - half);
        if rounded.abs() > self.max_finite() { self.overflowed(rounded) } else { rounded }
    }

    /// Half the distance between neighbours in the binade of `x`, a number of this format: a bound
    /// on |x − z| for every z that rounds to x (Higham 2002, section 2.1). Infinite for infinities.
    #[inline]
    pub fn half_ulp(self, x: f64) -> f64 {
        if !x.is_finite() {
            return f64::INFINITY;
        }
        let exponent = exponent_of(x).max(self.min_exponent());
        power_of_two(exponent - self.precision() as i32).max(f64::from_bits(1))
    }

    /// The bits of `x`, a number of this format, as hexadecimal digits of the format's width.
    pub fn bits(self, x: f64) -> String {
        match self {
            Format::F64 => format!("{:016x}", x.to_bits()),
            Format::F32 => format!("{:08x}", (x as f32).to_bits()),
            // Exact, because x is a number of the format.
            Format::F16 => format!("{:04x}", half::f16::from_f32(x as f32).to_bits()),
            Format::Bf16 => format!("{:04x}", half::bf16::from_f32(x as f32).to_bits()),
            Format::E5m2 | Format::E4m3 => {
                let code = self.narrow().and_then(|narrow| narrow.encode(x));
                code.map_or_else(String::new, |code| format!("{code:02x}"))
            }
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        // The names of other libraries.
        let short = match name.to_ascii_lowercase().as_str() {
            "fp16" | "float16" => "f16",
            "bfloat16" => "bf16",
            "fp32" | "float32" => "f32",
            "fp64" | "float64" => "f64",
            "f8e4m3" | "f8e4m3fn" | "float8_e4m3fn" => "e4m3",
            "f8e5m2" | "float8_e5m2" => "e5m2",
            _ => name,
        };
        let known = Self::STORED.into_iter().find(|format| format.name() == short);
        known.ok_or_else(|| format!("unknown format '{name}': expected f16, bf16, f32, f64, e4m3 or e5m2"))
    }
}

/// A finite number as a C99 hexadecimal literal, `0x1.8p-1`; exact for every binary64 number.
///
/// ```
/// use posproof_numerics::format::hex;
/// assert_eq!(hex(0.75), "0x1.8p-1");
/// assert_eq!(hex(-256.0), "-0x1p+8");
/// ```
pub fn hex(x: f64) -> String {
    if !x.is_finite() {
        return format!("{x}");
    }
    let sign = if x.is_sign_negative() { "-" } else { "" };
    let fraction = x.to_bits() & ((1 << 52) - 1);
    let (lead, exponent) = match exponent_of(x) {
        -1023 if fraction == 0 => return format!("{sign}0x0p+0"),
        -1023 => (0, -1022),
        exponent => (1, exponent),
    };
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{sign}0x{lead}{point}{digits}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats of 8 bits round as their codes say, in both ways of rounding, and names come back.
    #[test]
    fn formats_of_eight_bits_are_their_codes() {
        for format in [Format::E4m3, Format::E5m2] {
            let narrow = format.narrow().expect("a format of 8 bits");
            assert_eq!(format.max_finite(), narrow.max_finite());
            assert_eq!(format.min_positive(), narrow.min_positive());
            for code in 0..=u8::MAX {
                let x = narrow.decode(code);
                if !x.is_finite() {
                    continue;
                }
                assert_eq!(format.bits(x), format!("{code:02x}"));
                let between = x + format.half_ulp(x).copysign(x);
                for y in [x, between, between.next_up(), between.next_down(), 3.0 * x] {
                    let expected = narrow.round(y, Towards::Nearest, Overflow::Saturate);
                    assert_eq!(format.round(y).to_bits(), expected.to_bits(), "{format} {y:e}");
                    assert_eq!(format.round_float(&Float::from_f64(y)), expected, "{format} {y:e}");
                }
            }
        }
        for format in Format::STORED {
            assert_eq!(format.name().parse(), Ok(format));
            assert_eq!(Format::computing(format.name()).is_ok(), format.narrow().is_none());
        }
        assert_eq!("f8e4m3".parse(), Ok(Format::E4m3));
        assert!("f8".parse::<Format>().is_err_and(|error| error.contains("e4m3")));
    }
}
