//! The amplitude, measured.

use super::super::faults::{AMPLITUDE, ATTENTION_MISSING, ATTENTION_TWICE, Cause, Fault, SOFTMAX_SCALE};
use super::super::measure::candidates;
use super::super::sample::Phasors;
use super::hypothesis::{Context, Hypothesis, Named};
use posproof_encoding::amplitude::Amplitude;
use posproof_encoding::convention::Convention;
use posproof_encoding::real::Real;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::Rational;
use posproof_numerics::format::Format;

/// The middle of the phasors' lengths, and how far it may be off; `None` if they are not all of one length, or if half a
/// cache has none.
pub fn length(phasors: &Phasors) -> Option<(f64, f64)> {
    let mut norms: Vec<f64> = Vec::new();
    for row in 0..phasors.positions.len() {
        for pair in 0..phasors.pairs {
            norms.extend(Some(phasors.norm(row, pair)?).filter(|norm| norm.is_finite()));
        }
    }
    norms.sort_by(f64::total_cmp);
    let median = *norms.get(norms.len() / 2)?;
    let (low, high) = (norms[norms.len() / 20], norms[norms.len() - 1 - norms.len() / 20]);
    let spread = (high - low) / median;
    if !(median > 0.0 && spread < 0.2) {
        return None;
    }
    // The mean of those within the spread: roundings cancel in it.
    let middle = &norms[norms.len() / 20..norms.len() - norms.len() / 20];
    let mean = middle.iter().sum::<f64>() / middle.len() as f64;
    Some((mean, spread * mean / (middle.len() as f64).sqrt()))
}

/// The context with another amplitude: the numbers that the lengths may stand for, if they do not show the stated one.
pub fn others<'a>(context: &Context<'a>, phasors: &Phasors) -> Vec<Context<'a>> {
    let expected = &context.expected;
    let stated = expected.gain().enclose(64).approximate();
    if let Some(exactly) = rounded(context, stated) {
        return exactly;
    }
    let Some((found, spread)) = length(phasors) else { return Vec::new() };
    // Less than what a rounding of each entry leaves of the mean is no factor.
    let least = (1.5 * context.storage.unit_roundoff().max(context.compute.0.format.unit_roundoff())).max(1e-9);
    if (found / stated.abs() - 1.0).abs() <= least {
        return Vec::new();
    }
    contexts(context, found.copysign(stated), (4.0 * spread / found.abs()).max(least))
}

/// The context with each number that a gain may stand for, given to within `spread` of it.
fn contexts<'a>(context: &Context<'a>, found: f64, spread: f64) -> Vec<Context<'a>> {
    gains(&context.expected, found, spread)
        .into_iter()
        .filter(|other| other.validate().is_ok())
        .filter_map(|other| with(context, other))
        .collect()
}

/// Contexts of the numbers that entries of 8 and of 16 bits allow. Their roundings hide a small factor from the mean of lengths, and show it
/// to many digits where most rows allow one. None where they do not.
fn rounded<'a>(context: &Context<'a>, stated: f64) -> Option<Vec<Context<'a>>> {
    if context.storage.unit_roundoff() <= Format::F32.unit_roundoff() {
        return None;
    }
    let unrounded = Hypothesis { storage: Format::F32, exactly: false, ..context.itself() };
    let (low, high) = context.compare(&unrounded, |comparison| comparison.common_factor(context.storage)).ok()??;
    let (middle, half) = (low.midpoint(high), (high - low) / 2.0);
    if low <= 1.0 && 1.0 <= high {
        return Some(Vec::new());
    }
    Some(contexts(context, middle * stated, (half / middle).abs()))
}

/// The context with the negated amplitude. A root has none.
pub fn negated<'a>(context: &Context<'a>) -> Option<Context<'a>> {
    let Amplitude::Rational(amplitude) = &context.expected.amplitude else { return None };
    let amplitude = Amplitude::Rational(Real::from(-amplitude.value().clone()));
    with(context, Convention { amplitude, ..context.expected.clone() })
}

