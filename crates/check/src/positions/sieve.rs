//! Which indices of a domain agree with what was measured of each pair: those that no pair excludes.
//!
//! Two steps find them without looking at every index. Slow pairs, whose angles pass few turns in the domain, leave some
//! stretches of consecutive indices ([`Sieve::narrow`]); in each of them the pair that is known best gives its indices one
//! after the other ([`first_within`](super::euclid::first_within)), and each goes through the test of the caller, which
//! looks at all pairs. What is excluded, is so by integers that bound the real angles outward; no step rounds inward.

use super::clock::Clock;
use super::euclid::first_within;

/// Stretches that are kept at a time: few at first, and more where the search in these finds too many indices, as where the pair
/// that is known best has the same angle again after some whole steps.
const STRETCHES: [u128; 2] = [64, MOST as u128];

/// Indices of a stretch that are tested one by one rather than searched.
const FEW: u64 = 8;

/// Indices that are tested for a row at most: beyond, none is told from the others.
pub(super) const MOST: usize = 1 << 14;

/// Measurement of a pair: its angle is within `width` of `angle`, or anything from half a turn on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MeasuredAngle {
    pub angle: u64,
    pub width: u64,
}

/// Half a turn: a pair that is known no better says nothing.
pub(super) const UNKNOWN: u64 = 1 << 63;

/// Consecutive indices, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub first: u64,
    pub last: u64,
}

impl Stretch {
    fn len(self) -> u64 {
        self.last - self.first + 1
    }
}

/// Remaining positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Remaining {
    /// Consecutive indices, increasing.
    pub stretches: Vec<Stretch>,
    /// True if each was tested by itself. If not, these are all that the slow pairs leave.
    pub tested: bool,
}

impl Remaining {
    /// Number of these.
    pub fn count(&self) -> u64 {
        self.stretches.iter().map(|stretch| stretch.len()).sum()
    }

    fn add(&mut self, index: u64) {
        match self.stretches.last_mut() {
            Some(stretch) if stretch.last + 1 == index => stretch.last = index,
            _ => self.stretches.push(Stretch { first: index, last: index }),
        }
    }
}

/// The clocks of a domain.
#[derive(Clone, Debug)]
pub(super) struct Sieve {
    clocks: Vec<Clock>,
    /// The clocks, slowest first.
    by_step: Vec<usize>,
    len: u64,
}

impl Sieve {
    /// For `len` ≥ 1 indices.
    pub fn new(clocks: Vec<Clock>, len: u64) -> Self {
        let mut by_step: Vec<usize> = (0..clocks.len()).collect();
        by_step.sort_by_key(|&i| clocks[i].step);
        Self { clocks, by_step, len }
    }

    /// The clocks, in the order that they were given in.
    pub fn clocks(&self) -> &[Clock] {
        &self.clocks
    }

    /// The indices that agree with the measurement of every clock and pass a test; at most `wanted` of them, where there
    /// are more.
    pub fn pass(&self, measured: &[MeasuredAngle], wanted: usize, mut test: impl FnMut(u64) -> bool) -> Remaining {
        let [few, many] = STRETCHES.map(|most| (measured, most));
        let remaining = self.pass_within(few, wanted, &mut test);
        if remaining.tested { remaining } else { self.pass_within(many, wanted, &mut test) }
    }

