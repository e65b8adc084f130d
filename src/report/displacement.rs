//! Displacements of attention as a table, in words.

use super::decimal::{ratio, rounded_up, short};
use crate::claim::AttentionResult;
use crate::evidence::{Displacement, Evidence};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Above the table of a claim.
pub const CAPTION: &str = "Attention as kernels compute it: by how much a result may move, for all stored inputs of 128 components and \
4096 keys, values up to 1, and by how much it does; ratio = bound ÷ largest movement found";

/// The heads of the columns.
pub const COLUMNS: [&str; 7] = ["accumulator", "inputs", "result", "change", "bound", "found", "ratio"];

/// The displacements among evidence.
pub fn rows(evidence: &[Evidence]) -> impl Iterator<Item = &Displacement> {
    evidence.iter().filter_map(|evidence| match evidence {
        Evidence::Displacement(row) => Some(&**row),
        _ => None,
    })
}

/// A row, under [`COLUMNS`].
pub fn cells(row: &Displacement) -> [String; 7] {
    let [before, _] = &row.kernels;
    let (bound, found) = (row.compared.bound.value(), row.compared.difference());
    let result = match row.of {
        AttentionResult::Output => "output",
        AttentionResult::Score => "score",
    };
    let bound_or = if bound == 0.0 { "0".to_owned() } else { rounded_up(bound) };
    let adder = before.adder.name().to_owned();
    [adder, before.inputs.to_string(), result.into(), row.words(), bound_or, short(found), ratio(found, bound)]
}

/// The derivations of the bounds, each once.
pub fn origins(evidence: &[Evidence]) -> Vec<String> {
    let all: BTreeSet<String> = rows(evidence).map(|row| row.compared.bound.origin().to_string()).collect();
    all.into_iter().collect()
}

/// The table in columns; empty without a row.
pub fn table(evidence: &[Evidence]) -> String {
    let line = |[adder, inputs, result, change, bound, found, ratio]: [String; 7]| {
        format!("  {adder:<12} {inputs:<6} {result:<7} {change:<32} {bound:>9} {found:>9} {ratio:>9}\n")
    };
    let lines: String = rows(evidence).map(|row| line(cells(row))).collect();
    if lines.is_empty() {
        return lines;
    }
    let mut text = line(COLUMNS.map(str::to_owned)) + &lines;
    for origin in origins(evidence) {
        let _ = writeln!(text, "  Origin: {origin}.");
    }
    text
}
