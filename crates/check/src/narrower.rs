//! Entries that the found convention leaves beyond its own bounds. A hypothesis is compared along the path of the stated convention,
//! whose bound is the widest where the frequencies are of none. The found one may be of a path with smaller bounds.

use super::Invalid;
use super::compare::{Scope, TableComparison};
use super::faults::{Cause, Finding, Span};
use super::paths::{Judged, Outcome};
use super::rates::omega;
use super::reference::{Reading, Reference};
use super::report::Report;
use super::subject::Subject;
use posproof_encoding::convention::Convention;

/// True if the arrays of a cache are exchanged, which no convention says.
pub(super) fn is_exchanged(subject: Subject<'_>, findings: &[Finding]) -> bool {
    let order = findings.iter().any(|finding| matches!(finding.cause, Cause::Order { .. }));
    order && matches!(subject, Subject::Rope { .. })
}

/// The arrays as the findings read them: exchanged ones where they belong.
pub(super) fn as_found<'a>(subject: Subject<'a>, findings: &[Finding]) -> Subject<'a> {
    match subject {
        Subject::Rope { cos, sin } if is_exchanged(subject, findings) => Subject::Rope { cos: sin, sin: cos },
        subject => subject,
    }
}

/// Adds the findings of the judgement under the found convention, if that convention explains most entries and these say the rest.
/// The comparison with the stated convention along that judgement's path is the result then.
pub(super) fn beside(
    findings: &mut Vec<Finding>,
    case: &Judged<'_>,
    (convention, report): (&Convention, Report),
) -> Result<Option<Outcome>, Invalid> {
    if report.conforms || 4 * report.statistics.exceeding >= report.entries {
        return Ok(None);
    }
    let omega = omega(convention).unwrap_or_default();
    let under = Judged { convention, omega: &omega, ..*case };
    let [stated, found] = [case, &under].map(|judged| judged.allowance(report.path));
    let stated = TableComparison::new(case.subject, case.convention, case.positions, &stated)?;
    let exchanged = is_exchanged(case.subject, findings);
    let reading = Reading { exchanged, ..Reading::new(convention) };
    let sinusoid = matches!(case.subject, Subject::Sinusoid(_));
    let reference = Reference::certified(convention, case.positions, sinusoid)?;
    let found = TableComparison::with(case.subject, &reading, case.positions, &found, reference)?;
    let grid = case.subject.judged();
    let everything = Scope { slabs: Span::all(grid.slabs()), rows: Span::all(grid.rows()) };
    let coverage = stated.explained_by(&found, everything)?;
    if coverage.beyond() == 0 || coverage.beyond() >= coverage.explained {
        return Ok(None);
    }
    let seen = case.compare(report.path)?;
    let of = seen.tally.exceeding;
    findings.iter_mut().for_each(|finding| finding.explains = finding.explains.among(coverage.explained, of));
    findings.extend(report.findings.into_iter().map(|finding| Finding {
        explains: finding.explains.among(coverage.left, of),
        confined: true,
        ..finding
    }));
    Ok(Some(seen))
}
