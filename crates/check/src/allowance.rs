//! How far every honest implementation may be from the exact value.
//!
//! An implementation that computes in a format with unit roundoff u takes a frequency
//! ω' = ω(1 + ρ), forms the angle t·ω' with one rounding, and takes a sine of it that is accurate to
//! κ ulp. Then |entry − exact| ≤ storage + |g|·(min(2, |t|·(ω·s + σ)) + 2κu + 3u), where
//! s = (1 + ρ)(1 + π)(1 + u)^m − 1 with π = u for positions that the format cannot hold and 0
//! otherwise, m the products and sums that form the angle, and σ what frequencies below the normal range of the
//! format may lose. The relative error of a frequency is, with c = ρ/u to first order, k the index of the frequency and
//! L = ln(1/ω) (the Coq development, `RoundingFrequency.v`, has these path by path; each has 1 or more added here
//! for a base that the format does not hold):
//!
//! - correctly rounded, or in binary64 and cast: 1;
//! - `pow` accurate to κ' ulp and a reciprocal: 2κ' + 2 + L, the L from the rounding of the exponent;
//! - `exp(−k·c)`: 2κ + 2 + (3 + 2κ)·L, from the errors of log, quotient and product;
//! - repeated multiplication by base^(−2/dim): k·(2κ + 2) + L + 1.
//!
//! Products of k factors (1 + cᵢu) are at most exp(u·Σcᵢ), which makes the bounds hold beyond
//! first order. Scaling rules multiply and add a few terms of their own ([`Allowance::new`]). That κ = 2 and
//! κ' = 4 is an assumption about the libraries in use, and the only one.

use posproof_encoding::convention::Convention;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// How an implementation computes its frequencies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Path {
    /// Any of the others.
    #[default]
    Any,
    /// Correctly rounded.
    Rounded,
    /// In binary64, then cast.
    F64,
    /// `1 / pow(base, 2k/dim)`.
    Pow,
    /// `exp(−k·ln(base)·2/dim)`.
    Exp,
    /// Each from the one before by a multiplication.
    Repeated,
}

impl Path {
    const ALL: [Self; 6] = [Self::Any, Self::Rounded, Self::F64, Self::Pow, Self::Exp, Self::Repeated];

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Rounded => "rounded",
            Self::F64 => "f64",
            Self::Pow => "pow",
            Self::Exp => "exp",
            Self::Repeated => "repeated",
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Path {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|path| path.name() == name);
        known.ok_or_else(|| {
            posproof_encoding::suggestion::unknown("path", name, Self::ALL.iter().map(|path| path.name()))
        })
    }
}

/// Ulps that a library's sin, cos, exp and log may be off.
const KAPPA: f64 = 2.0;

/// Ulps that its pow may be off, where every frequency is a power.
const KAPPA_POW: f64 = 4.0;

/// Bounds on the error of every entry of a convention.
#[derive(Clone, Debug)]
pub struct Allowance {
    /// Of each pair: what the error of the angle grows by with each position.
    pub slope: Vec<f64>,
    /// The part that does not grow, relative to the amplitude.
    pub flat: f64,
    /// |g|.
    pub gain: f64,
    /// The unit roundoff of the storage format.
    pub unit: f64,
    /// Half its smallest positive number.
    pub tiny: f64,
}

impl Allowance {
    /// For a convention with frequencies `omega`, positions up to `last`, computed in `compute`
    /// along `path` and stored in `storage`.
    pub fn new(
        convention: &Convention,
        omega: &[f64],
        last: u64,
        (compute, path): (Format, Path),
        storage: Format,
    ) -> Self {
        let u = compute.unit_roundoff();
        let scale = convention.position_scale.value().to_f64().abs();
        let offset = convention.position_offset.value();
        let whole = offset.is_integer() && scale == 1.0;
        let counts = (last as f64 + offset.to_f64().abs()) <= 1.0 / u;
        // The product itself; scale and offset, or positions that were rounded.
        let roundings = 1.0 + if whole { 0.0 } else { 3.0 } + if counts { 0.0 } else { 1.0 };
        let scaling = Rule::new(convention);
        let plain = Convention { scaling: None, ..convention.clone() };
        let unscaled = scaling.blend.and_then(|_| super::check::omega(&plain)).unwrap_or_default();
        let slope = omega.iter().enumerate().map(|(k, &omega)| {
            let log = omega.max(f64::MIN_POSITIVE).ln().abs();
            let pow = 2.0 * KAPPA_POW + 2.0 + log;
            let exp = 2.0 * KAPPA + 2.0 + (3.0 + 2.0 * KAPPA) * log;
            let index = (k + convention.frequency_origin as usize) as f64;
            let repeated = index * (2.0 * KAPPA + 2.0) + log + 1.0;
            let path = match path {
                Path::Rounded | Path::F64 => 1.0,
                Path::Pow => pow,
                Path::Exp => exp,
                Path::Repeated => repeated,
                Path::Any => pow.max(exp).max(repeated),
            };
            // Every path gives 1 = base^0 exactly, and its products with whole numbers are exact.
            let exact = k == 0 && omega == 1.0 && scaling.keeps_first && whole && counts;
            let ratio = omega / unscaled.get(k).copied().unwrap_or(omega);
            let rule = scaling.roundings(path, ratio);
            let relative = if exact { 0.0 } else { (1.01 * u * (path + rule + roundings)).exp_m1() };
            let lost = (KAPPA + 1.0 + index / 2.0) * compute.min_positive();
            scale * (omega * relative + if exact { 0.0 } else { lost })
        });
        Self {
            slope: slope.collect(),
            flat: (1.01 * u * (2.0 * KAPPA + 3.0)).exp_m1(),
            gain: convention.gain().enclose(64).abs().upper_f64(),
            unit: storage.unit_roundoff(),
            tiny: storage.min_positive() / 2.0,
        }
    }

