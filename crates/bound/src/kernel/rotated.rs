//! From positions to outputs: query and keys are rotated by a table, cast to the format that they are stored in, and read by a
//! kernel.
//!
//! A narrow format has a scale for each group of numbers, the largest of them by the largest of the format. With A and c the
//! errors of a rotated pair and w and e those of the cast, a stored pair errs by A' = (1 + A)(1 + w) − 1 relatively and by
//! c' = c(1 + w) + √2·e. The score of stored vectors is then within D = (2A' + A'²)QK + c'(1 + A')√h(Q + K) + h·c'², of h pairs,
//! by `rounding_stored_score`; the rest is the kernel's.

use super::{Kernel, KernelBound};
use crate::accumulator::WeightedSum;
use crate::attention::scaled_logit;
use crate::entry::Model;
use crate::origin::{Bound, Origin};
use crate::path::half;
use crate::program::Impossible;
use crate::quantity::{Arithmetic, plus_one, root_two, rotation};
use crate::upward::{Upper, sharp_unit, smallest};
use posproof_numerics::Element;
use std::ops::Range;

/// A cast with a scale: its relative error, and its absolute one for numbers up to `largest`.
fn cast(kernel: &Kernel, element: Element, largest: Upper) -> [Upper; 2] {
    let u = element.unit_roundoff();
    let relative = Upper::of(u).over(1.0 + u);
    match element {
        Element::Wide(format) => [relative, half(smallest(format))],
        // Two more roundings: of the scale, and of the number that it divides.
        Element::Narrow(narrow) => {
            let scaled = relative.compose(sharp_unit(kernel.softmax).repeat(2));
            let scale = largest.over(narrow.max_finite()) * plus_one(sharp_unit(kernel.softmax));
            [scaled, half(Upper::of(narrow.min_positive())) * scale]
        }
    }
}

impl Model {
    /// The bounds of attention whose queries and keys are rotated by this table at any of the positions, cast with scales of their
    /// groups, and read by the kernel, whose lengths are those before the rotation.
    ///
    /// # Errors
    ///
    /// Where no theorem is about the kernel, or the table has another dimension.
    pub fn kernel_outputs(
        &self,
        kernel: &Kernel,
        arithmetic: Arithmetic,
        positions: &Range<u64>,
    ) -> Result<KernelBound, Impossible> {
        kernel.bound()?;
        if let Some(scales) = kernel.scales {
            let found = format!("e2m1 with scales of {}", scales.name());
            return Err(Impossible::new("inputs after a rotation", found, "a format without scales of blocks"));
        }
        if self.convention.dim != kernel.dim as usize {
            return Err(Impossible::new("dim", kernel.dim, format!("that of the table, {}", self.convention.dim)));
        }
        let table = Upper::of(self.table_over(positions)?.value());
        let (relative, absolute) = rotation(arithmetic);
        let (a, [q, k]) = (table.compose(relative), [kernel.query, kernel.key].map(Upper::of));
        let longest = plus_one(a) * q.max(k) + absolute;
        let [w, e] = match kernel.inputs {
            Element::Wide(format) if format == arithmetic.format => [Upper::ZERO; 2],
            inputs => cast(kernel, inputs, longest),
        };
        let (a, c) = (a.compose(w), absolute * plus_one(w) + root_two() * e);
        let pairs = f64::from(kernel.dim) / 2.0;
        let (root, count, two) = (Upper::of(pairs.sqrt().next_up()), Upper::of(pairs), Upper::of(2.0));
        let defect = (two * a + a * a) * (q * k) + c * plus_one(a) * root * (q + k) + count * (c * c);
        let mass = q * k + defect;
        let sum = kernel.score_sum();
        let score = match kernel.inputs {
            Element::Wide(_) => defect + sum.slope() * mass + sum.floor(),
            // Stored numbers are as large as the format allows; the product of the scales comes after.
            Element::Narrow(narrow) => {
                let scaled = WeightedSum { largest: [narrow.max_finite(); 2], ..sum };
                let scale = longest.over(narrow.max_finite());
                let summed = defect + scaled.slope() * mass + scaled.floor() * (scale * scale);
                summed + sharp_unit(kernel.softmax).repeat(2) * (q * k + summed)
            }
        };
        let computed = scaled_logit(kernel.dim, kernel.softmax, q * k, score);
        let logit = Bound::of(kernel.stored_logit(computed), Origin::Theorem("rounding_stored_logit"));
        let value = Upper::of(kernel.value);
        let [w, e] = match kernel.values {
            Element::Wide(format) if format == arithmetic.format => [Upper::ZERO; 2],
            values => cast(kernel, values, value),
        };
        // A cast may lead beyond the largest value, by a rounding of its scale where it has one.
        let stored = match kernel.values {
            Element::Wide(format) => format.round(kernel.value).max(kernel.value),
            Element::Narrow(_) => (value * plus_one(sharp_unit(kernel.softmax))).get(),
        };
        let bound = Kernel { value: stored, ..kernel.clone() }.with_logits(logit, value * w + e);
        let origin = Origin::Theorem("rounding_stored_values");
        Ok(KernelBound { output: Bound::of(Upper::of(bound.output.value()), origin), ..bound })
    }
}
