//! Formats of the numbers that matrix units multiply.

use crate::format::{Format, exponent_of, power_of_two};
use crate::narrow::{Narrow, Overflow, Towards};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;

/// A format of the numbers that a matrix unit multiplies: an interchange format, or a narrow one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// A format that computes; use [`From<Format>`](Self#impl-From<Format>-for-Element) where it may be another.
    Wide(Format),
    /// A format of at most eight bits.
    Narrow(Narrow),
}

impl Element {
    /// The name used on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wide(format) => format.name(),
            Self::Narrow(narrow) => narrow.name(),
        }
    }

    /// The format that arrays store such numbers in, one to a byte or more.
    pub fn stored(self) -> Option<Format> {
        match self {
            Self::Wide(format) => Some(format),
            Self::Narrow(narrow) => Format::STORED.into_iter().find(|format| format.narrow() == Some(narrow)),
        }
    }

    /// Bits of the significand, the leading bit included.
    pub const fn precision(self) -> u32 {
        match self {
            Self::Wide(format) => format.precision(),
            Self::Narrow(narrow) => narrow.precision(),
        }
    }

    /// The exponent e of the smallest normal number 2^e.
    pub const fn min_exponent(self) -> i32 {
        match self {
            Self::Wide(format) => format.min_exponent(),
            Self::Narrow(narrow) => narrow.min_exponent(),
        }
    }

    /// The largest number.
    pub fn max_finite(self) -> f64 {
        match self {
            Self::Wide(format) => format.max_finite(),
            Self::Narrow(narrow) => narrow.max_finite(),
        }
    }

    /// The smallest positive number.
    pub fn min_positive(self) -> f64 {
        match self {
            Self::Wide(format) => format.min_positive(),
            Self::Narrow(narrow) => narrow.min_positive(),
        }
    }

    /// The unit roundoff u = 2^−p.
    pub fn unit_roundoff(self) -> f64 {
        power_of_two(-(self.precision() as i32))
    }

    /// The number rounded to nearest, ties to even; beyond the largest number, that of an interchange format is infinite and
    /// that of a narrow one saturates.
    pub fn round(self, x: f64) -> f64 {
        match self {
            Self::Wide(format) => format.round(x),
            Self::Narrow(narrow) => narrow.round(x, Towards::Nearest, Overflow::Saturate),
        }
    }

    /// The number rounded towards zero, for a finite number that is no larger than the largest one.
    pub fn truncate(self, x: f64) -> f64 {
        match self {
            Self::Narrow(narrow) => narrow.round(x, Towards::Zero, Overflow::Saturate),
            Self::Wide(_) if x == 0.0 || !x.is_finite() => x,
            Self::Wide(format) => {
                let quantum = exponent_of(x).max(format.min_exponent()) + 1 - format.precision() as i32;
                let quantum = power_of_two(quantum);
                ((x.abs() / quantum).floor() * quantum).min(format.max_finite()).copysign(x)
            }
        }
    }
}

impl From<Format> for Element {
    fn from(format: Format) -> Self {
        format.narrow().map_or(Self::Wide(format), Self::Narrow)
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for Element {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl FromStr for Element {
    type Err = String;

    /// `f8e4m3` and `f8e5m2` are other names of `e4m3` and `e5m2`. A scale is no element.
    fn from_str(name: &str) -> Result<Self, String> {
        let elements = Narrow::ALL.into_iter().filter(|narrow| *narrow != Narrow::E8m0);
        let short = name.strip_prefix("f8").unwrap_or(name);
        if let Some(narrow) =
            elements.into_iter().find(|narrow| narrow.name() == short && (name == short || narrow.bits() == 8))
        {
            return Ok(Self::Narrow(narrow));
        }
        let unknown = || format!("unknown format '{name}': expected e2m1, e4m3, e5m2, f16, bf16, f32 or f64");
        name.parse::<Format>().map(Self::from).map_err(|_: String| unknown())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back_and_a_scale_is_no_element() {
        for name in ["e2m1", "e4m3", "e5m2", "f16", "bf16", "f32", "f64"] {
            assert_eq!(name.parse::<Element>().expect("a format").name(), name);
        }
        assert_eq!("f8e4m3".parse(), Ok(Element::Narrow(Narrow::E4m3)));
        for wrong in ["e8m0", "f8e2m1", "f8", ""] {
            assert!(wrong.parse::<Element>().is_err_and(|error| error.contains("expected e2m1")));
        }
    }

    #[test]
    fn wide_elements_truncate_to_the_next_number_towards_zero() {
        for format in [Format::Bf16, Format::F16, Format::F32] {
            let one_more = 1.0 + 2.0 * format.unit_roundoff();
            let element = Element::Wide(format);
            assert_eq!(element.truncate(one_more), one_more);
            assert_eq!(element.truncate(-one_more.next_down()), -1.0);
            assert_eq!(element.truncate(1.5 * format.min_positive()), format.min_positive());
            assert_eq!(element.truncate(format.min_positive().next_down()), 0.0);
        }
    }
}
