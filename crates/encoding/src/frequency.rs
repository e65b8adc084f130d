//! Enclosures of what a convention defines: angular frequencies, angles and entries.

use super::convention::{Component, Convention, Spacing};
use super::law::Law;
use super::scaling::{Scaling, Unscaled};
use posproof_numerics::cache::Cache;
use posproof_numerics::{Interval, Rational};
use std::sync::LazyLock;

/// Beyond this precision an enclosure that is still not narrow enough is given up.
const MAX_BITS: u32 = 1 << 20;

impl Convention {
    /// Enclosures of every ω_k, pair by pair, each of relative width at most 2^−bits; exactly zero
    /// for the pairs that proportional scaling leaves unrotated.
    ///
    /// The formulas run in interval arithmetic at a working precision that is raised until the
    /// intervals are as narrow as that, so that no separate error analysis is needed. The geometric
    /// progression costs one exponential in all: ω_(k+1) = ω_k·base^(−2/dim). `None` where even 2^20
    /// bits do not suffice, which no known convention needs, or the convention is not valid.
    pub fn frequencies(&self, bits: u32) -> Option<Vec<Interval>> {
        self.validate().ok()?;
        narrowed(bits, |working| self.progression().at(working))
    }

    fn progression(&self) -> Progression<'_> {
        let dim = self.frequency_dim();
        Progression {
            base: self.base.value(),
            spacing: match self.frequency_spacing {
                Spacing::Paper => Rational::from((2, dim as u64)),
                Spacing::Endpoints => Rational::from((1, dim as u64 / 2 - 1)),
            },
            origin: self.frequency_origin,
            step: self.frequency_step,
            dim,
            count: self.pairs(),
            scaling: self.scaling.as_ref(),
        }
    }
}

/// ω_k = base^(−(origin + k·step)·spacing) for k from 0 to count − 1, and what a scaling rule for n = `dim` makes of them.
pub(crate) struct Progression<'a> {
    pub base: &'a Rational,
    pub spacing: Rational,
    pub origin: u32,
    pub step: u32,
    pub dim: usize,
    pub count: usize,
    pub scaling: Option<&'a Scaling>,
}

impl Progression<'_> {
    /// All of them, computed at a precision.
    pub fn at(&self, bits: u32) -> Vec<Interval> {
        let (ln_base, ratio) = self.ln_base_and_ratio(bits);
        let power = |index: u32| {
            let exponent = Rational::from(index) * &self.spacing;
            (-(ln_base.clone() * Interval::rational(&exponent, bits))).exp()
        };
        // A rule has its own factor for each pair of the dimension, from the first one on.
        let scaled = self.scaling.is_some();
        let (origin, step, count) = if scaled { (0, 1, self.dim / 2) } else { (self.origin, self.step, self.count) };
        let ratio = if step == 1 { ratio } else { power(step) };
        let first = match origin {
            0 => Interval::rational(&1.into(), bits),
            1 if step == 1 => ratio.clone(),
            _ => power(origin),
        };
        let progression = std::iter::successors(Some(first), |omega| Some(omega.clone() * ratio.clone()));
        let frequencies = progression.take(count).collect();
        match self.scaling {
            Some(scaling) => {
                let all = scaling.apply(Unscaled { dim: self.dim, bits, ln_base: &ln_base, frequencies });
                all.into_iter().skip(self.origin as usize).step_by(self.step as usize).take(self.count).collect()
            }
            None => frequencies,
        }
    }

    /// ln of the base that the rule uses, and base^(−spacing), both remembered: they are all of a progression that takes long.
    fn ln_base_and_ratio(&self, bits: u32) -> (Interval, Interval) {
        type Key = (Rational, Option<(Rational, Rational)>, Rational, u32);
        static KNOWN: LazyLock<Cache<Key, (Interval, Interval)>> = LazyLock::new(Cache::default);
        let stretch = self.scaling.and_then(|scaling| scaling.stretch(self.dim));
        let key = (self.base.clone(), stretch, self.spacing.clone(), bits);
        KNOWN.get_of(bits, &key, || {
            let mut ln_base = Interval::ln_rational(self.base, bits);
            if let Some((stretch, exponent)) = &key.1 {
                ln_base += Interval::ln_rational(stretch, bits) * Interval::rational(exponent, bits);
            }
            let ratio = (-(ln_base.clone() * Interval::rational(&self.spacing, bits))).exp();
            (ln_base, ratio)
        })
    }
}

