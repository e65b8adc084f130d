//! Softmax, an output of attention, and attention over permuted tokens.
//!
//! The shifted softmax that software computes and Blanchard, Higham and Higham 2021 analyse: a = max ŝ_j, d_j = fl(ŝ_j − a), e_j = exp(d_j) within κ ulp, S = fl(Σ e_j) in any
//! order, p̂_j = fl(e_j/S). Their analysis drops terms of second order and takes the worst d_j of all; here
//! nothing is dropped, and the sum is bounded by its mean. With u, v = u/(1 + u), η the smallest positive
//! number, λ = 2κu and D_j = max ŝ − ŝ_j:
//!
//! 1. d_j = −D_j(1 + δ), |δ| ≤ v (a difference of two floats does not underflow), so that
//!    e_j = e^(−D_j)·e^(±vD_j)·(1 + λ_j) + τ_j with |λ_j| ≤ λ and |τ_j| ≤ κη.
//! 2. Σ e^(−D_j(1∓v)) lies between n^(−v)·Z and n^v·Z, where Z = Σ e^(−D_j) ≥ 1: the inequality of power means.
//! 3. A sum of n non-negative floats in any order is Σ e_j(1 + ξ_j) with (1 − v)^(n−1) ≤ 1 + ξ_j ≤ (1 + v)^(n−1)
//!    (Higham 2002, section 4.2; sums do not underflow).
//! 4. Together, but for underflow, p̂_j/p_j(ŝ) and its reciprocal are at most
//!    e^(v(D_j + ln n))·(1 + λ)/(1 − λ)·(1 + v)/(1 − v)^(n−1) =: 1 + ρ.
//! 5. Underflow adds at most A = (1 + v)·κη·M·(n(1 + r)² + 1) + η/2 with r = (1 − v)^(1−n) − 1 and
//!    M = (1 + r)/(1 − κu) ≥ 1/S, because the largest e_j is within κu of 1.
//! 6. Scores within ε of the exact ones change a weight by a factor of at most e^(2ε), and all weights together
//!    by at most 2·tanh(ε/2): for weights multiplied by factors in [e^(−ε), e^ε] the mass m of a set becomes
//!    at most m·e^(2ε)/(1 + m(e^(2ε) − 1)), which exceeds m by at most tanh(ε/2).
//!
//! In an output Σ p̂_j v_j the weights' errors are averaged: Σ p_j e^(vD_j) ≤ n^v by the same inequality, so that
//! the spread of the scores does not matter.

use super::origin::{Bound, Origin};
use super::path::half;
use super::quantity::{any_order, plus_one};
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
    /// How many scores there are: n ≥ 1.
    pub terms: u32,
    /// The scores are within this of the exact ones: ε. 0 where the computed scores are what is meant.
    pub score_error: f64,
}

const SOFTMAX: Origin = Origin::Derived(
    "Blanchard, Higham, Higham 2021 (shifted softmax), without dropped terms, with the inequality of power means",
);

/// e^x − 1.
fn grown(x: Upper) -> Upper {
    Upper::of(Float::from_f64(x.get()).exp_m1(64, Round::Up).to_f64(Round::Up))
}

/// tanh(ε/2) = (e^ε − 1)/(e^ε + 1): by how much a set of weights can gain.
fn shifted_mass(epsilon: Upper) -> Upper {
    let epsilon = Float::from_f64(epsilon.get());
    let ends = [Round::Down, Round::Up].map(|round| epsilon.exp_m1(128, round));
    let [lower, upper] = ends;
    let grown = Interval::new(lower, upper).at(128);
    Upper::of((grown.clone() / (grown + Interval::from(2))).upper_f64()).min(Upper::of(1.0))
}

impl Softmax {
    fn terms(&self) -> u32 {
        self.terms.max(1)
    }

    /// v·x + v·ln n for a depth x.
    fn exponent(&self, depth: Upper) -> Upper {
        let ln = Float::from(u64::from(self.terms())).ln(64, Round::Up);
        let averaged = ln.mul(&Float::from_f64(sharp_unit(self.format).get()), 64, Round::Up);
        sharp_unit(self.format) * depth + Upper::of(averaged.to_f64(Round::Up))
    }

    /// (1 − v)^(1−n) − 1.
    fn summed(&self) -> Upper {
        sharp_unit(self.format).reciprocal_excess().repeat(self.terms() - 1)
    }

    /// (1 + λ)/(1 − λ)·(1 + v)/(1 − v)^(n−1)·e^x − 1.
    fn relative(&self, exponent: Upper) -> Upper {
        let lambda = Upper::of(2.0 * self.kappa) * unit(self.format);
        let library = lambda.compose(lambda.reciprocal_excess());
        grown(exponent).compose(library).compose(sharp_unit(self.format)).compose(self.summed())
    }

    /// A: what underflow adds to a weight.
    fn underflow(&self) -> Upper {
        let (v, eta, kappa) = (sharp_unit(self.format), smallest(self.format), Upper::of(self.kappa));
        let summed = plus_one(self.summed());
        let reciprocal = summed * plus_one((kappa * unit(self.format)).reciprocal_excess());
        let count = Upper::of(f64::from(self.terms()));
        plus_one(v) * kappa * eta * reciprocal * plus_one(count * summed * summed) + half(eta)
    }

    /// |p̂_j − p_j| for a weight p_j of at most `weight` whose score is at most `depth` below the largest:
    /// ρ·(p_j + Δ) + A + Δ with Δ = min((e^(2ε) − 1)p_j, tanh(ε/2)); at most 1, for weights are between 0
    /// and 1.
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
        let moved = (grown(epsilon + epsilon) * weight).min(shifted_mass(epsilon));
        let rounded = self.relative(self.exponent(Upper::of(depth))) * (weight + moved);
        Bound::of(Upper::of(1.0).min(rounded + self.underflow() + moved), SOFTMAX)
    }

    /// What the errors of all weights add up to at most: 2·tanh(ε/2) + ρ + n·A with the averaged ρ.
    fn weights(&self) -> Upper {
        let exponent = self.exponent(Upper::ZERO);
        let moved = shifted_mass(Upper::of(self.score_error));
        let underflow = Upper::of(f64::from(self.terms())) * self.underflow();
        moved + moved + self.relative(exponent + exponent) + underflow
    }

    /// One component of an output of attention: |fl(Σ p̂_j v_j) − Σ p_j v_j| for |v_j| ≤ `largest`, the products
    /// and their sum rounded to `format` in any order (Higham 2002, section 3.1; `rounding_dot`).
    pub fn output(&self, format: Format, largest: f64) -> Bound {
        let (weights, largest) = (self.weights(), Upper::of(largest));
        Bound::of(weights * largest + any_order(format, self.terms(), plus_one(weights) * largest), SOFTMAX)
    }
}

/// The difference of an output of attention over tokens in one order and over the same tokens in another, each
/// within its bound of the same exact value (`attention.equivariance`): their sum. Bounds of sums in any order
/// are the same for both.
pub fn permuted_attention(one: Bound, other: Bound) -> Bound {
    let error = Upper::of(one.value()) + Upper::of(other.value());
    Bound::of(error, Origin::Derived("equal exact values, claim attention.equivariance, and the triangle inequality"))
}
