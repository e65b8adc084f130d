//! Other conventions and known mistakes, one by one.

use super::super::sample::{Phasors, Sample};
use super::super::subject::{Subject, Wiring};
use super::explain::{Explanation, agrees, follows};
use super::{Context, finding};
use posproof_encoding::convention::{Convention, Encoding, Layout, Spacing};
use posproof_encoding::real::Real;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::Rational;
use serde_json::json;

/// Bases in use.
pub const BASES: [i64; 16] = [
    10_000,
    500_000,
    1_000_000,
    1_000,
    100,
    100_000,
    5_000,
    25_000,
    50_000,
    150_000,
    160_000,
    200_000,
    5_000_000,
    10_000_000,
    100_000_000,
    1_000_000_000,
];

/// Conventions that differ from the stated one in one respect.
pub fn conventions(context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let expected = context.expected;
    let mut candidates: Vec<(&'static str, String, Convention)> = Vec::new();
    let mut candidate =
        |code, message: &str, convention: Convention| candidates.push((code, message.to_owned(), convention));
    if expected.scaling.is_none() {
        let origin = 1 - expected.frequency_origin.min(1);
        candidate(
            "frequency-origin",
            "the frequencies begin with another index: 0 and 1 are confused",
            Convention { frequency_origin: origin, ..expected.clone() },
        );
        let (spacing, message) = match expected.frequency_spacing {
            Spacing::Paper => (
                Spacing::Endpoints,
                "the frequencies are base^(−k/(dim/2 − 1)), end points included, not base^(−2k/dim)",
            ),
            Spacing::Endpoints => (
                Spacing::Paper,
                "the frequencies are base^(−2k/dim), not base^(−k/(dim/2 − 1)) with the end points included",
            ),
        };
        let message = format!("{message}; compare tensorflow/tensor2tensor#1423, hojonathanho/diffusion#15");
        candidate("frequency-spacing", &message, Convention { frequency_spacing: spacing, ..expected.clone() });
    }
    scalings(expected, &mut candidate);
    if !expected.position_scale.value().clone().eq(&Rational::from(1)) {
        let square = expected.position_scale.value().square();
        for (scale, message) in [(Rational::from(1), "is missing"), (square, "is applied twice")] {
            let message = format!(
                "the factor {} of the angles {message}; compare sgl-project/sglang#33558",
                expected.position_scale
            );
            candidate("position-scale", &message, Convention { position_scale: Real::from(scale), ..expected.clone() });
        }
    }
    for base in BASES {
        let message = format!(
            "the base is {base}, not {}: it is ignored or hard-coded; compare huggingface/candle#3746, vllm-project/vllm#9503",
            expected.base
        );
        candidate("other-base", &message, Convention { base: base.into(), ..expected.clone() });
    }
    let squared = Real::from(expected.base.value().square());
    let message = format!(
        "the exponent is doubled: the frequencies are those of the base {}² ; compare DongjunLee/transformer-tensorflow#6",
        expected.base
    );
    candidate("other-base", &message, Convention { base: squared, ..expected.clone() });
    if let Some(found) = denominator(context, phasors) {
        return Some(found);
    }
    let found = candidates.into_iter().find(|(_, _, convention)| {
        convention != expected && convention.validate().is_ok() && agrees(context, phasors, convention, 1.0)
    });
    if let Some((code, message, convention)) = found {
        let detail = json!({ "expected": expected, "found": convention });
        return Explanation::other(vec![finding(code, message, detail)], convention);
    }
    frequencies(context, phasors)
}

/// Scaling rules forgotten, doubled, or replaced by others.
fn scalings(expected: &Convention, candidate: &mut dyn FnMut(&'static str, &str, Convention)) {
    let with = |scaling: Option<Scaling>| Convention { scaling, ..expected.clone() };
    let Some(scaling) = &expected.scaling else { return };
    let name = scaling.name();
    candidate(
        "frequency-scaling",
        &format!(
            "the {name} scaling of the frequencies is missing; compare ggml-org/llama.cpp#8676, sgl-project/sglang#33558"
        ),
        with(None),
    );
    let factor = match scaling {
        Scaling::Linear { factor }
        | Scaling::Ntk { factor }
        | Scaling::Dynamic { factor, .. }
        | Scaling::Yarn { factor, .. }
        | Scaling::Llama3 { factor, .. } => factor.clone(),
        Scaling::Longrope { .. } | Scaling::Proportional { .. } => 1.into(),
    };
    if let Scaling::Linear { factor } = scaling {
        let squared = Real::from(factor.value().square());
        candidate(
            "frequency-scaling",
            &format!("the linear factor {factor} is applied twice; compare sgl-project/sglang#33558"),
            with(Some(Scaling::Linear { factor: squared })),
        );
        let inverse = Real::from(factor.value().clone().recip());
        candidate(
            "frequency-scaling",
            &format!("the frequencies are multiplied by {factor} instead of divided"),
            with(Some(Scaling::Linear { factor: inverse })),
        );
    } else if *factor.value() > 1 {
        let message = format!(
            "the frequencies are divided uniformly by {factor} (linear scaling) instead of {name} scaling; compare keras-hub's `dynamic`"
        );
        candidate("frequency-scaling", &message, with(Some(Scaling::Linear { factor: factor.clone() })));
    }
    let instead = format!("the rule is not {name} but NTK-aware scaling by {factor}");
    if *factor.value() > 1 && !matches!(scaling, Scaling::Ntk { .. }) {
        candidate("frequency-scaling", &instead, with(Some(Scaling::Ntk { factor: factor.clone() })));
    }
    if let Scaling::Longrope { sequence_length, original_max_position_embeddings: original, .. } = scaling {
        let mut other = scaling.clone();
        let long = sequence_length.is_some_and(|length| length > *original);
        if let Scaling::Longrope { sequence_length, .. } = &mut other {
            *sequence_length = Some(if long { *original } else { original + 1 });
        }
        let (used, right) = if long { ("short", "long") } else { ("long", "short") };
        let message =
            format!("the {used} factors are used where the {right} ones belong; compare ggml-org/llama.cpp#24823");
        candidate("frequency-scaling", &message, with(Some(other)));
    }
    if let Scaling::Yarn { truncate, .. } = scaling {
        let mut other = scaling.clone();
        let now = !truncate;
        if let Scaling::Yarn { truncate, .. } = &mut other {
            *truncate = now;
        }
        let message =
            format!("the ends of YaRN's ramp are {} to whole dimensions", if now { "rounded" } else { "not rounded" });
        candidate("frequency-scaling", &message, with(Some(other)));
    }
    for original in [2048u64, 4096, 8192, 16384, 32768, 65536, 131072] {
        let mut other = scaling.clone();
        match &mut other {
            Scaling::Yarn { original_max_position_embeddings, .. }
            | Scaling::Llama3 { original_max_position_embeddings, .. }
            | Scaling::Dynamic { original_max_position_embeddings, .. } => *original_max_position_embeddings = original,
            _ => continue,
        }
        let message = format!("the {name} scaling takes {original} for original_max_position_embeddings");
        candidate("frequency-scaling", &message, with(Some(other)));
    }
}

/// Partial rotation with the frequencies of the whole dimension.
fn denominator(context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let expected = context.expected;
    if expected.encoding != Encoding::Rope || expected.dim == expected.frequency_dim() {
        return None;
    }
    let (base, offset) = (expected.base.value().to_f64(), expected.position_offset.value().to_f64());
    let scale = expected.position_scale.value().to_f64();
    let position = |row: usize| (phasors.positions[row] as f64 + offset) * scale;
    let omega: Vec<f64> = (0..phasors.pairs).map(|k| base.powf(-2.0 * k as f64 / expected.dim as f64)).collect();
    if !follows(context, phasors, (expected, &omega), &position, 1.0) {
        return None;
    }
    let message = "the frequencies are computed with the whole dimension as the denominator, not with rotary_dim; compare AI-Hypercomputer/maxtext#4616";
    let detail = json!({ "denominator": expected.dim, "expected": expected.frequency_dim() });
    Explanation::fault(vec![finding("partial-rotary", message, detail)])
}

/// Frequencies that no convention has, but mistakes do.
fn frequencies(context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let expected = context.expected;
    let scale = expected.position_scale.value().to_f64();
    let offset = expected.position_offset.value().to_f64();
    let position = |row: usize| (phasors.positions[row] as f64 + offset) * scale;
    let base = expected.base.value().to_f64();
    let pairs = phasors.pairs;
    let power = |exponent: &dyn Fn(usize) -> f64| -> Vec<f64> { (0..pairs).map(|k| base.powf(exponent(k))).collect() };
    let dim = expected.frequency_dim() as f64;
    let all: Vec<(&'static str, &'static str, Vec<f64>)> = vec![
        (
            "frequency-spacing",
            "the frequencies are reciprocal: positions are multiplied by base^(2k/dim) instead of divided; compare xlite-dev/LeetCUDA#289, tensorflow/models#10945",
            power(&|k| 2.0 * k as f64 / dim),
        ),
        (
            "frequency-spacing",
            "all frequencies are 1: an exponent computed in integers is always 0; compare Kyubyong/transformer#81",
            vec![1.0; pairs],
        ),
    ];
    for (code, message, omega) in all {
        // Reciprocal frequencies are large: binary32 angles are then off by turns at large positions.
        let near = |row: usize| phasors.positions[row] < 64;
        let rows = (0..phasors.positions.len()).filter(|&row| near(row)).count();
        let early = phasors.before(64);
        let follows_all = follows(context, phasors, (expected, &omega), &position, 1.0);
        if follows_all
            || (rows > 8
                && omega.iter().any(|w| *w > 1.0)
                && follows(context, &early, (expected, &omega), &position, 0.97))
        {
            let detail = json!({ "frequencies": omega.iter().take(8).collect::<Vec<_>>() });
            return Explanation::fault(vec![finding(code, message, detail)]);
        }
    }
    None
}

/// Tables whose cosines and sines follow laws of their own, or change places row by row.
pub fn components(context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let expected = context.expected;
    let (Some(_), Some(_)) = (&phasors.cos, &phasors.sin) else { return None };
    if expected.encoding != Encoding::Sinusoid {
        return None;
    }
    let gain = expected.gain().enclose(64).approximate();
    let base = expected.base.value().to_f64();
    let dim = expected.dim as f64;
    let law = |factor: f64, shift: f64| move |k: usize| base.powf(-(factor * k as f64 + shift) / dim);
    let tolerance = |t: f64, omega: f64| gain * (1e-4 + 1e-4 * t * omega) + 2.0 * context.storage.unit_roundoff();
    let component = |cosine: bool, omega: &dyn Fn(usize) -> f64| {
        (0..phasors.positions.len()).all(|row| {
            let t = phasors.positions[row] as f64;
            (0..phasors.pairs).all(|k| {
                let (s, c) = (t * omega(k)).sin_cos();
                let found = if cosine { phasors.cos(row, k) } else { phasors.sin(row, k) };
                let right = gain * if cosine { c } else { s };
                found.is_some_and(|found| (found - right).abs() <= tolerance(t, omega(k)).min(0.5))
            })
        })
    };
    let right = law(2.0, 0.0);
    for first in [0, 1] {
        let alternates = (0..phasors.positions.len()).all(|row| {
            let t = phasors.positions[row];
            (0..phasors.pairs).all(|k| {
                let (s, c) = (t as f64 * right(k)).sin_cos();
                let one = gain * if t % 2 == first { s } else { c };
                let close = |found: Option<f64>| {
                    found.is_some_and(|found| (found - one).abs() <= tolerance(t as f64, right(k)).min(0.5))
                };
                close(phasors.cos(row, k)) && close(phasors.sin(row, k))
            })
        });
        if alternates {
            let message = "sine and cosine alternate from row to row instead of from column to column: the parity is taken of the position; compare gmongaras/Diffusion_models_from_scratch#10";
            return Explanation::fault(vec![finding("order", message, json!({ "alternates": "rows" }))]);
        }
    }
    let sines = [(law(2.0, 0.0), "2k/dim"), (law(4.0, 0.0), "4k/dim")];
    let cosines = [(law(4.0, 2.0), "2(2k + 1)/dim"), (law(2.0, 1.0), "(2k + 1)/dim"), (law(2.0, 2.0), "2(k + 1)/dim")];
    for (sine, sine_name) in &sines {
        for (cosine, cosine_name) in &cosines {
            if component(true, cosine) && component(false, sine) {
                let message = format!(
                    "the cosines have exponents of their own: sines follow base^(−{sine_name}), cosines base^(−{cosine_name}); a pair needs one frequency; compare SamLynnEvans/Transformer#25"
                );
                return Explanation::fault(vec![finding(
                    "frequency-spacing",
                    message,
                    json!({ "sin": sine_name, "cos": cosine_name }),
                )]);
            }
        }
    }
    None
}

/// Rotations of a part of the dimensions, where another part was stated.
pub fn partial(context: &Context<'_>, sample: &Sample, subject: Subject<'_>) -> Option<Explanation> {
    let expected = context.expected;
    let Subject::Rotation { .. } = subject else { return None };
    let report = |message: String, found: Option<Convention>, detail| {
        let findings = vec![finding("partial-rotary", message, detail)];
        Some(Explanation { findings, found, degraded: false })
    };
    let unchanged = sample.unchanged();
    let rotated = expected.dim - unchanged.len();
    let layouts =
        [expected.layout, if expected.layout == Layout::Halves { Layout::Interleaved } else { Layout::Halves }];
    for layout in layouts {
        for rotary in [rotated, expected.dim] {
            let rotary_dim = (rotary < expected.dim).then_some(rotary);
            let candidate = Convention { rotary_dim, layout, ..expected.clone() };
            if candidate == *expected || candidate.validate().is_err() {
                continue;
            }
            let phasors = sample.phasors(&candidate, Some(&Wiring::new(&candidate)));
            let Some(phasors) = phasors else { continue };
            let detail = json!({ "expected": expected.rotary_dim, "found": rotary_dim });
            if agrees(context, &phasors, &candidate, 1.0) {
                let message = format!(
                    "{rotary} of {} dimensions are rotated, not {}: the partial rotary factor is ignored or wrong; compare AI-Hypercomputer/maxtext#4616, apple/coreai-models#66",
                    expected.dim,
                    expected.frequency_dim()
                );
                return report(message, Some(candidate), detail);
            }
            let base = expected.base.value().to_f64();
            let other: Vec<f64> =
                (0..phasors.pairs).map(|k| base.powf(-2.0 * k as f64 / expected.frequency_dim() as f64)).collect();
            let position = |row: usize| phasors.positions[row] as f64 + expected.position_offset.value().to_f64();
            if follows(context, &phasors, (&candidate, &other), &position, 1.0) {
                let message = format!(
                    "{rotary} of {} dimensions are rotated, with the frequencies of another denominator",
                    expected.dim
                );
                return report(message, None, detail);
            }
        }
    }
    // Pairs (k, k + dim/2), where rotary_dim asks for (k, k + rotary_dim/2).
    let pairs = expected.pairs();
    let wide: Vec<(usize, usize)> = (0..pairs).map(|k| (k, k + expected.dim / 2)).collect();
    let wiring = Wiring { read: wide.clone(), write: wide };
    let phasors = sample.phasors(expected, Some(&wiring))?;
    let position = |row: usize| phasors.positions[row] as f64 + expected.position_offset.value().to_f64();
    let base = expected.base.value().to_f64();
    let whole: Vec<f64> = (0..pairs).map(|k| base.powf(-2.0 * k as f64 / expected.dim as f64)).collect();
    for omega in [&context.omega, &whole] {
        if expected.rotary_dim.is_some() && follows(context, &phasors, (expected, omega), &position, 1.0) {
            let message = "the pairs are (k, k + dim/2), not (k, k + rotary_dim/2): the halves are those of the whole vector; compare pie-project/pie#602, apple/coreai-models#66";
            return report(message.into(), None, json!({ "pairs": "k, k + dim/2" }));
        }
    }
    None
}
