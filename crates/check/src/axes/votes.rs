//! The path to judge an encoding of several axes by, where none is stated: no entry is excused by a wide one that no frequency
//! explains.
//!
//! As for one axis ([`crate::deviations`]), each entry says in which interval the deviation δ of its slot's frequency is. Entries
//! of an honest program have a number in common, slot by slot and table by table. Slots that several axes claim have several
//! frequencies, of which one entry says nothing.

use super::cells::Cell;
use super::comparison::{AxialComparison, Row};
use crate::Invalid;
use crate::deviations::{AMBIGUOUS, FrequencyInterval, Poll, offset};
use crate::row::pair_length;
use crate::subject::Subject;
use posproof_bound::AxialAllowance;
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_encoding::convention::Component;
use rayon::prelude::*;

/// Rows of a table that vote, of those that are within the narrowest bounds.
const VOTERS: usize = 512;

/// Rows whose votes are held at once, at most.
const HELD: usize = 1 << 13;

/// A slot that one axis claims, with what an entry's angle is made of.
struct Single {
    slot: usize,
    axis: usize,
    gain: f64,
    /// (x + o)·s of each distinct coordinate.
    effective: Vec<f64>,
    scale: f64,
}

/// Where the two parts of a slot stand in a row.
enum Parts {
    /// Columns of grids, where they are there.
    Read([Option<(usize, usize)>; 2]),
    /// Entries of the vector, and columns of the rotated one.
    Turned { read: (usize, usize), written: (usize, usize) },
}

/// Votes of the entries of some rows.
pub(super) struct RowVotes<'a> {
    comparison: &'a AxialComparison<'a>,
    law: &'a AxialLaw,
    coordinates: &'a Coordinates,
    singles: Vec<Single>,
    parts: Vec<Option<Parts>>,
    own: AxialAllowance,
    any: &'a AxialAllowance,
}

/// Deviations that most entries of each slot have in common.
#[derive(Default)]
pub(super) struct Majority {
    /// Deviations by table and slot.
    deviations: Vec<(usize, usize, FrequencyInterval)>,
    /// Entries that say another thing.
    pub against: u64,
}

/// Result of the votes of all tables.
pub(super) enum VoteResult {
    /// In each slot the entries have a number in common.
    Unanimous,
    /// In each slot most have, though not all.
    Majority(Majority),
    /// In some slot they have none.
    Disagreement,
}

/// The numbers that all votes have in common, and how many votes are for others than most are.
#[derive(Clone, Copy)]
struct VoteCount {
    common: (f64, f64),
    against: u64,
}

impl VoteCount {
    /// Of no votes.
    const NONE: Self = Self { common: (f64::NEG_INFINITY, f64::INFINITY), against: 0 };

    fn of(poll: &Poll, most: &FrequencyInterval) -> Self {
        let against = |(low, high): &&(f64, f64)| *high < most.value - most.error || *low > most.value + most.error;
        let common = poll.intervals.iter().fold(Self::NONE.common, |(low, high), of| (low.max(of.0), high.min(of.1)));
        Self { common, against: poll.intervals.iter().filter(against).count() as u64 }
    }

    fn and(self, other: Self) -> Self {
        let common = (self.common.0.max(other.common.0), self.common.1.min(other.common.1));
        Self { common, against: self.against + other.against }
    }

    /// Unanimity: all votes have a number in common, within (−limit, limit).
    fn is_unanimous(&self, limit: f64) -> bool {
        self.common.0.max(-limit) <= self.common.1.min(limit)
    }
}

impl<'a> RowVotes<'a> {
    pub fn new(
        comparison: &'a AxialComparison<'a>,
        (law, coordinates): (&'a AxialLaw, &'a Coordinates),
        own: AxialAllowance,
        any: &'a AxialAllowance,
    ) -> Self {
        let single = |slot: usize| {
            let [claim] = law.claims(slot) else { return None };
            let axis = law.axes().get(claim.axis)?;
            let (offset, scale) = (axis.offset().enclose(64).approximate(), axis.scale().enclose(64).approximate());
            let effective = coordinates.distinct(claim.axis).iter().map(|x| (x.to_f64() + offset) * scale).collect();
            Some(Single { slot, axis: claim.axis, gain: law.gain(slot).enclose(64).approximate(), effective, scale })
        };
        let singles: Vec<Single> = (0..law.slots()).filter_map(single).collect();
        let parts = singles.iter().map(|single| comparison.parts_of(single.slot)).collect();
        Self { comparison, law, coordinates, singles, parts, own, any }
    }

