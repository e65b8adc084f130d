//! `posproof list`: the ledgers as a table.

use super::verify::named;
use super::{Failure, Outcome, print, print_json};
use crate::claim::{Ledger, Source, Verdict};
use crate::report::{markdown, text};
use clap::Args;
use serde::Serialize;

/// Arguments of `list`.
#[derive(Args, Clone, Debug)]
pub struct ListArguments {
    /// Claims, by id or by subject (`shift` names all of its claims); all if none is given
    #[arg(value_name = "ID", conflicts_with = "markdown")]
    ids: Vec<String>,
    /// Print one JSON document (schema posproof.list/1)
    #[arg(long)]
    json: bool,
    /// Print docs/ledger.md, or docs/literature.md with --ledger literature: the claims, and where the documents are wrong
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Only the claims of one ledger
    #[arg(long, value_name = "documents|literature")]
    ledger: Option<Ledger>,
}

#[derive(Serialize)]
struct Listing {
    schema: &'static str,
    claims: Vec<ListedClaim>,
}

#[derive(Serialize)]
struct ListedClaim {
    id: &'static str,
    ledger: Option<Ledger>,
    statement: &'static str,
    written: Option<&'static str>,
    sources: &'static [Source],
    verdict: Verdict,
    /// The theorem of the statement, or else the refutation of the text as written; none where there is neither.
    theorem: Option<String>,
}

/// Runs the verb.
pub fn run(arguments: &ListArguments) -> Result<Outcome, Failure> {
    let entries = named(&arguments.ids, arguments.ledger)?;
    let claims: Vec<_> = entries.into_iter().map(|entry| entry.about()).collect();
    if arguments.json {
        let rows = claims.iter().map(|about| ListedClaim {
            id: about.id,
            ledger: about.ledger(),
            statement: about.statement,
            written: about.written,
            sources: about.sources,
            verdict: about.verdict,
            theorem: about.theorems().into_iter().next(),
        });
        print_json(&Listing { schema: "posproof.list/1", claims: rows.collect() })?;
    } else if arguments.markdown {
        print(&markdown::document(arguments.ledger.unwrap_or(Ledger::Documents)))?;
    } else {
        print(&text::ledgers(&claims))?;
    }
    Ok(Outcome::Good)
}
