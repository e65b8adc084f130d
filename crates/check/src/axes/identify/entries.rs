//! Rotations whose entries turn by angles of their own: y_a = x_a·cos θ_a − x_b·sin θ_a and y_b = x_b·cos θ_b + x_a·sin θ_b.
//!
//! Such pairs keep no length. An entry of a row shows the cosine of its angle against the direction of the pair, and so two angles; along the axis whose coordinate
//! it turns by, one rate has one of the two in every row.

use super::arrangement::{PairArrangement, SampledEntries};
use super::measure::{MeasuredNumber, MeasuredSlot, Places, ROUNDINGS, UNIT, wrap};
use posproof_encoding::axes::AxialLayout;
use std::f64::consts::{PI, TAU};

/// Units of roundoff of the length of its pair by which a turned entry may be off.
const OFF: f64 = 8.0;

/// Turns between the two nearest rows that are tried.
const MOST_TURNS: f64 = 65536.0;

/// Bits by which the rows have to agree with a rate beyond chance.
const BITS: f64 = 32.0;

/// The two angles that an entry of a row may have turned by, and how far off they may be.
#[derive(Clone, Copy)]
struct Either {
    angles: [f64; 2],
    noise: f64,
}

impl SampledEntries {
    /// The ways in which two entries each may have turned by angles of their own, with the slots that places show; only those in which every entry
    /// turns along an axis.
    pub fn of_entries(&self, places: &Places<'_>) -> Vec<(PairArrangement, Vec<MeasuredSlot>)> {
        let dim = self.width();
        if dim % 2 == 1 {
            return Vec::new();
        }
        let halves: Vec<(usize, usize)> = (0..dim / 2).map(|k| (k, k + dim / 2)).collect();
        let neighbours: Vec<(usize, usize)> = (0..dim / 2).map(|k| (2 * k, 2 * k + 1)).collect();
        let of = |(layout, pairs): (AxialLayout, Vec<(usize, usize)>)| {
            let mut slots: Vec<Option<MeasuredSlot>> = vec![None; dim];
            for (a, b) in pairs {
                for (own, other, sign) in [(a, b, 1.0), (b, a, -1.0)] {
                    slots[own] = Some(places.either(&self.either(own, other, sign)?)?);
                }
            }
            Some((PairArrangement::of_entries(dim, layout), slots.into_iter().collect::<Option<_>>()?))
        };
        [(AxialLayout::Halves, halves), (AxialLayout::Interleaved, neighbours)].into_iter().filter_map(of).collect()
    }

    /// The angles that an entry may have turned by, with y = x·cos θ − sign·x'·sin θ; none where it is longer than its pair.
    fn either(&self, own: usize, other: usize, sign: f64) -> Option<Vec<Either>> {
        let unit = OFF * self.unit_roundoff();
        let rows = self.of_x(own).zip(self.of_x(other)).zip(self.judged(own));
        let of = |((x, others), y): ((f64, f64), f64)| {
            let (length, direction) = (x.hypot(others), (sign * others).atan2(x));
            if length == 0.0 {
                return Some(Either { angles: [0.0; 2], noise: PI });
            }
            let cos = y / length;
            let [low, high] = [cos - unit, cos + unit].map(|cos| cos.clamp(-1.0, 1.0).acos());
            let (angle, noise) = (f64::midpoint(low, high), (low - high) / 2.0 + unit);
            let angles = [wrap(angle - direction), wrap(-angle - direction)];
            (cos.abs() <= 1.0 + unit).then_some(Either { angles, noise })
        };
        rows.map(of).collect()
    }
}

