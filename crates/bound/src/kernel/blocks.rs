//! Blocks of numbers of four bits, each with a scale of its own: E2M1 with scales in E4M3 (NVFP4) or in E8M0 (MXFP4).
//!
//! A block of weights is divided by a scale s, and each quotient is rounded to the nearest of E2M1; what is beyond 6 becomes 6. A weight p
//! then moves by at most ρp + (1 − ρ)s/4 for any ρ from 1/4 on, and a block whose largest weight m has y = m/s by at most ρ times
//! its sum, where (B − 1)(1 − ρ)/4 + |y − its number| ≤ ρy (`rounding_online_blocks`). Scales below the normal range of E4M3
//! are coarse; a block whose scale would be smaller still may be lost whole.

use super::Kernel;
use crate::accumulator::{Adder, Term};
use crate::upward::Upper;
use posproof_numerics::Element;
use posproof_numerics::format::{exponent_of, power_of_two};
use posproof_numerics::narrow::{Narrow, Overflow, Towards};
use serde::{Deserialize, Serialize};

/// The format of the scales of blocks in E2M1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scales {
    /// Blocks of 16, the largest number divided by 6 and rounded to the nearest of E4M3.
    E4m3,
    /// Blocks of 32, the largest power of two that is no larger than the largest number, divided by 4.
    E8m0,
}

/// Products of a group, which have one scale.
pub(super) const GROUP: usize = 16;

/// The positive numbers of E2M1, the largest first.
const DIGITS: [f64; 7] = [6.0, 4.0, 3.0, 2.0, 1.5, 1.0, 0.5];

/// Blocks whose largest number is at least 6 times a scale: that scale, and the share ρ of its sum that such a block errs by.
///
/// The scale errs by 1/16 of itself at most in the normal range of E4M3, and by 1/8, 1/4 and 1/2 in the three binades below; the
/// last one begins at half of the smallest scale.
const E4M3_SHARES: [(f64, [f64; 2]); 4] =
    [(0.015625, [11.0, 25.0]), (0.0078125, [1.0, 2.0]), (0.00390625, [19.0, 35.0]), (0.0009765625, [17.0, 29.0])];

/// As of E4M3: the largest number is 4 to 8 times the scale. No weight of a sum that begins with 1 has a smaller scale than the format.
const E8M0_SHARES: [(f64, [f64; 2]); 1] = [(5.877471754111438e-39, [35.0, 51.0])];

/// Numbers of a block, divided by their scale.
struct Block {
    scale: f64,
    digits: Vec<f64>,
}

impl Scales {
    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        self.narrow().name()
    }

    /// The format of the scales.
    pub fn narrow(self) -> Narrow {
        match self {
            Self::E4m3 => Narrow::E4m3,
            Self::E8m0 => Narrow::E8m0,
        }
    }

    /// Numbers of a block.
    pub fn block(self) -> usize {
        match self {
            Self::E4m3 => 16,
            Self::E8m0 => 32,
        }
    }

    /// The power of two by which weights are multiplied before they are cast, so that few scales underflow.
    pub(super) fn weight_scale(self) -> i32 {
        match self {
            // 2^11 is the largest power of two below 6·448.
            Self::E4m3 => 11,
            Self::E8m0 => 0,
        }
    }

    /// The scale of a block whose largest magnitude is this; of zeros the smallest one, or zero where it underflows.
    pub(crate) fn of_largest(self, largest: f64) -> f64 {
        match self {
            Self::E4m3 => Narrow::E4m3.round(largest / 6.0, Towards::Nearest, Overflow::Saturate),
            Self::E8m0 if largest > 0.0 => power_of_two((exponent_of(largest) - 2).max(-127)),
            Self::E8m0 => Narrow::E8m0.min_positive(),
        }
    }

    /// The largest scale that is no larger than a positive number; none below the smallest.
    pub(super) fn below(self, x: f64) -> Option<f64> {
        let scale = self.narrow().round(x, Towards::Zero, Overflow::Saturate);
        (scale > 0.0 && scale <= x).then_some(scale)
    }

    /// The smallest scale by which all the numbers are of E2M1; none where there is none.
    pub fn stored(self, numbers: &[f64]) -> Option<f64> {
        let largest = numbers.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        if !numbers.iter().all(|x| x.is_finite()) {
            return None;
        }
        if largest == 0.0 {
            return Some(self.narrow().min_positive());
        }
        let held = |scale: f64| {
            let is_scale = self.narrow().encode(scale).is_some();
            is_scale && numbers.iter().all(|x| digit(x / scale) * scale == *x)
        };
        DIGITS.into_iter().map(|digit| largest / digit).find(|scale| held(*scale))
    }

    /// ρ, and what a weight of at most 1 may err by beside it, for weights that are multiplied by 2^`up`: pairs of which any holds.
    pub(super) fn shares(self, up: i32) -> impl Iterator<Item = [Upper; 2]> {
        let rows: &'static [(f64, [f64; 2])] = match self {
            Self::E4m3 => &E4M3_SHARES,
            Self::E8m0 => &E8M0_SHARES,
        };
        // A block that is lost whole: each weight of it is smaller than 6 times the scale.
        rows.iter().map(move |(scale, [p, q])| {
            [Upper::of(*p).over(*q), Upper::of(6.0) * Upper::of(*scale * power_of_two(-up))]
        })
    }

    /// A block of stored numbers.
    fn stored_block(self, numbers: &[f64]) -> Block {
        let scale = self.stored(numbers).unwrap_or(f64::NAN);
        Block { scale, digits: numbers.iter().map(|x| x / scale).collect() }
    }

    /// A block of weights, which are rounded.
    fn cast_block(self, weights: &[f64]) -> Block {
        let scale = self.of_largest(weights.iter().fold(0.0f64, |most, x| most.max(*x)));
        let rounded = |x: &f64| if scale > 0.0 { digit(x / scale) } else { 0.0 };
        Block { scale, digits: weights.iter().map(rounded).collect() }
    }
}