    /// The bound for an entry whose exact value is about `exact`, at effective position `t` ≥ 0.
    pub fn of(&self, pair: usize, t: f64, exact: f64) -> f64 {
        let computed = self.computed(pair, t);
        (self.unit * (exact.abs() + computed) + computed + self.tiny) * (1.0 + 1e-9)
    }

    /// The same without the storage format.
    pub fn computed(&self, pair: usize, t: f64) -> f64 {
        self.gain * ((t * self.slope[pair]).min(2.0) + self.flat)
    }
}

/// What a scaling rule adds to the relative error of a frequency, in units of u.
struct Rule {
    /// Its own sums and products.
    terms: f64,
    /// For a blend: 1 − 1/s, and how far off its b is: this, and this times the error of an unscaled frequency.
    blend: Option<(f64, f64, f64)>,
    /// Whether it leaves ω_0 = 1 alone.
    keeps_first: bool,
}

impl Rule {
    fn new(convention: &Convention) -> Self {
        let number = |x: &posproof_encoding::real::Real| x.value().to_f64();
        let plain = |terms, keeps_first| Self { terms, blend: None, keeps_first };
        match &convention.scaling {
            None => plain(0.0, true),
            Some(Scaling::Linear { .. } | Scaling::Proportional { .. } | Scaling::Longrope { .. }) => plain(2.0, false),
            Some(Scaling::Ntk { factor } | Scaling::Dynamic { factor, .. }) => {
                plain(16.0 + 4.0 * number(factor).max(1.0).ln(), true)
            }
            // b = (L/λ − low)/(high − low): L/λ, at most `high` where b < 1, has the error of ω and three roundings, the
            // difference and the quotient add two, and 1 − b one: below 2·(ρ + 6u)·high/(high − low).
            Some(Scaling::Llama3 { factor, low_freq_factor, high_freq_factor, .. }) => {
                let (low, high) = (number(low_freq_factor), number(high_freq_factor));
                let times = 2.0 * high / (high - low);
                Self { terms: 6.0, blend: Some((span(number(factor)), 6.0 * times, times)), keeps_first: false }
            }
            // b = 1 − (k − low)/(high − low): a quotient and two differences from 1, or, where low and high are not whole
            // numbers, also their roundings and those of both differences, of numbers up to `high`.
            Some(Scaling::Yarn {
                factor, original_max_position_embeddings, beta_fast, beta_slow, truncate, ..
            }) => {
                let dim = 2.0 * convention.pairs() as f64;
                let turns = |beta| *original_max_position_embeddings as f64 / (std::f64::consts::TAU * number(beta));
                let end = |beta| 0.5 * dim * turns(beta).ln() / number(&convention.base).ln();
                let (low, high) = (end(beta_fast).max(0.0), end(beta_slow).min(dim - 1.0));
                let fixed = 4.0 + if *truncate { 0.0 } else { 4.0 * high / (high - low).max(1e-3) };
                Self { terms: 6.0, blend: Some((span(number(factor)), fixed, 0.0)), keeps_first: false }
            }
        }
    }

    /// For a frequency that is `ratio` times the unscaled one, whose own error is `path`. A blend is
    /// ω' = (1 − b)·ω/s + b·ω, both terms with errors of the same sign or less; an error of b changes it by
    /// (1 − 1/s)·ω, which is (1 − 1/s)/ratio relative to ω'.
    fn roundings(&self, path: f64, ratio: f64) -> f64 {
        let blend = self.blend.map_or(0.0, |(span, fixed, times)| span * (fixed + times * path) / ratio);
        self.terms + blend
    }
}

/// 1 − 1/s.
fn span(factor: f64) -> f64 {
    1.0 - 1.0 / factor.max(1.0)
}
