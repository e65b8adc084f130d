//! The formats that tables are rounded to.

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

    /// The bytes of a number in memory order on a little-endian machine, which is what the file
    /// formats here use: written to `out`, which is as long as the format says.
    fn write_le(self, out: &mut [u8]);
}

macro_rules! element {
    ($($kind:ty, $format:ident, $from:expr, $to:expr;)*) => {$(
        impl Element for $kind {
            const FORMAT: Format = Format::$format;

            fn from_exact(value: f64) -> Self {
                $from(value)
            }

            fn to_f64(self) -> f64 {
                $to(self)
            }

            fn write_le(self, out: &mut [u8]) {
                out.copy_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

element! {
    f64, F64, |value| value, |value| value;
    f32, F32, |value| value as f32, f64::from;
    // Exact, because the value is a number of the format.
    f16, F16, |value| f16::from_f32(value as f32), f64::from;
    bf16, Bf16, |value| bf16::from_f32(value as f32), f64::from;
}
