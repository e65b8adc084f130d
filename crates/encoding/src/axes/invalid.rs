//! Mistake in a convention of several axes.

use crate::convention::InvalidConvention;
use std::fmt;

/// A convention of axes that defines no encoding: which axis, which field, what was found, what is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidAxes {
    /// The name of the axis; none for a field of the whole convention.
    pub axis: Option<String>,
    /// The field, by its name in the convention.
    pub field: &'static str,
    /// Value found.
    pub found: String,
    /// Values that are allowed.
    pub expected: String,
}

impl InvalidAxes {
    /// Refuses a field of an axis, or of the whole convention, unless something holds.
    pub(super) fn unless(
        holds: bool,
        (axis, field): (Option<&str>, &'static str),
        found: impl ToString,
        expected: impl ToString,
    ) -> Result<(), Self> {
        if holds {
            return Ok(());
        }
        let axis = axis.map(str::to_owned);
        Err(Self { axis, field, found: found.to_string(), expected: expected.to_string() })
    }

    /// The same of an axis.
    pub(super) fn of(error: InvalidConvention, axis: &str) -> Self {
        let InvalidConvention { field, found, expected } = error;
        Self { axis: Some(axis.to_owned()), field, found, expected }
    }
}

impl fmt::Display for InvalidAxes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { axis, field, found, expected } = self;
        if let Some(axis) = axis {
            write!(f, "axis {axis}: ")?;
        }
        write!(f, "{field}: {found}; expected {expected}")
    }
}

impl std::error::Error for InvalidAxes {}