/// Intervals of relative width at most 2^−bits, from a computation that is repeated at higher precisions until they are.
pub(crate) fn narrowed(bits: u32, compute: impl Fn(u32) -> Vec<Interval>) -> Option<Vec<Interval>> {
    let mut working = bits + 64;
    while working <= MAX_BITS {
        let intervals = compute(working);
        if intervals.iter().all(|interval| is_narrow(interval, bits)) {
            return Some(intervals);
        }
        working *= 2;
    }
    None
}

/// True if upper − lower ≤ 2^−bits·|x| for every x of the interval.
fn is_narrow(interval: &Interval, bits: u32) -> bool {
    interval.is_defined() && interval.width().scaled(bits as i32) <= *interval.abs().lower()
}

/// Frequencies at precisions STEP, 2·STEP, 4·STEP …, computed when they are first needed.
#[derive(Debug, Default)]
pub(crate) struct Levels([std::sync::OnceLock<Option<Vec<Interval>>>; LEVELS]);

impl Levels {
    /// One of those that `compute` makes of a precision, at no less than this precision.
    pub fn get(&self, k: usize, bits: u32, compute: impl Fn(u32) -> Option<Vec<Interval>>) -> Option<Interval> {
        let level = bits.div_ceil(STEP).max(1).next_power_of_two().trailing_zeros();
        self.0.get(level as usize)?.get_or_init(|| compute(STEP << level)).as_ref()?.get(k).cloned()
    }
}

const STEP: u32 = 128;
const LEVELS: usize = 12;

/// The exact real entries of a convention, enclosed at any precision.
///
/// ```
/// use posproof_encoding::convention::{Component, Convention};
/// use posproof_encoding::frequency::Entries;
/// let entries = Entries::new(&Convention::sinusoid(4));
/// // cos(1/100)
/// let cos = entries.enclose(1, 1, Component::Cos, 100).unwrap();
/// assert!(cos.width_up() < 1e-29);
/// assert!((cos.approximate() - 0.01f64.cos()).abs() < 1e-15);
/// ```
#[derive(Debug)]
pub struct Entries {
    convention: Convention,
    frequencies: Levels,
}

impl Entries {
    /// The entries of a convention; nothing is computed yet.
    pub fn new(convention: &Convention) -> Self {
        Self { convention: convention.clone(), frequencies: Levels::default() }
    }

    /// The convention.
    pub fn convention(&self) -> &Convention {
        &self.convention
    }

    /// An enclosure of ω_k of relative width at most 2^−bits. `None` beyond the last pair, for an
    /// invalid convention, and beyond 2^18 bits.
    pub fn frequency(&self, pair: usize, bits: u32) -> Option<Interval> {
        self.frequencies.get(pair, bits, |bits| self.convention.frequencies(bits))
    }

    /// An enclosure of θ = ±(position + position_offset)·position_scale·ω_k of relative width at
    /// most 2^(2−bits); exactly zero where θ is.
    pub fn angle(&self, position: u64, pair: usize, bits: u32) -> Option<Interval> {
        let omega = self.frequency(pair, bits)?;
        let effective = Law::new(&self.convention).turned(position);
        Some(Interval::rational(&effective, bits + 8) * omega)
    }

    /// True if θ = 0 exactly, so that the cosine is 1 and the sine 0.
    pub fn is_still(&self, position: u64, pair: usize) -> bool {
        Law::new(&self.convention).turned(position) == 0
            || self.frequency(pair, 1).is_some_and(|omega| omega.is_point() && omega.lower().is_zero())
    }

    /// The value of an entry where it is known to be rational: θ = 0 and a rational amplitude, or an amplitude of 0. Every other entry
    /// is irrational where the amplitude is algebraic: ω is, and so cos θ and sin θ are transcendental (Lindemann).
    pub fn exact(&self, position: u64, pair: usize, component: Component) -> Option<Rational> {
        let gain = self.convention.gain().exact()?;
        if gain.is_zero() {
            return Some(gain);
        }
        self.is_still(position, pair).then(|| if component == Component::Cos { gain } else { Rational::ZERO })
    }

