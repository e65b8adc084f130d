//! Right angles at too low a precision: storage, frequencies, positions, angles, sine and cosine.

use super::super::faults::{
    Cause, FAST_MATH, Fault, Hypothesis, INACCURATE_ANGLES, LOW_PRECISION_FREQUENCIES, LOW_PRECISION_POSITIONS,
    LOW_PRECISION_STORAGE, Simulation, catalogue,
};
use super::super::measure::frequencies;
use super::super::sample::{Phasors, wrap};
use super::Context;
use super::explain::Explanation;
use posproof_encoding::Law;
use posproof_numerics::format::Format;

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
        let cause = Cause::Narrowed { stored: context.storage, format };
        right.then(|| Explanation::degraded(&LOW_PRECISION_STORAGE, cause))
    })
}

/// Frequencies, positions or angles in a narrower format.
pub fn computation(context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let expected = context.expected;
    let law = Law::new(expected);
    let scale = law.scale();
    let at = |row: usize| law.count(phasors.positions[row] as f64);
    let omega = &context.omega;
    let tolerance = {
        let allowance = context.allowance(expected, omega);
        move |t: f64, pair: usize, omega: f64| phasors.tolerance(&allowance, pair, t) + 4e-16 * t * omega
    };
    // A few entries may differ from what is simulated, next to ties: the best of all simulations is meant.
    let mut best: Option<(f64, &'static Fault, Format)> = None;
    for format in lower(context.compute.0.max(context.storage)) {
        for (fault, rule) in simulations() {
            let simulated = |row: usize, pair: usize| rule(format, at(row) * scale, omega[pair]);
            let limit = |row: usize, pair: usize| tolerance(at(row).abs(), pair, omega[pair] * scale.abs());
            let fit = phasors.fit(0.95, simulated, limit);
            if fit > best.map_or(0.0, |(fit, ..)| fit) {
                best = Some((fit, fault, format));
            }
        }
        // Positions may also be rounded before the offset is added.
        let before = |row: usize, pair: usize| law.effective(format.round(phasors.positions[row] as f64)) * omega[pair];
        let limit = |row: usize, pair: usize| tolerance(at(row).abs(), pair, omega[pair] * scale.abs());
        let fit = phasors.fit(0.95, before, limit);
        if fit > best.map_or(0.0, |(fit, ..)| fit) {
            best = Some((fit, &LOW_PRECISION_POSITIONS, format));
        }
    }
    let Some((_, fault, format)) = best else { return measured_frequencies(context, phasors) };
    Some(Explanation::degraded(fault, Cause::Rounded { format, stated: context.compute.0 }))
}

/// What programs of a narrower format do, by the fault that this is.
fn simulations() -> impl Iterator<Item = (&'static Fault, Simulation)> {
    catalogue().flat_map(|fault| {
        let rules = fault.hypotheses.iter().flat_map(|hypothesis| match hypothesis {
            Hypothesis::Simulation(rules) => *rules,
            _ => &[],
        });
        rules.map(move |rule| (fault, *rule))
    })
}

/// Frequencies that are measured to be numbers of a narrow format near the right ones.
fn measured_frequencies(context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let scale = Law::new(context.expected).scale();
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
        let cause = Cause::Rounded { format, stated: context.compute.0 };
        let rounded = near && narrow && departs && decided >= 2;
        rounded.then(|| Explanation::degraded(&LOW_PRECISION_FREQUENCIES, cause))
    })
}

/// Angles that are right but whose sines and cosines, or whose last bits, are not.
pub fn trigonometry(context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let expected = context.expected;
    let law = Law::new(expected);
    let (mut largest, mut fastest) = (0f64, false);
    let allowance = context.allowance(expected, &context.omega);
    for row in 0..phasors.positions.len() {
        let position = phasors.positions[row] as f64;
        let t = law.effective(position);
        for pair in 0..phasors.pairs {
            let angle = t * context.omega[pair];
            let off = wrap(phasors.phase(row, pair)? - angle).abs();
            let limit = 2.0 * phasors.tolerance(&allowance, pair, law.count(position).abs());
            if off > limit {
                largest = largest.max((off - limit) / angle.abs().max(1.0));
                fastest |= pair == 0;
            }
        }
    }
    if largest == 0.0 || largest > 2e-5 {
        return None;
    }
    let fault = if fastest && context.compute.0 != Format::F64 { &FAST_MATH } else { &INACCURATE_ANGLES };
    Some(Explanation::degraded(fault, Cause::Inaccurate { error: largest, stated: context.compute.0 }))
}
