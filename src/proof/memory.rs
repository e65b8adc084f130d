//! Findings of earlier audits, remembered under a hash of everything that they depend on.

use super::audit::Audit;
use super::{Lost, RULES, at_hand, hash};
use crate::claim::{About, theorem_name};
use crate::evidence::{Evidence, FormalStatus};
use posproof_coq_audit::coq::Coq;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Sentence on a claim that is in neither ledger.
const UNLISTED: &str = "none: the claim is in neither ledger";

/// Sentence on a claim that has no theorem.
pub const NO_PROOF: &str = "no formal proof yet";

/// Sentence on a claim whose statement is no theorem, with the corollaries that state a part of it.
pub fn unproved(about: &About) -> String {
    match about.parts() {
        _ if !about.is_listed() => UNLISTED.to_owned(),
        [] => NO_PROOF.to_owned(),
        parts => format!("no formal proof of the whole; of a part: {}", parts.join(", ")),
    }
}

/// Record of the audit of certain sources.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRecord {
    /// The theorems that were found proved, each with its axioms.
    pub proved: BTreeMap<String, Vec<String>>,
    /// Findings of the last audit, the most important words of each.
    pub findings: Vec<String>,
}

/// The directory in which compiled files and records are kept: that of the user's caches, as the
/// platform has it (`XDG_CACHE_HOME`, or `~/.cache`, on Linux), else that of temporary files.
pub fn directory() -> PathBuf {
    dirs::cache_dir().unwrap_or_else(std::env::temp_dir).join("posproof")
}

/// Where the compiled files of the sources in a directory are kept, unless another place is given.
pub fn build_directory(proofs: &Path) -> PathBuf {
    let proofs = fs::canonicalize(proofs).unwrap_or_else(|_| proofs.to_owned());
    let mut name = posproof_coq_audit::digest([proofs.to_string_lossy().as_ref()]);
    name.truncate(16);
    directory().join("build").join(name)
}

fn file(hash: &str) -> PathBuf {
    directory().join("audits").join(format!("{hash}.json"))
}

impl AuditRecord {
    /// Memory of the sources with that hash.
    pub fn recall(hash: &str) -> Option<Self> {
        serde_json::from_str(&fs::read_to_string(file(hash)).ok()?).ok()
    }

    /// Remembers an audit of the sources with that hash. One of some theorems adds to what is known
    /// of the others; one that finds something wrong replaces it.
    pub fn remember(hash: &str, audit: &Audit) -> std::io::Result<()> {
        let mut record =
            if audit.findings.is_empty() { Self::recall(hash).unwrap_or_default() } else { Self::default() };
        record.findings = audit.findings.iter().map(|found| format!("{}: {}", found.subject, found.message)).collect();
        let proved = audit.theorems.iter().filter(|theorem| theorem.proved);
        record.proved.extend(proved.map(|theorem| (theorem.theorem.clone(), theorem.axioms.clone())));
        let path = file(hash);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        // Written beside and renamed, so that a reader never sees half of it.
        let beside = path.with_extension(format!("{}.part", std::process::id()));
        fs::write(&beside, serde_json::to_vec_pretty(&record)?)?;
        fs::rename(beside, path)
    }
}

/// Memory of the sources at hand, for the evidence of `verify`.
#[derive(Debug)]
pub struct Memory {
    record: Result<Option<AuditRecord>, Lost>,
}

impl Memory {
    /// Recalls what is known of the sources at hand, with the Coq at hand; where there is none, nothing is.
    pub fn of_sources_at_hand() -> Self {
        let recall = |development| AuditRecord::recall(&hash(&development, &Coq::find(&RULES).ok()?));
        Self { record: at_hand().map(recall) }
    }

    /// The formal evidence for a claim.
    pub fn evidence(&self, about: &About) -> Evidence {
        let demanded = about.theorems();
        let Some(theorem) = demanded.first().cloned() else {
            let (theorem, reason) = (theorem_name(about.id), Some(unproved(about)));
            return Evidence::Formal { theorem, status: FormalStatus::NotRun, axioms: Vec::new(), reason };
        };
        let (status, axioms, reason) = match &self.record {
            Err(unreadable) => (FormalStatus::NotRun, Vec::new(), Some(unreadable.to_string())),
            Ok(Some(AuditRecord { findings, .. })) if !findings.is_empty() => {
                let own = findings.iter().find(|found| found.starts_with(&format!("{theorem}:")));
                let first = own.or(findings.first()).map(String::as_str).unwrap_or_default();
                let first = first.lines().next().unwrap_or_default();
                let count = findings.len();
                let reason = format!("the last audit of these sources found {count} faults, among them {first}");
                (FormalStatus::Failed, Vec::new(), Some(reason))
            }
            Ok(Some(AuditRecord { proved, .. })) if demanded.iter().all(|name| proved.contains_key(name)) => {
                (FormalStatus::Proved, proved.get(&theorem).cloned().unwrap_or_default(), None)
            }
            Ok(_) => {
                let reason = "these Coq sources have not been audited on this machine: posproof prove does";
                (FormalStatus::NotRun, Vec::new(), Some(reason.to_owned()))
            }
        };
        Evidence::Formal { theorem, status, axioms, reason }
    }
}
