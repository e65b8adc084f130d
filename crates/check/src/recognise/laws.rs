//! The laws that frequencies may follow.
//!
//! Widths say what is tried, never what is told: a law is kept if every entry is within the bound for it, so that a width that is
//! too large costs time and one that is too small a law that is not found. They come from what paths leave of frequencies. In
//! binary32 a product for each pair, two roundings of 2⁻²⁴ at most, leaves 2·128·2⁻²⁴ = 1.5·10⁻⁵ of the last of 128 pairs, `exp`
//! and `pow` a tenth of that. So a point may be twice [`PATH`] off its line: once, and four of its errors, which count as no
//! less than a quarter of it each.

use super::factors::{SINGLE, digits, is_measured};
use super::scales;
use crate::measure::{Estimate, candidates};
use crate::rates::{BASES, FACTORS, LENGTHS, omega};
use posproof_encoding::amplitude::Amplitude;
use posproof_encoding::convention::{Convention, Spacing};
use posproof_encoding::real::Real;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::Rational;

/// Error that paths leave of a frequency, relative to it.
const PATH: f64 = 1e-5;

/// Error of a base, at most: ln base is −ln ω_k times dim/2k, so that the slowest pair has the relative error of its frequency.
/// Half as much again is left for the measurement.
const OF_BASE: f64 = 1.5 * SINGLE;

/// Factors in use are more than a thousand times as far apart, and what stretches frequencies less is not told from what paths do.
const IN_USE: f64 = 10.0 * PATH;

/// Half the distance of 9 and 10: what is known less well does not tell integers of one digit from each other. Bases in use are
/// farther apart, by a sixteenth at least.
const TOLD: f64 = 0.05;

/// Up to this relative error that of the logarithm is the same to a twentieth: −ln(1 − e) = e + e²/2 + ….
const LOGARITHM: f64 = 0.1;

/// A slowest pair that is known worse counts as known to this: not all factors are tried, but those to 1 + 4·0.3 times the quotient.
const SLOWEST: f64 = 0.3;

/// A straight line through ln ω_k.
#[derive(Clone, Copy)]
struct Line {
    start: f64,
    slope: f64,
    start_error: f64,
    slope_error: f64,
    pairs: usize,
}

/// Where pair 0 stands among the frequencies that a convention has some of, and how many pairs a factor 1/base takes: ω_k is
/// base^(−(k + first)/exponent).
fn places(start: &Convention) -> (f64, f64) {
    let step = f64::from(start.frequency_step);
    (
        start.frequency_dim.map_or(0.0, |_| f64::from(start.frequency_origin) / step),
        start.frequency_dim() as f64 / 2.0 / step,
    )
}

/// Fits a line to the pairs given, in this order, as far as one goes; pair 0 stands at `first`.
fn line(measured: &[Estimate], first: f64, order: impl Iterator<Item = usize>) -> Option<Line> {
    let (mut n, mut sums) = (0usize, [0f64; 5]);
    let mut fit: Option<Line> = None;
    for k in order {
        let found = measured[k];
        if found.value <= 0.0 || found.error > LOGARITHM * found.value {
            continue;
        }
        let (x, y) = (k as f64 + first, found.value.ln());
        let error = (found.error / found.value).max(0.25 * PATH);
        if let Some(line) = fit.filter(|line| line.pairs > 2) {
            let predicted = line.start + line.slope * x;
            let spread = line.start_error + line.slope_error * x;
            if (y - predicted).abs() > 4.0 * (error + spread) + PATH {
                break;
            }
        }
        let w = 1.0 / (error * error);
        for (sum, term) in sums.iter_mut().zip([w, w * x, w * y, w * x * x, w * x * y]) {
            *sum += term;
        }
        n += 1;
        let [s, sx, sy, sxx, sxy] = sums;
        let determinant = s * sxx - sx * sx;
        if n >= 2 && determinant > 0.0 {
            fit = Some(Line {
                start: (sxx * sy - sx * sxy) / determinant,
                slope: (s * sxy - sx * sy) / determinant,
                start_error: (sxx / determinant).sqrt(),
                slope_error: (s / determinant).sqrt(),
                pairs: n,
            });
        }
    }
    fit
}

