//! Distance of two kernels' outputs, at most: what they share counts once or not at all.
//!
//! Two outputs are within the sum of their bounds. Four things make that smaller. Logits that are computed alike have no part in it. No weight is
//! rounded and underflows at once. Parts of the keys, and tiles, are scaled by at most 1, and each part has an
//! exponential of 1: so they have one floor together. And where results have as many bits as are kept, a unit is that of a power of two 2^m.
//! With λ for an instruction's share and N instructions, what is lost is at most Nλ·2^m; and what makes the unit is there
//! beside what is lost, (1 − λ)·2^m + lost ≤ Σ + Nλ·2^E₀. The lengths stated are often powers of two, where that halves the loss.

use super::{Kernel, KernelBound, Order};
use crate::attention::{gained, scaled_logit};
use crate::origin::{Bound, Origin};
use crate::quantity::plus_one;
use crate::upward::{Upper, sharp_unit, smallest, unit};

/// The derivation of a difference to which logits add nothing.
pub(super) const SAME_LOGITS: &str = "each is within its bound of exact attention with the same computed logits";
const OTHER_LOGITS: &str =
    "each is within its bound of exact attention with its computed logits, which are near each other";
const SAME_WEIGHTS: &str = "the same weights, summed in two ways";
const SAME_OUTPUT: &str = "each is within its bound of the same exact output";

impl Kernel {
    /// True where logits, weights and normaliser are computed alike, step by step: the kernels differ in the sum of values alone.
    fn weighs_as(&self, other: &Self) -> bool {
        let alike = Self { flush: self.flush, output: self.output, ..other.clone() };
        alike == *self
    }

    /// True where the same logits are computed, bit by bit: each is the work of one query and one key.
    pub(super) fn scores_as(&self, other: &Self) -> bool {
        (&self.adder, self.logits, self.softmax) == (&other.adder, other.logits, other.softmax)
    }

    /// Distance of an output from exact attention with the logits as they are computed, by the theorems of one kernel.
    fn beyond_logits(&self) -> Upper {
        let none = Bound::of(Upper::ZERO, Origin::Derived(SAME_LOGITS));
        Upper::of(self.with_logits(none, Upper::ZERO).output.value())
    }

    /// ε, of units that are powers of two.
    pub(super) fn aligned_logit(&self) -> Upper {
        let product = Upper::of(self.query) * Upper::of(self.key);
        let sum = self.score_sum();
        let aligned = sum.aligned(product).map(|score| scaled_logit(self.dim, self.softmax, product, score));
        let whole = Upper::of(self.logit().value());
        aligned.map_or(whole, |computed| whole.min(self.stored_logit(computed)))
    }

    /// Error of all weights together, no weight of which is rounded and underflows at once.
    fn weighed(&self) -> Upper {
        let [nearest, _] = match self.order {
            Order::Online(_) => self.unnormalised(),
            Order::Plain => return self.quotients()[0],
        };
        if self.scales.is_some() {
            return nearest;
        }
        let (keys, rescaled) = (Upper::of(self.keys as f64), self.rescaled(0));
        let [relative, absolute] = self.cast();
        // The largest weight is 1, to some units of the softmax's format, and so a number of the cast's format.
        let first = Upper::of(self.kappa) * unit(self.softmax);
        let worst = relative.max(keys * absolute) + first;
        let sharper =
            worst.compose(self.spread()).compose(rescaled) + keys * plus_one(worst.compose(rescaled)) * self.tiny();
        nearest.min(sharper)
    }

    /// a and a·b of the sum of values, for weights up to 1 and a normaliser of 1 for each part.
    fn summed_by_parts(&self) -> [Upper; 2] {
        let [slope, floor] = self.summed();
        if self.scales.is_some() {
            return [slope, floor];
        }
        let sum = self.value_sum();
        if self.rescalings() == 0 {
            return [slope, floor.min(sum.floor().scaled(-self.weight_scale))];
        }
        let [_, each] = sum.rescaled(self.rescaled_instructions());
        // A factor is at most 1, but for the errors of exponentials and of products.
        let up = plus_one(self.rescaled(0).compose(self.growth(Upper::ZERO)));
        let underflows = Upper::of(self.parts() as f64) * Upper::of(self.rescalings() as f64) * smallest(self.softmax);
        [slope, floor.min((up * each + underflows).scaled(-self.weight_scale))]
    }

