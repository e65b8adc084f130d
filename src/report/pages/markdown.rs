//! The Markdown of a report: an index, one page a claim, one summary a subject, one page a configuration.

use super::claim::ClaimText;
use super::configuration::Surveyed;
use super::summary::{Subject, VERDICTS, documents, errors, headline};
use super::{File, Report, Unwritten, plain};
use crate::bibliography::{NOT_GIVEN, Record};
use crate::proof::memory::NO_PROOF;
use crate::report::displacement::{CAPTION as MOVED, COLUMNS as MOVED_COLUMNS};
use crate::report::json::Tally;
use crate::report::plot::figure::Figure;
use crate::report::uniform::{CAPTION, COLUMNS};
use askama::Template;

#[derive(Template)]
#[template(path = "index.md")]
struct Index<'a> {
    report: &'a Report<'a>,
    tally: Tally,
    headline: String,
    claims: &'a [ClaimText],
    errors: Vec<&'a ClaimText>,
    subjects: &'a [Subject],
    documents: Vec<Record>,
}

#[derive(Template)]
#[template(path = "claim.md")]
struct ClaimPage<'a> {
    claim: &'a ClaimText,
}

#[derive(Template)]
#[template(path = "subject.md")]
struct SubjectPage<'a> {
    subject: &'a Subject,
    claims: Vec<&'a ClaimText>,
}

#[derive(Template)]
#[template(path = "configuration.md")]
struct ConfigurationPage<'a> {
    configuration: &'a Surveyed,
}

#[derive(Template)]
#[template(path = "figure.md")]
struct FigurePage<'a> {
    figure: &'a Figure,
}

/// All Markdown files.
pub fn files(report: &Report, claims: &[ClaimText], subjects: &[Subject]) -> Result<Vec<File>, Unwritten> {
    let index = Index {
        report,
        tally: report.tally(),
        headline: headline(claims),
        claims,
        errors: errors(claims),
        subjects,
        documents: documents(),
    };
    let mut files = vec![("index.md".to_owned(), index.render()?)];
    for claim in claims {
        files.push((format!("claims/{}.md", claim.id), ClaimPage { claim }.render()?));
    }
    for subject in subjects {
        let claims = claims.iter().filter(|claim| claim.subject == subject.name).collect();
        files.push((format!("subjects/{}.md", subject.name), SubjectPage { subject, claims }.render()?));
    }
    for configuration in &report.configurations {
        files.push((format!("bounds/{}.md", configuration.name), ConfigurationPage { configuration }.render()?));
    }
    for figure in &report.figures {
        files.push((format!("figures/{}.md", figure.id), FigurePage { figure }.render()?));
    }
    for (_, text) in &mut files {
        *text = text.trim_end().to_owned() + "\n";
    }
    Ok(files)
}
