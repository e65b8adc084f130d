//! Rules that change the frequencies of a rotary encoding for longer contexts, each in exact real arithmetic.
//!
//! Parameters carry the names of model configurations. Notation: n is `dim` (or `rotary_dim`),
//! ω_k = base^(−2k/n), s is `factor`, L is `original_max_position_embeddings`.

use super::amplitude::Gain;
use super::convention::{InvalidConvention, require};
use super::piecewise::{at_least, at_most, clamp, step, whole};
use super::real::Real;
use posproof_numerics::cache::Cache;
use posproof_numerics::{Interval, Rational};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// A scaling rule with its parameters. Optional parameters have the defaults of model configurations.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "rope_type", rename_all = "lowercase", deny_unknown_fields)]
pub enum Scaling {
    /// ω_k/s (Chen et al. 2023, position interpolation).
    Linear {
        /// s.
        factor: Real,
    },
    /// The frequencies of the base base·s^(n/(n−2)) (the NTK-aware rule).
    Ntk {
        /// s.
        factor: Real,
    },
    /// The frequencies of the base base·(s·m/L − (s − 1))^(n/(n−2)) for a sequence of length m > L;
    /// ω_k otherwise.
    Dynamic {
        /// s.
        factor: Real,
        /// L.
        original_max_position_embeddings: u64,
        /// m; what is tabulated decides it where it is not given.
        #[serde(default)]
        sequence_length: Option<u64>,
    },
    /// ω_k·(1 − r_k) + (ω_k/s)·r_k with the ramp r_k = clamp((k − low)/(high − low), 0, 1) between
    /// the correction dimensions n·ln(L/(2πβ))/(2·ln base) for β = `beta_fast` and `beta_slow`,
    /// floored and ceiled unless `truncate` is false, then clamped to [0, n − 1]; 1/1000 apart where
    /// they coincide (Peng et al. 2023, section 3). Every entry is multiplied by the attention factor.
    Yarn {
        /// s.
        factor: Real,
        /// L.
        original_max_position_embeddings: u64,
        /// β at and above which frequencies stay.
        #[serde(default = "beta_fast")]
        beta_fast: Real,
        /// β at and below which frequencies are divided by s.
        #[serde(default = "one")]
        beta_slow: Real,
        /// True if the correction dimensions are rounded outward to integers.
        #[serde(default = "yes")]
        truncate: bool,
        /// The attention factor; (1 + m·ln(s)/10)/(1 + a·ln(s)/10) where it is not given, with m =
        /// `mscale` and a = `mscale_all_dim` if both are given, and 1 and 0 otherwise.
        #[serde(default)]
        attention_factor: Option<Real>,
        /// m.
        #[serde(default)]
        mscale: Option<Real>,
        /// a.
        #[serde(default)]
        mscale_all_dim: Option<Real>,
    },
    /// By wavelength λ_k = 2π/ω_k: ω_k below L/`high_freq_factor`, ω_k/s above L/`low_freq_factor`,
    /// and between them (1 − b)·ω_k/s + b·ω_k with b = (L/λ_k − low)/(high − low). Where low = high nothing is between:
    /// L/λ_k is transcendental, so never equal to them.
    Llama3 {
        /// s.
        factor: Real,
        /// low.
        low_freq_factor: Real,
        /// high.
        high_freq_factor: Real,
        /// L.
        original_max_position_embeddings: u64,
    },
    /// ω_k/f_k, with f_k from `long_factor` for sequences longer than L and from `short_factor`
    /// otherwise (Ding et al. 2024). Every entry is multiplied by the attention factor.
    Longrope {
        /// f_k up to length L, one for each pair.
        short_factor: Vec<Real>,
        /// f_k beyond length L, one for each pair.
        long_factor: Vec<Real>,
        /// L.
        original_max_position_embeddings: u64,
        /// s, the ratio of the extended length to L: only the attention factor depends on it.
        #[serde(default)]
        factor: Option<Real>,
        /// The attention factor; √(1 + ln s/ln L) where it is not given (1 without s).
        #[serde(default)]
        attention_factor: Option<Real>,
        /// The sequence's length; what is tabulated decides it where it is not given.
        #[serde(default)]
        sequence_length: Option<u64>,
    },
    /// base^(−2k/n)/s for the first ⌊`partial_rotary_factor`·n/2⌋ pairs and 0 for the others, which
    /// are not rotated.
    Proportional {
        /// The fraction of the pairs that is rotated.
        partial_rotary_factor: Real,
        /// s.
        #[serde(default = "one")]
        factor: Real,
    },
}

