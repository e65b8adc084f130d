//! Two kernels on the same stored inputs: by how much they may differ, and do.

use super::{AttentionRow, Kernel, KernelBound};
use crate::attention::permuted_attention;
use crate::origin::{Bound, Origin};
use crate::program::Impossible;
use crate::upward::{Upper, sharp_unit, smallest};
use serde::Serialize;

/// The difference of two kernels' outputs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// Two honest kernels differ by at most this.
    pub bound: Bound,
    /// The bound of either.
    pub each: [KernelBound; 2],
    /// Inputs on which they differ.
    pub row: AttentionRow,
    /// Outputs of either on them.
    pub computed: [f64; 2],
    /// The exact output.
    pub exact: f64,
}

impl Compared {
    /// Distance of the row's outputs.
    pub fn difference(&self) -> f64 {
        (self.computed[0] - self.computed[1]).abs()
    }

    /// The difference beside its bound.
    pub fn share(&self) -> f64 {
        self.difference() / self.bound.value()
    }
}

/// A judgement of two kernels by a component of their outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Within the bound of both: an honest difference.
    Honest,
    /// Beyond the bound of the first.
    First,
    /// Beyond the bound of the second.
    Second,
    /// Beyond both.
    Both,
}

impl Kernel {
    /// True where logits, weights and normaliser are computed alike, step by step: the kernels differ in the sum of values alone.
    fn weighs_as(&self, other: &Self) -> bool {
        let alike = Self { flush: self.flush, output: self.output, ..other.clone() };
        alike == *self
    }

    /// By how much the outputs of two kernels may differ on the same stored inputs, and a row on which they do.
    ///
    /// # Errors
    ///
    /// Where the inputs of one are no inputs of the other, or no theorem is about one of them.
    pub fn compare(&self, other: &Self) -> Result<Compared, Impossible> {
        let one = (self.dim, self.keys, self.inputs, self.values, self.query, self.key, self.value);
        let two = (other.dim, other.keys, other.inputs, other.values, other.query, other.key, other.value);
        if one != two {
            let expected = "one dimension, number of keys, formats of inputs and values, and largest lengths and value";
            return Err(Impossible::new("programs", "of other inputs", expected));
        }
        let each = [self.bound()?, other.bound()?];
        let [a, b] = each.map(|bound| Upper::of(bound.output.value()));
        let mut bound = Bound::of(a + b, Origin::Derived("each is within its bound of the same exact output"));
        if self.weighs_as(other) {
            let x = Upper::of(self.value);
            let cast = |kernel: &Self| sharp_unit(kernel.output).compose(sharp_unit(kernel.softmax));
            let sums = each.map(|bound| Upper::of(bound.from_values));
            // The quotient of the same weights, exactly summed, is at most x and what weights err by.
            let largest = x + Upper::of(each[0].from_weights) + sums[0].max(sums[1]);
            let rounded = (cast(self) + cast(other)) * largest + smallest(self.output) + smallest(other.output);
            let sharper = sums[0] + sums[1] + rounded;
            if sharper.get() < bound.value() {
                bound = Bound::of(sharper, Origin::Derived("the same weights, summed in two ways"));
            }
        }
        let rows = self.rows().chain(other.rows()).map(|(_, row)| row);
        let differing = rows.filter(|row| row.misfit(self).is_none()).map(|row| {
            let computed = [row.computed(self), row.computed(other)];
            ((computed[0] - computed[1]).abs(), computed, row)
        });
        let largest = differing.max_by(|one, other| one.0.total_cmp(&other.0));
        let none = || Impossible::new("search", self.inputs, "a format in which a row fits the lengths stated");
        let (_, computed, row) = largest.ok_or_else(none)?;
        let exact = row.exact(self);
        Ok(Compared { bound, each, row, computed, exact })
    }
}

impl Kernel {
    /// By how much an output may move where the keys are permuted, their values with them, and a row on which it does: the keys
    /// as they were found, and in reverse.
    ///
    /// # Errors
    ///
    /// Where no theorem is about the kernel, or no row fits its formats and lengths.
    pub fn permute(&self) -> Result<Compared, Impossible> {
        let bound = self.bound()?;
        let moved = self.rows().map(|(_, row)| row).filter(|row| row.misfit(self).is_none()).map(|row| {
            let reversed = AttentionRow { members: row.members.iter().rev().copied().collect(), ..row.clone() };
            let computed = [row.computed(self), reversed.computed(self)];
            ((computed[0] - computed[1]).abs(), computed, row)
        });
        let largest = moved.max_by(|one, other| one.0.total_cmp(&other.0));
        let none = || Impossible::new("search", self.inputs, "a format in which a row fits the lengths stated");
        let (_, computed, row) = largest.ok_or_else(none)?;
        let exact = row.exact(self);
        Ok(Compared { bound: permuted_attention(bound.output, bound.output), each: [bound; 2], row, computed, exact })
    }
}

impl KernelBound {
    /// The judgement of two outputs of the same inputs, the exact output known.
    pub fn verdict(each: &[Self; 2], outputs: [f64; 2], exact: f64) -> Verdict {
        let beyond = |side: usize| {
            let error = (outputs[side] - exact).abs();
            // NaN is within no bound.
            error.is_nan() || error > each[side].output.value()
        };
        match [beyond(0), beyond(1)] {
            [false, false] => Verdict::Honest,
            [true, false] => Verdict::First,
            [false, true] => Verdict::Second,
            [true, true] => Verdict::Both,
        }
    }
}

/// The exact outputs of a query, to some units of binary64: keys [n, dim] and values [n, components], row by row.
pub fn exact_outputs(query: &[f64], keys: &[f64], values: &[f64], components: usize) -> Vec<f64> {
    let root = (query.len() as f64).sqrt();
    let logits: Vec<f64> = keys
        .chunks(query.len().max(1))
        .map(|key| query.iter().zip(key).map(|(q, k)| q * k).sum::<f64>() / root)
        .collect();
    let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logits.iter().map(|logit| core_math::exp(logit - largest)).collect();
    let normaliser: f64 = weights.iter().sum();
    let component = |at: usize| {
        let column = values.iter().skip(at).step_by(components.max(1));
        weights.iter().zip(column).map(|(weight, value)| weight * value).sum::<f64>() / normaliser
    };
    (0..components).map(component).collect()
}
