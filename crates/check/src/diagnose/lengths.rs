//! Lengths of pairs that grow with the position, as xPos has them, measured.

use super::super::measure::STANDARD_ERRORS;
use super::sampled::{Output, SampledVectors};

/// The rate at which each pair grows with the position, and the position of which nothing is multiplied: ln(|y|/|x|) of a pair is
/// λ·(p − origin).
pub(super) fn powers(vectors: &SampledVectors, outputs: &[[Output; 2]]) -> Option<(Vec<f64>, f64)> {
    let (mut lines, mut largest, mut grows) = (Vec::new(), (0.0, 0.0), 0);
    for pair in outputs {
        let (mut n, mut sp, mut sl, mut spp, mut spl, mut sll) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        for (p, before, after) in vectors.lengths(pair) {
            if before < 1e-2 || after <= 0.0 {
                continue;
            }
            let l: f64 = core_math::log(after / before);
            (n, sp, sl, spp, spl, sll) = (n + 1.0, sp + p, sl + l, spp + p * p, spl + p * l, sll + l * l);
        }
        let spread = n * spp - sp * sp;
        if n < 3.0 || spread <= 0.0 {
            return None;
        }
        let rate = (n * spl - sp * sl) / spread;
        let origin = if rate == 0.0 { 0.0 } else { (sp - sl / rate) / n };
        if rate.abs() > f64::abs(largest.0) {
            largest = (rate, origin);
        }
        // The rate's standard error, by what the line leaves of the lengths: rounding alone makes lines of small rates.
        let left = ((sll - sl * sl / n) - rate * rate * spread / n).max(0.0);
        let error = (left / (n - 2.0) * n / spread).sqrt();
        grows += usize::from(rate.abs() > (STANDARD_ERRORS * error).max(1e-7));
        lines.push(rate);
    }
    let origin = largest.1.round();
    // Lines through the common origin, each by the rate that all rows of its pair give.
    for (pair, rate) in outputs.iter().zip(&mut lines) {
        let (mut top, mut bottom) = (0.0, 0.0);
        for (p, before, after) in vectors.lengths(pair).filter(|(_, before, after)| *before >= 1e-2 && *after > 0.0) {
            let p = p - origin;
            (top, bottom) = (top + p * core_math::log(after / before), bottom + p * p);
        }
        *rate = if bottom > 0.0 { top / bottom } else { 0.0 };
    }
    (2 * grows > lines.len()).then(|| (of_xpos(&lines).unwrap_or(lines), origin))
}

/// The rates that xPos has for pairs of so many, if these are about them: ln((2k + 0.4·d)/(1.4·d)) over a whole number.
fn of_xpos(rates: &[f64]) -> Option<Vec<f64>> {
    let dim = 2.0 * rates.len() as f64;
    let power = |pair: usize| core_math::log((2.0 * pair as f64 + 0.4 * dim) / (1.4 * dim));
    let scale = (power(0) / rates.first()?).round();
    let near = |(pair, rate): (usize, &f64)| (power(pair) / scale - rate).abs() <= 1e-3 * rates[0].abs();
    let law = scale != 0.0 && rates.iter().enumerate().all(near);
    law.then(|| (0..rates.len()).map(|pair| power(pair) / scale).collect())
}
