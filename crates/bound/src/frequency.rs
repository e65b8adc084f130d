//! Distance of the frequencies of any honest implementation from the exact ones, at most, whatever libraries it calls.
//!
//! |ω′ − ω| ≤ ρω + σ with ρ = e^(u·(c+r)) − 1: c roundings of the path, r of the scaling rule, and σ = (κ + 1 + k/2)·η·e^(u·(c+r))
//! for what underflow takes from a frequency with index k. A library within κ ulp counts λ(κ) = −ln(1 − 2κu)/u roundings,
//! which also covers a division by its result. With L = ln(1/ω):
//!
//! | path | c | what is counted | theorem that has it for one form of the path |
//! | --- | --- | --- | --- |
//! | correctly rounded | 1 | | `rounding_path_rounded` |
//! | in binary64, then cast | 1, and the largest of the others in binary64 | | `rounding_path_cast` |
//! | pow | λ(4) + L + λ(½) + 1 | the exponent's rounding; the base's; a reciprocal | `rounding_path_reciprocal` |
//! | exp | λ(2) + L·(e^((2κ+3)u) − 1)/u + λ(½) + 1 | log, quotient and product; the base's rounding; a reciprocal | `rounding_path_exp_log` |
//! | repeated | k·(λ(4) + 2) + L + λ(½) | the ratio, a power, and a product, k times; its exponent's and base's roundings | `rounding_path_repeated` |
//!
//! A recurrence over the positions starts from frequencies along any of them. A base that the format does not hold counts
//! λ(½) because (1 ± u)^e is within e^(λ(½)u) for exponents e ≤ 1 (`rounding_frequency_base`). That κ is 2 for sin, cos, exp and
//! log, and 4 for pow, is an assumption about the libraries in use ([`Libraries`]), the same for every path, and the only one.

use super::libraries::{Compute, Libraries};
use super::origin::Origin;
use super::path::half;
use super::program::Path;
use super::upward::{Upper, smallest, unit};
use posproof_encoding::convention::Convention;
use posproof_encoding::real::Real;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;
use std::f64::consts::TAU;

/// Roundings of a scaling rule that is applied to positions or to angles, row by row: a linear factor is two; of a blend of two
/// angles, both positive, the products and the sum are six at most. All else of a rule is done once, to the frequency.
const AT_ANGLES: f64 = 6.0;

/// The derivation.
const ORIGIN: Origin = Origin::Derived("docs/bounds.md, any honest implementation");

/// The errors of the frequencies of a convention, computed in a format along a path, or any of them.
pub(super) struct FrequencyErrors {
    rule: Rule,
    unscaled: Vec<posproof_numerics::Interval>,
    /// The index of the first frequency, and the distance of the others.
    start: u32,
    step: u32,
    compute: Format,
    libraries: Libraries,
    /// Those of the format, and of binary64.
    roundings: Roundings,
    double: Roundings,
    path: Option<Path>,
    /// True if the frequencies are those of the implementation itself, so that c = 0.
    own: bool,
}

impl FrequencyErrors {
    pub fn new(convention: &Convention, compute: Compute, path: Option<Path>) -> Self {
        let rule = Rule::new(convention);
        let plain = Convention { scaling: None, ..convention.clone() };
        let blends = rule.blend.is_some() || rule.step.is_some();
        let unscaled = blends.then(|| plain.frequencies(64)).flatten().unwrap_or_default();
        let counted = (convention.frequency_origin, convention.frequency_step);
        Self { unscaled, ..Self::of_rule(rule, counted, compute, path) }
    }

    fn of_rule(rule: Rule, (start, step): (u32, u32), compute: Compute, path: Option<Path>) -> Self {
        let Compute { format, libraries } = compute;
        let [roundings, double] = [format, Format::F64].map(|format| Roundings::new(format, &libraries));
        Self {
            rule,
            unscaled: Vec::new(),
            start,
            step,
            compute: format,
            libraries,
            roundings,
            double,
            path,
            own: false,
        }
    }

    /// The same where the frequencies are the implementation's own, so that no path errs.
    pub fn with_own(self) -> Self {
        Self { own: true, ..self }
    }

    /// Of frequencies without a scaling rule, the first of which has the index `start`.
    #[cfg(feature = "axes")]
    pub fn unscaled(start: u32, compute: Compute, path: Option<Path>) -> Self {
        Self::of_rule(Rule::NONE, (start, 1), compute, path)
    }

    /// True if ω_0 = 1 is left alone.
    pub fn keeps_first(&self) -> bool {
        self.rule.keeps_first
    }

    fn index(&self, pair: usize) -> f64 {
        f64::from(self.start) + f64::from(self.step) * pair as f64
    }

