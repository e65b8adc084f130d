//! Softmax, logits and outputs of attention, and attention over permuted tokens.
//!
//! The shifted softmax that software computes and Blanchard, Higham and Higham 2021 analyse: a = max ŝ_j, d_j =
//! fl(ŝ_j − a), e_j = exp(d_j) within κ ulp, S = fl(Σ e_j) in any order, p̂_j = fl(e_j/S). Their analysis drops terms of
//! second order and takes the worst d_j of all; here nothing is dropped, and the errors of the exponents average out
//! (`proofs/RoundingSoftmax.v`). With u, v = u/(1 + u), η the smallest positive number, D_j = max ŝ − ŝ_j,
//! g(x) = (1 + 2κu)·e^(vx) − 1 and R = (1 + (n − 1)v)(1 + g(ln n) + nκη) − 1 < 1:
//!
//! * |p̂_j − p_j| ≤ (1 + ω)((g(D_j) + R)p_j + κη)/(1 − R) + ω·p_j + χ for the weights p_j of the computed scores,
//!   ω = v and χ = η/2, or with a cast to C ω = (1 + v)(1 + v_C) − 1 and χ = (1 + v_C)η/2 + η_C/2;
//! * Σ_j |p̂_j − p_j| ≤ (1 + ω)(g(ln n) + R + nκη)/(1 − R) + ω + nχ: the spread of the scores does not matter;
//! * scores within ε of the exact ones change a weight by at most min((e^(2ε) − 1)p_j, tanh(ε/2)), and all weights
//!   together by at most 2·tanh(ε/2) (`rounding_softmax_scores`).

mod keys;
mod probable;
mod program;
mod search;
mod simulated;

pub use keys::{ByKey, Keys};
pub use probable::Probable;
pub(super) use program::scaled_logit;
pub use program::{Accumulation, Attention, Products};
pub use search::Found;

use super::origin::{Bound, Origin};
use super::path::half;
use super::quantity::plus_one;
use super::upward::{Upper, sharp_unit, smallest, unit};
use posproof_numerics::format::Format;
use posproof_numerics::{Float, Interval, Round};

/// A softmax of computed scores, in one format.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Softmax {
    /// The format of scores, exponentials, sum and weights.
    pub format: Format,
    /// exp is within this many units in the last place; 1/2 is correct rounding.
    pub kappa: f64,
    /// Number of scores: n ≥ 1.
    pub terms: u32,
    /// The scores are within this of the exact ones: ε. 0 where the computed scores are what is meant.
    pub score_error: f64,
}

/// tanh(ε/2) = (e^ε − 1)/(e^ε + 1): by how much a set of weights can gain.
fn shifted_mass(epsilon: Upper) -> Upper {
    // From here on the quotient rounds up to 1.
    if epsilon.get() >= 64.0 {
        return Upper::of(1.0);
    }
    let epsilon = Float::from_f64(epsilon.get());
    let ends = [Round::Down, Round::Up].map(|round| epsilon.exp_m1(128, round));
    let [lower, upper] = ends;
    let grown = Interval::new(lower, upper).at(128);
    Upper::of((grown.clone() / (grown + Interval::from(2))).upper_f64()).min(Upper::of(1.0))
}

/// 2·tanh(ε/2): by how much all weights together move where no logit moves by more than ε.
pub(super) fn gained(epsilon: Upper) -> Upper {
    let moved = shifted_mass(epsilon);
    moved + moved
}

/// Error of a rounded quotient, at most: relative and absolute, ω and χ.
#[derive(Clone, Copy)]
struct Rounding {
    relative: Upper,
    absolute: Upper,
}

impl Rounding {
    /// One rounding: v and η/2.
    fn to(format: Format) -> Self {
        Self { relative: sharp_unit(format), absolute: half(smallest(format)) }
    }

    /// Another rounding on top (`near_fl` in `RoundingModel.v`).
    fn cast(self, format: Format) -> Self {
        Self {
            relative: sharp_unit(format).compose(self.relative),
            absolute: plus_one(sharp_unit(format)) * self.absolute + half(smallest(format)),
        }
    }
}

impl Softmax {
    fn terms(&self) -> u32 {
        self.terms.max(1)
    }

    fn count(&self) -> Upper {
        Upper::of(f64::from(self.terms()))
    }

    /// g(x) = (1 + 2κu)·e^(vx) − 1.
    fn growth(&self, x: Upper) -> Upper {
        let library = Upper::of(2.0) * Upper::of(self.kappa) * unit(self.format);
        library.compose((sharp_unit(self.format) * x).expm1())
    }

