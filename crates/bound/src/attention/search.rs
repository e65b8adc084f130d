//! The largest errors of logits and outputs that a directed search finds: pair by pair, the components of query and key are
//! changed as long as the error of their part of the score, by the product of the lengths, does not fall.
//!
//! A found case is evaluated once more with enclosures: the error that is reported occurs. The worst case lies between it and
//! the bound.

use super::Attention;
use super::simulated::{CosSin, Simulated, Turns, component, largest_component, square};
use crate::directed::{Draw, real};
use crate::entry::Model;
use crate::origin::Bound;
use crate::program::Impossible;
use crate::steps::{shares, shifted, summed};
use posproof_numerics::Interval;
use rayon::prelude::*;
use serde::Serialize;
use std::ops::Range;

/// Changes of a pair that are tried at the positions that are searched longest, and at those that these are chosen from.
const STEPS: u32 = 4000;
const TRIALS: u32 = 250;

/// Pairs of positions that are tried, the last beside the first among them.
const PLACES: u64 = 16;

/// Positions at which the angles of every pair are looked at, where there are so many.
const SCANNED: u64 = 4096;

/// Keys of an output that is searched: some seconds.
const KEYS: u32 = 64;

/// Changes of a pair of each of these keys.
const KEY_STEPS: u32 = 300;

/// An error that occurs, and the bound on it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Found {
    /// The error, from enclosures, rounded down.
    pub error: f64,
    /// The bound for vectors of the lengths found, and as many keys.
    pub bound: Bound,
    /// ‖q‖ and the largest ‖k‖, rounded up.
    pub lengths: [f64; 2],
    /// Where the query stands.
    pub position: u64,
    /// Where the keys stand.
    pub keys: Vec<u64>,
}

impl Found {
    /// Bound by error: the worst case lies between the error and this times it. `None` where no error was found.
    pub fn ratio(&self) -> Option<f64> {
        (self.error > 0.0).then(|| self.bound.value() / self.error)
    }
}

