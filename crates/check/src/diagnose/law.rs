//! MeasuredFrequency frequencies, and the law behind them.

use super::super::faults::{
    ANGLES_SCALED, APPLIED_TWICE, BASE_FOR_RULE, Cause, Deviation, FREQUENCIES_SCALED, Fault, OTHER_BASE,
};
use super::super::measure::Estimate;
use super::super::sample::Phasors;
use super::explain::{Explanation, agrees};
use super::{Context, Placed};
use posproof_encoding::Law;
use posproof_encoding::convention::{Convention, Encoding, Spacing};
use posproof_encoding::real::Real;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::Rational;

/// A measured frequency over the stated one, and whether that is a given number.
fn ratio_of(context: &Context<'_>, measured: &[Estimate], k: usize) -> (f64, impl Fn(f64) -> bool) {
    let scale = Law::new(context.expected).scale();
    let (found, omega) = (measured[k], context.omega[k]);
    let ratio = found.value / scale / omega;
    let close = move |other: f64| (ratio - other).abs() <= 4.0 * found.error / scale.abs() / omega + 3e-5 * other.abs();
    (ratio, close)
}

/// All angles are multiplied by one number.
pub fn uniform(
    fault: &'static Fault,
    context: &Context<'_>,
    phasors: &Phasors,
    measured: &[Estimate],
) -> Option<Explanation> {
    let (first, _) = ratio_of(context, measured, 0);
    let all = (0..phasors.pairs).all(|k| context.omega[k] > 0.0 && ratio_of(context, measured, k).1(first));
    all.then(|| scaled(fault, context, phasors, first))?
}

/// Positions, or angles, that are multiplied by a number.
pub fn ratio(fault: &'static Fault, context: &Context<'_>, phasors: &Phasors, known: &[Placed]) -> Option<Explanation> {
    let law = Law::new(context.expected);
    let &Placed { position: last, found } = known.iter().rev().find(|row| law.count(row.position) != 0.0)?;
    let ratio = law.count(found) / law.count(last);
    // Positions near whole numbers were taken as whole.
    let fits = known.iter().all(|row| {
        let p = law.count(row.position);
        (law.count(row.found) - ratio * p).abs() <= 0.16 + 1e-5 * p.abs()
    });
    if !fits || (ratio - 1.0).abs() < 1e-4 || ratio.abs() < 1e-9 {
        return None;
    }
    scaled(fault, context, phasors, ratio)
}

/// Angles that are all multiplied by a number, if the fault is the one that this number shows.
fn scaled(fault: &'static Fault, context: &Context<'_>, phasors: &Phasors, ratio: f64) -> Option<Explanation> {
    let expected = context.expected;
    let by = simple(ratio)?;
    let linear = expected.encoding == Encoding::Rope && expected.scaling.is_none() && by < 1 && by > 0;
    let shown = match () {
        () if linear || expected.scaling.is_some() => &FREQUENCIES_SCALED,
        () if by == 2 => &APPLIED_TWICE,
        () => &ANGLES_SCALED,
    };
    if fault != shown {
        return None;
    }
    let found = if linear {
        let factor = Real::from(by.clone().recip());
        Convention { scaling: Some(Scaling::Linear { factor }), ..expected.clone() }
    } else {
        let scale = expected.position_scale.value() * &by;
        Convention { position_scale: Real::from(scale), ..expected.clone() }
    };
    let cause = Cause::Scaled { ratio, by: Real::from(by) };
    agrees(context, phasors, &found, 1.0).then(|| Explanation::other(fault, cause, found))
}

/// The simplest rational number within 1e-4 of a positive or negative number, with a small numerator
/// or denominator, or three decimals.
fn simple(x: f64) -> Option<Rational> {
    (1..=256u32)
        .find_map(|denominator| {
            let numerator = (x * f64::from(denominator)).round();
            let close = (numerator / f64::from(denominator) - x).abs() <= 2e-5 * x.abs();
            (close && numerator != 0.0 && numerator.abs() < 1e9)
                .then(|| Rational::from((numerator as i64, i64::from(denominator))))
        })
        .or_else(|| {
            let thousandths = (x * 1000.0).round();
            ((thousandths / 1000.0 - x).abs() <= 2e-5 * x.abs() && thousandths != 0.0)
                .then(|| Rational::from((thousandths as i64, 1000i64)))
        })
}

/// Pairs at rest where the convention rotates all. A pair that is only slow has sines other than zero.
pub fn at_rest(fault: &'static Fault, context: &Context<'_>, phasors: &Phasors, _: &[Estimate]) -> Option<Explanation> {
    if context.expected.encoding != Encoding::Rope {
        return None;
    }
    let pairs = phasors.pairs;
    let rotated = (0..pairs).take_while(|&k| !phasors.is_still(k)).count();
    if rotated == 0 || rotated == pairs || !(rotated..pairs).all(|k| phasors.is_still(k)) {
        return None;
    }
    if context.omega[rotated..].iter().all(|omega| *omega < 1e-12) {
        return None;
    }
    Some(Explanation::fault(fault, Cause::AtRest { rotated, pairs }))
}

