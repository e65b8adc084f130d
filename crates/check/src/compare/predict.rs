//! Entries as they should be, from a row of cosines and sines.

use super::{JudgedGrid, TableComparison};
use crate::row::pair_length;
use crate::subject::{Products, Subject, Wiring};

/// The entries of a row and their bounds.
#[derive(Default)]
pub(super) struct PredictedRow {
    pub expected: Vec<f64>,
    pub bound: Vec<f64>,
    /// Lengths of the pairs that are rotated, and the bounds of these.
    lengths: Vec<f64>,
    limits: Vec<f64>,
}

impl TableComparison<'_> {
    /// The entries of a row and their bounds, from a row of cosines and sines.
    pub(super) fn predict(
        &self,
        judged: &JudgedGrid<'_>,
        (reference, x): (&[f64], &[f64]),
        t: f64,
        predicted: &mut PredictedRow,
        (row, got): (usize, &mut [f64]),
    ) {
        predicted.expected.resize(judged.columns.len(), 0.0);
        predicted.bound.resize(judged.columns.len(), 0.0);
        if matches!(self.subject, Subject::Rotation { .. }) {
            self.rotate(x, reference, t, predicted);
        } else {
            self.expect(judged, reference, t, (&mut predicted.expected, &mut predicted.bound));
        }
        let PredictedRow { expected, bound, .. } = predicted;
        self.overflowed.keep(judged.grid.format(), row, expected, (bound, got));
        if let Some(levels) = judged.grid.levels() {
            levels.keep(expected, bound);
        }
    }

    /// The entries of a table's row and their bounds ([`Allowance::row`]).
    fn expect(&self, judged: &JudgedGrid<'_>, reference: &[f64], t: f64, (expected, bound): (&mut [f64], &mut [f64])) {
        let mut rest = &mut *expected;
        for run in &judged.runs {
            let (part, others) = rest.split_at_mut(run.len());
            part.copy_from_slice(&reference[run.clone()]);
            rest = others;
        }
        self.allowance.row(&judged.slopes, t, expected, bound);
    }

    /// The rotated vector, in binary64 from correctly rounded cosines and sines (error at most
    /// 4·2^−53 of the pair's length), and its bounds ([`Allowance::rotated`]).
    fn rotate(&self, x: &[f64], joined: &[f64], t: f64, predicted: &mut PredictedRow) {
        let Wiring { read, write, .. } = &self.wiring;
        let PredictedRow { expected, bound, lengths, limits } = predicted;
        lengths.clear();
        lengths.extend(read.iter().map(|&(a, b)| pair_length(x[a], x[b])));
        if self.own_angles {
            limits.resize(lengths.len(), 0.0);
            self.allowance.turned_row(t, lengths, limits);
            let (cosines, sines) = joined.split_at(self.pairs);
            let turns = cosines.iter().zip(sines).zip(&*limits);
            for ((&(a, b), &(to_a, to_b)), ((cos, sin), limit)) in read.iter().zip(write).zip(turns) {
                (expected[to_a], expected[to_b]) = (x[a] * cos - x[b] * sin, x[a] * sin + x[b] * cos);
                (bound[to_a], bound[to_b]) = (*limit, *limit);
            }
        } else {
            self.turn(x, joined, t, (lengths, expected, bound));
        }
        if self.allowance.is_kept() {
            for &(a, b) in write {
                (bound[a], bound[b]) =
                    (self.allowance.kept(bound[a], expected[a]), self.allowance.kept(bound[b], expected[b]));
            }
        }
        for &j in &self.untouched {
            (expected[j], bound[j]) = (x[j], self.allowance.stored(x[j]));
        }
    }

    /// Vectors whose entries are other products than those of the pair's own angle, before a format of 8 bits keeps them.
    fn turn(&self, x: &[f64], joined: &[f64], t: f64, (lengths, expected, bound): (&[f64], &mut [f64], &mut [f64])) {
        let Wiring { read, write, turns, in_place } = &self.wiring;
        let pairs = read.iter().zip(write).zip(turns).zip(lengths).enumerate();
        for (k, (((&(a, b), &(to_a, to_b)), [first, second]), &length)) in pairs {
            let [cos, sin] = self.factors(first, joined);
            let turned = x[a] * cos - x[b] * sin;
            let other = if *in_place { turned } else { x[a] };
            let open = |of: &Products, [on_cos, on_sin]: [f64; 2]| {
                of.open[0] * (on_cos * joined[of.cos]).abs() + of.open[1] * (on_sin * joined[of.sin + self.pairs]).abs()
            };
            let opened = [open(first, [x[a], x[b]]), open(second, [x[b], other])];
            let [cos, sin] = self.factors(second, joined);
            (expected[to_a], expected[to_b]) = (turned, other * sin + x[b] * cos);
            let limit = |length: f64| {
                let angles = self.wiring.angles(k).chain([k]);
                angles.fold(0.0, |limit: f64, pair| limit.max(self.allowance.turned(pair, t, length)))
            };
            let own = limit(length);
            bound[to_a] = own * first.magnitude() + opened[0];
            // In place, the error of the first entry goes through a sine once more.
            let (of_other, of_first) =
                if *in_place { (limit(pair_length(other, x[b])), bound[to_a] * sin.abs()) } else { (own, 0.0) };
            bound[to_b] = of_other * second.magnitude() + of_first + opened[1];
        }
        let kept = |(turn, to): (&[Products; 2], &(usize, usize))| [(turn[0].kept, to.0), (turn[1].kept, to.1)];
        for (_, j) in turns.iter().zip(write).flat_map(kept).filter(|(kept, _)| *kept) {
            (expected[j], bound[j]) = (x[j], 0.0);
        }
    }

    /// Adds to the bounds of a row what a program leaves open in each pair, of which that of the pairs is given.
    pub(super) fn loosen(&self, judged: &JudgedGrid<'_>, slacks: &[f64], predicted: &mut PredictedRow) {
        let PredictedRow { bound, lengths, .. } = predicted;
        if !matches!(self.subject, Subject::Rotation { .. }) {
            let pairs = judged.pairs.iter().map(|pair| slacks[*pair.min(&self.pairs)]);
            bound.iter_mut().zip(pairs).for_each(|(bound, slack)| *bound += slack);
            return;
        }
        for (k, (&(a, b), length)) in self.wiring.write.iter().zip(lengths).enumerate() {
            let most = self.wiring.angles(k).fold(slacks[k], |most, pair| most.max(slacks[pair]));
            let [one, other] = &self.wiring.turns[k];
            let slack = most * (std::f64::consts::SQRT_2 * one.magnitude().max(other.magnitude()) * *length);
            bound[a] += slack;
            bound[b] += slack;
        }
    }

    /// The cosine and the sine of a row that an entry's products take, times their factors.
    fn factors(&self, of: &Products, joined: &[f64]) -> [f64; 2] {
        [of.by[0] * joined[of.cos], of.by[1] * joined[of.sin + self.pairs]]
    }

    /// Distance of the reference of a rotated entry from the exact value, at most: 4·2^−53 of the pair's
    /// length times the amplitude, from two products of correctly rounded numbers and their sum.
    pub(super) fn rotation_error(&self, x: &[f64], grid: usize, column: usize) -> f64 {
        let pair = self.grids[grid].pairs[column];
        let length = self.wiring.read.get(pair).map_or(0.0, |&(a, b)| pair_length(x[a], x[b]));
        4.01 * 2f64.powi(-53) * self.allowance.gain() * length
    }
}
