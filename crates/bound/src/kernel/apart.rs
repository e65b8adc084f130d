//! Rows on which two kernels compute other weights from the same inputs.
//!
//! A weight between two numbers of its format is rounded down by one kernel and up by the other, where their logits differ by as little as
//! that takes: one kernel loses small products beside a large one. Or their largest logits differ, as other tiles and parts see
//! others; or one divides by the sum of the exponentials before the cast. Where a weight is rounded down to just below a unit of an
//! accumulator, and up to that unit, one kernel loses what the other keeps.

mod rows;

use super::{AttentionRow, Kernel};
use crate::accumulator::Adder;
use posproof_numerics::format::{exponent_of, power_of_two};

/// A query with a large component, components on finer grids by which a logit is placed, and small ones.
struct Layout {
    query: Vec<f64>,
    large: usize,
    fine: [usize; 3],
    small: f64,
}

/// Small products of a key: how many, and a component of each.
#[derive(Clone, Copy)]
struct Dust {
    count: usize,
    component: f64,
}

const NONE: Dust = Dust { count: 0, component: 0.0 };

/// Shares of 1 by which a weight is beside the middle of two numbers.
const BESIDE: f64 = 5e-4;

/// A key, its logit in either kernel, the weights that follow, and what they are cast to.
#[derive(Clone)]
struct Placed {
    key: Vec<f64>,
    weights: [f64; 2],
    cast: [f64; 2],
}

impl Layout {
    /// Components of length `length` of which some are large, if the format has them.
    fn new(kernel: &Kernel, large: usize, small: f64) -> Option<Self> {
        let dim = kernel.dim as usize;
        if kernel.scales.is_some() || dim < 8 || large >= dim - 3 || small <= 0.0 {
            return None;
        }
        let fine = [dim - 3, dim - 2, dim - 1];
        let first = power_of_two((0.71 * kernel.query).log2().floor() as i32);
        let mut query = vec![small; dim];
        *query.get_mut(large)? = first;
        for (place, bits) in fine.into_iter().zip([3, 7, 11]) {
            *query.get_mut(place)? =
                kernel.inputs.truncate(first * power_of_two(-bits)).max(kernel.inputs.min_positive());
        }
        Some(Self { query, large, fine, small })
    }

    /// Layouts: small components as large as there is room for, or near the smallest number where both adders have that many bits.
    fn all([kernel, other]: [&Kernel; 2]) -> Vec<Self> {
        let dim = f64::from(kernel.dim);
        let first = power_of_two((0.71 * kernel.query).log2().floor() as i32);
        let room = (kernel.query * kernel.query - 1.02 * first * first).max(0.0);
        let much = kernel.inputs.truncate(0.97 * (room / dim).sqrt());
        let little = 3.0 * kernel.inputs.min_positive();
        let wide = |adder: &Adder| !matches!(adder, Adder::Truncated(accumulator) if accumulator.fraction < 20);
        let small = match wide(&kernel.adder) && wide(&other.adder) {
            true => little,
            false => Self::just_below_a_power(kernel, much),
        };
        // An instruction of one adder may have the large product before the small ones, and that of another after.
        let places = [0, (kernel.dim as usize / 4).saturating_sub(1)];
        // Keys with the same logits need one layout.
        let some = if kernel.scores_as(other) { 1 } else { places.len() };
        places.into_iter().take(some).filter_map(|large| Self::new(kernel, large, small)).collect()
    }

    /// The number, of the binade up to this one, that has the largest product below a power of two with another of the format.
    fn just_below_a_power(kernel: &Kernel, most: f64) -> f64 {
        let mut best = (0.0, most);
        let mut number = most;
        while number > 0.5 * most {
            let other = kernel.inputs.truncate(1.0 / number);
            let other = if other * number < 1.0 { other } else { kernel.inputs.truncate(other.next_down()) };
            if other * number > best.0 {
                best = (other * number, number);
            }
            // Of wide formats a few are enough.
            number =
                kernel.inputs.truncate(number.next_down().min(number * (1.0 - 1.0 / 32.0)).max(number - 0.07 * most));
        }
        best.1
    }

    /// A key whose dot product with the query is near the target.
    fn key(&self, kernel: &Kernel, dust: Dust, target: f64) -> Vec<f64> {
        let mut key = vec![0.0; self.query.len()];
        let places = (0..self.query.len()).filter(|place| *place != self.large && !self.fine.contains(place));
        for place in places.take(dust.count) {
            key[place] = dust.component;
        }
        let mut rest = target - dust.count as f64 * dust.component * self.small;
        for place in std::iter::once(self.large).chain(self.fine) {
            let component = kernel.inputs.round((rest / self.query[place]).clamp(-kernel.key, kernel.key));
            rest -= component * self.query[place];
            key[place] = component;
        }
        key
    }
}