    fn pass_within(
        &self,
        (measured, most): (&[MeasuredAngle], u128),
        wanted: usize,
        test: &mut impl FnMut(u64) -> bool,
    ) -> Remaining {
        let (stretches, rest) = self.narrow(measured, most);
        let best = rest.iter().copied().min_by_key(|&i| measured[i].width);
        let Some(best) = best.filter(|&i| measured[i].width < UNKNOWN) else {
            return self.each(&stretches, wanted, test);
        };
        let (clock, MeasuredAngle { angle, width }) = (self.clocks[best], measured[best]);
        let low = clock.seen(angle).wrapping_sub(width);
        let mut remaining = Remaining { stretches: Vec::new(), tested: true };
        let (mut tested, mut found) = (0, 0);
        for &stretch in &stretches {
            let mut index = stretch.first;
            loop {
                let few = stretch.last - index < FEW;
                let next = match few {
                    true => Some(0),
                    false => {
                        let start = clock.at(index).wrapping_sub(low);
                        first_within(start, clock.step, 2 * width, stretch.last - index)
                    }
                };
                let Some(next) = next else { break };
                index += next;
                tested += 1;
                if tested > MOST {
                    return Remaining { stretches, tested: false };
                }
                if test(index) {
                    remaining.add(index);
                    found += 1;
                    if found == wanted {
                        return remaining;
                    }
                }
                if index == stretch.last {
                    break;
                }
                index += 1;
            }
        }
        remaining
    }

    /// Every index of some stretches through the test, if they are not too many.
    fn each(&self, stretches: &[Stretch], wanted: usize, test: &mut impl FnMut(u64) -> bool) -> Remaining {
        if stretches.iter().map(|stretch| stretch.len()).sum::<u64>() > MOST as u64 {
            return Remaining { stretches: stretches.to_vec(), tested: false };
        }
        let mut remaining = Remaining { stretches: Vec::new(), tested: true };
        let all = stretches.iter().flat_map(|stretch| stretch.first..=stretch.last);
        all.filter(|&index| test(index)).take(wanted).for_each(|index| remaining.add(index));
        remaining
    }

    /// The stretches that the slow pairs leave, no more than `most`, and the other pairs: within a stretch the slow ones exclude
    /// nothing.
    fn narrow(&self, measured: &[MeasuredAngle], most: u128) -> (Vec<Stretch>, &[usize]) {
        let mut stretches = vec![Stretch { first: 0, last: self.len - 1 }];
        let mut narrower = Vec::new();
        for (used, &i) in self.by_step.iter().enumerate() {
            if measured[i].width >= UNKNOWN {
                continue;
            }
            let clock = self.clocks[i];
            let turns = |stretch: &Stretch| ((u128::from(stretch.len()) * u128::from(clock.step)) >> 64) + 2;
            if stretches.iter().map(turns).sum::<u128>() > most {
                return (stretches, &self.by_step[used..]);
            }
            let MeasuredAngle { angle, width } = measured[i];
            let low = clock.seen(angle).wrapping_sub(width);
            narrower.clear();
            stretches.iter().for_each(|&stretch| cut(stretch, clock, low, 2 * width, &mut narrower));
            std::mem::swap(&mut stretches, &mut narrower);
            if stretches.iter().map(|stretch| stretch.len()).sum::<u64>() <= 1 {
                break;
            }
        }
        (stretches, &[])
    }
}

