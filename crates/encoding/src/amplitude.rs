//! The factor in front of every entry.

use super::real::Real;
use posproof_numerics::{Interval, Rational};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A rational amplitude, or the square root of one: `1`, `0.5`, `sqrt(2/512)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Amplitude {
    /// A rational number.
    Rational(Real),
    /// The non-negative square root of a non-negative rational number.
    Root(Real),
}

impl Amplitude {
    /// The amplitude as a gain.
    pub fn gain(&self) -> Gain {
        match self {
            Self::Rational(value) => Gain::rational(value.value().clone()),
            Self::Root(square) => Gain::root(square.value().clone()),
        }
    }
}

impl Default for Amplitude {
    fn default() -> Self {
        Self::Rational(1.into())
    }
}

impl fmt::Display for Amplitude {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rational(value) => value.fmt(f),
            Self::Root(square) => write!(f, "sqrt({square})"),
        }
    }
}

impl FromStr for Amplitude {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim().strip_prefix("sqrt(").and_then(|rest| rest.strip_suffix(')')) {
            Some(square) => {
                let square: Real = square.parse()?;
                if *square.value() < 0 {
                    return Err(format!("'{text}' is the square root of a negative number"));
                }
                Ok(Self::Root(square))
            }
            None => text.parse().map(Self::Rational),
        }
    }
}

impl Serialize for Amplitude {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Rational(value) => value.serialize(serializer),
            Self::Root(_) => serializer.serialize_str(&self.to_string()),
        }
    }
}

impl<'de> Deserialize<'de> for Amplitude {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Text(String),
            Number(Real),
        }
        match Form::deserialize(deserializer)? {
            Form::Text(text) => text.parse().map_err(serde::de::Error::custom),
            Form::Number(value) => Ok(Self::Rational(value)),
        }
    }
}

/// r·√q·(1 + a·ln s)/(1 + b·ln s): every factor that an amplitude and the attention factors of the
/// scaling rules are made of, with r, q ≥ 0, a, b ≥ 0 and s ≥ 1 rational; and, for LongRoPE's
/// factor, √(1 + ln s/ln L) where the quotient of logarithms is irrational.
///
/// The value is rational exactly where [`Gain::exact`] says so. A quotient with a ≠ b and s > 1 is
/// transcendental (Lindemann: ln s is, and a Möbius map with rational coefficients keeps it so); an
/// irrational quotient of logarithms of rationals is transcendental (Gelfond and Schneider).
#[derive(Clone, Debug)]
pub struct Gain {
    rational: Rational,
    square: Rational,
    logarithmic: Option<Logarithmic>,
}

#[derive(Clone, Debug)]
enum Logarithmic {
    Quotient { above: Rational, below: Rational, argument: Rational },
    RootOfQuotient { argument: Rational, base: Rational },
}

impl Gain {
    /// A rational gain.
    pub fn rational(value: Rational) -> Self {
        Self { rational: value, square: 1.into(), logarithmic: None }
    }

    /// √square, for a square ≥ 0.
    pub fn root(square: Rational) -> Self {
        Self { rational: 1.into(), square, logarithmic: None }
    }

    /// (1 + above·ln s)/(1 + below·ln s), the attention factor of YaRN (Peng et al. 2023, equation
    /// 22, in the form that model configurations use); 1 for s ≤ 1.
    pub fn logarithmic(above: Rational, below: Rational, s: Rational) -> Self {
        let logarithmic = (s > 1 && above != below).then_some(Logarithmic::Quotient { above, below, argument: s });
        Self { logarithmic, ..Self::rational(1.into()) }
    }

    /// √(1 + ln s/ln length), the attention factor of LongRoPE (Ding et al. 2024); 1 for s ≤ 1.
    pub fn long(s: Rational, length: Rational) -> Self {
        if s <= 1 {
            return Self::rational(1.into());
        }
        match logarithm(&s, &length) {
            Some(quotient) => Self::root(quotient + Rational::ONE),
            None => {
                let logarithmic = Some(Logarithmic::RootOfQuotient { argument: s, base: length });
                Self { logarithmic, ..Self::rational(1.into()) }
            }
        }
    }

    /// The product with an amplitude's gain, which has no logarithmic part.
    pub fn times(mut self, amplitude: Gain) -> Self {
        self.rational *= amplitude.rational;
        self.square *= amplitude.square;
        self
    }

    /// The value, where it is rational.
    pub fn exact(&self) -> Option<Rational> {
        if self.rational.is_zero() || self.square.is_zero() {
            return Some(Rational::ZERO);
        }
        if self.logarithmic.is_some() {
            return None;
        }
        // Most gains are rational as they are written.
        if self.square == 1 {
            Some(self.rational.clone())
        } else {
            self.square.square_root().map(|root| root * &self.rational)
        }
    }

    /// An enclosure of the value at the given precision.
    pub fn enclose(&self, bits: u32) -> Interval {
        let rational = |value: &Rational| Interval::rational(value, bits);
        if let Some(value) = self.exact() {
            return rational(&value);
        }
        let algebraic = rational(&self.rational) * rational(&self.square).sqrt();
        let one = || rational(&1.into());
        match &self.logarithmic {
            None => algebraic,
            Some(Logarithmic::Quotient { above, below, argument }) => {
                let ln = Interval::ln_rational(argument, bits);
                algebraic * (one() + rational(above) * ln.clone()) / (one() + rational(below) * ln)
            }
            Some(Logarithmic::RootOfQuotient { argument, base }) => {
                let ln = |x| Interval::ln_rational(x, bits);
                algebraic * (one() + ln(argument) / ln(base)).sqrt()
            }
        }
    }
}

/// ln s/ln length where it is rational: s^m = length^n for natural m, n. Both are then powers of
/// one rational number, so neither exponent exceeds the bits of the other's number.
fn logarithm(s: &Rational, length: &Rational) -> Option<Rational> {
    let bits = |x: &Rational| x.numerator_bits().max(x.denominator_bits());
    let bound = bits(s).max(bits(length)).min(64);
    let quotient = Interval::ln_rational(s, 64) / Interval::ln_rational(length, 64);
    (1..=bound).find_map(|m| {
        let n = (quotient.approximate() * f64::from(m)).round();
        if n.is_nan() || n > 64.0 {
            return None;
        }
        let n = n as u32;
        (s.pow(m) == length.pow(n)).then(|| Rational::from((n, m)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotient_of_logarithms_is_rational_only_for_powers_of_one_number() {
        let long = |s: u32, length: u32| Gain::long(s.into(), length.into());
        assert_eq!(logarithm(&32.into(), &4096.into()), Some(Rational::from((5, 12))));
        assert_eq!(logarithm(&33.into(), &4096.into()), None);
        assert_eq!(long(512, 8).exact(), Some(Rational::from(2)));
        assert_eq!(long(32, 4096).exact(), None);
        assert!(long(32, 4096).enclose(200).width_up() < 1e-55);
        assert!(long(33, 4096).enclose(200).width_up() < 1e-55);
    }

    #[test]
    fn amplitudes_are_read_exactly() {
        let root: Amplitude = "sqrt(2/512)".parse().unwrap();
        assert_eq!(root.gain().exact(), Some(Rational::from((1, 16))));
        assert_eq!(serde_json::to_string(&root).unwrap(), "\"sqrt(0.00390625)\"");
        assert_eq!(serde_json::from_str::<Amplitude>("0.1").unwrap(), "1/10".parse().unwrap());
        assert!("sqrt(-1)".parse::<Amplitude>().is_err());
    }
}
