//! The position that each row shows, if the frequencies are right.

use super::super::measure::Ascending;
use super::super::sample::Phasors;
use super::hypothesis::{Context, unit};
use posproof_bound::Allowance;
use posproof_encoding::Law;
use rayon::prelude::*;
use std::f64::consts::TAU;

/// Turns of the slowest pair that a row is looked for in, to either side.
const MOST_TURNS: f64 = 64.0;

/// The position that each sampled row shows, if it shows one: nearly whole ones are taken as whole, unless fractions are asked for. A
/// fraction is in the middle of what all entries of its row leave open, but for those of one pair at most.
pub fn shown(context: &Context<'_>, phasors: &Phasors, fractions: bool) -> Option<Vec<Option<f64>>> {
    let expected = &context.expected;
    if expected.position_scale.value().is_zero() || phasors.cos.is_none() || phasors.sin.is_none() {
        return None;
    }
    let law = Law::new(expected);
    let stated: Vec<f64> = phasors.positions.iter().map(|&p| law.effective(p as f64)).collect();
    let allowance = context.allowance(expected, &context.omega);
    let (most, turn) = (stated.iter().fold(0.0, |most: f64, t| most.max(t.abs())), TAU / slowest(context));
    let turns = (most / turn).ceil().min(MOST_TURNS) as i32;
    let ascending = Ascending::new(&context.omega);
    let ascending = if fractions { ascending.any() } else { ascending };
    let of_unit = fractions.then(|| unit(context, phasors));
    let found = (0..stated.len())
        .into_par_iter()
        .map(|row| {
            if is_zero(phasors, row) {
                return None;
            }
            let mut phases = phasors.phases(row)?;
            let noise = |k: usize| {
                let t = (stated[row] / law.scale()).abs().max(64.0);
                (3.0 * phasors.tolerance(&allowance, k, t)).min(1.0) + 1e-9
            };
            let at = |phases: &[f64], near: f64| {
                let t = near + ascending.shift(phases, near, noise)?;
                of_unit
                    .as_ref()
                    .map_or(Some(t), |unit| Open { context, unit, allowance: &allowance, row }.middle(phases, t))
            };
            // Far from its own position, a row may be one of the first, or whole turns of the slowest pair away.
            let away = (1..=turns).flat_map(|turns| [-turns, turns]).map(|turns| stated[row] + f64::from(turns) * turn);
            let near = [stated[row], 0.0];
            let mut away = near.into_iter().chain(away.filter(|near| near.abs() <= most + turn));
            let mut found = away.find_map(|near| at(&phases, near));
            // Without one pair, where an entry is wrong.
            for pair in (0..phasors.pairs).filter(|_| fractions) {
                if found.is_some() {
                    break;
                }
                let phase = std::mem::replace(phases.get_mut(pair)?, f64::NAN);
                found = near.into_iter().find_map(|near| at(&phases, near));
                phases[pair] = phase;
            }
            found.map(|t| law.position(t))
        })
        .collect();
    Some(found)
}

/// The lowest frequency that turns.
pub fn slowest(context: &Context<'_>) -> f64 {
    context.omega.iter().copied().filter(|w| *w > 0.0).fold(f64::INFINITY, f64::min)
}

/// A row of zeros is that of no position.
pub fn is_zero(phasors: &Phasors, row: usize) -> bool {
    (0..phasors.pairs).all(|pair| phasors.norm(row, pair) == Some(0.0))
}

/// The entries of a row, which leave some of its positions open.
struct Open<'o> {
    context: &'o Context<'o>,
    /// Phasors of length 1.
    unit: &'o Phasors,
    allowance: &'o Allowance,
    row: usize,
}

impl Open<'_> {
    /// The middle of the numbers t near an estimate for which |cos ωt − c| and |sin ωt − s| are within the bounds of the entries c and s of
    /// every pair whose phase is a number: each entry leaves an interval, by its slope. None where no number is in all of them.
    fn middle(&self, phases: &[f64], near: f64) -> Option<f64> {
        let within = |t: f64| {
            let (mut least, mut most) = (f64::NEG_INFINITY, f64::INFINITY);
            for (pair, omega) in self.context.omega.iter().enumerate() {
                if *omega <= 0.0 || phases.get(pair).is_none_or(|phase| phase.is_nan()) {
                    continue;
                }
                let (sin, cos) = (t * omega).sin_cos();
                for (found, right, slope) in
                    [(self.unit.cos(self.row, pair), cos, -sin), (self.unit.sin(self.row, pair), sin, cos)]
                {
                    let Some(found) = found.filter(|_| slope.abs() > LEAST_SLOPE) else { continue };
                    let bound = self.unit.noise(self.allowance, (self.row, pair), (t.abs(), found.abs()))
                        + 3.0 * self.context.compute.0.format.unit_roundoff() * omega * t.abs();
                    let (off, open) = ((found - right) / (omega * slope), bound / (omega * slope.abs()));
                    (least, most) = (least.max(off - open), most.min(off + open));
                }
            }
            (least <= most && most.is_finite()).then(|| t + (least + most) / 2.0)
        };
        // What is linear is so near the number that is meant.
        within(within(near)?)
    }
}

/// The slope of a cosine or sine, relative to the frequency, below which it tells its angle badly.
const LEAST_SLOPE: f64 = 0.1;
