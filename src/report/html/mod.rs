//! The report as one page of HTML: no file, no font and no script but its own.

use super::json::Tally;
use super::news::MOST_SURPRISING;
use super::notation;
use super::overview::{self, Block, ROWS, blocks};
use super::pages::claim::ClaimText;
use super::pages::summary::{Subject, VERDICTS, documents, errors, headline};
use super::pages::{Report, Unwritten};
use crate::bibliography::bibtex::{REPOSITORY, VERSION};
use crate::bibliography::{NOT_GIVEN, Record};
use crate::proof::memory::NO_PROOF;
use crate::report::displacement::{CAPTION as MOVED, COLUMNS as MOVED_COLUMNS};
use crate::report::uniform::{CAPTION, COLUMNS};
use askama::Template;
use posproof_numerics::decimal::counted;

/// Look of the page, on screens and on paper.
const STYLE: &str = concat!(
    include_str!("../../../templates/report.css"),
    include_str!("../../../templates/explore.css"),
    include_str!("../../../templates/print.css")
);

/// Actions of the page: theme, filter, printing. Without it everything is shown.
const SCRIPT: &str =
    concat!(include_str!("../../../templates/report.js"), include_str!("../../../templates/explore.js"));

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    report: &'a Report<'a>,
    tally: Tally,
    claims: &'a [ClaimText],
    headline: String,
    /// The claims, counted.
    looked_at: String,
    /// Errors of documents that are told at length, and the others.
    stories: Vec<&'a ClaimText>,
    briefs: Vec<&'a ClaimText>,
    subjects: &'a [Subject],
    documents: Vec<Record>,
    verdicts: [(&'static str, usize); 4],
    /// Claims that have a theorem, and those whose theorem was checked.
    stated: usize,
    proved: usize,
    blocks: Vec<Block<'a>>,
    /// Numbers of what is moved, as JSON.
    explorables: String,
    compared: u64,
    above: u64,
}

/// The page.
pub fn page(report: &Report, claims: &[ClaimText], subjects: &[Subject]) -> Result<String, Unwritten> {
    let mut claims = claims.to_vec();
    // Formats that models compute in stand before MPFR.
    claims.iter_mut().for_each(|claim| claim.evidence.sort_by_key(|row| overview::place(&row.system)));
    let claims = claims.as_slice();
    let of = |verdict: &str| claims.iter().filter(|claim| claim.verdict == verdict).count();
    let findings = || report.configurations.iter().flat_map(|configuration| &configuration.findings);
    let mut stories = errors(claims);
    let briefs = stories.split_off(stories.len().min(MOST_SURPRISING.len()));
    let page = Page {
        report,
        tally: report.tally(),
        claims,
        headline: headline(claims),
        looked_at: counted(claims.len() as u64, "claim"),
        stories,
        briefs,
        subjects,
        documents: documents(),
        verdicts: VERDICTS.map(|verdict| (verdict, of(verdict))),
        stated: claims.iter().filter(|claim| claim.theorem.is_some()).count(),
        blocks: blocks(claims, subjects),
        // A text of JSON may hold the end of a script.
        explorables: serde_json::to_string(&report.explorables)?.replace("</", "<\\/"),
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

/// A text with its formulas as MathML.
fn math(text: &str) -> String {
    notation::html(text)
}

/// Where a file of the sources is found, if the package says where its sources are.
fn source(path: &str) -> Option<String> {
    REPOSITORY.map(|address| format!("{}/blob/v{VERSION}/{path}", address.trim_end_matches('/')))
}
