//! `posproof verify`: checks claims and prints one line each and a tally.

use super::{Failure, Outcome, print, print_json, progress};
use crate::claim::Ledger;
use crate::claims;
use crate::evidence::settle::{Entry, SystemName, settle};
use crate::evidence::{Conclusion, Effort, Evidence, FormalStatus, Plan, Settlement, in_order};
use crate::proof::coverage::ROUNDING;
use crate::proof::memory::Memory;
use crate::report::{json::Verification, text};
use clap::Args;

/// Options that `verify`, `show` and `report` have in common.
#[derive(Args, Clone, Debug)]
pub struct Search {
    /// Effort of the run
    #[arg(long, value_name = "quick|standard|exhaustive", default_value = Effort::Standard.name())]
    pub effort: Effort,
    /// Seed of the random cases
    #[arg(long, default_value_t = Plan::SEED)]
    pub seed: u64,
    /// Systems to run, separated by commas: exact, interval256, mp256, mp113, f64, f32, f16, bf16
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    pub systems: Vec<SystemName>,
}

const EXAMPLES: &str = "Examples:
  posproof verify                                  both ledgers
  posproof verify --ledger literature              the claims of papers alone
  posproof verify shift rope.relative-position     all claims of a subject, and one more
  posproof verify --effort quick --json

Exit status: 0 all as expected, 1 a claim falls short, 3 inconclusive under --strict.";

/// Arguments of `verify`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct VerifyArguments {
    /// Claims, by id or by subject (`shift` names all of its claims); all if none is given
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Only the claims of one ledger
    #[arg(long, value_name = "documents|literature")]
    ledger: Option<Ledger>,
    #[command(flatten)]
    search: Search,
    /// Print one JSON document (schema posproof.verify/1)
    #[arg(long)]
    json: bool,
    /// Exit with status 3 where the systems that were run cannot tell
    #[arg(long)]
    strict: bool,
}

/// The claims that the ids name, of one ledger or of both, in the order of the ledgers.
pub fn named(ids: &[String], ledger: Option<Ledger>) -> Result<Vec<&'static dyn Entry>, Failure> {
    let all = ledger.map_or_else(claims::all, claims::of);
    let is_meant = |id: &String, entry: &dyn Entry| {
        entry.about().is_called(id) || id.eq_ignore_ascii_case(entry.about().subject())
    };
    for id in ids {
        if !all.iter().any(|entry| is_meant(id, *entry)) {
            if id.starts_with(ROUNDING) {
                return Err(Failure::Usage(format!(
                    "'{id}' names a theorem, not a claim: posproof prove {id} checks it"
                )));
            }
            let ids = all.iter().flat_map(|entry| [entry.about().id, entry.about().subject()]);
            let mut valid: Vec<&str> = ids.collect();
            valid.sort_unstable();
            valid.dedup();
            return Err(Failure::Usage(posproof_encoding::suggestion::unknown("claim", id, valid.into_iter())));
        }
    }
    let wanted = |entry: &&dyn Entry| ids.is_empty() || ids.iter().any(|id| is_meant(id, *entry));
    Ok(all.into_iter().filter(wanted).collect())
}

/// Settles the claims, with a progress bar.
pub fn settle_all(entries: &[&'static dyn Entry], search: &Search) -> Vec<Settlement> {
    settle_each(entries, search, |_| ())
}

/// The same; `tell` hears of each claim as soon as it and all before it are settled.
fn settle_each(
    entries: &[&'static dyn Entry],
    search: &Search,
    mut tell: impl FnMut(&Settlement) + Send,
) -> Vec<Settlement> {
    let mut systems = if search.systems.is_empty() { SystemName::ALL.to_vec() } else { search.systems.clone() };
    systems.sort_unstable();
    systems.dedup();
    let plan = Plan::new(search.effort, search.seed);
    let memory = Memory::of_sources_at_hand();
    let bar = progress(entries.len(), "claims");
    let settle_one = |entry: &&'static dyn Entry| {
        bar.set_message(entry.about().id);
        let mut settlement = settle(*entry, &systems, &plan, &|| ());
        add_proof(&mut settlement, memory.evidence(entry.about()));
        bar.inc(1);
        settlement
    };
    let mut settlements = Vec::new();
    in_order(entries, settle_one, |settlement| {
        bar.suspend(|| tell(&settlement));
        settlements.push(settlement);
    });
    bar.finish_and_clear();
    settlements
}

/// Puts the formal evidence first. A proof that failed is a claim that falls short; one that was not
/// run changes nothing.
fn add_proof(settlement: &mut Settlement, evidence: Evidence) {
    if let Evidence::Formal { status: FormalStatus::Failed, reason, .. } = &evidence
        && !matches!(settlement.conclusion, Conclusion::FallsShort(_))
    {
        settlement.conclusion = Conclusion::FallsShort(reason.clone().unwrap_or_default());
    }
    settlement.evidence.insert(0, evidence);
}

/// Runs the verb.
pub fn run(arguments: &VerifyArguments) -> Result<Outcome, Failure> {
    let VerifyArguments { ids, ledger, search, json, strict } = arguments;
    let entries = named(ids, *ledger)?;
    let settlements = if *json {
        let settlements = settle_all(&entries, search);
        print_json(&Verification::new(&settlements, search.effort, search.seed))?;
        settlements
    } else {
        let mut written = Ok(());
        let settlements = settle_each(&entries, search, |settlement| {
            if written.is_ok() {
                written = print(&(text::line(settlement) + "\n"));
            }
        });
        written?;
        print(&format!("\n{}", text::tally(&settlements, search.effort, search.seed)))?;
        settlements
    };
    Ok(outcome(&settlements, *strict))
}

/// End of a command that settled these claims.
pub fn outcome(settlements: &[Settlement], strict: bool) -> Outcome {
    let any = |test: fn(&Conclusion) -> bool| settlements.iter().any(|settlement| test(&settlement.conclusion));
    if any(|conclusion| matches!(conclusion, Conclusion::FallsShort(_))) {
        Outcome::FallsShort
    } else if strict && any(|conclusion| matches!(conclusion, Conclusion::Inconclusive(_))) {
        Outcome::Inconclusive
    } else {
        Outcome::Good
    }
}
