//! Contents of a page on a claim, whatever it is written in.

use crate::bibliography::Record;
use crate::claim::{AS_WRITTEN, Verdict};
use crate::evidence::{Conclusion, Effort, EnclosedStatus, Evidence, FloatStatus, FormalStatus, Settlement, Witness};
use crate::report::decimal::{ratio, rounded_up, short};
use crate::report::difference::{Piece, pieces};
use crate::report::displacement;
use crate::report::json::SHOWN_DIGITS;
use crate::report::news::is_error;
use crate::report::text::{VACUOUS, repeat, verdict as found};
use crate::report::theorem::{Stated, Theorems};
use crate::report::uniform;

/// One claim, in words.
#[derive(Clone, Debug)]
pub struct ClaimText {
    /// `subject.property`.
    pub id: &'static str,
    /// The part of the id before the dot.
    pub subject: &'static str,
    /// The settled statement.
    pub statement: &'static str,
    /// The document's text.
    pub written: Option<&'static str>,
    /// The verdict of the ledger.
    pub verdict: String,
    /// Documents and places in them.
    pub sources: Vec<(Record, &'static str)>,
    /// ✓, ? or ✗.
    pub mark: &'static str,
    /// Agreement with the ledger: `good`, `doubtful`, `bad`.
    pub outcome: &'static str,
    /// The same in words.
    pub conclusion: String,
    /// The Coq theorem; none where the ledger has none.
    pub theorem: Option<String>,
    /// Outcome of its proof in this run.
    pub proof: Option<Proof>,
    /// The theorem as Coq has it and, where the claim is false as written, the refutation.
    pub stated: Vec<Stated>,
    /// The evidence of each system.
    pub evidence: Vec<SystemRow>,
    /// Where the bounds of the float systems come from.
    pub origins: Vec<&'static str>,
    /// The bounds for all inputs, in the columns of [`COLUMNS`](crate::report::uniform::COLUMNS).
    pub uniform: Vec<[String; 8]>,
    /// Distances by which kernels move a result, in the columns of [`COLUMNS`](crate::report::displacement::COLUMNS).
    pub moved: Vec<[String; 7]>,
    /// Where the bounds of these come from.
    pub moved_by: Vec<String>,
    /// Where those bounds come from.
    pub uniform_origins: String,
    /// The certified figures.
    pub values: Vec<Value>,
    /// Where the claim as written fails.
    pub witness: Option<Note>,
    /// Which systems say so.
    pub refuted_by: String,
    /// True if a document has it wrong, or leaves it ambiguous.
    pub is_error: bool,
    /// The mistake, and what became of it.
    pub sabotage: [String; 2],
    /// Part that the claim does not say.
    pub remark: Option<&'static str>,
    /// The command that repeats it, or what does.
    pub command: String,
}

/// A proof.
#[derive(Clone, Debug)]
pub struct Proof {
    /// `proved`, `not-run`, `failed`.
    pub status: &'static str,
    /// The axioms, or why it was not run.
    pub detail: String,
}

/// Finding of one system.
#[derive(Clone, Debug, Default)]
pub struct SystemRow {
    /// The system.
    pub system: String,
    /// Its finding.
    pub status: &'static str,
    /// Cases looked at.
    pub cases: u64,
    /// Comparisons that held.
    pub held: u64,
    /// The worst error, or the width of the widest enclosure.
    pub error: String,
    /// The bound beside it.
    pub bound: String,
    /// Their ratio, bound ÷ error.
    pub ratio: String,
    /// Witness, survey and what could not be decided.
    pub notes: Vec<Note>,
}

/// A remark on what a system found.
#[derive(Clone, Debug, Default)]
pub struct Note {
    /// All of it, in a line.
    pub line: String,
    /// Words before the values that it compares.
    pub place: String,
    /// The values that it compares: in pieces, and in hexadecimal.
    pub sides: Vec<(Vec<Piece>, Option<String>)>,
}

impl Note {
    fn words(line: impl Into<String>) -> Self {
        Self { line: line.into(), ..Self::default() }
    }

