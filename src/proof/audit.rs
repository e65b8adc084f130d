//! The audit of the development, with what the ledger has to say.

use super::coverage::{self, Role, role};
use posproof_coq_audit::build::Event;
use posproof_coq_audit::coq::{Coq, Lacking};
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
    /// Its role in the claim.
    pub role: Role,
    /// The file.
    pub file: String,
    /// True where it compiles, was re-checked, is as pinned, and is the claim's.
    pub proved: bool,
    /// The axioms that it depends upon.
    pub axioms: Vec<String>,
}

/// Result of an audit, with what the ledger knows of each theorem.
pub type Audit = coq_audit::Audit<Audited>;

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

/// Mistakes in the sources as text: no Coq is needed to see them.
pub fn static_findings(development: &Development) -> Vec<Violation> {
    let mut findings = development.findings();
    findings.extend(coverage::at_hand(development));
    findings
}