/// Conventions whose frequencies may be the measured ones, the simplest first. Scaling rules that need
/// it are given the length that the last position implies.
pub fn laws(start: &Convention, measured: &[Estimate], last: u64) -> Vec<Convention> {
    let mut all = Vec::new();
    let pairs = measured.len();
    // The one frequency of a single pair is base^0: that of every base.
    if pairs == 1 {
        all.push(start.clone());
    }
    let at = places(start).0;
    let slow = line(measured, at, (0..pairs).rev());
    let fast = line(measured, at, 0..pairs);
    // Rules that give each pair a factor of its own may leave but two alone.
    let first = line(measured, at, 0..pairs.min(2));
    // Of a run of frequencies the rules that stretch them are not looked for.
    let scaled = scales(start) && start.frequency_dim.is_none();
    for line in [slow, fast].into_iter().flatten() {
        all.extend(geometric(start, &line, measured));
        if scaled {
            all.extend(stretched(start, &line, last));
        }
    }
    if scaled {
        // Between rows that are far apart fast pairs turn more often than anybody can count: slow ones know the base as well.
        for line in [fast, first, slow].into_iter().flatten() {
            all.extend(blended(start, &line, measured));
        }
    }
    // Frequencies that are all alike are of no base.
    all.retain(|law| law.base.value().to_f64() - 1.0 > OF_BASE);
    all.sort_by_key(complexity);
    all
}

/// Bases that −slope·dim/2 = ln base may stand for.
fn bases(line: &Line, exponent: f64) -> Vec<Real> {
    let base = (-line.slope * exponent).exp();
    let spread = base * (4.0 * line.slope_error * exponent + OF_BASE * exponent.max(1.0)).min(0.5);
    let mut all: Vec<Real> = BASES.into_iter().filter(|b| (*b as f64 - base).abs() <= spread).map(Real::from).collect();
    all.extend(candidates(base, spread.max(1e-9 * base)));
    all.dedup();
    all
}

/// The base where pair 0 has the frequency 1, and how far off it may be. Each frequency counts as it was measured, but none as
/// better than to a rounding or two of binary32; paths leave the base a few 1e-6 from what its frequencies are those of.
fn from_one(line: &Line, measured: &[Estimate], (first, exponent): (f64, f64)) -> Option<(f64, f64)> {
    let (mut sum, mut weight) = (0f64, 0f64);
    let known = |(_, found): &(usize, &Estimate)| found.value > 4.0 * found.error;
    for (k, found) in measured.iter().enumerate().filter(known) {
        let (at, y) = (k as f64 + first, found.value.ln());
        let x = at / exponent;
        if at == 0.0 || (y - line.slope * at).abs() > 4.0 * line.slope_error * at + PATH {
            continue;
        }
        let w = (x / (found.error / found.value).max(1e-7)).powi(2);
        sum -= w * y / x;
        weight += w;
    }
    let base = (sum / weight).exp();
    (weight > 0.0).then(|| (base, (2.0 / weight.sqrt()).max(OF_BASE) * base))
}

/// base^(−2k/dim) or with end points, from 0 or 1, times a scale.
fn geometric(start: &Convention, line: &Line, measured: &[Estimate]) -> Vec<Convention> {
    let (first, half) = places(start);
    let mut all = Vec::new();
    for (spacing, exponent) in
        [(Spacing::Paper, half), (Spacing::Endpoints, half - 1.0 / f64::from(start.frequency_step))]
    {
        if exponent < 1.0 {
            continue;
        }
        let mut known = bases(line, exponent);
        if let Some((base, spread)) = from_one(line, measured, (first, exponent)) {
            known.extend(candidates(base, spread));
            known.dedup();
        }
        for base in known {
            let plain = Convention { base: base.clone(), frequency_spacing: spacing, ..start.clone() };
            let intercept = 4.0 * line.start_error + 2.0 * PATH;
            if line.start.abs() <= intercept {
                all.push(plain);
            } else if start.frequency_dim.is_none()
                && (line.start - line.slope).abs() <= intercept + 4.0 * line.slope_error
            {
                all.push(Convention { frequency_origin: 1, ..plain });
            } else if let Some(scale) = nice(line.start.exp(), intercept) {
                if scales(start) && scale < 1 && spacing == Spacing::Paper {
                    let factor = Real::from(scale.recip());
                    all.push(Convention { scaling: Some(Scaling::Linear { factor }), ..plain });
                } else {
                    all.push(Convention { position_scale: Real::from(scale), ..plain });
                }
            }
        }
    }
    all
}

