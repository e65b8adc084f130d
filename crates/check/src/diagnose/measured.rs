//! Measured frequencies, and the law behind them.

use super::super::faults::{
    ANGLES_SCALED, APPLIED_TWICE, AT_REST, BASE_FOR_RULE, Cause, Deviation, FREQUENCIES_REORDERED, FREQUENCIES_SCALED,
    Fault, LOW_PRECISION_FREQUENCIES, NTK_UNSTATED, OTHER_BASE, OTHER_RULE,
};
use super::super::measure::{Estimate, candidates};
use super::super::rates::of_all_pairs;
use super::super::sample::Phasors;
use super::hypothesis::{Context, Hypothesis};
use super::precision::lower;
use posproof_encoding::Law;
use posproof_encoding::convention::{Convention, Encoding, Spacing};
use posproof_encoding::real::Real;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::Rational;

/// Hypotheses on the law of measured frequencies, those with fewer parameters first.
pub fn hypotheses(context: &Context<'_>, phasors: &Phasors, measured: &[Estimate]) -> Vec<Hypothesis> {
    let mut all = Vec::new();
    all.extend(at_rest(context, phasors));
    all.extend(stretched(context, measured));
    all.extend(other_base(context, measured));
    all.extend(uniform(context, measured));
    all.extend(narrow(context, measured));
    all.extend(reordered(context, measured));
    all
}

/// Each pair has the frequency of one pair, of all D/2 where it is one of a section. Those that may have the fewest are given one first:
/// of the frequencies that are left the nearest. Two pairs that are exchanged are a part of the row.
fn reordered(context: &Context<'_>, measured: &[Estimate]) -> Option<Hypothesis> {
    let (expected, scale) = (&context.expected, Law::new(&context.expected).scale());
    let all = if expected.frequency_dim.is_some() { of_all_pairs(expected)? } else { context.omega.clone() };
    let off = |k: usize, other: usize| (measured[k].value / scale - all[other]).abs();
    let may_be = |k: usize, other: usize| off(k, other) <= 4.0 * measured[k].error / scale.abs() + 3e-5 * all[other];
    let mut order: Vec<usize> = (0..measured.len().min(context.omega.len())).collect();
    order.sort_by_cached_key(|&k| (0..all.len()).filter(|&other| may_be(k, other)).count());
    let (mut free, mut found) = (vec![true; all.len()], context.omega.clone());
    for k in order {
        let left = (0..all.len()).filter(|&other| free[other] && may_be(k, other));
        let nearest = left.min_by(|&one, &other| off(k, one).total_cmp(&off(k, other)))?;
        (free[nearest], found[k]) = (false, all[nearest]);
    }
    let cause = Cause::Frequencies { found: found.clone() };
    let made = || context.with(&FREQUENCIES_REORDERED, cause, |stages| stages.omega.clone_from(&found));
    let moved = found.iter().zip(&context.omega).filter(|(found, stated)| found != stated).count();
    (moved > 2).then(|| Hypothesis { found: None, ..made() })
}

/// A measured frequency over the stated one, and whether that is a given number.
fn ratio_of(context: &Context<'_>, measured: &[Estimate], k: usize) -> (f64, impl Fn(f64) -> bool) {
    let scale = Law::new(&context.expected).scale();
    let (found, omega) = (measured[k], context.omega[k]);
    let ratio = found.value / scale / omega;
    let close = move |other: f64| (ratio - other).abs() <= 4.0 * found.error / scale.abs() / omega + 3e-5 * other.abs();
    (ratio, close)
}

/// All angles are multiplied by one number.
fn uniform(context: &Context<'_>, measured: &[Estimate]) -> Vec<Hypothesis> {
    let (first, _) = ratio_of(context, measured, 0);
    let all = (0..measured.len()).all(|k| context.omega[k] > 0.0 && ratio_of(context, measured, k).1(first));
    let spread = measured.first().map_or(0.0, |found| 2.0 * found.error / found.value.abs()).clamp(OF_FACTOR, 1e-2);
    if all {
        scaled(context, &[&APPLIED_TWICE, &ANGLES_SCALED, &FREQUENCIES_SCALED], (first, spread))
    } else {
        Vec::new()
    }
}

/// Error of a factor that wide formats show, at most, relative to it: what is near enough is decided entry by entry.
pub const OF_FACTOR: f64 = 1e-6;

