//! Softmax, outputs of attention and permuted attention, against MPFR.

use super::draw::Draw;
use posproof::bound::{Softmax, permuted_attention};
use posproof::number::format::Format;
use rug::Float;

const BITS: u32 = 300;

/// exp, correctly rounded to the format but for binary64's own half unit: within 0.5001 ulp.
fn exp(format: Format, x: f64) -> f64 {
    format.round(core_math::exp(x))
}

const KAPPA: f64 = 0.5001;

/// The weights as software computes them.
fn weights(format: Format, scores: &[f64]) -> Vec<f64> {
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Differences, sums and quotients of two numbers of a narrow format round as if they were rounded once.
    let exps: Vec<f64> = scores.iter().map(|score| exp(format, format.round(score - largest))).collect();
    let sum = exps.iter().fold(0.0, |sum, e| format.round(sum + e));
    exps.iter().map(|e| format.round(e / sum)).collect()
}

/// The exact weights.
fn exact(scores: &[f64]) -> Vec<Float> {
    let exps: Vec<Float> = scores.iter().map(|score| Float::with_val(BITS, *score).exp()).collect();
    let sum = Float::with_val(BITS, Float::sum(exps.iter()));
    exps.into_iter().map(|e| e / &sum).collect()
}

fn error(computed: f64, exact: &Float) -> f64 {
    Float::with_val(BITS, computed - exact).abs().to_f64()
}

fn output(format: Format, weights: &[f64], values: &[f64]) -> f64 {
    weights.iter().zip(values).fold(0.0, |sum, (p, v)| format.round(sum + format.round(p * v)))
}

fn exact_output(weights: &[Float], values: &[f64]) -> Float {
    let terms: Vec<Float> = weights.iter().zip(values).map(|(p, v)| Float::with_val(BITS, p * *v)).collect();
    Float::with_val(BITS, Float::sum(terms.iter()))
}

const NARROW: [Format; 3] = [Format::F32, Format::F16, Format::Bf16];

#[test]
fn no_error_is_above_its_bound() {
    let mut draw = Draw::new(11);
    let mut comparisons = 0;
    for format in NARROW {
        for round in 0..1500u32 {
            let n = 1 + (round % 48) as usize;
            // Flat, spread, and so spread that exponentials underflow.
            let spread = [0.5, 8.0, 30.0, 200.0][(round / 48 % 4) as usize];
            let scores: Vec<f64> = (0..n).map(|_| format.round(spread * draw.signed(format))).collect();
            let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let values: Vec<f64> = (0..n).map(|_| draw.signed(format)).collect();
            let softmax = Softmax { format, kappa: KAPPA, terms: n as u32, score_error: 0.0 };
            let (computed, truth) = (weights(format, &scores), exact(&scores));
            for ((p, exact), score) in computed.iter().zip(&truth).zip(&scores) {
                let bound = softmax.weight(exact.to_f64() * (1.0 + 1e-15), largest - score).value();
                assert!(error(*p, exact) <= bound, "{format} {n} {spread}: {p} {exact} {bound}");
                comparisons += 1;
            }
            let found = error(output(format, &computed, &values), &exact_output(&truth, &values));
            let bound = softmax.output(format, 1.0).value();
            assert!(found <= bound, "{format} {n} {spread}: output {found} {bound}");

            // The same tokens in another order: rotated, so that sums round differently.
            let turn = round as usize % n;
            let turned = |list: &[f64]| [&list[turn..], &list[..turn]].concat();
            let other = output(format, &weights(format, &turned(&scores)), &turned(&values));
            let difference = (other - output(format, &computed, &values)).abs();
            let both = permuted_attention(softmax.output(format, 1.0), softmax.output(format, 1.0)).value();
            assert!(difference <= both);
            comparisons += 2;
        }
    }
    assert!(comparisons > 100_000, "{comparisons}");
}

/// Scores whose difference lies just above a power of two and rounds by half a unit: the exponential turns
/// the rounding error of the exponent, 64u, into a relative error of that size.
#[test]
fn half_of_the_bound_of_a_weight_is_exceeded_by_cancellation() {
    let format = Format::F32;
    let mut draw = Draw::new(13);
    let mut closest = 0.0f64;
    for _ in 0..20_000 {
        let a = format.round(31.0 + draw.next());
        let b = -format.round(64.0 + draw.next() * 1e-3 - a);
        let scores = [a, b];
        let (computed, truth) = (weights(format, &scores), exact(&scores));
        let softmax = Softmax { format, kappa: KAPPA, terms: 2, score_error: 0.0 };
        let bound = softmax.weight(truth[1].to_f64() * (1.0 + 1e-15), a - b).value();
        let found = error(computed[1], &truth[1]);
        assert!(found <= bound);
        closest = closest.max(found / bound);
    }
    println!("weight after cancellation: error/bound {closest:.4}");
    assert!(closest > 0.9, "{closest}");
}

/// Errors of the scores in opposite directions: for a light weight in the weight, for two equal ones and
/// opposite values in the output.
#[test]
fn half_of_the_bounds_is_exceeded_by_errors_of_the_scores() {
    let format = Format::F32;
    let epsilon = 1.0 / 128.0;
    let softmax = Softmax { format, kappa: KAPPA, terms: 2, score_error: epsilon };
    let truth = exact(&[0.0, -8.0]);
    let computed = weights(format, &[-epsilon, -8.0 + epsilon]);
    let (found, bound) = (error(computed[1], &truth[1]), softmax.weight(truth[1].to_f64(), 8.0).value());
    println!("light weight: error/bound {:.4}", found / bound);
    assert!(found <= bound && found > 0.99 * bound, "{found} {bound}");

    let truth = exact_output(&exact(&[0.0, 0.0]), &[1.0, -1.0]);
    let computed = output(format, &weights(format, &[epsilon, -epsilon]), &[1.0, -1.0]);
    let (found, bound) = (error(computed, &truth), softmax.output(format, 1.0).value());
    println!("output of two tokens: error/bound {:.4}", found / bound);
    assert!(found <= bound && found > 0.99 * bound, "{found} {bound}");
}
