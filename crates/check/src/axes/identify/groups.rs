//! Slots that turn together, where the positions of the rows are not known.
//!
//! A slot that stays within a turn stands for the coordinate of its axis: every other slot of the axis turns by a multiple q of its angle, and
//! q and a constant explain all rows. Faster slots of a group make its coordinate more precise, one after the other, which is what faster
//! ones still need. A slot is *assigned* to a group if a multiple explains it to a small part of what it moves, in more rows than can agree by
//! chance, and every multiple is refuted for every other group. Slots that move too little for that, or that several groups explain, are
//! *undecided*.

use super::arrangement::Angles;
use super::grouped::SlotGroup;
use super::laws::{MeasuredSlots, ratio};
use super::measure::{Difference, Measured, near_step, refined, wrap};
use std::f64::consts::{PI, TAU};

/// A slot has to move by as many times what a relation leaves open, so that the relation says something of it.
const MARGIN: f64 = 64.0;

/// Groups that are formed.
const MOST_GROUPS: usize = 12;

/// Candidates for the number of turns between the two nearest places.
const MOST_TURNS: u32 = 256;

/// Errors of angles that are admitted, one after the other, as in [`measure`](super::measure): positions, and with them the roundings of large angles, are not known.
const LOOSER: [f64; 4] = [0.0, 1.0 / 16384.0, 1.0 / 1024.0, 1.0 / 64.0];

/// The largest error of an angle at which a relation is a test at all.
const TESTABLE: f64 = PI / 4.0;

/// How far from every whole number a multiple is that counts as none.
const FRACTION: f64 = 1.0 / 16.0;

/// Bits of chance: rows agree with a wrong multiple with a probability of at most 2^−32.
const BITS: f64 = 32.0;

/// The coordinate of a group: the angle of its first slot, as its slots together show it.
struct Group {
    place: Vec<f64>,
    error: f64,
}

/// What a group says of a slot.
enum Relation {
    /// The slot turns by this multiple, with this error in every row, and the constant.
    Holds { multiple: Measured, error: f64, constant: f64 },
    /// By none.
    Refuted,
    /// The rows, or the precision, do not tell.
    Open,
}

/// Groups of slots, those that stand still, and those that are not assigned.
pub(super) struct Groups {
    pub groups: Vec<SlotGroup>,
    pub still: Vec<usize>,
    pub undecided: Vec<usize>,
}

/// The groups of slots of these angles.
pub(super) fn groups(slots: &[Angles]) -> Groups {
    let (mut still, mut moving) = (Vec::new(), Vec::new());
    for (number, slot) in slots.iter().enumerate() {
        let (unrolled, span) = unrolled(slot);
        if span <= 2.0 * slot.error() { still.push(number) } else { moving.push((number, unrolled, span)) }
    }
    moving.sort_by(|(_, _, a), (_, _, b)| a.total_cmp(b));
    let mut groups: Vec<Group> = Vec::new();
    let mut left: Vec<&(usize, Vec<f64>, f64)> = moving.iter().collect();
    // Until no slot joins a group or begins one.
    loop {
        let before = left.len();
        let mut postponed = Vec::new();
        for one @ (number, unrolled, span) in left {
            let slot = &slots[*number];
            let relations: Vec<Relation> = groups.iter().map(|group| group.relation(slot, *span)).collect();
            let held = relations.iter().position(|relation| matches!(relation, Relation::Holds { .. }));
            let open = relations.iter().any(|relation| matches!(relation, Relation::Open));
            let precise = *span >= 4.0 * MARGIN * slot.error() && !slot.noise.contains(&PI);
            match held.map(|at| (at, &relations[at])) {
                Some((at, relation)) => groups[at].sharpen(slot, relation),
                None if !open && precise && groups.len() < MOST_GROUPS => {
                    groups.push(Group { place: unrolled.clone(), error: slot.error() });
                }
                None => postponed.push(one),
            }
        }
        left = postponed;
        if left.is_empty() || left.len() == before {
            break;
        }
    }
    // A group of one slot is none.
    loop {
        let (found, undecided) = assigned(&groups, slots, &moving);
        let alone: Vec<bool> = found.iter().map(|found| found.len() < 2).collect();
        if alone.iter().any(|&alone| alone) {
            let mut kept = alone.iter().map(|alone| !alone);
            groups.retain(|_| kept.next().unwrap_or(false));
            continue;
        }
        let mut named: Vec<SlotGroup> =
            groups.iter().zip(found).filter_map(|(group, found)| group.named(found)).collect();
        named.sort_by_key(|group| group.slots.first().copied());
        return Groups { groups: named, still, undecided };
    }
}

