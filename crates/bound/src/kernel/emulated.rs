//! A row of attention, computed as a kernel computes it, and exactly.

use super::{Kernel, Order};
use crate::accumulator::Term;
use posproof_numerics::format::power_of_two;
use posproof_numerics::{Element, Format};
use serde::Serialize;

/// Inputs of one row: a query, keys of a few kinds, and one component of their values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttentionRow {
    /// The query.
    pub query: Vec<f64>,
    /// Keys that differ, each with its value.
    pub kinds: Vec<(Vec<f64>, f64)>,
    /// The kind of each key.
    pub members: Vec<u8>,
}

/// Sums of a row, tile by tile.
struct Computed {
    /// The numerator, the exponentials' sum and the largest logit so far.
    sum: f64,
    register: f64,
    normaliser: f64,
    largest: f64,
    since_flush: u64,
}

/// The exponential, correctly rounded to the format.
fn exponential(format: Format, x: f64) -> f64 {
    format.round(core_math::exp(x))
}

impl AttentionRow {
    fn products(&self, kernel: &Kernel, key: &[f64]) -> Vec<Term> {
        let elements = [kernel.inputs; 2];
        self.query.iter().zip(key).map(|(q, k)| Term::product([*q, *k], elements)).collect()
    }

    /// The logit of each kind as the kernel computes it.
    pub(super) fn logits(&self, kernel: &Kernel) -> Vec<f64> {
        let format = kernel.softmax;
        let scale = format.round(1.0 / f64::from(kernel.dim).sqrt());
        let logit = |key: &Vec<f64>| {
            let logit = format.round(scale * kernel.adder.continued(0.0, &self.products(kernel, key)));
            kernel.logits.map_or(logit, |stored| stored.round(logit))
        };
        self.kinds.iter().map(|(key, _)| logit(key)).collect()
    }

    /// The logit of each kind as binary64 has it: dot products of formats of few bits are exact there.
    pub(super) fn exact_logits(&self, kernel: &Kernel) -> Vec<f64> {
        let root = f64::from(kernel.dim).sqrt();
        let dot = |key: &Vec<f64>| self.query.iter().zip(key).map(|(q, k)| q * k).sum::<f64>() / root;
        self.kinds.iter().map(|(key, _)| dot(key)).collect()
    }

    /// The output of exact attention, to some units of binary64.
    pub fn exact(&self, kernel: &Kernel) -> f64 {
        let logits = self.exact_logits(kernel);
        let mut counts = vec![0u64; self.kinds.len()];
        for member in &self.members {
            if let Some(count) = counts.get_mut(usize::from(*member)) {
                *count += 1;
            }
        }
        let present = logits.iter().zip(&counts).filter(|(_, count)| **count > 0);
        let largest = present.map(|(logit, _)| *logit).fold(f64::NEG_INFINITY, f64::max);
        let weights = logits.iter().zip(&counts).map(|(logit, count)| *count as f64 * core_math::exp(logit - largest));
        let (numerator, normaliser) = weights
            .zip(&self.kinds)
            .fold((0.0, 0.0), |(sum, all), (weight, (_, value))| (sum + weight * value, all + weight));
        numerator / normaliser
    }

    /// The output as the kernel computes it.
    pub fn computed(&self, kernel: &Kernel) -> f64 {
        let logits = self.logits(kernel);
        let of_kind = |member: &u8| logits.get(usize::from(*member)).copied().unwrap_or(f64::NEG_INFINITY);
        let all: Vec<f64> = self.members.iter().map(of_kind).collect();
        match kernel.order {
            Order::Plain => self.plain(kernel, &all),
            Order::Online(tile) => self.online(kernel, &all, tile as usize),
        }
    }

    fn value(&self, place: usize) -> f64 {
        let kind = self.members.get(place).map_or(0, |member| usize::from(*member));
        self.kinds.get(kind).map_or(0.0, |(_, value)| *value)
    }

    fn plain(&self, kernel: &Kernel, logits: &[f64]) -> f64 {
        let format = kernel.softmax;
        let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let exps: Vec<f64> = logits.iter().map(|logit| exponential(format, format.round(logit - largest))).collect();
        let normaliser = exps.iter().fold(0.0, |sum, e| format.round(sum + e));
        let up = power_of_two(kernel.weight_scale);
        let weight = |e: &f64| kernel.weights.round(format.round(e / normaliser) * up);
        let terms = exps.iter().enumerate();
        let terms: Vec<Term> = terms.map(|(place, e)| kernel.term(weight(e), self.value(place))).collect();
        kernel.output.round(kernel.adder.sum(&terms, kernel.flush) / up)
    }

