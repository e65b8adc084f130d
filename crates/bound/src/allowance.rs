//! How far any honest implementation may be from the exact value, whatever libraries it calls.
//!
//! An implementation that computes in a format with unit roundoff u takes a frequency ω′ with
//! |ω′ − ω| ≤ ρω + σ, forms the angle t·ω′ with some roundings, takes a sine of it that is accurate to κ ulp,
//! multiplies it by a gain g and stores it in a format with unit roundoff u_S and smallest number η_S:
//!
//! |entry − exact| ≤ u_S·(|exact| + C) + C + η_S/2, C = |g|·(min(2, t·s) + e^((2κ+3)u) − 1)
//!
//! with the slope s = ω·(e^(u·(c+r+m)) − 1) + σ·e^(u·(c+r+m)): c roundings of the frequency's path, r of the scaling
//! rule, m of the angle (1 for the product, 3 for a scale and an offset, 1 for positions that the format does not hold).
//! A relative error of each factor of at most (1 + cᵢu) leaves e^(u·Σcᵢ) − 1 in all. A library within κ ulp counts
//! λ(κ) = −ln(1 − 2κu)/u roundings, which also covers a division by its result. With L = ln(1/ω) and k the index of
//! the frequency:
//!
//! | path | c | what is counted | theorem that has it for one form of the path |
//! | --- | --- | --- | --- |
//! | correctly rounded | 1 | | `rounding_path_rounded` |
//! | in binary64, then cast | 1, and the largest of the others in binary64 | | `rounding_path_cast` |
//! | pow | λ(4) + L + λ(½) + 1 | the exponent's rounding; the base's; a reciprocal | `rounding_path_reciprocal` |
//! | exp | λ(2) + L·(e^((2κ+3)u) − 1)/u + λ(½) + 1 | log, quotient and product; the base's rounding; a reciprocal | `rounding_path_exp_log` |
//! | repeated | k·(λ(2) + 2) + L + λ(½) | the ratio and a product, k times; its exponent's and base's roundings | `rounding_path_repeated` |
//!
//! A base that the format does not hold counts λ(½) because (1 ± u)^e is within e^(λ(½)u) for exponents e ≤ 1
//! (`rounding_frequency_base`). That κ is 2 for sin, cos, exp, log and the ratio, and 4 where every frequency is a power, is an
//! assumption about the libraries in use, and the only one. The derivation is in docs/bounds.md.

use super::origin::Origin;
use super::path::half;
use super::program::Path;
use super::upward::{Upper, smallest, unit};
use posproof_encoding::convention::Convention;
use posproof_encoding::real::Real;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::{Format, power_of_two};
use std::f64::consts::TAU;

/// Ulps that a library's sin, cos, exp and log may be off, and its pow where it is called once.
const KAPPA: f64 = 2.0;

/// Ulps that its pow may be off, where every frequency is a power.
const KAPPA_POW: f64 = 4.0;

/// The derivation.
const ORIGIN: Origin = Origin::Derived("docs/bounds.md, any honest implementation");

/// More than the roundings of the sums and products that make a bound of an entry from these figures: 7 of them, and 2
/// of the position, each by a factor 1 + 2^−53 at most, as all terms are positive.
const UPWARD: f64 = 1.0 + 1.0 / (1u64 << 49) as f64;

/// Bounds on the error of every entry of a convention, as a position and a pair decide them.
#[derive(Clone, Debug)]
pub struct Allowance {
    /// Of each pair: what the error of the angle grows by with each position.
    slopes: Vec<f64>,
    /// The part that does not grow, relative to the amplitude.
    flat: f64,
    /// |g|.
    gain: f64,
    /// The unit roundoff of the storage format.
    unit: f64,
    /// Half its smallest positive number, and more than what underflow loses in binary64.
    tiny: f64,
}

