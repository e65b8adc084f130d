//! The report of `posproof report`: what it holds, its Markdown and JSON, and how it gets onto the disk.

pub mod claim;
pub mod configuration;
mod directory;
mod document;
mod escape;
mod markdown;
mod repeat;
pub mod summary;

pub use directory::{Destination, Unwritable};
pub use document::SCHEMA;
pub use escape::plain;
pub use repeat::arguments;

use super::explore::Explorables;
use super::html;
use super::json::Tally;
use super::plot::figure::Figure;
use super::theorem::Theorems;
use crate::evidence::{Effort, Settlement};
use claim::ClaimText;
use configuration::Surveyed;
use summary::{Subject, subjects};

/// Everything that a report says.
pub struct Report<'a> {
    /// The settled claims.
    pub settlements: &'a [Settlement],
    /// Effort of the run.
    pub effort: Effort,
    /// The seed of the random cases.
    pub seed: u64,
    /// The command that repeats the report.
    pub command: String,
    /// The Coq theorems.
    pub theorems: Theorems,
    /// The figures.
    pub figures: Vec<Figure>,
    /// Numbers of the part of the page that moves.
    pub explorables: Explorables,
    /// The configurations' bounds.
    pub configurations: Vec<Surveyed>,
}

/// A file of the report: its path, with slashes, and its bytes.
pub type File = (String, String);

/// Why a report cannot be written down.
#[derive(Debug, thiserror::Error)]
pub enum Unwritten {
    /// A template failed.
    #[error("template: {0}")]
    Template(#[from] askama::Error),
    /// The document cannot be serialised.
    #[error("JSON: {0}")]
    Json(#[from] serde_json::Error),
}

impl Report<'_> {
    /// The claims, in words.
    pub fn claims(&self) -> Vec<ClaimText> {
        let claim = |settlement| ClaimText::new(settlement, self.effort, self.seed, &self.theorems);
        self.settlements.iter().map(claim).collect()
    }

    /// Counts over all claims.
    pub fn tally(&self) -> Tally {
        Tally::of(self.settlements)
    }

    /// All files, in the order of their paths. The same report has the same bytes.
    pub fn files(&self) -> Result<Vec<File>, Unwritten> {
        let claims = self.claims();
        let subjects: Vec<Subject> = subjects(&claims);
        let mut files = markdown::files(self, &claims, &subjects)?;
        files.push(("index.html".into(), html::page(self, &claims, &subjects)?));
        let mut paths: Vec<String> = files.iter().map(|(path, _)| path.clone()).collect();
        paths.push(directory::MARKER.into());
        paths.sort_unstable();
        files.push((directory::MARKER.into(), document::json(self, &paths)?));
        files.sort_unstable();
        Ok(files)
    }
}
