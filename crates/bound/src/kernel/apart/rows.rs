//! Families of rows on which two kernels round weights to different sides.

use super::{BESIDE, KernelPair, NONE, Placed};
use crate::accumulator::{Accumulator, Adder};
use crate::kernel::{AttentionRow, Order};
use posproof_numerics::format::{exponent_of, power_of_two};

/// Values of small weights, as shares of the largest: a weight of more bits is then just below a unit.
const SHARES: [f64; 4] = [1.0, 0.9375, 0.875, 0.8125];

/// Logits that differ by this are enough for weights to be rounded to either side.
const APART: f64 = 4e-3;

/// Rows of more keys take long to be computed: they have values of the first share.
const MANY: u64 = 1 << 16;

/// Keys that are tried with each other.
const ENDS: usize = 40;

/// A key, and a value.
type RowKind = (Vec<f64>, f64);

impl KernelPair<'_> {
    /// The product of the large components, for a logit that is the largest.
    fn product(&self) -> f64 {
        self.top() * self.layout.query.get(self.layout.large).copied().unwrap_or(1.0)
    }

    fn shares(&self) -> &'static [f64] {
        if self.kernels[0].keys > MANY { &SHARES[..1] } else { &SHARES }
    }

    /// A value whose products with weights have the weights' digits.
    fn value(&self) -> f64 {
        power_of_two(exponent_of(self.kernels[0].value))
    }

    /// Small components that are as many as there is room for, but the large one and those on finer grids.
    fn room(&self) -> usize {
        self.layout.query.len() - 1 - self.layout.fine.len()
    }

    /// A row of kinds in runs of so many keys; the last kind has the others.
    fn runs(&self, kinds: Vec<RowKind>, runs: &[(u8, u64)]) -> AttentionRow {
        let keys = self.kernels[0].keys as usize;
        let mut members: Vec<u8> =
            runs.iter().flat_map(|(kind, count)| std::iter::repeat_n(*kind, *count as usize)).take(keys).collect();
        members.resize(keys, runs.last().map_or(0, |(kind, _)| *kind));
        AttentionRow { query: self.layout.query.clone(), kinds, members }
    }

    /// The number of the weights' format that is just below a unit once it is multiplied, and the next one.
    fn beside_unit(&self, unit: f64) -> [f64; 2] {
        let [kernel, _] = self.kernels;
        let scale = power_of_two(kernel.weight_scale);
        let below = kernel.weights.truncate(unit * (1.0 - 1e-9) * scale);
        let exponent = exponent_of(below).max(kernel.weights.min_exponent());
        let step = power_of_two(exponent + 1 - kernel.weights.precision() as i32);
        [below / scale, (below + step) / scale]
    }

    /// The largest logits of a row: with small products that one kernel loses, of which so many that the logits are just apart.
    fn tops(&self) -> Vec<Vec<f64>> {
        let [kernel, other] = self.kernels;
        let product = self.product();
        if kernel.scores_as(other) {
            return vec![self.layout.key(kernel, NONE, product)];
        }
        let counts: Vec<usize> = (1..=16).map(|step| (self.room() * step).div_ceil(16)).collect();
        let mut found: [Option<(f64, Vec<f64>)>; 2] = [None, None];
        for dust in self.dusts(product, &counts) {
            let key = self.layout.key(kernel, dust, product);
            let [one, two] = self.logits(&key);
            let apart = (one - two).abs();
            let Some(known) = found.get_mut(usize::from(one > two)).filter(|_| apart > 0.0) else { continue };
            let closer = |best: f64| if best < APART { apart > best } else { apart >= APART && apart < best };
            if known.as_ref().is_none_or(|(best, _)| closer(*best)) {
                *known = Some((apart, key));
            }
        }
        found.into_iter().flatten().map(|(_, key)| key).collect()
    }

    /// Every key has nearly one weight, which the kernels round to either side; or half of them, of negative values, to the other.
    pub(super) fn even(&self, rows: &mut Vec<AttentionRow>) {
        let [kernel, other] = self.kernels;
        let value = kernel.value_below(kernel.value);
        let product = self.product();
        let counts: Vec<usize> =
            if kernel.scores_as(other) { vec![0] } else { (0..=4).map(|step| self.room() * step / 4).collect() };
        let key = self.layout.key(kernel, NONE, product);
        let top = self.logits(&key);
        let mut pool: Vec<Placed> = Vec::new();
        for dust in self.dusts(product, &counts) {
            for middle in kernel.middles() {
                let mut place = |side: Option<usize>, times: f64| {
                    pool.push(self.placed(top, dust, middle * (1.0 + times * BESIDE), side));
                };
                place(None, 0.0);
                for side in [0, 1] {
                    [-4.0, -1.0, 1.0, 4.0].into_iter().for_each(|times| place(Some(side), times));
                }
            }
        }
        // As far apart as the casts and logits of two of them let the outputs be.
        let gap = |one: &Placed, two: &Placed, sign: f64| {
            let output =
                |side: usize| (one.cast[side] + sign * two.cast[side]) / (one.weights[side] + two.weights[side]);
            (output(0) - output(1)).abs()
        };
        // One that divides first rounds quotients, which depend on the number of keys that count.
        let plain = self.kernels.iter().any(|kernel| kernel.order == Order::Plain);
        let sizes: Vec<u64> = match plain {
            true => (0..24).map(|step| kernel.keys - kernel.keys * step / 48).collect(),
            false => vec![kernel.keys],
        };
        // Those of which the first kernel computes the most beside the second, and the least.
        let more = |placed: &Placed| (placed.cast[0] - placed.cast[1]) / (placed.weights[0] + placed.weights[1]);
        pool.sort_by(|one, two| more(one).total_cmp(&more(two)));
        let (least, most) =
            (pool.get(..ENDS).unwrap_or(&pool), pool.get(pool.len().saturating_sub(ENDS)..).unwrap_or(&pool));
        let part = kernel.part_keys().min(other.part_keys());
        for sign in [1.0, -1.0] {
            let ends = if sign > 0.0 { most } else { least };
            let pairs = most.iter().flat_map(|one| ends.iter().map(move |two| (one, two)));
            let best = pairs.max_by(|one, two| gap(one.0, one.1, sign).total_cmp(&gap(two.0, two.1, sign)));
            let Some((one, two)) = best else { continue };
            self.in_groups(rows, (&key, top), [one, two], sign);
            // As many keys as add up to a power of two, or nearly.
            let mean = 0.5 * (one.weights[0] + two.weights[0]);
            let all = power_of_two((kernel.keys as f64 * mean).log2().floor() as i32);
            let near = (((all - 1.0) / mean).round() as u64).min(kernel.keys);
            let beside = (0..=8).map(|step| (near + 1 + 2 * step).saturating_sub(8).min(kernel.keys)).filter(|_| plain);
            for size in sizes.iter().copied().chain(beside) {
                let deep = (self.layout.key(kernel, NONE, -product), 0.0);
                let kinds = vec![(key.clone(), 0.0), (one.key.clone(), value), (two.key.clone(), sign * value), deep];
                // Each part has the largest logit.
                let kind = |place: u64| if place.is_multiple_of(part) { 0 } else { 1 + (place % 2) as u8 };
                let mut runs: Vec<(u8, u64)> = (0..size).map(|place| (kind(place), 1)).collect();
                runs.push((3, kernel.keys));
                rows.push(self.runs(kinds, &runs));
            }
        }
    }

    /// Keys whose weights are apart begin a group, those of negative values end it; the small ones between are lost beside the first.
    fn in_groups(&self, rows: &mut Vec<AttentionRow>, (key, top): (&[f64], [f64; 2]), ends: [&Placed; 2], sign: f64) {
        let [kernel, other] = self.kernels;
        let part = kernel.part_keys().min(other.part_keys());
        let groups = self.kernels.map(|kernel| kernel.value_sum().group_terms());
        let lossy = self.kernels.iter().zip(groups).filter_map(|(kernel, group)| match &kernel.adder {
            Adder::Truncated(accumulator) if accumulator.fraction < 20 && group < kernel.keys => {
                Some((accumulator, group))
            }
            _ => None,
        });
        let [one, two] = ends;
        let value = self.value();
        for (accumulator, group) in lossy {
            for (power, share) in (1..5).flat_map(|power| self.shares().iter().map(move |share| (power, *share))) {
                let sinks = (1.001 * power_of_two(power) / one.cast[0].min(one.cast[1])).ceil() as u64;
                let [below, _] = self.beside_unit(power_of_two(power - accumulator.fraction as i32) / share);
                let small = self.placed(top, NONE, below, None);
                let lasts: &[u64] = if sign < 0.0 { &[4, 3, 2] } else { &[0] };
                for (small_sign, quarters) in
                    [1.0, -1.0].into_iter().flat_map(|sign| lasts.iter().map(move |last| (sign, *last)))
                {
                    let last = sinks * quarters / 4;
                    let Some(many) = group.checked_sub(1 + sinks + last).filter(|many| *many > 0) else { continue };
                    let kinds = vec![
                        (key.to_vec(), 0.0),
                        (one.key.clone(), value),
                        (small.key.clone(), small_sign * share * value),
                        (two.key.clone(), sign * value),
                    ];
                    let groups = kernel.keys.div_ceil(group);
                    let runs = (0..groups).flat_map(|place| {
                        let opening = if (place * group).is_multiple_of(part) { 0 } else { 1 };
                        [(opening, 1), (1, sinks), (2, many), (3, last)]
                    });
                    rows.push(self.runs(kinds, &runs.collect::<Vec<_>>()));
                }
            }
        }
    }

    /// Sinks that one kernel rounds down and the other up, and small weights that the one loses beside them and the other keeps.
    pub(super) fn beside_sinks(&self, rows: &mut Vec<AttentionRow>) {
        let [kernel, _] = self.kernels;
        let value = self.value();
        let adders = self.kernels.map(|kernel| &kernel.adder);
        let mut fractions: Vec<i32> = adders
            .iter()
            .filter_map(|adder| match adder {
                Adder::Truncated(accumulator) => Some(accumulator.fraction as i32),
                Adder::Rounded(_) => None,
            })
            .collect();
        fractions.dedup();
        // Sinks have small products of their own where logits differ.
        let mut dusts = vec![NONE];
        if !kernel.scores_as(self.kernels[1]) && kernel.keys <= MANY {
            dusts.extend(self.dusts(self.product(), &[self.room()]));
        }
        let first = kernel.middles().first().copied().unwrap_or(0.5);
        for (key, dust) in self.tops().into_iter().flat_map(|key| dusts.iter().map(move |dust| (key.clone(), *dust))) {
            let top = self.logits(&key);
            let sink = self.placed(top, dust, first, None);
            for fraction in &fractions {
                for (power, share) in
                    [5, 6, 7].into_iter().flat_map(|power| self.shares().iter().map(move |share| (power, *share)))
                {
                    // The sinks are rounded down to 1/2, and the largest weight counts as one of them.
                    let unit = power_of_two(power - 1 - fraction);
                    let [below, next] = self.beside_unit(unit / share);
                    let small = self.placed(top, NONE, 0.5 * (below + next), None);
                    for sign in [1.0, -1.0] {
                        let last = (small.key.clone(), sign * share * value);
                        let kinds = vec![(key.clone(), 0.5 * value), (sink.key.clone(), value), last];
                        rows.push(self.runs(kinds, &[(0, 1), (1, (1 << power) - 1), (2, 1)]));
                    }
                }
            }
        }
    }

    /// Keys whose largest logit so far is another for kernels of other tiles or parts: weights are rounded down beside the one, and
    /// up beside the other.
    pub(super) fn of_other_tops(&self, rows: &mut Vec<AttentionRow>) {
        let [kernel, other] = self.kernels;
        let (Order::Online(one), Order::Online(two)) = (kernel.order, other.order) else { return };
        let truncated = self.kernels.into_iter().find_map(|kernel| match &kernel.adder {
            Adder::Truncated(accumulator) => Some(accumulator),
            Adder::Rounded(_) => None,
        });
        let Some(accumulator) = truncated else { return };
        let key = self.layout.key(kernel, NONE, self.product());
        let top = self.logits(&key);
        let middles = kernel.middles();
        let below = std::iter::once(middles.last().map_or(0.5, |last| last / 2.0)).chain(middles.iter().copied());
        let pairs: Vec<[f64; 2]> =
            below.zip(middles.iter().copied()).map(|(before, middle)| [before, middle]).collect();
        for [before, middle] in pairs {
            // The smaller of two largest logits is this far below the other; beside the larger one the weight is just below a middle, or
            // just above the one before.
            let far = (middle / before).ln() - 4.0 * BESIDE;
            for (gap, weight) in [(8.0 * BESIDE, middle * (1.0 - 2.0 * BESIDE)), (far, before * (1.0 + 2.0 * BESIDE))] {
                let second = self.placed(top, NONE, (-gap).exp(), None);
                let sink = self.placed(top, NONE, weight, None);
                let sums = [kernel.cast_near(weight), kernel.cast_near(weight * gap.exp()) * (-gap).exp()];
                let kinds = vec![
                    (key.clone(), 0.0),
                    (second.key, 0.0),
                    (sink.key, self.value()),
                    (self.layout.key(kernel, NONE, -self.product()), 0.0),
                ];
                if one != two {
                    self.in_tiles(rows, accumulator, top, u64::from(one.min(two)), sums, &kinds);
                }
                let part = kernel.part_keys().min(other.part_keys());
                if kernel.part_keys() != other.part_keys() {
                    self.in_parts(rows, accumulator, top, part, (sums, (-gap).exp()), &kinds);
                }
            }
        }
    }

    /// Numbers of sinks of such sums that are just above a power of two, small keys that are lost beside them, and their value.
    fn lost_beside(&self, accumulator: &Accumulator, top: [f64; 2], sum: f64) -> Vec<(u64, Placed, f64)> {
        let all = [3, 4, 5].into_iter().flat_map(|power| self.shares().iter().map(move |share| (power, *share)));
        let lost = |(power, share): (i32, f64)| {
            let sinks = (1.001 * power_of_two(power) / sum).ceil() as u64;
            let [below, next] = self.beside_unit(power_of_two(power - accumulator.fraction as i32) / share);
            let small = self.placed(top, NONE, 0.5 * (below + next) * (1.0 - 2.0 * BESIDE), None);
            (sinks, small, share * self.value())
        };
        all.map(lost).collect()
    }

    /// The larger of two largest logits comes after a short tile, with the sinks.
    fn in_tiles(
        &self,
        rows: &mut Vec<AttentionRow>,
        accumulator: &Accumulator,
        top: [f64; 2],
        tile: u64,
        sums: [f64; 2],
        kinds: &[RowKind],
    ) {
        for (sinks, small, value) in sums.into_iter().flat_map(|sum| self.lost_beside(accumulator, top, sum)) {
            // Half a unit is a unit of the binade below, in which the other kernel's sinks are.
            let half = self.placed(top, NONE, power_of_two(exponent_of(small.cast[0] * value)), None);
            for (key, value) in [(small.key, value), (half.key, -self.value())] {
                if sinks < tile {
                    let mut kinds = kinds.to_vec();
                    kinds.push((key, value));
                    rows.push(self.runs(kinds, &[(1, 1), (2, sinks), (3, tile - 1 - sinks), (0, 1), (4, 1)]));
                }
            }
        }
    }

    /// The larger of two largest logits is in the first part, and the sinks in the second. Each later part has a key of its own beside
    /// which its small weights are rounded up. Or all parts have sinks alone.
    fn in_parts(
        &self,
        rows: &mut Vec<AttentionRow>,
        accumulator: &Accumulator,
        top: [f64; 2],
        part: u64,
        (sums, far): ([f64; 2], f64),
        kinds: &[RowKind],
    ) {
        let [kernel, _] = self.kernels;
        let parts = kernel.keys.div_ceil(part.max(1));
        let up = kernel.middles().first().copied().unwrap_or(0.5) * (1.0 + 2.0 * BESIDE);
        for (sinks, small, value) in sums.into_iter().flat_map(|sum| self.lost_beside(accumulator, top, sum)) {
            let own = self.placed(top, NONE, small.weights[0] / up, None);
            let mut kinds = kinds.to_vec();
            kinds.extend([(small.key, value), (own.key, value)]);
            let mut runs = vec![(0, 1), (3, part - 1), (1, 1), (2, sinks), (4, part.saturating_sub(1 + sinks))];
            for _ in 2..parts {
                runs.extend([(5, 1), (4, part - 1)]);
            }
            rows.push(self.runs(kinds, &runs));
        }
        // Or each part has sinks, and small weights that it loses beside them: those are numbers beside its own largest logit.
        for (sinks, small, value) in self.lost_beside(accumulator, top, sums[1] / far) {
            let exact = self.placed(top, NONE, small.cast[0] * far, None);
            for sign in [1.0, -1.0] {
                let mut kinds = kinds.to_vec();
                kinds.push((exact.key.clone(), sign * value));
                let mut runs = vec![(0, 1), (3, part - 1)];
                for _ in 1..parts {
                    runs.extend([(1, 1), (2, sinks), (4, part.saturating_sub(1 + sinks))]);
                }
                rows.push(self.runs(kinds, &runs));
            }
        }
        let mut runs = vec![(0, 1), (3, part - 1)];
        for _ in 1..parts {
            runs.extend([(1, 1), (2, part - 1)]);
        }
        rows.push(self.runs(kinds.to_vec(), &runs));
    }

    /// Quotients that are rounded down, and exponentials of the same keys that are rounded up: the sum of the exponentials is just above a
    /// power of two. Small quotients are lost beside sinks of three quarters of all.
    pub(super) fn of_quotients(&self, rows: &mut Vec<AttentionRow>) {
        let [kernel, other] = self.kernels;
        let plain = match (kernel.order, other.order) {
            (Order::Plain, Order::Online(_)) => kernel,
            (Order::Online(_), Order::Plain) => other,
            _ => return,
        };
        let Adder::Truncated(accumulator) = &plain.adder else { return };
        let value = self.value();
        let key = self.layout.key(kernel, NONE, self.product());
        let top = self.logits(&key);
        let up = 1.0 + 4.0 * BESIDE;
        for (power, share) in (5..10).flat_map(|power| self.shares().iter().map(move |share| (power, *share))) {
            let all = power_of_two(power);
            // Just below a unit of quotients, which may be a subnormal number.
            let [below, next] = self.beside_unit(power_of_two(-1 - accumulator.fraction as i32) / share);
            let kept = self.placed(top, NONE, 0.5 * (below + next) * all * up, None);
            let lost = self.placed(top, NONE, below * all, None);
            for middle in kernel.middles() {
                // Of negative values quotients are lost where the sum is just below the power of two, and the sinks' are rounded up.
                for (small, side, sign) in [(&kept, 1.0, 1.0), (&lost, -1.0, -1.0)] {
                    let sink = self.placed(top, NONE, middle * (1.0 + 4.0 * side * BESIDE), None);
                    let [mass, each] = [sink.weights[0], small.weights[0]];
                    let sinks = (all * (1.0 + 8.0 * side * BESIDE) - 1.0 - kernel.keys as f64 * each) / (mass - each);
                    let sinks = if side > 0.0 { sinks.ceil() } else { sinks.floor() };
                    if sinks >= 1.0 && sinks < kernel.keys as f64 / 2.0 {
                        let last = (small.key.clone(), sign * share * value);
                        let kinds = vec![(key.clone(), value), (sink.key, value), last];
                        rows.push(self.runs(kinds, &[(0, 1), (1, sinks as u64), (2, 1)]));
                    }
                }
            }
        }
    }
}
