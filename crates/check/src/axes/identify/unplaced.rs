//! Slots that turn together, where the positions of the rows are not known.
//!
//! The slowest slot that moves stands for the coordinate of its axis: every other slot of the axis turns by a multiple of its angle. That
//! shows which slots belong together and the quotients of their rates, as long as the slowest one has turned by less than half a turn. What a unit of the coordinate is, where it begins, in which
//! direction it grows and what the axis is called, no entry shows.

use super::arrangement::Angles;
use super::laws::{MeasuredSlots, ratio};
use super::measure::{Measured, Places};
use posproof_encoding::axes::Coordinates;

/// The slot that stands for a coordinate has to move by as many times its error, so that others can be measured by it.
const LEAST: f64 = 1024.0;

/// Groups that are formed.
const MOST_GROUPS: usize = 8;

/// Slots that turn together, slowest rates 1, and those that stand still or were not measured.
pub(super) struct Groups {
    pub groups: Vec<MeasuredSlots>,
    pub ratios: Vec<Option<f64>>,
    pub still: Vec<usize>,
    pub left: Vec<usize>,
}

/// The groups of slots of these angles.
pub(super) fn groups(slots: &[Angles]) -> Groups {
    let span = |slot: &Angles| {
        let (low, high) = slot.angle.iter().fold((f64::MAX, f64::MIN), |(low, high), &x| (low.min(x), high.max(x)));
        high - low
    };
    let error = |slot: &Angles| slot.noise.iter().copied().fold(0.0, f64::max);
    let (still, mut left): (Vec<usize>, Vec<usize>) =
        (0..slots.len()).partition(|&slot| span(&slots[slot]) <= 2.0 * error(&slots[slot]));
    left.sort_by(|&a, &b| span(&slots[a]).total_cmp(&span(&slots[b])));
    let (mut groups, mut seeds) = (Vec::new(), left.clone());
    seeds.retain(|&slot| span(&slots[slot]) > LEAST * error(&slots[slot]));
    for seed in seeds {
        if !left.contains(&seed) || groups.len() == MOST_GROUPS {
            continue;
        }
        let blur = error(&slots[seed]);
        let Ok(coordinates) = Coordinates::from_floats(&levels(&slots[seed]), 1) else { continue };
        let rows: Vec<usize> = (0..slots[seed].angle.len()).collect();
        let places = Places::new(&coordinates, &rows, blur);
        let measured = |&slot: &usize| Some((slot, *places.slot(&slots[slot])?.rates.first()?));
        let mut found: Vec<(usize, (usize, Measured))> = left.iter().filter_map(measured).collect();
        // Every slot goes with itself, also one whose angle has gone round.
        if found.len() < 2 {
            continue;
        }
        found.sort_by_key(|(slot, _)| *slot);
        left.retain(|slot| found.iter().all(|(other, _)| other != slot));
        groups.push(MeasuredSlots {
            slots: found.iter().map(|(slot, _)| *slot).collect(),
            rates: found.iter().map(|(_, (_, rate))| *rate).collect(),
            origins: Vec::new(),
            limit: f64::INFINITY,
        });
    }
    groups.sort_by_key(|group| group.slots.first().copied());
    left.sort_unstable();
    Groups { ratios: groups.iter().map(ratio).collect(), groups, still, left }
}

/// The angle of each row, the same for rows whose angles no error tells apart.
fn levels(slot: &Angles) -> Vec<f64> {
    let mut order: Vec<usize> = (0..slot.angle.len()).collect();
    order.sort_by(|&i, &j| slot.angle[i].total_cmp(&slot.angle[j]));
    let mut levels = slot.angle.clone();
    for pair in order.windows(2) {
        let (i, j) = (pair[0], pair[1]);
        if slot.angle[j] - levels[i] <= slot.noise[i] + slot.noise[j] {
            levels[j] = levels[i];
        }
    }
    levels
}