/// The parts of a stretch where a clock is between `low` and `low + reach`.
fn cut(stretch: Stretch, clock: Clock, low: u64, reach: u64, parts: &mut Vec<Stretch>) {
    let (step, last) = (clock.step, stretch.last - stretch.first);
    let start = clock.at(stretch.first).wrapping_sub(low);
    if step == 0 {
        if start <= reach {
            parts.push(stretch);
        }
        return;
    }
    let mut push = |from: u64, to: u64| {
        if from <= to {
            parts.push(Stretch { first: stretch.first + from, last: stretch.first + to });
        }
    };
    let end = u128::from(start) + u128::from(last) * u128::from(step);
    if start <= reach {
        push(0, if end <= u128::from(reach) { last } else { ((reach - start) / step).min(last) });
    }
    // What is left of the turn, and then of those that follow.
    let mut turns = 1u128 << 64;
    while turns <= end {
        let (from, to) = (turns - u128::from(start), turns - u128::from(start) + u128::from(reach));
        let to = (to / u128::from(step)).min(u128::from(last));
        push(from.div_ceil(u128::from(step)) as u64, to as u64);
        turns += 1 << 64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(a: u64, b: u64) -> u64 {
        (a.wrapping_sub(b) as i64).unsigned_abs()
    }

    /// Against the test of every index, with clocks of all speeds, mirrored ones too, and widths from none to all.
    #[test]
    fn what_remains_is_what_an_enumeration_leaves() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state ^ state >> 31
        };
        let len = 5000;
        let (mut ones, mut many) = (0, 0);
        for round in 0..600 {
            let count = 1 + next() % 6;
            let clocks: Vec<Clock> = (0..count)
                .map(|_| Clock {
                    start: next(),
                    step: (next() >> 1) >> (next() % 64) as u32,
                    mirrored: next() % 2 == 0,
                })
                .collect();
            let truth = next() % len;
            let measured: Vec<MeasuredAngle> = clocks
                .iter()
                .map(|clock| {
                    let width = (next() >> 1) >> (next() % 40) as u32;
                    let off = if width == 0 { 0 } else { next() % width };
                    MeasuredAngle { angle: clock.seen(clock.at(truth).wrapping_add(off)), width }
                })
                .collect();
            let agrees = |index: u64| {
                clocks
                    .iter()
                    .zip(&measured)
                    .all(|(clock, m)| m.width >= UNKNOWN || distance(clock.at(index), clock.seen(m.angle)) <= m.width)
            };
            let sieve = Sieve::new(clocks.clone(), len);
            let found = sieve.pass(&measured, usize::MAX, agrees);
            let all: Vec<u64> = found.stretches.iter().flat_map(|s| s.first..=s.last).collect();
            assert!(found.tested, "{round}");
            assert_eq!(all, (0..len).filter(|&index| agrees(index)).collect::<Vec<_>>(), "{round}");
            assert!(all.contains(&truth), "{round}");
            assert_eq!(found.count(), all.len() as u64);
            ones += u32::from(all.len() == 1);
            many += u32::from(all.len() > 1);
            assert_eq!(sieve.pass(&measured, 1, agrees).count(), 1);
        }
        assert!(ones > 50 && many > 50, "{ones} {many}");
    }

    /// The pair that is known best repeats every seven indices, and the slow one turns a thousand times: together they leave one.
    #[test]
    fn a_pair_that_repeats_leaves_the_others_to_tell() {
        let turn = |period: u64| u64::MAX / period;
        let clocks: Vec<Clock> =
            [7, 997].map(|period| Clock { start: 0, step: turn(period), mirrored: false }).to_vec();
        let truth = 123_456;
        let widths = [1u64 << 30, 1 << 50];
        let measured: Vec<MeasuredAngle> = clocks
            .iter()
            .zip(widths)
            .map(|(clock, width)| MeasuredAngle { angle: clock.seen(clock.at(truth)), width })
            .collect();
        let found = Sieve::new(clocks, 1 << 20).pass(&measured, usize::MAX, |index| index == truth);
        assert_eq!((found.count(), found.tested), (1, true));
    }

    #[test]
    fn what_is_too_much_to_test_stays_whole() {
        let clocks = vec![Clock { start: 0, step: 1 << 40, mirrored: false }];
        let sieve = Sieve::new(clocks, 1 << 29);
        let unknown = [MeasuredAngle { angle: 0, width: UNKNOWN }];
        let all = sieve.pass(&unknown, usize::MAX, |_| true);
        assert_eq!((all.count(), all.tested), (1 << 29, false));
        // A pair at rest, known best, is no way to search.
        let clocks =
            vec![Clock { start: 0, step: 0, mirrored: false }, Clock { start: 0, step: 3 << 60, mirrored: false }];
        let measured = [MeasuredAngle { angle: 0, width: 1 }, MeasuredAngle { angle: 0, width: 1 << 30 }];
        let found = Sieve::new(clocks, 1 << 17).pass(&measured, usize::MAX, |index| index % 16 == 0);
        assert_eq!((found.count(), found.tested), (1 << 13, true));
        // A sixteenth of a turn either way, of turns of 2^24 indices.
        let known = [MeasuredAngle { angle: 0, width: 1 << 60 }];
        let some = sieve.pass(&known, usize::MAX, |_| true);
        assert!(!some.tested && some.count() < 1 << 27, "{}", some.count());
    }
}
