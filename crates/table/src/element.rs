//! The formats that tables are rounded to.

use super::eight_bits::{E4m3, E5m2};
use super::kernel::Kernel;
use half::{bf16, f16};
use posproof_numerics::format::Format;

/// An entry of a table: `f64`, `f32`, [`half::f16`], [`half::bf16`], [`E4m3`] or [`E5m2`].
pub trait Element: Kernel + PartialEq + std::fmt::Debug {
    /// The format.
    const FORMAT: Format;

    /// The number itself; `value` is a number of the format.
    fn from_exact(value: f64) -> Self;

    /// The value, exactly.
    fn to_f64(self) -> f64;

    /// The rounding of every number within `error` of `value`, if it is one; it may decline.
    fn round_within(value: f64, error: f64) -> Option<Self>;

    /// The bytes of a number in memory order on a little-endian machine, which is what the file
    /// formats here use: written to `out`, which is as long as the format says.
    fn write_le(self, out: &mut [u8]);

    /// The number of such bytes; zero if they are not as many as the format has.
    fn read_le(bytes: &[u8]) -> Self;
}

/// Evaluates an expression for the type of entries that a [`Format`] names.
///
/// ```
/// use posproof_numerics::format::Format;
/// use posproof_table::{Element, in_format};
/// let one = |format| in_format!(format, T => T::from_exact(1.0).to_f64());
/// assert_eq!((one(Format::Bf16), one(Format::E4m3)), (1.0, 1.0));
/// ```
#[macro_export]
macro_rules! in_format {
    ($format:expr, $entry:ident => $of:expr) => {
        match $format {
            $crate::Format::F64 => {
                type $entry = f64;
                $of
            }
            $crate::Format::F32 => {
                type $entry = f32;
                $of
            }
            $crate::Format::F16 => {
                type $entry = $crate::f16;
                $of
            }
            $crate::Format::Bf16 => {
                type $entry = $crate::bf16;
                $of
            }
            $crate::Format::E4m3 => {
                type $entry = $crate::E4m3;
                $of
            }
            $crate::Format::E5m2 => {
                type $entry = $crate::E5m2;
                $of
            }
        }
    };
}

/// The first of some entries that is infinite, the correct rounding of what its format does not hold.
pub fn first_infinite<T: Element>(entries: &[T]) -> Option<usize> {
    entries.iter().position(|entry| entry.to_f64().is_infinite())
}

macro_rules! element {
    ($($kind:ty, $format:ident, $from:expr, $to:expr, $round:expr;)*) => {$(
        impl Element for $kind {
            const FORMAT: Format = Format::$format;

            fn from_exact(value: f64) -> Self {
                $from(value)
            }

            fn to_f64(self) -> f64 {
                $to(self)
            }

            #[inline]
            fn round_within(value: f64, error: f64) -> Option<Self> {
                $round(value, error)
            }

            fn write_le(self, out: &mut [u8]) {
                out.copy_from_slice(&self.to_le_bytes());
            }

            fn read_le(bytes: &[u8]) -> Self {
                bytes.try_into().map(Self::from_le_bytes).unwrap_or_default()
            }
        }
    )*};
}

/// Both ends of value ± error, moved outward by more than their computation rounds.
#[inline]
fn ends(value: f64, error: f64) -> (f64, f64) {
    let error = error * (1.0 + 1e-9) + value.abs() * f64::EPSILON;
    (value - error, value + error)
}

/// The bits of a binary64 number rounded to a narrower format of `precision` bits whose smallest normal number is
/// 2^min_exponent: to nearest, ties away from zero, in one step. `None` among the subnormal numbers.
#[inline]
fn narrowed(value: f64, precision: u32, min_exponent: i32) -> Option<u64> {
    let bits = value.to_bits() & !(1 << 63);
    let lowest = ((min_exponent + 1023) as u64) << 52;
    let dropped = 53 - precision;
    let rounded = (bits + (1 << (dropped - 1))) >> dropped;
    // Re-biased: the smallest normal number has exponent field 1.
    (bits >= lowest).then(|| rounded - (lowest >> dropped) + (1 << (precision - 1)))
}

/// The bits, with their sign, if both ends round alike and to a finite number.
#[inline]
fn agreed(value: f64, error: f64, precision: u32, min_exponent: i32) -> Option<u16> {
    let (low, high) = ends(value, error);
    let bits = narrowed(low, precision, min_exponent)?;
    let infinity = 0x7fff >> (precision - 1) << (precision - 1);
    let alike = narrowed(high, precision, min_exponent) == Some(bits) && (low < 0.0) == (high < 0.0);
    (alike && bits < infinity).then_some(bits as u16 | if low < 0.0 { 0x8000 } else { 0 })
}

/// The number of a format that both ends round to.
#[inline]
fn both_ends(format: Format, value: f64, error: f64) -> Option<f64> {
    let (low, high) = ends(value, error);
    let (low, high) = (format.round(low), format.round(high));
    (low.to_bits() == high.to_bits()).then_some(low)
}

element! {
    f64, F64, |value| value, |value| value, |_, _| None;
    f32, F32, |value| value as f32, f64::from, |value, error| {
        let (low, high) = ends(value, error);
        (low as f32).to_bits().eq(&(high as f32).to_bits()).then_some(low as f32)
    };
    // Exact, because the value is a number of the format.
    f16, F16, |value| f16::from_f32(value as f32), f64::from, |value, error| {
        agreed(value, error, 11, -14).map(f16::from_bits)
    };
    bf16, Bf16, |value| bf16::from_f32(value as f32), f64::from, |value, error| {
        agreed(value, error, 8, -126).map(bf16::from_bits)
    };
    E4m3, E4m3, E4m3::from_f64, f64::from, |value, error| both_ends(Format::E4m3, value, error).map(E4m3::from_f64);
    E5m2, E5m2, E5m2::from_f64, f64::from, |value, error| both_ends(Format::E5m2, value, error).map(E5m2::from_f64);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the rounding of the formats module, wherever the ends are not a tie.
    #[test]
    fn ends_that_agree_round_like_the_format() {
        let mut bits = 0x0123_4567_89ab_cdef_u64;
        for _ in 0..200_000 {
            bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let value = f64::from_bits((bits & !(0x7ff << 52)) | (1023 - 130 + (bits >> 20) % 140) << 52);
            let error = value.abs() * 2f64.powi(-30);
            if let Some(found) = f16::round_within(value, error) {
                assert_eq!(found.to_f64(), Format::F16.round(value), "{value:e}");
            }
            if let Some(found) = bf16::round_within(value, error) {
                assert_eq!(found.to_f64(), Format::Bf16.round(value), "{value:e}");
            }
            if let Some(found) = f32::round_within(value, error * 2f64.powi(-15)) {
                assert_eq!(f64::from(found), Format::F32.round(value), "{value:e}");
            }
        }
        let tie = 1.0 + 2f64.powi(-11);
        assert_eq!(f16::round_within(tie, 1e-15), None);
        assert_eq!(f16::round_within(1e-9, 2e-9), None);
        assert_eq!(f16::round_within(70000.0, 1e-9), None);
    }
}
