//! Right frequencies at wrong positions: offsets, factors, clamped, wrapped and stale positions.

use super::super::measure::shift;
use super::super::sample::Phasors;
use super::explain::{Explanation, agrees};
use super::{Context, finding};
use posproof_encoding::convention::{Convention, Encoding};
use posproof_encoding::real::Real;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::Rational;
use posproof_numerics::format::Format;
use serde_json::json;

/// What the positions of the rows are, if the frequencies are right, and why.
pub fn positions(context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let expected = context.expected;
    if expected.position_scale.value().is_zero() || phasors.cos.is_none() || phasors.sin.is_none() {
        return None;
    }
    let offset = expected.position_offset.value().to_f64();
    let scale = expected.position_scale.value().to_f64();
    let stated: Vec<f64> = phasors.positions.iter().map(|&p| (p as f64 + offset) * scale).collect();
    let allowance = context.allowance(expected, &context.omega);
    let found: Vec<Option<f64>> = (0..stated.len())
        .map(|row| {
            let noise = |k: usize| {
                let t = (stated[row] / scale).abs().max(64.0);
                (3.0 * phasors.tolerance(&allowance, k, t)).min(1.0) + 1e-9
            };
            shift(phasors, row, &context.omega, stated[row], noise).map(|shift| (stated[row] + shift) / scale - offset)
        })
        .collect();
    // found[row] is the position that the row was computed for. Beyond half the longest wavelength a
    // shift cannot be told, so that rows there may be silent.
    let slowest = context.omega.iter().copied().filter(|w| *w > 0.0).fold(f64::INFINITY, f64::min);
    let reach = 0.9 * std::f64::consts::PI / slowest / scale.abs();
    let silent = |row: usize| found[row].is_none();
    if (0..stated.len()).any(|row| silent(row) && (phasors.positions[row] as f64) < reach) {
        return None;
    }
    let known: Vec<(f64, f64)> =
        phasors.positions.iter().zip(&found).filter_map(|(&p, x)| x.map(|x| (p as f64, x))).collect();
    if known.len() < 2 {
        return None;
    }
    everywhere(context, phasors, &known).or_else(|| after_boundary(context, &known))
}

/// One rule for all rows.
fn everywhere(context: &Context<'_>, phasors: &Phasors, known: &[(f64, f64)]) -> Option<Explanation> {
    let expected = context.expected;
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-2 * (1.0 + a.abs().max(b.abs()) * 1e-5);
    let (first, start) = known[0];
    if known.iter().all(|(_, x)| close(*x, start)) {
        let message = format!(
            "every row is that of position {}: the position does not advance, or the table is indexed by something else; compare AkiRusProd/numpy-transformer#1",
            start.round()
        );
        return Explanation::fault(vec![finding("stale-positions", message, json!({ "position": start }))]);
    }
    for format in [Format::F16, Format::Bf16] {
        let unit = format.unit_roundoff();
        let finite = || known.iter().filter(|(p, _)| format.round(*p).is_finite());
        let rounded = finite().all(|(p, x)| close(format.round(*p), *x));
        if rounded && finite().any(|(p, _)| format.round(*p) != *p) {
            let limit = 1.0 / unit;
            let message = format!(
                "positions are rounded to {format}, which holds no odd number above {limit}: keep them in int32 or f32; compare pytorch/pytorch#137774, NVIDIA/Megatron-LM#535"
            );
            return Explanation::degraded(finding("low-precision-positions", message, json!({ "format": format })));
        }
    }
    let shift = start - first;
    if shift.abs() > 0.02 && known.iter().all(|(p, x)| close(p + shift, *x)) {
        let whole = if (shift - shift.round()).abs() < 1e-2 { shift.round() } else { shift };
        let total = Rational::from_f64(whole)? + expected.position_offset.value();
        let other = Convention { position_offset: Real::from(total), ..expected.clone() };
        let message = format!(
            "the row of position p is that of position p {} {}: the first position is off; compare RobertCsordas/moeut#6",
            if whole < 0.0 { '−' } else { '+' },
            whole.abs()
        );
        let detail = json!({ "shift": whole });
        let findings = vec![finding("position-offset", message, detail)];
        return if agrees(context, phasors, &other, 1.0) {
            Explanation::other(findings, other)
        } else {
            Explanation::fault(findings)
        };
    }
    ratio(context, phasors, known)
}