/// Angles that are all multiplied by a number: the simplest near the measured one, then those with few digits, or whose reciprocals have
/// few, unless it is negative. Then the direction is another one too, and a known cause with that says more than a number that was fitted.
pub fn scaled(context: &Context<'_>, faults: &[&'static Fault], (ratio, spread): (f64, f64)) -> Vec<Hypothesis> {
    let simplest = simple(ratio);
    // Minus one is the other direction; what is near one or the other is no factor.
    if simplest.as_ref().is_some_and(|by| *by == 1 || *by == -1) {
        return Vec::new();
    }
    let of = |number: f64| if number > 0.0 { candidates(number, spread * number) } else { Vec::new() };
    let digits = |number: &Rational| {
        number.finite_decimal().map_or(usize::MAX, |(digits, _)| digits.trim_end_matches('0').len())
    };
    let near = |number: f64| of(number).into_iter().map(|number| number.value().clone());
    let divided = near(1.0 / ratio).map(|by| (digits(&by), by.recip()));
    let mut near: Vec<(usize, Rational)> = divided.chain(near(ratio).map(|by| (digits(&by), by))).collect();
    near.sort_by_key(|(digits, _)| *digits);
    let mut numbers: Vec<Rational> = simplest.into_iter().chain(near.into_iter().map(|(_, by)| by)).collect();
    numbers.dedup();
    numbers.into_iter().filter_map(|by| scaled_by(context, faults, ratio, by)).collect()
}

/// Angles that are all multiplied by the given number, which was measured: by the fault that it shows, if it is one of these.
fn scaled_by(context: &Context<'_>, faults: &[&'static Fault], ratio: f64, by: Rational) -> Option<Hypothesis> {
    let expected = &context.expected;
    let linear = expected.encoding == Encoding::Rope && expected.scaling.is_none() && by < 1 && by > 0;
    let shown: &'static Fault = match () {
        () if linear || expected.scaling.is_some() => &FREQUENCIES_SCALED,
        () if by == 2 => &APPLIED_TWICE,
        () => &ANGLES_SCALED,
    };
    faults.contains(&shown).then_some(())?;
    let found = if linear {
        let factor = Real::from(by.clone().recip());
        Convention { scaling: Some(Scaling::Linear { factor }), ..expected.clone() }
    } else {
        let scale = expected.position_scale.value() * &by;
        Convention { position_scale: Real::from(scale), ..expected.clone() }
    };
    let cause = Cause::Scaled { ratio, by: Real::from(by) };
    context.other(shown, cause, found)
}