    /// ρ for a frequency, with so many roundings besides; nothing is left of a frequency of 0.
    pub fn relative(&self, pair: usize, omega: f64, besides: f64) -> Upper {
        if omega == 0.0 {
            return Upper::ZERO;
        }
        if self.own {
            return ((Upper::of(self.rule.terms.min(AT_ANGLES)) + Upper::of(besides)) * unit(self.compute)).expm1();
        }
        let log = Upper::of(core_math::log(omega.max(f64::MIN_POSITIVE)).abs().next_up());
        let path = self.roundings.of(&self.double, self.path, (self.index(pair), log));
        let ratio = self.unscaled.get(pair).map_or(1.0, |unscaled| omega.next_down() / unscaled.upper_f64());
        let near = self.unscaled.get(pair).is_some_and(|unscaled| self.at_step(unscaled, path));
        let rule = if near { Upper::of(f64::INFINITY) } else { self.rule.roundings(path, ratio) };
        let all = path + rule + Upper::of(besides);
        (all * unit(self.compute)).expm1()
    }

    /// True where a program may see a frequency on the other side of the step. 2π, L, the two quotients and the threshold are
    /// rounded once each; the last term is for the evaluation here.
    fn at_step(&self, unscaled: &posproof_numerics::Interval, path: Upper) -> bool {
        const ROUNDINGS: f64 = 6.0;
        let Some(step) = self.rule.step else { return false };
        let error = ((path + Upper::of(ROUNDINGS)) * unit(self.compute)).expm1() + Upper::of(16.0 * f64::EPSILON);
        let (below, above) = (step * (1.0 - error.get()), step * (1.0 + error.get()));
        unscaled.upper_f64() >= below && unscaled.lower_f64() <= above
    }

    /// σ without its factor.
    pub fn lost(&self, pair: usize) -> Upper {
        Upper::of(self.libraries.small() + 1.0 + self.index(pair) / 2.0) * smallest(self.compute)
    }
}

/// Bounds on the errors of the frequencies of a convention themselves, as a vector `inv_freq` holds them.
#[derive(Clone, Debug)]
pub struct FrequencyAllowance {
    bounds: Vec<f64>,
}

impl FrequencyAllowance {
    /// For a convention with frequencies `omega` (each rounded to nearest), computed in `compute` along a path, or any of
    /// them, and stored in `storage`: u_S·(ω + e) + e + η_S/2 with e = ρω + σ.
    pub fn new(
        convention: &Convention,
        omega: &[f64],
        (compute, path): (impl Into<Compute>, Option<Path>),
        storage: Format,
    ) -> Self {
        let errors = FrequencyErrors::new(convention, compute.into(), path);
        let bound = |(pair, &omega): (usize, &f64)| {
            let above = Upper::of(omega.next_up());
            let (relative, lost) = (errors.relative(pair, omega, 0.0), errors.lost(pair));
            let error = above * relative + lost + lost * relative;
            (unit(storage) * (above + error) + error + half(smallest(storage))).get()
        };
        Self { bounds: omega.iter().enumerate().map(bound).collect() }
    }

    /// The bound for the frequency of a pair; infinite for a pair that the convention does not have.
    pub fn of(&self, pair: usize) -> f64 {
        self.bounds.get(pair).copied().unwrap_or(f64::INFINITY)
    }

    /// Where the bounds come from.
    pub fn origin(&self) -> Origin {
        ORIGIN
    }
}

/// λ(κ): a result within κ ulp, or its reciprocal, in roundings.
fn library(kappa: f64, format: Format) -> Upper {
    let u = format.unit_roundoff();
    (Upper::of(2.0 * kappa) * unit(format)).minus_ln_one_minus().over(u)
}

/// Roundings of the libraries of a format, which all frequencies share.
struct Roundings {
    format: Format,
    base: Upper,
    pow: Upper,
    exp: Upper,
    /// Those of the exponent, for each unit of the logarithm.
    exponent: Upper,
}

impl Roundings {
    fn new(format: Format, libraries: &Libraries) -> Self {
        let exponent = (Upper::of(2.0 * libraries.log + 3.0) * unit(format)).expm1().over(format.unit_roundoff());
        let of = |kappa| library(kappa, format);
        Self { format, base: of(0.5), pow: of(libraries.pow), exp: of(libraries.exp), exponent }
    }

