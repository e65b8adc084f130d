//! The largest errors where inputs are real: a directed search, hill climbing on units in the last place,
//! whose result is evaluated once more exactly.
//!
//! A search proves nothing about what it has not seen; what it finds is a lower bound of the worst case, with
//! its witness, and so shows how much of a bound is needed.

use super::entry::{Model, Rate};
use super::origin::Bound;
use super::program::Impossible;
use super::quantity::{Arithmetic, complex_product, dot_of_small_products, rotated_pair};
use super::reference::{BLOCK, Reference};
use super::steps::{accumulated, rotated};
use super::worst::Machine;
use posproof_numerics::format::Format;
use posproof_numerics::{Interval, Rational};
use std::ops::Range;

/// Steps of one hill climbing, and how many of them make a search.
const STEPS: u32 = 100_000;
const CLIMBS: u64 = 4;

/// Draws that a start, or each term of a dot product's start, is chosen from.
const TRIALS: u32 = 20_000;

/// Bits of the last evaluation.
const BITS: u32 = 400;

/// An error that occurs, and the bound on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Attained {
    /// The inputs, numbers of the format.
    pub inputs: Vec<f64>,
    /// The error of the result from them, from 400 bits, rounded down.
    pub error: f64,
    /// The bound.
    pub bound: Bound,
}

impl Attained {
    /// Bound by error: the worst case lies between the error and this times it.
    pub fn ratio(&self) -> f64 {
        self.bound.value() / self.error
    }
}

/// Random bits that are the same everywhere.
pub(super) struct Draw(u64);

impl Draw {
    pub fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit.max(1)
    }

    /// In [low, low + width).
    pub fn within(&mut self, format: Format, low: f64, width: f64) -> f64 {
        format.round(low + width * (self.below(1 << 30) as f64 / (1u64 << 30) as f64))
    }
}

/// Moves one or two inputs by 2^j units in the last place as long as the objective, none outside its
/// domain, does not fall.
fn hill_climb(
    format: Format,
    inputs: &mut Vec<f64>,
    draw: &mut Draw,
    objective: impl Fn(&[f64]) -> Option<f64>,
) -> f64 {
    let mut best = objective(inputs).unwrap_or(0.0);
    let mut moved = inputs.clone();
    for _ in 0..STEPS {
        moved.clone_from(inputs);
        for _ in 0..1 + draw.below(2) {
            let at = draw.below(moved.len() as u64) as usize;
            let units = (1u64 << draw.below(u64::from(format.precision()) - 1)) as f64;
            let sign = if draw.below(2) == 0 { 1.0 } else { -1.0 };
            if let Some(input) = moved.get_mut(at) {
                *input = format.round(*input + sign * units * 2.0 * format.half_ulp(*input));
            }
        }
        if let Some(value) = objective(&moved).filter(|value| *value >= best) {
            best = value;
            std::mem::swap(inputs, &mut moved);
        }
    }
    best
}

/// The best of some draws.
fn best_of(
    draw: &mut Draw,
    make: impl Fn(&mut Draw) -> Vec<f64>,
    objective: impl Fn(&[f64]) -> Option<f64>,
) -> Vec<f64> {
    let mut best = (Vec::new(), f64::NEG_INFINITY);
    for _ in 0..TRIALS {
        let inputs = make(draw);
        if let Some(value) = objective(&inputs).filter(|value| *value > best.1) {
            best = (inputs, value);
        }
    }
    best.0
}

/// The best of some climbs.
fn search(
    format: Format,
    start: impl Fn(&mut Draw) -> Vec<f64>,
    objective: impl Fn(&[f64]) -> Option<f64> + Copy,
) -> Vec<f64> {
    let mut best = (Vec::new(), f64::NEG_INFINITY);
    for seed in 1..=CLIMBS {
        let mut draw = Draw(seed);
        let mut inputs = start(&mut draw);
        let value = hill_climb(format, &mut inputs, &mut draw, objective);
        if value > best.1 {
            best = (inputs, value);
        }
    }
    best.0
}

/// Formats whose products are exact in binary64.
fn narrow(format: Format) -> Result<(), Impossible> {
    match format {
        Format::F64 => Err(Impossible::new("format", format, "f32, f16 or bf16, whose products are exact in binary64")),
        _ => Ok(()),
    }
}

pub(super) fn real(x: f64) -> Interval {
    Interval::exactly(x).at(BITS)
}

