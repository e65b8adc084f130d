//! Rows on which a kernel errs as much as a search finds.
//!
//! Three causes are tried, each with inputs that drive it: a sum of values that a matrix unit truncates beside one large
//! product; casts of weights that all err to one side; and logits that err to one side for keys of positive values, and not
//! for the others. The largest error is kept.

use super::{AttentionRow, Kernel, KernelBound, Order};
use crate::accumulator::Adder;
use crate::program::Impossible;
use posproof_numerics::format::power_of_two;
use posproof_numerics::{Element, format::Format};
use rayon::prelude::*;
use serde::Serialize;

/// A row, its outputs, and the bound.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Searched {
    /// The inputs.
    pub row: AttentionRow,
    /// The cause that drives the error.
    pub cause: &'static str,
    /// The exact output.
    pub exact: f64,
    /// The kernel's output.
    pub computed: f64,
    /// |computed − exact|, from below.
    pub error: f64,
    /// The bound.
    pub bound: KernelBound,
}

impl Searched {
    /// Bound by error: the worst case lies between the error and this times it.
    pub fn ratio(&self) -> f64 {
        self.bound.output.value() / self.error
    }
}

/// Errors of binary64 in the exact output, beside the largest value.
const EVALUATED: f64 = 1e-12;

/// Far enough below the largest logit for a weight to underflow.
pub(super) const DEEP: f64 = 20.0;

/// Values that are tried in place of one.
const TUNED: u32 = 12;

impl Kernel {
    /// A key whose dot product with a query of equal components is as near to the target as the format has it.
    fn key_for(&self, component: f64, logit: f64) -> Vec<f64> {
        let mut rest = logit * f64::from(self.dim).sqrt() / component;
        if let Some(scales) = self.scales {
            return self.scaled_key(scales, rest);
        }
        // The last three are small, and so on a finer grid: they take what is left of the others.
        let others = (self.dim as usize).saturating_sub(3).max(1);
        (0..self.dim as usize)
            .map(|place| {
                let next = self.inputs.round(rest / others.saturating_sub(place).max(1) as f64);
                rest -= next;
                next
            })
            .collect()
    }

    /// A query of equal components, as long as it may be, and the largest logit with it.
    fn even_query(&self) -> (f64, f64) {
        let dim = f64::from(self.dim);
        let component = self.input_below(self.query / dim.sqrt());
        // Keys are on a grid, and the last three components are small: some length is left for both.
        let spread = match self.scales {
            None => (1.0 - 3.0 / dim.max(6.0)).sqrt(),
            Some(scales) => (1.0 - self.refining(scales) as f64 * scales.block() as f64 / dim).sqrt(),
        };
        (component, 0.97 * spread * component * self.key)
    }

    /// Rows of keys whose logits are these below the largest, with a value and a number of keys each.
    ///
    /// Where logits are stored in few bits, the largest is one of their numbers, and another is near 0, where they are close.
    pub(super) fn by_logits(&self, kinds: &[(f64, f64, u64)]) -> AttentionRow {
        let (_, most) = self.even_query();
        let deepest = kinds.iter().map(|(below, ..)| *below).filter(|below| *below < most).fold(0.0, f64::max);
        let largest = match self.logits {
            Some(stored) if deepest > 0.0 => stored.round(deepest + stored.half_ulp(deepest)),
            _ => most,
        };
        self.below_largest(largest, kinds)
    }

    /// Rows of keys whose logits are these below one.
    fn below_largest(&self, largest: f64, kinds: &[(f64, f64, u64)]) -> AttentionRow {
        let (component, most) = self.even_query();
        let query = vec![component; self.dim as usize];
        self.row(
            query,
            kinds.iter().map(|(below, ..)| self.key_for(component, (largest - below).max(-most))).collect(),
            kinds,
        )
    }

    /// The first kind's keys come first.
    fn row(&self, query: Vec<f64>, keys: Vec<Vec<f64>>, kinds: &[(f64, f64, u64)]) -> AttentionRow {
        let members = kinds.iter().zip(0u8..).flat_map(|((.., count), kind)| vec![kind; *count as usize]).collect();
        let kinds = keys.into_iter().zip(kinds).map(|(key, (_, value, _))| (key, self.value_near(*value))).collect();
        AttentionRow { query, kinds, members }
    }

