//! The JSON of `verify`, schema `posproof.verify/1`.

use super::decimal::{rounded_up, share};
use crate::claim::{AttentionResult, CertifiedValue, Ledger, Size, Source, Verdict};
use crate::evidence::displacement::{Change, Displacement, DisplacementInputs};
use crate::evidence::settle::{Counts, Sabotage};
use crate::evidence::uniform::{UniformBound, UniformDomain};
use crate::evidence::{
    Conclusion, Effort, EnclosedStatus, Evidence, ExactStatus, FloatStatus, FormalStatus, Settlement, Witness,
};
use crate::number::format::hex;
use posproof_bound::Kernel;
use serde::Serialize;
use std::collections::BTreeMap;

/// The whole document.
#[derive(Debug, Serialize)]
pub struct Verification<'a> {
    schema: &'static str,
    effort: Effort,
    seed: u64,
    claims: Vec<Settled<'a>>,
    tally: Tally,
}

#[derive(Debug, Serialize)]
struct Settled<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ledger: Option<Ledger>,
    statement: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<&'a str>,
    sources: &'a [Source],
    verdict: Verdict,
    as_expected: bool,
    #[serde(flatten)]
    conclusion: &'a Conclusion,
    evidence: Vec<EvidenceRecord<'a>>,
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
    pub fn of<'a>(settlements: impl IntoIterator<Item = &'a Settlement>) -> Self {
        let mut tally = Self { claims: 0, as_expected: 0, held: 0, unable: 0, refuted: 0 };
        for Settlement { conclusion, counts: Counts { held, unable, refuted }, .. } in settlements {
            tally.claims += 1;
            tally.as_expected += usize::from(*conclusion == Conclusion::AsExpected);
            tally.held += held;
            tally.unable += unable;
            tally.refuted += refuted;
        }
        tally
    }
}

impl<'a> Verification<'a> {
    /// The document for these settlements.
    pub fn new(settlements: &'a [Settlement], effort: Effort, seed: u64) -> Self {
        let claims = settlements.iter().map(|settlement| {
            let about = settlement.about;
            Settled {
                id: about.id,
                ledger: about.ledger(),
                statement: about.statement,
                written: about.written,
                sources: about.sources,
                verdict: about.verdict,
                as_expected: settlement.conclusion == Conclusion::AsExpected,
                conclusion: &settlement.conclusion,
                evidence: settlement.evidence.iter().map(EvidenceRecord::from).collect(),
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

/// One piece of evidence. Numbers that are bounds are rounded up, in strings that keep their digits.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum EvidenceRecord<'a> {
    Formal {
        theorem: &'a str,
        status: FormalStatus,
        axioms: &'a [String],
        reason: Option<&'a str>,
    },
    Exact {
        status: ExactStatus,
        cases: u64,
        held: u64,
        unable: &'a BTreeMap<String, u64>,
        reason: Option<String>,
    },
    Enclosed {
        system: &'a str,
        status: EnclosedStatus,
        cases: u64,
        held: u64,
        unable: &'a BTreeMap<String, u64>,
        widest: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        survey: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        witness: Option<&'a Witness>,
    },
    Float {
        system: &'a str,
        status: FloatStatus,
        cases: u64,
        held: u64,
        unable: &'a BTreeMap<String, u64>,
        worst_error: String,
        worst_error_hex: String,
        bound: String,
        /// The share error ÷ bound: the key is older than the word.
        ratio: f64,
        /// The largest share.
        worst_ratio: f64,
        vacuous: bool,
        origin: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        survey: Option<&'a str>,
        witness: Option<&'a Witness>,
    },
    Uniform {
        system: &'a str,
        size: Size,
        domain: &'a UniformDomain,
        comparison: &'a str,
        bound: Option<String>,
        vacuous: bool,
        events: Vec<CostlyRounding<'a>>,
        found: String,
        found_hex: String,
        /// Bound ÷ found; none where nothing was found, or there is no bound.
        ratio: Option<f64>,
        origin: &'a str,
        witness: Option<&'a Witness>,
    },
    Displacement {
        of: AttentionResult,
        change: Change,
        kernels: &'a [Kernel; 2],
        bound: String,
        found: String,
        found_hex: String,
        /// Bound ÷ found; none where nothing moved.
        ratio: Option<f64>,
        origin: String,
        results: [f64; 2],
        exact: f64,
        witness: DisplacementInputs,
    },
}

/// A rounding, and a bound on what it costs.
#[derive(Debug, Serialize)]
struct CostlyRounding<'a> {
    event: &'a str,
    size: String,
}

impl<'a> From<&'a Evidence> for EvidenceRecord<'a> {
    fn from(evidence: &'a Evidence) -> Self {
        match evidence {
            Evidence::Formal { theorem, status, axioms, reason } => {
                Self::Formal { theorem, status: *status, axioms, reason: reason.as_deref() }
            }
            Evidence::Exact { status, cases, held, unable, refutation, .. } => Self::Exact {
                status: *status,
                cases: *cases,
                held: *held,
                unable,
                reason: refutation.as_ref().map(Witness::to_string).or_else(|| unable.keys().next().cloned()),
            },
            Evidence::Enclosed { system, status, cases, held, unable, widest, survey, witness } => Self::Enclosed {
                system,
                status: *status,
                cases: *cases,
                held: *held,
                unable,
                widest: rounded_up(*widest),
                survey: survey.as_deref(),
                witness: witness.as_ref(),
            },
            Evidence::Float {
                system,
                status,
                cases,
                held,
                unable,
                worst_error,
                bound,
                largest_share,
                vacuous,
                origin,
                survey,
                witness,
            } => Self::Float {
                system,
                status: *status,
                cases: *cases,
                held: *held,
                unable,
                worst_error: format!("{worst_error:e}"),
                worst_error_hex: hex(*worst_error),
                bound: rounded_up(*bound),
                ratio: share(*worst_error, *bound),
                worst_ratio: *largest_share,
                vacuous: *vacuous,
                origin,
                survey: survey.as_deref(),
                witness: witness.as_ref(),
            },
            Evidence::Uniform(found) => Self::from(found),
            Evidence::Displacement(found) => Self::from(&**found),
        }
    }
}

impl<'a> From<&'a Displacement> for EvidenceRecord<'a> {
    fn from(row: &'a Displacement) -> Self {
        let (bound, found) = (row.compared.bound.value(), row.compared.difference());
        Self::Displacement {
            of: row.of,
            change: row.change,
            kernels: &row.kernels,
            bound: rounded_up(bound),
            found: format!("{found:e}"),
            found_hex: hex(found),
            ratio: Some(bound / found).filter(|ratio| ratio.is_finite()),
            origin: row.compared.bound.origin().to_string(),
            results: row.compared.computed,
            exact: row.compared.exact,
            witness: DisplacementInputs::from(&row.compared.row),
        }
    }
}

impl<'a> From<&'a UniformBound> for EvidenceRecord<'a> {
    fn from(row: &'a UniformBound) -> Self {
        let UniformBound { system, size, domain, comparison, bound, vacuous, events, origin, found, witness } = row;
        Self::Uniform {
            system,
            size: *size,
            domain,
            comparison,
            bound: bound.map(rounded_up),
            vacuous: *vacuous,
            events: events.iter().map(|(event, size)| CostlyRounding { event, size: rounded_up(*size) }).collect(),
            found: format!("{found:e}"),
            found_hex: hex(*found),
            ratio: bound.map(|bound| bound / found).filter(|ratio| ratio.is_finite()),
            origin,
            witness: witness.as_ref(),
        }
    }
}
