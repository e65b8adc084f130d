//! Attention as a program runs it: every operation made in binary64 as its format would make it.

use super::{Attention, Products};
use crate::directed::{Draw, real};
use crate::entry::Model;
use crate::program::Impossible;
use crate::steps::{multiplied, rotated, summed};
use crate::upward::binade;
use crate::worst::Machine;
use posproof_numerics::Interval;
use posproof_numerics::format::{Format, power_of_two};

pub(super) type CosSin = [f64; 2];

/// (cos, sin) of each pair at a position: as the table has them, and in binary64.
pub(super) struct Turns {
    pub position: u64,
    pub table: Vec<CosSin>,
    pub near: Vec<CosSin>,
}

/// A program of attention whose every operation binary64 makes as its format would.
pub(super) struct Simulated<'a> {
    pub model: &'a Model,
    pub attention: &'a Attention,
    pub machines: Vec<Machine>,
    pub omegas: Vec<Interval>,
}

pub(super) fn square([x, y]: CosSin) -> f64 {
    x * x + y * y
}

fn dot([a, b]: CosSin, [c, d]: CosSin) -> f64 {
    a * c + b * d
}

/// The power of two below which all components are so that no vector is longer than `length`.
pub(super) fn largest_component(length: f64, dim: u32) -> f64 {
    let most = length / f64::from(dim).sqrt();
    let above = binade(most);
    if power_of_two(above) == most { most } else { power_of_two(above - 1) }
}

/// A component in ±[most/2, most).
pub(super) fn component(draw: &mut Draw, format: Format, most: f64) -> f64 {
    let x = draw.within(format, most / 2.0, most / 2.0 * (1.0 - 2.0 * format.unit_roundoff()));
    if draw.below(2) == 0 { x } else { -x }
}

impl<'a> Simulated<'a> {
    pub fn new(model: &'a Model, attention: &'a Attention) -> Result<Self, Impossible> {
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

    pub fn turns(&self, position: u64) -> Turns {
        let t = position.saturating_add_signed(self.model.offset);
        let table = self.machines.iter().map(|machine| machine.entry(t)).collect();
        let near = self.omegas.iter().map(|omega| {
            let (sin, cos) = core_math::sincos(t as f64 * omega.approximate());
            [cos, sin]
        });
        Turns { position, table, near: near.collect() }
    }

    /// The pairs of a vector turned, those that are not rotated as they are.
    pub fn turned(&self, vector: &[CosSin], turns: &Turns) -> Vec<CosSin> {
        let format = self.attention.rotation.format;
        let turn = |(j, pair): (usize, &CosSin)| turns.table.get(j).map_or(*pair, |t| rotated(format, *pair, *t));
        vector.iter().enumerate().map(turn).collect()
    }

    /// The pairs of a vector turned in binary64.
    pub fn near(&self, vector: &[CosSin], turns: &Turns) -> Vec<CosSin> {
        let turn = |(j, pair): (usize, &CosSin)| turns.near.get(j).map_or(*pair, |t| rotated(Format::F64, *pair, *t));
        vector.iter().enumerate().map(turn).collect()
    }

    /// The error of one pair's part of the score.
    pub fn error(&self, j: usize, q: CosSin, k: CosSin, m: &Turns, n: &Turns) -> f64 {
        let format = self.attention.rotation.format;
        let computed = |x, turns: &Turns| turns.table.get(j).map_or(x, |t| rotated(format, x, *t));
        let near = |x, turns: &Turns| turns.near.get(j).map_or(x, |t| rotated(Format::F64, x, *t));
        dot(computed(q, m), computed(k, n)) - dot(near(q, m), near(k, n))
    }

    /// fl(σ′·fl(q̂·k̂)), one term after the other.
    pub fn logit(&self, query: &[CosSin], key: &[CosSin]) -> f64 {
        let terms = query.iter().flatten().zip(key.iter().flatten()).map(|(q, k)| [*q, *k]);
        let scale = self.attention.softmax.round(1.0 / f64::from(self.attention.dim).sqrt());
        multiplied(self.attention.softmax, scale, summed(self.attention.scores.format, terms))
    }

    /// An enclosure of the exact logit.
    pub fn exact(&self, [query, key]: [&[CosSin]; 2], at: [&Turns; 2]) -> Interval {
        let turn = |j: usize, [x, y]: CosSin, turns: &Turns| match self.omegas.get(j) {
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

    pub fn length(&self, vector: &[CosSin]) -> f64 {
        vector.iter().flatten().fold(real(0.0), |sum, x| sum + real(*x) * real(*x)).sqrt().upper_f64()
    }
}
