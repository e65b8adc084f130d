//! Bounds of rotated pairs and of scores, in words.

use super::bounds::{description, grid, spread};
use posproof_bound::document::printed;
use posproof_bound::{Arithmetic, Bound, Composite, Model, Scoring};
use std::fmt::Write;

/// Rotation of pairs, in words.
pub fn rotated(Arithmetic { format, fused }: Arithmetic) -> String {
    format!("rotated in {format}{}", if fused { " with fused multiply-adds" } else { "" })
}

/// Computation of scores, in words.
pub fn scored(Scoring { rotation, sums }: Scoring) -> String {
    format!("{}, products and sums in {sums}, in any order", rotated(rotation))
}

/// The bounds in words, with a table by decade of positions: of all pairs, or of a selection.
pub fn text(quantity: &str, (model, how): (&Model, &str), rows: &[Vec<Composite>], selection: bool) -> String {
    let mut text = format!("{}; {how}\n\n", description(model));
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
