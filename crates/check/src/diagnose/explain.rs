//! The order in which explanations are tried.

use super::super::check::omega;
use super::super::faults::{
    AMPLITUDE, ATTENTION_MISSING, ATTENTION_TWICE, CROSS_WIRED, Cause, DIFFERENT_CACHES, Fault, Finding, Hypothesis,
    IN_PLACE, Lengths, NO_COMMON_ANGLE, UNEXPLAINED, catalogue,
};
use super::super::measure::frequencies;
use super::super::sample::{Phasors, Sample};
use super::super::subject::{Subject, Wiring};
use super::{Context, hypotheses, law, precision, timing};
use posproof_encoding::Law;
use posproof_encoding::convention::{Convention, Encoding};

/// Findings that explain every sampled entry.
pub struct Explanation {
    pub findings: Vec<Finding>,
    /// The convention that the entries follow.
    pub found: Option<Convention>,
    /// Whether it is the stated one, at a lower precision.
    pub degraded: bool,
}

impl Explanation {
    pub fn exactly(convention: &Convention) -> Self {
        Self { findings: Vec::new(), found: Some(convention.clone()), degraded: false }
    }

    pub fn other(fault: &'static Fault, cause: Cause, found: Convention) -> Self {
        Self { findings: vec![Finding::new(fault, cause)], found: Some(found), degraded: false }
    }

    pub fn fault(fault: &'static Fault, cause: Cause) -> Self {
        Self { findings: vec![Finding::new(fault, cause)], found: None, degraded: false }
    }

    pub fn degraded(fault: &'static Fault, cause: Cause) -> Self {
        Self { findings: vec![Finding::new(fault, cause)], found: None, degraded: true }
    }
}

/// Whether every sampled entry is what the convention says, amplitude included.
pub fn matches(context: &Context<'_>, phasors: &Phasors, convention: &Convention) -> bool {
    let gain = convention.gain().enclose(64).approximate();
    agrees(context, &phasors.divided(gain), convention, 1.0)
}

/// Whether a share of the sampled phasors, divided by their amplitude, is what the convention says.
pub fn agrees(context: &Context<'_>, phasors: &Phasors, convention: &Convention, least: f64) -> bool {
    let Some(omega) = omega(convention) else { return false };
    if omega.len() != phasors.pairs {
        return false;
    }
    let law = Law::new(convention);
    let position = |row: usize| law.effective(phasors.positions[row] as f64);
    follows(context, phasors, (convention, &omega), &position, least)
}

/// The same for frequencies and positions that no convention has; the convention decides the bound.
pub fn follows(
    context: &Context<'_>,
    phasors: &Phasors,
    (convention, omega): (&Convention, &[f64]),
    position: &dyn Fn(usize) -> f64,
    least: f64,
) -> bool {
    let allowance = context.allowance(convention, omega);
    let scale = Law::new(convention).scale().abs();
    let tolerance = |row: usize, pair: usize| {
        let t = position(row).abs();
        phasors.tolerance(&allowance, pair, t / scale) + 4e-16 * t * omega[pair].max(1e-3)
    };
    phasors.fit(least, |row, pair| position(row) * omega[pair], tolerance) > 0.0
}

/// Everything that is tried in one arrangement.
pub fn explain(context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let convention = context.expected;
    if let Some(found) = components(context, phasors) {
        return Some(found);
    }
    let gain = convention.gain().enclose(64).approximate();
    let (measured, spread) = amplitude(phasors, gain)?;
    let amplitude_is_right = (measured / gain - 1.0).abs() <= context.noise(phasors).max(1e-6) + spread.min(1e-3);
    let unit = phasors.divided(if amplitude_is_right { gain } else { measured });
    let steps: [&dyn Fn() -> Option<Explanation>; 7] = [
        &|| {
            let only = !amplitude_is_right && agrees(context, &unit, convention, 1.0);
            only.then(|| Explanation::exactly(convention))
        },
        &|| precision::storage(context, &unit),
        &|| hypotheses::laws(context, &unit),
        &|| timing::positions(context, &unit),
        &|| precision::computation(context, &unit),
        &|| measurements(context, &unit),
        &|| precision::trigonometry(context, &unit),
    ];
    let mut explanation = steps.iter().find_map(|step| step())?;
    if !amplitude_is_right {
        explanation.findings.insert(0, amplitude_finding(convention, gain, measured));
        explanation.degraded = false;
        explanation.found = None;
    }
    // An explanation must explain something.
    (!explanation.findings.is_empty()).then_some(explanation)
}

