//! Markdown: the tables of the README, made from the claims and kept true by a test.

use crate::claim::{About, Form};
use crate::evidence::settle::{Entry, SystemName};
use crate::evidence::{Effort, Plan};
use std::fmt::Write;

/// The ledger: id, verdict, statement, sources.
pub fn ledger(claims: &[&About]) -> String {
    let mut text = String::from("| id | verdict | statement | source |\n| --- | --- | --- | --- |\n");
    for about in claims {
        let sources = about.sources.iter().map(|source| format!("*{}*, {}", source.document.title(), source.place));
        let sources: Vec<String> = sources.collect();
        let (id, verdict) = (about.id, about.verdict);
        let _ = writeln!(text, "| `{id}` | {verdict} | {} | {} |", cell(about.statement), cell(&sources.join("; ")));
    }
    text
}

/// Where the documents are wrong: what is written, what is true, and the certified witness, found
/// by the interval system (or, where that has nothing to say, by normal forms).
pub fn corrections(entries: &[&'static dyn Entry]) -> String {
    let plan = Plan::new(Effort::Quick, Plan::SEED);
    let mut text = String::new();
    for entry in entries {
        let about = entry.about();
        let Some(written) = about.written else { continue };
        let systems = [SystemName::Interval256, SystemName::Exact];
        let witness = systems.iter().find_map(|system| entry.judge(*system, Form::AsWritten, &plan).refutation);
        let _ = writeln!(text, "- **`{}`**", about.id);
        for source in about.sources {
            let _ = writeln!(text, "  (*{}*, {})", source.document.title(), source.place);
        }
        let _ = writeln!(text, "  - written: {written}\n  - true: {}", about.statement);
        if let Some(witness) = witness {
            let _ = writeln!(text, "  - witness: {witness}");
        }
    }
    text
}

/// Text that stands in a table's cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
