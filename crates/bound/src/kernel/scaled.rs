//! Rows of scaled blocks on which a kernel errs: keys that are on target, and weights that blocks lose.

use super::blocks::Scales;
use super::searched::DEEP;
use super::{AttentionRow, Kernel, Order};
use posproof_numerics::Element;
use posproof_numerics::format::power_of_two;
use posproof_numerics::narrow::Narrow;

/// Weights that a quarter of the scale is as far above as this are rounded to zero.
const LOST: f64 = 0.99;

/// Sixths of the largest weight of a block, beside a power of two: those whose scale errs most, with four bits, three, two and one; and
/// five times the scale, which is rounded to four.
const SHARES: [f64; 5] = [1.0626, 1.126, 1.26, 0.584, 0.8332];

impl Kernel {
    /// Blocks of a key that take what is left of the others.
    pub(super) fn refining(&self, scales: Scales) -> usize {
        (self.dim as usize / scales.block() / 4).min(2)
    }

    /// A key whose components sum to nearly the target: those of each block take what is left of the blocks before.
    pub(super) fn scaled_key(&self, scales: Scales, target: f64) -> Vec<f64> {
        let length = scales.block();
        let blocks = (self.dim as usize).div_ceil(length);
        let coarse = blocks.saturating_sub(self.refining(scales)).max(1);
        let (mut rest, mut key) = (target, Vec::new());
        for block in 0..blocks {
            let mut taken = rest / coarse.saturating_sub(block).max(1) as f64;
            rest -= taken;
            // A number of the middle of the format.
            let scale =
                scales.below(taken.abs() / length as f64 / 3.0).unwrap_or_else(|| scales.narrow().min_positive());
            for left in (1..=length).rev() {
                let next = scale * Element::Narrow(Narrow::E2m1).round(taken / left as f64 / scale);
                taken -= next;
                key.push(next);
            }
            rest += taken;
        }
        key
    }

    /// Blocks of one weight and of others that are lost beside it; the one rounded to the same side, as far as it goes.
    pub(super) fn scaled_blocks(&self) -> Vec<AttentionRow> {
        let Some(scales) = self.scales else { return Vec::new() };
        let (value, length) = (self.value_near(self.value), scales.block() as u64);
        let blocks = (self.keys / length).saturating_sub(1);
        let up = power_of_two(self.weight_scale);
        // Blocks whose scale underflows.
        let under = LOST * 3.0 * scales.narrow().min_positive() / up;
        let lost = [value, -value].map(|first| self.by_logits(&[(0.0, first, 1), (-under.ln(), value, self.keys - 1)]));
        let mut rows: Vec<AttentionRow> = lost.into();
        for share in SHARES {
            for exponent in -10..9 {
                let largest = 6.0 * share * power_of_two(exponent);
                let scale = scales.of_largest(largest);
                let (one, other) = (largest / up, LOST * 0.25 * scale / up);
                if scale == 0.0 || one >= 1.0 || other >= one {
                    continue;
                }
                let overshoot = Element::Narrow(Narrow::E2m1).round(largest / scale) * scale > largest;
                let mass = one + (length - 1) as f64 * other;
                let many = match self.order {
                    Order::Online(_) => blocks,
                    Order::Plain => blocks.min((0.99 / mass) as u64),
                };
                let first = match self.order {
                    Order::Online(_) => 1.0,
                    Order::Plain => 1.0 - many as f64 * mass,
                };
                let kinds =
                    [(first, value), (one, if overshoot { -value } else { value }), (other, value), (0.0, value)];
                let most = kinds.iter().map(|(weight, _)| *weight).fold(0.0, f64::max);
                let below = |weight: f64| if weight > 0.0 { (most / weight).ln() } else { DEEP };
                let counts = [1, many, many * (length - 1), self.keys - 1 - many * length];
                let stated: Vec<_> =
                    kinds.iter().zip(counts).map(|((weight, x), count)| (below(*weight), *x, count)).collect();
                let mut row = self.by_logits(&stated);
                // The first key has a block of its own, and each other block one of the large weights.
                let place = |key: u64| match (key / length, key % length) {
                    (0, 0) => 0,
                    (block, 0) if (1..=many).contains(&block) => 1,
                    (block, _) if (1..=many).contains(&block) => 2,
                    _ => 3,
                };
                row.members = (0..self.keys).map(place).collect();
                rows.push(row);
            }
        }
        rows
    }
}
