//! Bounds for all inputs as a table, in words.

use super::decimal::{ratio, rounded_up, short};
use super::text::VACUOUS;
use crate::claim::Size;
use crate::evidence::uniform::{APART, EVERY, ORIGIN};
use crate::evidence::{Evidence, UniformBound};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Above the table of a claim.
pub const CAPTION: &str =
    "Bounds for all integer positions, and all reals of their boxes; ratio = bound ÷ largest error found";

/// Of bounds that are 0.
const ONE: &str = "both sides are one computation";

/// The heads of the columns.
pub const COLUMNS: [&str; 8] = ["system", "size", "positions", "comparison", "bound", "found", "ratio", "found at"];

/// The formats in the order of tables: those of models first.
const ORDER: [&str; 4] = ["f32", "bf16", "f16", "f64"];

/// The bounds among evidence, format by format.
pub fn rows(evidence: &[Evidence]) -> impl Iterator<Item = &UniformBound> {
    ORDER.into_iter().flat_map(|system| {
        evidence.iter().filter_map(move |evidence| match evidence {
            Evidence::Uniform(row) if row.system == system => Some(row),
            _ => None,
        })
    })
}

/// A row, under [`COLUMNS`].
pub fn cells(row: &UniformBound) -> [String; 8] {
    let UniformBound { system, size, domain, comparison, bound, vacuous, origin, found, witness, .. } = row;
    let [first, last] = domain.positions;
    let place = witness.as_ref().map(|witness| {
        let positions = witness.positions.iter().map(|(name, value)| format!("{name} = {value}"));
        positions.chain([witness.what.clone()]).collect::<Vec<_>>().join(", ")
    });
    let bound_or = match bound {
        Some(bound) if *origin == EVERY && *bound == 0.0 => "0 ‡".to_owned(),
        Some(0.0) => "0".to_owned(),
        Some(bound) if *origin == APART => format!("{} †", rounded_up(*bound)),
        Some(bound) if *origin == EVERY => format!("{} ‡", rounded_up(*bound)),
        Some(bound) => rounded_up(*bound),
        None => "none".to_owned(),
    };
    [
        (*system).to_owned(),
        size.to_string(),
        format!("{first}..={last}"),
        (*comparison).to_owned(),
        if *vacuous { format!("{bound_or} ({VACUOUS})") } else { bound_or },
        short(*found),
        bound.filter(|_| !vacuous && *found > 0.0).map_or_else(|| "–".to_owned(), |bound| ratio(*found, bound)),
        if *bound == Some(0.0) && *origin == ORIGIN {
            ONE.to_owned()
        } else {
            place.unwrap_or_else(|| "–".to_owned())
        },
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

/// Where the bounds of some rows come from, a line each.
pub fn origins<'a>(rows: impl Iterator<Item = &'a UniformBound>) -> String {
    let known: BTreeSet<&str> = rows.filter(|row| row.bound.is_some()).map(|row| row.origin).collect();
    let lines = [("Origin", ORIGIN), ("Origin of those with †", APART), ("Origin of those with ‡", EVERY)];
    lines
        .iter()
        .filter(|(_, origin)| known.contains(origin))
        .map(|(name, origin)| format!("{name}: {origin}.\n"))
        .collect()
}

/// The roundings that cost most, for the widest domain of each size and comparison in f32.
pub fn events(evidence: &[Evidence]) -> String {
    let in_f32 = || rows(evidence).filter(|row| row.system == "f32" && !row.events.is_empty());
    let is_widest = |row: &&UniformBound| {
        let wider = |other: &UniformBound| other.domain.positions[1] > row.domain.positions[1];
        !in_f32().any(|other| (other.size, other.comparison) == (row.size, row.comparison) && wider(other))
    };
    let mut text = String::new();
    for row in in_f32().filter(is_widest) {
        let named: Vec<String> =
            row.events.iter().map(|(event, size)| format!("{event} {}", rounded_up(*size))).collect();
        let _ = writeln!(text, "  {}, {}: {}", row.size, row.comparison, named.join("; "));
    }
    text
}

/// The bounds of the widest domain of each size, format and comparison as sentences to cite.
pub fn sentences<'a>(id: &str, rows: impl Iterator<Item = &'a UniformBound>) -> String {
    let rows: Vec<&UniformBound> = rows.filter(|row| row.bound.is_some() && !row.vacuous).collect();
    let is_widest = |row: &&&UniformBound| {
        let key = |row: &UniformBound| (row.system, row.size, row.comparison);
        rows.iter().all(|other| key(other) != key(row) || other.domain.positions[1] <= row.domain.positions[1])
    };
    let mut text = String::new();
    for row in rows.iter().filter(is_widest) {
        let UniformBound { system, size, domain, comparison, found, .. } = row;
        let [_, _, positions, _, bound, _, _, place] = cells(row);
        let inputs = match domain.positions {
            [0, 0] => "all inputs".to_owned(),
            _ => format!("all integers {positions} for each position"),
        };
        let _ = writeln!(
            text,
            "In {system} at {size}, for {inputs}, the sides of {id} ({comparison}) differ by at most {bound}; \
             the largest error found is {}, at {place} (posproof {}).",
            short(*found),
            env!("CARGO_PKG_VERSION")
        );
    }
    text
}

/// The largest bound of the widest domain in f32, in a few words: what a line says of a claim.
pub fn words(evidence: &[Evidence]) -> Option<String> {
    let key = |row: &UniformBound| (row.domain.positions[1], row.size);
    let in_f32 = || rows(evidence).filter(|row| row.system == "f32");
    // A bound that says nothing of its own comparison is one all the same: only where it is the largest is nothing said.
    let largest = |at: (i64, Size)| {
        let bounds: Option<Vec<(f64, bool)>> =
            in_f32().filter(|row| key(row) == at).map(|row| Some((row.bound?, row.vacuous))).collect();
        bounds?.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(_, vacuous)| !vacuous)
    };
    let says = |at: &(i64, Size)| largest(*at).is_some();
    let (last, size) = in_f32().map(key).filter(says).max()?;
    let bound = rounded_up(largest((last, size))?.0);
    let inputs = match last {
        0 => "inputs".to_owned(),
        _ => format!("positions to {last}"),
    };
    let at = if size.dim == 0 { String::new() } else { format!(" at d = {}", size.dim) };
    Some(format!("f32{at} for all {inputs} ≤ {bound}"))
}
