//! Measured frequencies, and the law behind them.

use super::super::measure::{Frequency, frequencies};
use super::super::sample::Phasors;
use super::explain::{Explanation, agrees};
use super::timing::scaled;
use super::{Context, finding};
use posproof_encoding::convention::{Convention, Encoding, Spacing};
use posproof_encoding::real::Real;
use posproof_encoding::scaling::Scaling;
use serde_json::{Value, json};

/// Findings from measured frequencies.
pub fn measured(context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let expected = context.expected;
    let measured = frequencies(phasors, context.noise(phasors))?;
    let scale = expected.position_scale.value().to_f64();
    let ratios: Vec<f64> =
        measured.iter().zip(&context.omega).map(|(found, omega)| found.value / scale / omega).collect();
    let close = |k: usize, ratio: f64| {
        let (found, omega) = (&measured[k], context.omega[k]);
        (ratios[k] - ratio).abs() <= 4.0 * found.error / scale.abs() / omega + 3e-5 * ratio.abs()
    };
    let pairs = phasors.pairs;
    let uniform = (0..pairs).all(|k| context.omega[k] > 0.0 && close(k, ratios[0]));
    if let Some(explanation) = uniform.then(|| scaled(context, phasors, ratios[0])).flatten() {
        return Some(explanation);
    }
    if let Some(explanation) = partial(context, phasors) {
        return Some(explanation);
    }
    if let Some(explanation) = other_base(context, phasors, &measured) {
        return Some(explanation);
    }
    let table: Vec<Value> = describe(context, &measured);
    // Constant frequencies of any kind: is the sample a rotation with them?
    let unscaled = expected.encoding == Encoding::Rope && expected.scaling.is_none();
    let steady = measured.iter().all(|found| found.error < 1e-2);
    // Long-context rules only slow pairs down.
    let slower = (0..pairs).all(|k| ratios[k] > 1e-3 && (ratios[k] < 1.0 || close(k, 1.0)));
    let departing = (0..pairs).filter(|&k| !close(k, 1.0)).count();
    if steady && departing > 0 && (expected.scaling.is_some() || unscaled && slower) {
        let name = expected.scaling.as_ref().map_or("no", |scaling| scaling.name());
        let message = format!(
            "{departing} of {pairs} frequencies are not those of {name} scaling: a ramp that is shifted or reversed, other bands or other factors; measured ratios are in the detail; compare keras-team/keras-hub#2981, ggml-org/llama.cpp#8676"
        );
        return Explanation::fault(vec![finding("frequency-scaling", message, json!({ "frequencies": table }))]);
    }
    None
}

/// Pairs at rest where the convention rotates all. A pair that is only slow has sines other than zero.
fn partial(context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
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
    let message = format!(
        "only the first {rotated} of {pairs} pairs are rotated: a partial rotary factor is applied that was not stated; compare AI-Hypercomputer/maxtext#4616"
    );
    Explanation::fault(vec![finding("partial-rotary", message, json!({ "rotated_pairs": rotated }))])
}

/// Frequencies of another base: ln of the ratio is proportional to k.
fn other_base(context: &Context<'_>, phasors: &Phasors, measured: &[Frequency]) -> Option<Explanation> {
    let expected = context.expected;
    let scale = expected.position_scale.value().to_f64();
    let exponent = |k: usize| match expected.frequency_spacing {
        Spacing::Paper => 2.0 * (k as f64 + f64::from(expected.frequency_origin)) / expected.frequency_dim() as f64,
        Spacing::Endpoints => (k as f64 + f64::from(expected.frequency_origin)) / (expected.pairs() as f64 - 1.0),
    };
    let plain = Convention { scaling: None, ..expected.clone() };
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
    let spread = (2.0 / weight.sqrt()).max(3e-6) * base;
    let ntk = expected.encoding == Encoding::Rope && expected.pairs() > 1;
    let stretch = |s: i64| Convention { scaling: Some(Scaling::Ntk { factor: s.into() }), ..plain.clone() };
    if ntk {
        for s in [2i64, 3, 4, 8, 16, 32] {
            let other = stretch(s);
            if other != *expected && agrees(context, phasors, &other, 1.0) {
                let message =
                    format!("the base is stretched by NTK-aware scaling with factor {s}, which was not stated");
                return Explanation::other(vec![finding("frequency-scaling", message, json!({ "factor": s }))], other);
            }
        }
    }
    candidates(base, spread).into_iter().find_map(|candidate| {
        let other = Convention { base: candidate.clone(), ..plain.clone() };
        if other == *expected || other.validate().is_err() || !agrees(context, phasors, &other, 1.0) {
            return None;
        }
        let code = if expected.scaling.is_some() { "frequency-scaling" } else { "other-base" };
        let message = format!("the base is {candidate}, not {} (measured {base:.6}): it is ignored or hard-coded; compare huggingface/candle#3746, lyogavin/airllm#369, vllm-project/vllm#9503", expected.base);
        Explanation::other(vec![finding(code, message, json!({ "measured": base, "found": candidate }))], other)
    })
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

fn describe(context: &Context<'_>, measured: &[Frequency]) -> Vec<Value> {
    let describe = |(pair, (found, expected)): (usize, (&Frequency, &f64))| json!({ "pair": pair, "measured": found.value, "error": found.error, "expected": expected });
    measured.iter().zip(&context.omega).enumerate().map(describe).collect()
}

/// The measured frequencies beside the stated ones, for people to read.
pub fn table_of_frequencies(context: &Context<'_>, phasors: &Phasors) -> Option<Vec<Value>> {
    let measured = frequencies(phasors, context.noise(phasors))?;
    Some(describe(context, &measured))
}