/// The base of another, stretched by NTK-aware or dynamic scaling.
fn stretched(start: &Convention, line: &Line, last: u64) -> Vec<Convention> {
    let half = start.pairs() as f64;
    if half < 2.0 {
        return Vec::new();
    }
    let ln = -line.slope * half;
    let spread = 4.0 * line.slope_error * half + 2.0 * PATH;
    let mut all = Vec::new();
    for base in BASES {
        // (base'/base)^((n − 2)/n) is the stretch.
        let stretch = ((ln - (base as f64).ln()) * (half - 1.0) / half).exp();
        let with = |scaling| Convention { base: base.into(), scaling: Some(scaling), ..start.clone() };
        if stretch <= 1.0 + IN_USE || stretch > 1e4 {
            continue;
        }
        if let Some(factor) = nice(stretch, spread).filter(|factor| (factor * &Rational::from(2)).is_integer()) {
            all.push(with(Scaling::Ntk { factor: Real::from(factor) }));
        }
        for original in LENGTHS {
            // stretch = s·n/L − (s − 1)
            let s = (stretch - 1.0) / ((last + 1) as f64 / original as f64 - 1.0);
            // At one length any factor is a base of its own: only those in use say more than that does.
            let factor = nice(s, spread * stretch / (stretch - 1.0))
                .map(Real::from)
                .filter(|factor| FACTORS.iter().any(|known| Real::from(*known) == *factor));
            if let (Some(factor), true) = (factor, last + 1 > original) {
                all.push(with(Scaling::Dynamic {
                    factor,
                    original_max_position_embeddings: original,
                    sequence_length: None,
                }));
            }
        }
    }
    all
}

/// Rules that leave fast pairs alone: llama3, YaRN, proportional.
fn blended(start: &Convention, line: &Line, measured: &[Estimate]) -> Vec<Convention> {
    let half = start.pairs() as f64;
    let Some(slowest) = measured.last() else { return Vec::new() };
    let mut all = Vec::new();
    let mut known = bases(line, half);
    // Few fast pairs know the base badly: those in use that are near it come first.
    let ln = -line.slope * half;
    known.splice(0..0, BASES.into_iter().filter(|b| ((*b as f64).ln() - ln).abs() < TOLD).map(Real::from));
    known.dedup();
    known.truncate(6);
    for base in known {
        let plain = Convention { base, ..start.clone() };
        let Some(unscaled) = omega(&plain) else { continue };
        let with = |scaling| Convention { scaling: Some(scaling), ..plain.clone() };
        let rotated = measured.iter().take_while(|found| found.value > 4.0 * found.error).count();
        let quarters = Rational::from((rotated as u64, measured.len() as u64));
        if rotated < measured.len() {
            all.push(with(Scaling::Proportional { partial_rotary_factor: Real::from(quarters), factor: 1.into() }));
        }
        let ratio = unscaled.last().copied().unwrap_or(1.0) / slowest.value;
        let error = (slowest.error / slowest.value.abs()).min(SLOWEST);
        let factors = factors(ratio, error);
        for factor in factors {
            for original in LENGTHS {
                all.push(with(Scaling::Llama3 {
                    factor: factor.clone(),
                    low_freq_factor: 1.into(),
                    high_freq_factor: 4.into(),
                    original_max_position_embeddings: original,
                }));
                for truncate in [true, false] {
                    all.push(with(Scaling::Yarn {
                        factor: factor.clone(),
                        original_max_position_embeddings: original,
                        beta_fast: 32.into(),
                        beta_slow: 1.into(),
                        truncate,
                        attention_factor: None,
                        mscale: None,
                        mscale_all_dim: None,
                    }));
                }
            }
        }
    }
    all
}

/// Factors in use near a measured one. Rules for long contexts slow pairs down, and one leaves them as they are.
fn factors(ratio: f64, error: f64) -> Vec<Real> {
    let close = |s: f64| (s / ratio - 1.0).abs() <= 4.0 * error + IN_USE;
    let mut all: Vec<Real> = FACTORS.into_iter().filter(|s| close(*s as f64)).map(Real::from).collect();
    let measured = nice(ratio, 4.0 * error + 2.0 * PATH).map(Real::from);
    all.extend(measured.filter(|factor| !FACTORS.iter().any(|known| Real::from(*known) == *factor)));
    all.retain(|factor| *factor.value() > 1);
    all
}

/// A number that people write down, within a relative error: an integer, a simple fraction, a reciprocal
/// of an integer, or three decimals.
fn nice(x: f64, error: f64) -> Option<Rational> {
    let close = |candidate: f64| candidate > 0.0 && (candidate / x - 1.0).abs() <= error.min(TOLD);
    let whole = x.round();
    if close(whole) {
        return Rational::from_f64(whole);
    }
    if close(1.0 / (1.0 / x).round()) {
        return Rational::from_f64((1.0 / x).round()).map(Rational::recip);
    }
    [2u32, 4, 5, 10, 100, 1000].into_iter().find_map(|denominator| {
        let numerator = (x * f64::from(denominator)).round();
        close(numerator / f64::from(denominator)).then(|| Rational::from((numerator as i64, i64::from(denominator))))
    })
}

