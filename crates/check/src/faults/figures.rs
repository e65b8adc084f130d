//! Figures of causes.

use super::{ArrayCause, AxesCause, Cause, PartCause, PositionRule, PrecisionCause, ProductsCause};
use posproof_numerics::format::Format;
use std::fmt;

/// A frequency that was measured, beside the stated one; in radians per position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// The pair.
    pub pair: usize,
    /// The measured frequency.
    pub measured: f64,
    /// Error of that, at most.
    pub error: f64,
    /// The stated one.
    pub expected: f64,
}

/// Lengths that should be constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lengths {
    /// Those of the pairs of vectors, before and after a rotation.
    Rotation,
    /// cos² + sin² of a cache.
    Cache,
    /// sin² + cos² of a table.
    Table,
}

/// Where an entry stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its position.
    pub position: u64,
    /// The number of the table among the leading dimensions.
    pub slab: usize,
    /// Its column.
    pub column: usize,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position {} (table {}, column {})", self.position, self.slab, self.column)
    }
}

/// Causes that are grouped by what they are of.
macro_rules! groups {
    ($($group:ident($cause:ty)),*) => {
        $(impl From<$cause> for Cause {
            fn from(cause: $cause) -> Self {
                Self::$group(cause)
            }
        })*
    };
}

groups!(
    Array(ArrayCause),
    Axes(AxesCause),
    Part(PartCause),
    Products(ProductsCause),
    Precision(PrecisionCause),
    Positions(PositionRule)
);

impl Cause {
    /// Cause of rows whose numbers are larger by so many.
    pub(crate) fn after(self, by: usize) -> Self {
        match self {
            Self::Axes(cause) => Self::Axes(cause.after(by)),
            other => other,
        }
    }

    /// The narrower format that the fault comes from, if it comes from one.
    pub fn format(&self) -> Option<Format> {
        match self {
            Self::Narrowed { format, .. }
            | Self::Stored { format, .. }
            | Self::Rounded { format, .. }
            | Self::Array(ArrayCause::Rounding { format, .. })
            | Self::RoundedPositions { format } => Some(*format),
            Self::Precision(cause) => cause.format(),
            _ => None,
        }
    }

    /// The first position that is wrong, where rows before it are right.
    pub fn from(&self) -> Option<u64> {
        match self {
            Self::Unrotated { from }
            | Self::Clamped { from, .. }
            | Self::Wrapped { from }
            | Self::ShiftedFrom { from, .. }
            | Self::ScaledFrom { from, .. }
            | Self::Earlier { from, .. } => Some(*from),
            Self::Positions(rule) => rule.from(),
            _ => None,
        }
    }
}
