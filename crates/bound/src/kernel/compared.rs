//! Two kernels on the same stored inputs: by how much they may differ, and do.

use super::difference::SAME_LOGITS;
use super::{AttentionRow, Kernel, KernelBound, Order};
use crate::origin::{Bound, Origin};
use crate::program::Impossible;
use crate::upward::Upper;
use posproof_numerics::format::Format;
use rayon::prelude::*;
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

/// Outputs, or logits, of two kernels on a row.
type Pair = [f64; 2];

fn gap(pair: &Pair) -> f64 {
    (pair[0] - pair[1]).abs()
}

/// The row on which two numbers are furthest apart, with both.
fn furthest(
    rows: impl Iterator<Item = (Pair, AttentionRow)>,
    kernel: &Kernel,
) -> Result<(Pair, AttentionRow), Impossible> {
    rows.max_by(|(one, _), (other, _)| gap(one).total_cmp(&gap(other)))
        .ok_or_else(|| Impossible::new("search", kernel.inputs, "a format in which a row fits the lengths stated"))
}

/// Rows whose values are changed, so that outputs lie on either side of where they are rounded.
const TUNED: usize = 2;

/// Values that are tried in place of one; four times as many beside the first.
const STEPS: u32 = 16;

/// Rows of more keys take too long to be computed a hundred times.
const MANY: u64 = 1 << 16;

/// Two computations of a row.
struct Both<'a> {
    kernels: [&'a Kernel; 2],
    /// The kernels with outputs as they are before they are rounded.
    wide: [Kernel; 2],
    /// True where the second takes the keys in reverse.
    reversed: bool,
}

impl<'a> Both<'a> {
    fn new(kernels: [&'a Kernel; 2], reversed: bool) -> Self {
        let wide = kernels.map(|kernel| Kernel { output: Format::F64, ..kernel.clone() });
        Self { kernels, wide, reversed }
    }

    fn unrounded(&self, row: &AttentionRow) -> Pair {
        let [one, other] = &self.wide;
        let second = match self.reversed {
            true => {
                AttentionRow { members: row.members.iter().rev().copied().collect(), ..row.clone() }.computed(other)
            }
            false => row.computed(other),
        };
        [row.computed(one), second]
    }

    /// Outputs, each row's on a thread.
    fn outputs(&self, rows: Vec<AttentionRow>) -> Vec<(Pair, AttentionRow)> {
        rows.into_par_iter().map(|row| (self.unrounded(&row), row)).collect()
    }

    fn rounded(&self, outputs: Vec<(Pair, AttentionRow)>) -> impl Iterator<Item = (Pair, AttentionRow)> {
        let [one, other] = self.kernels.map(|kernel| kernel.output);
        outputs.into_iter().map(move |([a, b], row)| ([one.round(a), other.round(b)], row))
    }

    /// The row on which outputs are furthest apart. Those of the rows that are so before outputs are rounded have other values, too.
    fn furthest(&self, rows: Vec<AttentionRow>) -> Result<(Pair, AttentionRow), Impossible> {
        let mut outputs = self.outputs(rows);
        outputs.sort_by(|(one, _), (other, _)| gap(other).total_cmp(&gap(one)));
        let [kernel, _] = self.kernels;
        let changed = |row| kernel.revalued(row, STEPS).chain(kernel.beside_first(row, 4 * STEPS));
        let some = if kernel.keys > MANY { 0 } else { TUNED };
        let tuned: Vec<AttentionRow> = outputs.iter().take(some).flat_map(|(_, row)| changed(row)).collect();
        let tuned = self.outputs(tuned);
        furthest(self.rounded(outputs).chain(self.rounded(tuned)), kernel)
    }
}

impl Kernel {
    /// Refuses kernels of other inputs.
    fn of_the_inputs_of(&self, other: &Self) -> Result<(), Impossible> {
        let one = (self.dim, self.keys, self.inputs, self.values, self.query, self.key, self.value);
        let two = (other.dim, other.keys, other.inputs, other.values, other.query, other.key, other.value);
        if one != two {
            let expected = "one dimension, number of keys, formats of inputs and values, and largest lengths and value";
            return Err(Impossible::new("programs", "of other inputs", expected));
        }
        Ok(())
    }

    /// Rows of either kernel that are inputs of both.
    fn common_rows(&self, other: &Self) -> impl Iterator<Item = AttentionRow> {
        let tiles = match (self.order, other.order) {
            (Order::Online(one), Order::Online(other)) if one != other => self.rising(u64::from(one.min(other))),
            _ => Vec::new(),
        };
        let rows = self.rows().chain(other.rows()).map(|(_, row)| row).chain(tiles).chain(self.apart(other));
        rows.filter(|row| row.misfit(self).is_none())
    }

    /// By how much the outputs of two kernels may differ on the same stored inputs, and a row on which they do.
    ///
    /// # Errors
    ///
    /// Where the inputs of one are no inputs of the other, or no theorem is about one of them.
    pub fn compare(&self, other: &Self) -> Result<Compared, Impossible> {
        self.of_the_inputs_of(other)?;
        let each = [self.bound()?, other.bound()?];
        let bound = self.may_differ(other, each);
        let (computed, row) = Both::new([self, other], false).furthest(self.common_rows(other).collect())?;
        let exact = row.exact(self);
        Ok(Compared { bound, each, row, computed, exact })
    }

    /// By how much a logit of two kernels may differ, and a row of one key on which it does.
    ///
    /// # Errors
    ///
    /// Where the inputs of one are no inputs of the other, or no theorem is about one of them.
    pub fn compare_logits(&self, other: &Self) -> Result<Compared, Impossible> {
        self.of_the_inputs_of(other)?;
        let each = [self.bound()?, other.bound()?];
        let bound = match self.scores_as(other) {
            true => Bound::of(Upper::ZERO, Origin::Derived("a logit is the work of one query and one key")),
            false => {
                Bound::of(self.logits_apart(other), Origin::Derived("each is within its bound of the same exact logit"))
            }
        };
        let of_a_key = self.common_rows(other).flat_map(|row| {
            let logits = row.logits(self).into_iter().zip(row.logits(other));
            let one = |kind| AttentionRow { kinds: vec![kind], members: vec![0], query: row.query.clone() };
            let rows = logits.zip(row.kinds.clone()).map(|((a, b), kind)| ([a, b], one(kind)));
            rows.collect::<Vec<_>>()
        });
        let (computed, row) = furthest(of_a_key, self)?;
        let exact = row.exact_logits(self).first().copied().unwrap_or(f64::NAN);
        Ok(Compared { bound, each, row, computed, exact })
    }

    /// By how much an output may move where the keys are permuted, their values with them, and a row on which it does: the keys
    /// as they were found, and in reverse. Logits do not move, so that the bound is that of weights and sums.
    ///
    /// # Errors
    ///
    /// Where no theorem is about the kernel, or no row fits its formats and lengths.
    pub fn permute(&self) -> Result<Compared, Impossible> {
        let each = self.bound()?;
        let rows = self.rows().map(|(_, row)| row).filter(|row| row.misfit(self).is_none());
        let (computed, row) = Both::new([self, self], true).furthest(rows.collect())?;
        let exact = row.exact(self);
        let bound = Bound::of(self.apart_beyond_logits(self), Origin::Derived(SAME_LOGITS));
        Ok(Compared { bound, each: [each; 2], row, computed, exact })
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