/// NTK-aware scaling by a factor in use.
pub fn stretched(
    fault: &'static Fault,
    context: &Context<'_>,
    phasors: &Phasors,
    measured: &[Estimate],
) -> Option<Explanation> {
    let expected = context.expected;
    if expected.encoding != Encoding::Rope || expected.pairs() < 2 || base(expected, measured).is_none() {
        return None;
    }
    [2i64, 3, 4, 8, 16, 32].into_iter().find_map(|factor| {
        let scaling = Some(Scaling::Ntk { factor: factor.into() });
        let found = Convention { scaling, ..expected.clone() };
        let explains = found != *expected && agrees(context, phasors, &found, 1.0);
        explains.then(|| Explanation::other(fault, Cause::Stretched { factor }, found))
    })
}

/// The base that measured frequencies are powers of, and how far off it may be: ln ω_k is proportional to k.
fn base(expected: &Convention, measured: &[Estimate]) -> Option<(f64, f64)> {
    let scale = Law::new(expected).scale();
    let exponent = |k: usize| match expected.frequency_spacing {
        Spacing::Paper => 2.0 * (k as f64 + f64::from(expected.frequency_origin)) / expected.frequency_dim() as f64,
        Spacing::Endpoints => (k as f64 + f64::from(expected.frequency_origin)) / (expected.pairs() as f64 - 1.0),
    };
    // Weighted by how well each logarithm is known.
    let (mut sum, mut weight) = (0f64, 0f64);
    for (k, found) in measured.iter().enumerate().skip(1) {
        let value = found.value / scale;
        if value <= 4.0 * found.error / scale.abs() {
            continue;
        }
        let w = (value / (found.error / scale.abs()).max(1e-7 * value)).powi(2) * exponent(k).powi(2);
        sum += w * (-value.ln() / exponent(k));
        weight += w;
    }
    if weight == 0.0 {
        return None;
    }
    let base = (sum / weight).exp();
    Some((base, (2.0 / weight.sqrt()).max(3e-6) * base))
}

/// Frequencies of another base.
pub fn other_base(
    fault: &'static Fault,
    context: &Context<'_>,
    phasors: &Phasors,
    measured: &[Estimate],
) -> Option<Explanation> {
    let expected = context.expected;
    if fault != if expected.scaling.is_some() { &BASE_FOR_RULE } else { &OTHER_BASE } {
        return None;
    }
    let (measured, spread) = base(expected, measured)?;
    candidates(measured, spread).into_iter().find_map(|base| {
        let found = Convention { base: base.clone(), scaling: None, ..expected.clone() };
        if found == *expected || found.validate().is_err() || !agrees(context, phasors, &found, 1.0) {
            return None;
        }
        let cause = Cause::Base { expected: expected.base.clone(), found: base, measured };
        Some(Explanation::other(fault, cause, found))
    })
}

/// Constant frequencies of any kind that a rule for long contexts might have.
pub fn other_rule(
    fault: &'static Fault,
    context: &Context<'_>,
    phasors: &Phasors,
    measured: &[Estimate],
) -> Option<Explanation> {
    let expected = context.expected;
    let unscaled = expected.encoding == Encoding::Rope && expected.scaling.is_none();
    let steady = measured.iter().all(|found| found.error < 1e-2);
    let ratios = || (0..phasors.pairs).map(|k| ratio_of(context, measured, k));
    // Such rules only slow pairs down.
    let slower = ratios().all(|(ratio, close)| ratio > 1e-3 && (ratio < 1.0 || close(1.0)));
    let departing = ratios().filter(|(_, close)| !close(1.0)).count();
    if !steady || departing == 0 || !(expected.scaling.is_some() || unscaled && slower) {
        return None;
    }
    let rule = expected.scaling.as_ref().map(Scaling::name);
    let frequencies = deviations(context, measured);
    Some(Explanation::fault(fault, Cause::Rule { rule, departing, frequencies }))
}

/// Numbers within the spread of a measured one, those with few digits first, the number itself last.
pub fn candidates(value: f64, spread: f64) -> Vec<Real> {
    let mut all: Vec<Real> = Vec::new();
    for digits in 0..17 {
        let text = format!("{value:.digits$e}");
        let close = text.parse::<f64>().is_ok_and(|rounded| (rounded - value).abs() <= spread.abs());
        match text.parse::<Real>() {
            Ok(real) if close && !all.contains(&real) => all.push(real),
            _ => {}
        }
        if all.len() >= 4 {
            break;
        }
    }
    all
}

/// The measured frequencies beside the stated ones.
pub fn deviations(context: &Context<'_>, measured: &[Estimate]) -> Vec<Deviation> {
    let deviation = |(pair, (found, &expected)): (usize, (&Estimate, &f64))| Deviation {
        pair,
        measured: found.value,
        error: found.error,
        expected,
    };
    measured.iter().zip(&context.omega).enumerate().map(deviation).collect()
}
