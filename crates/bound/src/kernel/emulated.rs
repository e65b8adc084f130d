//! A row of attention, computed as a kernel computes it, and exactly.

use super::{Kernel, Order};
use crate::accumulator::{Adder, Term, repeated};
use posproof_numerics::format::Format;
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
struct TileSums {
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

    /// Products of weights and values at places, of weights by kind, in blocks.
    fn blocks(&self, kernel: &Kernel, places: Range<usize>, weights: &[f64]) -> Vec<Term> {
        let members = self.members.get(places.clone()).unwrap_or(&[]);
        let weights: Vec<f64> = members.iter().map(|member| of_kind(weights, *member)).collect();
        kernel.weighted(&weights, &self.values(places))
    }

    /// Products of weights and values, by kind.
    fn products(&self, kernel: &Kernel, weights: &[f64]) -> Vec<Term> {
        let values: Vec<f64> = self.kinds.iter().map(|(_, value)| *value).collect();
        kernel.weighted(weights, &values)
    }

    fn plain(&self, kernel: &Kernel, logits: &[f64]) -> f64 {
        let format = kernel.softmax;
        let largest = Self::largest(&self.members, logits);
        let exps: Vec<f64> = logits.iter().map(|logit| exponential(format, format.round(logit - largest))).collect();
        let normaliser = self.members.chunk_by(|one, next| one == next).fold(0.0, |sum, run| {
            let each = run.first().map_or(0.0, |member| of_kind(&exps, *member));
            repeated(sum, run.len() as u64, |sum| format.round(sum + each))
        });
        let up = power_of_two(kernel.weight_scale);
        let weights: Vec<f64> = exps.iter().map(|e| format.round(e / normaliser) * up).collect();
        let sum = match kernel.scales {
            Some(_) => {
                let terms = self.blocks(kernel, 0..self.members.len(), &weights);
                kernel.adder.sum(&terms, kernel.flush.map(|flush| flush / kernel.group()))
            }
            None => {
                let mut state = TileSums::EMPTY;
                state.add_kinds(kernel, &self.members, &self.products(kernel, &weights));
                kernel.flush.map_or(state.sum, |_| Format::F32.round(state.register + state.sum))
            }
        };
        kernel.output.round(sum / up)
    }

    fn online(&self, kernel: &Kernel, logits: &[f64], tile: usize) -> f64 {
        let format = kernel.softmax;
        let part = kernel.part_keys().max(1) as usize;
        let starts = (0..self.members.len()).step_by(part);
        let parts: Vec<TileSums> = starts
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
    fn part(&self, kernel: &Kernel, logits: &[f64], places: Range<usize>, tile: usize) -> TileSums {
        let format = kernel.softmax;
        let up = power_of_two(kernel.weight_scale);
        let mut state = TileSums::EMPTY;
        // Keys of a kind have one exponential until the largest logit changes.
        let (mut exps, mut weights, mut of_kinds) = (Vec::new(), Vec::new(), Vec::new());
        let mut first = places.start;
        while first < places.end {
            let end = (first + tile).min(places.end);
            let members = self.members.get(first..end).unwrap_or(&[]);
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
                if kernel.scales.is_none() {
                    of_kinds = self.products(kernel, &weights);
                }
            }
            state.largest = largest;
            // Tiles of the same keys need no other exponentials.
            let others = self.members.get(end..places.end).unwrap_or(&[]);
            let equal = match kernel.tiles_join() {
                true => others.chunks(members.len().max(1)).take_while(|next| *next == members).count(),
                false => 0,
            };
            let sum = |sum: f64| members.iter().fold(sum, |sum, member| format.round(sum + of_kind(&exps, *member)));
            state.normaliser = repeated(state.normaliser, 1 + equal as u64, sum);
            let end = end + equal * members.len();
            match kernel.scales {
                Some(_) => state.add_blocks(kernel, &self.blocks(kernel, first..end, &weights)),
                None => state.add_kinds(kernel, self.members.get(first..end).unwrap_or(&[]), &of_kinds),
            }
            first = end;
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

impl Kernel {
    /// True where a tile is a whole number of instructions, so that several are one.
    fn tiles_join(&self) -> bool {
        let Order::Online(tile) = self.order else { return false };
        match &self.adder {
            Adder::Truncated(accumulator) => self.scales.is_none() && tile.is_multiple_of(accumulator.terms),
            Adder::Rounded(_) => true,
        }
    }
}

impl TileSums {
    const EMPTY: Self = Self { sum: 0.0, register: 0.0, normaliser: 0.0, largest: f64::NEG_INFINITY, since_flush: 0 };

    /// Products of a tile, in groups of blocks.
    fn add_blocks(&mut self, kernel: &Kernel, terms: &[Term]) {
        self.add(kernel, terms, |sum, terms| kernel.adder.continued(sum, terms));
    }

    /// Products of tiles, by kind.
    fn add_kinds(&mut self, kernel: &Kernel, members: &[u8], of_kinds: &[Term]) {
        self.add(kernel, members, |sum, members| kernel.adder.continued_kinds(sum, members, of_kinds));
    }

    /// Terms, the accumulator flushed where as many as that have been added.
    fn add<T: PartialEq>(&mut self, kernel: &Kernel, terms: &[T], continued: impl Fn(f64, &[T]) -> f64) {
        let Some(flush) = kernel.flush.map(|flush| flush / kernel.group()) else {
            self.sum = continued(self.sum, terms);
            return;
        };
        // A group that is as the one before has its sum.
        let mut last: Option<(&[T], f64)> = None;
        let mut rest = terms;
        while !rest.is_empty() {
            let room = (flush - self.since_flush).min(rest.len() as u64) as usize;
            let (now, later) = rest.split_at(room);
            let known = last.filter(|(terms, _)| self.since_flush == 0 && *terms == now);
            let sum = known.map_or_else(|| continued(self.sum, now), |(_, sum)| sum);
            last = (self.since_flush == 0 && self.sum == 0.0).then_some((now, sum));
            self.sum = sum;
            self.since_flush += room as u64;
            if self.since_flush == flush {
                self.register = Format::F32.round(self.register + self.sum);
                (self.sum, self.since_flush) = (0.0, 0);
            }
            rest = later;
        }
    }
}