/// Tables whose cosines and sines belong to no common angle.
fn components(context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let whole = phasors.cos.is_some() && phasors.sin.is_some();
    if !whole || context.expected.encoding != Encoding::Sinusoid {
        return None;
    }
    recognise(|fault, hypothesis| match hypothesis {
        Hypothesis::Components(test) => test(fault, context, phasors),
        _ => None,
    })
}

/// What the measured frequencies of all pairs say.
fn measurements(context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let measured = frequencies(phasors, context.noise(phasors))?;
    recognise(|fault, hypothesis| match hypothesis {
        Hypothesis::Measurement(test) => test(fault, context, phasors, &measured),
        _ => None,
    })
}

/// The first row of the catalogue that explains the entries in a way of some kind.
pub fn recognise(explain: impl Fn(&'static Fault, &'static Hypothesis) -> Option<Explanation>) -> Option<Explanation> {
    catalogue().find_map(|fault| fault.hypotheses.iter().find_map(|hypothesis| explain(fault, hypothesis)))
}

/// The median length of the phasors and the spread about it; `None` if they are not all of one length.
fn amplitude(phasors: &Phasors, gain: f64) -> Option<(f64, f64)> {
    let rows = 0..phasors.positions.len();
    let mut norms: Vec<f64> = Vec::new();
    for row in rows {
        for pair in 0..phasors.pairs {
            // Half a cache has no lengths: the amplitude is taken as stated.
            norms.push(phasors.norm(row, pair).unwrap_or(gain));
        }
    }
    norms.sort_by(f64::total_cmp);
    let median = *norms.get(norms.len() / 2)?;
    let low = norms[norms.len() / 20];
    let high = norms[norms.len() - 1 - norms.len() / 20];
    let spread = (high - low) / median;
    (median > 0.0 && spread < 0.2).then_some((median, spread))
}

fn amplitude_finding(convention: &Convention, expected: f64, found: f64) -> Finding {
    let ratio = found / expected;
    let near = |x: f64| (ratio / x - 1.0).abs() < 5e-3;
    let attention = convention.scaling.is_some() && (expected - 1.0).abs() > 1e-9;
    let fault = match () {
        () if attention && near(expected) => &ATTENTION_TWICE,
        () if attention && near(1.0 / expected) => &ATTENTION_MISSING,
        () => &AMPLITUDE,
    };
    Finding::new(fault, Cause::Amplitude { expected, found })
}

/// What can be said when no explanation fits: not a rotation, or measured frequencies.
pub fn unexplained(
    context: &Context<'_>,
    sample: &Sample,
    phasors: Option<&Phasors>,
    subject: Subject<'_>,
    (entries, last): (u64, u64),
) -> Finding {
    let convention = context.expected;
    let gain = convention.gain().enclose(64).approximate();
    if matches!(subject, Subject::Rotation { .. }) {
        let wiring = Wiring::new(convention);
        let tolerance = 100.0 * context.storage.unit_roundoff().max(context.compute.0.unit_roundoff());
        if sample.is_aliased(&wiring, &context.omega, tolerance) {
            return Finding::new(&IN_PLACE, Cause::InPlace);
        }
    }
    let first = context.boundary.unwrap_or_else(|| sample.positions.first().copied().unwrap_or_default());
    let lengths = phasors.and_then(|phasors| amplitude(phasors, gain));
    if lengths.is_none() {
        let (fault, of) = match subject {
            Subject::Rotation { .. } => (&CROSS_WIRED, Lengths::Rotation),
            _ if convention.encoding == Encoding::Rope => (&DIFFERENT_CACHES, Lengths::Cache),
            _ => (&NO_COMMON_ANGLE, Lengths::Table),
        };
        return Finding::new(fault, Cause::Lengths { of, first });
    }
    let frequencies = phasors.and_then(|phasors| {
        let measured = frequencies(phasors, context.noise(phasors))?;
        Some(law::deviations(context, &measured))
    });
    Finding::new(&UNEXPLAINED, Cause::Unexplained { entries, first, last, frequencies })
}