    /// g(ln n).
    fn spread(&self) -> Upper {
        self.growth(Upper::of(Float::from(u64::from(self.terms())).ln(64, Round::Up).to_f64(Round::Up)))
    }

    /// κη.
    fn tiny(&self) -> Upper {
        Upper::of(self.kappa) * smallest(self.format)
    }

    /// R, for a sum in any order.
    fn normaliser(&self) -> Upper {
        let summed = Upper::of(f64::from(self.terms() - 1)) * sharp_unit(self.format);
        summed.compose(self.spread() + self.count() * self.tiny())
    }

    /// |p̂_j − p_j| for a weight p_j of at most `weight` whose score is at most `depth` below the largest
    /// (`rounding_softmax`, and `rounding_softmax_scores` for ε); at most 1, for weights are between 0 and 1.
    ///
    /// ```
    /// use posproof_bound::Softmax;
    /// use posproof_numerics::format::Format;
    /// let softmax = Softmax { format: Format::F32, kappa: 1.0, terms: 4096, score_error: 0.0 };
    /// let bound = softmax.weight(1e-3, 20.0);
    /// assert!(bound.value() < 1e-3 * 2.5e-4);
    /// ```
    pub fn weight(&self, weight: f64, depth: f64) -> Bound {
        let (weight, epsilon) = (Upper::of(weight), Upper::of(self.score_error));
        let moved = ((epsilon + epsilon).expm1() * weight).min(shifted_mass(epsilon));
        let computed = weight + moved;
        let Rounding { relative, absolute } = Rounding::to(self.format);
        let normaliser = self.normaliser();
        let changed = (self.growth(Upper::of(depth)) + normaliser) * computed + self.tiny();
        let quotient = plus_one(relative) * changed.over((1.0 - normaliser.get()).next_down());
        let error = quotient + relative * computed + absolute + moved;
        match error < Upper::of(1.0) {
            true => Bound::of(error, Origin::Theorem("rounding_softmax")),
            false => Bound::of(Upper::of(1.0), Origin::Derived("two weights are between 0 and 1")),
        }
    }

    /// W: what the errors of all weights, cast to a format, add up to at most, 2·tanh(ε/2) and what computing adds.
    fn weights(&self, cast: Option<Format>) -> Upper {
        let once = Rounding::to(self.format);
        self.rounded_weights(cast.map_or(once, |format| once.cast(format)))
    }

    /// W of weights that are cast once more, with a relative and an absolute error.
    pub(super) fn cast_weights(&self, [relative, absolute]: [Upper; 2]) -> Upper {
        let once = Rounding::to(self.format);
        let absolute = plus_one(relative) * once.absolute + absolute;
        self.rounded_weights(Rounding { relative: relative.compose(once.relative), absolute })
    }

    fn rounded_weights(&self, Rounding { relative, absolute }: Rounding) -> Upper {
        let normaliser = self.normaliser();
        let changed = self.spread() + normaliser + self.count() * self.tiny();
        let quotients = plus_one(relative) * changed.over((1.0 - normaliser.get()).next_down());
        gained(Upper::of(self.score_error)) + quotients + relative + self.count() * absolute
    }

    /// One component of an output of attention: |fl(Σ p̂_j v_j) − Σ p_j v_j| for |v_j| ≤ `largest`, the weights cast to
    /// a format, if one is given, and summed as `values` says (`rounding_attention`).
    pub fn output_of(&self, cast: Option<Format>, values: Accumulation, largest: f64) -> Bound {
        let (weights, largest) = (self.weights(cast), Upper::of(largest));
        let error = weights * largest + values.error(self.terms(), plus_one(weights) * largest);
        Bound::of(error, Origin::Theorem("rounding_attention"))
    }

    /// The same without a cast, products and sum rounded to `format` in any order.
    pub fn output(&self, format: Format, largest: f64) -> Bound {
        self.output_of(None, Accumulation { format, products: Products::Rounded }, largest)
    }
}

/// The difference of an output of attention over tokens in one order and over the same tokens in another, each
/// within its bound of the same exact value (`attention.equivariance`): their sum. Bounds of sums in any order
/// are the same for both.
pub fn permuted_attention(one: Bound, other: Bound) -> Bound {
    let error = Upper::of(one.value()) + Upper::of(other.value());
    Bound::of(error, Origin::Derived("equal exact values, claim attention.equivariance, and the triangle inequality"))
}
