//! Bounds of logits and of outputs of attention, in words.

use super::bounds::printed;
use super::composite;
use crate::bound::{Accumulation, Attention, Composite, Found, Model, Probable, Products};
use posproof_numerics::Round;
use posproof_numerics::decimal::scientific;
use std::fmt::Write;

/// The bounds in words: how attention is computed, the bound and where it comes from, a table by decade of positions, the
/// bound that holds with a probability, and the largest error found.
pub fn text(
    subject: &str,
    model: &Model,
    attention: &Attention,
    rows: &[Vec<Composite>],
    probable: &Probable,
    found: Option<&Found>,
) -> String {
    let quantity = match subject {
        "logits" => "Error of a logit, query and key at any two positions",
        _ => "Error of a component of an output of attention, query and keys at any positions",
    };
    let mut text = composite::text(quantity, model, rows, false);
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
            "\nSoftmax over {} keys in {}, exp within {} ulp; weights in {}; {}, of components up to {}",
            attention.keys,
            attention.softmax,
            attention.kappa,
            attention.weights,
            accumulated("values", attention.values),
            attention.value,
        );
    }
    text.push('\n');
    text + &likely(attention, probable) + &searched(subject, found)
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
        (_, places) => format!("{} keys up to length {key:.2}", places.len()),
    };
    format!(
        "\nLargest error found by a directed search\n  {}  query of length {query:.2} at {}, {keys}; the bound of these is {}, {:.3} times that\n",
        scientific(found.error, 5, Round::Down),
        found.position,
        printed(found.bound.value()),
        found.ratio(),
    )
}

fn accumulated(what: &str, Accumulation { format, products }: Accumulation) -> String {
    match products {
        Products::Rounded => format!("{what} with products and sums in {format}, in any order"),
        Products::Exact => format!("{what} with sums in {format}, in any order, products exact unless they underflow"),
        Products::Fused => format!("{what} with fused multiply-adds in {format}, one after the other"),
    }
}
