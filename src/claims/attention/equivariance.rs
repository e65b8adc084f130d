//! `attention.equivariance`: Attn(P X) = P Attn(X).

use super::{layer_inputs, layer_sizes, layer_work};
use crate::claim::{
    About, Case, Claim, Comparisons, AttentionResult, Document, Form, Inputs, Size, Source, SystemKind, Verdict, equal_entries,
};
use crate::encoding::attention::{Head, matrix, permute_rows, several};
use crate::number::System;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Equivariance;

impl Claim for Equivariance {
    const ABOUT: About = About {
        id: "attention.equivariance",
        statement: "Attn(P X) = P Attn(X) for the whole layer Attn(X) = softmax(X W_q (X W_k)ᵀ/√d) X W_v, for every n, d, P, X and all weights.",
        written: None,
        sources: &[Source {
            document: Document::PositionalEmbedding,
            place: "What is permutation invariance?, Proof (which stops before the values)",
        }],
        verdict: Verdict::Holds,
        sabotage: "Attn(X) for P Attn(X): the rows left in their old order",
        remark: None,
    };

    const DISPLACEMENT: Option<AttentionResult> = Some(AttentionResult::Output);

    fn sizes(kind: SystemKind) -> Vec<Size> {
        layer_sizes(kind)
    }

    fn bounded_sizes() -> Vec<Size> {
        super::bounded_layers(0)
    }

    fn inputs(size: &Size) -> Inputs {
        layer_inputs(size)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let Size { dim, tokens, .. } = case.size;
        let (x, head) = (matrix(system, "X", tokens, dim), Head::of_reals(system, dim));
        let permutation = case.permutation("P")?;
        // From eight dimensions on, four heads side by side.
        let heads = if dim < 8 { vec![head] } else { head.split(4) };
        let permuted_first = several(system, &permute_rows(permutation, &x), &heads);
        let output = several(system, &x, &heads);
        let permuted_last = if form.is_sabotaged() { output } else { permute_rows(permutation, &output) };
        equal_entries("output", &permuted_first, &permuted_last)
    }

    fn work(size: &Size) -> usize {
        2 * layer_work(size)
    }
}
