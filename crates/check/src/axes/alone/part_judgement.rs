//! The judgement of a part of several axes by the judge of one.

use crate::Invalid;
use crate::check::judge_repeated;
use crate::expectation::Expectation;
use crate::levels::{Quantised, restated};
use crate::mend::Mend;
use crate::report::Report;
use crate::subject::Subject;

/// Judgement of a part, as multiples of a step where its numbers are such and do not conform by themselves.
pub(super) fn judge_part(part: Subject<'_>, expectation: &Expectation) -> Result<Report, Invalid> {
    let report = judge_repeated(part, expectation)?;
    if report.conforms {
        return Ok(report);
    }
    let Some(steps) = Quantised::in_steps(part)? else { return Ok(report) };
    restated(report, (part, steps), Mend::same(expectation), |subject| judge_repeated(subject, expectation))
}
