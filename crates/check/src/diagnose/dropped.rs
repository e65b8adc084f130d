//! Dropout: entries that are zero by chance, and all others divided by the share of those that are kept.

use super::super::faults::{DROPOUT, PartCause};
use super::super::measure::{STANDARD_ERRORS, candidates};
use super::super::sample::Phasors;
use super::hypothesis::{Context, Hypothesis};
use super::program::Stages;
use super::stage::Tweak;
use posproof_encoding::amplitude::Amplitude;
use posproof_encoding::convention::Convention;
use posproof_encoding::real::Real;
use posproof_numerics::Rational;

/// Zeros of a sample, at least: fewer are told one by one.
const FEWEST: usize = 16;

/// Magnitude of a cosine or sine that is no zero, at least.
const TELLS: f64 = 0.1;

/// Entries of which a share is zero, and the others 1/(1 − rate) times the right ones, of phasors divided by the stated amplitude. Both numbers
/// have to be those of one rate, and the zeros as many as its binomial distribution leaves. Each with the context of its amplitude.
pub fn hypotheses<'a>(context: &Context<'a>, unit: &Phasors) -> Vec<(Context<'a>, Hypothesis)> {
    let Amplitude::Rational(amplitude) = &context.expected.amplitude else { return Vec::new() };
    if unit.rotation {
        return Vec::new();
    }
    let (honest, mut dropped, mut kept) = (context.honest(), 0, Vec::new());
    for (row, &position) in unit.positions.iter().enumerate() {
        for pair in 0..unit.pairs {
            let angle = honest.angle(context.slab, position, pair, 0);
            let entries = [(unit.cos(row, pair), core_math::cos(angle)), (unit.sin(row, pair), core_math::sin(angle))];
            for (found, right) in entries.into_iter().filter(|(_, right)| right.abs() > TELLS) {
                match found {
                    Some(0.0) => dropped += 1,
                    Some(found) => kept.push(found / right),
                    None => (),
                }
            }
        }
    }
    kept.sort_by(f64::total_cmp);
    let Some(by) = kept.get(kept.len() / 2).copied().filter(|by| dropped >= FEWEST && *by > 1.0) else {
        return Vec::new();
    };
    let (all, rate) = ((dropped + kept.len()) as f64, 1.0 - 1.0 / by);
    if (dropped as f64 / all - rate).abs() > STANDARD_ERRORS * (rate * (1.0 - rate) / all).sqrt() {
        return Vec::new();
    }
    let of = |rate: Real| {
        let share = Rational::from(1) - rate.value();
        let found = Amplitude::Rational(Real::from(amplitude.value() / &share));
        let at = context.at(&Convention { amplitude: found, ..context.expected.clone() }, context.omega.clone())?;
        let change = |stages: &mut Stages| stages.tweak = Some(Tweak::Dropped(context.storage.unit_roundoff()));
        let made = at.with(&DROPOUT, PartCause::Dropped { rate }.into(), change);
        (share > 0).then(|| (at, Hypothesis { found: context.found.clone(), ..made }))
    };
    candidates(rate, 8.0 * context.storage.unit_roundoff().max(f64::from(f32::EPSILON)))
        .into_iter()
        .filter_map(of)
        .collect()
}
