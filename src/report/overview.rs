//! Claims × systems × proofs: one square each, in blocks of a subject.

use super::pages::claim::{ClaimText, SystemRow};
use super::pages::summary::Subject;

/// Rows of the overview: theorem and bounds for all inputs, then the systems, those that models compute in before MPFR.
pub const ROWS: [(&str, &str); 11] = [
    ("proof", "theorem in Coq"),
    ("uniform", "bound for all inputs"),
    ("exact", "exact"),
    ("interval256", "enclosures"),
    ("survey", "surveys"),
    ("f32", "f32"),
    ("bf16", "bf16"),
    ("f16", "f16"),
    ("f64", "f64"),
    ("mp113", "MPFR, 113 bits"),
    ("mp256", "MPFR, 256 bits"),
];

/// The place of a system in [`ROWS`]; behind all of them, if it has none.
pub fn place(system: &str) -> usize {
    ROWS.iter().position(|(name, _)| *name == system).unwrap_or(ROWS.len())
}

/// The squares of a subject's claims.
#[derive(Clone, Debug)]
pub struct Block<'a> {
    /// The subject.
    pub subject: &'a Subject,
    /// Its claims.
    pub columns: Vec<Column<'a>>,
}

/// The squares of a claim, in the order of [`ROWS`].
#[derive(Clone, Debug)]
pub struct Column<'a> {
    /// The claim.
    pub claim: &'a ClaimText,
    /// The class of each square: `full`, `open`, `half`, `bad` or `none`.
    pub squares: Vec<&'static str>,
    /// The claim and what each system found, in a line.
    pub words: String,
}

/// Class of a square by the status of its evidence.
fn class(status: &str) -> &'static str {
    match status {
        "proved" | "identity" | "consistent" | "separated" | "within-bound" => "full",
        "not-run" => "open",
        "refuted" | "failed" => "bad",
        _ => "half",
    }
}

impl<'a> Column<'a> {
    fn new(claim: &'a ClaimText) -> Self {
        let proof = claim.proof.as_ref().map(|proof| proof.status);
        let uniform = (!claim.uniform.is_empty()).then_some("within-bound");
        // Enclosures that agree and surveys of the same system are one row each: the first that is worse decides.
        let found = |system: &str| {
            let rows: Vec<&SystemRow> = claim.evidence.iter().filter(|row| row.system == system).collect();
            rows.iter().find(|row| class(row.status) != "full").or(rows.first()).map(|row| row.status)
        };
        let statuses = ROWS.map(|(system, _)| match system {
            "proof" => proof,
            "uniform" => uniform,
            system => found(system),
        });
        let told = ROWS.iter().zip(statuses).filter_map(|((_, name), status)| Some(format!("{name} {}", status?)));
        let told: Vec<String> = told.collect();
        Self {
            claim,
            squares: statuses.iter().map(|status| status.map_or("none", class)).collect(),
            words: format!("{}, {}: {}", claim.id, claim.verdict, told.join(", ")),
        }
    }
}

/// The blocks.
pub fn blocks<'a>(claims: &'a [ClaimText], subjects: &'a [Subject]) -> Vec<Block<'a>> {
    let of = |subject: &'a Subject| {
        let columns = claims.iter().filter(|claim| claim.subject == subject.name).map(Column::new).collect();
        Block { subject, columns }
    };
    subjects.iter().map(of).collect()
}
