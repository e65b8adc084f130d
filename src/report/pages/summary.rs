//! Counts over claims: of a whole report, and of a subject.

use super::claim::ClaimText;
use crate::bibliography::{Document, Record};
use crate::report::news::rank;
use posproof_numerics::decimal::counted;
use std::collections::BTreeSet;

/// The verdicts, in the order of tables.
pub const VERDICTS: [&str; 4] = ["holds", "corrected", "refuted", "empirical"];

/// One subject.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The first part of its claims' ids.
    pub name: &'static str,
    /// Its subject.
    pub about: &'static str,
    /// Number of claims that have each of [`VERDICTS`].
    pub verdicts: [usize; 4],
    /// Number of claims.
    pub claims: usize,
    /// Number of claims that came out as the ledger has them.
    pub as_expected: usize,
    /// Number of claims that have a proof that was checked.
    pub proved: usize,
}

/// Subject's own words.
fn about(subject: &str) -> &'static str {
    match subject {
        "sinusoid" => "the encoding itself",
        "shift" => "the linear relation T(k)",
        "toeplitz" => "dot products of encodings",
        "rope" => "rotary encodings",
        "phasor" => "complex exponentials",
        "attention" => "attention and permutations",
        "encoding" => "simple encodings",
        "decay" => "long-term decay, in the literature",
        "interpolation" => "position interpolation, in the literature",
        "ntk" => "frequencies rescaled by NTK, in the literature",
        "yarn" => "frequencies rescaled by YaRN, in the literature",
        "longrope" => "frequencies rescaled by LongRoPE, in the literature",
        "base" => "choosing the base, in the literature",
        "heads" => "what single heads can do, in the literature",
        "precision" => "floating-point formats, in the literature",
        "uniqueness" => "characterisations, in the literature",
        "multiaxis" => "several axes, in the literature",
        "alibi" => "linear biases, in the literature",
        _ => "",
    }
}

/// The subjects of claims, in the order of the ledger.
pub fn subjects(claims: &[ClaimText]) -> Vec<Subject> {
    let mut subjects: Vec<Subject> = Vec::new();
    for claim in claims {
        let place = subjects.iter().position(|subject| subject.name == claim.subject).unwrap_or_else(|| {
            let (name, about) = (claim.subject, about(claim.subject));
            subjects.push(Subject { name, about, verdicts: [0; 4], claims: 0, as_expected: 0, proved: 0 });
            subjects.len() - 1
        });
        let Some(subject) = subjects.get_mut(place) else { continue };
        subject.claims += 1;
        subject.as_expected += usize::from(claim.outcome == "good");
        subject.proved += usize::from(claim.is_proved());
        let verdicts = VERDICTS.iter().zip(&mut subject.verdicts).filter(|(name, _)| **name == claim.verdict);
        verdicts.for_each(|(_, count)| *count += 1);
    }
    subjects
}

/// The claims that documents have wrong: the most surprising first, then in the order of the ledger.
pub fn errors(claims: &[ClaimText]) -> Vec<&ClaimText> {
    let mut errors: Vec<&ClaimText> = claims.iter().filter(|claim| claim.is_error).collect();
    errors.sort_by_key(|claim| rank(claim.id));
    errors
}

/// The news of a report, in a line.
pub fn headline(claims: &[ClaimText]) -> String {
    let errors = errors(claims);
    let sources = errors.iter().flat_map(|claim| &claim.sources);
    let documents: BTreeSet<&str> = sources.map(|(record, _)| record.key).collect();
    match errors.len() {
        0 => format!("No error in {}", counted(claims.len() as u64, "claim")),
        count => format!("{} found in {}", counted(count as u64, "error"), counted(documents.len() as u64, "document")),
    }
}

/// The documents.
pub fn documents() -> Vec<Record> {
    Document::ALL.map(Document::record).to_vec()
}
