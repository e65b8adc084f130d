//! The JSON of `verify`, schema `posproof.verify/1`.

use crate::claim::{CertifiedValue, Source, Verdict};
use crate::evidence::settle::{Counts, Sabotage};
use crate::evidence::{Conclusion, Effort, Evidence, Settlement, Witness};
use serde::Serialize;
use std::collections::BTreeMap;

/// The whole document.
#[derive(Debug, Serialize)]
pub struct Verification<'a> {
    schema: &'static str,
    effort: Effort,
    seed: u64,
    claims: Vec<Claim<'a>>,
    tally: Tally,
}

#[derive(Debug, Serialize)]
struct Claim<'a> {
    id: &'a str,
    statement: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<&'a str>,
    sources: &'a [Source],
    verdict: Verdict,
    as_expected: bool,
    #[serde(flatten)]
    conclusion: &'a Conclusion,
    evidence: &'a [Evidence],
    values: BTreeMap<&'static str, Enclosure>,
    witness: &'a Option<Witness>,
    written_refuted_by: &'a [&'static str],
    sabotage: &'a Sabotage,
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<&'a str>,
}

/// The ends of an enclosure in decimal, rounded outward.
#[derive(Debug, Serialize)]
pub struct Enclosure {
    lower: String,
    upper: String,
}

impl From<&CertifiedValue> for Enclosure {
    fn from(value: &CertifiedValue) -> Self {
        let (lower, upper) = value.enclosure.decimal_with(Some(SHOWN_DIGITS));
        Self { lower, upper }
    }
}

/// Significant digits of a certified value: enclosures of a few hundred are then at most 1e-36 wide.
pub const SHOWN_DIGITS: usize = 40;

/// Counts over all claims.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Tally {
    /// Claims looked at.
    pub claims: usize,
    /// Claims that came out as the ledger has them.
    pub as_expected: usize,
    /// Comparisons that held.
    pub held: u64,
    /// Comparisons that a system was unable to decide.
    pub unable: u64,
    /// Comparisons of settled statements that were refuted.
    pub refuted: u64,
}

impl Tally {
    /// The counts of these settlements.
    pub fn of(settlements: &[Settlement]) -> Self {
        let count = |of: fn(&Counts) -> u64| settlements.iter().map(|settlement| of(&settlement.counts)).sum();
        Self {
            claims: settlements.len(),
            as_expected: settlements.iter().filter(|s| s.conclusion == Conclusion::AsExpected).count(),
            held: count(|counts| counts.held),
            unable: count(|counts| counts.unable),
            refuted: count(|counts| counts.refuted),
        }
    }
}

impl<'a> Verification<'a> {
    /// The document for these settlements.
    pub fn new(settlements: &'a [Settlement], effort: Effort, seed: u64) -> Self {
        let claims = settlements.iter().map(|settlement| {
            let about = settlement.about;
            Claim {
                id: about.id,
                statement: about.statement,
                written: about.written,
                sources: about.sources,
                verdict: about.verdict,
                as_expected: settlement.conclusion == Conclusion::AsExpected,
                conclusion: &settlement.conclusion,
                evidence: &settlement.evidence,
                values: settlement.values.iter().map(|value| (value.name, Enclosure::from(value))).collect(),
                witness: &settlement.witness,
                written_refuted_by: &settlement.written_refuted_by,
                sabotage: &settlement.sabotage,
                remark: about.remark,
            }
        });
        Self { schema: "posproof.verify/1", effort, seed, claims: claims.collect(), tally: Tally::of(settlements) }
    }
}
