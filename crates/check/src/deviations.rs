//! Deviations of an implementation's frequencies from the exact ones, each measured by the votes of entries.
//!
//! An honest program uses one frequency ω + δ for a pair in all rows, with |δ| no larger than the widest path allows. Each
//! entry e at effective position t then says in which interval δ is: e = g·cos(t(ω + δ)) or g·sin(t(ω + δ)) to within the
//! bound for a program's own frequencies, which holds all errors but those of the path. All entries of an honest pair have a number
//! in common. An entry that is wrong by itself has one vote of many, wherever it stands: a pair is measured by the number
//! that most entries agree on.

use super::Invalid;
use super::cache;
use super::judged::Judged;
use super::sample::{Phasors, Sample, choose};
use super::subject::{Subject, Wiring};
use posproof_bound::Allowance;
use posproof_encoding::Law;
use posproof_encoding::convention::Component;
use rayon::prelude::*;

/// Entries say nothing of δ where the angle may be this far off, in radians: beyond, an entry has several angles.
pub(crate) const AMBIGUOUS: f64 = 0.7;

/// Frequencies of at most so many pairs of tables are kept one by one; of more tables the first decides.
const KEPT: usize = 1 << 22;

/// Votes of entries on the frequencies of a table.
pub(super) enum Votes {
    /// Each pair has a number that at least three quarters of its entries agree on.
    Agree(Deviations),
    /// Some pair has none: it is no honest program's, unless a recurrence over the positions made it.
    Disagree,
    /// Entries cannot say it, as their columns are not read.
    Silent,
}

/// Measured deviations of frequencies: of each table, or of the first for all, pair by pair.
pub(super) struct Deviations {
    tables: Vec<Vec<FrequencyInterval>>,
}

/// An interval in which ω′ − ω lies, in radians per effective position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FrequencyInterval {
    pub value: f64,
    pub error: f64,
}

impl Deviations {
    /// Those of a table.
    pub fn of(&self, slab: usize) -> &[FrequencyInterval] {
        self.tables.get(slab).or(self.tables.first()).map_or(&[], Vec::as_slice)
    }

    /// The largest error of a pair's, over all tables.
    pub fn error(&self, pair: usize) -> f64 {
        self.tables.iter().filter_map(|table| table.get(pair)).fold(0.0, |error, of| error.max(of.error))
    }

    /// The largest deviation of a pair's, over all tables.
    pub fn largest(&self, pair: usize) -> f64 {
        let all = self.tables.iter().filter_map(|table| table.get(pair));
        all.fold(0.0, |largest: f64, of| largest.max(of.value))
    }

    /// True if each may be one of at most this magnitude.
    pub fn are_within(&self, limit: impl Fn(usize) -> f64) -> bool {
        let within = |(pair, of): (usize, &FrequencyInterval)| of.value.abs() - of.error <= limit(pair);
        self.tables.iter().all(|table| table.iter().enumerate().all(within))
    }

    /// True if a pair's is measured to be other than 0, in some table.
    pub fn is_other(&self, pair: usize) -> bool {
        self.tables.iter().filter_map(|table| table.get(pair)).any(|of| of.value.abs() > of.error)
    }
}

/// Votes of entries on one number.
#[derive(Clone, Default)]
pub(crate) struct Poll {
    pub intervals: Vec<(f64, f64)>,
}

impl Poll {
    /// The interval that most votes have in common, within (−limit, limit); the nearest to 0 of several. None where it has less
    /// than three quarters of the votes.
    pub fn result(&self, limit: f64) -> Option<FrequencyInterval> {
        let mut ends: Vec<(f64, i32)> = Vec::with_capacity(2 * self.intervals.len());
        for &(low, high) in &self.intervals {
            let (low, high) = (low.max(-limit), high.min(limit));
            if low <= high {
                ends.extend([(low, -1), (high, 1)]);
            }
        }
        // An interval that begins where another ends has a point in common with it.
        ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let (mut open, mut most, mut best) = (0usize, 0usize, (-limit, limit));
        let distance = |(low, high): (f64, f64)| low.max(-high).max(0.0);
        for (at, &(end, kind)) in ends.iter().enumerate() {
            if kind > 0 {
                open -= 1;
                continue;
            }
            open += 1;
            let here = (end, ends.get(at + 1).map_or(limit, |next| next.0));
            if open > most || (open == most && distance(here) < distance(best)) {
                (most, best) = (open, here);
            }
        }
        let (low, high) = best;
        (4 * most >= 3 * self.intervals.len())
            .then_some(FrequencyInterval { value: low.midpoint(high), error: (high - low) / 2.0 })
    }
}

/// The interval of a for an entry e = cos(φ + a) or sin(φ + a), |a| at most `far`, to within `noise`; none where e says nothing.
pub(crate) fn offset(phi: f64, entry: f64, part: Component, far: f64, noise: f64) -> Option<(f64, f64)> {
    use std::f64::consts::{FRAC_PI_2, PI, TAU};
    // sin θ = cos(θ − π/2).
    let phi = if part == Component::Sin { phi - FRAC_PI_2 } else { phi };
    let turned = phi - (phi / TAU).round() * TAU;
    // Where cosine turns within reach, an entry has two angles.
    if turned.abs() <= far || PI - turned.abs() <= far || noise >= 0.5 || entry.is_nan() {
        return None;
    }
    let sense = turned.signum();
    let angle = |entry: f64| sense * core_math::acos(entry.clamp(-1.0, 1.0)) - turned;
    let (one, other) = (angle(entry - noise), angle(entry + noise));
    // acos and the angle in binary64.
    let slack = 4.0 * f64::EPSILON * (phi.abs() + 1.0 / core_math::sin(turned.abs()));
    Some((one.min(other) - slack, one.max(other) + slack))
}