    /// An enclosure of amplitude·cos θ or amplitude·sin θ of width about |amplitude|·2^−bits. Where
    /// the sine is small, its relative width is as small.
    pub fn enclose(&self, position: u64, pair: usize, component: Component, bits: u32) -> Option<Interval> {
        let rough = self.angle(position, pair, 16)?;
        let magnitude = rough.upper().exponent().max(rough.lower().exponent()).unwrap_or(0).max(0);
        let working = bits + 16 + magnitude as u32;
        let (cos, sin) = self.angle(position, pair, working)?.cos_sin();
        let gain = self.convention.gain().enclose(working);
        Some(gain * if component == Component::Cos { cos } else { sin })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(interval: &Interval, expected: f64) {
        let found = interval.approximate();
        assert!((found - expected).abs() <= 1e-12 * expected.abs(), "{found} is not {expected}");
        assert!(interval.width_up() <= 1e-50 * found.abs());
    }

    fn frequencies(convention: &Convention) -> Vec<Interval> {
        convention.frequencies(200).expect("a valid convention")
    }

    #[test]
    fn paper_and_endpoints() {
        let paper = frequencies(&Convention::sinusoid(512));
        about(&paper[1], 10000f64.powf(-1.0 / 256.0));
        about(&paper[255], 10000f64.powf(-255.0 / 256.0));
        let endpoints = Convention { frequency_spacing: Spacing::Endpoints, ..Convention::sinusoid(512) };
        about(&frequencies(&endpoints)[255], 1e-4);
        let from_one = Convention { frequency_origin: 1, ..Convention::sinusoid(4) };
        about(&frequencies(&from_one)[1], 1e-4);
    }

    #[test]
    fn llama3_matches_its_bands() {
        let scaling = Scaling::Llama3 {
            factor: 8.into(),
            low_freq_factor: 1.into(),
            high_freq_factor: 4.into(),
            original_max_position_embeddings: 8192,
        };
        let plain = Convention { base: 500000.into(), ..Convention::rope(128) };
        let scaled = frequencies(&Convention { scaling: Some(scaling), ..plain.clone() });
        let omega = |k: f64| 500000f64.powf(-k / 64.0);
        about(&scaled[0], 1.0);
        about(&scaled[20], omega(20.0));
        about(&scaled[63], omega(63.0) / 8.0);
        let b = (8192.0 * omega(32.0) / std::f64::consts::TAU - 1.0) / 3.0;
        assert!((0.0..1.0).contains(&b));
        about(&scaled[32], (1.0 - b) * omega(32.0) / 8.0 + b * omega(32.0));
    }

    #[test]
    fn yarn_ramps_between_whole_correction_dimensions() {
        let scaling: Scaling =
            serde_json::from_str(r#"{"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}"#)
                .unwrap();
        let convention = Convention { scaling: Some(scaling), ..Convention::rope(128) };
        let scaled = frequencies(&convention);
        // Correction dimensions 20.94 and 45.03, rounded outward to 20 and 46.
        let omega = |k: f64| 10000f64.powf(-k / 64.0);
        about(&scaled[20], omega(20.0));
        about(&scaled[46], omega(46.0) / 4.0);
        let r = 10.0 / 26.0;
        about(&scaled[30], omega(30.0) * (1.0 - r) + omega(30.0) / 4.0 * r);
        about(&convention.gain().enclose(250), 0.1 * 4f64.ln() + 1.0);
    }

    #[test]
    fn dynamic_and_ntk_change_the_base() {
        let ntk = Convention { scaling: Some(Scaling::Ntk { factor: 2.into() }), ..Convention::rope(64) };
        let base = |stretch: f64| 10000.0 * stretch.powf(64.0 / 62.0);
        about(&frequencies(&ntk)[31], base(2.0).powf(-31.0 / 32.0));
        let scaling = |sequence_length| Scaling::Dynamic {
            factor: 2.into(),
            original_max_position_embeddings: 2048,
            sequence_length,
        };
        let dynamic = Convention { scaling: Some(scaling(None)), ..Convention::rope(64) };
        assert_eq!(dynamic.validate().unwrap_err().field, "sequence_length");
        about(&frequencies(&dynamic.clone().for_length(2048))[31], 10000f64.powf(-31.0 / 32.0));
        about(&frequencies(&dynamic.for_length(8192))[31], base(7.0).powf(-31.0 / 32.0));
    }

    #[test]
    fn proportional_leaves_the_rest_still() {
        let scaling = Scaling::Proportional { partial_rotary_factor: "0.25".parse().unwrap(), factor: 1.into() };
        let convention = Convention { scaling: Some(scaling), ..Convention::rope(128) };
        let scaled = frequencies(&convention);
        about(&scaled[15], 10000f64.powf(-15.0 / 64.0));
        assert!(scaled[16..].iter().all(|omega| omega.lower().is_zero() && omega.is_point()));
        assert!(Entries::new(&convention).is_still(7, 16));
        assert!(!Entries::new(&convention).is_still(7, 15));
    }
}
