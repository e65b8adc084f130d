//! `posproof cite ID`: BibTeX, and the command that repeats what is cited.

use super::{Failure, Outcome, print};
use crate::bibliography::bibtex::{document, finding};
use crate::bound::{Configuration, configurations};
use crate::claim::Verdict;
use crate::claims;
use crate::evidence::Plan;
use crate::report::background::documents;
use crate::report::pages::configuration::{bound_command, table_command};
use clap::Args;
use posproof_encoding::suggestion::unknown;

const EXAMPLES: &str = "Examples:
  posproof cite toeplitz.printed-values    a claim, with the documents that make it
  posproof cite bound.llama-3              the error bounds of a configuration of posproof report
  posproof cite table.llama-3              the correctly rounded table of a configuration";

/// Arguments of `cite`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct CiteArguments {
    /// A claim such as shift.linearity, or bound.NAME or table.NAME of a configuration
    #[arg(value_name = "ID")]
    id: String,
}

/// Before the name of a configuration: its bounds, and its table.
const BOUND: &str = "bound.";
const TABLE: &str = "table.";

/// Runs the verb.
pub fn run(CiteArguments { id }: &CiteArguments) -> Result<Outcome, Failure> {
    print(&entries(id)?)?;
    Ok(Outcome::Good)
}

/// The entries, after a comment with the command.
fn entries(id: &str) -> Result<String, Failure> {
    let environment = |error: serde_json::Error| Failure::Environment(error.to_string());
    if let Some(entry) = claims::all().into_iter().find(|entry| entry.about().is_called(id)) {
        let about = entry.about();
        let id = about.id;
        let command = format!("posproof show {id} --effort standard --seed {}", Plan::SEED);
        let mut text = described(about.statement) + &commented(&command);
        if !entry.bounded_sizes().is_empty() {
            text += &format!(
                "% Its bounds for all inputs, as sentences: posproof bound claim {id} --dim 128 --dtype f32\n"
            );
        }
        let verdict = match about.verdict {
            Verdict::Holds => "which holds",
            Verdict::Corrected => "corrected",
            Verdict::Refuted => "refuted",
            Verdict::Empirical => "beyond proof",
        };
        text += &finding(id, &format!("A claim on positional encodings, {verdict}"), &command);
        for source in documents(about) {
            text += "\n";
            text += &document(source);
        }
        return Ok(text);
    }
    let named = |prefix: &str| {
        let name = id.strip_prefix(prefix)?;
        configurations().into_iter().find(|configuration| configuration.name == name)
    };
    if let Some(configuration) = named(BOUND) {
        let command = bound_command(&configuration, farthest(&configuration)).map_err(environment)?;
        let title = format!("Rounding-error bounds of the configuration {}", configuration.name);
        return Ok(described(configuration.about) + &commented(&command) + &finding(id, &title, &command));
    }
    if let Some(configuration) = named(TABLE) {
        let command = table_command(&configuration, farthest(&configuration)).map_err(environment)?;
        let title = format!("Correctly rounded table of the configuration {}", configuration.name);
        return Ok(described(configuration.about) + &commented(&command) + &finding(id, &title, &command));
    }
    let ids = claims::all().into_iter().map(|entry| entry.about().id.to_owned());
    let of = |prefix: &'static str| configurations().into_iter().map(move |found| format!("{prefix}{}", found.name));
    let ids: Vec<String> = ids.chain(of(BOUND)).chain(of(TABLE)).collect();
    Err(Failure::Usage(unknown("claim, bound or table", id, ids.iter().map(String::as_str))))
}

/// The longest context that a configuration is reported at.
fn farthest(configuration: &Configuration) -> u64 {
    configuration.lengths.iter().copied().max().unwrap_or_default()
}

/// Formulas are for readers of a comment: no style of BibTeX sets them.
fn described(text: &str) -> String {
    format!("% {text}\n")
}

fn commented(command: &str) -> String {
    format!("% Repeat with: {command}\n")
}
