//! Entries as they should be, from a row of cosines and sines.

use super::{JudgedGrid, TableComparison};
use crate::subject::{Products, Subject, Wiring};

impl TableComparison<'_> {
    /// The entries of a row and their bounds, from a row of cosines and sines.
    pub(super) fn predict(
        &self,
        judged: &JudgedGrid<'_>,
        (reference, x): (&[f64], &[f64]),
        t: f64,
        (expected, bound): (&mut [f64], &mut [f64]),
        (row, got): (usize, &mut [f64]),
    ) {
        if matches!(self.subject, Subject::Rotation { .. }) {
            self.rotate(x, reference, t, expected, bound);
        } else {
            self.expect(judged, reference, t, expected, bound);
        }
        self.overflowed.keep(judged.grid.format(), row, expected, (bound, got));
        if let Some(levels) = judged.grid.levels() {
            levels.keep(expected, bound);
        }
    }

    /// The entries of a table's row and their bounds ([`Allowance::row`]).
    fn expect(&self, judged: &JudgedGrid<'_>, reference: &[f64], t: f64, expected: &mut [f64], bound: &mut [f64]) {
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
    fn rotate(&self, x: &[f64], joined: &[f64], t: f64, expected: &mut [f64], bound: &mut [f64]) {
        let Wiring { read, write, turns, in_place } = &self.wiring;
        for (((&(a, b), &(to_a, to_b)), [first, second]), k) in read.iter().zip(write).zip(turns).zip(0..) {
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
            bound[to_a] = limit(x[a].hypot(x[b])) * first.magnitude() + opened[0];
            // In place, the error of the first entry goes through a sine once more.
            let of_first = if *in_place { bound[to_a] * sin.abs() } else { 0.0 };
            bound[to_b] = limit(other.hypot(x[b])) * second.magnitude() + of_first + opened[1];
        }
        let kept = |(turn, to): (&[Products; 2], &(usize, usize))| [(turn[0].kept, to.0), (turn[1].kept, to.1)];
        for (_, j) in turns.iter().zip(write).flat_map(kept).filter(|(kept, _)| *kept) {
            (expected[j], bound[j]) = (x[j], 0.0);
        }
        for &(a, b) in write {
            (bound[a], bound[b]) =
                (self.allowance.kept(bound[a], expected[a]), self.allowance.kept(bound[b], expected[b]));
        }
        for j in self.wiring.untouched(x.len()) {
            (expected[j], bound[j]) = (x[j], self.allowance.stored(x[j]));
        }
    }

    /// The cosine and the sine of a row that an entry's products take, times their factors.
    fn factors(&self, of: &Products, joined: &[f64]) -> [f64; 2] {
        [of.by[0] * joined[of.cos], of.by[1] * joined[of.sin + self.pairs]]
    }

    /// Factor of an error of a cosine or a sine in an entry: √2 times the length of a rotated pair; 1 in a table.
    pub(super) fn length(&self, x: &[f64], grid: usize, column: usize) -> f64 {
        if !matches!(self.subject, Subject::Rotation { .. }) {
            return 1.0;
        }
        let pair = self.grids[grid].pairs[column];
        let factor = self.wiring.turns.get(pair).map_or(1.0, |[one, other]| one.magnitude().max(other.magnitude()));
        self.wiring.read.get(pair).map_or(0.0, |&(a, b)| std::f64::consts::SQRT_2 * factor * x[a].hypot(x[b]))
    }

    /// Distance of the reference of a rotated entry from the exact value, at most: 4·2^−53 of the pair's
    /// length times the amplitude, from two products of correctly rounded numbers and their sum.
    pub(super) fn rotation_error(&self, x: &[f64], grid: usize, column: usize) -> f64 {
        let pair = self.grids[grid].pairs[column];
        let length = self.wiring.read.get(pair).map_or(0.0, |&(a, b)| x[a].hypot(x[b]));
        4.01 * 2f64.powi(-53) * self.allowance.gain() * length
    }
}
