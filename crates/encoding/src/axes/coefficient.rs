//! Rational numbers and rational multiples of π.

use crate::real::Real;
use posproof_numerics::{Interval, Rational};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A rational number or a rational multiple of π, exactly: `-13/2`, `0.5`, `2/7*pi`. Offsets and scales of positions that are
/// normalised to a grid.
///
/// ```
/// use posproof_encoding::axes::Coefficient;
/// let scale: Coefficient = "2/7*pi".parse().unwrap();
/// assert!(scale.of_pi && scale.to_string() == "2/7*pi");
/// assert!("2*tau".parse::<Coefficient>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Coefficient {
    /// The number, or its quotient by π.
    pub value: Real,
    /// True if it is multiplied by π.
    pub of_pi: bool,
}

impl Coefficient {
    /// An enclosure at a precision.
    pub fn enclose(&self, bits: u32) -> Interval {
        let value = Interval::rational(self.value.value(), bits);
        if self.of_pi && !self.is_zero() { value * Interval::pi(bits) } else { value }
    }

    /// True if it is zero.
    pub fn is_zero(&self) -> bool {
        self.value.is_zero()
    }

    /// True if it is this integer.
    pub fn is(&self, integer: i64) -> bool {
        (!self.of_pi || integer == 0) && *self.value.value() == integer
    }

    /// The value, where it is rational.
    pub fn rational(&self) -> Option<&Rational> {
        (!self.of_pi || self.is_zero()).then(|| self.value.value())
    }
}

impl From<Real> for Coefficient {
    fn from(value: Real) -> Self {
        Self { value, of_pi: false }
    }
}

impl From<i64> for Coefficient {
    fn from(integer: i64) -> Self {
        Real::from(integer).into()
    }
}

impl fmt::Display for Coefficient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)?;
        f.write_str(if self.of_pi { "*pi" } else { "" })
    }
}

impl FromStr for Coefficient {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (number, of_pi) = match text.trim().strip_suffix("*pi") {
            Some(number) => (number, true),
            None => (text, false),
        };
        match number.parse() {
            Ok(value) => Ok(Self { value, of_pi }),
            Err(_) => Err(format!(
                "'{text}': expected a decimal such as 0.5, a fraction such as -13/2, or one times pi: 2/7*pi"
            )),
        }
    }
}

impl Serialize for Coefficient {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.of_pi { serializer.collect_str(self) } else { self.value.serialize(serializer) }
    }
}

impl<'de> Deserialize<'de> for Coefficient {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::String(text) => text.parse().map_err(serde::de::Error::custom),
            number => Real::deserialize(number).map(Self::from).map_err(serde::de::Error::custom),
        }
    }
}
