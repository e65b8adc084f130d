//! The order in which explanations are tried.

use super::super::Finding;
use super::super::check::omega;
use super::super::sample::{Phasors, Sample};
use super::super::subject::{Subject, Wiring};
use super::{Context, finding, hypotheses, law, precision, timing};
use posproof_encoding::convention::{Convention, Encoding};
use serde_json::json;

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

    pub fn other(findings: Vec<Finding>, found: Convention) -> Option<Self> {
        Some(Self { findings, found: Some(found), degraded: false })
    }

    pub fn fault(findings: Vec<Finding>) -> Option<Self> {
        Some(Self { findings, found: None, degraded: false })
    }

    pub fn degraded(finding: Finding) -> Option<Self> {
        Some(Self { findings: vec![finding], found: None, degraded: true })
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
    let step = convention.position_scale.value().to_f64();
    let offset = convention.position_offset.value().to_f64();
    let position = |row: usize| (phasors.positions[row] as f64 + offset) * step;
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
    let scale = convention.position_scale.value().to_f64().abs();
    let tolerance = |row: usize, pair: usize| {
        let t = position(row).abs();
        phasors.tolerance(&allowance, pair, t / scale) + 4e-16 * t * omega[pair].max(1e-3)
    };
    phasors.fit(least, |row, pair| position(row) * omega[pair], tolerance) > 0.0
}

/// Everything that is tried in one arrangement.
pub fn explain(context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let convention = context.expected;
    if let Some(found) = hypotheses::components(context, phasors) {
        return Some(found);
    }
    let gain = convention.gain().enclose(64).approximate();
    let (measured, spread) = amplitude(phasors, gain)?;
    let amplitude_is_right = (measured / gain - 1.0).abs() <= context.noise(phasors).max(1e-6) + spread.min(1e-3);
    let unit = phasors.divided(if amplitude_is_right { gain } else { measured });
    let unit_context = Context { values: context.values.clone(), omega: context.omega.clone(), ..*context };
    let steps: [&dyn Fn() -> Option<Explanation>; 7] = [
        &|| {
            let only = !amplitude_is_right && agrees(&unit_context, &unit, convention, 1.0);
            only.then(|| Explanation::exactly(convention))
        },
        &|| precision::storage(&unit_context, &unit),
        &|| hypotheses::conventions(&unit_context, &unit),
        &|| timing::positions(&unit_context, &unit),
        &|| precision::computation(&unit_context, &unit),
        &|| law::measured(&unit_context, &unit),
        &|| precision::trigonometry(&unit_context, &unit),
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

fn amplitude_finding(convention: &Convention, gain: f64, measured: f64) -> Finding {
    let ratio = measured / gain;
    let near = |x: f64| (ratio / x - 1.0).abs() < 5e-3;
    let attention = convention.scaling.is_some() && (gain - 1.0).abs() > 1e-9;
    let cause = if attention && near(gain) {
        "the attention factor is applied twice"
    } else if attention && near(1.0 / gain) {
        "the attention factor of the scaling rule is missing"
    } else {
        "a factor is missing, or applied once too often"
    };
    let message = format!(
        "the amplitude is {measured:.6}, not {gain:.6} (a ratio of {ratio:.6}): {cause}; compare turboderp-org/exllamav3#259, NVIDIA/TensorRT-LLM#16379"
    );
    finding("amplitude", message, json!({ "expected": gain, "found": measured, "ratio": ratio }))
}

/// What can be said when no explanation fits: not a rotation, or measured frequencies.
pub fn departure(
    context: &Context<'_>,
    sample: &Sample,
    phasors: Option<&Phasors>,
    subject: Subject<'_>,
    (count, last): (u64, u64),
) -> Vec<Finding> {
    let convention = context.expected;
    let gain = convention.gain().enclose(64).approximate();
    if matches!(subject, Subject::Rotation { .. }) {
        let wiring = Wiring::new(convention);
        let tolerance = 100.0 * context.storage.unit_roundoff().max(context.compute.0.unit_roundoff());
        if sample.is_aliased(&wiring, &context.omega, tolerance) {
            let message = "the second entry of each pair is computed from the first one's result: the rotation works in place and overwrites its input; compare flagos-ai/FlagGems#5142";
            return vec![finding("not-a-rotation", message, json!({ "cause": "in-place aliasing" }))];
        }
    }
    let first = context.boundary.unwrap_or_else(|| sample.positions.first().copied().unwrap_or_default());
    let lengths = phasors.and_then(|phasors| amplitude(phasors, gain));
    if lengths.is_none() {
        let message = match subject {
            Subject::Rotation { .. } => {
                "the lengths of the pairs change in every layout: y is not x rotated; query and key may be cross-wired (compare hpcaitech/ColossalAI#6428), or the buffers may be wrong"
            }
            _ if convention.encoding == Encoding::Rope => {
                "cos² + sin² is not constant: the entries are no cosines and sines of one angle; an uninitialised buffer (compare pytorch/executorch#19627), or two different caches"
            }
            _ => {
                "cos² + sin² is not constant in any layout: the entries are no cosines and sines of one angle per pair; compare SamLynnEvans/Transformer#25, pytorch/executorch#19627"
            }
        };
        let detail = json!({ "first_position": first });
        return vec![finding("not-a-rotation", message, detail)];
    }
    let frequencies = phasors.and_then(|phasors| law::table_of_frequencies(context, phasors));
    let message = format!(
        "{count} entries, at positions from {first} to {last}, follow neither the stated convention nor a known fault; measured frequencies are in the detail"
    );
    let detail =
        json!({ "entries": count, "first_position": first, "last_position": last, "frequencies": frequencies });
    vec![finding("unexplained", message, detail)]
}
