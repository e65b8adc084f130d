//! The table of theorems in `proofs/README.md`, made from the sources and the pins.

use super::coverage::{ROUNDING, Role, role};
use crate::claim::{AS_WRITTEN, theorem_name};
use posproof_coq_audit::Development;
use std::fmt::Write;

/// Before the table in `proofs/README.md`.
pub const BEGIN: &str = "<!-- The tables below are written by posproof prove --accept. -->\n";

/// The tables.
pub fn tables(development: &Development) -> String {
    let mut text = String::from(
        "\n## Claims\n\n| claim | theorem | refutation of the claim as written | axioms |\n| --- | --- | --- | --- |\n",
    );
    let named = |name: &str| development.theorems().find(|(_, theorem)| theorem.name == name);
    let link = |module: &str, name: &str| format!("[`{name}`]({module}.v)");
    let mut rows: Vec<(String, String)> = Vec::new();
    for (source, theorem) in development.theorems() {
        if let (Some(id), Role::Settled) = role(theorem) {
            let refutation = format!("{}{AS_WRITTEN}", theorem.name);
            let refuted = named(&refutation).map(|(source, _)| link(&source.module, &refutation)).unwrap_or_default();
            let axioms = letters(development, &[&theorem.name, &refutation]);
            let row = format!("| {id} | {} | {refuted} | {axioms} |", link(&source.module, &theorem.name));
            rows.push((id, row));
        }
        if let (Some(id), Role::AsWritten) = role(theorem)
            && named(&theorem_name(&id)).is_none()
        {
            let axioms = letters(development, &[&theorem.name]);
            let row = format!("| {id} | | {} | {axioms} |", link(&source.module, &theorem.name));
            rows.push((id, row));
        }
    }
    rows.sort_by_key(|(id, _)| {
        let ledger = crate::claims::all();
        (ledger.iter().position(|entry| entry.about().id == id).unwrap_or(usize::MAX), id.clone())
    });
    rows.iter().for_each(|(_, row)| {
        let _ = writeln!(text, "{row}");
    });
    text.push_str("\n## Rounding\n\n| theorem | axioms |\n| --- | --- |\n");
    for (source, theorem) in development.theorems().filter(|(_, theorem)| theorem.name.starts_with(ROUNDING)) {
        let axioms = letters(development, &[&theorem.name]);
        let _ = writeln!(text, "| {} | {axioms} |", link(&source.module, &theorem.name));
    }
    text
}

/// The axioms of these theorems together, by their names without modules.
fn letters(development: &Development, names: &[&str]) -> String {
    let pinned = names.iter().filter_map(|name| development.pins.theorem(name));
    let mut axioms: Vec<&str> = pinned.flat_map(|(_, theorem)| theorem.axioms.iter().map(String::as_str)).collect();
    axioms.sort_unstable();
    axioms.dedup();
    let short: Vec<&str> = axioms.iter().map(|axiom| axiom.rsplit('.').next().unwrap_or(axiom)).collect();
    if short.is_empty() { "none".to_owned() } else { short.join(", ") }
}