/// The length of a vector.
fn length(x: Interval, y: Interval) -> Interval {
    (x.clone() * x + y.clone() * y).sqrt()
}

/// The largest error found of a dot product of n terms in [−1, 1], products rounded and summed one after the
/// other, beside `rounding_dot_bounded`. Inputs: x_1, y_1, x_2, y_2, …
pub fn search_dot(format: Format, n: u32) -> Result<Attained, Impossible> {
    narrow(format)?;
    let most = 1u64 << format.precision();
    let bound = dot_of_small_products(format, n).ok_or_else(|| Impossible::new("terms", n, format!("1 to {most}")))?;
    // Errors of single roundings are exact in binary64, and the sum of them nearly so.
    let add = |sum: f64, x: f64, y: f64| {
        let rounded = format.round(x * y);
        let next = format.round(sum + rounded);
        (next, (rounded - x * y) + (next - (sum + rounded)))
    };
    let objective = |inputs: &[f64]| {
        let (mut sum, mut total) = (0.0, 0.0);
        for term in inputs.chunks_exact(2) {
            let (next, error) = match term {
                [x, y] if x.abs() <= 1.0 && y.abs() <= 1.0 => add(sum, *x, *y),
                _ => return None,
            };
            (sum, total) = (next, total + error);
        }
        Some(total)
    };
    // Just below 1, where products of 1 − au and 1 − bu round by up to half a unit: ab·u² ≈ u.
    let width = 2.0 * format.unit_roundoff().sqrt();
    // Term by term the best of many, so that every sum rounds up by half a spacing.
    let start = |draw: &mut Draw| {
        let (mut inputs, mut sum) = (Vec::new(), 0.0);
        for _ in 0..n {
            let mut best = (f64::NEG_INFINITY, [0.0; 2], sum);
            for _ in 0..TRIALS {
                let [x, y] = [0; 2].map(|_| draw.within(format, 1.0 - width, width));
                let (next, error) = add(sum, x, y);
                if error > best.0 {
                    best = (error, [x, y], next);
                }
            }
            inputs.extend(best.1);
            sum = best.2;
        }
        inputs
    };
    let inputs = search(format, start, objective);
    let (mut sum, mut exact) = (0.0, Rational::ZERO);
    for term in inputs.chunks_exact(2) {
        if let [x, y] = term {
            sum = accumulated(format, sum, [*x, *y]);
            exact += Rational::from_f64(*x).unwrap_or_default() * Rational::from_f64(*y).unwrap_or_default();
        }
    }
    let error = Interval::rational(&(Rational::from_f64(sum).unwrap_or_default() - exact), BITS).abs().lower_f64();
    Ok(Attained { inputs, error, bound })
}

fn quadruple(inputs: &[f64]) -> Option<[[f64; 2]; 2]> {
    match inputs {
        [a, b, c, d] => Some([[*a, *b], [*c, *d]]),
        _ => None,
    }
}

/// The largest relative error found of a product of complex numbers, beside √5·u. Inputs: a, b, c, d of
/// (a + ib)(c + id).
pub fn search_complex_product(format: Format) -> Result<Attained, Impossible> {
    narrow(format)?;
    let bound = complex_product(Arithmetic { format, fused: false }, 1.0);
    let objective = |inputs: &[f64]| {
        let [z, w] = quadruple(inputs)?;
        if inputs.iter().any(|x| !(0.25..2.0).contains(&x.abs())) {
            return None;
        }
        let [re, im] = rotated(format, z, w);
        let error = [re - (z[0] * w[0] - z[1] * w[1]), im - (z[0] * w[1] + z[1] * w[0])];
        Some((error[0] * error[0] + error[1] * error[1]) / ((z[0] * z[0] + z[1] * z[1]) * (w[0] * w[0] + w[1] * w[1])))
    };
    // Near the worst cases of Brent, Percival and Zimmermann 2007: 3/4(1 + i) and 2/3(1 + i).
    let width = 64.0 * format.unit_roundoff();
    let near = |draw: &mut Draw, x: f64| draw.within(format, x - width / 2.0, width);
    let near = |draw: &mut Draw| [0.75, 0.75, 2.0 / 3.0, 2.0 / 3.0].map(|x| near(draw, x)).to_vec();
    let start = |draw: &mut Draw| best_of(draw, near, objective);
    let inputs = search(format, start, objective);
    let error = match quadruple(&inputs) {
        Some([z, w]) => {
            let exact_re = real(z[0]) * real(w[0]) - real(z[1]) * real(w[1]);
            let exact_im = real(z[0]) * real(w[1]) + real(z[1]) * real(w[0]);
            let [re, im] = rotated(format, z, w);
            let distance = length(real(re) - exact_re, real(im) - exact_im);
            (distance / length(real(z[0]), real(z[1])) / length(real(w[0]), real(w[1]))).lower_f64()
        }
        None => 0.0,
    };
    Ok(Attained { inputs, error, bound })
}