/// Positions, or angles, that are multiplied by a number.
fn ratio(context: &Context<'_>, phasors: &Phasors, known: &[(f64, f64)]) -> Option<Explanation> {
    let offset = context.expected.position_offset.value().to_f64();
    let &(last, found) = known.iter().rev().find(|(p, _)| p + offset != 0.0)?;
    let ratio = (found + offset) / (last + offset);
    // Positions near whole numbers were taken as whole.
    let fits = known.iter().all(|(p, x)| (x + offset - ratio * (p + offset)).abs() <= 0.16 + 1e-5 * (p + offset).abs());
    if !fits || (ratio - 1.0).abs() < 1e-4 || ratio.abs() < 1e-9 {
        return None;
    }
    scaled(context, phasors, ratio)
}

/// The finding for angles that are all multiplied by a number.
pub fn scaled(context: &Context<'_>, phasors: &Phasors, ratio: f64) -> Option<Explanation> {
    let expected = context.expected;
    let exact = simple(ratio)?;
    let linear = expected.encoding == Encoding::Rope && expected.scaling.is_none() && exact < 1 && exact > 0;
    let other = if linear {
        Convention { scaling: Some(Scaling::Linear { factor: Real::from(exact.clone().recip()) }), ..expected.clone() }
    } else {
        let scale = expected.position_scale.value() * &exact;
        Convention { position_scale: Real::from(scale), ..expected.clone() }
    };
    let code = if linear || expected.scaling.is_some() { "frequency-scaling" } else { "position-scale" };
    let hint = if exact == 2 {
        ": is the rotation applied twice (compare flagos-ai/FlagGems#5142)?"
    } else {
        ": a factor is missing or applied once too often; compare sgl-project/sglang#33558"
    };
    let message = format!("every angle is {} times what it should be{hint}", Real::from(exact.clone()));
    let findings = vec![finding(code, message, json!({ "ratio": ratio }))];
    if agrees(context, phasors, &other, 1.0) { Explanation::other(findings, other) } else { None }
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

/// Rows that are right up to a position and wrong from there on.
fn after_boundary(context: &Context<'_>, known: &[(f64, f64)]) -> Option<Explanation> {
    let right = |(p, x): &(f64, f64)| (x - p).abs() < 1e-2 + 1e-5 * p;
    let boundary = context.boundary?;
    let split = known.partition_point(|(p, _)| *p < boundary as f64);
    let (before, after) = known.split_at(split);
    // The first wrong row is a whole position off, or positions are not what is wrong.
    if before.is_empty() || after.first().is_none_or(|(p, x)| (p - x).abs() < 0.5) || !before.iter().all(right) {
        return None;
    }
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-2 + 1e-5 * a.abs();
    let at = |code, message: String, detail| Explanation::fault(vec![finding(code, message, detail)]);
    let (first, value) = after[0];
    let bound = boundary as f64;
    if after.iter().all(|(_, x)| x.abs() < 1e-2) && after.len() > 1 {
        let message = format!(
            "rows from position {boundary} on are left unrotated, as at position 0: they lie past the end of a cache; compare microsoft/onnxruntime#28205"
        );
        return at("clamped-positions", message, json!({ "kind": "unrotated", "from": boundary }));
    }
    if after.len() > 1 && after.iter().all(|(_, x)| close(*x, value)) {
        let message = format!(
            "from position {boundary} on every row is that of position {}: positions are clamped to the end of a cache; compare karpathy/nanochat#514",
            value.round()
        );
        return at("clamped-positions", message, json!({ "kind": "clamped", "from": boundary, "position": value }));
    }
    if after.iter().all(|(p, x)| close(p % bound, *x)) {
        let message = format!(
            "from position {boundary} on positions start again at 0, modulo {boundary}: they wrap around the end of a cache; compare turboderp/exllama#101"
        );
        return at("clamped-positions", message, json!({ "kind": "wrapped", "from": boundary, "modulus": boundary }));
    }
    let shift = value - first;
    if after.iter().all(|(p, x)| close(p + shift, *x)) {
        let message = format!(
            "from position {boundary} on the row of position p is that of p {} {}: the offset of a later step is wrong; compare Blaizzy/mlx-vlm#1621",
            if shift < 0.0 { '−' } else { '+' },
            shift.abs().round()
        );
        return at("position-offset", message, json!({ "shift": shift, "from": boundary }));
    }
    let whole = after.iter().all(|(_, x)| (x - x.round()).abs() < 0.05 && *x > -0.5);
    whole.then(|| {
        let shown: Vec<_> = after.iter().take(4).map(|(p, x)| json!({ "position": p, "found": x.round() })).collect();
        let message = format!("from position {boundary} on rows are those of other positions (position {first} is encoded as {}): positions of an earlier call are reused", value.round());
        at("stale-positions", message, json!({ "from": boundary, "rows": shown }))
    })?
}
