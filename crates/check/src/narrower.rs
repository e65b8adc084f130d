//! Entries that the found convention leaves beyond its own bounds. A hypothesis is compared along the path of the stated convention,
//! whose bound is the widest where the frequencies are of none. The found one may be of a path with smaller bounds.

use super::Invalid;
use super::compare::{ComparedScopes, Coverage, Scope, TableComparison};
use super::faults::{Cause, Finding};
use super::judged::{Judged, Outcome};
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
    let under = Judged::new(case.subject, convention, case.positions, (&omega, case.compute));
    let [stated, found] = [case, &under].map(|judged| judged.allowance(report.path));
    let stated = case.comparison(&stated)?;
    let exchanged = is_exchanged(case.subject, findings);
    let reading = Reading { exchanged, ..Reading::new(convention) };
    let sinusoid = matches!(case.subject, Subject::Sinusoid(_));
    let reference = Reference::certified(convention, case.positions, sinusoid)?;
    let found = TableComparison::with(case.subject, &reading, case.positions, &found, reference)?;
    let coverage = stated.explained_by(&found, Scope::all(case.subject.judged()))?;
    if coverage.beyond() == 0 || coverage.beyond() >= coverage.explained {
        return Ok(None);
    }
    let seen = case.compare(report.path)?;
    *findings = shared([std::mem::take(findings), report.findings], &coverage, seen.tally.exceeding);
    Ok(Some(seen))
}

/// Findings of a judgement, and of another one that leaves some entries: each explains its own, of all that are beyond their bounds.
pub(super) fn shared([before, after]: [Vec<Finding>; 2], coverage: &Coverage, of: u64) -> Vec<Finding> {
    let before = before.into_iter().map(|finding| {
        let explains = finding.explains.among(coverage.explained, of);
        Finding { explains, ..finding }
    });
    let after = after.into_iter().map(|finding| {
        let explains = finding.explains.among(coverage.left, of);
        Finding { explains, confined: true, ..finding }
    });
    before.chain(after).collect()
}
