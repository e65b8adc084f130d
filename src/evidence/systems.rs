//! The systems that settle a claim, by name.

use crate::claim::SystemKind;
use crate::number::format::Format;
use std::fmt;
use std::str::FromStr;

/// The systems that `verify` runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SystemName {
    /// Normal forms.
    Exact,
    /// MPFR intervals of 256 bits.
    Interval256,
    /// MPFR at 256 bits.
    Mp256,
    /// MPFR at 113 bits, the precision of binary128.
    Mp113,
    /// binary64.
    F64,
    /// binary32.
    F32,
    /// binary16.
    F16,
    /// bfloat16.
    Bf16,
}

impl SystemName {
    /// All systems, from the most to the least exact.
    pub const ALL: [Self; 8] =
        [Self::Exact, Self::Interval256, Self::Mp256, Self::Mp113, Self::F64, Self::F32, Self::F16, Self::Bf16];

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Interval256 => "interval256",
            Self::Mp256 => "mp256",
            Self::Mp113 => "mp113",
            Self::F64 => "f64",
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
        }
    }

    /// The binary format; none of the exact system, enclosures and MPFR.
    pub fn format(self) -> Option<Format> {
        match self {
            Self::Exact | Self::Interval256 | Self::Mp256 | Self::Mp113 => None,
            Self::F64 => Some(Format::F64),
            Self::F32 => Some(Format::F32),
            Self::F16 => Some(Format::F16),
            Self::Bf16 => Some(Format::Bf16),
        }
    }

    /// Which sizes it is asked.
    pub fn kind(self) -> SystemKind {
        match self {
            Self::Exact => SystemKind::Formal,
            Self::Interval256 => SystemKind::Enclosed,
            Self::Mp256 => SystemKind::Rounded { precision: 256 },
            Self::Mp113 => SystemKind::Rounded { precision: 113 },
            Self::F64 => SystemKind::Rounded { precision: Format::F64.precision() },
            Self::F32 => SystemKind::Rounded { precision: Format::F32.precision() },
            Self::F16 => SystemKind::Rounded { precision: Format::F16.precision() },
            Self::Bf16 => SystemKind::Rounded { precision: Format::Bf16.precision() },
        }
    }

    /// Operations to spend on one size at standard effort, and the fewest cases, so that every
    /// system takes about as long.
    pub(super) fn budget(self) -> (usize, usize) {
        match self {
            Self::Exact => (0, 0),
            Self::Interval256 | Self::Mp256 | Self::Mp113 => (1 << 14, 48),
            Self::F64 | Self::F32 | Self::F16 | Self::Bf16 => (1 << 17, 324),
        }
    }
}

impl fmt::Display for SystemName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for SystemName {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|system| system.name() == name);
        known.ok_or_else(|| {
            posproof_encoding::suggestion::unknown("system", name, Self::ALL.iter().map(|system| system.name()))
        })
    }
}
