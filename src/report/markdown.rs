//! Markdown: the ledger, made from the claims and kept true by a test.

use super::news::is_error;
use super::pages::plain;
use crate::claim::{AS_WRITTEN, About, Form, Ledger};
use crate::evidence::settle::{Entry, SystemName};
use crate::evidence::{Effort, Plan};
use std::fmt::Write;

/// `docs/ledger.md` and `docs/literature.md`: all claims of a ledger, and where its documents are wrong.
pub fn document(of: Ledger) -> String {
    let entries = crate::claims::of(of);
    let abouts: Vec<&About> = entries.iter().map(|entry| entry.about()).collect();
    let (head, made_by) = match of {
        Ledger::Documents => (
            "# The ledger\n\n\
             What five documents claim about transformer positional encodings, claim by claim. `posproof verify` settles all\n\
             of them, `posproof show ID` prints everything about one.\n",
            "posproof list --markdown",
        ),
        Ledger::Literature => (
            "# The literature\n\n\
             What papers claim about RoPE and other positional encodings, claim by claim. `posproof verify --ledger literature`\n\
             settles all of them, `posproof show ID` prints everything about one, with what was read of its source.\n",
            "posproof list --markdown --ledger literature",
        ),
    };
    format!(
        "{head}{}\n\
         Made by `{made_by}`; a test compares it.\n\n\
         ## Claims\n\n{}\n\
         ## Corrections\n\n\
         Where a document is wrong: what it claims, put so that it can be refuted (the place named has its words), what is\n\
         true, and a certified witness.\n\n{}",
        formal(&abouts),
        ledger(&abouts),
        corrections(&entries)
    )
}

/// Which claims have a theorem: nothing, where all have one of their statement.
fn formal(claims: &[&About]) -> String {
    let ids =
        |claims: Vec<&&About>| claims.iter().map(|about| format!("`{}`", about.id)).collect::<Vec<_>>().join(", ");
    let without = claims.iter().filter(|about| about.theorems().is_empty());
    let (without, parts): (Vec<_>, Vec<_>) = without.partition(|about| about.parts().is_empty());
    let refuted = claims.iter().filter(|about| matches!(&about.theorems()[..], [only] if only.ends_with(AS_WRITTEN)));
    let refuted = refuted.collect::<Vec<_>>();
    let exceptions = [
        ("Of these only the text as written is refuted by a theorem:", refuted),
        ("Of these a part is a theorem, which the remark names:", parts),
        ("These have none, for the reason in the remark:", without),
    ];
    let exceptions = exceptions.into_iter().filter(|(_, claims)| !claims.is_empty());
    let exceptions: String = exceptions.map(|(words, claims)| format!("\n\n{words}\n{}.", ids(claims))).collect();
    match exceptions.as_str() {
        "" => String::new(),
        _ => format!(
            "\nThe statements are theorems of Coq, under the hypotheses that remarks name, but for these.{exceptions}\n"
        ),
    }
}

/// The ledger: id, verdict, statement, sources.
fn ledger(claims: &[&About]) -> String {
    let mut text = String::from("| id | verdict | statement | source |\n| --- | --- | --- | --- |\n");
    for about in claims {
        let sources: Vec<String> = about.sources.iter().map(source).collect();
        let (id, verdict) = (about.id, about.verdict);
        let _ = writeln!(text, "| `{id}` | {verdict} | {} | {} |", plain(about.statement), sources.join("; "));
    }
    text
}

/// Where the documents are wrong: what is claimed, what is true, and the certified witness, found
/// by the interval system (or, where that has nothing to say, by normal forms).
fn corrections(entries: &[&'static dyn Entry]) -> String {
    let plan = Plan::new(Effort::Quick, Plan::SEED);
    let mut text = String::new();
    for entry in entries {
        let about = entry.about();
        let Some(written) = about.written.filter(|_| is_error(about)) else { continue };
        let systems = [SystemName::Interval256, SystemName::Exact];
        let witness = systems.iter().find_map(|system| entry.judge(*system, Form::AsWritten, &plan).refutation);
        let witness = witness.map(|found| found.witness);
        let _ = writeln!(text, "- **`{}`**", about.id);
        for place in about.sources {
            let _ = writeln!(text, "  ({})", source(place));
        }
        let _ = writeln!(text, "  - claimed: {}\n  - true: {}", plain(written), plain(about.statement));
        if let Some(witness) = witness {
            let _ = writeln!(text, "  - witness: {}", plain(&witness.to_string()));
        }
    }
    text
}

fn source(source: &crate::claim::Source) -> String {
    format!("*{}*, {}", plain(source.document.title()), plain(source.place))
}