/// True if all numbers of a convention but its offset are in use, none of them fitted.
pub fn is_in_use(convention: &Convention) -> bool {
    let known = |x: &Real, usual: &[i64]| usual.iter().any(|n| Real::from(*n) == *x);
    let factor = match &convention.scaling {
        None => true,
        Some(
            Scaling::Linear { factor }
            | Scaling::Ntk { factor }
            | Scaling::Dynamic { factor, .. }
            | Scaling::Llama3 { factor, .. },
        ) => known(factor, &FACTORS),
        Some(Scaling::Yarn { factor, attention_factor, .. }) => {
            known(factor, &FACTORS) && attention_factor.as_ref().is_none_or(|factor| known(factor, &[1]))
        }
        Some(Scaling::Proportional { factor, .. }) => known(factor, &[1]),
        Some(Scaling::Longrope { .. }) => false,
    };
    let amplitude = match &convention.amplitude {
        Amplitude::Root(_) => true,
        Amplitude::Rational(value) => known(value, &[1]),
    };
    let spacing = convention.frequency_spacing == Spacing::Paper || !scales(convention);
    factor && amplitude && spacing && known(&convention.base, &BASES) && known(&convention.position_scale, &[1])
}

/// Of conventions that all hold, the simplest first, those of which a narrower bound holds than of the simplest, if that has
/// numbers of its own. Whether it does is asked where it may matter: a bound that is ten times as narrow is a digit of evidence
/// from each pair, so that there have to be more pairs than further digits.
pub fn narrowest<E>(
    all: Vec<Convention>,
    rank: impl Fn(&Convention) -> Result<usize, E>,
) -> Result<Vec<Convention>, E> {
    let Some(simplest) = all.first().filter(|first| all.len() > 1 && !is_in_use(first)) else { return Ok(all) };
    let (least, pairs) = (complexity(simplest), simplest.pairs());
    let close = |other: &Convention| (complexity(other) - least).div_ceil(2) < pairs && !is_measured(other);
    let ranks = all.iter().map(|other| if close(other) { rank(other) } else { Ok(usize::MAX) });
    let ranks = ranks.collect::<Result<Vec<usize>, E>>()?;
    let best = ranks.iter().copied().min().unwrap_or(usize::MAX);
    Ok(all.into_iter().zip(ranks).filter(|(_, rank)| *rank == best).map(|(convention, _)| convention).collect())
}

/// Complexity of a factor for each pair: more than all other numbers together, so that any law is simpler, of few pairs
/// too.
const EACH_PAIR: usize = 1 << 16;

/// Amount that a convention says beyond the default one: digits of numbers that are not in use, rules, parameters.
pub fn complexity(convention: &Convention) -> usize {
    let number = |x: &Real, usual: &[i64]| if usual.iter().any(|n| Real::from(*n) == *x) { 0 } else { 2 * digits(x) };
    let scaling = match &convention.scaling {
        None => 0,
        Some(Scaling::Linear { factor } | Scaling::Ntk { factor }) => 2 + number(factor, &FACTORS),
        Some(Scaling::Dynamic { factor, .. } | Scaling::Llama3 { factor, .. }) => 3 + number(factor, &FACTORS),
        Some(Scaling::Yarn { factor, truncate, attention_factor, .. }) => {
            let attention = attention_factor.as_ref().map_or(0, |factor| 1 + number(factor, &[1]));
            3 + number(factor, &FACTORS) + usize::from(!truncate) + attention
        }
        Some(Scaling::Proportional { factor, .. }) => 3 + number(factor, &[1]),
        // A number for each pair says more than any rule.
        Some(Scaling::Longrope { long_factor, .. }) => EACH_PAIR + 2 * long_factor.iter().map(digits).sum::<usize>(),
    };
    let spacing = match (convention.frequency_spacing, scales(convention)) {
        (Spacing::Paper, _) => 0,
        (Spacing::Endpoints, false) => 1,
        (Spacing::Endpoints, true) => 3,
    };
    // With end points base^((d − 2)/d) is the same law: such a base says something where it has three digits fewer.
    let restated = convention.frequency_spacing == Spacing::Endpoints && number(&convention.base, &BASES) > 0;
    let spacing = if restated { spacing + 2 * 3 } else { spacing };
    let amplitude = match &convention.amplitude {
        Amplitude::Root(_) => 1,
        Amplitude::Rational(value) => number(value, &[1]),
    };
    let scale = number(&convention.position_scale, &[1]);
    number(&convention.base, &BASES) + scale + spacing + amplitude + scaling + convention.frequency_origin as usize
}

/// Keeps the simplest of conventions that say the same in more digits: another remains only if its
/// numbers are in use too.
pub fn without_restatements(mut all: Vec<Convention>) -> Vec<Convention> {
    all.sort_by_key(complexity);
    let Some(least) = all.first().map(complexity) else { return all };
    let mut first = true;
    all.retain(|convention| std::mem::take(&mut first) || complexity(convention) <= least + 1 && is_in_use(convention));
    all
}
