//! The largest errors of logits and outputs that a directed search finds: pair by pair, the components of query and key are
//! changed as long as the error of their part of the score, by the product of the lengths, does not fall.
//!
//! What is found is evaluated once more with enclosures: the error that is reported occurs. The worst case lies between it and
//! the bound.

use super::{Accumulation, Attention, Products};
use crate::directed::{Draw, real};
use crate::entry::Model;
use crate::origin::Bound;
use crate::program::Impossible;
use crate::upward::binade;
use crate::worst::Machine;
use posproof_numerics::Interval;
use posproof_numerics::format::{Format, power_of_two};
use rayon::prelude::*;
use serde::Serialize;
use std::ops::Range;

/// Changes of a pair that are tried at the positions that are searched longest, and at those that these are chosen from.
const STEPS: u32 = 4000;
const TRIALS: u32 = 250;

/// Pairs of positions that are tried, the last beside the first among them.
const PLACES: u64 = 16;

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
    /// Bound by error: the worst case lies between the error and this times it.
    pub fn ratio(&self) -> f64 {
        self.bound.value() / self.error
    }
}

type Pair = [f64; 2];

/// (cos, sin) of each pair at a position: as the table has them, and in binary64.
struct Turns {
    position: u64,
    table: Vec<Pair>,
    near: Vec<Pair>,
}

/// A program of attention whose every operation binary64 makes as its format would.
struct Searched<'a> {
    model: &'a Model,
    attention: &'a Attention,
    machines: Vec<Machine>,
    omegas: Vec<Interval>,
}

fn rotated([x, y]: Pair, [c, s]: Pair, round: impl Fn(f64) -> f64) -> Pair {
    [round(round(x * c) - round(y * s)), round(round(x * s) + round(y * c))]
}

fn square([x, y]: Pair) -> f64 {
    x * x + y * y
}

fn dot([a, b]: Pair, [c, d]: Pair) -> f64 {
    a * c + b * d
}

/// The power of two below which all components are so that no vector is longer than `length`.
fn largest_component(length: f64, dim: u32) -> f64 {
    let most = length / f64::from(dim).sqrt();
    let above = binade(most);
    if power_of_two(above) == most { most } else { power_of_two(above - 1) }
}

/// A component in ±[most/2, most).
fn component(draw: &mut Draw, format: Format, most: f64) -> f64 {
    let x = draw.within(format, most / 2.0, most / 2.0 * (1.0 - 2.0 * format.unit_roundoff()));
    if draw.below(2) == 0 { x } else { -x }
}

impl<'a> Searched<'a> {
    fn new(model: &'a Model, attention: &'a Attention) -> Result<Self, Impossible> {
        attention.validate()?;
        let Attention { rotation, scores, softmax, values, .. } = *attention;
        let within = |format: Format, by: Format| by == Format::F64 || format.precision() + by.precision() <= 53;
        let exact = rotation.format != Format::F64
            && !rotation.fused
            && [scores, values].iter().all(|sum| sum.products != Products::Fused)
            && within(scores.format, softmax);
        if !exact {
            let expected =
                "a table in f32, f16 or bf16 and no fused operations: binary64 makes these as their formats would";
            return Err(Impossible::new("search", rotation.format, expected));
        }
        let rates: Result<Vec<_>, _> = (0..model.convention.pairs()).map(|pair| model.rate(pair)).collect();
        let rates = rates?;
        let machines = rates.iter().map(|rate| Machine::new(model, rate)).collect();
        let omegas: Result<Vec<_>, _> = rates.iter().map(|rate| model.exact(rate)).collect();
        Ok(Self { model, attention, machines, omegas: omegas? })
    }

    fn turns(&self, position: u64) -> Turns {
        let t = position.saturating_add_signed(self.model.offset);
        let table = self.machines.iter().map(|machine| machine.entry(t)).collect();
        let near = self.omegas.iter().map(|omega| {
            let (sin, cos) = core_math::sincos(t as f64 * omega.approximate());
            [cos, sin]
        });
        Turns { position, table, near: near.collect() }
    }

    /// The pairs of a vector turned, those that are not rotated as they are.
    fn turned(&self, vector: &[Pair], turns: &Turns) -> Vec<Pair> {
        let format = self.attention.rotation.format;
        let turn =
            |(j, pair): (usize, &Pair)| turns.table.get(j).map_or(*pair, |t| rotated(*pair, *t, |x| format.round(x)));
        vector.iter().enumerate().map(turn).collect()
    }

