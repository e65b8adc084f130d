//! A row of attention, computed as a kernel computes it, and exactly.

use super::{Kernel, Order};
use crate::accumulator::Term;
use posproof_numerics::Format;
use posproof_numerics::format::power_of_two;
use serde::Serialize;
use std::ops::Range;

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

/// The number of a kind; of none that of a key that is not there.
fn of_kind(numbers: &[f64], member: u8) -> f64 {
    numbers.get(usize::from(member)).copied().unwrap_or(f64::NEG_INFINITY)
}

impl AttentionRow {
    /// The logit of each kind as the kernel computes it.
    pub(super) fn logits(&self, kernel: &Kernel) -> Vec<f64> {
        let format = kernel.softmax;
        let scale = format.round(1.0 / f64::from(kernel.dim).sqrt());
        let logit = |key: &Vec<f64>| {
            let logit = format.round(scale * kernel.adder.continued(0.0, &kernel.scores(&self.query, key)));
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
        match kernel.order {
            Order::Plain => self.plain(kernel, &logits),
            Order::Online(tile) => self.online(kernel, &logits, tile.max(1) as usize),
        }
    }

    fn value(&self, place: usize) -> f64 {
        let kind = self.members.get(place).map_or(0, |member| usize::from(*member));
        self.kinds.get(kind).map_or(0.0, |(_, value)| *value)
    }

    fn values(&self, places: Range<usize>) -> Vec<f64> {
        places.map(|place| self.value(place)).collect()
    }

    /// The largest logit of keys.
    fn largest(members: &[u8], logits: &[f64]) -> f64 {
        members.iter().map(|member| of_kind(logits, *member)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Products of weights and values at places, of weights by kind.
    fn products(&self, kernel: &Kernel, places: Range<usize>, weights: &[f64]) -> Vec<Term> {
        let members = self.members.get(places.clone()).unwrap_or(&[]);
        if kernel.scales.is_some() {
            let weights: Vec<f64> = members.iter().map(|member| of_kind(weights, *member)).collect();
            return kernel.weighted(&weights, &self.values(places));
        }
        let values: Vec<f64> = self.kinds.iter().map(|(_, value)| *value).collect();
        let of_kinds = kernel.weighted(weights, &values);
        members.iter().filter_map(|member| of_kinds.get(usize::from(*member)).copied()).collect()
    }

    fn plain(&self, kernel: &Kernel, logits: &[f64]) -> f64 {
        let format = kernel.softmax;
        let largest = Self::largest(&self.members, logits);
        let exps: Vec<f64> = logits.iter().map(|logit| exponential(format, format.round(logit - largest))).collect();
        let normaliser = self.members.iter().fold(0.0, |sum, member| format.round(sum + of_kind(&exps, *member)));
        let up = power_of_two(kernel.weight_scale);
        let weights: Vec<f64> = exps.iter().map(|e| format.round(e / normaliser) * up).collect();
        let terms = self.products(kernel, 0..self.members.len(), &weights);
        let flush = kernel.flush.map(|flush| flush / kernel.group());
        kernel.output.round(kernel.adder.sum(&terms, flush) / up)
    }

    fn online(&self, kernel: &Kernel, logits: &[f64], tile: usize) -> f64 {
        let format = kernel.softmax;
        let part = kernel.part_keys().max(1) as usize;
        let starts = (0..self.members.len()).step_by(part);
        let parts: Vec<Computed> = starts
            .map(|first| self.part(kernel, logits, first..(first + part).min(self.members.len()), tile))
            .collect();
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

    /// Sums of the keys of a part, at these places.
    fn part(&self, kernel: &Kernel, logits: &[f64], places: Range<usize>, tile: usize) -> Computed {
        let format = kernel.softmax;
        let up = power_of_two(kernel.weight_scale);
        let mut state =
            Computed { sum: 0.0, register: 0.0, normaliser: 0.0, largest: f64::NEG_INFINITY, since_flush: 0 };
        // Keys of a kind have one exponential until the largest logit changes.
        let (mut exps, mut weights) = (Vec::new(), Vec::new());
        for first in places.clone().step_by(tile) {
            let places = first..(first + tile).min(places.end);
            let members = self.members.get(places.clone()).unwrap_or(&[]);
            let largest = Self::largest(members, logits).max(state.largest);
            if largest > state.largest && state.largest.is_finite() {
                let factor = exponential(format, format.round(state.largest - largest));
                for rescaled in [&mut state.sum, &mut state.register, &mut state.normaliser] {
                    *rescaled = format.round(*rescaled * factor);
                }
            }
            if largest != state.largest || exps.is_empty() {
                // Of kinds whose keys are still to come an exponential might overflow.
                let below = |logit: &f64| exponential(format, format.round(logit.min(largest) - largest));
                exps = logits.iter().map(below).collect::<Vec<f64>>();
                weights = exps.iter().map(|e| e * up).collect::<Vec<f64>>();
            }
            state.largest = largest;
            state.normaliser =
                members.iter().fold(state.normaliser, |sum, member| format.round(sum + of_kind(&exps, *member)));
            state.add(kernel, &self.products(kernel, places, &weights));
        }
        state
    }

    /// Inputs that are no numbers of their formats, or too long for the kernel, by name.
    pub fn misfit(&self, kernel: &Kernel) -> Option<&'static str> {
        let length = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let keys = || self.kinds.iter().map(|(key, _)| key);
        if !(kernel.stores(kernel.inputs, &self.query) && keys().all(|key| kernel.stores(kernel.inputs, key))) {
            return Some("a component that is no number of the inputs' format");
        }
        // Blocks of values are of keys one after the other.
        let values: Vec<f64> = match kernel.scales {
            None => self.kinds.iter().map(|(_, value)| *value).collect(),
            Some(_) => self.values(0..self.members.len()),
        };
        let small = || self.kinds.iter().all(|(_, value)| value.abs() <= kernel.value);
        if !(kernel.stores(kernel.values, &values) && small()) {
            return Some("a value that is no number of its format, or larger than stated");
        }
        let long = length(&self.query) > kernel.query || keys().any(|key| length(key) > kernel.key);
        long.then_some("a query or key that is longer than stated")
    }
}

impl Computed {
    /// Products of a tile, the accumulator flushed where as many as that have been added.
    fn add(&mut self, kernel: &Kernel, terms: &[Term]) {
        let Some(flush) = kernel.flush.map(|flush| flush / kernel.group()) else {
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
