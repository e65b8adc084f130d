//! The judgement of several axes, with what it says of sequences and tables by themselves, and its mend tried.

use super::expectation::AxialExpectation;
use super::judgement::judge;
use super::mend::AxialMend;
use super::report::AxialReport;
use super::{grouped, narrower};
use crate::Invalid;
use crate::joined::JoinedSequences;
use crate::levels::{Quantised, Statement, restated};
use crate::subject::Subject;

/// Judges what another implementation computed. The rows of [several sequences](posproof_encoding::axes::Coordinates::sequences), which the
/// first leading axis of each array numbers, are judged as those of one, one sequence after the other.
///
/// # Errors
///
/// For arrays and positions that do not belong to the convention, and vectors that are not finite.
pub fn check_axes(subject: Subject<'_>, expectation: &AxialExpectation<'_>) -> Result<AxialReport, Invalid> {
    let joined = JoinedSequences::of(subject, expectation.coordinates)?;
    let subject = joined.as_ref().map_or(subject, JoinedSequences::subject);
    let statement = Statement::only(expectation.storage);
    let quantised = Quantised::new(subject, statement)?;
    let subject = quantised.as_ref().map_or(subject, Quantised::subject);
    let report = grouped::told(judge(subject, expectation)?, subject, expectation)?;
    let Some(other) = Quantised::otherwise(subject, statement)?.filter(|_| !report.conforms) else {
        return narrower::beside(report, (subject, expectation), &|mended| judge(subject, mended));
    };
    restated(report, (subject, other), AxialMend::same(expectation), |subject| judge(subject, expectation))
}
