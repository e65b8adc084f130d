//! The exhaustive comparison of a program with its bounds.

use super::entry::Model;
use super::origin::Bound;
use super::program::Impossible;
use super::study::decades;
use super::worst::{Extreme, WorstCase};
use posproof_encoding::convention::Component;
use rayon::prelude::*;
use std::ops::Range;

/// The largest error over all entries of a table, beside its bounds.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// The positions: all that the format holds, of those asked for.
    pub positions: Range<u64>,
    /// Number of entries that were compared.
    pub comparisons: u64,
    /// The largest error.
    pub worst: Extreme,
    /// Its pair.
    pub pair: usize,
    /// Its component.
    pub component: Component,
    /// The largest instance bound of all pairs.
    pub instance: Bound,
    /// The largest a priori bound of all pairs.
    pub a_priori: Bound,
    /// Number of pairs, components and decades of positions that have an error above one of their bounds: none, ever.
    pub above: u64,
    /// The largest quotient of an error and its instance bound, over pairs, components and decades.
    pub closest: f64,
}

impl Enumeration {
    /// Union of two enumerations, over the positions of the later one.
    fn join(self, other: Self) -> Self {
        let worse = other.worst.error > self.worst.error;
        let (worst, pair, component) = match worse {
            true => (other.worst, other.pair, other.component),
            false => (self.worst, self.pair, self.component),
        };
        Self {
            positions: other.positions,
            comparisons: self.comparisons + other.comparisons,
            worst,
            pair,
            component,
            instance: self.instance.max(other.instance),
            a_priori: self.a_priori.max(other.a_priori),
            above: self.above + other.above,
            closest: self.closest.max(other.closest),
        }
    }
}

impl Model {
    /// Compares every entry of a table, at the positions from 0 that the program's format holds, with its
    /// exact value, decade by decade with the bounds. Runs in the threads of the current rayon pool; the
    /// result does not depend on them.
    pub fn survey(&self, length: u64) -> Result<Enumeration, Impossible> {
        let none = || Impossible::new("positions", "none", "at least one");
        self.survey_lengths(&[length])?.pop().ok_or_else(none)
    }

    /// The same for several lengths, increasing: one enumeration for each that the format has positions for
    /// beyond the one before, each entry compared once.
    pub fn survey_lengths(&self, lengths: &[u64]) -> Result<Vec<Enumeration>, Impossible> {
        let held = (self.program.position.max_finite() as u64).saturating_add(1);
        let mut ends: Vec<u64> = lengths.iter().map(|length| (*length).min(held)).collect();
        ends.dedup();
        let pairs: Result<Vec<Vec<Enumeration>>, Impossible> =
            (0..self.convention.pairs()).into_par_iter().map(|pair| self.survey_pair(pair, &ends)).collect();
        let together = |mut all: Vec<Enumeration>, pair: Vec<Enumeration>| {
            all = all.into_iter().zip(pair).map(|(all, pair)| all.join(pair)).collect();
            all
        };
        let none = || Impossible::new("pairs", 0, "at least one");
        pairs?.into_iter().reduce(together).ok_or_else(none)
    }

    fn survey_pair(&self, pair: usize, ends: &[u64]) -> Result<Vec<Enumeration>, Impossible> {
        let rate = self.rate(pair)?;
        let mut start = 0;
        let mut enumerations: Vec<Enumeration> = Vec::new();
        for &end in ends {
            let ranges = decades(&(start..end));
            let mut joined = enumerations.last().cloned();
            for (range, worst) in ranges.iter().zip(self.worst(&rate, &ranges)?) {
                let a_priori = self.a_priori(&rate, range.clone())?;
                for component in [Component::Sin, Component::Cos] {
                    let instance = self.instance(&rate, component, range.clone())?;
                    let enumeration = enumeration(pair, component, end, &worst, instance, a_priori);
                    joined = Some(match joined {
                        Some(before) => before.join(enumeration),
                        None => enumeration,
                    });
                }
            }
            enumerations.extend(joined);
            start = end;
        }
        Ok(enumerations)
    }
}

/// Enumeration of one component of one pair over one range of positions, reported from 0.
fn enumeration(
    pair: usize,
    component: Component,
    end: u64,
    worst: &WorstCase,
    instance: Bound,
    a_priori: Bound,
) -> Enumeration {
    let extreme = worst.of(component).clone();
    let within = extreme.above <= instance.value() && extreme.above <= a_priori.value();
    Enumeration {
        positions: 0..end,
        comparisons: worst.comparisons / 2,
        closest: extreme.error / instance.value(),
        worst: extreme,
        pair,
        component,
        instance,
        a_priori,
        above: u64::from(!within),
    }
}
