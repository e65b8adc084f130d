//! Bounds of logits and of outputs of attention, in words.

use super::composite;
use crate::bound::{Accumulation, Attention, Composite, Model, Products};
use std::fmt::Write;

/// The bounds in words: how attention is computed, the bound and where it comes from, and a table by decade of
/// positions.
pub fn text(subject: &str, model: &Model, attention: &Attention, rows: &[Vec<Composite>]) -> String {
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
    text
}

fn accumulated(what: &str, Accumulation { format, products }: Accumulation) -> String {
    match products {
        Products::Rounded => format!("{what} with products and sums in {format}, in any order"),
        Products::Exact => format!("{what} with sums in {format}, in any order, products exact unless they underflow"),
        Products::Fused => format!("{what} with fused multiply-adds in {format}, one after the other"),
    }
}