impl Simulated<'_> {
    /// One pair of query and key after so many steps towards a positive error, or a negative one; the query may be fixed.
    fn climb(&self, j: usize, fixed: Option<CosSin>, at: [&Turns; 2], steps: u32, sign: f64, seed: u64) -> [CosSin; 2] {
        let Attention { rotation, dim, query, key, .. } = *self.attention;
        let most = [query, key].map(|length| largest_component(length, dim));
        let mut draw = Draw::seeded(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ j as u64);
        let mut any = |side: usize| component(&mut draw, rotation.format, most[side]);
        let mut found = [fixed.unwrap_or([any(0), any(0)]), [any(1), any(1)]];
        let gain = |[q, k]: [CosSin; 2]| {
            sign * self.error(j, q, k, at[0], at[1]) / (square(q) * square(k)).sqrt().max(f64::MIN_POSITIVE)
        };
        let mut best = gain(found);
        for _ in 0..steps {
            let mut moved = found;
            for _ in 0..1 + draw.below(2) {
                let entry = draw.below(4) as usize;
                let side = if fixed.is_some() { 1 } else { entry / 2 };
                moved[side][entry % 2] = component(&mut draw, rotation.format, most[side]);
            }
            let value = gain(moved);
            if value >= best {
                (found, best) = (moved, value);
            }
        }
        found
    }

    /// A query and a key at two positions, climbed pair by pair, with the sum of their parts' errors.
    fn climbed(&self, at: [&Turns; 2], steps: u32, seed: u64) -> (Vec<[CosSin; 2]>, f64) {
        let pairs = (0..self.attention.dim as usize / 2).into_par_iter();
        let climbed: Vec<_> = pairs.map(|j| self.climb(j, None, at, steps, 1.0, seed)).collect();
        let error = climbed.iter().enumerate().map(|(j, [q, k])| self.error(j, *q, *k, at[0], at[1])).sum();
        (climbed, error)
    }

    /// Doubles pairs, which doubles their errors exactly, as long as no vector becomes too long: those first that gain most
    /// for the length they take.
    fn lengthen(&self, pairs: &mut [[CosSin; 2]], at: [&Turns; 2]) {
        for (side, longest) in [self.attention.query, self.attention.key].into_iter().enumerate() {
            // More than what the squares below err by.
            let mut room = longest * longest * (1.0 - 1e-12) - pairs.iter().map(|pair| square(pair[side])).sum::<f64>();
            let mut order: Vec<(f64, usize)> = pairs
                .iter()
                .enumerate()
                .map(|(j, pair)| {
                    (self.error(j, pair[0], pair[1], at[0], at[1]) / square(pair[side]).max(f64::MIN_POSITIVE), j)
                })
                .collect();
            order.sort_by(|a, b| b.0.total_cmp(&a.0));
            for (_, j) in order {
                let taken = 3.0 * square(pairs[j][side]);
                if taken <= room {
                    room -= taken;
                    pairs[j][side] = pairs[j][side].map(|x| 2.0 * x);
                }
            }
        }
    }

    /// Where the angle of some pair errs most upwards and most downwards, of those positions that are looked at, and that pair:
    /// the worst where one pair's angles err more than all others'.
    fn astray(&self, positions: &Range<u64>) -> (usize, [u64; 2]) {
        let count = positions.end - positions.start;
        let stride = count.div_ceil(SCANNED);
        let wrong = |j: usize, position: u64| {
            let t = position.saturating_add_signed(self.model.offset);
            let ([cos, sin], (near_sin, near_cos)) = match (self.machines.get(j), self.omegas.get(j)) {
                (Some(machine), Some(omega)) => (machine.entry(t), core_math::sincos(t as f64 * omega.approximate())),
                _ => ([1.0, 0.0], (0.0, 1.0)),
            };
            sin * near_cos - cos * near_sin
        };
        let ends = |j: usize| {
            let first = (wrong(j, positions.start), positions.start);
            let each = (0..count.div_ceil(stride)).map(|step| positions.start + step * stride);
            let [low, high] = each.map(|t| (wrong(j, t), t)).fold([first; 2], |[low, high], next| {
                [if next.0 < low.0 { next } else { low }, if next.0 > high.0 { next } else { high }]
            });
            (high.0 - low.0, j, [high.1, low.1])
        };
        let pairs: Vec<_> = (0..self.machines.len()).into_par_iter().map(ends).collect();
        let best = pairs.into_iter().max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)));
        best.map_or((0, [positions.start; 2]), |(_, j, places)| (j, places))
    }

    /// One pair that is as long as it may be, and nothing else, climbed from vectors of these lengths.
    fn alone(&self, j: usize, at: [&Turns; 2]) -> Vec<[CosSin; 2]> {
        let Attention { rotation, dim, query, key, .. } = *self.attention;
        let longest = [query, key];
        let mut draw = Draw::seeded(j as u64);
        let mut any = |side: usize| {
            let format = rotation.format;
            let x = draw.within(format, 0.0, longest[side]);
            let most = (longest[side] * longest[side] - x * x).max(0.0).sqrt();
            let y = draw.within(format, most, -most / 8.0);
            let [sign, other] = [0; 2].map(|_| if draw.below(2) == 0 { 1.0 } else { -1.0 });
            [sign * x, other * y]
        };
        // Less than what the squares below err by.
        let fits = |vector: CosSin, side: usize| square(vector) <= longest[side] * longest[side] * (1.0 - 1e-12);
        let (mut found, mut best) = ([[0.0; 2]; 2], 0.0);
        for step in 0..STEPS {
            let mut moved = found;
            for side in if step % 3 == 0 { 0..2 } else { (step as usize % 2)..(step as usize % 2 + 1) } {
                moved[side] = any(side);
            }
            let error = self.error(j, moved[0], moved[1], at[0], at[1]).abs();
            if error > best && fits(moved[0], 0) && fits(moved[1], 1) {
                (found, best) = (moved, error);
            }
        }
        let mut vectors = vec![[[0.0; 2]; 2]; dim as usize / 2];
        if let Some(vector) = vectors.get_mut(j) {
            *vector = found;
        }
        vectors
    }

    /// The error of the logit of a query and a key, evaluated with enclosures.
    fn found(&self, pairs: &[[CosSin; 2]], at: [&Turns; 2], table: Bound) -> Found {
        let [query, key]: [Vec<CosSin>; 2] = [0, 1].map(|side| pairs.iter().map(|pair| pair[side]).collect());
        let computed = self.logit(&self.turned(&query, at[0]), &self.turned(&key, at[1]));
        let error = (real(computed) - self.exact([&query, &key], at)).abs().lower_f64();
        let lengths = [self.length(&query), self.length(&key)];
        let of_these = Attention { query: lengths[0], key: lengths[1], ..*self.attention };
        let [position, place] = at.map(|turns| turns.position);
        Found { error, bound: of_these.logit(table), lengths, position, keys: vec![place] }
    }

    /// The positions that query and key are put at first.
    fn places(&self, positions: &Range<u64>) -> Vec<[u64; 2]> {
        let mut draw = Draw::seeded(PLACES);
        let count = positions.end - positions.start;
        let mut any = || positions.start + draw.below(count);
        let mut places = vec![[positions.end - 1, positions.start]];
        places.extend((1..PLACES).map(|_| [any(), any()]));
        places
    }
}

