//! The formats that tables are rounded to.

use super::isa::half_bits;
use super::kernel::Kernel;
use crate::number::format::Format;
use half::{bf16, f16};

/// An entry of a table: `f64`, `f32`, [`half::f16`] or [`half::bf16`].
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
        }
    )*};
}

/// Both ends of value ± error, moved outward by more than their computation rounds.
#[inline]
fn ends(value: f64, error: f64) -> (f64, f64) {
    let error = error * (1.0 + 1e-9) + value.abs() * f64::EPSILON;
    (value - error, value + error)
}

/// Both ends in binary32, still outside value ± error: a later rounding to a narrower format then
/// sees the tie between them if there is one. Rounding moves an end by at most 2^−24 of its
/// magnitude or, among the subnormal numbers, by 2^−150.
#[inline]
fn single_ends(value: f64, error: f64) -> (f32, f32) {
    let error = error * (1.0 + 1e-6) + value.abs() * f64::from(f32::EPSILON) + f64::from(f32::from_bits(1));
    ((value - error) as f32, (value + error) as f32)
}

element! {
    f64, F64, |value| value, |value| value, |_, _| None;
    f32, F32, |value| value as f32, f64::from, |value, error| {
        let (low, high) = ends(value, error);
        (low as f32).to_bits().eq(&(high as f32).to_bits()).then_some(low as f32)
    };
    // Exact, because the value is a number of the format.
    f16, F16, |value| f16::from_f32(value as f32), f64::from, |value, error| {
        let (low, high) = single_ends(value, error);
        (half_bits(low) == half_bits(high)).then(|| f16::from_bits(half_bits(low) as u16))
    };
    bf16, Bf16, |value| bf16::from_f32(value as f32), f64::from, |value, error| {
        let (low, high) = single_ends(value, error);
        let bits = |x: f32| x.to_bits().wrapping_add(0x8000) >> 16;
        (bits(low) == bits(high)).then(|| bf16::from_bits(bits(low) as u16))
    };
}
