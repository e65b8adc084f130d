//! The part of a logit's error that depends on where query and key stand, split by key: measured, not bounded.
//!
//! The exact logit depends on the distance alone. Moved by Δ, both at once, a query and a key have another computed logit,
//! because the tables of m + Δ and n + Δ are rounded otherwise than those of m and n: what it changes by is the part of the
//! error that depends on absolute position. At position 0 the table is exact and a key is not rounded at all, which only
//! its first token has.
//!
//! Their effect on an output is a sum of shares (`rounding_shares`), each of the key's weight times its own error. So a key's
//! part of the square of the change, if values are alike, is (p_j·δ_j)² by Σ(p_i·δ_i)².

use super::Attention;
use super::simulated::{CosSin, Simulated, Turns, largest_component};
use crate::directed::Draw;
use crate::entry::Model;
use crate::program::Impossible;
use rayon::prelude::*;
use serde::Serialize;
use std::ops::Range;

/// Queries that are drawn, and keys of each class for each.
const DRAWN: u64 = 1024;

/// Where the draws begin.
const SEED: u64 = 1;

/// Errors of logits by where the key stands, at random.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ByKey {
    /// Logits of each class.
    pub logits: u64,
    /// Where the random draws begin.
    pub seed: u64,
    /// Where the queries stand.
    pub queries: Range<u64>,
    /// By how much query and key are moved at once, at least and at most.
    pub shifts: [u64; 2],
    /// From the first token on.
    pub classes: Vec<Keys>,
    /// The least weight of the first token, all others being equal, at which half of the square of the change of an output
    /// is its own.
    pub half_at_weight: f64,
}

/// Keys that stand at some positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Keys {
    /// Where they stand.
    pub positions: Range<u64>,
    /// Root mean square of the error of a logit.
    pub error: f64,
    /// Root mean square of what a logit changes by where query and key are moved by the same number of positions.
    pub moved: f64,
    /// The largest such change.
    pub largest: f64,
    /// The part of all these keys in the sum of the squares of the changes over all keys, as many as there are positions.
    pub share: f64,
}

/// The first position by itself, then ranges whose ends are `step` times as far from it as their beginnings.
fn classes(first: u64, count: u64, step: u64) -> Vec<Range<u64>> {
    let ends = std::iter::successors(Some(1u64), |end| end.checked_mul(step)).take_while(|end| *end < count);
    let mut start = 0;
    let mut ranges: Vec<Range<u64>> = ends.map(|end| first + std::mem::replace(&mut start, end)..first + end).collect();
    ranges.push(first + start..first + count);
    ranges
}

impl Simulated<'_> {
    /// A vector whose components are uniformly distributed, of at most the length.
    fn vector(&self, draw: &mut Draw, length: f64) -> Vec<CosSin> {
        let (format, most) = (self.attention.rotation.format, largest_component(length, self.attention.dim));
        let mut any = || draw.within(format, -most, 2.0 * most);
        (0..self.attention.dim / 2).map(|_| [any(), any()]).collect()
    }

    /// The computed logit, and its error by what binary64 makes of the exact one.
    fn wrong(&self, [query, key]: [&[CosSin]; 2], at: [&Turns; 2]) -> [f64; 2] {
        let computed = self.logit(&self.turned(query, at[0]), &self.turned(key, at[1]));
        let [q, k] = [self.near(query, at[0]), self.near(key, at[1])];
        let exact = q.iter().flatten().zip(k.iter().flatten()).map(|(x, y)| x * y).sum::<f64>();
        [computed, computed - exact / f64::from(self.attention.dim).sqrt()]
    }
}

impl Model {
    /// Errors of logits by where the key stands, the first of the positions by itself and the others in ranges that grow
    /// `step` times: with 1024 random queries in the middle of the positions, and a random key of each range for each, which
    /// are moved together by a random number of positions.
    pub fn errors_by_key(&self, attention: &Attention, positions: &Range<u64>, step: u64) -> Result<ByKey, Impossible> {
        let simulated = Simulated::new(self, attention)?;
        let half = positions.end.saturating_sub(positions.start) / 2;
        if half < 8 || step < 2 {
            let found = format!("{}..{}", positions.start, positions.end);
            return Err(Impossible::new("positions", found, "at least 16, so that half of them can be moved"));
        }
        self.table_over(positions)?;
        // Keys before the queries, queries in the last eighth of the half.
        let queries = positions.start + half - half / 8..positions.start + half;
        let classes = classes(positions.start, queries.start - positions.start, step);
        let rounds: Vec<Vec<[f64; 2]>> = (0..DRAWN)
            .into_par_iter()
            .map(|round| {
                let mut draw = Draw::seeded((SEED << 32 | round).wrapping_mul(0x9e37_79b9_7f4a_7c15));
                let within = |draw: &mut Draw, range: &Range<u64>| range.start + draw.below(range.end - range.start);
                let (place, shift) = (within(&mut draw, &queries), 1 + draw.below(half));
                let query = simulated.vector(&mut draw, attention.query);
                let [m, moved_m] = [place, place + shift].map(|t| simulated.turns(t));
                classes
                    .iter()
                    .map(|class| {
                        let place = within(&mut draw, class);
                        let key = simulated.vector(&mut draw, attention.key);
                        let [n, moved_n] = [place, place + shift].map(|t| simulated.turns(t));
                        let [computed, error] = simulated.wrong([&query, &key], [&m, &n]);
                        let [moved, _] = simulated.wrong([&query, &key], [&moved_m, &moved_n]);
                        [error, moved - computed]
                    })
                    .collect()
            })
            .collect();
        let mean = |of: usize, class: usize| {
            let squares = rounds.iter().filter_map(|round| round.get(class)).map(|errors| errors[of] * errors[of]);
            squares.sum::<f64>() / DRAWN as f64
        };
        let count = |range: &Range<u64>| (range.end - range.start) as f64;
        let all: f64 = classes.iter().enumerate().map(|(class, range)| count(range) * mean(1, class)).sum();
        let keys = |(class, range): (usize, &Range<u64>)| Keys {
            positions: range.clone(),
            error: mean(0, class).sqrt(),
            moved: mean(1, class).sqrt(),
            largest: rounds.iter().filter_map(|round| round.get(class)).fold(0.0, |most, [_, x]| x.abs().max(most)),
            share: count(range) * mean(1, class) / all,
        };
        // p² δ_0² = Σ ((1 − p)/(n − 1))² δ_j².
        let others = (all - mean(1, 0)).max(0.0).sqrt() / (count(&(positions.start..queries.start)) - 1.0);
        let half_at_weight = others / (others + mean(1, 0).sqrt());
        let shifts = [1, half];
        let classes = classes.iter().enumerate().map(keys).collect();
        Ok(ByKey { logits: DRAWN, seed: SEED, queries, shifts, classes, half_at_weight })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_position_is_by_itself_and_the_ranges_hold_each_position_once() {
        assert_eq!(classes(5, 25, 10), [5..6, 6..15, 15..30]);
        assert_eq!(classes(0, 7, 2), [0..1, 1..2, 2..4, 4..7]);
    }
}
