//! True if entries beyond the bound for a path may be those of other frequencies.
//!
//! The bounds of two paths differ in what they admit of the frequencies; positions, products, sines, cosines and storage have the
//! same errors along all of them. So what an honest program along a wider path makes beyond the bound for a narrower one
//! are the entries of other frequencies: one for each pair, the same in all rows. These are measured, to within a bound,
//! and every entry is compared with what they predict, within the bound for the narrower path and what the measurement
//! leaves open. What is beyond that too is of no honest program, along whatever path but a recurrence over the rows, which errs
//! otherwise.

use super::Invalid;
use super::circle::{ERROR, turn};
use super::compare::{ComparedScopes, Coverage, Scope, TableComparison};
use super::deviations::Deviations;
use super::faults::Span;
use super::judged::{Judged, Outcome};
use super::reference::{Program, Reading, Reference};
use posproof_encoding::Law;

/// Departures that measured frequencies explain.
pub(super) struct Departures {
    /// Entries beyond the bound that other frequencies explain.
    pub explained: u64,
    /// Finite entries beyond the bound that they do not explain.
    pub left: u64,
    /// Entries beyond the bound in pairs whose measured frequency is not the exact one.
    pub told: u64,
    /// Entries within the bound that the measured frequencies put beyond it.
    pub broken: u64,
}

impl Judged<'_> {
    /// Outcome of the entries beyond the bound for a path if the frequencies of their pairs are the measured ones.
    pub fn by_frequencies(&self, found: &Outcome, deviations: &Deviations) -> Result<Departures, Invalid> {
        let Outcome { path, tally, .. } = found;
        let exceeding = |pair: usize| tally.pairs.get(pair).map_or(0, |part| part.exceeding);
        let told = (0..self.omega.len()).filter(|&pair| deviations.is_other(pair)).map(exceeding).sum();
        let program = MeasuredProgram {
            law: Law::new(self.convention),
            gain: self.convention.gain().enclose(64).approximate(),
            omega: self.omega,
            deviations,
        };
        let fastest: Vec<f64> =
            self.omega.iter().enumerate().map(|(pair, omega)| omega + deviations.largest(pair)).collect();
        let open = self.of_own_frequencies(&fastest);
        let allowance = self.allowance(*path);
        let stated = self.comparison(&allowance)?;
        let reference = Reference::Program(&program);
        let other =
            TableComparison::with(self.subject, &Reading::new(self.convention), self.positions, &open, reference)?;
        let judged = self.subject.judged();
        let scope = Scope { slabs: Span::all(judged.slabs()), rows: Span::all(judged.rows()) };
        let Coverage { explained, broken, left, .. } = stated.explained_by(&other, scope)?;
        Ok(Departures { explained, left, told, broken })
    }
}

/// A program with measured frequencies.
struct MeasuredProgram<'a> {
    law: Law,
    gain: f64,
    omega: &'a [f64],
    deviations: &'a Deviations,
}

impl Program for MeasuredProgram<'_> {
    fn row(&self, slab: usize, _: usize, position: u64, _: usize, out: &mut [f64]) {
        let t = self.law.effective(position as f64);
        let (cosines, sines) = out.split_at_mut(out.len() / 2);
        let measured = self.deviations.of(slab);
        for (pair, (angle, omega)) in cosines.iter_mut().zip(self.omega).enumerate() {
            let deviation = measured.get(pair).map_or(0.0, |of| of.value);
            *angle = t * (omega + deviation);
        }
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

    /// The error of the measured frequency; and, of binary64, three roundings on the way to the angle, the error of the cosine
    /// or sine and the rounding of its product.
    fn slack(&self, position: u64, out: &mut [f64]) {
        let t = self.law.effective(position as f64).abs();
        for (pair, out) in out.iter_mut().enumerate() {
            let omega = self.omega.get(pair).copied().unwrap_or(0.0);
            let angle = t * self.deviations.error(pair) + 3.0 * f64::EPSILON * t * omega;
            *out = self.gain.abs() * (angle + ERROR + f64::EPSILON);
        }
    }
}
