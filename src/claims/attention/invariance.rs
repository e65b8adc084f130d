//! `attention.invariance`: the layer is equivariant, not invariant.

use super::{layer_inputs, layer_work, tokens_of};
use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
    equal_entries,
};
use crate::encoding::attention::{Head, layer, matrix, permute_rows};
use crate::number::{Relation, System};
use nalgebra::DMatrix;
use num_traits::Zero;
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Invariance;

/// Attn(P X) and Attn(X) where the tokens are n multiples of (1, 0, …) evenly spaced from 0 to 1
/// and all weights I. With n = 2, d = 1 and P the exchange these are (e/(1+e), 1/2) and (1/2, e/(1+e)).
fn evenly_spaced<S: System>(system: &S, permutation: &[usize], dim: usize) -> [DMatrix<S::Number>; 2] {
    let (tokens, weights) = (permutation.len(), DMatrix::identity(dim, dim));
    let head = Head { query: weights.clone(), key: weights.clone(), value: weights };
    let token = |row: usize| system.rational(&Rational::from((row, tokens.max(2) - 1)));
    let x = DMatrix::from_fn(tokens, dim, |row, column| if column == 0 { token(row) } else { S::Number::zero() });
    [layer(system, &permute_rows(permutation, &x), &head), layer(system, &x, &head)]
}

impl Claim for Invariance {
    const ABOUT: About = About {
        id: "attention.invariance",
        statement: "The layer is equivariant but not invariant: there are X, weights and P with Attn(P X) ≠ Attn(X).",
        written: Some("Attention is permutation invariant: Attn(P X) = Attn(X)."),
        sources: &[Source {
            document: Document::PositionalEmbedding,
            place: "What is permutation invariance?, “inherently permutation invariant”",
        }],
        verdict: Verdict::Corrected,
        sabotage: "P Attn(P X) = Attn(X): equivariance with P on the wrong side",
        remark: None,
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal => vec![tokens_of(2, 1), tokens_of(3, 2)],
            SystemKind::Enclosed | SystemKind::Rounded { precision: 54.. } => {
                vec![tokens_of(2, 1), tokens_of(4, 3), tokens_of(8, 4)]
            }
            SystemKind::Rounded { .. } => vec![tokens_of(2, 1), tokens_of(4, 3), tokens_of(16, 8)],
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        super::bounded_layers(0)
    }

    fn inputs(size: &Size) -> Inputs {
        layer_inputs(size)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let Size { dim, tokens, .. } = case.size;
        let permutation = case.permutation("P")?;
        if form == Form::AsWritten {
            let [shuffled, output] = evenly_spaced(system, permutation, dim);
            return equal_entries("output for evenly spaced tokens", &shuffled, &output);
        }
        let (x, head) = (matrix(system, "X", tokens, dim), Head::of_reals(system, dim));
        let (shuffled, output) = (layer(system, &permute_rows(permutation, &x), &head), layer(system, &x, &head));
        if form.is_sabotaged() {
            return equal_entries("output", &permute_rows(permutation, &shuffled), &output);
        }
        let mut all = equal_entries("output", &shuffled, &permute_rows(permutation, &output))?;
        let [exchanged, plain] = evenly_spaced(system, &[1, 0], 1);
        for (row, (left, right)) in exchanged.iter().zip(plain.iter()).enumerate() {
            let relation = Relation::Distinct(left.clone(), right.clone());
            all.push(Comparison { what: "output for tokens 0 and 1, exchanged or not", index: [row, 0], relation });
        }
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        2 * layer_work(size)
    }
}
