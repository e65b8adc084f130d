//! Whether entries beyond the bound for a path may be those of other frequencies.
//!
//! The bounds of two paths differ in what they admit of the frequencies; positions, products, sines, cosines and storage have the
//! same errors along all of them. So what an honest program along a wider path makes beyond the bound for a narrower one
//! are the entries of other frequencies: one for each pair, the same in all rows. These are measured, to within a bound,
//! and every entry is compared with what they predict, within the bound for the narrower path and what the measurement
//! leaves open. What is beyond that too is of no honest program, along whatever path but a recurrence over the rows, which errs
//! otherwise.

use super::Invalid;
use super::circle::{ERROR, turn};
use super::compare::{Coverage, Scope, TableComparison};
use super::faults::{Region, Span};
use super::measure::{Estimate, frequencies};
use super::paths::Judged;
use super::reference::{Program, Reading, Reference};
use super::totals::EntryTotals;
use posproof_bound::{Allowance, Path};
use posproof_encoding::Law;

/// What measured frequencies explain.
pub(super) struct Departures {
    /// Entries beyond the bound that other frequencies do not explain.
    pub left: u64,
    /// Entries beyond the bound in pairs whose measured frequency is not the exact one.
    pub told: u64,
    /// Entries within the bound that the measured frequencies put beyond it.
    pub broken: u64,
}

/// Which rows are asked.
#[derive(Clone, Copy)]
pub(super) enum Asked {
    /// Those with an entry beyond the bound.
    Departing,
    /// All.
    All,
}

impl Judged<'_> {
    /// What becomes of the entries beyond the bound for a path if the frequencies of their pairs are the measured ones; none
    /// where these cannot be measured. The first table of several decides on the frequencies.
    pub fn by_frequencies(
        &self,
        path: Option<Path>,
        (tally, region): (&EntryTotals, Option<&Region>),
        asked: Asked,
    ) -> Result<Option<Departures>, Invalid> {
        let Some((phasors, noise)) = self.phasors()? else { return Ok(None) };
        // The frequency, the product and its position are rounded.
        let Some(measured) = frequencies(&phasors, noise, 3.0 * self.compute.unit_roundoff()) else { return Ok(None) };
        let Some(region) = region else { return Ok(None) };
        let departs = |pair: usize| tally.pairs.get(pair).is_some_and(|part| part.exceeding > 0);
        let told = |(pair, (found, omega)): (usize, (&Estimate, &f64))| {
            let told = departs(pair) && (found.value - omega).abs() > found.error;
            if told { tally.pairs[pair].exceeding } else { 0 }
        };
        let told = measured.iter().zip(self.omega).enumerate().map(told).sum();
        let pick = |of: &dyn Fn(&Estimate) -> f64, right: &dyn Fn(usize) -> f64| -> Vec<f64> {
            measured.iter().enumerate().map(|(k, found)| if departs(k) { of(found) } else { right(k) }).collect()
        };
        let program = Measured {
            law: Law::new(self.convention),
            gain: self.convention.gain().enclose(64).approximate(),
            omega: pick(&|found| found.value, &|k| self.omega[k]),
            error: pick(&|found| found.error, &|_| 0.0),
        };
        let fastest: Vec<f64> = program.omega.iter().zip(self.omega).map(|(found, omega)| found.max(*omega)).collect();
        let storage = self.subject.format();
        let open = Allowance::new(self.convention, &fastest, self.positions.max(), (self.compute, path), storage);
        let allowance = self.allowance(path);
        let stated = TableComparison::new(self.subject, self.convention, self.positions, &allowance)?;
        let reference = Reference::Program(&program);
        let other =
            TableComparison::with(self.subject, &Reading::new(self.convention), self.positions, &open, reference)?;
        let scope = match asked {
            Asked::Departing => Scope { slabs: region.heads, rows: region.rows },
            Asked::All => Scope { slabs: Span::all(region.of.heads), rows: Span::all(region.of.rows) },
        };
        let Coverage { explained, broken, .. } = stated.explained_by(&other, scope)?;
        Ok(Some(Departures { left: tally.exceeding - explained.min(tally.exceeding), told, broken }))
    }
}

/// A program with measured frequencies.
struct Measured {
    law: Law,
    gain: f64,
    omega: Vec<f64>,
    /// How far off each may be.
    error: Vec<f64>,
}

impl Program for Measured {
    fn row(&self, _: usize, _: usize, position: u64, _: usize, out: &mut [f64]) {
        let t = self.law.effective(position as f64);
        let (cosines, sines) = out.split_at_mut(out.len() / 2);
        cosines.iter_mut().zip(&self.omega).for_each(|(angle, omega)| *angle = t * omega);
        turn(cosines, sines);
        cosines.iter_mut().for_each(|cos| *cos *= self.gain);
        sines.iter_mut().for_each(|sin| *sin *= self.gain * self.law.sense());
    }

    fn repeats(&self, _: usize, _: [usize; 2], _: [u64; 2]) -> bool {
        false
    }

    fn ways(&self) -> usize {
        1
    }

    /// The error of the measured frequency; and, of binary64, two roundings on the way to the angle, the error of the cosine or
    /// sine and the rounding of its product.
    fn slack(&self, position: u64, out: &mut [f64]) {
        let t = self.law.effective(position as f64).abs();
        for (pair, out) in out.iter_mut().enumerate() {
            let of = |all: &[f64]| all.get(pair).copied().unwrap_or(0.0);
            let angle = t * of(&self.error) + 2.0 * f64::EPSILON * t * of(&self.omega);
            *out = self.gain.abs() * (angle + ERROR + f64::EPSILON);
        }
    }
}
