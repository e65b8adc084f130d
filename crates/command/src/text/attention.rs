//! Bounds of logits and of outputs of attention, in words.

use super::bounds::grid;
use super::composite;
use posproof_bound::document::{measured, printed};
use posproof_bound::{Accumulation, Attention, ByKey, Composite, Found, Keys, Model, Probable, Products};
use posproof_numerics::Round;
use posproof_numerics::decimal::{counted, scientific};
use std::fmt::Write;

/// The bounds in words: how attention is computed, the bound and where it comes from, a table by decade of positions, the
/// bound that holds with a probability, the largest error found, and what depends on absolute position.
pub fn text(
    subject: &str,
    model: &Model,
    attention: &Attention,
    rows: &[Vec<Composite>],
    probable: &Probable,
    found: Option<&Found>,
    by_key: Option<&ByKey>,
) -> String {
    let quantity = match subject {
        "logits" => "Error of a logit, query and key at any two positions",
        _ => "Error of a component of an output of attention, query and keys at any positions",
    };
    let mut text = composite::text(quantity, (model, &composite::rotated(attention.rotation)), rows, false);
    let _ = write!(
        text,
        "\nQueries up to length {}, keys up to {}; {}; scale 1/√{} and logits in {}",
        attention.query,
        attention.key,
        accumulated("scores", attention.scores),
        attention.dim,
        attention.softmax,
    );
    if subject == "attention" {
        let _ = write!(
            text,
            "\nSoftmax over {} in {}, exp within {} ulp; weights in {}; {}, of components up to {}",
            counted(u64::from(attention.keys), "key"),
            attention.softmax,
            attention.kappa,
            attention.weights,
            accumulated("values", attention.values),
            attention.value,
        );
    }
    text.push('\n');
    text + &likely(attention, probable) + &searched(subject, found) + &by_key.map(split).unwrap_or_default()
}

/// The bound that holds with a probability, with what it assumes.
fn likely(attention: &Attention, probable: &Probable) -> String {
    let pairs = attention.dim / 2;
    format!(
        "\nBut for one case in {} at most\n  {}  with the frequencies as computed ({})\n  \
         assumed, not proved: {}\n  of queries and keys no pair of which is longer than {}·length/√{pairs}\n",
        probable.odds,
        printed(probable.bound.value()),
        probable.bound.origin(),
        probable.assumption,
        probable.spread,
    )
}

/// The largest error found, and how far the bound is from it.
fn searched(subject: &str, found: Option<&Found>) -> String {
    let Some(found) = found else {
        return "\nNo error was searched for: expected a table in f32, f16 or bf16 and no fused operations\n".into();
    };
    let [query, key] = found.lengths;
    let keys = match (subject, found.keys.as_slice()) {
        ("logits", [place]) => format!("key of length {key:.2} at {place}"),
        (_, [place]) => format!("1 key of length {key:.2} at {place}"),
        (_, places) => format!("{} keys up to length {key:.2}", places.len()),
    };
    let times = found.ratio().map_or(String::new(), |ratio| format!(", {ratio:.3} times that"));
    format!(
        "\nLargest error found by a directed search\n  {}  query of length {query:.2} at {}, {keys}; the bound of these is {}{times}\n",
        scientific(found.error, 5, Round::Down),
        found.position,
        printed(found.bound.value()),
    )
}

/// Dependence on absolute position, by where the key stands.
fn split(errors: &ByKey) -> String {
    let header = ["keys", "error, rms", "change, rms", "largest change", "share of the squares"];
    let row = |keys: &Keys| {
        vec![
            format!("{}..{}", keys.positions.start, keys.positions.end),
            measured(keys.error),
            measured(keys.moved),
            measured(keys.largest),
            format!("{:.4} %", 100.0 * keys.share),
        ]
    };
    let rows: Vec<Vec<String>> =
        std::iter::once(header.map(str::to_owned).to_vec()).chain(errors.classes.iter().map(row)).collect();
    let mut text = format!(
        "\nWhat depends on absolute position, by key: the change of a logit where query and key are moved by the same {} to {} \
         positions,\nfor queries at {}..{}; measured, {} random logits a row\n{}",
        errors.shifts[0],
        errors.shifts[1],
        errors.queries.start,
        errors.queries.end,
        errors.logits,
        grid(&rows),
    );
    if let Some(first) = errors.classes.first() {
        let keys = errors.queries.start - first.positions.start;
        let _ = writeln!(
            text,
            "The first of these {keys} keys has {:.2} times an equal share; half of all is its own from a weight of {:.2} % on, the \
             other weights being equal",
            first.share * keys as f64,
            100.0 * errors.half_at_weight,
        );
    }
    text
}

fn accumulated(what: &str, Accumulation { format, products }: Accumulation) -> String {
    match products {
        Products::Rounded => format!("{what} with products and sums in {format}, in any order"),
        Products::Exact => format!("{what} with sums in {format}, in any order, products exact unless they underflow"),
        Products::Fused => format!("{what} with fused multiply-adds in {format}, one after the other"),
    }
}