/// The nearest number of E2M1.
fn digit(x: f64) -> f64 {
    Element::Narrow(Narrow::E2m1).round(x)
}

/// Groups of products of two blocks, which have their scales.
fn groups<'a>(scales: Scales, one: &'a Block, other: &'a Block) -> impl Iterator<Item = Term> + use<'a> {
    let pairs = one.digits.chunks(GROUP).zip(other.digits.chunks(GROUP));
    pairs.map(move |(one_digits, other_digits)| {
        let product = |(x, y): (&f64, &f64)| Term::product([*x, *y], [Element::Narrow(Narrow::E2m1); 2]);
        let products: Vec<Term> = one_digits.iter().zip(other_digits).map(product).collect();
        // A scale of zero leaves nothing of its block.
        let both = [one.scale, other.scale];
        let both = if both.contains(&0.0) { [scales.narrow().min_positive(); 2] } else { both };
        Term::scaled(&products, both, scales.narrow())
    })
}

impl Kernel {
    /// Keys whose products are one term.
    pub(super) fn group(&self) -> u64 {
        match &self.adder {
            Adder::Truncated(accumulator) => u64::from(accumulator.group),
            Adder::Rounded(_) => 1,
        }
    }

    /// The products of a query and a key.
    pub(super) fn scores(&self, query: &[f64], key: &[f64]) -> Vec<Term> {
        let Some(scales) = self.scales else {
            return query.iter().zip(key).map(|(q, k)| Term::product([*q, *k], [self.inputs; 2])).collect();
        };
        let blocks = query.chunks(scales.block()).zip(key.chunks(scales.block()));
        blocks
            .flat_map(|(q, k)| groups(scales, &scales.stored_block(q), &scales.stored_block(k)).collect::<Vec<_>>())
            .collect()
    }

    /// The products of weights, cast, and values.
    pub(super) fn weighted(&self, weights: &[f64], values: &[f64]) -> Vec<Term> {
        let Some(scales) = self.scales else {
            let elements = [self.weights, self.values];
            let product =
                |(weight, value): (&f64, &f64)| Term::product([self.weights.round(*weight), *value], elements);
            return weights.iter().zip(values).map(product).collect();
        };
        let blocks = weights.chunks(scales.block()).zip(values.chunks(scales.block()));
        // Most blocks of a long row have the values of the one before.
        let mut last: Option<(&[f64], Block)> = None;
        let mut terms = Vec::new();
        for (weights, values) in blocks {
            let known = last.take().filter(|(numbers, _)| *numbers == values);
            let block = known.map_or_else(|| scales.stored_block(values), |(_, block)| block);
            terms.extend(groups(scales, &scales.cast_block(weights), &block));
            last = Some((values, block));
        }
        terms
    }

