//! Right angles at too low a precision: storage, frequencies, positions, angles, sine and cosine.

use super::super::measure::frequencies;
use super::super::sample::{Phasors, wrap};
use super::explain::Explanation;
use super::{Context, finding};
use posproof_numerics::format::Format;
use serde_json::json;

/// Formats below what was stated, the wider first.
fn lower(stated: Format) -> Vec<Format> {
    let wider = [Format::F32, Format::F16, Format::Bf16];
    wider.into_iter().filter(|format| format.precision() < stated.precision()).collect()
}

/// Entries that were rounded to a narrower format before they were stored.
pub fn storage(context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let expected = context.expected;
    lower(context.storage).into_iter().rev().find_map(|format| {
        let narrow = context.values.iter().all(|value| format.round(*value) == *value);
        if !narrow {
            return None;
        }
        let narrowed = Context { storage: format, values: Vec::new(), omega: context.omega.clone(), ..*context };
        let right = super::explain::agrees(&narrowed, phasors, expected, 1.0);
        right.then(|| {
            let message = format!("the entries are {} but hold only {format} values: a right table was cast to {format} and back; keep it in {}; compare KellerJordan/modded-nanogpt#39", context.storage, context.storage);
            Explanation::degraded(finding("low-precision-storage", message, json!({ "format": format })))
        })?
    })
}

/// Frequencies, positions or angles in a narrower format.
pub fn computation(context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let expected = context.expected;
    let offset = expected.position_offset.value().to_f64();
    let scale = expected.position_scale.value().to_f64();
    let at = |row: usize| phasors.positions[row] as f64 + offset;
    let omega = &context.omega;
    let tolerance = {
        let allowance = context.allowance(expected, omega);
        move |t: f64, pair: usize, omega: f64| phasors.tolerance(&allowance, pair, t) + 4e-16 * t * omega
    };
    // A few entries may differ from what is simulated, next to ties: the best of all simulations is meant.
    type Angle<'a> = (&'static str, &'a dyn Fn(f64, f64) -> f64);
    let mut best: Option<(f64, &'static str, Format)> = None;
    for format in lower(context.compute.0.max(context.storage)) {
        let round = |x: f64| format.round(x);
        let frequency = |t: f64, w: f64| t * round(w);
        let position = |t: f64, w: f64| round(t) * w;
        let angle = |t: f64, w: f64| round(t * w);
        let all = |t: f64, w: f64| round(round(t) * round(w));
        let time = |t: f64, w: f64| round(round(t) * w);
        let rate = |t: f64, w: f64| round(t * round(w));
        let both = |t: f64, w: f64| round(t) * round(w);
        let variants: [Angle<'_>; 7] = [
            ("low-precision-frequencies", &frequency),
            ("low-precision-positions", &position),
            ("low-precision-angles", &angle),
            ("low-precision-angles", &all),
            ("low-precision-angles", &time),
            ("low-precision-angles", &rate),
            ("low-precision-frequencies", &both),
        ];
        for (code, rule) in variants {
            let simulated = |row: usize, pair: usize| rule(at(row) * scale, omega[pair]);
            let limit = |row: usize, pair: usize| tolerance(at(row).abs(), pair, omega[pair] * scale.abs());
            let fit = phasors.fit(0.95, simulated, limit);
            if fit > best.map_or(0.0, |(fit, ..)| fit) {
                best = Some((fit, code, format));
            }
        }
    }
    let Some((_, code, format)) = best else { return measured_frequencies(context, phasors) };
    if code == "low-precision-frequencies" {
        return frequency_finding(format);
    }
    let what = if code == "low-precision-positions" { "positions are" } else { "the angles position × frequency are" };
    let message = format!(
        "{what} computed in {format}, not in {}; compare EleutherAI/gpt-neox#1003, huggingface/transformers#25681",
        context.compute.0
    );
    Explanation::degraded(finding(code, message, json!({ "format": format })))
}

fn frequency_finding(format: Format) -> Option<Explanation> {
    let message = format!(
        "the frequencies are rounded to {format}: keep inv_freq in f32 when the model is cast; compare huggingface/transformers#29496, NVIDIA/Megatron-LM#744"
    );
    Explanation::degraded(finding("low-precision-frequencies", message, json!({ "format": format })))
}

/// Frequencies that are measured to be numbers of a narrow format near the right ones.
fn measured_frequencies(context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let scale = context.expected.position_scale.value().to_f64();
    let measured = frequencies(phasors, context.noise(phasors))?;
    let pairs = || measured.iter().zip(&context.omega).filter(|(_, omega)| **omega > 0.0);
    lower(context.compute.0.max(context.storage)).into_iter().rev().find_map(|format| {
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
        (near && narrow && departs && decided >= 2).then(|| frequency_finding(format))?
    })
}

/// Angles that are right but whose sines and cosines, or whose last bits, are not.
pub fn trigonometry(context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let expected = context.expected;
    let offset = expected.position_offset.value().to_f64();
    let scale = expected.position_scale.value().to_f64();
    let (mut largest, mut fastest) = (0f64, false);
    let allowance = context.allowance(expected, &context.omega);
    for row in 0..phasors.positions.len() {
        let t = (phasors.positions[row] as f64 + offset) * scale;
        for pair in 0..phasors.pairs {
            let angle = t * context.omega[pair];
            let off = wrap(phasors.phase(row, pair)? - angle).abs();
            let limit = 2.0 * phasors.tolerance(&allowance, pair, (t / scale).abs());
            if off > limit {
                largest = largest.max((off - limit) / angle.abs().max(1.0));
                fastest |= pair == 0;
            }
        }
    }
    let detail = json!({ "relative_error_of_angles": largest });
    if largest == 0.0 || largest > 2e-5 {
        return None;
    }
    if fastest && context.compute.0 != Format::F64 {
        let message = "angles that are exact in f32 (pair 0) have wrong sines: a fast approximation of sin and cos without accurate range reduction; compile without fast-math; compare kekzl/imp#1316";
        return Explanation::degraded(finding("low-precision-trigonometry", message, detail));
    }
    let message = format!(
        "the angles are right to a relative {largest:.1e} only, more than {} arithmetic explains: a lower precision is used on the way (f32 explains errors near 6e-8)",
        context.compute.0
    );
    Explanation::degraded(finding("low-precision-angles", message, detail))
}
