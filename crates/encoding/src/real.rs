//! Exact real parameters: what a specification writes down, kept without rounding.

use posproof_numerics::Rational;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// The largest decimal exponent that is read: beyond it a specification is a mistake, and its
/// exact value would only fill memory.
const MAX_EXPONENT: i64 = 9999;

/// A rational number as a person writes it: `10000`, `0.1`, `1e-3`, `1/8`. The decimal is taken
/// exactly; 0.1 is one tenth, not the binary64 number next to it.
///
/// In JSON it is a number where the shortest decimal of a binary64 number says it exactly, and
/// otherwise a string in the same notation.
///
/// ```
/// use posproof_encoding::real::Real;
/// let tenth: Real = "0.1".parse().unwrap();
/// assert_eq!(*tenth.value(), posproof_numerics::Rational::from((1, 10)));
/// assert_eq!("5e5".parse::<Real>().unwrap().to_string(), "500000");
/// assert_eq!("2/3".parse::<Real>().unwrap().to_string(), "2/3");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Real(Rational);

impl Real {
    /// The exact value.
    pub fn value(&self) -> &Rational {
        &self.0
    }

    /// True if the value is zero.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// The decimal notation, where there is a finite one; without an exponent when that is short.
    fn decimal(&self) -> Option<String> {
        let (digits, places) = self.0.finite_decimal()?;
        let sign = if self.0 < 0 { "-" } else { "" };
        Some(format!("{sign}{}", place_point(&digits, -i64::from(places))))
    }
}

/// digits·10^exponent in plain notation between 1e-7 and 1e21, in scientific notation elsewhere.
fn place_point(digits: &str, exponent: i64) -> String {
    let kept = digits.trim_end_matches('0');
    if kept.is_empty() {
        return "0".into();
    }
    let exponent = exponent + (digits.len() - kept.len()) as i64;
    let point = kept.len() as i64 + exponent;
    match point {
        -6..=0 => format!("0.{}{kept}", "0".repeat(point.unsigned_abs() as usize)),
        1..=21 if exponent >= 0 => format!("{kept}{}", "0".repeat(exponent as usize)),
        1..=21 => format!("{}.{}", &kept[..point as usize], &kept[point as usize..]),
        _ if kept.len() == 1 => format!("{kept}e{}", point - 1),
        _ => format!("{}.{}e{}", &kept[..1], &kept[1..], point - 1),
    }
}

impl fmt::Display for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.decimal().unwrap_or_else(|| self.0.to_string()))
    }
}

impl From<i64> for Real {
    fn from(integer: i64) -> Self {
        Self(integer.into())
    }
}

impl From<Rational> for Real {
    fn from(value: Rational) -> Self {
        Self(value)
    }
}

impl FromStr for Real {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = match text.split_once('/') {
            Some((numerator, denominator)) => {
                let parts = decimal(numerator).zip(decimal(denominator));
                parts.filter(|(_, d)| !d.is_zero()).map(|(n, d)| n / d)
            }
            None => decimal(text),
        };
        parsed.map(Self).ok_or_else(|| {
            format!("'{text}' is not a finite real number: expected a decimal such as 10000, 0.5 or 1e6, or a fraction such as 1/8")
        })
    }
}

/// `[sign]digits[.digits][e[sign]digits]` as an exact rational.
fn decimal(text: &str) -> Option<Rational> {
    let text = text.trim();
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (negative, unsigned) = match mantissa.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, mantissa.strip_prefix('+').unwrap_or(mantissa)),
    };
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) || digits.len() as i64 > MAX_EXPONENT {
        return None;
    }
    let exponent = exponent.checked_sub(fraction.len() as i64)?;
    if exponent.unsigned_abs() > MAX_EXPONENT as u64 {
        return None;
    }
    let magnitude = Rational::from_digits(&digits)? * Rational::power_of_ten(exponent as i32);
    Some(if negative { -magnitude } else { magnitude })
}

impl Serialize for Real {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.to_string();
        if let Some(integer) = text.parse::<i64>().ok().filter(|n| n.unsigned_abs() < 1 << 53) {
            return serializer.serialize_i64(integer);
        }
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() && number.to_string().parse().as_ref() == Ok(self) => {
                serializer.serialize_f64(number)
            }
            _ => serializer.serialize_str(&text),
        }
    }
}

impl<'de> Deserialize<'de> for Real {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Number;
        impl Visitor<'_> for Number {
            type Value = Real;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a finite real number, or a string that holds one")
            }
            fn visit_i64<E>(self, value: i64) -> Result<Real, E> {
                Ok(Real(value.into()))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Real, E> {
                Ok(Real(value.into()))
            }
            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Real, E> {
                // The shortest decimal of a binary64 number is what was written, up to 15 digits.
                value.to_string().parse().map_err(E::custom)
            }
            fn visit_str<E: de::Error>(self, value: &str) -> Result<Real, E> {
                value.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Number)
    }
}
