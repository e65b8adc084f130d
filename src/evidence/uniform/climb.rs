//! A climb on reals: roundings of long sums are large together at few places, to which one real after the other leads.

use super::search::Drawn;
use crate::claim::{Case, Inputs};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Steps between two moves of all positions.
const SWEEP: usize = 8;

/// Changes of one real after the other, of those that matter, kept while what is computed errs no less.
pub(super) fn climb_reals(
    inputs: &Inputs,
    names: &BTreeSet<&'static str>,
    last: i64,
    start: (f64, Case),
    evaluations: usize,
    error: impl Fn(&Case) -> Option<f64>,
) -> (f64, Case) {
    let reals: Vec<(&'static str, usize, [f64; 2])> = inputs
        .reals
        .iter()
        .filter(|(name, ..)| names.contains(name))
        .flat_map(|(name, count, low, high)| (0..*count).map(|index| (*name, index, [*low, *high])))
        .collect();
    let ranges: Vec<(&'static str, [i64; 2])> =
        inputs.positions_to(last).filter(|(name, _)| names.contains(name)).collect();
    let mut drawn = Drawn::default();
    let (mut largest, mut case) = start;
    if reals.is_empty() {
        return (largest, case);
    }
    for step in 0..evaluations {
        let mut values = (*case.values).clone();
        if step % SWEEP == 0 {
            // Together: what depends on differences alone stays.
            let shift = drawn.between(-64, 64);
            for (name, [low, high]) in &ranges {
                let here = values.positions.get(name).copied().unwrap_or(0.0);
                values.positions.insert(name, (here + shift as f64).clamp(*low as f64, *high as f64));
            }
        }
        let (name, index, [low, high]) = reals[step % reals.len()];
        let Some(number) = values.reals.get_mut(name).and_then(|numbers| numbers.get_mut(index)) else { continue };
        *number = match drawn.between(0, 5) {
            0 => low,
            1 => high,
            // Other last bits.
            2 | 3 => (*number * (1.0 + (drawn.share() - 0.5) / 4096.0)).clamp(low, high),
            // A little inside.
            _ => *number * (1.0 - drawn.share() / 16.0),
        };
        let tried = Case { values: Arc::new(values), ..case.clone() };
        if let Some(found) = error(&tried).filter(|found| *found >= largest) {
            (largest, case) = (found, tried);
        }
    }
    (largest, case)
}