    /// One key of weight 1, and others that are lost beside it: products just below a unit of the accumulator, exponentials below
    /// half a unit of their sum, or weights that underflow.
    fn sinks(&self) -> Vec<AttentionRow> {
        // Next to what blocks lose, an accumulator of theirs loses nothing.
        if self.scales.is_some() {
            return Vec::new();
        }
        let value = self.value_below(self.value);
        let scale = power_of_two(self.weight_scale);
        let mut rows = Vec::new();
        let mut beside = |weight: f64, other: f64| {
            if weight > 0.0 && weight < 1.0 {
                rows.push(self.by_logits(&[(0.0, value, 1), (-weight.ln(), other, self.keys - 1)]));
            }
        };
        let units = match &self.adder {
            Adder::Truncated(accumulator) => vec![accumulator.fraction, accumulator.result, 24],
            Adder::Rounded(format) => vec![format.precision()],
        };
        for bits in units {
            for share in [1.0, 0.984, 0.9375, 0.875, 0.75] {
                for small in [1.0, -1.0, power_of_two(-4), power_of_two(-8)] {
                    let other = self.value_below(value * small * share);
                    let product = value * power_of_two(-(bits as i32));
                    let weight = self.weights.truncate(0.999_999 * product / other.abs() * scale) / scale;
                    // As far above the weight as rounds to it.
                    beside(weight * (1.0 + 0.9 * self.weights.unit_roundoff()), other);
                }
            }
        }
        // Exponentials that the sum of exponentials loses, and the sum of values does not.
        for share in [0.999, 1.002] {
            for small in [1.0, 0.5, 0.0, -0.25, -0.5, -1.0] {
                let other = self.value_below(value * small);
                rows.push(
                    self.by_logits(&[(0.0, value, 1), (-(share * power_of_two(-24)).ln(), other, self.keys - 1)]),
                );
            }
        }
        rows.extend(self.normalised_sinks());
        let half = 0.5 * self.weights.min_positive() / scale;
        let mut beside = |weight: f64, other: f64| {
            rows.push(self.by_logits(&[(0.0, value, 1), (-weight.ln(), other, self.keys - 1)]));
        };
        for share in [0.99, 1.01] {
            for other in [value, -value] {
                beside(share * half, other);
            }
        }
        rows
    }

    /// Sinks of quotients: the first weight has a binade of its own, and the others are just below its unit; keys that would be too
    /// many have weights that underflow.
    fn normalised_sinks(&self) -> Vec<AttentionRow> {
        let (Order::Plain, Adder::Truncated(accumulator)) = (self.order, &self.adder) else { return Vec::new() };
        let value = self.value_below(self.value);
        let mut rows = Vec::new();
        for exponent in -12..0 {
            for share in [1.0, 0.984, 0.9375, 0.875, 0.75] {
                let other = self.value_below(value * share);
                let unit = power_of_two(exponent - accumulator.fraction as i32) * value / other;
                let weight = 0.999_99 * self.weights.truncate(0.999_999 * unit * power_of_two(self.weight_scale));
                let weight = weight * power_of_two(-self.weight_scale);
                let room = 1.0 - 1.001 * power_of_two(exponent);
                let many = ((room / weight) as u64).min(self.keys - 1);
                let first = 1.0 - many as f64 * weight;
                if weight > 0.0 && many > 0 && (power_of_two(exponent)..power_of_two(exponent + 1)).contains(&first) {
                    let mut kinds = vec![(0.0, value, 1), ((first / weight).ln(), other, many)];
                    if many < self.keys - 1 {
                        kinds.push((DEEP, value, self.keys - 1 - many));
                    }
                    rows.push(self.by_logits(&kinds));
                }
            }
        }
        rows
    }