impl Allowance {
    /// For a convention with frequencies `omega` (each rounded to nearest), effective positions up to `last`, computed in
    /// `compute` along a path, or any of them, and stored in `storage`.
    pub fn new(
        convention: &Convention,
        omega: &[f64],
        last: u64,
        (compute, path): (Format, Option<Path>),
        storage: Format,
    ) -> Self {
        let (scale, offset) = (convention.position_scale.value().to_f64().abs(), convention.position_offset.value());
        let whole = offset.is_integer() && scale == 1.0;
        let scale = Upper::of(if whole { scale } else { scale.next_up() });
        let counts = last as f64 + offset.to_f64().abs() <= 1.0 / compute.unit_roundoff();
        let roundings = 1.0 + if whole { 0.0 } else { 3.0 } + if counts { 0.0 } else { 1.0 };
        let rule = Rule::new(convention);
        let plain = Convention { scaling: None, ..convention.clone() };
        let unscaled = rule.blend.and_then(|_| plain.frequencies(64)).unwrap_or_default();
        let slope = |(pair, &omega): (usize, &f64)| {
            let index = pair as f64 + f64::from(convention.frequency_origin);
            // Every path gives 1 = base^0 exactly, and its products with whole numbers are exact.
            if pair == 0 && omega == 1.0 && rule.keeps_first && whole && counts {
                return 0.0;
            }
            let frequency = relative_error(compute, path, index, omega);
            let ratio = unscaled.get(pair).map_or(1.0, |unscaled| omega.next_down() / unscaled.upper_f64());
            let all = frequency + rule.roundings(frequency, ratio) + Upper::of(roundings);
            let relative = (all * unit(compute)).expm1();
            let lost = Upper::of(KAPPA + 1.0 + index / 2.0) * smallest(compute);
            (scale * (Upper::of(omega.next_up()) * relative + lost + lost * relative)).get()
        };
        Self {
            slopes: omega.iter().enumerate().map(slope).collect(),
            flat: (Upper::of(2.0 * KAPPA + 3.0) * unit(compute)).expm1().get(),
            gain: convention.gain().enclose(64).abs().upper_f64(),
            unit: storage.unit_roundoff(),
            tiny: half(smallest(storage)).get().max(power_of_two(-1070)),
        }
    }

    /// The bound for an entry whose exact value is within a unit in the last place of `exact`, at effective position
    /// `t` ≥ 0.
    pub fn of(&self, pair: usize, t: f64, exact: f64) -> f64 {
        let computed = self.computed(pair, t);
        (self.unit * (exact.abs() + computed) + computed + self.tiny) * UPWARD
    }

    /// The same without the storage format; infinite for a pair that the convention does not have.
    pub fn computed(&self, pair: usize, t: f64) -> f64 {
        self.slopes.get(pair).map_or(f64::INFINITY, |slope| self.gain * ((t * slope).min(2.0) + self.flat))
    }

    /// The bounds of a row of entries at effective position `t` ≥ 0: of as many columns as there are slopes, each that of
    /// the column's pair.
    pub fn row(&self, slopes: &[f64], t: f64, exact: &[f64], bounds: &mut [f64]) {
        let &Self { flat, gain, unit, tiny, .. } = self;
        for ((bound, &exact), &slope) in bounds.iter_mut().zip(exact).zip(slopes) {
            let angle = t * slope;
            let computed = gain * (if angle < 2.0 { angle } else { 2.0 } + flat);
            *bound = (unit * (exact.abs() + computed) + computed + tiny) * UPWARD;
        }
    }

    /// What the error of a pair's angle grows by with each position; 0 beyond the last pair.
    pub fn slope(&self, pair: usize) -> f64 {
        self.slopes.get(pair).copied().unwrap_or(0.0)
    }

    /// The bound for the entries of a rotated pair of this length, at effective position `t` ≥ 0:
    /// r·(3/2·C + (13/2)·u_S·|g| + 2^−50·|g|) + 2η_S.
    ///
    /// With cosine and sine within δ = C + u_S·(|g| + C) of the exact ones, a component of the rotation is wrong by
    /// √2·δ·r, by 2u_S·r·(|g| + √2·δ) for two products and their sum (`rounding_rotated_pair`), and by u_S for a cast: together at
    /// most 1.44·C + 4.46·u_S·|g| for u_S ≤ 2^−8, and two roundings more are left for casts of the vector on the way.
    /// 2^−50·|g| is what the reference, itself a rotation in binary64, may be wrong by.
    pub fn rotated(&self, pair: usize, t: f64, length: f64) -> f64 {
        let relative = 1.5 * self.computed(pair, t) + (6.5 * self.unit + power_of_two(-50)) * self.gain;
        (length * relative + 4.0 * self.tiny) * UPWARD
    }

    /// The bound for an entry that is not rotated: that of storing it.
    pub fn stored(&self, exact: f64) -> f64 {
        (self.unit * exact.abs() + self.tiny) * UPWARD
    }

