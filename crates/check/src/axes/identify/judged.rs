//! The judgement of a convention that was found: nothing is established that a judge refuses, unless its findings explain every
//! entry. An encoding of one axis is identified by the identification of one axis, which judges likewise.

use super::answer::AxialIdentification;
use super::laws::{MeasuredSlots, ratio};
use super::measure::MeasuredNumber;
use super::rows::NEAR;
use crate::Invalid;
use crate::axes::comparison::{AxialComparison, AxialScope};
use crate::axes::expectation::AxialExpectation;
use crate::axes::report::AxialReport;
use crate::compared::ComparedRows;
use crate::faults::is_most;
use crate::faults::{Cause, Finding, Status};
use crate::identify::free;
use crate::picked::PickedRows;
use crate::recognise::{Identification, MeasuredAxis};
use crate::subject::Subject;
use posproof_bound::AxialAllowance;
use posproof_encoding::axes::{AxialConvention, AxialLaw, Coordinates};
use posproof_numerics::format::Format;
use std::f64::consts::PI;

/// The end of an identification.
#[derive(Clone, Copy)]
pub(super) enum Aim {
    /// Rates of slots alone.
    Rates,
    /// Conventions under which every entry is within its bound along some path: a judgement asks for no more.
    Laws,
    /// Conventions whose judgement explains every entry.
    Judged(Judge),
}

/// A judgement of a subject by a convention of axes.
type Judge = fn(Subject<'_>, &AxialExpectation<'_>) -> Result<AxialReport, Invalid>;

/// A subject at known positions.
pub(super) struct PlacedSubject<'a> {
    pub subject: Subject<'a>,
    /// The table that is measured.
    pub slab: usize,
    pub coordinates: &'a Coordinates,
    pub names: &'a [String],
    pub storage: Format,
    pub aim: Aim,
}

/// A convention, and the findings of its judgement.
type Established = (AxialConvention, Vec<Finding>);

/// The identification of one axis, as that of an encoding of axes: `measured` has what only these say.
pub(super) fn of_one_axis(
    name: &str,
    (found, convention): (Identification, AxialConvention),
    measured: AxialIdentification,
) -> AxialIdentification {
    let named = |axis: MeasuredAxis| {
        let rates =
            axis.rates.iter().zip(&axis.errors).map(|(&value, &error)| MeasuredNumber { value, error }).collect();
        let origins = axis.slots.iter().map(|_| MeasuredNumber { value: 0.0, error: 0.0 }).collect();
        let ratio = ratio(&MeasuredSlots { slots: axis.slots.clone(), rates, origins, limit: PI });
        MeasuredAxis { name: name.to_owned(), ratio, ..axis }
    };
    // Entries that depart may hide the frequencies of all.
    let axes = if found.axes.is_empty() { measured.axes } else { found.axes.into_iter().map(named).collect() };
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

/// True if a finding leaves it at the law, of so many entries: a known fault has made those that depart, and they are not most of all.
pub(super) fn is_explained(finding: &Finding, law: &AxialLaw, entries: u64) -> bool {
    let pairs = finding.region.as_ref().and_then(|region| region.pairs);
    let apart = matches!(finding.cause, Cause::Apart { .. });
    // Slots that no axis claims stand still: where entries of one depart, it turns, and the convention is another.
    let turns = apart && pairs.is_some_and(|pairs| pairs.iter().any(|slot| law.claims(slot).is_empty()));
    finding.status == Status::Confirmed && !is_most(free(finding), entries) && !turns
}

impl PlacedSubject<'_> {
    /// The first of these conventions whose judgement explains every entry, and what it finds: of those that every entry is within its
    /// bound under, or else the first that most entries follow.
    pub(super) fn first(
        &self,
        conventions: impl Iterator<Item = AxialConvention>,
        coordinates: &Coordinates,
    ) -> Result<Option<Established>, Invalid> {
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
        if let (None, Some(convention), Aim::Judged(_)) = (&judged, nearest, self.aim) {
            judged = self.judged(&convention, coordinates)?;
        }
        Ok(judged)
    }

    /// Entries within their bounds along any path; of a table that is not the first, its own.
    fn fit(&self, convention: &AxialConvention, coordinates: &Coordinates) -> Result<Fit, Invalid> {
        let Ok(law) = convention.law(|_| Err("none are stored".into())) else { return Ok(Fit::Few) };
        // Most laws fail in the first rows, which have few coordinates.
        let rows: Vec<usize> = (0..coordinates.rows().min(NEAR)).collect();
        let first = PickedRows::new(self.subject, &rows);
        let near = coordinates.with_rows(&rows.iter().copied().map(Some).collect::<Vec<_>>());
        let Some([exceeding, entries]) = self.exceeding(first.subject(), &law, &near)? else { return Ok(Fit::Few) };
        if exceeding == 0 && self.exceeding(self.subject, &law, coordinates)?.is_some_and(|[all, _]| all == 0) {
            return Ok(Fit::All);
        }
        Ok(if MOST * exceeding < entries { Fit::Most } else { Fit::Few })
    }

    /// Entries beyond their bounds, and all; none where the subject is not one of the law.
    fn exceeding(
        &self,
        subject: Subject<'_>,
        law: &AxialLaw,
        coordinates: &Coordinates,
    ) -> Result<Option<[u64; 2]>, Invalid> {
        let Ok(comparison) = AxialComparison::new(subject, law, coordinates, self.storage) else { return Ok(None) };
        let allowance = AxialAllowance::new(law, coordinates, (Format::F32, None), self.storage);
        let all = comparison.all();
        let scope = if self.slab == 0 { all } else { AxialScope { slabs: vec![self.slab], ..all } };
        let seen = comparison.along(allowance).run_in(&scope.slabs, scope.rows)?;
        Ok(Some([seen.exceeding, seen.entries]))
    }

    /// The convention of which known faults make the entries, and these faults: none where the convention is the stated one, and each entry
    /// within its bound. `None` where something is left open.
    fn judged(&self, convention: &AxialConvention, coordinates: &Coordinates) -> Result<Option<Established>, Invalid> {
        let Aim::Judged(judge) = self.aim else { return Ok(Some((convention.clone(), Vec::new()))) };
        let Ok(law) = convention.law(|_| Err("none are stored".into())) else { return Ok(None) };
        let expectation = AxialExpectation { storage: Some(self.storage), ..AxialExpectation::new(&law, coordinates) };
        let report = judge(self.subject, &expectation)?;
        let all = report.findings.iter().all(|finding| is_explained(finding, &law, report.entries));
        Ok(report.found.filter(|_| all).map(|found| (found, report.findings)))
    }
}