fn beta_fast() -> Real {
    32.into()
}

fn one() -> Real {
    1.into()
}

fn yes() -> bool {
    true
}

/// Frequencies that the rules are applied to.
pub(crate) struct Unscaled<'a> {
    /// n.
    pub dim: usize,
    /// The precision to work at.
    pub bits: u32,
    /// ln base, of the base that the rule itself has changed.
    pub ln_base: &'a Interval,
    /// ω_k.
    pub frequencies: Vec<Interval>,
}

impl Scaling {
    /// The names of all rules.
    pub const NAMES: [&'static str; 7] = ["linear", "ntk", "dynamic", "yarn", "llama3", "longrope", "proportional"];

    /// The parameters of the rule with this name.
    pub fn parameters(name: &str) -> Option<&'static [&'static str]> {
        Some(match name {
            "linear" | "ntk" => &["factor"],
            "dynamic" => &["factor", "original_max_position_embeddings", "sequence_length"],
            "yarn" => &[
                "factor",
                "original_max_position_embeddings",
                "beta_fast",
                "beta_slow",
                "truncate",
                "attention_factor",
                "mscale",
                "mscale_all_dim",
            ],
            "llama3" => &["factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"],
            "longrope" => &[
                "short_factor",
                "long_factor",
                "original_max_position_embeddings",
                "factor",
                "attention_factor",
                "sequence_length",
            ],
            "proportional" => &["partial_rotary_factor", "factor"],
            _ => return None,
        })
    }

