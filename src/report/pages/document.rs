//! The JSON of a report, schema `posproof.report/1`.

use super::configuration::Surveyed;
use super::{Report, Unwritten};
use crate::evidence::Effort;
use crate::report::json::Verification;
use crate::report::plot::figure::Figure;
use serde::Serialize;

/// The schema's name: what makes a directory a former report.
pub const SCHEMA: &str = "posproof.report/1";

#[derive(Serialize)]
struct DocumentPage<'a> {
    schema: &'static str,
    version: &'static str,
    command: &'a str,
    effort: Effort,
    seed: u64,
    files: &'a [String],
    /// The document of `posproof verify --json`, schema posproof.verify/1.
    verification: Verification<'a>,
    /// For each configuration what was found, and a study of schema posproof.bound/1.
    configurations: &'a [Surveyed],
    /// The figures' captions and numbers.
    figures: &'a [Figure],
}

/// The document, with the paths of all files of the report.
pub fn json(report: &Report, files: &[String]) -> Result<String, Unwritten> {
    let document = DocumentPage {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        command: &report.command,
        effort: report.effort,
        seed: report.seed,
        files,
        verification: Verification::new(report.settlements, report.effort, report.seed),
        configurations: &report.configurations,
        figures: &report.figures,
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}