impl Places<'_> {
    /// Axes by the angles of an entry, two for each sampled row; none where no axis explains them.
    fn either(&self, all: &[Either]) -> Option<MeasuredSlot> {
        let best = (0..all.len()).min_by(|&i, &j| all[i].noise.total_cmp(&all[j].noise))?;
        let near = |row: &Either, angle: f64, error: f64| {
            row.angles.iter().any(|own| wrap(own - angle).abs() <= error + row.noise)
        };
        let still = |angle: &f64| all.iter().all(|row| near(row, *angle, all[best].noise));
        if let Some(value) = all[best].angles.into_iter().find(still) {
            let origin = MeasuredNumber { value, error: all[best].noise };
            return Some(MeasuredSlot { rates: Vec::new(), rivals: Vec::new(), origin });
        }
        let along = |axis: usize| Some((axis, self.either_along(axis, all)?));
        let mut explained: Vec<(usize, (MeasuredNumber, MeasuredNumber))> =
            (0..self.axes()).filter_map(along).collect();
        if explained.is_empty() {
            return None;
        }
        let (axis, (rate, origin)) = explained.remove(0);
        let rivals = explained.into_iter().map(|(axis, _)| axis).collect();
        Some(MeasuredSlot { rates: vec![(axis, rate)], rivals, origin })
    }

    /// The smallest rate along an axis at which every row has one of its angles, and the angle at the origin.
    fn either_along(&self, axis: usize, all: &[Either]) -> Option<(MeasuredNumber, MeasuredNumber)> {
        let x = |row: usize| self.coordinate(row, axis);
        let nearest = |from: usize| {
            let apart = |row: &usize| x(*row) != x(from);
            (0..all.len()).filter(apart).min_by(|&a, &b| (x(a) - x(from)).abs().total_cmp(&(x(b) - x(from)).abs()))
        };
        let step = |from: usize| nearest(from).map_or(f64::INFINITY, |row| (x(row) - x(from)).abs());
        let noise = |from: usize| all[from].noise + nearest(from).map_or(PI, |row| all[row].noise);
        let from = (0..all.len()).min_by(|&a, &b| step(a).total_cmp(&step(b)).then(noise(a).total_cmp(&noise(b))))?;
        let first = nearest(from)?;
        let mut order: Vec<usize> = (0..all.len()).filter(|&row| row != from).collect();
        order.sort_by(|&a, &b| (x(a) - x(from)).abs().total_cmp(&(x(b) - x(from)).abs()));
        let distance = x(first) - x(from);
        let most = (self.limit(axis) * distance.abs() / TAU).ceil().min(MOST_TURNS);
        let mut found: Option<(MeasuredNumber, MeasuredNumber)> = None;
        for start in all[from].angles {
            for angle in all[first].angles {
                let mut turns = -most - 1.0;
                while turns <= most + 1.0 {
                    let rate = (angle - start + TAU * turns) / distance;
                    turns += 1.0;
                    let smaller = found.is_none_or(|(found, _)| rate.abs() < found.value.abs());
                    let error = (all[from].noise + all[first].noise) / distance.abs();
                    if !smaller || rate.abs() > self.limit(axis) * (1.0 + 1e-9) + error {
                        continue;
                    }
                    let rows = order.iter().map(|&row| (x(row) - x(from), self.reach(axis, from, row), all[row]));
                    let start = MeasuredNumber { value: start, error: all[from].noise };
                    if let Some(rate) = refined(MeasuredNumber { value: rate, error }, start, rows) {
                        let value = wrap(start.value - rate.value * x(from));
                        let error =
                            start.error + rate.error * x(from).abs() + rate.value.abs() * self.reach(axis, from, from);
                        found = Some((rate, MeasuredNumber { value, error }));
                    }
                }
            }
        }
        found
    }

    /// By how much the error of a difference of angles grows with the rate.
    fn reach(&self, axis: usize, left: usize, right: usize) -> f64 {
        ROUNDINGS * UNIT * (self.coordinate(left, axis).abs() + self.coordinate(right, axis).abs() + self.largest(axis))
    }
}

/// A rate made more precise by every row in turn, which are so far from the start; none where one has neither angle there, or they may agree by chance.
fn refined(
    mut rate: MeasuredNumber,
    start: MeasuredNumber,
    rows: impl Iterator<Item = (f64, f64, Either)>,
) -> Option<MeasuredNumber> {
    let mut bits = 0.0;
    for (distance, reach, row) in rows {
        let own = row.noise + start.error + reach * rate.value.abs();
        let grown = rate.error * distance.abs();
        if grown + own > 1.0 {
            continue;
        }
        let left = row.angles.map(|angle| wrap(angle - start.value - rate.value * distance));
        let agrees = left.map(|left| left.abs() <= grown + own);
        let left = match agrees {
            [false, false] => return None,
            [true, true] => continue,
            [true, false] => left[0],
            [false, true] => left[1],
        };
        // Of two angles one is as near as that by chance.
        bits += (PI / (2.0 * (grown + own))).log2().max(0.0);
        if own < rate.error * distance.abs() {
            rate = MeasuredNumber { value: rate.value + left / distance, error: own / distance.abs() };
        }
    }
    (bits > BITS).then_some(rate)
}
