//! Loss of a sum by products of one sign.
//!
//! Of a sum that is not flushed or rescaled it is a theorem: `rounding_accumulator_sign`, where F = r `rounding_accumulator_sign_even`
//! (`proofs/RoundingSign.v`). How flushes and rescalings add to it is derived here, as in `loss.rs`.
//!
//! Truncation is towards zero. So a result is above the exact sum by at most what is lost of negative products. It is below it by at
//! most what is lost of positive ones. Accumulator and result count once, with 2^(−min(F, r)). For let the result's unit be 2^j times
//! that of the aligned terms. The accumulator loses less than 2^(−j) of it, and the result at most 1 − 2^(−j). Let n products be of the
//! sign, in N instructions. They lose at most n·2^(−F) + N·2^(−min(F, r)) shares, Λ. What is lost of one sign is a part of all that is
//! lost. So the bounds of `loss.rs` hold for it with Λ in place of Nλ. Of several groups each loses its part of what it adds, and the
//! group with the most products of the sign the largest.
//!
//! Two sums of the same signs are further apart than their exact sums by what one loses of negative products, and the other of positive ones
//! (`rounding_accumulators_apart`). No product is both.

use super::loss::inverse_power;
use super::{Accumulator, Adder, WeightedSum};
use crate::upward::{Upper, sharp_unit};
use posproof_numerics::format::Format;
use posproof_numerics::format::{exponent_of, power_of_two};

/// Products of one sign, and the sum of magnitudes of all.
#[derive(Clone, Copy)]
pub(crate) struct OneSign {
    /// Products of the sign, as a part of all of a group; from 0 to 1.
    pub part: f64,
    /// Σ|products|, of both signs.
    pub mass: Upper,
    /// Multiplications of the accumulator.
    pub rescalings: u64,
}

impl Accumulator {
    /// Λ, at most the shares of all instructions.
    fn shares(&self, instructions: u64, exact: bool, terms: Upper) -> Upper {
        let [first, other] = self.lossy(exact).map(|lossy| self.share(lossy));
        let all = first + Upper::of(instructions.saturating_sub(1) as f64) * other;
        let closing = Upper::of(instructions as f64) * Upper::of(inverse_power(self.fraction.min(self.result)));
        all.min(terms * Upper::of(inverse_power(self.fraction)) + closing)
    }
}

impl WeightedSum {
    /// Products of a group.
    pub(crate) fn group_terms(&self) -> u64 {
        self.flush.unwrap_or(self.terms).min(self.terms)
    }

    /// Bound on what is lost of products of one sign, but for the floor; none where sums are not truncated, or blocks are scaled.
    pub(crate) fn lost_of(&self, sign: OneSign) -> Option<Upper> {
        let Adder::Truncated(accumulator) = &self.adder else { return None };
        let [instructions, groups] = self.groups(accumulator);
        if accumulator.group != 1 {
            return None;
        }
        let registers = Upper::of(groups.saturating_sub(1) as f64) * sharp_unit(Format::F32);
        let exact = match sign.rescalings {
            0 => accumulator.holds(self.elements),
            _ => self.exact_rescaled(accumulator),
        };
        let shares =
            accumulator.shares(instructions, exact, Upper::of(self.group_terms() as f64) * Upper::of(sign.part));
        let product = shares.min(accumulator.product_slope(instructions, exact));
        if accumulator.fraction != accumulator.result {
            return Some((product + registers) * sign.mass);
        }
        let [_, other] = accumulator.lossy(exact).map(|lossy| accumulator.share(lossy));
        let x = shares.over((1.0 - other.get()).next_down());
        // x/(1 + x) grows with x.
        let even = x.over((1.0 + x.get()).next_down());
        let units =
            Upper::of(sign.rescalings.min(instructions) as f64) * Upper::of(inverse_power(accumulator.fraction));
        Some((product.min(even * (Upper::of(1.0) + units)) + registers) * sign.mass)
    }

    /// Bound on what is lost of products of one sign where F = r and nothing is flushed or rescaled, the floor with it. The unit is that
    /// of a power of two 2^m, so that at most Λ·2^m is lost. And (1 − λ)·2^m + lost ≤ Σ + Nλ·2^E₀, as an instruction loses no more than
    /// it adds.
    pub(crate) fn aligned(&self, part: f64, mass: Upper) -> Option<Upper> {
        let Adder::Truncated(accumulator) = &self.adder else { return None };
        let [instructions, groups] = self.groups(accumulator);
        if accumulator.fraction != accumulator.result
            || groups != 1
            || accumulator.group != 1
            || !mass.get().is_normal()
        {
            return None;
        }
        let exact = accumulator.holds(self.elements);
        let [_, other] = accumulator.lossy(exact).map(|lossy| accumulator.share(lossy));
        let shares = accumulator.shares(instructions, exact, Upper::of(self.terms as f64) * Upper::of(part));
        let least = power_of_two(self.least_exponent(accumulator));
        let all = mass + Upper::of(instructions as f64) * other * Upper::of(least);
        let kept = (1.0 - other.get()).next_down();
        let of_unit = |exponent: i32| {
            let unit = power_of_two(exponent);
            (shares * Upper::of(unit)).min(Upper::difference(all.get(), (kept * unit).next_down()))
        };
        // Of a smaller unit less is lost; of a larger one there is no room.
        let most = exponent_of(all.get()) + 1;
        let lost = (most - 40..=most).map(of_unit).fold(shares * Upper::of(least), Upper::max);
        Some(lost)
    }
}
