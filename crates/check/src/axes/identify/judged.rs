//! The judgement of a convention that was found: nothing is established that [`check_axes`] refuses, unless its findings explain every
//! entry. An encoding of one axis is identified by the identification of one axis, which judges likewise.

use super::{AxialIdentification, Case, MeasuredAxis, NEAR};
use crate::Invalid;
use crate::axes::comparison::{Comparison, Scope};
use crate::axes::judgement::{AxialExpectation, check_axes};
use crate::diagnose::is_most;
use crate::faults::{Finding, Status};
use crate::identify::free;
use crate::recognise::Identification;
use posproof_bound::AxialAllowance;
use posproof_encoding::axes::{AxialConvention, Coordinates};
use posproof_numerics::format::Format;

/// A convention, and the findings of its judgement.
type Judged = (AxialConvention, Vec<Finding>);

/// The identification of one axis, as that of an encoding of axes: `measured` has what only these say.
pub(super) fn of_one_axis(
    name: &str,
    (found, convention): (Identification, AxialConvention),
    measured: AxialIdentification,
) -> AxialIdentification {
    let axis = MeasuredAxis {
        name: name.to_owned(),
        slots: (0..found.measured.len()).collect(),
        rates: found.measured.iter().map(|pair| pair.frequency).collect(),
        errors: found.measured.iter().map(|pair| pair.error).collect(),
        ratio: measured.axes.first().filter(|_| measured.convention.is_some()).and_then(|axis| axis.ratio),
    };
    // Entries that depart may hide the frequencies of all.
    let axes = if axis.slots.is_empty() { measured.axes } else { vec![axis] };
    AxialIdentification {
        confidence: found.confidence,
        convention: Some(convention),
        storage: found.storage,
        axes,
        undetermined: found.undetermined.iter().map(ToString::to_string).collect(),
        findings: found.findings,
        ..measured
    }
}

/// Of so many entries one may depart from a convention that known faults are asked for.
const MOST: u64 = 4;

/// Entries that respect their bounds under a convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// All.
    All,
    /// All but a part of those of the first rows, or some of the others.
    Most,
    /// Fewer.
    Few,
}

impl Case<'_> {
    /// The first of these conventions whose judgement explains every entry, and what it finds: of those that every entry is within its
    /// bound under, or else the first that most entries follow.
    pub(super) fn first(
        &self,
        conventions: impl Iterator<Item = AxialConvention>,
        coordinates: &Coordinates,
    ) -> Result<Option<Judged>, Invalid> {
        let (mut nearest, mut judged) = (None, None);
        for convention in conventions {
            match self.fit(&convention, coordinates)? {
                Fit::All => judged = self.judged(&convention, coordinates)?,
                Fit::Most => drop(nearest.get_or_insert(convention)),
                Fit::Few => {}
            }
            if judged.is_some() {
                break;
            }
        }
        if let (None, Some(convention), true) = (&judged, nearest, self.is_judged) {
            judged = self.judged(&convention, coordinates)?;
        }
        Ok(judged)
    }

    /// Entries within their bounds along any path; of a table that is not the first, its own.
    fn fit(&self, convention: &AxialConvention, coordinates: &Coordinates) -> Result<Fit, Invalid> {
        let Ok(law) = convention.law(|_| Err("none are stored".into())) else { return Ok(Fit::Few) };
        let Ok(comparison) = Comparison::new(self.subject, &law, coordinates, self.storage) else {
            return Ok(Fit::Few);
        };
        let allowance = AxialAllowance::new(&law, coordinates, (Format::F32, None), self.storage);
        let all = comparison.all();
        let scope = if self.slab == 0 { all } else { Scope { slabs: vec![self.slab], ..all } };
        // Most laws fail in the first rows.
        let first = Scope { slabs: vec![self.slab], rows: 0..scope.rows.end.min(NEAR) };
        let near = comparison.run_in(&allowance, &first)?;
        Ok(match near.exceeding {
            0 if comparison.run_in(&allowance, &scope)?.exceeding == 0 => Fit::All,
            exceeding if MOST * exceeding < near.entries => Fit::Most,
            _ => Fit::Few,
        })
    }

    /// The convention of which known faults make the entries, and these faults: none where the convention is the stated one, and each entry
    /// within its bound. `None` where something is left open.
    fn judged(&self, convention: &AxialConvention, coordinates: &Coordinates) -> Result<Option<Judged>, Invalid> {
        if !self.is_judged {
            return Ok(Some((convention.clone(), Vec::new())));
        }
        let Ok(law) = convention.law(|_| Err("none are stored".into())) else { return Ok(None) };
        let expectation = AxialExpectation { storage: Some(self.storage), ..AxialExpectation::new(&law, coordinates) };
        let report = check_axes(self.subject, &expectation)?;
        let explained =
            |finding: &Finding| finding.status == Status::Confirmed && !is_most(free(finding), report.entries);
        let all = report.findings.iter().all(explained);
        Ok(report.found.filter(|_| all).map(|found| (found, report.findings)))
    }
}
