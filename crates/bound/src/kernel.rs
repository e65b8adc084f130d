//! Attention as kernels compute it: inputs of few bits, sums that matrix units truncate, softmax tile by tile.
//!
//! Query and keys are multiplied by a matrix unit, scaled, and maybe stored in a format of fewer bits. *Plain* order divides each
//! exponential by their sum, casts the weights, and sums the values. *Online* order casts the exponentials, sums values and
//! exponentials tile by tile, multiplies both where a tile has a larger logit, and divides at the end. Keys may be split into
//! parts, each with sums of its own, which are multiplied and added before that. A causal mask gives a
//! row fewer keys; a bound grows with their number, so that the last row has the largest.
//!
//! Exact attention is that of the inputs as they are stored. The bounds are those of `proofs/RoundingRescaled.v`:
//! with W for what all weights err by together, R for the normaliser, a and b for the sum, and X for the largest value,
//! 2·tanh(ε/2)·X + (1 + ω)·(X·W + a(X(1 + W) + b) + X·R)/(1 − R) + ωX + χ.

mod apart;
mod blocks;
mod compared;
mod difference;
mod emulated;
mod rotated;
mod scaled;
mod searched;
mod validation;
mod weights;

pub use blocks::Scales;
pub use compared::{Compared, Verdict, exact_outputs};
pub use emulated::AttentionRow;
pub use searched::Searched;

use super::accumulator::{Adder, AttainedSum, WeightedSum};
use super::attention::{gained, scaled_logit};
use super::origin::{Bound, Origin};
use super::path::half;
use super::program::Impossible;
use super::quantity::plus_one;
use super::upward::{Upper, sharp_unit, smallest};
use posproof_numerics::format::{exponent_of, power_of_two};
use posproof_numerics::narrow::Narrow;
use posproof_numerics::{Element, format::Format};
use serde::{Deserialize, Serialize};

/// The order in which weights are normalised and values summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Weights are quotients, and then cast.
    Plain,
    /// Exponentials are cast; the quotient is formed at the end, after tiles of so many keys.
    Online(u32),
}

/// Attention as a kernel computes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kernel {
    /// Components of a query: d.
    pub dim: u32,
    /// Keys that a query attends to: n.
    pub keys: u64,
    /// The format of queries and keys.
    pub inputs: Element,
    /// The format of values.
    pub values: Element,
    /// The format that weights are cast to.
    pub weights: Element,
    /// The format of the scales of blocks, of inputs, weights and values in E2M1 whose products an accumulator adds by blocks.
    #[serde(default)]
    pub scales: Option<Scales>,
    /// Weights are multiplied by 2 to this power before they are cast.
    pub weight_scale: i32,
    /// Addition of the products.
    pub adder: Adder,
    /// The accumulator of values is added to a binary32 register after so many keys.
    pub flush: Option<u64>,
    /// Order of normalising and summing.
    pub order: Order,
    /// Keys are split into so many parts, each with sums of its own, which are combined at the end; 1 where they are not.
    #[serde(default = "one")]
    pub splits: u32,
    /// The format that logits are stored in, where they are.
    pub logits: Option<Format>,
    /// The format of scale and softmax.
    pub softmax: Format,
    /// exp is within this many units in the last place: κ. Results below the normal range may be flushed to zero.
    pub kappa: f64,
    /// The format of the output.
    pub output: Format,
    /// ‖q‖ is at most this.
    pub query: f64,
    /// ‖k‖ is at most this, for every key.
    pub key: f64,
    /// No component of a value is larger.
    pub value: f64,
}

fn one() -> u32 {
    1
}

/// Keys of a tile of kernels in wide use.
const TILE: u32 = 128;

/// A bound and its parts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct KernelBound {
    /// |computed − exact| of a component of an output.
    pub output: Bound,
    /// |computed − exact| of a logit: ε.
    pub logit: Bound,
    /// The part of the logits' errors.
    pub from_logits: f64,
    /// The part of weights and normaliser.
    pub from_weights: f64,
    /// The part of the sum of values.
    pub from_values: f64,
}