/// Two kernels, and a layout of queries.
struct KernelPair<'a> {
    kernels: [&'a Kernel; 2],
    layout: &'a Layout,
}

impl KernelPair<'_> {
    fn root(&self) -> f64 {
        f64::from(self.kernels[0].dim).sqrt()
    }

    /// The logit of a key in either kernel.
    fn logits(&self, key: &[f64]) -> [f64; 2] {
        self.kernels.map(|kernel| {
            let row = AttentionRow {
                query: self.layout.query.clone(),
                kinds: vec![(key.to_vec(), 0.0)],
                members: Vec::new(),
            };
            row.logits(kernel).first().copied().unwrap_or(f64::NAN)
        })
    }

    /// The largest component of a key whose logit is the largest of a row.
    fn top(&self) -> f64 {
        1.125 * power_of_two((0.8 * self.kernels[0].key).log2().floor() as i32)
    }

    /// Components whose products with small ones one of the adders loses beside a product of that size.
    fn components(&self, product: f64) -> Vec<f64> {
        let [kernel, _] = self.kernels;
        let mut all = Vec::new();
        for adder in self.kernels.map(|kernel| &kernel.adder) {
            let unit = match adder {
                Adder::Truncated(accumulator) => {
                    0.999 * power_of_two(exponent_of(product) - accumulator.fraction as i32)
                }
                Adder::Rounded(_) => 1.5 * power_of_two(exponent_of(product) - 23),
            };
            let component = kernel.inputs.truncate(unit / self.layout.small);
            let component = if component == 0.0 { kernel.inputs.min_positive() } else { component };
            if !all.contains(&component) {
                all.push(component);
            }
        }
        all
    }

    /// Small products beside the largest logit: none, some and many, of either sign.
    fn dusts(&self, product: f64, counts: &[usize]) -> Vec<Dust> {
        let components = self.components(product).into_iter().flat_map(|component| [component, -component]);
        components.flat_map(|component| counts.iter().map(move |count| Dust { count: *count, component })).collect()
    }

    /// A key whose weights beside logits of other keys are in the middle of the two kernels' near a target.
    fn placed(&self, top: [f64; 2], dust: Dust, weight: f64, side: Option<usize>) -> Placed {
        let [kernel, _] = self.kernels;
        let middle = |relative: [f64; 2]| side.map_or((relative[0] + relative[1]) / 2.0, |side| relative[side]);
        let mut target = (top[0] + weight.ln()) * self.root();
        let mut key = self.layout.key(kernel, dust, target);
        let mut relative = [0.0; 2];
        for _ in 0..3 {
            let logits = self.logits(&key);
            relative = [logits[0] - top[0], logits[1] - top[1]];
            target += (weight.ln() - middle(relative)) * self.root();
            key = self.layout.key(kernel, dust, target);
        }
        let logits = self.logits(&key);
        if middle([logits[0] - top[0], logits[1] - top[1]]).is_finite() {
            relative = [logits[0] - top[0], logits[1] - top[1]];
        }
        let weights = relative.map(f64::exp);
        let cast = [0, 1].map(|side| self.kernels[side].cast_near(weights[side]));
        Placed { key, weights, cast }
    }
}

impl Kernel {
    /// The number that an exponential is cast to; in plain order, where the sum of all is a power of two.
    fn cast_near(&self, weight: f64) -> f64 {
        self.weights.round(weight * power_of_two(self.weight_scale)) * power_of_two(-self.weight_scale)
    }

    /// Middles of neighbours of the weights' format, from 1/2 to 1.
    fn middles(&self) -> Vec<f64> {
        let bits = self.weights.precision().min(4);
        let unit = 2.0 * self.weights.unit_roundoff();
        // Of many numbers the first, whose units are the largest beside them.
        let steps = (1u32 << (bits - 1)).min(8);
        (0..steps).map(|step| 0.5 * (1.0 + (f64::from(step) + 0.5) * unit)).collect()
    }

    /// Rows on which the weights of the kernels differ.
    pub(super) fn apart(&self, other: &Self) -> Vec<AttentionRow> {
        let mut rows = Vec::new();
        for layout in Layout::all([self, other]) {
            let pair = KernelPair { kernels: [self, other], layout: &layout };
            pair.even(&mut rows);
            pair.beside_sinks(&mut rows);
            pair.of_other_tops(&mut rows);
            pair.of_quotients(&mut rows);
        }
        rows
    }
}
