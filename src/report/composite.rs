//! Bounds of rotated pairs and of scores, in words and as JSON (schema `posproof.bound/1`).

use super::bounds::{description, grid, printed, spread};
use crate::bound::{Attention, Bound, Composite, Model, Origin};
use crate::encoding::convention::Convention;
use crate::number::format::Format;
use serde::Serialize;
use std::fmt::Write;

/// The document of `posproof bound rotation|score --json`.
#[derive(Serialize)]
pub struct Document {
    schema: &'static str,
    subject: &'static str,
    convention: Convention,
    #[serde(skip_serializing_if = "Option::is_none")]
    attention: Option<Attention>,
    cases: Vec<Case>,
}

#[derive(Serialize)]
struct Case {
    format: Format,
    path: crate::bound::Path,
    pair: Option<usize>,
    positions: [u64; 2],
    a_priori: String,
    instance: String,
    origin: Origins,
}

#[derive(Serialize)]
struct Origins {
    a_priori: Origin,
    instance: Origin,
}

impl Document {
    /// The document of some bounds.
    pub fn new(subject: &'static str, model: &Model, rows: &[Vec<Composite>]) -> Self {
        let case = |composite: &Composite| Case {
            format: model.program().storage,
            path: model.program().path,
            pair: composite.pair,
            positions: [composite.positions.start, composite.positions.end],
            a_priori: printed(composite.a_priori.value()),
            instance: printed(composite.instance.value()),
            origin: Origins { a_priori: composite.a_priori.origin(), instance: composite.instance.origin() },
        };
        let cases = rows.iter().flatten().map(case).collect();
        let convention = model.convention().clone();
        Self { schema: "posproof.bound/1", subject, convention, attention: None, cases }
    }

    /// The same, saying how attention is computed.
    pub fn of_attention(self, attention: &Attention) -> Self {
        Self { attention: Some(*attention), ..self }
    }
}

/// The bounds in words, with a table by decade of positions: of all pairs, or of a selection.
pub fn text(quantity: &str, model: &Model, rows: &[Vec<Composite>], selection: bool) -> String {
    let mut text = format!("{}; rotated in {}\n\n", description(model), model.program().storage);
    let largest = (0..rows.len()).rev().max_by(|&a, &b| overall(rows, a).total_cmp(&overall(rows, b)));
    let whole = rows.iter().filter_map(|row| row.last());
    let a_priori = whole.map(|whole| whole.a_priori).reduce(Bound::max);
    if let (Some(whole), Some(a_priori)) = (largest.and_then(|at| rows.get(at)?.last()), a_priori) {
        let pair = whole.pair.map_or(String::new(), |pair| format!(": pair {pair}"));
        let _ = writeln!(
            text,
            "{quantity}: at positions {}..{} at most\n  {}  a priori: for any library within {} ulp ({})\n  {}  with the frequencies as computed{pair} ({})\n",
            whole.positions.start,
            whole.positions.end,
            printed(a_priori.value()),
            model.program().kappa,
            a_priori.origin(),
            printed(whole.instance.value()),
            whole.instance.origin()
        );
    }
    text.push_str("Instance bounds by position\n");
    let mut table = Vec::new();
    let shown = |at: &usize| !selection || Some(*at) == largest || spread(rows.len()).contains(at);
    for row in (0..rows.len()).filter(shown).filter_map(|at| rows.get(at)) {
        let Some((whole, decades)) = row.split_last() else { continue };
        if table.is_empty() {
            let spans = decades.iter().map(|span| format!("{}..{}", span.positions.start, span.positions.end));
            table.push(
                std::iter::once("pair".to_owned()).chain(spans).chain(["all".into(), "a priori".into()]).collect(),
            );
        }
        let mut cells = vec![whole.pair.map_or("all".into(), |pair| pair.to_string())];
        cells.extend(row.iter().map(|span| printed(span.instance.value())));
        cells.push(printed(whole.a_priori.value()));
        table.push(cells);
    }
    text.push_str(&grid(&table));
    text
}

/// The bound of a row over all positions.
fn overall(rows: &[Vec<Composite>], at: usize) -> f64 {
    rows.get(at).and_then(|row| row.last()).map_or(0.0, |whole| whole.instance.value())
}