    /// The votes of these rows of these tables, and of some rows of each besides.
    pub fn of(&self, slabs: &[usize], rows: &[usize]) -> Result<VoteResult, Invalid> {
        let all = self.coordinates.rows();
        let mut voters: Vec<usize> =
            (0..VOTERS.min(all)).map(|i| (i as u128 * all as u128 / VOTERS.min(all) as u128) as usize).collect();
        voters.extend(rows);
        voters.sort_unstable();
        voters.dedup();
        // Many rows are asked by some of them what most say, and then all whether they say it.
        let held = voters.len().min(HELD);
        let some: Vec<usize> = (0..held).map(|i| voters[i * voters.len() / held]).collect();
        let tables: Vec<(usize, Vec<Poll>)> =
            slabs.par_iter().map(|&slab| Ok((slab, self.polls(slab, &some)?))).collect::<Result<_, Invalid>>()?;
        let (mut unanimous, mut majority) = (true, Majority::default());
        for (slab, polls) in &tables {
            let limit = |single: &Single| self.any.slope(slab % self.law.heads(), single.slot) / single.scale.abs();
            let result = |(single, poll): (&Single, &Poll)| poll.result(limit(single));
            let most: Option<Vec<_>> = self.singles.par_iter().zip(polls).map(result).collect();
            let Some(most) = most else { return Ok(VoteResult::Disagreement) };
            let counts: Vec<VoteCount> = match held < voters.len() {
                true => self.counts(*slab, &voters, &most)?,
                false => polls.iter().zip(&most).map(|(poll, most)| VoteCount::of(poll, most)).collect(),
            };
            for ((single, deviation), count) in self.singles.iter().zip(most).zip(counts) {
                unanimous &= count.is_unanimous(limit(single));
                majority.against += count.against;
                majority.deviations.push((*slab, single.slot, deviation));
            }
        }
        Ok(if unanimous { VoteResult::Unanimous } else { VoteResult::Majority(majority) })
    }

    /// The votes of rows of a table beside what most say, slot by slot.
    fn counts(&self, slab: usize, rows: &[usize], most: &[FrequencyInterval]) -> Result<Vec<VoteCount>, Invalid> {
        let none = || vec![VoteCount::NONE; most.len()];
        let count = |rows: &[usize]| {
            let polls = self.votes(slab, rows)?;
            Ok(polls.iter().zip(most).map(|(poll, most)| VoteCount::of(poll, most)).collect())
        };
        let both = |a: Vec<VoteCount>, b: Vec<VoteCount>| Ok(a.into_iter().zip(b).map(|(a, b)| a.and(b)).collect());
        rows.par_chunks(VOTERS).map(count).try_reduce(none, both)
    }

    /// Admission of a path: its bound on frequencies holds the deviations of most entries.
    pub fn admits(&self, path: &AxialAllowance, majority: &Majority) -> bool {
        let scale =
            |slot: usize| self.singles.iter().find(|single| single.slot == slot).map_or(1.0, |single| single.scale);
        majority.deviations.iter().all(|(slab, slot, deviation)| {
            let limit = path.slope(slab % self.law.heads(), *slot) / scale(*slot).abs();
            deviation.value.abs() - deviation.error <= limit
        })
    }

    /// The votes of rows of a table, slot by slot.
    fn polls(&self, slab: usize, rows: &[usize]) -> Result<Vec<Poll>, Invalid> {
        let none = || vec![Poll::default(); self.singles.len()];
        rows.par_chunks(VOTERS).map(|rows| self.votes(slab, rows)).try_reduce(none, |mut polls, more| {
            polls.iter_mut().zip(more).for_each(|(poll, more)| poll.intervals.extend(more.intervals));
            Ok(polls)
        })
    }

