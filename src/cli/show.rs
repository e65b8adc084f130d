//! `posproof show ID`: everything about one claim.

use super::verify::{Search, named, settle_all};
use super::{Failure, Outcome, print, print_json, tell};
use crate::evidence::settle::SystemName;
use crate::evidence::uniform::UniformBound;
use crate::evidence::{Conclusion, Effort, Entry, Settlement, uniform};
use crate::report::{self, background, json::Verification, text, theorem::Theorems};
use clap::Args;
use posproof_numerics::format::Format;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Arguments of `show`.
#[derive(Args, Clone, Debug)]
pub struct ShowArguments {
    /// The claim's id, such as shift.linearity
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    search: Search,
    /// Only the bounds for all inputs, those at this dimension, with a sentence to cite
    #[arg(long, value_name = "D", conflicts_with = "json")]
    dim: Option<usize>,
    /// Only the bounds for all inputs, those in this format
    #[arg(long, value_name = "f16|bf16|f32|f64", value_parser = Format::computing, conflicts_with = "json")]
    dtype: Option<Format>,
    /// Write a Coq file instead: the first order of the roundings of each equality in f32 at the smallest size, and its bound
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    certificate: Option<PathBuf>,
    /// Print one JSON document (schema posproof.verify/1)
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(arguments: &ShowArguments) -> Result<Outcome, Failure> {
    let ShowArguments { id, search, certificate, json, dim, dtype } = arguments;
    let entries = named(std::slice::from_ref(id), None)?;
    if let Some(path) = certificate {
        return certify(id, &entries, path);
    }
    if dim.is_some() || dtype.is_some() {
        let pages: Result<Vec<String>, Failure> =
            entries.iter().map(|entry| bounds(*entry, search.effort, *dim, *dtype)).collect();
        print(&pages?.join("\n"))?;
        return Ok(Outcome::Good);
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

/// The bounds of a claim for all inputs, of a size and in a format where these are stated.
fn bounds(entry: &dyn Entry, effort: Effort, dim: Option<usize>, format: Option<Format>) -> Result<String, Failure> {
    let about = entry.about();
    let systems = [SystemName::F32, SystemName::Bf16, SystemName::F16, SystemName::F64];
    let systems = systems.into_iter().filter(|system| format.is_none() || system.format() == format);
    let all: Vec<UniformBound> = systems.flat_map(|system| uniform::bounds(entry, system, effort).to_vec()).collect();
    let wanted: Vec<&UniformBound> = all.iter().filter(|row| dim.is_none_or(|dim| row.size.dim == dim)).collect();
    if wanted.is_empty() {
        let dims: BTreeSet<usize> = all.iter().map(|row| row.size.dim).collect();
        let dims: Vec<String> = dims.iter().map(usize::to_string).collect();
        let (asked, expected) = match (dim, dims.as_slice()) {
            (Some(dim), [_, ..]) => (format!(" at d = {dim}"), format!("d = {}", dims.join(", "))),
            _ => (String::new(), "a claim with an equality that floats decide".to_owned()),
        };
        return Err(Failure::Usage(format!("{}: no bound for all inputs{asked}; expected {expected}", about.id)));
    }
    let rows = || wanted.iter().copied();
    let origins = report::uniform::origins(rows());
    let table = report::uniform::table(rows().map(|row| (None, row)));
    let sentences = report::uniform::sentences(about.id, rows());
    Ok(format!("{}\n  {}\n\n{}\n{table}{origins}\n{sentences}", about.id, about.statement, report::uniform::CAPTION))
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
