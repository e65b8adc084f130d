//! `posproof show ID`: everything about one claim.

use super::verify::{Search, named, settle_all};
use super::{Failure, Outcome, print, print_json};
use crate::evidence::{Conclusion, Settlement};
use crate::report::{background, json::Verification, text, theorem::Theorems};
use clap::Args;

/// Arguments of `show`.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// The claim's id, such as shift.linearity
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    search: Search,
    /// Print one JSON document (schema posproof.verify/1)
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let Arguments { id, search, json } = arguments;
    let entries = named(std::slice::from_ref(id), None)?;
    let settlements = settle_all(&entries, search);
    if *json {
        print_json(&Verification::new(&settlements, search.effort, search.seed))?;
    } else {
        let theorems = Theorems::at_hand();
        let page = |settlement: &Settlement| {
            text::page(settlement, search.effort, search.seed) + &background::text(settlement.about, &theorems)
        };
        let pages: Vec<String> = settlements.iter().map(page).collect();
        print(&pages.join("\n"))?;
    }
    let falls_short = settlements.iter().any(|s| matches!(s.conclusion, Conclusion::FallsShort(_)));
    Ok(if falls_short { Outcome::FallsShort } else { Outcome::Good })
}