    /// c: the relative error of a frequency in units of u, for what is not below the format's normal range; `log` is above the magnitude of
    /// its logarithm, and `double` are the roundings of the library of binary64, which computes the path that is cast.
    fn of(&self, double: &Self, path: Option<Path>, (index, log): (f64, Upper)) -> Upper {
        let one = Upper::of(1.0);
        match path {
            Some(Path::Rounded) => one,
            Some(Path::F64) => {
                let wide = double.of(double, None, (index, log));
                match self.format {
                    Format::F64 => wide,
                    format => one + (wide * unit(Format::F64)).expm1().over(format.unit_roundoff()),
                }
            }
            Some(Path::Pow) => self.pow + log + self.base + one,
            Some(Path::Exp) => self.exp + log * self.exponent + self.base + one,
            Some(Path::Repeated) => Upper::of(index) * (self.pow + Upper::of(2.0)) + log + self.base,
            None | Some(Path::Recurrence) => [Path::Pow, Path::Exp, Path::Repeated]
                .map(|path| self.of(double, Some(path), (index, log)))
                .into_iter()
                .fold(Upper::ZERO, Upper::max),
        }
    }
}

/// Addition of a scaling rule to the relative error of a frequency, in units of u.
struct Rule {
    /// Its own sums and products.
    terms: f64,
    /// For a blend: 1 − 1/s, and how far off its b is: this, and this times the error of an unscaled frequency.
    blend: Option<(f64, f64, f64)>,
    /// The frequency at which it steps from ω/s to ω, where there is nothing in between.
    step: Option<f64>,
    /// True if it leaves ω_0 = 1 alone.
    keeps_first: bool,
}

impl Rule {
    /// No rule.
    const NONE: Self = Self { terms: 0.0, blend: None, step: None, keeps_first: true };

    fn new(convention: &Convention) -> Self {
        let number = |x: &Real| x.value().to_f64();
        let plain = |terms, keeps_first| Self { terms, blend: None, step: None, keeps_first };
        match &convention.scaling {
            None => Self::NONE,
            Some(Scaling::Linear { .. } | Scaling::Proportional { .. } | Scaling::Longrope { .. }) => plain(2.0, false),
            Some(Scaling::Ntk { factor } | Scaling::Dynamic { factor, .. }) => {
                plain(16.0 + 4.0 * number(factor).max(1.0).ln(), true)
            }
            // b is 0 or 1, and exact on either side of L/λ = low.
            Some(Scaling::Llama3 { low_freq_factor, high_freq_factor, original_max_position_embeddings, .. })
                if low_freq_factor == high_freq_factor =>
            {
                let step = TAU * number(low_freq_factor) / *original_max_position_embeddings as f64;
                Self { step: Some(step), ..plain(6.0, false) }
            }
            // b = (L/λ − low)/(high − low): L/λ, at most `high` where b < 1, has the error of ω and three roundings, the
            // difference and the quotient add two, and 1 − b one: below 2·(ρ + 6u)·high/(high − low).
            Some(Scaling::Llama3 { factor, low_freq_factor, high_freq_factor, .. }) => {
                let (low, high) = (number(low_freq_factor), number(high_freq_factor));
                let times = 2.0 * high / (high - low);
                Self { blend: Some((span(number(factor)), 6.0 * times, times)), ..plain(6.0, false) }
            }
            // b = 1 − (k − low)/(high − low): a quotient and two differences from 1, or, where low and high are not whole
            // numbers, also their roundings and those of both differences, of numbers up to `high`.
            Some(Scaling::Yarn {
                factor, original_max_position_embeddings, beta_fast, beta_slow, truncate, ..
            }) => {
                let dim = 2.0 * convention.pairs() as f64;
                let turns = |beta| *original_max_position_embeddings as f64 / (TAU * number(beta));
                let end = |beta| 0.5 * dim * turns(beta).ln() / number(&convention.base).ln();
                let (low, high) = (end(beta_fast).max(0.0), end(beta_slow).min(dim - 1.0));
                let fixed = 4.0 + if *truncate { 0.0 } else { 4.0 * high / (high - low).max(1e-3) };
                Self { blend: Some((span(number(factor)), fixed, 0.0)), ..plain(6.0, false) }
            }
        }
    }

    /// For a frequency that is `ratio` times the unscaled one, whose own error is `path`. A blend is
    /// ω' = (1 − b)·ω/s + b·ω, both terms with errors of the same sign or less; an error of b changes it by
    /// (1 − 1/s)·ω, which is (1 − 1/s)/ratio relative to ω'.
    fn roundings(&self, path: Upper, ratio: f64) -> Upper {
        // Every figure is larger than its derivation needs by far more than the errors of evaluating it.
        let blend = self.blend.map_or(Upper::ZERO, |(span, fixed, times)| {
            Upper::of(span) * (Upper::of(fixed) + Upper::of(times) * path).over(ratio)
        });
        Upper::of(self.terms) + blend
    }
}

/// 1 − 1/s.
fn span(factor: f64) -> f64 {
    1.0 - 1.0 / factor.max(1.0)
}