    /// Distance of an output, before it is rounded, from exact attention with the logits as they are computed.
    fn beyond_computed_logits(&self) -> Upper {
        let x = Upper::of(self.value);
        let w = self.weighed();
        let [slope, floor] = self.summed_by_parts();
        let mass = plus_one(w) * x;
        match self.order {
            Order::Online(_) => {
                let r = self.normaliser();
                let below = (1.0 - r.get()).next_down();
                (x * w + x * r + slope * mass + floor).over(below)
            }
            Order::Plain => {
                let lost = slope * mass + floor;
                let scaled = mass.scaled(self.weight_scale);
                let aligned = self.value_sum().aligned(scaled).map(|lost| lost.scaled(-self.weight_scale));
                w * x + aligned.map_or(lost, |aligned| lost.min(aligned))
            }
        }
    }

    /// Rounding of an output: relative and absolute.
    fn rounded_output(&self) -> [Upper; 2] {
        let divided = match self.order {
            Order::Online(_) => sharp_unit(self.softmax).repeat(2),
            Order::Plain => Upper::ZERO,
        };
        [sharp_unit(self.output).compose(divided), smallest(self.output)]
    }

    /// Bound on the difference of two sums of the same weights and values, of kernels that differ in how these are summed: both losses, or all
    /// weights, of which a matrix unit keeps a part, and registers.
    fn summed_otherwise(&self, other: &Self) -> Upper {
        let x = Upper::of(self.value);
        let (w, below) = match self.order {
            Order::Online(_) => (self.weighed(), (1.0 - self.normaliser().get()).next_down()),
            Order::Plain => (self.quotients()[0], 1.0),
        };
        let mass = x * plus_one(w);
        let loss = |[slope, floor]: [Upper; 2]| slope * mass + floor;
        let both = loss(self.summed_by_parts()) + loss(other.summed_by_parts());
        let kept = self.shrunk().zip(other.shrunk()).map(|(one, other)| mass + loss(one) + loss(other));
        kept.map_or(both, |kept| kept.min(both)).over(below)
    }

    /// By how much outputs of two kernels of the same inputs may differ.
    pub(super) fn may_differ(&self, other: &Self, each: [KernelBound; 2]) -> Bound {
        let [a, b] = each.map(|bound| Upper::of(bound.output.value()));
        let mut bound = Bound::of(a + b, Origin::Derived(SAME_OUTPUT));
        let mut sharper = |error: Upper, reason| {
            if error.get() < bound.value() {
                bound = Bound::of(error, Origin::Derived(reason));
            }
        };
        let apart = self.apart_beyond_logits(other);
        if self.scores_as(other) {
            sharper(apart, SAME_LOGITS);
        } else {
            let logits = gained(self.aligned_logit() + other.aligned_logit()) * Upper::of(self.value);
            sharper(logits + apart, OTHER_LOGITS);
        }
        if self.weighs_as(other) {
            sharper(self.summed_otherwise(other) + self.last_rounding() + other.last_rounding(), SAME_WEIGHTS);
        }
        bound
    }

    /// By how much outputs of two kernels with the same computed logits may differ, keys and their values in any order for either.
    pub(super) fn apart_beyond_logits(&self, other: &Self) -> Upper {
        let each = |kernel: &Self| kernel.beyond_logits().min(kernel.beyond_computed_logits() + kernel.last_rounding());
        each(self) + each(other)
    }

    /// By how much the last rounding moves an output that is within its bound of one no larger than the values.
    fn last_rounding(&self) -> Upper {
        let [relative, absolute] = self.rounded_output();
        relative * (Upper::of(self.value) + self.beyond_computed_logits()) + absolute
    }
}
