//! Climbs on reals: roundings of long sums are large together at few places, to which one real after the other leads.

use super::search::Drawn;
use crate::claim::{Case, Inputs};
use crate::number::system::Values;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Pairs of the longest vector, at least, that is grown.
const SHORTEST: usize = 4;

/// Choices of each pair, at most.
const TRIES: usize = 12;

/// Changes of each pair, at most.
const CHANGES: usize = 64;

/// Signs of every fourth pair: sums of eight running parts are small where these cancel, and so is the unit that they are rounded to.
const SIGNS: [[f64; 4]; 3] = [[1.0; 4], [1.0, 1.0, -1.0, -1.0], [1.0, -1.0, 1.0, -1.0]];

/// Signs of every fourth pair by which sums of eight running parts cancel when the parts are added, in both layouts of pairs: the
/// last sums are small, and lose little of what the parts have lost.
const CANCELLING: [f64; 4] = [1.0, -1.0, -1.0, 1.0];

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

/// Vectors at the ends of their boxes, pair by pair changed a little: of a few choices the one by which what is computed errs most.
/// A running sum is a multiple of its unit. So its next rounding depends on what is added alone, and a choice leaves the errors
/// of other terms as they are. At the first positions, where slow pairs are hardly turned, if `is_first`, else at those of the start.
pub(super) fn renew_reals(
    inputs: &Inputs,
    names: &BTreeSet<&'static str>,
    is_first: bool,
    start: (f64, Case),
    evaluations: usize,
    error: impl Fn(&Case) -> Option<f64>,
) -> (f64, Case) {
    let vectors = vectors(inputs, names);
    let pairs = pairs_of(&vectors);
    if pairs < SHORTEST {
        return start;
    }
    let mut drawn = Drawn::default();
    let renew = |values: &mut Values, pair: usize, drawn: &mut Drawn| {
        for (place, (name, count, high)) in vectors.iter().enumerate() {
            let Some(numbers) = values.reals.get_mut(name) else { continue };
            let sign = if place == 0 { CANCELLING[pair % 4] } else { 1.0 };
            for number in numbers.iter_mut().take((2 * pair + 2).min(*count)).skip(2 * pair) {
                *number = sign * high * (1.0 - drawn.share() / 256.0);
            }
        }
    };
    let mut values = (*start.1.values).clone();
    if is_first {
        values.positions.extend(inputs.positions.iter().map(|(name, range)| (*name, *range.start() as f64)));
    }
    (0..pairs).for_each(|pair| renew(&mut values, pair, &mut drawn));
    let mut best = Case { values: Arc::new(values), ..start.1.clone() };
    let Some(mut largest) = error(&best) else { return start };
    let tries = (evaluations / pairs).clamp(2, CHANGES);
    for step in 0..pairs * tries {
        let mut values = (*best.values).clone();
        renew(&mut values, step / tries, &mut drawn);
        let tried = Case { values: Arc::new(values), ..best.clone() };
        if let Some(found) = error(&tried).filter(|found| *found >= largest) {
            (largest, best) = (found, tried);
        }
    }
    if largest > start.0 { (largest, best) } else { start }
}

/// The vectors of boxes about 0: name, length and the end of the box.
fn vectors(inputs: &Inputs, names: &BTreeSet<&'static str>) -> Vec<(&'static str, usize, f64)> {
    let all = inputs.reals.iter().filter(|(name, _, low, high)| names.contains(name) && *low == -*high);
    all.map(|(name, count, _, high)| (*name, *count, *high)).collect()
}

fn pairs_of(vectors: &[(&'static str, usize, f64)]) -> usize {
    vectors.iter().map(|(_, count, _)| count.div_ceil(2)).max().unwrap_or(0)
}

/// Reals from nothing, the next pair of each vector after the other: of a few choices the one by which what is computed errs most.
/// A sum of the first terms is rounded to a finer unit than the whole, and its errors are kept by all that are added.
pub(super) fn grow_reals(
    inputs: &Inputs,
    names: &BTreeSet<&'static str>,
    start: (f64, Case),
    evaluations: usize,
    error: impl Fn(&Case) -> Option<f64>,
) -> (f64, Case) {
    let vectors = vectors(inputs, names);
    let pairs = pairs_of(&vectors);
    if pairs < SHORTEST {
        return start;
    }
    let tries = (evaluations / pairs / SIGNS.len()).clamp(2, TRIES);
    let mut drawn = Drawn::default();
    let (mut largest, mut best) = start;
    let mut nothing = (*best.values).clone();
    let mut grown = nothing.clone();
    for (name, count, _) in &vectors {
        nothing.reals.insert(name, vec![0.0; *count]);
    }
    for (signs, pair) in SIGNS.iter().flat_map(|signs| (0..pairs).map(move |pair| (signs, pair))) {
        if pair == 0 {
            grown = nothing.clone();
        }
        let mut chosen: Option<(f64, Case)> = None;
        for _ in 0..tries {
            let mut values = grown.clone();
            for (place, (name, count, high)) in vectors.iter().enumerate() {
                let Some(numbers) = values.reals.get_mut(name) else { continue };
                let sign = if place == 0 { signs[pair % 4] } else { 1.0 };
                for number in numbers.iter_mut().take((2 * pair + 2).min(*count)).skip(2 * pair) {
                    *number = sign * high * (1.0 - drawn.share() / 16.0);
                }
            }
            let tried = Case { values: Arc::new(values), ..best.clone() };
            if let Some(found) = error(&tried).filter(|found| chosen.as_ref().is_none_or(|(known, _)| found > known)) {
                chosen = Some((found, tried));
            }
        }
        let Some((found, case)) = chosen else { continue };
        grown = (*case.values).clone();
        if found > largest {
            (largest, best) = (found, case);
        }
    }
    (largest, best)
}
