//! `posproof show ID`: everything about one claim.

use super::verify::{Search, named, settle_all};
use super::{Failure, Outcome, print, print_json, tell};
use crate::evidence::{Conclusion, Entry, Settlement, uniform};
use crate::report::{background, json::Verification, text, theorem::Theorems};
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};

/// Arguments of `show`.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// The claim's id, such as shift.linearity
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    search: Search,
    /// Write a Coq file instead: the first order of the roundings of each equality in f32 at the smallest size, and its bound
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    certificate: Option<PathBuf>,
    /// Print one JSON document (schema posproof.verify/1)
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let Arguments { id, search, certificate, json } = arguments;
    let entries = named(std::slice::from_ref(id), None)?;
    if let Some(path) = certificate {
        return certify(id, &entries, path);
    }
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

/// Writes the certificates of the claims of an id.
fn certify(id: &str, entries: &[&'static dyn Entry], path: &Path) -> Result<Outcome, Failure> {
    let [entry] = entries else {
        return Err(Failure::Usage(format!("--certificate: expected the id of one claim; found '{id}'")));
    };
    let Some(text) = uniform::certificate(*entry) else {
        let found = "no equality whose first order is a polynomial in reals, cosines and sines";
        return Err(Failure::Usage(format!("--certificate: {id} has {found}")));
    };
    fs::write(path, text).map_err(|error| Failure::Usage(format!("--certificate {}: {error}", path.display())))?;
    tell(format_args!("wrote {}", path.display()));
    Ok(Outcome::Good)
}
