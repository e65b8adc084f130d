//! What entries should be, from a row of cosines and sines.

use super::{Judged, TableComparison};
use crate::subject::{Subject, Wiring};

impl TableComparison<'_> {
    /// The entries of a row and their bounds, from a row of cosines and sines.
    pub(super) fn predict(
        &self,
        judged: &Judged<'_>,
        (reference, x): (&[f64], &[f64]),
        t: f64,
        (expected, bound): (&mut [f64], &mut [f64]),
    ) {
        if matches!(self.subject, Subject::Rotation { .. }) {
            self.rotate(x, reference, t, expected, bound);
        } else {
            self.expect(judged, reference, t, expected, bound);
        }
    }

    /// The entries of a table's row and their bounds ([`Allowance::row`]).
    fn expect(&self, judged: &Judged<'_>, reference: &[f64], t: f64, expected: &mut [f64], bound: &mut [f64]) {
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
        for (k, ((&(a, b), &(to_a, to_b)), &(i, j))) in read.iter().zip(write).zip(turns).enumerate() {
            let first = x[a] * joined[i] - x[b] * joined[i + self.pairs];
            let other = if *in_place { first } else { x[a] };
            expected[to_a] = first;
            expected[to_b] = other * joined[j + self.pairs] + x[b] * joined[j];
            // In place, the error of the first entry goes through a sine once more.
            let length = x[a].hypot(x[b]) * if *in_place { 2.0 } else { 1.0 };
            let limit = self.allowance.rotated(k.min(i).min(j), t, length);
            (bound[to_a], bound[to_b]) = (limit, limit);
        }
        for j in self.wiring.untouched(x.len()) {
            (expected[j], bound[j]) = (x[j], self.allowance.stored(x[j]));
        }
    }

    /// What an error of a cosine or a sine is multiplied by in an entry: √2 times the length of a rotated pair; 1 in a table.
    pub(super) fn length(&self, x: &[f64], grid: usize, column: usize) -> f64 {
        if !matches!(self.subject, Subject::Rotation { .. }) {
            return 1.0;
        }
        let pair = self.grids[grid].pairs[column];
        self.wiring.read.get(pair).map_or(0.0, |&(a, b)| std::f64::consts::SQRT_2 * x[a].hypot(x[b]))
    }
}