/// A slot of a group: its number, the multiple, and to which part of what it moves it agrees.
type Member = (usize, Measured, f64);

/// The slots that one group explains and every other one refutes, group by group, and the others.
fn assigned(groups: &[Group], slots: &[Angles], moving: &[(usize, Vec<f64>, f64)]) -> (Vec<Vec<Member>>, Vec<usize>) {
    let mut found: Vec<Vec<Member>> = groups.iter().map(|_| Vec::new()).collect();
    let mut undecided = Vec::new();
    for (number, _, span) in moving {
        let (mut own, mut sure) = (None, true);
        for (at, group) in groups.iter().enumerate() {
            match group.relation(&slots[*number], *span) {
                Relation::Holds { multiple, error, .. } if own.is_none() => own = Some((at, multiple, span / error)),
                Relation::Refuted => {}
                Relation::Holds { .. } | Relation::Open => sure = false,
            }
        }
        match own.filter(|_| sure) {
            Some((at, multiple, agreement)) => found[at].push((*number, multiple, agreement)),
            None => undecided.push(*number),
        }
    }
    undecided.sort_unstable();
    found.iter_mut().for_each(|found| found.sort_by_key(|(slot, _, _)| *slot));
    (found, undecided)
}

impl Angles {
    /// What storage makes of an angle, in rows that show one.
    fn error(&self) -> f64 {
        self.noise.iter().copied().filter(|&noise| noise < PI).fold(0.0, f64::max)
    }
}

/// The angles from the end of the largest gap between them on, and how far they reach.
fn unrolled(slot: &Angles) -> (Vec<f64>, f64) {
    let mut sorted: Vec<f64> =
        slot.angle.iter().zip(&slot.noise).filter(|(_, noise)| **noise < PI).map(|(angle, _)| *angle).collect();
    sorted.sort_by(f64::total_cmp);
    let Some((first, last)) = sorted.first().zip(sorted.last()) else { return (slot.angle.clone(), 0.0) };
    let gaps = sorted.windows(2).map(|pair| (pair[1] - pair[0], pair[1])).chain([(first + TAU - last, *first)]);
    let (gap, start) = gaps.max_by(|(a, _), (b, _)| a.total_cmp(b)).unwrap_or((TAU, *first));
    let above = |&angle: &f64| if angle < start { angle + TAU } else { angle };
    (slot.angle.iter().map(above).collect(), TAU - gap)
}

impl Group {
    /// Pairs of rows whose places differ, at all distances, the nearest first.
    fn differences(&self, slot: &Angles) -> Vec<Difference> {
        let mut order: Vec<usize> = (0..self.place.len()).filter(|&row| slot.noise[row] < PI).collect();
        order.sort_by(|&i, &j| self.place[i].total_cmp(&self.place[j]));
        let strides = (0..usize::BITS).map(|bit| 1usize << bit).take_while(|&stride| stride < order.len());
        let pairs = strides.flat_map(|stride| (0..order.len() - stride).map(move |i| (i, i + stride)));
        let difference = |(i, j): (usize, usize)| {
            let (i, j) = (order[i], order[j]);
            let d = self.place[j] - self.place[i];
            let (angle, noise) = (wrap(slot.angle[j] - slot.angle[i]), slot.noise[i] + slot.noise[j]);
            (d > 4.0 * self.error).then_some(Difference { d, angle, noise, reach: 2.0 * self.error })
        };
        let mut differences: Vec<Difference> = pairs.filter_map(difference).collect();
        differences.sort_by(|a, b| a.d.total_cmp(&b.d));
        differences
    }

    /// What the group says of a slot that moves so far.
    fn relation(&self, slot: &Angles, span: f64) -> Relation {
        let differences = self.differences(slot);
        let Some(nearest) = differences.first() else { return Relation::Open };
        let turns = (1..=MOST_TURNS).flat_map(|m| [f64::from(m), -f64::from(m)]);
        let mut candidates: Vec<f64> =
            std::iter::once(0.0).chain(turns).map(|m| (nearest.angle + TAU * m) / nearest.d).collect();
        candidates.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
        let all = candidates.len();
        candidates.retain(|multiple| multiple.abs() * 2.0 * self.error <= TESTABLE);
        let tested =
            candidates.len() == all || candidates.last().is_some_and(|most| most.abs() * self.range() > TAU * 64.0);
        let mut open = false;
        // An error that is no small part of what the slot moves would explain it by any group.
        let small = |extra: &f64| *extra == 0.0 || span >= MARGIN * (2.0 * slot.error() + extra);
        for extra in LOOSER.into_iter().filter(small) {
            for multiple in candidates.iter().filter_map(|&candidate| refined(candidate, &differences, extra)) {
                match self.verified(slot, multiple, extra, span) {
                    Relation::Refuted => {}
                    Relation::Open => open = true,
                    holds @ Relation::Holds { .. } => return holds,
                }
            }
        }
        if open || !tested { Relation::Open } else { Relation::Refuted }
    }

