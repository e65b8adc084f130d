//! Plain text on what stands behind a claim: its theorem, and the documents that make it.

use super::theorem::Theorems;
use crate::bibliography::{Document, NOT_GIVEN};
use crate::claim::About;
use crate::proof::memory::unproved;
use std::fmt::Write;

/// The theorem of a claim as Coq has it, its axioms, and what is known of the claim's documents.
pub fn text(about: &About, theorems: &Theorems) -> String {
    let mut text = String::new();
    match theorems.of(about) {
        Ok(_) if about.theorems().is_empty() && about.parts().is_empty() => {
            let _ = writeln!(text, "\nIn Coq\n  {}", unproved(about));
        }
        Ok(found) => {
            for stated in found {
                let _ = writeln!(text, "\nIn Coq: {} ({}, {})", stated.name, stated.role, stated.file);
                stated.statement.lines().for_each(|line| {
                    let _ = writeln!(text, "  {line}");
                });
                let _ = writeln!(text, "  axioms: {}", stated.axioms());
            }
        }
        Err(unreadable) => {
            let _ = writeln!(text, "\nIn Coq\n  {unreadable}");
        }
    }
    let _ = writeln!(text, "\nDocuments");
    for document in documents(about) {
        let record = document.record();
        let _ = writeln!(text, "  {}\n    {}", record.name, record.kind);
        for (name, given) in record.fields() {
            let given = given.map_or(NOT_GIVEN.to_owned(), |given| given.to_string());
            let _ = writeln!(text, "    {name}: {given}");
        }
    }
    if about.is_listed() {
        let _ = writeln!(text, "\nCite\n  posproof cite {}", about.id);
    }
    text
}

/// The documents that make a claim, each once.
pub fn documents(about: &About) -> Vec<Document> {
    let mut documents: Vec<Document> = about.sources.iter().map(|source| source.document).collect();
    documents.sort_unstable();
    documents.dedup();
    documents
}