/// The simplest rational number within 2e-5 of a positive or negative number, with a small numerator
/// or denominator, or three decimals.
pub fn simple(x: f64) -> Option<Rational> {
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
fn at_rest(context: &Context<'_>, phasors: &Phasors) -> Option<Hypothesis> {
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
    Some(context.with(&AT_REST, Cause::AtRest { rotated, pairs }, |stages| stages.omega[rotated..].fill(0.0)))
}

/// NTK-aware scaling by a factor in use.
fn stretched(context: &Context<'_>, measured: &[Estimate]) -> Vec<Hypothesis> {
    let expected = &context.expected;
    if expected.encoding != Encoding::Rope || expected.pairs() < 2 || base(context, measured).is_none() {
        return Vec::new();
    }
    let of = |factor: i64| {
        let scaling = Some(Scaling::Ntk { factor: factor.into() });
        let found = Convention { scaling, ..expected.clone() };
        (found != *expected).then(|| context.other(&NTK_UNSTATED, Cause::Stretched { factor }, found))?
    };
    [2i64, 3, 4, 8, 16, 32].into_iter().filter_map(of).collect()
}

/// The base that measured frequencies are powers of, and how far off it may be: ln ω_k is proportional to k.
fn base(context: &Context<'_>, measured: &[Estimate]) -> Option<(f64, f64)> {
    let expected = &context.expected;
    let gap = context.gap();
    let scale = Law::new(expected).scale();
    let exponent = |k: usize| match expected.frequency_spacing {
        Spacing::Paper => 2.0 * expected.frequency_index(k) as f64 / expected.frequency_dim() as f64,
        Spacing::Endpoints => expected.frequency_index(k) as f64 / (expected.frequency_dim() as f64 / 2.0 - 1.0),
    };
    // Weighted by how well each logarithm is known. From the slowest pair on, as far as what is known of the base says that
    // a pair turns by less than half a turn from one sampled row to the next.
    let (mut sum, mut weight) = (0f64, 0f64);
    for (k, found) in measured.iter().enumerate().skip(1).rev() {
        let value = found.value / scale;
        let rate = if weight > 0.0 { (-sum / weight * exponent(k)).exp() } else { value };
        if rate * scale.abs() * gap > 2.5 {
            break;
        }
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
fn other_base(context: &Context<'_>, measured: &[Estimate]) -> Vec<Hypothesis> {
    let expected = &context.expected;
    let fault: &'static Fault = if expected.scaling.is_some() { &BASE_FOR_RULE } else { &OTHER_BASE };
    // Frequencies that are all alike are of no base.
    let Some((measured, spread)) = base(context, measured).filter(|(base, spread)| base - 1.0 > *spread) else {
        return Vec::new();
    };
    let of = |base: Real| {
        let found = Convention { base: base.clone(), scaling: None, ..expected.clone() };
        if found == *expected || found.validate().is_err() {
            return None;
        }
        context.other(fault, Cause::Base { expected: expected.base.clone(), found: base, measured }, found)
    };
    candidates(measured, spread).into_iter().filter_map(of).collect()
}

/// The contexts of measured bases and factors, for a second fault besides.
pub fn contexts<'a>(context: &Context<'a>, measured: &[Estimate]) -> Vec<Context<'a>> {
    let of = |hypothesis: Hypothesis| {
        let Hypothesis { named, stages, convention, found, .. } = hypothesis;
        let at = context.at(&convention, stages.omega)?;
        Some(Context { named, found, degraded: false, ..at })
    };
    other_base(context, measured).into_iter().chain(uniform(context, measured)).filter_map(of).collect()
}

/// Frequencies that are measured to be numbers of a narrow format near the right ones.
fn narrow(context: &Context<'_>, measured: &[Estimate]) -> Option<Hypothesis> {
    let scale = Law::new(&context.expected).scale();
    let pairs = || measured.iter().zip(&context.omega).filter(|(_, omega)| **omega > 0.0);
    lower(context.compute.0.format).into_iter().rev().find_map(|format| {
        let unit = format.unit_roundoff();
        // Rounded several times on the way: within some 32 units of the right one.
        let near = pairs()
            .all(|(found, omega)| (found.value / scale / omega - 1.0).abs() <= 32.0 * unit + found.error / omega);
        let told = |error: f64, omega: f64| error < 0.1 * unit * omega;
        let decided = pairs().filter(|(found, omega)| told(found.error, **omega)).count();
        let narrow = pairs().filter(|(found, omega)| told(found.error, **omega)).all(|(found, omega)| {
            let value = found.value / scale;
            (format.round(value) - value).abs() <= 2.0 * found.error + 1e-6 * omega
        });
        let departs = pairs().any(|(found, omega)| (found.value / scale / omega - 1.0).abs() > 0.25 * unit);
        if !(near && narrow && departs && decided >= 2) {
            return None;
        }
        let cause = Cause::Rounded { format, stated: context.compute.0.format };
        Some(context.lowered(&LOW_PRECISION_FREQUENCIES, cause, |stages| {
            for (omega, found) in stages.omega.iter_mut().zip(measured) {
                *omega = format.round(if told(found.error, *omega) { found.value / scale } else { *omega });
            }
        }))
    })
}

/// Constant frequencies of any kind that a rule for long contexts might have: measured, pair by pair.
pub fn other_rule(context: &Context<'_>, measured: &[Estimate]) -> Option<Hypothesis> {
    let expected = &context.expected;
    let unscaled = expected.encoding == Encoding::Rope && expected.scaling.is_none();
    let steady = measured.iter().all(|found| found.error < 1e-2);
    let ratios = || (0..measured.len()).map(|k| ratio_of(context, measured, k));
    // Such rules only slow pairs down.
    let slower = ratios().all(|(ratio, close)| ratio > 1e-3 && (ratio < 1.0 || close(1.0)));
    let departing = ratios().filter(|(_, close)| !close(1.0)).count();
    if !steady || departing == 0 || !(expected.scaling.is_some() || unscaled && slower) {
        return None;
    }
    let rule = expected.scaling.as_ref().map(Scaling::name);
    let cause = Cause::Rule { rule, departing, frequencies: deviations(context, measured) };
    let scale = Law::new(expected).scale();
    let mut hypothesis = context.with(&OTHER_RULE, cause, |stages| {
        stages.omega.iter_mut().zip(measured).for_each(|(omega, found)| *omega = found.value / scale);
        // How far off the measured ones may be, relative to them.
        stages.open =
            measured.iter().map(|found| found.error / found.value.abs().max(1e-300)).fold(0.0, f64::max).min(0.1);
    });
    (hypothesis.measured, hypothesis.found) = (true, None);
    Some(hypothesis)
}

/// The measured frequencies beside the stated ones.
pub fn deviations(context: &Context<'_>, measured: &[Estimate]) -> Vec<Deviation> {
    let deviation = |(pair, (found, &expected)): (usize, (&Estimate, &f64))| Deviation {
        pair,
        measured: found.value,
        error: found.error,
        expected,
    };
    measured.iter().zip(&context.omega).enumerate().filter(|(_, (found, _))| found.is_known()).map(deviation).collect()
}
