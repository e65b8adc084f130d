//! One claim, one theorem, and the other way round.

use crate::claim::{AS_WRITTEN, About, theorem_name};
use posproof_coq_audit::Development;
use posproof_coq_audit::lexer::collapsed;
use posproof_coq_audit::source::Declaration;
use posproof_coq_audit::violation::{Violation, ViolationKind};
use std::collections::BTreeMap;

/// Role of a theorem in the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The settled statement of a claim.
    Settled,
    /// The negation of what a document has as written.
    AsWritten,
    /// More about a claim than its sentence says.
    Corollary,
    /// A main theorem on rounding errors.
    Rounding,
}

/// Beginnings of rounding theorems' names.
pub const ROUNDING: &str = "rounding_";

/// The id of the claim that a theorem belongs to, and its role: by the doc comment before a theorem, by
/// the name of a corollary.
pub fn role(theorem: &Declaration) -> (Option<String>, Role) {
    let name = &theorem.name;
    if name.starts_with(ROUNDING) {
        return (None, Role::Rounding);
    }
    if theorem.corollary {
        let claims = crate::claims::all();
        let ids = claims.iter().map(|entry| entry.about().id);
        let more = |id: &&str| name.strip_prefix(&theorem_name(id)).is_some_and(|rest| rest.starts_with('_'));
        return (ids.filter(more).max_by_key(|id| id.len()).map(str::to_owned), Role::Corollary);
    }
    let role = if name.ends_with(AS_WRITTEN) { Role::AsWritten } else { Role::Settled };
    let header = theorem.doc.as_deref().and_then(|doc| doc.split_once(": ")).map(|(header, _)| header);
    let id = header.map(|header| header.strip_suffix(", as written").unwrap_or(header).to_owned());
    let named = name.strip_suffix(AS_WRITTEN).unwrap_or(name);
    (id.filter(|id| theorem_name(id) == named), role)
}

/// Differences between all claims and the theorems.
pub fn at_hand(development: &Development) -> Vec<Violation> {
    let claims: Vec<_> = crate::claims::all().into_iter().map(|entry| entry.about()).collect();
    findings(development, &claims)
}

/// Differences between the ledger and the theorems, and between the texts of the two.
pub fn findings(development: &Development, claims: &[&About]) -> Vec<Violation> {
    let mut findings = Vec::new();
    let theorems: BTreeMap<&str, _> =
        development.theorems().map(|(source, theorem)| (theorem.name.as_str(), (source, theorem))).collect();
    for about in claims {
        for name in about.theorems().iter().filter(|name| !theorems.contains_key(name.as_str())) {
            let message = match name.ends_with(AS_WRITTEN) {
                true => format!("its text as written has no refutation {name}"),
                false => format!("the claim has no theorem {name}"),
            };
            findings.push(coverage(about.id, message));
        }
        for name in about.parts().iter().filter(|name| !theorems.contains_key(**name)) {
            findings.push(coverage(about.id, format!("the part of the claim that is stated has no corollary {name}")));
        }
    }
    for (name, (source, theorem)) in theorems {
        let place = Some(format!("{}.v, line {}", source.module, theorem.line));
        let (id, role) = role(theorem);
        match role {
            Role::Rounding => continue,
            Role::Corollary if id.is_some() => continue,
            Role::Corollary => {
                findings.push(coverage(name, "a corollary is named by a claim's id and what it adds".to_owned()));
                continue;
            }
            Role::Settled | Role::AsWritten => {}
        }
        let Some(id) = id else {
            let form = "(** ID: STATEMENT *) or (** ID, as written: TEXT *)";
            let message = format!("a theorem is named by the id in the doc comment before it, {form}");
            findings.push(Violation::new(ViolationKind::Header, name, place, message));
            continue;
        };
        let Some(about) = claims.iter().find(|about| about.id == id) else {
            findings.push(coverage(name, format!("no claim has the id {id}")));
            continue;
        };
        if !about.theorems().iter().any(|demanded| demanded == name) {
            let message = format!("the claim {id} is listed as one without such a theorem");
            findings.push(coverage(name, message));
        }
        let (header, expected) = match role {
            Role::AsWritten => (format!("{id}, as written"), about.written),
            _ => (id.clone(), Some(about.statement)),
        };
        let found = theorem.doc_after(&header);
        if found != expected.map(collapsed).as_deref() {
            let message = "the doc comment before it is not the claim's text";
            let text = |text: Option<&str>| text.unwrap_or("(none)").to_owned();
            findings.push(
                Violation::new(ViolationKind::Header, name, place, message).differing(text(expected), text(found)),
            );
        }
    }
    findings
}

fn coverage(subject: &str, message: String) -> Violation {
    Violation::new(ViolationKind::Coverage, subject, None, message)
}
