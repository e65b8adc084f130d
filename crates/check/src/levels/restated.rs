//! Reports of integers whose stated step or zero point is not the one that their data have, and of multiples of a step that is not stated.

use super::found::Quantised;
use crate::Invalid;
use crate::faults::{
    ArrayCause, Cause, Code, Explained, FIXED_POINT, Fault, Finding, PrecisionCause, RoundingMode, Status, WRONG_LEVELS,
};
use crate::mend::Restatement;
use crate::report::{Grade, Report};
use crate::subject::Subject;

/// The finding that the levels of a subject are others than stated, given how many entries are beyond their bounds on both.
fn finding(stated: Subject<'_>, found: &Quantised<'_>, [before, after]: [u64; 2]) -> Option<Finding> {
    let found = found.levels()?;
    let (fault, cause): (&'static Fault, Cause) = match stated.judged().levels() {
        Some(stated) => (&WRONG_LEVELS, ArrayCause::Levels { stated: stated.into(), found: found.into() }.into()),
        None if after >= before => return None,
        None => (&FIXED_POINT, PrecisionCause::Steps { step: found.step(), rounding: found.rounding }.into()),
    };
    let explains = Explained { entries: before.saturating_sub(after), of: before };
    let status = if after == 0 { Status::Confirmed } else { Status::Partial };
    Some(Finding { explains, status, ..Finding::new(fault, cause) })
}

/// A report on stated levels with what is found on those that the data have; `judge` gives the report of a subject, and `same` is the
/// statement as it was made.
pub(crate) fn restated<M: Restatement>(
    report: Report<M>,
    (stated, found): (Subject<'_>, Quantised<'_>),
    same: M,
    judge: impl Fn(Subject<'_>) -> Result<Report<M>, Invalid>,
) -> Result<Report<M>, Invalid> {
    let unstated = stated.judged().levels().is_none();
    // Numbers of a narrower format are such multiples too, and so is what a rotation leaves of such. A lower accuracy allows for a step.
    let explained = report.findings.iter().all(|finding| finding.status == Status::Confirmed);
    let narrow = report.findings.iter().any(|finding| finding.code() == Code::LowPrecisionStorage);
    if unstated && explained && (narrow || report.grade != Grade::Degraded) {
        return Ok(report);
    }
    let mut found = found;
    // A conversion to an integer cuts off; a shift rounds down.
    let mut again = judge(found.subject())?;
    for rounding in [RoundingMode::TowardZero, RoundingMode::Downward] {
        if unstated && !again.conforms {
            let other = found.rounded(rounding);
            let report = judge(other.subject())?;
            // One entry in two is further off than half a step.
            if 4 * report.statistics.exceeding < again.statistics.exceeding {
                (found, again) = (other, report);
            }
        }
    }
    let beyond = [&report, &again].map(|report| report.statistics.exceeding + report.statistics.not_finite);
    let Some(finding) = finding(stated, &found, beyond) else { return Ok(report) };
    // As somebody states them: without the room that an estimate has.
    let exactly = found.exactly();
    let mend = match again.conforms {
        true => judge(exactly.subject())?.conforms.then_some(same),
        false => again.mend,
    };
    let mend = mend.map(|mend| mend.on(exactly.levels()));
    let findings = std::iter::once(finding).chain(again.findings).collect();
    let grade = if unstated { again.grade.max(Grade::Degraded) } else { Grade::Wrong };
    Ok(Report { findings, found: again.found, mend, grade, ..report })
}
