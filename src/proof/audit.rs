//! The audit of the development, with what the ledger has to say.

use super::coverage::{self, Role, role};
use posproof_coq_audit::build::{Event, Status};
use posproof_coq_audit::coq::{Coq, Lacking};
use posproof_coq_audit::pins::Pins;
use posproof_coq_audit::violation::Violation;
use posproof_coq_audit::{Development, audit as coq_audit};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// One theorem after the audit.
#[derive(Clone, Debug, Serialize)]
pub struct Audited {
    /// Its name.
    pub theorem: String,
    /// The claim that it belongs to; none for rounding theorems.
    pub claim: Option<String>,
    /// What it is to the claim.
    pub role: Role,
    /// The file.
    pub file: String,
    /// Whether it compiles, was re-checked, and is as pinned, and is the claim's.
    pub proved: bool,
    /// The axioms that it depends upon.
    pub axioms: Vec<String>,
}

/// What an audit found.
#[derive(Clone, Debug)]
pub struct Audit {
    /// The theorems audited.
    pub theorems: Vec<Audited>,
    /// All that is wrong.
    pub findings: Vec<Violation>,
    /// What became of each file.
    pub files: BTreeMap<String, Status>,
    /// What Coq says, in the form of pins, where every file was looked at.
    pub printed: Option<Pins>,
}

/// Audits the theorems named, or all.
pub fn audit(
    coq: &Coq,
    development: &Development,
    selected: Option<&BTreeSet<String>>,
    directory: &Path,
    jobs: usize,
    tell: &(dyn Fn(Event<'_>) + Sync),
) -> Result<Audit, Lacking> {
    let found = coq_audit::audit(coq, development, selected, directory, jobs, tell)?;
    let mut findings = coverage::at_hand(development);
    let declared: BTreeMap<_, _> = development.theorems().map(|(_, theorem)| (&theorem.name, role(theorem))).collect();
    let theorems = found.theorems.into_iter().map(|coq_audit::Audited { theorem, module, proved, axioms }| {
        let (claim, role) = declared.get(&theorem).cloned().unwrap_or((None, Role::Rounding));
        let against = |finding: &Violation| finding.subject == theorem || Some(&finding.subject) == claim.as_ref();
        let proved = proved && !findings.iter().any(against);
        Audited { theorem, claim, role, file: format!("{module}.v"), proved, axioms }
    });
    let theorems = theorems.collect();
    findings.extend(found.findings);
    Ok(Audit { theorems, findings, files: found.files, printed: found.printed })
}

/// What is wrong with the sources as text: no Coq is needed to see it.
pub fn static_findings(development: &Development) -> Vec<Violation> {
    let mut findings = development.findings();
    findings.extend(coverage::at_hand(development));
    findings
}