    fn online(&self, kernel: &Kernel, logits: &[f64], tile: usize) -> f64 {
        let format = kernel.softmax;
        let part = kernel.part_keys().max(1) as usize;
        let parts =
            logits.chunks(part).enumerate().map(|(number, logits)| self.part(kernel, logits, number * part, tile));
        let parts: Vec<Computed> = parts.collect();
        let largest = parts.iter().map(|part| part.largest).fold(f64::NEG_INFINITY, f64::max);
        let mut sums: Option<[f64; 2]> = None;
        for part in &parts {
            let own = [Format::F32.round(part.register + part.sum), part.normaliser];
            if parts.len() == 1 {
                sums = Some(own);
                break;
            }
            let factor = exponential(format, format.round(part.largest - largest));
            let scaled = own.map(|x| format.round(x * factor));
            sums =
                Some(sums.map_or(scaled, |[sum, all]| [format.round(sum + scaled[0]), format.round(all + scaled[1])]));
        }
        let [sum, normaliser] = sums.unwrap_or([f64::NAN; 2]);
        kernel.output.round(format.round(sum / normaliser) / power_of_two(kernel.weight_scale))
    }

    /// Sums of a part of the keys, the first of which is at that place.
    fn part(&self, kernel: &Kernel, logits: &[f64], first: usize, tile: usize) -> Computed {
        let format = kernel.softmax;
        let up = power_of_two(kernel.weight_scale);
        let mut state =
            Computed { sum: 0.0, register: 0.0, normaliser: 0.0, largest: f64::NEG_INFINITY, since_flush: 0 };
        for (number, logits) in logits.chunks(tile).enumerate() {
            let largest = logits.iter().copied().fold(state.largest, f64::max);
            if largest > state.largest && state.largest.is_finite() {
                let factor = exponential(format, format.round(state.largest - largest));
                for rescaled in [&mut state.sum, &mut state.register, &mut state.normaliser] {
                    *rescaled = format.round(*rescaled * factor);
                }
            }
            state.largest = largest;
            let exps: Vec<f64> =
                logits.iter().map(|logit| exponential(format, format.round(logit - largest))).collect();
            state.normaliser = exps.iter().fold(state.normaliser, |sum, e| format.round(sum + e));
            let place = first + number * tile;
            let weights = exps.iter().enumerate();
            let terms: Vec<Term> =
                weights.map(|(key, e)| kernel.term(kernel.weights.round(e * up), self.value(place + key))).collect();
            state.add(kernel, &terms);
        }
        state
    }

    /// Inputs that are no numbers of their formats, or too long for the kernel, by name.
    pub fn misfit(&self, kernel: &Kernel) -> Option<&'static str> {
        let held = |element: Element, x: f64| element.round(x) == x && x.abs() <= element.max_finite();
        let length = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let keys = || self.kinds.iter().map(|(key, _)| key);
        if !self.query.iter().chain(keys().flatten()).all(|x| held(kernel.inputs, *x)) {
            return Some("a component that is no number of the inputs' format");
        }
        if !self.kinds.iter().all(|(_, value)| held(kernel.values, *value) && value.abs() <= kernel.value) {
            return Some("a value that is no number of its format, or larger than stated");
        }
        let long = length(&self.query) > kernel.query || keys().any(|key| length(key) > kernel.key);
        long.then_some("a query or key that is longer than stated")
    }
}

impl Computed {
    /// Products of a tile, the accumulator flushed where as many as that have been added.
    fn add(&mut self, kernel: &Kernel, terms: &[Term]) {
        let Some(flush) = kernel.flush else {
            self.sum = kernel.adder.continued(self.sum, terms);
            return;
        };
        let mut rest = terms;
        while !rest.is_empty() {
            let room = (flush - self.since_flush).min(rest.len() as u64) as usize;
            let (now, later) = rest.split_at(room);
            self.sum = kernel.adder.continued(self.sum, now);
            self.since_flush += room as u64;
            if self.since_flush == flush {
                self.register = Format::F32.round(self.register + self.sum);
                (self.sum, self.since_flush) = (0.0, 0);
            }
            rest = later;
        }
    }
}

impl Kernel {
    fn term(&self, weight: f64, value: f64) -> Term {
        Term::product([weight, value], [self.weights, self.values])
    }
}
