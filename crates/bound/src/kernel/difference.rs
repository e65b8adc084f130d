//! Distance of two kernels' outputs, at most: what they share counts once or not at all.
//!
//! Two outputs are within the sum of their bounds. Five things make that smaller. Logits that are computed alike have no part in it. No weight is
//! rounded and underflows at once. Parts of the keys, and tiles, are scaled by at most 1, and each part has an
//! exponential of 1: so they have one floor together. And where results have as many bits as are kept, a unit is that of a power of two 2^m.
//! With λ for an instruction's share and N instructions, what is lost is at most Nλ·2^m; and what makes the unit is there
//! beside what is lost, (1 − λ)·2^m + lost ≤ Σ + Nλ·2^E₀. The lengths stated are often powers of two, where that halves the loss.
//! And two sums that are truncated towards zero move apart by what one loses of negative products, and the other of positive ones
//! (`accumulator/sign.rs`): a key has one sign, so that together they hardly lose more than one of them may.

use super::{Kernel, KernelBound, Order};
use crate::accumulator::OneSign;
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

    /// ε, of units that are powers of two, of products of one sign: a part of all from 0 to 1.
    fn logit_of_sign(&self, part: f64) -> Upper {
        let product = Upper::of(self.query) * Upper::of(self.key);
        let sum = self.score_sum();
        let scaled = |score: Upper| self.stored_logit(scaled_logit(self.dim, self.softmax, product, score));
        let one_sign =
            sum.lost_of(OneSign { part, mass: product, rescalings: 0 }).map(|lost| scaled(lost + sum.floor()));
        let aligned = sum.aligned(part, product).map(scaled);
        let all = one_sign.into_iter().chain(aligned);
        all.fold(Upper::of(self.logit().value()), Upper::min)
    }

    /// By how much logits of the same query and key may differ.
    pub(super) fn logits_apart(&self, other: &Self) -> Upper {
        apart([1.0; 2], |part| self.logit_of_sign(part), |part| other.logit_of_sign(part))
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

    /// Loss of the sum of values by products of one sign, a part of all of a group from 0 to 1, beside a normaliser of 1 before it errs;
    /// by products of either sign for `None`.
    fn lost_of_sign(&self, part: Option<f64>) -> Upper {
        let mass = plus_one(self.weighed()) * Upper::of(self.value);
        let [slope, floor] = self.summed_by_parts();
        let (sum, mut lost) = (self.value_sum(), slope * mass + floor);
        if self.scales.is_some() {
            return lost;
        }
        let scaled = mass.scaled(self.weight_scale);
        let mut sharper = |error: Upper| lost = lost.min(error);
        if self.order == Order::Plain
            && let Some(aligned) = sum.aligned(part.unwrap_or(1.0), scaled)
        {
            sharper(aligned.scaled(-self.weight_scale));
        }
        if let Some(part) = part {
            let rescalings = if self.rescalings() > 0 { self.rescaled_instructions() } else { 0 };
            let registers = self.part_registers() * mass + floor;
            let one_sign = sum.lost_of(OneSign { part, mass: scaled, rescalings });
            one_sign.into_iter().for_each(|lost| sharper(lost.scaled(-self.weight_scale) + registers));
        }
        lost
    }

    /// Keys after which the accumulator of values is cleared, as a part of all.
    fn cleared_after(&self) -> f64 {
        self.value_sum().group_terms() as f64 / self.keys as f64
    }

    /// Distance of an output, before it is rounded, from exact attention with the logits as they are computed, of a sum that loses so much.
    fn beyond_computed_logits(&self, lost: Upper) -> Upper {
        let x = Upper::of(self.value);
        let w = self.weighed();
        match self.order {
            Order::Online(_) => {
                let r = self.normaliser();
                (x * w + x * r + lost).over((1.0 - r.get()).next_down())
            }
            Order::Plain => w * x + lost,
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
            let logits = gained(self.logits_apart(other)) * Upper::of(self.value);
            sharper(logits + apart, OTHER_LOGITS);
        }
        if self.weighs_as(other) {
            sharper(self.summed_otherwise(other) + self.last_rounding() + other.last_rounding(), SAME_WEIGHTS);
        }
        bound
    }

    /// By how much outputs of two kernels with the same computed logits may differ, keys and their values in any order for either.
    pub(super) fn apart_beyond_logits(&self, other: &Self) -> Upper {
        let of_sign = |kernel: &Self, part: Option<f64>| {
            kernel.beyond_computed_logits(kernel.lost_of_sign(part)) + kernel.last_rounding()
        };
        let each = |kernel: &Self| kernel.beyond_logits().min(of_sign(kernel, None));
        let groups = [self, other].map(Self::cleared_after);
        let together = apart(groups, |part| of_sign(self, Some(part)), |part| of_sign(other, Some(part)));
        together.min(each(self) + each(other))
    }

    /// By how much the last rounding moves an output that is within its bound of one no larger than the values.
    fn last_rounding(&self) -> Upper {
        let [relative, absolute] = self.rounded_output();
        relative * (Upper::of(self.value) + self.beyond_computed_logits(self.lost_of_sign(None))) + absolute
    }
}

/// Parts that the products of one sign are counted in.
const PARTS: u32 = 128;

/// The largest sum of an error of products of one sign, a part of all of a group, and of another of products of the other sign; either grows
/// with its part. Groups have these parts of all products.
fn apart([group, others]: [f64; 2], one: impl Fn(f64) -> Upper, other: impl Fn(f64) -> Upper) -> Upper {
    // Between two counts neither is larger than at the end with more of its sign; a part is rounded up.
    let of = |parts: u32| f64::from(parts) / f64::from(PARTS);
    let left = |parts: u32| ((1.0 - of(parts - 1) * group) / others * (1.0 + 4.0 * f64::EPSILON)).min(1.0);
    (1..=PARTS).map(|parts| one(of(parts)) + other(left(parts))).fold(Upper::ZERO, Upper::max)
}