impl Model {
    /// The largest distance found between a rotated pair and the exact one, by its length, over some positions
    /// and all pairs of numbers, beside `rounding_rotated_pair_length`. Inputs: x, y, and the position.
    pub fn search_rotated_pair(&self, pair: usize, positions: &Range<u64>) -> Result<Attained, Impossible> {
        let format = self.program.storage;
        narrow(format)?;
        let rate = self.rate(pair)?;
        let arithmetic = Arithmetic { format, fused: false };
        let bound = rotated_pair(arithmetic, self.pair(&rate, positions.clone())?, 1.0);
        let machine = Machine::new(self, &rate);
        let omega = self.exact(&rate)?.midpoint();
        let mut worst = Attained { inputs: Vec::new(), error: 0.0, bound };
        for (t, [c, s]) in self.worst_turns(&rate, &machine, positions)? {
            let [got_c, got_s] = machine.entry(t);
            let objective = |inputs: &[f64]| match inputs {
                // Lengths above 1, so that what underflow may add is within the bound for 1.
                [x, y] if (1.0..4.0).contains(&x.abs()) && (1.0..4.0).contains(&y.abs()) => {
                    let [turned_x, turned_y] = rotated(format, [*x, *y], [got_c, got_s]);
                    let error = [turned_x - (x * c - y * s), turned_y - (x * s + y * c)];
                    Some((error[0] * error[0] + error[1] * error[1]) / (x * x + y * y))
                }
                _ => None,
            };
            let any = |draw: &mut Draw| {
                let [x, y] = [0; 2].map(|_| draw.within(format, 1.0, 3.0));
                vec![x, if draw.below(2) == 0 { y } else { -y }]
            };
            let start = |draw: &mut Draw| best_of(draw, any, objective);
            let inputs = search(format, start, objective);
            let [x, y] = match inputs.as_slice() {
                [x, y] => [*x, *y],
                _ => continue,
            };
            let (cos, sin) = (Interval::point(omega.clone()) * real(t as f64)).cos_sin();
            let [turned_x, turned_y] = rotated(format, [x, y], [got_c, got_s]);
            let exact_x = real(x) * cos.clone() - real(y) * sin.clone();
            let exact_y = real(x) * sin + real(y) * cos;
            let distance = length(real(turned_x) - exact_x, real(turned_y) - exact_y);
            let error = (distance / length(real(x), real(y))).lower_f64();
            if error > worst.error {
                worst = Attained { inputs: vec![x, y, t.wrapping_add_signed(-self.offset) as f64], error, bound };
            }
        }
        Ok(worst)
    }

    /// The positions, offset included, at which the table's pair is farthest from the exact one, with that.
    fn worst_turns(
        &self,
        rate: &Rate,
        machine: &Machine,
        positions: &Range<u64>,
    ) -> Result<Vec<(u64, [f64; 2])>, Impossible> {
        const KEPT: usize = 8;
        let effective = self.effective(positions, rate)?;
        let mut reference = Reference::new(&self.exact(rate)?, &Interval::exactly(1.0));
        let mut kept: Vec<(f64, u64, [f64; 2])> = Vec::new();
        let mut next = effective.start;
        while next < effective.end {
            reference.turn_to(next);
            for b in 0..BLOCK.min((effective.end - next) as usize) {
                let [cos, sin] = &*reference.values;
                let exact = [cos.head[b] + cos.tail[b], sin.head[b] + sin.tail[b]];
                let got = machine.entry(next + b as u64);
                let apart = [got[0] - exact[0], got[1] - exact[1]];
                kept.push((apart[0] * apart[0] + apart[1] * apart[1], next + b as u64, exact));
            }
            kept.sort_by(|a, b| b.0.total_cmp(&a.0));
            kept.truncate(KEPT);
            next += BLOCK as u64;
        }
        Ok(kept.into_iter().map(|(_, t, exact)| (t, exact)).collect())
    }
}
