//! The report as one page of HTML: no file, no font and no script but its own.

use super::json::Tally;
use super::pages::claim::Claim;
use super::pages::summary::{Subject, VERDICTS};
use super::pages::{Report, Unwritten};
use askama::Template;

/// How the page looks, on screens and on paper.
const STYLE: &str = include_str!("../../../templates/report.css");

/// What the page does: theme, filter, printing. Without it everything is shown.
const SCRIPT: &str = include_str!("../../../templates/report.js");

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    report: &'a Report<'a>,
    tally: Tally,
    claims: &'a [Claim],
    subjects: &'a [Subject],
    verdicts: [(&'static str, usize); 4],
    proved: usize,
    compared: u64,
    above: u64,
}

/// The page.
pub fn page(report: &Report, claims: &[Claim], subjects: &[Subject]) -> Result<String, Unwritten> {
    let of = |verdict: &str| claims.iter().filter(|claim| claim.verdict == verdict).count();
    let findings = || report.configurations.iter().flat_map(|configuration| &configuration.findings);
    let page = Page {
        report,
        tally: report.tally(),
        claims,
        subjects,
        verdicts: VERDICTS.map(|verdict| (verdict, of(verdict))),
        proved: subjects.iter().map(|subject| subject.proved).sum(),
        compared: findings().map(|found| found.comparisons).sum(),
        above: findings().map(|found| found.above).sum(),
    };
    Ok(page.render()?)
}

/// A count with its thousands apart.
fn grouped(count: &u64) -> String {
    crate::report::plot::figures::grouped(*count)
}

/// An id as an anchor: `shift.linearity` is itself a valid one, and stays.
fn anchor(id: &str) -> String {
    format!("claim-{}", id.replace('.', "-"))
}
