//! `posproof report`: everything that was found, as Markdown, as one HTML page and as JSON.

use super::verify::{Search, named, outcome, settle_all};
use super::{Failure, Outcome, print, progress};
use crate::claim::Ledger;
use crate::report::explore::Explorables;
use crate::report::pages::{Destination, Report, Unwritable, configuration};
use crate::report::plot::figures;
use crate::report::theorem::Theorems;
use clap::Args;
use posproof_numerics::decimal::counted;
use std::path::PathBuf;

/// Arguments of `report`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ReportArguments {
    /// Claims, by id or by subject; all if none is given
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Only the claims of one ledger
    #[arg(long, value_name = "documents|literature")]
    ledger: Option<Ledger>,
    #[command(flatten)]
    search: Search,
    /// The directory to write
    #[arg(long, value_name = "DIR", default_value = "posproof-report")]
    out: PathBuf,
    /// Replace a directory that holds anything else than a former report, with all that is in it
    #[arg(long)]
    force: bool,
}

const EXAMPLES: &str = "Examples:
  posproof report --out report                     everything; begin with report/index.html
  posproof report rope --effort quick --out rope   the claims of a subject";

/// Runs the verb.
pub fn run(arguments: &ReportArguments) -> Result<Outcome, Failure> {
    let ReportArguments { ids, ledger, search, out, force } = arguments;
    let entries = named(ids, *ledger)?;
    Destination::new(out, *force).map_err(failure)?;
    let settlements = settle_all(&entries, search);
    let length = figures::length(search.effort);
    let steps = configuration::count() + figures::STEPS as usize;
    let bar = progress(steps, "configurations and figures");
    bar.set_message("bounds");
    let configurations = configuration::survey(length, &|| bar.inc(1)).map_err(environment)?;
    bar.set_message("figures");
    let figures = figures::all(search.effort, &|| bar.inc(1)).map_err(environment)?;
    let explorables = Explorables::new().map_err(environment)?;
    bar.finish_and_clear();
    let report = Report {
        settlements: &settlements,
        effort: search.effort,
        seed: search.seed,
        command: command(arguments),
        theorems: Theorems::at_hand(),
        figures,
        explorables,
        configurations,
    };
    let files = report.files().map_err(environment)?;
    Destination::new(out, *force).and_then(|destination| destination.write(&files)).map_err(failure)?;
    let tally = report.tally();
    print(&format!(
        "{}, {} as expected\n{} in {}: begin with {}\n",
        counted(tally.claims as u64, "claim"),
        tally.as_expected,
        counted(files.len() as u64, "file"),
        out.display(),
        out.join("index.html").display()
    ))?;
    Ok(outcome(&settlements, false))
}

/// The command that repeats the report, without the directory: the report does not depend on it.
fn command(arguments: &ReportArguments) -> String {
    let ReportArguments { ids, ledger, search, .. } = arguments;
    let mut words = vec!["posproof report".to_owned()];
    words.extend(ids.iter().cloned());
    words.extend(ledger.map(|ledger| format!("--ledger {ledger}")));
    words.push(format!("--effort {} --seed {}", search.effort.name(), search.seed));
    if !search.systems.is_empty() {
        let names: Vec<&str> = search.systems.iter().map(|system| system.name()).collect();
        words.push(format!("--systems {}", names.join(",")));
    }
    words.join(" ")
}

fn environment(error: impl ToString) -> Failure {
    Failure::Environment(error.to_string())
}

fn failure(error: Unwritable) -> Failure {
    match error {
        Unwritable::Io { .. } => Failure::Environment(error.to_string()),
        Unwritable::Occupied { .. } | Unwritable::Unsuitable { .. } => Failure::Usage(error.to_string()),
    }
}