impl Kernel {
    /// Inputs and weights of one format, queries and keys of length √d, values up to 1, softmax in f32, output in bf16, or in f16
    /// for inputs in f16; tiles of 128 keys.
    pub fn usual(inputs: Element, adder: Adder, dim: u32, keys: u64) -> Self {
        let length = f64::from(dim).sqrt().next_up();
        let output = if inputs == Element::Wide(Format::F16) { Format::F16 } else { Format::Bf16 };
        // As much as there is room for: what underflows of a weight is lost.
        let scaled = matches!(&adder, Adder::Truncated(accumulator) if accumulator.group > 1);
        let scales = (scaled && inputs == Element::Narrow(Narrow::E2m1)).then_some(Scales::E4m3);
        let weight_scale = match (inputs, scales) {
            (_, Some(scales)) => scales.weight_scale(),
            (Element::Narrow(narrow), None) => exponent_of(narrow.max_finite()),
            (Element::Wide(_), None) => 0,
        };
        Self {
            dim,
            keys,
            inputs,
            values: inputs,
            weights: inputs,
            scales,
            weight_scale,
            adder,
            flush: None,
            order: Order::Online(TILE),
            splits: 1,
            logits: None,
            softmax: Format::F32,
            kappa: 1.0,
            output,
            query: length,
            key: length,
            value: 1.0,
        }
    }

    /// The kernel with other scales, and weights that are multiplied by what these leave room for.
    pub fn with_scales(self, scales: Scales) -> Self {
        Self { scales: Some(scales), weight_scale: scales.weight_scale(), ..self }
    }

    /// The dot product of a query and a key.
    fn score_sum(&self) -> WeightedSum {
        let largest = [self.query, self.key].map(|length| match self.scales {
            None => length.min(self.inputs.max_finite()),
            // The smallest number is half of its scale.
            Some(_) => 2.0 * length,
        });
        let (adder, terms) = (self.adder.clone(), u64::from(self.dim));
        WeightedSum { adder, elements: [self.inputs; 2], terms, flush: None, largest }
    }

    /// The weighted sum of values, of weights as they are scaled.
    fn value_sum(&self) -> WeightedSum {
        let (adder, elements) = (self.adder.clone(), [self.weights, self.values]);
        let value = if self.scales.is_some() { 2.0 * self.value } else { self.value };
        let largest = [power_of_two(self.weight_scale), value];
        WeightedSum { adder, elements, terms: self.part_keys(), flush: self.flush, largest }
    }

    /// A sum of weighted values on which the matrix unit loses nearly what its bound allows.
    ///
    /// # Errors
    ///
    /// Where no theorem is about the sum, or sums are rounded to nearest.
    pub fn attained_sum(&self) -> Result<AttainedSum, Impossible> {
        let sum = self.value_sum();
        match self.scales {
            None => sum.attained(),
            // Six times the scale is the largest number.
            Some(scales) => {
                let most = [scales.of_largest(sum.largest[0]), self.value_near(self.value) / 6.0];
                WeightedSum { largest: most, ..sum }.attained()
            }
        }
    }

    /// Keys of a part: whole tiles, as many in each part but the last.
    fn part_keys(&self) -> u64 {
        match self.order {
            Order::Plain => self.keys,
            Order::Online(tile) => {
                let tile = u64::from(tile.max(1));
                let tiles = self.keys.div_ceil(tile).div_ceil(u64::from(self.splits.max(1)));
                tiles.saturating_mul(tile).min(self.keys)
            }
        }
    }

    /// Parts that have a key.
    fn parts(&self) -> u64 {
        self.keys.div_ceil(self.part_keys().max(1))
    }

    /// Multiplications of a sum: one for each tile of a part but the first, and one where parts are combined.
    fn rescalings(&self) -> u64 {
        match self.order {
            Order::Plain => 0,
            Order::Online(tile) => {
                self.part_keys().div_ceil(u64::from(tile.max(1))).saturating_sub(1) + u64::from(self.parts() > 1)
            }
        }
    }

    /// ε: |computed − exact| of a logit. `rounding_accumulator` for the dot product, `rounding_logit` for the scale.
    pub fn logit(&self) -> Bound {
        let product = Upper::of(self.query) * Upper::of(self.key);
        let sum = self.score_sum();
        let score = sum.slope() * product + sum.floor();
        let computed = scaled_logit(self.dim, self.softmax, product, score);
        Bound::of(self.stored_logit(computed), Origin::Theorem("rounding_logit"))
    }

    /// The error of a logit that is stored in a format of its own, of one that errs by so much before.
    fn stored_logit(&self, computed: Upper) -> Upper {
        let Some(stored) = self.logits else { return computed };
        // Half a unit of what was computed, which is at most the largest exact logit and its error.
        let product = Upper::of(self.query) * Upper::of(self.key);
        let largest = scaled_logit(self.dim, self.softmax, product, product);
        computed + sharp_unit(stored) * (largest + computed) + half(smallest(stored))
    }

    /// Instructions of a group before which the accumulator may be multiplied: one for each tile that it has keys of.
    fn rescaled_instructions(&self) -> u64 {
        let tiles = match (self.order, self.flush) {
            (Order::Online(tile), Some(flush)) => flush.div_ceil(u64::from(tile.max(1))) + 1,
            _ => u64::MAX,
        };
        tiles.min(self.rescalings())
    }

