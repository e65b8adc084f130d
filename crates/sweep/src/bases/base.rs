//! Bases as exact decimals.

use posproof_encoding::real::Real;
use posproof_numerics::Rational;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;

/// 10^9.
const UNITS: u64 = 1_000_000_000;

/// A base of frequencies: an exact decimal with at most nine digits after the point, from 1 to 9·10^9.
///
/// Intervals of bases end at such numbers, so that neighbours share their end exactly and a file says it exactly.
///
/// ```
/// use posproof_sweep::bases::Base;
/// let base: Base = "1e3".parse().unwrap();
/// assert_eq!(base.to_string(), "1000");
/// assert!("1000.0000000001".parse::<Base>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Base(u64);

impl Base {
    const MAX: Self = Self(9 * UNITS * UNITS);

    /// The natural logarithm, wrong by at most 2^−48: with u = 2^−53 the quotient's relative error is at most 2u + u², and its
    /// logarithm, below 23, is correctly rounded: 2.1·u + 23·u < 2^−48 = 32·u.
    pub(crate) fn ln(self) -> f64 {
        core_math::log(self.0 as f64 / UNITS as f64)
    }

    /// The number of 10^−9 from one base up to another.
    pub(crate) fn units_to(self, upper: Self) -> u64 {
        upper.0.saturating_sub(self.0)
    }

    /// The base in the middle, rounded down.
    pub(crate) fn middle(self, upper: Self) -> Self {
        Self(self.0 + self.units_to(upper) / 2)
    }

    /// b + ⌊b/2^shift⌋ in units of 10^−9.
    pub(crate) fn next(self, shift: u32) -> Self {
        Self(self.0 + (self.0 >> shift))
    }

    /// True if the interval up to another base is at most 2^−40 of it wide, or a single unit.
    pub(crate) fn is_next_to(self, upper: Self) -> bool {
        self.units_to(upper) <= (self.0 >> 40).max(1)
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:09}", self.0 / UNITS, self.0 % UNITS);
        f.pad(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl FromStr for Base {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let units = text.parse::<Real>()?.value() * Rational::from(UNITS);
        let base = units.to_u64().filter(|_| units.is_integer()).map(Self);
        base.filter(|base| (Self(UNITS)..=Self::MAX).contains(base)).ok_or_else(|| {
            format!("base {text}: expected a number from 1 to {} with at most nine digits after the point", Self::MAX)
        })
    }
}

impl Serialize for Base {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Base {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use posproof_numerics::Interval;

    #[test]
    fn bases_are_exact_decimals() {
        for (text, shown) in
            [("1", "1"), ("10000000", "10000000"), ("83763.841015434", "83763.841015434"), ("9e9", "9000000000")]
        {
            assert_eq!(text.parse::<Base>().unwrap().to_string(), shown);
        }
        for text in ["0.5", "-1", "9.000000001e9", "1/3", "1.0000000001", "ten", ""] {
            assert!(text.parse::<Base>().is_err(), "{text}");
        }
    }

    /// The allowance for logarithms, against enclosures of 100 bits.
    #[test]
    fn logarithms_are_as_near_as_is_said() {
        let mut units = UNITS;
        while units <= Base::MAX.0 {
            let exact = Interval::rational(&Rational::from((units, UNITS)), 100).ln();
            let error = (Interval::exactly(Base(units).ln()).at(100) - exact).abs().upper_f64();
            assert!(error <= 2f64.powi(-48), "{}: {error}", Base(units));
            units += units / 9 + 1;
        }
    }
}