impl Judged<'_> {
    /// The bound on |δ| along a path, or along any, in radians per effective position.
    pub fn reach_of(&self, allowance: &Allowance, pair: usize) -> f64 {
        allowance.slope(pair) / Law::new(self.convention).scale().abs()
    }

    /// The bound for entries of a program whose own frequencies these are.
    pub fn of_own_frequencies(&self, omega: &[f64]) -> Allowance {
        let Self { subject, convention, positions, compute, .. } = self;
        Allowance::of_own_frequencies(convention, omega, positions.max(), *compute, subject.format())
    }

    /// Deviations of all frequencies, by a sample of rows.
    pub fn deviations(&self) -> Result<Votes, Invalid> {
        if let Subject::Rope { cos: Some(cos), sin: Some(sin) } = self.subject
            && cache::duplication(cos)? != cache::duplication(sin)?
        {
            return Ok(Votes::Silent);
        }
        let rows = choose(self.positions.len(), None);
        let (narrow, wide) = (self.of_own_frequencies(self.omega), self.allowance(None));
        let slabs = self.subject.judged().slabs();
        let slabs = if slabs.saturating_mul(self.omega.len()) > KEPT { 1 } else { slabs };
        let tables: Result<Vec<Option<Option<Vec<FrequencyInterval>>>>, Invalid> = (0..slabs)
            .into_par_iter()
            .map(|slab| {
                let sample = Sample::read(self.subject, slab, &rows, self.positions)?;
                let wiring = matches!(self.subject, Subject::Rotation { .. }).then(|| Wiring::new(self.convention));
                let phasors = sample.phasors(self.convention, wiring.as_ref());
                Ok(phasors.map(|phasors| self.measured(&phasors, &narrow, &wide)))
            })
            .collect();
        let Some(tables) = tables?.into_iter().collect::<Option<Vec<_>>>() else { return Ok(Votes::Silent) };
        Ok(match tables.into_iter().collect::<Option<Vec<_>>>() {
            Some(tables) => Votes::Agree(Deviations { tables }),
            None => Votes::Disagree,
        })
    }

    /// Deviations of a table's frequencies; none where entries contradict each other.
    fn measured(&self, phasors: &Phasors, narrow: &Allowance, wide: &Allowance) -> Option<Vec<FrequencyInterval>> {
        let law = Law::new(self.convention);
        let gain = self.convention.gain().enclose(64).approximate();
        let entry = |row, pair, part| match part {
            Component::Cos => phasors.cos(row, pair).map(|cos| cos / gain),
            Component::Sin => phasors.sin(row, pair).map(|sin| law.sense() * sin / gain),
        };
        let poll = |pair: usize| {
            let mut poll = Poll::default();
            for (row, &position) in phasors.positions.iter().enumerate() {
                let (reach, t) = (law.reach(position as f64), law.effective(position as f64));
                let far = reach * wide.slope(pair);
                if t == 0.0 || far > AMBIGUOUS {
                    continue;
                }
                for part in [Component::Cos, Component::Sin] {
                    let Some(entry) = entry(row, pair, part) else { continue };
                    let noise = phasors.noise(narrow, (row, pair), (reach, entry));
                    if let Some((low, high)) = offset(t * self.omega[pair], entry, part, far, noise) {
                        let (low, high) = (low / t, high / t);
                        poll.intervals.push((low.min(high), low.max(high)));
                    }
                }
            }
            poll.result(self.reach_of(wide, pair))
        };
        (0..phasors.pairs).map(poll).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_votes_decide_and_one_of_many_does_not() {
        let around = |middle: f64| (middle - 1.0, middle + 1.0);
        let poll = Poll { intervals: [3.0, 3.5, 2.75, 3.25, 60.0].map(around).to_vec() };
        let found = poll.result(100.0).expect("most agree");
        assert_eq!((found.value - found.error, found.value + found.error), (2.5, 3.75));
        assert_eq!(Poll { intervals: [3.0, 3.5, 60.0].map(around).to_vec() }.result(100.0), None);
        // Nothing asked leaves everything open.
        assert_eq!(Poll::default().result(7.0), Some(FrequencyInterval { value: 0.0, error: 7.0 }));
    }

    #[test]
    fn entries_say_where_the_angle_is() {
        for phi in [0.4, 1.2, 2.5, 4.0, 5.5, -0.9, 700.3] {
            for a in [-0.01, 0.0, 0.003] {
                for (part, entry) in
                    [(Component::Cos, core_math::cos(phi + a)), (Component::Sin, core_math::sin(phi + a))]
                {
                    let Some((low, high)) = offset(phi, entry, part, 0.05, 1e-6) else { continue };
                    assert!(low <= a && a <= high && high - low < 1e-4, "{phi} {a} {part:?}: {low} {high}");
                }
            }
        }
        assert_eq!(offset(0.01, 1.0, Component::Cos, 0.05, 1e-6), None);
    }
}