impl Model {
    /// The largest error of a logit that a directed search finds, query and key at any two of the positions, beside
    /// `rounding_logit` for vectors of the lengths found, which are at most the attention's.
    pub fn search_logit(&self, attention: &Attention, positions: &Range<u64>) -> Result<Found, Impossible> {
        let searched = Simulated::new(self, attention)?;
        let table = self.table_over(positions)?;
        let (_, [m, n], _) = searched.start(positions);
        let (mut climbed, _) = searched.climbed([&m, &n], STEPS, 1);
        searched.lengthen(&mut climbed, [&m, &n]);
        let all = searched.found(&climbed, [&m, &n], table);
        let (pair, places) = searched.astray(positions);
        let [m, n] = places.map(|position| searched.turns(position));
        let one = searched.found(&searched.alone(pair, [&m, &n]), [&m, &n], table);
        Ok(if one.error > all.error { one } else { all })
    }

    /// The largest error of a component of an output that a search finds, for at most 64 keys: at positions drawn at random,
    /// half of the logits are driven up and half of them down, and each value is of the sign of its weight's error.
    pub fn search_output(&self, attention: &Attention, positions: &Range<u64>) -> Result<Found, Impossible> {
        let searched = Simulated::new(self, attention)?;
        let table = self.table_over(positions)?;
        let (climbed, [m, _], _) = searched.start(positions);
        let query: Vec<CosSin> = climbed.iter().map(|[q, _]| *q).collect();
        let turned = searched.turned(&query, &m);
        let mut draw = Draw::seeded(u64::from(KEYS));
        let places: Vec<u64> = (0..attention.keys.min(KEYS))
            .map(|_| positions.start + draw.below(positions.end - positions.start))
            .collect();
        let keys: Vec<(f64, Interval, f64)> = places
            .par_iter()
            .enumerate()
            .map(|(number, place)| {
                let n = searched.turns(*place);
                let sign = if number % 2 == 0 { 1.0 } else { -1.0 };
                let pair = |(j, q): (usize, &CosSin)| {
                    searched.climb(j, Some(*q), [&m, &n], KEY_STEPS, sign, 2 + number as u64)[1]
                };
                let key: Vec<CosSin> = query.iter().enumerate().map(pair).collect();
                let logit = searched.logit(&turned, &searched.turned(&key, &n));
                (logit, searched.exact([&query, &key], [&m, &n]), searched.length(&key))
            })
            .collect();
        let Attention { softmax, weights, values, value, .. } = *attention;
        // A power of two, which every format has.
        let value = largest_component(value, 1);
        let largest = keys.iter().map(|(logit, ..)| *logit).fold(f64::NEG_INFINITY, f64::max);
        let exps = keys.iter().map(|(logit, ..)| softmax.round(core_math::exp(shifted(softmax, *logit, largest))));
        let computed = shares([softmax, weights], &exps.collect::<Vec<_>>());
        let powers: Vec<Interval> = keys.iter().map(|(_, exact, _)| (exact.clone() - real(largest)).exp()).collect();
        let total = powers.iter().fold(real(0.0), |sum, e| sum + e.clone());
        let exact: Vec<Interval> = powers.into_iter().map(|e| e / total.clone()).collect();
        let signed: Vec<f64> = computed.iter().zip(&exact).map(|(p, e)| value.copysign(p - e.approximate())).collect();
        let output = summed(values.format, computed.iter().zip(&signed).map(|(weight, value)| [*weight, *value]));
        let truth = exact.into_iter().zip(&signed).fold(real(0.0), |sum, (e, x)| sum + e * real(*x));
        let longest = keys.iter().map(|(.., length)| *length).fold(0.0, f64::max);
        let lengths = [searched.length(&query), longest];
        let of_these = Attention { query: lengths[0], key: lengths[1], keys: places.len() as u32, value, ..*attention };
        let error = (real(output) - truth).abs().lower_f64();
        Ok(Found { error, bound: of_these.output(table), lengths, position: m.position, keys: places })
    }
}

impl Simulated<'_> {
    /// The best of the places after a short climb.
    fn start(&self, positions: &Range<u64>) -> (Vec<[CosSin; 2]>, [Turns; 2], f64) {
        let climbed = |[m, n]: [u64; 2]| {
            let turns = [self.turns(m), self.turns(n)];
            let (pairs, error) = self.climbed([&turns[0], &turns[1]], TRIALS, m ^ n.rotate_left(32));
            (pairs, turns, error)
        };
        let mut places = self.places(positions).into_iter();
        let first = climbed(places.next().unwrap_or([positions.start; 2]));
        places.map(climbed).fold(first, |best, next| if next.2 > best.2 { next } else { best })
    }
}