    /// The error of one pair's part of the score.
    fn error(&self, j: usize, q: Pair, k: Pair, m: &Turns, n: &Turns) -> f64 {
        let format = self.attention.rotation.format;
        let computed = |x, turns: &Turns| turns.table.get(j).map_or(x, |t| rotated(x, *t, |x| format.round(x)));
        let near = |x, turns: &Turns| turns.near.get(j).map_or(x, |t| rotated(x, *t, |x| x));
        dot(computed(q, m), computed(k, n)) - dot(near(q, m), near(k, n))
    }

    /// One pair of query and key after so many steps towards a positive error, or a negative one; the query may be fixed.
    fn climb(&self, j: usize, fixed: Option<Pair>, at: [&Turns; 2], steps: u32, sign: f64, seed: u64) -> [Pair; 2] {
        let Attention { rotation, dim, query, key, .. } = *self.attention;
        let most = [query, key].map(|length| largest_component(length, dim));
        let mut draw = Draw::seeded(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ j as u64);
        let mut any = |side: usize| component(&mut draw, rotation.format, most[side]);
        let mut found = [fixed.unwrap_or([any(0), any(0)]), [any(1), any(1)]];
        let gain = |[q, k]: [Pair; 2]| {
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
    fn climbed(&self, at: [&Turns; 2], steps: u32, seed: u64) -> (Vec<[Pair; 2]>, f64) {
        let pairs = (0..self.attention.dim as usize / 2).into_par_iter();
        let climbed: Vec<_> = pairs.map(|j| self.climb(j, None, at, steps, 1.0, seed)).collect();
        let error = climbed.iter().enumerate().map(|(j, [q, k])| self.error(j, *q, *k, at[0], at[1])).sum();
        (climbed, error)
    }

    /// Doubles pairs, which doubles their errors exactly, as long as no vector becomes too long: those first that gain most
    /// for the length they take.
    fn lengthen(&self, pairs: &mut [[Pair; 2]], at: [&Turns; 2]) {
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

    /// The pair whose part errs most by its lengths, as long as it may be, and nothing else: the worst where one pair's angles
    /// err more than all others'.
    fn alone(&self, pairs: &[[Pair; 2]], at: [&Turns; 2]) -> Vec<[Pair; 2]> {
        let gain = |(j, [q, k]): (usize, &[Pair; 2])| {
            (self.error(j, *q, *k, at[0], at[1]) / (square(*q) * square(*k)).sqrt().max(f64::MIN_POSITIVE), j)
        };
        let gains = pairs.iter().enumerate().map(gain);
        let best = gains.max_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, j)| j);
        let long = |pair: Pair, longest: f64| {
            let factor = largest_component(longest / square(pair).sqrt() * (1.0 - 1e-12), 1);
            pair.map(|x| x * factor)
        };
        let mut vectors = vec![[[0.0; 2]; 2]; pairs.len()];
        if let (Some(vector), Some([q, k])) = (vectors.get_mut(best), pairs.get(best)) {
            *vector = [long(*q, self.attention.query), long(*k, self.attention.key)];
        }
        vectors
    }

    /// The error of the logit of a query and a key, evaluated with enclosures.
    fn found(&self, pairs: &[[Pair; 2]], at: [&Turns; 2], table: Bound) -> Found {
        let [query, key]: [Vec<Pair>; 2] = [0, 1].map(|side| pairs.iter().map(|pair| pair[side]).collect());
        let computed = self.logit(&self.turned(&query, at[0]), &self.turned(&key, at[1]));
        let error = (real(computed) - self.exact([&query, &key], at)).abs().lower_f64();
        let lengths = [self.length(&query), self.length(&key)];
        let of_these = Attention { query: lengths[0], key: lengths[1], ..*self.attention };
        let [position, place] = at.map(|turns| turns.position);
        Found { error, bound: of_these.logit(table), lengths, position, keys: vec![place] }
    }

    /// fl(σ′·fl(q̂·k̂)), one term after the other.
    fn logit(&self, query: &[Pair], key: &[Pair]) -> f64 {
        let terms = query.iter().flatten().zip(key.iter().flatten()).map(|(q, k)| (*q, *k));
        let scale = self.attention.softmax.round(1.0 / f64::from(self.attention.dim).sqrt());
        self.attention.softmax.round(scale * summed(self.attention.scores, terms))
    }

    /// An enclosure of the exact logit.
    fn exact(&self, [query, key]: [&[Pair]; 2], at: [&Turns; 2]) -> Interval {
        let turn = |j: usize, [x, y]: Pair, turns: &Turns| match self.omegas.get(j) {
            Some(omega) => {
                let t = turns.position.saturating_add_signed(self.model.offset);
                let (cos, sin) = (omega.clone() * real(t as f64)).cos_sin();
                let (x, y) = (real(x), real(y));
                [x.clone() * cos.clone() - y.clone() * sin.clone(), x * sin + y * cos]
            }
            None => [real(x), real(y)],
        };
        let parts = query.iter().zip(key).enumerate().map(|(j, (q, k))| {
            let [[a, b], [c, d]] = [turn(j, *q, at[0]), turn(j, *k, at[1])];
            a * c + b * d
        });
        let sum = parts.fold(real(0.0), |sum, part| sum + part);
        sum / real(f64::from(self.attention.dim)).sqrt()
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

    fn length(&self, vector: &[Pair]) -> f64 {
        vector.iter().flatten().fold(real(0.0), |sum, x| sum + real(*x) * real(*x)).sqrt().upper_f64()
    }
}

/// A dot product, one term after the other.
fn summed(Accumulation { format, products }: Accumulation, terms: impl Iterator<Item = (f64, f64)>) -> f64 {
    terms.fold(0.0, |sum, (x, y)| {
        let product = if products == Products::Exact { x * y } else { format.round(x * y) };
        format.round(sum + product)
    })
}

impl Model {
    /// The largest error of a logit that a directed search finds, query and key at any two of the positions, beside
    /// `rounding_logit` for vectors of the lengths found, which are at most the attention's.
    pub fn search_logit(&self, attention: &Attention, positions: &Range<u64>) -> Result<Found, Impossible> {
        let searched = Searched::new(self, attention)?;
        let table = self.table_over(positions)?;
        let (_, [m, n], _) = searched.start(positions);
        let (mut climbed, _) = searched.climbed([&m, &n], STEPS, 1);
        let alone = searched.alone(&climbed, [&m, &n]);
        searched.lengthen(&mut climbed, [&m, &n]);
        let [all, one] = [climbed, alone].map(|pairs| searched.found(&pairs, [&m, &n], table));
        Ok(if one.error > all.error { one } else { all })
    }

    /// The largest error of a component of an output that a search finds, for at most 64 keys: at positions drawn at random,
    /// half of the logits are driven up and half of them down, and each value is of the sign of its weight's error.
    pub fn search_output(&self, attention: &Attention, positions: &Range<u64>) -> Result<Found, Impossible> {
        let searched = Searched::new(self, attention)?;
        let table = self.table_over(positions)?;
        let (climbed, [m, _], _) = searched.start(positions);
        let query: Vec<Pair> = climbed.iter().map(|[q, _]| *q).collect();
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
                let pair = |(j, q): (usize, &Pair)| {
                    searched.climb(j, Some(*q), [&m, &n], KEY_STEPS, sign, 2 + number as u64)[1]
                };
                let key: Vec<Pair> = query.iter().enumerate().map(pair).collect();
                let logit = searched.logit(&turned, &searched.turned(&key, &n));
                (logit, searched.exact([&query, &key], [&m, &n]), searched.length(&key))
            })
            .collect();
        let Attention { softmax, weights, values, value, .. } = *attention;
        // A power of two, which every format has.
        let value = largest_component(value, 1);
        let largest = keys.iter().map(|(logit, ..)| *logit).fold(f64::NEG_INFINITY, f64::max);
        let exps: Vec<f64> =
            keys.iter().map(|(logit, ..)| softmax.round(core_math::exp(softmax.round(logit - largest)))).collect();
        let sum = exps.iter().fold(0.0, |sum, e| softmax.round(sum + e));
        let computed: Vec<f64> = exps.iter().map(|e| weights.round(softmax.round(e / sum))).collect();
        let shifted: Vec<Interval> = keys.iter().map(|(_, exact, _)| (exact.clone() - real(largest)).exp()).collect();
        let total = shifted.iter().fold(real(0.0), |sum, e| sum + e.clone());
        let exact: Vec<Interval> = shifted.into_iter().map(|e| e / total.clone()).collect();
        let signed: Vec<f64> = computed.iter().zip(&exact).map(|(p, e)| value.copysign(p - e.approximate())).collect();
        let output = summed(values, computed.iter().copied().zip(signed.iter().copied()));
        let truth = exact.into_iter().zip(&signed).fold(real(0.0), |sum, (e, x)| sum + e * real(*x));
        let longest = keys.iter().map(|(.., length)| *length).fold(0.0, f64::max);
        let lengths = [searched.length(&query), longest];
        let of_these = Attention { query: lengths[0], key: lengths[1], keys: places.len() as u32, value, ..*attention };
        let error = (real(output) - truth).abs().lower_f64();
        Ok(Found { error, bound: of_these.output(table), lengths, position: m.position, keys: places })
    }
}

impl Searched<'_> {
    /// The best of the places after a short climb.
    fn start(&self, positions: &Range<u64>) -> (Vec<[Pair; 2]>, [Turns; 2], f64) {
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