    /// a and a·b of the sum of values, for weights up to 1.
    fn summed(&self) -> [Upper; 2] {
        let sum = self.value_sum();
        let online = self.rescalings() > 0;
        let [slope, floor] =
            if online { sum.rescaled(self.rescaled_instructions()) } else { [sum.slope(), sum.floor()] };
        // No accumulator is scaled by more than 2 in the end.
        let floor = if online { Upper::of(2.0) * floor } else { floor };
        // A rescaled accumulator may underflow.
        let underflows = Upper::of(self.rescalings() as f64) * smallest(self.softmax);
        let parts = Upper::of(self.parts() as f64);
        [slope + self.part_registers(), (parts * (floor + underflows)).scaled(-self.weight_scale)]
    }

    /// Relative error of the register of the softmax's format that parts are added to.
    fn part_registers(&self) -> Upper {
        Upper::of(self.parts().saturating_sub(1) as f64) * sharp_unit(self.softmax)
    }

    /// As `summed`, of the products as a matrix unit shrinks them (`rounding_accumulator_shrunk`): what is left is registers.
    fn shrunk(&self) -> Option<[Upper; 2]> {
        let Adder::Truncated(_) = &self.adder else { return None };
        let flushes = self.flush.map_or(1, |flush| self.part_keys().div_ceil(flush.max(1)));
        let register = |count: u64, format| Upper::of(count.saturating_sub(1) as f64) * sharp_unit(format);
        // A slope of 0 has no floor in the theorem.
        let slope = register(flushes, Format::F32) + register(self.parts(), self.softmax) + smallest(self.softmax);
        let underflows = Upper::of(self.rescalings() as f64) * smallest(self.softmax);
        Some([slope, (Upper::of(self.parts() as f64) * underflows).scaled(-self.weight_scale)])
    }

    /// The bound of a component of an output.
    ///
    /// # Errors
    ///
    /// Where no theorem is about the kernel.
    pub fn bound(&self) -> Result<KernelBound, Impossible> {
        self.validate()?;
        let bound = self.with_logits(self.logit(), Upper::ZERO);
        // What is rounded last is no larger than this.
        let largest = Upper::of(self.value) + Upper::of(bound.from_weights) + Upper::of(bound.from_values);
        if largest.get() > self.output.max_finite() {
            let expected = format!("so small that no output overflows {}", self.output);
            return Err(Impossible::new("largest value", self.value, expected));
        }
        Ok(bound)
    }

    /// The bound for logits within one of their own, and values that differ by so much from the exact ones.
    fn with_logits(&self, logit: Bound, values_moved: Upper) -> KernelBound {
        let x = Upper::of(self.value);
        let moved = gained(Upper::of(logit.value())) * x;
        let rounded = sharp_unit(self.output);
        let tiny = half(smallest(self.output));
        // Weights as they are cast, and sums as they lose; or both, which together lose no more than all weights.
        let pairs = |nearest: Upper, whole: Upper| {
            std::iter::once((nearest, self.summed())).chain(self.shrunk().map(|sums| (whole, sums)))
        };
        let smaller = |one: [Upper; 2], other: [Upper; 2]| {
            if (other[0] + other[1]).get() < (one[0] + one[1]).get() { other } else { one }
        };
        let (parts, cast, theorem) = match self.order {
            Order::Online(_) => {
                let ([nearest, whole], r) = (self.unnormalised(), self.normaliser());
                let below = (1.0 - r.get()).next_down();
                let part = |(w, [slope, floor]): (Upper, [Upper; 2])| {
                    [(x * w + x * r).over(below), (slope * (x * plus_one(w)) + floor).over(below)]
                };
                // The quotient is rounded in the softmax's format, or a reciprocal and a product, and cast.
                let cast = rounded.compose(sharp_unit(self.softmax).repeat(2));
                (pairs(nearest, whole).map(part).reduce(smaller), cast, "rounding_attention_online")
            }
            Order::Plain => {
                let [nearest, whole] = self.quotients();
                let part = |(w, [slope, floor]): (Upper, [Upper; 2])| [w * x, slope * (plus_one(w) * x) + floor];
                (pairs(nearest, whole).map(part).reduce(smaller), rounded, "rounding_attention_summed")
            }
        };
        let [weights, values] = parts.unwrap_or([Upper::of(f64::INFINITY); 2]);
        let computed = weights + values;
        let output = moved + values_moved + plus_one(cast) * computed + cast * x + tiny;
        KernelBound {
            output: Bound::of(output, Origin::Theorem(theorem)),
            logit,
            from_logits: moved.get(),
            from_weights: weights.get(),
            from_values: values.get(),
        }
    }
}