/// The context with another gain. What is tested is said: the number, not the measurement that it was taken from.
fn with<'a>(context: &Context<'a>, convention: Convention) -> Option<Context<'a>> {
    let at = context.at(&convention, context.omega.clone())?;
    let [stated, gain] = [&context.expected, &convention].map(|other| other.gain().enclose(64).approximate());
    let named = [&context.named[..], &[named(context, stated, gain)]].concat();
    let found = context.found.as_ref().map(|_| convention.clone());
    Some(Context { named, found, degraded: false, ..at })
}

/// Conventions of a gain that was measured, which differ in nothing else: by the attention factor of the rule, if it has one,
/// and by the amplitude.
pub fn gains(convention: &Convention, found: f64, spread: f64) -> Vec<Convention> {
    let factors = attention_factors(convention, found, spread);
    let amplitudes = amplitudes(convention, found, spread).into_iter();
    let amplitudes = amplitudes.map(|amplitude| Convention { amplitude, ..convention.clone() });
    factors.into_iter().chain(amplitudes).collect()
}

/// The same rule with an attention factor that is stated.
fn attention_factors(convention: &Convention, found: f64, spread: f64) -> Vec<Convention> {
    let gain = |convention: &Convention| convention.gain().enclose(64).approximate();
    // The rule's own explains it.
    if (found / gain(convention) - 1.0).abs() <= spread {
        return Vec::new();
    }
    let amplitude = gain(&Convention { scaling: None, ..convention.clone() });
    let of = |factor: Real| {
        let mut other = convention.clone();
        match &mut other.scaling {
            Some(Scaling::Yarn { attention_factor, .. } | Scaling::Longrope { attention_factor, .. }) => {
                *attention_factor = Some(factor);
                Some(other)
            }
            _ => None,
        }
    };
    candidates(found / amplitude, (found / amplitude * spread).abs()).into_iter().take(2).filter_map(of).collect()
}

fn named(context: &Context<'_>, expected: f64, found: f64) -> Named {
    let convention = &context.expected;
    let ratio = found / expected;
    let near = |x: f64| (ratio / x - 1.0).abs() < 5e-3;
    let attention = convention.scaling.is_some() && (expected - 1.0).abs() > 1e-9;
    let dims = [convention.dim, convention.frequency_dim()];
    let root = |dim: usize| (1.0 / dim as f64).sqrt();
    if let Some(dim) = dims.into_iter().find(|dim| (ratio / root(*dim) - 1.0).abs() < 1e-4)
        && matches!(context.subject, super::super::subject::Subject::Rotation { .. })
    {
        return (&SOFTMAX_SCALE, Cause::SoftmaxScale { by: ratio, dim });
    }
    let fault: &'static Fault = match () {
        () if attention && near(expected) => &ATTENTION_TWICE,
        () if attention && near(1.0 / expected) => &ATTENTION_MISSING,
        () => &AMPLITUDE,
    };
    (fault, Cause::Amplitude { expected, found })
}

/// Amplitudes that a measured gain may stand for, given what the scaling rule contributes: to within `spread`, relative to it.
fn amplitudes(convention: &Convention, measured: f64, spread: f64) -> Vec<Amplitude> {
    let own = Convention { amplitude: Amplitude::default(), ..convention.clone() }.gain().enclose(64).approximate();
    let ratio = measured / own;
    let close = |x: f64| (ratio / x - 1.0).abs() <= spread;
    if close(1.0) {
        return vec![Amplitude::default()];
    }
    let dim = convention.dim as i64;
    let roots = [Rational::from((2, dim)), Rational::from((1, dim)), Rational::from(dim)];
    let root = |square: &Rational| close(square.to_f64().sqrt());
    let roots: Vec<Rational> = roots.into_iter().filter(root).collect();
    // A scaling rule's attention factor may be given as a number of its own. The root of a square is no second number.
    let other = |number: &Real| !roots.contains(&(number.value() * number.value()));
    let numbers = candidates(ratio, ratio * spread).into_iter().take(3).filter(other).map(Amplitude::Rational);
    let numbers: Vec<Amplitude> = numbers.collect();
    roots.into_iter().map(|square| Amplitude::Root(Real::from(square))).chain(numbers).collect()
}