    fn witness(before: &str, witness: &Witness) -> Self {
        let hex = [&witness.left, &witness.right].map(|side| side.hex.clone());
        Self {
            line: format!("{before}{witness}"),
            place: format!("{before}{}", witness.place()),
            sides: pieces(&witness.left.decimal, &witness.right.decimal).into_iter().zip(hex).collect(),
        }
    }
}

/// A certified figure.
#[derive(Clone, Debug)]
pub struct Value {
    /// Its name.
    pub name: &'static str,
    /// Lower and upper end in decimal, rounded outward.
    pub ends: [String; 2],
}

impl Value {
    /// Both ends, with the digits in which they differ.
    pub fn pieces(&self) -> [Vec<Piece>; 2] {
        pieces(&self.ends[0], &self.ends[1])
    }
}

/// A verdict's name.
pub fn verdict(verdict: Verdict) -> String {
    verdict.to_string()
}

impl ClaimText {
    /// Row of a settled claim.
    pub fn new(settlement: &Settlement, effort: Effort, seed: u64, theorems: &Theorems) -> Self {
        let about = settlement.about;
        let (mark, outcome, conclusion) = match &settlement.conclusion {
            Conclusion::AsExpected => ("✓", "good", "as the ledger has it".to_owned()),
            Conclusion::Inconclusive(why) => ("?", "doubtful", format!("inconclusive: {why}")),
            Conclusion::FallsShort(why) => ("✗", "bad", format!("falls short: {why}")),
        };
        let mut origins: Vec<&'static str> = Vec::new();
        for evidence in &settlement.evidence {
            if let Evidence::Float { origin, .. } = evidence
                && !origins.contains(origin)
            {
                origins.push(origin);
            }
        }
        let sabotage = &settlement.sabotage;
        let caught = match sabotage.refuted_by.is_empty() {
            true => "refuted by no system that was run".to_owned(),
            false => format!("refuted by {}", sabotage.refuted_by.join(", ")),
        };
        let missed = match sabotage.missed_by.is_empty() {
            true => String::new(),
            false => format!("; not refuted by {}", sabotage.missed_by.join(", ")),
        };
        let value = |value: &crate::claim::CertifiedValue| {
            let (lower, upper) = value.enclosure.decimal_with(Some(SHOWN_DIGITS));
            Value { name: value.name, ends: [lower, upper] }
        };
        Self {
            id: about.id,
            subject: about.subject(),
            statement: about.statement,
            written: about.written,
            verdict: found(settlement),
            sources: about.sources.iter().map(|source| (source.document.record(), source.place)).collect(),
            mark,
            outcome,
            conclusion,
            theorem: about.theorems().into_iter().next(),
            proof: settlement.evidence.iter().find_map(proof),
            stated: theorems.of(about).unwrap_or_default(),
            evidence: settlement.evidence.iter().filter_map(row).collect(),
            origins,
            uniform: uniform::rows(&settlement.evidence).map(uniform::cells).collect(),
            moved: displacement::rows(&settlement.evidence).map(displacement::cells).collect(),
            moved_by: displacement::origins(&settlement.evidence),
            uniform_origins: uniform::origins(uniform::rows(&settlement.evidence)),
            values: settlement.values.iter().map(value).collect(),
            witness: settlement.witness.as_ref().map(|witness| Note::witness("", witness)),
            refuted_by: settlement.written_refuted_by.join(", "),
            is_error: is_error(about),
            sabotage: [about.sabotage.to_owned(), caught + &missed],
            remark: about.remark,
            command: repeat(about, effort, seed),
        }
    }
}

impl ClaimText {
    /// True if the claim as settled is proved here, and not only that its text as written is false.
    pub fn is_proved(&self) -> bool {
        let settled = self.theorem.as_ref().is_some_and(|theorem| !theorem.ends_with(AS_WRITTEN));
        settled && self.proof.as_ref().is_some_and(|proof| proof.status == FormalStatus::Proved.name())
    }

    /// True if any evidence has a note.
    pub fn has_notes(&self) -> bool {
        self.evidence.iter().any(|row| !row.notes.is_empty())
    }
}

fn proof(evidence: &Evidence) -> Option<Proof> {
    let Evidence::Formal { theorem, status, axioms, reason } = evidence else { return None };
    let alone = if theorem.ends_with(AS_WRITTEN) { "the refutation of the text as written alone; " } else { "" };
    let detail = match (reason, status) {
        (Some(reason), _) => reason.clone(),
        (None, FormalStatus::Proved) if axioms.is_empty() => format!("{alone}no axioms"),
        (None, _) => format!("{alone}axioms: {}", axioms.join(", ")),
    };
    Some(Proof { status: status.name(), detail })
}

fn row(evidence: &Evidence) -> Option<SystemRow> {
    let unable = |reasons: &std::collections::BTreeMap<String, u64>| {
        let note = |(reason, count)| Note::words(format!("unable {count}×: {reason}"));
        reasons.iter().map(note).collect::<Vec<_>>()
    };
    Some(match evidence {
        Evidence::Formal { .. } | Evidence::Uniform(_) | Evidence::Displacement(_) => return None,
        Evidence::Exact { status, cases, held, unable: reasons, refutation, .. } => SystemRow {
            system: "exact".into(),
            status: status.name(),
            cases: *cases,
            held: *held,
            notes: match refutation {
                Some(refutation) => vec![Note::words(format!("refuted at {refutation}"))],
                None => unable(reasons),
            },
            ..SystemRow::default()
        },
        Evidence::Enclosed { system, status, cases, held, unable: reasons, widest, survey, witness } => SystemRow {
            system: (*system).to_owned(),
            status: status.name(),
            cases: *cases,
            held: *held,
            error: rounded_up(*widest),
            notes: survey
                .iter()
                .map(Note::words)
                .chain(witness.iter().map(|witness| {
                    Note::witness(
                        if *status == EnclosedStatus::Refuted { "refuted at " } else { "told apart: " },
                        witness,
                    )
                }))
                .chain(unable(reasons))
                .collect(),
            ..SystemRow::default()
        },
        Evidence::Float {
            system,
            status,
            cases,
            held,
            unable: reasons,
            worst_error,
            bound,
            vacuous,
            survey,
            witness,
            ..
        } => SystemRow {
            system: (*system).to_owned(),
            status: if *vacuous { VACUOUS } else { status.name() },
            cases: *cases,
            held: *held,
            error: short(*worst_error),
            bound: rounded_up(*bound),
            ratio: ratio(*worst_error, *bound),
            notes: survey
                .iter()
                .map(Note::words)
                .chain(witness.iter().map(|witness| {
                    Note::witness(if *status == FloatStatus::Refuted { "refuted at " } else { "worst at " }, witness)
                }))
                .chain(unable(reasons))
                .collect(),
        },
    })
}
