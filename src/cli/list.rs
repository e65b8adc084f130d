//! `posproof list`: the ledger as a table.

use super::{Failure, Outcome, print, print_json};
use crate::claim::{Source, Verdict};
use crate::claims;
use crate::report::{markdown, text};
use clap::Args;
use serde::Serialize;

/// Arguments of `list`.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// Print one JSON document (schema posproof.list/1)
    #[arg(long)]
    json: bool,
    /// Print docs/ledger.md: the ledger, and where the documents are wrong
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

#[derive(Serialize)]
struct Ledger {
    schema: &'static str,
    claims: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    id: &'static str,
    statement: &'static str,
    written: Option<&'static str>,
    sources: &'static [Source],
    verdict: Verdict,
    theorem: String,
}

/// Runs the verb.
pub fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let claims: Vec<_> = claims::all().into_iter().map(|entry| entry.about()).collect();
    if arguments.json {
        let rows = claims.iter().map(|about| Row {
            id: about.id,
            statement: about.statement,
            written: about.written,
            sources: about.sources,
            verdict: about.verdict,
            theorem: about.theorem(),
        });
        print_json(&Ledger { schema: "posproof.list/1", claims: rows.collect() })?;
    } else if arguments.markdown {
        print(&markdown::document(&claims::all()))?;
    } else {
        print(&text::ledger(&claims))?;
    }
    Ok(Outcome::Good)
}
