//! Entries that a mend leaves beyond its own bounds. What explains the entries was compared along the path of the stated convention,
//! whose bound is the widest where the frequencies are of none. Under the mend they may be of a path with smaller bounds.

use super::comparison::AxialComparison;
use super::expectation::AxialExpectation;
use super::report::AxialReport;
use super::rows::AxialRows;
use crate::Invalid;
use crate::compare::{ComparedScopes, Scope};
use crate::faults::Finding;
use crate::narrower::shared;
use crate::report::Grade;
use crate::subject::Subject;
use posproof_bound::{AxialAllowance, Compute};

/// A report without the mend that `judge` refuses: with the findings of that judgement where these are about a few entries.
pub(super) fn beside(
    report: AxialReport,
    (subject, stated): (Subject<'_>, &AxialExpectation<'_>),
    judge: &dyn Fn(&AxialExpectation<'_>) -> Result<AxialReport, Invalid>,
) -> Result<AxialReport, Invalid> {
    let Some(mend) = &report.mend else { return Ok(report) };
    let Ok(law) = stated.law.altered(&mend.convention) else { return Ok(AxialReport { mend: None, ..report }) };
    let coordinates = mend.coordinates.as_ref().unwrap_or(stated.coordinates);
    let (compute, storage) = (mend.compute, mend.storage.or(stated.storage));
    let mended = AxialExpectation { law: &law, coordinates, compute, storage, ..*stated };
    // Coordinates that the mend's format does not hold are refused.
    let Ok(again) = judge(&mended) else { return Ok(AxialReport { mend: None, ..report }) };
    if again.conforms {
        return Ok(report);
    }
    let refused = AxialReport { mend: None, ..report };
    if 4 * again.statistics.exceeding >= again.entries {
        return Ok(refused);
    }
    let [first, second] = [
        AxialComparison::new(subject, stated.law, stated.coordinates, refused.storage)?,
        AxialComparison::new(subject, mended.law, mended.coordinates, again.storage)?,
    ];
    let allowance = |of: &AxialExpectation<'_>, report: &AxialReport| {
        let compute = Compute { format: of.compute, libraries: of.libraries };
        AxialAllowance::new(of.law, of.coordinates, (compute, report.path), report.storage)
    };
    let rows = [first.along(allowance(stated, &refused)), second.along(allowance(&mended, &again))];
    let findings = with_rest(rows, [refused.findings, again.findings], refused.statistics.exceeding)?;
    Ok(AxialReport { findings, grade: Grade::Wrong, ..refused })
}

/// Findings of a judgement, and of another one about the entries that the first leaves, of so many that are beyond their bounds.
pub(super) fn with_rest(
    [first, second]: [AxialRows<'_>; 2],
    findings: [Vec<Finding>; 2],
    of: u64,
) -> Result<Vec<Finding>, Invalid> {
    let coverage = first.explained_by(&second, Scope::all(first.comparison.subject.judged()))?;
    Ok(shared(findings, &coverage, of))
}