    /// The name that model configurations and the command line use.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Linear { .. } => "linear",
            Self::Ntk { .. } => "ntk",
            Self::Dynamic { .. } => "dynamic",
            Self::Yarn { .. } => "yarn",
            Self::Llama3 { .. } => "llama3",
            Self::Longrope { .. } => "longrope",
            Self::Proportional { .. } => "proportional",
        }
    }

    pub(crate) fn validate(&self, dim: usize) -> Result<(), InvalidConvention> {
        let positive = |name, value: &Real| require(*value.value() > 0, name, value, "a number > 0");
        let length = |value: u64| {
            let found = value;
            require(
                (2..1 << 53).contains(&value),
                "original_max_position_embeddings",
                found,
                "an integer from 2 to 2^53 − 1",
            )
        };
        let wide = || {
            require(
                dim > 2,
                "dim",
                dim,
                "at least 4: the exponent dim/(dim − 2) of this scaling rule has no value at 2",
            )
        };
        match self {
            Self::Linear { factor } => positive("factor", factor),
            Self::Ntk { factor } => positive("factor", factor).and_then(|()| wide()),
            Self::Dynamic { factor, original_max_position_embeddings, sequence_length } => {
                require(*factor.value() >= 1, "factor", factor, "a number ≥ 1")?;
                length(*original_max_position_embeddings)?;
                self.require_length(*sequence_length)?;
                wide()
            }
            Self::Yarn { factor, original_max_position_embeddings, beta_fast, beta_slow, attention_factor, .. } => {
                positive("factor", factor)?;
                length(*original_max_position_embeddings)?;
                positive("beta_slow", beta_slow)?;
                require(beta_fast >= beta_slow, "beta_fast", beta_fast, format!("at least beta_slow = {beta_slow}"))?;
                attention_factor.as_ref().map_or(Ok(()), |value| positive("attention_factor", value))
            }
            Self::Llama3 { factor, low_freq_factor, high_freq_factor, original_max_position_embeddings } => {
                positive("factor", factor)?;
                length(*original_max_position_embeddings)?;
                positive("low_freq_factor", low_freq_factor)?;
                let expected = format!("at least low_freq_factor = {low_freq_factor}");
                require(high_freq_factor >= low_freq_factor, "high_freq_factor", high_freq_factor, expected)
            }
            Self::Longrope {
                short_factor,
                long_factor,
                original_max_position_embeddings,
                factor,
                attention_factor,
                sequence_length,
            } => {
                for (name, factors) in [("short_factor", short_factor), ("long_factor", long_factor)] {
                    let found = format!("{} numbers", factors.len());
                    require(factors.len() == dim / 2, name, found, format!("{}, one for each pair", dim / 2))?;
                    factors.iter().try_for_each(|value| positive(name, value))?;
                }
                length(*original_max_position_embeddings)?;
                factor.as_ref().map_or(Ok(()), |value| positive("factor", value))?;
                attention_factor.as_ref().map_or(Ok(()), |value| positive("attention_factor", value))?;
                self.require_length(*sequence_length)
            }
            Self::Proportional { partial_rotary_factor, factor } => {
                positive("factor", factor)?;
                let found = partial_rotary_factor;
                let fraction = *found.value() >= 0 && *found.value() <= 1;
                require(fraction, "partial_rotary_factor", found, "a number from 0 to 1")
            }
        }
    }

    fn require_length(&self, length: Option<u64>) -> Result<(), InvalidConvention> {
        let expected = format!("the length of the sequence, on which {} scaling depends", self.name());
        require(length.is_some(), "sequence_length", "nothing", expected)
    }

    pub(crate) fn set_length(&mut self, length: u64) {
        if let Self::Dynamic { sequence_length, .. } | Self::Longrope { sequence_length, .. } = self {
            sequence_length.get_or_insert(length);
        }
    }

    /// Factor of every entry by the rule.
    pub(crate) fn attention_factor(&self) -> Gain {
        match self {
            Self::Yarn { attention_factor: Some(value), .. } | Self::Longrope { attention_factor: Some(value), .. } => {
                Gain::rational(value.value().clone())
            }
            Self::Yarn { factor, mscale, mscale_all_dim, .. } => {
                let tenth = |value: &Real| value.value() / &Rational::from(10);
                // Model configurations take a zero as "not given".
                let (above, below) = match (mscale, mscale_all_dim) {
                    (Some(m), Some(a)) if !m.is_zero() && !a.is_zero() => (tenth(m), tenth(a)),
                    _ => ((1, 10).into(), Rational::ZERO),
                };
                Gain::logarithmic(above, below, factor.value().clone())
            }
            Self::Longrope { factor: Some(factor), original_max_position_embeddings: length, .. } => {
                Gain::long(factor.value().clone(), Rational::from(*length))
            }
            _ => Gain::rational(1.into()),
        }
    }

    /// Where the rule uses another base, what the base is multiplied by: a number, and the exponent that it is raised to.
    pub(crate) fn stretch(&self, dim: usize) -> Option<(Rational, Rational)> {
        let stretch = match self {
            Self::Ntk { factor } => factor.value().clone(),
            Self::Dynamic { factor, original_max_position_embeddings: original, sequence_length: Some(length) }
                if length > original =>
            {
                let s = factor.value();
                s * Rational::from((*length, *original)) - (s - Rational::ONE)
            }
            _ => return None,
        };
        Some((stretch, Rational::from((dim as u64, dim as u64 - 2))))
    }

    /// The scaled frequencies.
    pub(crate) fn apply(&self, unscaled: Unscaled<'_>) -> Vec<Interval> {
        let bits = unscaled.bits;
        let divided = |omega: Interval, by: &Real| omega / Interval::rational(by.value(), bits);
        let all = |by: &dyn Fn(usize, Interval) -> Interval, frequencies: Vec<Interval>| {
            frequencies.into_iter().enumerate().map(|(k, omega)| by(k, omega)).collect()
        };
        match self {
            Self::Ntk { .. } | Self::Dynamic { .. } => unscaled.frequencies,
            Self::Linear { factor } => all(&|_, omega| divided(omega, factor), unscaled.frequencies),
            Self::Yarn { factor, .. } => {
                let (low, high) = self.correction_range(&unscaled);
                let one = || Interval::rational(&1.into(), bits);
                let ramp = |k: usize| {
                    let k = Interval::rational(&Rational::from(k), bits);
                    clamp((k - low.clone()) / (high.clone() - low.clone()), &0.into(), &1.into())
                };
                let blend = |k, omega: Interval| {
                    let r: Interval = ramp(k);
                    omega.clone() * (one() - r.clone()) + divided(omega, factor) * r
                };
                all(&blend, unscaled.frequencies)
            }
            Self::Llama3 { factor, low_freq_factor, high_freq_factor, original_max_position_embeddings } => {
                let (low, high) = (low_freq_factor.value(), high_freq_factor.value());
                let two_pi = Interval::pi(bits) * Interval::rational(&2.into(), bits);
                let length = Interval::rational(&Rational::from(*original_max_position_embeddings), bits);
                let blend = |_, omega: Interval| {
                    // L/λ; the bands meet at b = 0 and b = 1, so that clamping b is the case distinction.
                    let periods = length.clone() * omega.clone() / two_pi.clone();
                    let range = Interval::rational(&(high - low), bits);
                    let above = periods - Interval::rational(low, bits);
                    let b = if low == high { step(&above) } else { clamp(above / range, &0.into(), &1.into()) };
                    let rest = Interval::rational(&1.into(), bits) - b.clone();
                    rest * divided(omega.clone(), factor) + b * omega
                };
                all(&blend, unscaled.frequencies)
            }
            Self::Longrope { short_factor, long_factor, original_max_position_embeddings, sequence_length, .. } => {
                let long = sequence_length.is_some_and(|length| length > *original_max_position_embeddings);
                let factors = if long { long_factor } else { short_factor };
                all(&|k, omega| divided(omega, &factors[k]), unscaled.frequencies)
            }
            Self::Proportional { partial_rotary_factor, factor } => {
                let rotated = partial_rotary_factor.value() * Rational::from((unscaled.dim as u64, 2));
                let rotated = rotated.floor().to_u64().unwrap_or(0) as usize;
                let zero = |k, omega| if k < rotated { divided(omega, factor) } else { Interval::from(0).at(bits) };
                all(&zero, unscaled.frequencies)
            }
        }
    }

    /// The ends of YaRN's ramp, low < high.
    fn correction_range(&self, unscaled: &Unscaled<'_>) -> (Interval, Interval) {
        let Self::Yarn { original_max_position_embeddings, beta_fast, beta_slow, truncate, .. } = self else {
            return (Interval::undefined(), Interval::undefined());
        };
        let bits = unscaled.bits;
        let half_dim = Rational::from((unscaled.dim as u64, 2u64));
        let correction = |beta: &Real| {
            let turns = Rational::from(*original_max_position_embeddings) / beta.value();
            Interval::rational(&half_dim, bits) * ln_turns(&turns, bits) / unscaled.ln_base.clone()
        };
        let (mut low, mut high) = (correction(beta_fast), correction(beta_slow));
        if *truncate {
            low = whole(&low, |end| end.floor());
            high = whole(&high, |end| end.ceil());
        }
        let last = Rational::from(unscaled.dim as u64 - 1);
        low = at_least(low, &Rational::ZERO);
        high = at_most(high, &last);
        if low == high || beta_fast == beta_slow && !truncate {
            high = low.clone() + Interval::rational(&(1, 1000).into(), bits);
        }
        (low, high)
    }
}

/// ln(turns/2π), remembered as [`Interval::ln_rational`] is.
fn ln_turns(turns: &Rational, bits: u32) -> Interval {
    static KNOWN: LazyLock<Cache<(Rational, u32), Interval>> = LazyLock::new(Cache::default);
    KNOWN.get_of(bits, &(turns.clone(), bits), || {
        let two_pi = Interval::pi(bits) * Interval::rational(&2.into(), bits);
        (Interval::rational(turns, bits) / two_pi).ln()
    })
}
