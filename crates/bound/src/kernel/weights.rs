//! Errors of all weights together: exponentials, rescalings, and casts.

use super::Kernel;
use crate::attention::{Softmax, scaled_logit};
use crate::path::half;
use crate::quantity::plus_one;
use crate::upward::{Upper, sharp_unit, smallest, unit};
use posproof_numerics::format::power_of_two;
use posproof_numerics::{Float, Round};

impl Kernel {
    /// Exponentials of which a weight is the product: its own, and one for each rescaling.
    pub(super) fn chain(&self) -> u32 {
        u32::try_from(self.rescalings() + 1).unwrap_or(u32::MAX)
    }

    /// χ(x): what a weight errs by relatively whose logit is x below the largest (`rounding_online_weight`).
    pub(super) fn growth(&self, depth: Upper) -> Upper {
        let library = Upper::of(2.0) * Upper::of(self.kappa) * unit(self.softmax);
        library.repeat(self.chain()).compose((sharp_unit(self.softmax) * depth).expm1())
    }

    /// χ(ln n), which all weights err by together.
    pub(super) fn spread(&self) -> Upper {
        self.growth(Upper::of(Float::from(self.keys).ln(64, Round::Up).to_f64(Round::Up)))
    }

    /// σ: what a weight errs by absolutely: an underflow, or a flush to zero, of each exponential.
    pub(super) fn tiny(&self) -> Upper {
        let one = Upper::of(self.kappa) * smallest(self.softmax) + Upper::of(power_of_two(self.softmax.min_exponent()));
        let product = Upper::of(self.query) * Upper::of(self.key);
        // No two logits are further apart than twice the largest.
        let depth =
            Upper::of(2.0) * (scaled_logit(self.dim, self.softmax, product, product) + Upper::of(self.logit().value()));
        let grown = plus_one(self.growth(depth)) * plus_one(one.repeat(self.chain()));
        Upper::of(f64::from(self.chain())) * one * grown
    }

    /// (1 + v)^R − 1: the roundings of rescaled sums.
    pub(super) fn rescaled(&self, more: u64) -> Upper {
        sharp_unit(self.softmax).repeat(u32::try_from(self.rescalings() + more).unwrap_or(u32::MAX))
    }

    /// R: how far the sum of the exponentials is from the exact one, beside itself.
    pub(super) fn normaliser(&self) -> Upper {
        let terms = self.spread() + Upper::of(self.keys as f64) * self.tiny();
        self.rescaled(self.keys - 1).compose(terms)
    }

    /// ω and χ of the cast of a weight.
    pub(super) fn cast(&self) -> [Upper; 2] {
        let u = Upper::of(self.weights.unit_roundoff());
        let relative = u.over(1.0 + self.weights.unit_roundoff());
        [relative, half(Upper::of(self.weights.min_positive()).scaled(-self.weight_scale))]
    }

    /// W: what all unnormalised weights err by together, beside the sum of the exact ones; and the same by a cast that moves a weight by no
    /// more than itself (`rounding_online_cast`), which is less where most weights underflow.
    pub(super) fn unnormalised(&self) -> [Upper; 2] {
        let (keys, rescaled) = (Upper::of(self.keys as f64), self.rescaled(0));
        let factors = self.spread() + keys * self.tiny();
        let whole = (Upper::of(1.0) + factors + factors).compose(rescaled);
        if self.scales.is_some() {
            return [self.cast_blocks(factors.compose(rescaled), plus_one(rescaled)).min(whole), whole];
        }
        let [relative, absolute] = self.cast();
        let each = plus_one(relative.compose(rescaled)) * self.tiny() + absolute;
        let nearest = relative.compose(self.spread()).compose(rescaled) + keys * each;
        [nearest.min(whole), whole]
    }

    /// As `unnormalised`, of quotients in plain order.
    pub(super) fn quotients(&self) -> [Upper; 2] {
        let softmax = Softmax {
            format: self.softmax,
            kappa: self.kappa,
            terms: u32::try_from(self.keys).unwrap_or(u32::MAX),
            score_error: 0.0,
        };
        // Exponentials that are flushed to zero, and what their sum then lacks.
        let flushed = Upper::of(self.keys as f64) * Upper::of(power_of_two(self.softmax.min_exponent() + 2));
        let uncast = softmax.cast_weights([Upper::ZERO; 2]) + flushed;
        let whole = Upper::of(1.0) + uncast + uncast;
        let nearest = match self.scales {
            None => softmax.cast_weights(self.cast()) + flushed,
            Some(_) => self.cast_blocks(uncast, Upper::of(1.0)),
        };
        [nearest.min(whole), whole]
    }

    /// Errors of all weights in blocks once they are cast, of weights that err by so much before, and are scaled by at most
    /// a factor (`rounding_online_blocks`).
    pub(super) fn cast_blocks(&self, before: Upper, factor: Upper) -> Upper {
        let shares = self.scales.into_iter().flat_map(|scales| scales.shares(self.weight_scale));
        let error = |[share, lost]: [Upper; 2]| share.compose(before) + Upper::of(self.keys as f64) * lost * factor;
        shares.map(error).reduce(Upper::min).unwrap_or(before)
    }
}
