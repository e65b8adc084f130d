//! Bounds for all inputs as a table, in words.

use super::decimal::{ratio, rounded_up, short};
use super::text::VACUOUS;
use crate::evidence::{Evidence, UniformBound};
use std::fmt::Write;

/// Above the table of a claim.
pub const CAPTION: &str =
    "Bounds for all integer positions, and all reals of their boxes; ratio = bound ÷ largest error found";

/// The heads of the columns.
pub const COLUMNS: [&str; 8] = ["system", "size", "positions", "comparison", "bound", "found", "ratio", "found at"];

/// The bounds among evidence.
pub fn rows(evidence: &[Evidence]) -> impl Iterator<Item = &UniformBound> {
    evidence.iter().filter_map(|evidence| match evidence {
        Evidence::Uniform(row) => Some(row),
        _ => None,
    })
}

/// A row, under [`COLUMNS`].
pub fn cells(row: &UniformBound) -> [String; 8] {
    let UniformBound { system, size, domain, comparison, bound, vacuous, found, witness } = row;
    let [first, last] = domain.positions;
    let place = witness.as_ref().map(|witness| {
        let positions = witness.positions.iter().map(|(name, value)| format!("{name} = {value}"));
        positions.chain([witness.what.clone()]).collect::<Vec<_>>().join(", ")
    });
    let bound_or = bound.map_or_else(|| "none".to_owned(), rounded_up);
    [
        (*system).to_owned(),
        size.to_string(),
        format!("{first}..={last}"),
        (*comparison).to_owned(),
        if *vacuous { format!("{bound_or} ({VACUOUS})") } else { bound_or },
        short(*found),
        bound.filter(|_| !vacuous).map_or_else(|| "–".to_owned(), |bound| ratio(*found, bound)),
        place.unwrap_or_else(|| "–".to_owned()),
    ]
}

/// The table in columns, of claims with their ids in front or of one claim without.
pub fn table<'a>(rows: impl Iterator<Item = (Option<&'a str>, &'a UniformBound)>) -> String {
    let id = |id: Option<&str>| id.map_or_else(String::new, |id| format!("{id:<24} "));
    let line = |id: String, [system, size, positions, comparison, bound, found, ratio, place]: [String; 8]| {
        let start = format!("  {id}{system:<6} {size:<20} {positions:<14} {comparison:<12}");
        format!("{start} {bound:>18} {found:>9} {ratio:>9}  {place}")
    };
    let mut text = String::new();
    for (place, (claim, row)) in rows.enumerate() {
        if place == 0 {
            let _ = writeln!(text, "{}", line(id(claim.map(|_| "claim")), COLUMNS.map(str::to_owned)));
        }
        let _ = writeln!(text, "{}", line(id(claim), cells(row)));
    }
    text
}

/// The widest domain in f32, in a few words: what a line says of a claim.
pub fn words(evidence: &[Evidence]) -> Option<String> {
    let in_f32 = rows(evidence).filter(|row| row.system == "f32" && !row.vacuous);
    let widest = in_f32.max_by_key(|row| (row.domain.positions[1], row.size))?;
    let (bound, size, last) = (rounded_up(widest.bound?), widest.size, widest.domain.positions[1]);
    Some(format!("f32 at d = {} for all positions to {last} ≤ {bound}", size.dim))
}
