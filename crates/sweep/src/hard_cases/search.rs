//! Search for the nearest entries.
//!
//! An entry at position a + 64·l + k is e^(iaω)·e^(i64lω)·e^(ikω). Each factor is rounded from an enclosure, its parts to nearest in binary64,
//! and so wrong by at most u/√2, u = 2^−53; two complex products add √5·u each (Brent, Percival, Zimmermann 2007): in all less than 6.7·u,
//! second order included; [`ERROR`] is 8·u. Entries whose distance by this arithmetic, less its error, is not above that of as
//! many others as are wanted, plus theirs, are then enclosed until their distance is known to 60 bits: none of the nearest is lost.

use crate::circle::{Point, point};
use posproof_encoding::convention::Component;
use posproof_encoding::frequency::Entries;
use posproof_numerics::format::{exponent_of, power_of_two};
use posproof_numerics::{Interval, Rational, format::Format};
use rayon::prelude::*;
use std::collections::BinaryHeap;

/// The k and the l that there are.
pub(crate) const PART: usize = 64;

/// A bound on the error of a part of an entry.
const ERROR: f64 = 4.0 * f64::EPSILON;

/// e^(ikω) and e^(i·64·kω) for k < 64 and every pair, pair by pair.
pub(crate) struct Waves {
    pub low: Vec<Point>,
    pub high: Vec<Point>,
}

impl Waves {
    pub fn new(entries: &Entries, pairs: usize) -> Option<Self> {
        let points = |stride: usize| {
            let all = (0..pairs * PART).into_par_iter();
            all.map(|at| point(entries, (at % PART * stride) as u64, at / PART)).collect::<Option<Vec<Point>>>()
        };
        Some(Self { low: points(1)?, high: points(PART)? })
    }
}

/// The exponent of a unit in the last place of a number of this exponent.
fn quantum(format: Format, exponent: i32) -> i32 {
    exponent.max(format.min_exponent()) - (format.precision() as i32 - 1)
}

/// The distance of a number from the nearest tie, and its error, when the number is wrong by at most [`ERROR`], e units. In the number's
/// own binade the distance is wrong by e. Across a power of two, from which the number is then at most e away, units halve or double: the
/// distances there and here are between ½ − 2e and ½. With 2e ≥ ¼ nothing is said.
pub(crate) fn distance(format: Format, value: f64) -> (f64, f64) {
    let scale = power_of_two(-quantum(format, exponent_of(value)));
    let (units, error) = (value.abs() * scale, 2.0 * ERROR * scale);
    if error < 0.25 { ((units - units.floor() - 0.5).abs(), error) } else { (0.5, 0.5) }
}

/// The same of an enclosure; none where it is too wide to tell.
pub(crate) fn enclosed_distance(format: Format, value: &Interval) -> Option<Interval> {
    let value = value.abs();
    let exponent = value.lower().exponent().filter(|exponent| value.upper().exponent() == Some(*exponent))?;
    let scale = Rational::power_of_two(-i64::from(quantum(format, i32::try_from(exponent - 1).ok()?)));
    let units = value * Interval::rational(&scale, 128);
    let whole = units.lower().floor();
    if whole != units.upper().floor() {
        return None;
    }
    let distance = (units - Interval::point(whole) - Interval::rational(&Rational::from((1, 2)), 128)).abs();
    let narrow = distance.width().scaled(60) <= *distance.lower();
    narrow.then_some(distance)
}

/// An entry and what binary64 arithmetic says of its distance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub position: u64,
    pub pair: usize,
    pub component: Component,
    pub distance: f64,
    pub error: f64,
}

/// Entries that may be among the nearest.
pub(crate) struct Candidates {
    keep: usize,
    /// The smallest upper bounds of distances, as many as are kept: bits of numbers that are not negative, in the order of the numbers.
    bounds: BinaryHeap<u64>,
    all: Vec<Candidate>,
    /// Number of them before those that no longer may be among the nearest are left out.
    room: usize,
}

impl Candidates {
    pub fn new(keep: usize) -> Self {
        Self { keep, bounds: BinaryHeap::new(), all: Vec::new(), room: 4096 }
    }

    /// As many entries as are kept are at most so far from a tie.
    fn limit(&self) -> f64 {
        if self.bounds.len() < self.keep {
            f64::INFINITY
        } else {
            self.bounds.peek().map_or(f64::INFINITY, |bound| f64::from_bits(*bound))
        }
    }

    pub fn offer(&mut self, candidate: Candidate) {
        if candidate.distance - candidate.error > self.limit() {
            return;
        }
        self.all.push(candidate);
        self.bounds.push((candidate.distance + candidate.error).to_bits());
        if self.bounds.len() > self.keep {
            self.bounds.pop();
        }
        if self.all.len() > self.room {
            self.prune();
        }
    }

    fn prune(&mut self) {
        let limit = self.limit();
        self.all.retain(|candidate| candidate.distance - candidate.error <= limit);
        self.room = 2 * self.all.len() + 4096;
    }

    pub fn nearest(mut self) -> Vec<Candidate> {
        self.prune();
        self.all
    }
}