    /// Weights that are rounded up for positive values, and down for negative ones.
    fn casts(&self) -> Vec<AttentionRow> {
        let u = self.weights.unit_roundoff();
        let value = self.value_below(self.value);
        let half = (self.keys - 1) / 2;
        let mut rows = Vec::new();
        for slack in [0.02, 0.1, 0.3] {
            let [up, down] = [1.0 + slack, 1.0 - slack].map(|share| 1.0 + u * share);
            match self.order {
                Order::Online(_) => {
                    for top in [value, -value] {
                        rows.push(self.by_logits(&[
                            (0.0, top, 1),
                            (-(0.5 * up).ln(), value, half),
                            (-(0.5 * down).ln(), -value, self.keys - 1 - half),
                        ]));
                    }
                }
                Order::Plain => {
                    // Weights of 2^−k(1 + u) together leave the first key the rest; where they are too many, some underflow.
                    let k = (self.keys as f64).log2().floor() as i32;
                    let weight = power_of_two(-k) * (1.0 + u);
                    let many = ((0.9995 / weight) as u64).min(self.keys - 1);
                    let top = 1.0 - many as f64 * weight;
                    let below = |weight: f64| -(weight * power_of_two(-k) / top).ln();
                    let kinds = [(up, value, many / 2), (down, -value, many - many / 2)];
                    let mut all = vec![(0.0, value, 1)];
                    all.extend(kinds.map(|(weight, value, count)| (below(weight), value, count)));
                    let largest = all.iter().map(|(below, ..)| *below).fold(f64::INFINITY, f64::min);
                    let mut all: Vec<_> =
                        all.into_iter().map(|(below, x, count)| (below - largest, x, count)).collect();
                    all.push((DEEP, value, self.keys - 1 - many));
                    rows.push(self.by_logits(&all));
                }
            }
        }
        rows
    }

    /// Weights that are all rounded up, and an output between two numbers of its format: both roundings add.
    fn one_sided(&self) -> Vec<AttentionRow> {
        let up = 1.0 + 1.02 * self.weights.unit_roundoff();
        let mut rows = Vec::new();
        for share in [0.55, 0.7, 0.8, 0.9, 0.97] {
            let value = self.value_below(share * self.value);
            for first in [-1.0, -0.6, -0.2, 0.2, 0.6, 1.0] {
                let first = self.value_below(first * self.value);
                match self.order {
                    Order::Online(_) => {
                        rows.push(self.by_logits(&[(0.0, first, 1), (-(0.5 * up).ln(), value, self.keys - 1)]))
                    }
                    Order::Plain => {
                        let weight = power_of_two(-((self.keys as f64).log2().floor() as i32)) * up;
                        let many = ((0.9995 / weight) as u64).min(self.keys - 1);
                        let top = 1.0 - many as f64 * weight;
                        let kinds =
                            [(-top.ln(), first, 1), (-weight.ln(), value, many), (DEEP, value, self.keys - 1 - many)];
                        let least = kinds[0].0.min(kinds[1].0);
                        rows.push(self.by_logits(&kinds.map(|(below, x, count)| (below - least, x, count))));
                    }
                }
            }
        }
        rows
    }

    /// Logits that err upwards for keys of positive values, and downwards for the others.
    fn moved(&self) -> Vec<AttentionRow> {
        let value = self.value_below(self.value);
        let half = self.keys / 2;
        let kinds = |below: [f64; 2]| [(below[0], value, half), (below[1], -value, self.keys - half)];
        let mut rows = Vec::new();
        if let Some(stored) = self.logits {
            let (_, largest) = self.even_query();
            let below = stored.round(largest * 0.98);
            let middle = below - stored.half_ulp(below.next_down());
            for slack in [1e-4, 1e-3, 1e-2] {
                let gap = slack * stored.half_ulp(middle);
                rows.push(self.below_largest(largest, &kinds([largest - middle - gap, largest - middle + gap])));
            }
        }
        // One large product, the others just below a unit of an accumulator, or just above half of one of binary32, of one sign for
        // half of the keys and of the other for the rest.
        let units = match &self.adder {
            Adder::Truncated(accumulator) => vec![0.999 * power_of_two(-(accumulator.fraction as i32))],
            Adder::Rounded(format) => vec![(1.0 + 2.0 * self.inputs.unit_roundoff()) * format.unit_roundoff()],
        };
        for unit in units {
            let longest = |length: f64| power_of_two((0.71 * length).log2().floor() as i32);
            let [q, k] = [self.query, self.key].map(longest);
            let other = longest(self.query / f64::from(self.dim).sqrt());
            let small = self.inputs.truncate(q * k * unit / other);
            let spread = |first: f64, rest: f64| {
                let mut vector = vec![rest; self.dim as usize];
                if let Some(component) = vector.first_mut() {
                    *component = first;
                }
                vector
            };
            let query = spread(q, self.inputs.truncate(other));
            rows.push(self.row(query, vec![spread(k, small), spread(k, -small)], &kinds([0.0; 2])));
        }
        rows
    }