    fn range(&self) -> f64 {
        let (low, high) = self.place.iter().fold((f64::MAX, f64::MIN), |(low, high), &x| (low.min(x), high.max(x)));
        high - low
    }

    /// Whether a multiple explains every row, and says something by that.
    fn verified(&self, slot: &Angles, multiple: Measured, extra: f64, span: f64) -> Relation {
        let shown = || (0..self.place.len()).filter(|&row| slot.noise[row] < PI);
        let Some(base) = shown().next() else { return Relation::Open };
        let own = slot.error();
        let constant = wrap(slot.angle[base] - multiple.value * self.place[base]);
        let (mut largest, mut count) = (0f64, 0u32);
        for row in shown() {
            let far = (self.place[row] - self.place[base]).abs();
            let error = 2.0 * own + extra + multiple.value.abs() * 2.0 * self.error + multiple.error * far;
            if wrap(slot.angle[row] - multiple.value * self.place[row] - constant).abs() > error {
                return Relation::Refuted;
            }
            largest = largest.max(error);
            count += 1;
        }
        let bits =
            f64::from(count.saturating_sub(2)) * (span / (2.0 * largest)).log2() - f64::from(2 * MOST_TURNS).log2();
        if largest > TESTABLE || span < MARGIN * largest || bits < BITS {
            return Relation::Open;
        }
        Relation::Holds { multiple, error: largest, constant }
    }

    /// The places as a slot of the group shows them, if more precisely.
    fn sharpen(&mut self, slot: &Angles, relation: &Relation) {
        let Relation::Holds { multiple, error, constant } = relation else { return };
        let q = multiple.value;
        if error / q.abs() >= self.error || slot.noise.contains(&PI) {
            return;
        }
        for (place, &angle) in self.place.iter_mut().zip(&slot.angle) {
            let turns = ((q * *place + constant - angle) / TAU).round();
            *place = (angle + TAU * turns - constant) / q;
        }
        self.error = error / q.abs();
    }

    /// What is reported of the slots that were assigned.
    fn named(&self, found: Vec<Member>) -> Option<SlotGroup> {
        let slowest = found.iter().min_by(|(_, a, _), (_, b, _)| a.value.abs().total_cmp(&b.value.abs()))?;
        let (unit, per) = (slowest.0, slowest.1);
        let limit = near_step(&self.place, 4.0 * self.error).map(|step| PI / step);
        let own = MeasuredSlots {
            slots: found.iter().map(|(slot, _, _)| *slot).collect(),
            rates: found.iter().map(|(_, rate, _)| *rate).collect(),
            origins: Vec::new(),
            // Half of it and twice it are finite.
            limit: limit.unwrap_or(f64::MAX / 4.0),
        };
        let ratio = ratio(&own);
        let quotient = |(_, rate, _): &Member| {
            let value = rate.value / per.value;
            let error = (rate.error + value.abs() * per.error) / per.value.abs();
            Measured { value, error }
        };
        let multiples: Vec<Measured> = found.iter().map(quotient).collect();
        // Far from every whole number: an angle of binary32 that has gone round thousands of times is off by more than its rows say.
        let fraction =
            |multiple: &Measured| (multiple.value - multiple.value.round()).abs() > 2.0 * multiple.error + FRACTION;
        Some(SlotGroup {
            unit,
            within_a_turn: multiples.iter().any(fraction),
            multiples: multiples.iter().map(|multiple| multiple.value).collect(),
            errors: multiples.iter().map(|multiple| multiple.error).collect(),
            modulo: limit.map(|limit| 2.0 * limit / per.value.abs()),
            ratio,
            agreement: found.iter().map(|(_, _, agreement)| *agreement).fold(f64::INFINITY, f64::min),
            slots: own.slots,
        })
    }
}