    /// The votes of a few rows.
    fn votes(&self, slab: usize, rows: &[usize]) -> Result<Vec<Poll>, Invalid> {
        let slots = self.law.slots();
        let mut polls = vec![Poll::default(); self.singles.len()];
        let (mut own, mut any) = (Row::of(slots), vec![0.0; slots]);
        let (mut x, mut got) = (Vec::new(), Vec::new());
        for &row in rows {
            self.comparison.read(slab, row, &mut x, &mut got)?;
            self.comparison.reference(slab, row, &mut own)?;
            let place = |axis| self.coordinates.place(row, axis);
            self.own.computed(slab, place, &mut own.computed);
            self.any.computed(slab, place, &mut any);
            for ((single, parts), poll) in self.singles.iter().zip(&self.parts).zip(&mut polls) {
                let (slot, gain) = (single.slot, single.gain);
                let Some(&t) = place(single.axis).and_then(|at| single.effective.get(at)) else { continue };
                let far = any[slot] / gain.abs();
                let (Some(parts), false) = (parts, t == 0.0 || far > AMBIGUOUS) else { continue };
                let (cos, sin) = (own.cos[slot], own.sin[slot]);
                let phi = core_math::atan2(sin / gain, cos / gain);
                let mut vote = |part, entry: f64, noise: f64| {
                    if let Some((low, high)) = offset(phi, entry, part, far, noise) {
                        // An axis that turns the other way has the opposite angle for the same frequency.
                        let (low, high) = (low / t, high / t);
                        poll.intervals.push((low.min(high), low.max(high)));
                    }
                };
                match *parts {
                    Parts::Read(places) => {
                        for ((place, part), exact) in
                            places.iter().zip([Component::Cos, Component::Sin]).zip([cos, sin])
                        {
                            if let &Some((grid, column)) = place {
                                let noise = self.own.entry(own.computed[slot], exact) / gain.abs();
                                vote(part, got[grid][column] / gain, noise);
                            }
                        }
                    }
                    Parts::Turned { read: (a, b), written: (first, second) } => {
                        let length = pair_length(x[a], x[b]);
                        if length > 0.0 {
                            let noise = 1.415 * self.own.rotated(own.computed[slot], slot, length)
                                / (length * gain.abs())
                                + 8.0 * f64::EPSILON;
                            let (y, square) = ((got[0][first], got[0][second]), length * length * gain);
                            vote(Component::Cos, (x[a] * y.0 + x[b] * y.1) / square, noise);
                            vote(Component::Sin, (x[a] * y.1 - x[b] * y.0) / square, noise);
                        }
                    }
                }
            }
        }
        Ok(polls)
    }
}

impl AxialComparison<'_> {
    /// Where the parts of a slot stand; none where they are not both those of a turned pair, or not there.
    fn parts_of(&self, slot: usize) -> Option<Parts> {
        let mut read = [None; 2];
        let (mut pair, mut written) = (None, [None; 2]);
        for (grid, cells) in self.cells.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                match *cell {
                    Cell::Part(of, component) if of == slot => {
                        read[usize::from(component == Component::Sin)].get_or_insert((grid, column));
                    }
                    Cell::Turned { read, slot: of, second, .. } if of == slot => {
                        pair.get_or_insert(read);
                        written[usize::from(second)].get_or_insert(column);
                    }
                    _ => {}
                }
            }
        }
        match (pair, written) {
            (Some(read), [Some(first), Some(second)]) => Some(Parts::Turned { read, written: (first, second) }),
            _ => read.iter().any(Option::is_some).then_some(Parts::Read(read)),
        }
    }

    /// A row of every grid, and of the vectors of a rotation.
    fn read(&self, slab: usize, row: usize, x: &mut Vec<f64>, got: &mut Vec<Vec<f64>>) -> Result<(), Invalid> {
        let grids = self.subject.grids();
        got.resize_with(grids.len(), Vec::new);
        for ((_, grid), got) in grids.iter().zip(got) {
            grid.read(slab, row..row + 1, got)?;
        }
        if let Subject::Rotation { x: grid, .. } = self.subject {
            grid.read(slab, row..row + 1, x)?;
        }
        Ok(())
    }
}