    /// Keys that count in the first tile of this many, half of them beside a larger logit of the other half: it is there from the first
    /// in a longer tile, and later in a shorter one. Weights are rounded up in the one and are 1 in the other.
    pub(super) fn rising(&self, tile: u64) -> Vec<AttentionRow> {
        let value = self.value_below(self.value);
        let u = self.weights.unit_roundoff();
        let tile = tile.min(self.keys / 4).max(1);
        if self.keys < 2 * tile {
            return Vec::new();
        }
        let row = |(slack, share): (f64, f64)| {
            let below = -(0.5 * (1.0 + u * slack)).ln();
            let other = self.value_near(-share * value);
            self.by_logits(&[(below, value, tile), (0.0, other, tile), (DEEP, value, self.keys - 2 * tile)])
        };
        [(0.9, 1.0), (-0.9, 1.0), (0.9, 0.5), (-0.9, 0.5), (0.9, 0.0), (-0.9, 0.0)].map(row).into()
    }

    /// Weights and logits that err to one side together, of units so large that they count: beside a kernel that rounds to nearest in
    /// more bits.
    fn weights_and_logits(&self) -> Vec<AttentionRow> {
        if self.scales.is_some() || !matches!(&self.adder, Adder::Truncated(accumulator) if accumulator.fraction < 20) {
            return Vec::new();
        }
        let nearest = Adder::Rounded(Format::F32);
        let weights = Element::Wide(Format::F16);
        self.apart(&Self { adder: nearest, weights, weight_scale: 0, flush: None, logits: None, ..self.clone() })
    }

    /// The row with another value of one kind.
    pub(super) fn revalued(&self, row: &AttentionRow, steps: u32) -> impl Iterator<Item = AttentionRow> {
        (1..=steps).flat_map(move |step| {
            (0..row.kinds.len()).map(move |kind| {
                let mut row = row.clone();
                if let Some((_, value)) = row.kinds.get_mut(kind) {
                    *value = self.value_near(*value * (1.0 - f64::from(step) / 64.0));
                }
                row
            })
        })
    }

    /// The row with a second key that is its first one, of a small value: it moves the output by less than a unit.
    pub(super) fn beside_first(&self, row: &AttentionRow, steps: u32) -> impl Iterator<Item = AttentionRow> {
        (1..=steps).filter_map(move |step| {
            let mut row = row.clone();
            let (key, value) = row.kinds.first()?;
            let small = self.value_near(value * f64::from(step) / f64::from(16 * steps));
            let kind = (key.clone(), small);
            *row.members.get_mut(1)? = u8::try_from(row.kinds.len()).ok()?;
            row.kinds.push(kind);
            Some(row)
        })
    }

    /// Rows that drive each cause of error.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&'static str, AttentionRow)> {
        let causes = [
            ("values", self.sinks()),
            ("weights", self.casts()),
            ("weights", self.one_sided()),
            ("logits", self.moved()),
            ("weights", self.scaled_blocks()),
            ("weights", self.weights_and_logits()),
        ];
        causes.into_iter().flat_map(|(cause, rows)| rows.into_iter().map(move |row| (cause, row)))
    }

    /// The largest error that is found among rows that drive each cause of error.
    ///
    /// # Errors
    ///
    /// Where no theorem is about the kernel, or none of the rows fits its formats and lengths.
    pub fn search(&self) -> Result<Searched, Impossible> {
        let bound = self.bound()?;
        let rows: Vec<_> = self.rows().filter(|(_, row)| row.misfit(self).is_none()).collect();
        let judge = |(cause, row): (&'static str, AttentionRow)| {
            let (exact, computed) = (row.exact(self), row.computed(self));
            let error = ((computed - exact).abs() - EVALUATED * self.value).max(0.0);
            Searched { row, cause, exact, computed, error, bound }
        };
        let all: Vec<Searched> = rows.into_par_iter().map(judge).collect();
        // Of equal errors the first.
        let best = all.into_iter().reduce(|best, next| if next.error > best.error { next } else { best });
        let none = || Impossible::new("search", self.inputs, "a format in which a row fits the lengths stated");
        let best = best.filter(|best| best.error > 0.0).ok_or_else(none)?;
        Ok(self.rounded_on(best))
    }

    /// The row with another value of one kind, by which the last rounding adds to the error.
    fn rounded_on(&self, best: Searched) -> Searched {
        let mut found = best.clone();
        for row in self.revalued(&best.row, TUNED) {
            let (exact, computed) = (row.exact(self), row.computed(self));
            let error = ((computed - exact).abs() - EVALUATED * self.value).max(0.0);
            if error > found.error {
                found = Searched { row, exact, computed, error, ..found };
            }
        }
        found
    }
}