    /// The largest number no larger than this, of a block whose others may be as large.
    pub(super) fn input_below(&self, x: f64) -> f64 {
        match self.scales {
            None => self.inputs.truncate(x.min(self.inputs.max_finite())),
            Some(scales) => {
                let below = |digit: f64| scales.below(x / digit).map_or(0.0, |scale| digit * scale);
                DIGITS.into_iter().map(below).fold(0.0, f64::max)
            }
        }
    }

    /// The scale that all values have: that of the largest.
    fn value_scale(&self, scales: Scales) -> f64 {
        scales.below(self.value / 6.0).unwrap_or_else(|| scales.narrow().min_positive())
    }

    /// The nearest value.
    pub(super) fn value_near(&self, x: f64) -> f64 {
        match self.scales {
            None => self.values.round(x),
            Some(scales) => {
                let scale = self.value_scale(scales);
                digit(x / scale) * scale
            }
        }
    }

    /// The next value that is no larger in magnitude.
    pub(super) fn value_below(&self, x: f64) -> f64 {
        match self.scales {
            None => self.values.truncate(x),
            Some(scales) => {
                let scale = self.value_scale(scales);
                self.values.truncate(x / scale) * scale
            }
        }
    }

    /// True where the numbers, one after the other, are of the format, or their blocks are with a scale each.
    pub fn stores(&self, element: Element, numbers: &[f64]) -> bool {
        match self.scales {
            None => numbers.iter().all(|x| element.round(*x) == *x && x.abs() <= element.max_finite()),
            Some(scales) => {
                let mut last: &[f64] = &[];
                numbers.chunks(scales.block()).all(|block| {
                    let held = block == last || scales.stored(block).is_some();
                    last = block;
                    held
                })
            }
        }
    }

    /// The smallest number of the inputs but zero.
    pub(super) fn smallest_number(&self, element: Element) -> f64 {
        match self.scales {
            None => element.min_positive(),
            // Zeros have this scale too, which is no larger than twice what is stated.
            Some(Scales::E4m3) => Narrow::E4m3.min_positive(),
            Some(Scales::E8m0) => power_of_two(-100),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of weights from a grid, one of them the largest and the others as bad as they come: ρ of the table is no less than what they
    /// lose, and no more than 1/500 above that of the worst.
    #[test]
    fn shares_are_those_of_the_worst_blocks() {
        for (scales, size, normal) in [(Scales::E4m3, 16.0, 1.0 / 64.0), (Scales::E8m0, 32.0, 1.0)] {
            let rows: &[(f64, [f64; 2])] = if scales == Scales::E4m3 { &E4M3_SHARES } else { &E8M0_SHARES };
            for (place, (least, [p, q])) in rows.iter().enumerate() {
                let most = if place == 0 { 64.0 * normal } else { rows[place - 1].0 };
                let least = if scales == Scales::E8m0 { normal } else { *least };
                let steps = 100_000;
                let mut worst = 0.0f64;
                for step in 1..=steps {
                    let largest = 6.0 * (least + (most - least) * f64::from(step) / f64::from(steps));
                    let scale = scales.of_largest(largest);
                    let error = |x: f64| (digit(x / scale) * scale - x).abs();
                    let other = 0.25 * scale;
                    worst = worst.max((error(largest) + (size - 1.0) * other) / (largest + (size - 1.0) * other));
                    for other in 1..64 {
                        let other = largest * f64::from(other) / 64.0;
                        let share = (error(largest) + (size - 1.0) * error(other)) / (largest + (size - 1.0) * other);
                        assert!(share <= p / q, "{} {largest} {other}", scales.name());
                    }
                }
                println!("{} from {least}: {worst} of {}", scales.name(), p / q);
                assert!(worst <= p / q + 1e-9 && worst >= 0.95 * p / q, "{} {least}: {worst}", scales.name());
            }
        }
    }

    #[test]
    fn the_scale_of_stored_numbers_is_the_smallest_that_holds_them() {
        assert_eq!(Scales::E4m3.stored(&[6.0, -1.0, 0.5]), Some(1.0));
        assert_eq!(Scales::E4m3.stored(&[1.0, 0.5]), Some(0.25));
        // A sixth of 4 is no power of two.
        assert_eq!(Scales::E8m0.stored(&[4.0, 0.5]), Some(1.0));
        assert_eq!(Scales::E4m3.stored(&[1.0, 0.1]), None);
        assert_eq!(Scales::E4m3.stored(&[f64::NAN]), None);
        assert_eq!(Scales::E4m3.stored(&[0.0; 16]), Some(power_of_two(-9)));
        assert_eq!(Scales::E8m0.of_largest(7.9), 1.0);
    }
}