    /// The magnitude of the gain, rounded up.
    pub fn gain(&self) -> f64 {
        self.gain
    }

    /// The unit roundoff of the storage format.
    pub fn unit(&self) -> f64 {
        self.unit
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

/// c: the relative error of a frequency in units of u, for what is not below the format's normal range.
fn relative_error(format: Format, path: Option<Path>, index: f64, omega: f64) -> Upper {
    let log = Upper::of(core_math::log(omega.max(f64::MIN_POSITIVE)).abs().next_up());
    let base = library(0.5, format);
    let one = Upper::of(1.0);
    match path {
        Some(Path::Rounded) => one,
        Some(Path::F64) => {
            let double = relative_error(Format::F64, None, index, omega);
            match format {
                Format::F64 => double,
                _ => one + (double * unit(Format::F64)).expm1().over(format.unit_roundoff()),
            }
        }
        Some(Path::Pow) => library(KAPPA_POW, format) + log + base + one,
        Some(Path::Exp) => {
            let exponent = (Upper::of(2.0 * KAPPA + 3.0) * unit(format)).expm1().over(format.unit_roundoff());
            library(KAPPA, format) + log * exponent + base + one
        }
        Some(Path::Repeated) => Upper::of(index) * (library(KAPPA, format) + Upper::of(2.0)) + log + base,
        None => [Path::Pow, Path::Exp, Path::Repeated]
            .map(|path| relative_error(format, Some(path), index, omega))
            .into_iter()
            .fold(Upper::ZERO, Upper::max),
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
        let number = |x: &Real| x.value().to_f64();
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
                let turns = |beta| *original_max_position_embeddings as f64 / (TAU * number(beta));
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

#[cfg(test)]
mod tests {
    use super::*;
    use posproof_numerics::{Float, Round};

    /// u_S·(|exact| + C) + C + η_S/2 from the same figures, with 400 bits.
    fn formula(allowance: &Allowance, slope: f64, t: f64, exact: f64, storage: Format) -> Float {
        let real = Float::from_f64;
        let add = |x: &Float, y: &Float| x.add(y, 400, Round::Nearest);
        let mul = |x: &Float, y: &Float| x.mul(y, 400, Round::Nearest);
        let angle = mul(&real(t), &real(slope));
        let clipped = if angle > real(2.0) { real(2.0) } else { angle };
        let computed = mul(&real(allowance.gain), &add(&clipped, &real(allowance.flat)));
        let stored = mul(&real(storage.unit_roundoff()), &add(&real(exact.abs()), &computed));
        add(&add(&stored, &computed), &real(storage.min_positive()).scaled(-1))
    }

    #[test]
    fn rows_are_the_formula_rounded_up() {
        let convention = Convention { base: 500_000.into(), ..Convention::rope(32) };
        let omega: Vec<f64> =
            convention.frequencies(80).expect("valid").iter().map(|omega| omega.approximate()).collect();
        for (compute, storage) in [(Format::F64, Format::F64), (Format::F32, Format::F16), (Format::Bf16, Format::F32)]
        {
            for path in [None, Some(Path::Rounded), Some(Path::F64), Some(Path::Exp)] {
                let allowance = Allowance::new(&convention, &omega, 1 << 20, (compute, path), storage);
                let slopes: Vec<f64> = (0..16).map(|pair| allowance.slope(pair)).collect();
                for t in [0.0, 1.0, 3.0, 4095.0, 131_071.0, 1_048_575.3] {
                    let exact: Vec<f64> = omega.iter().map(|omega| core_math::sin(t * omega)).collect();
                    let mut bounds = vec![0.0; 16];
                    allowance.row(&slopes, t, &exact, &mut bounds);
                    for (pair, &bound) in bounds.iter().enumerate() {
                        assert_eq!(bound, allowance.of(pair, t, exact[pair]));
                        let least = formula(&allowance, slopes[pair], t, exact[pair], storage);
                        assert!(Float::from_f64(bound) >= least, "{compute} {storage} {pair} {t}");
                        let most = least.mul(&Float::from_f64(1.0 + 2f64.powi(-48)), 400, Round::Up);
                        assert!(Float::from_f64(bound) <= most, "{compute} {storage} {pair} {t}");
                    }
                }
            }
        }
    }
}
