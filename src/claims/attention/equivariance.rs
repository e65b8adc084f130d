//! `attention.equivariance`: Attn(P X) = P Attn(X).

use crate::claim::{About, Case, Claim, Comparison, Document, Form, Inputs, Reach, Size, Source, Verdict, equal_entries};
use crate::encoding::attention::{Head, layer, matrix, permute_rows};
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

    fn sizes(reach: Reach) -> Vec<Size> {
        let layer = |tokens, dim| Size { dim, tokens, base: 0 };
        match reach {
            Reach::Formal => vec![layer(2, 1), layer(2, 2), layer(3, 2), layer(4, 3)],
            // MPFR takes a microsecond where hardware takes a nanosecond.
            Reach::Enclosed | Reach::Rounded { precision: 54.. } => vec![layer(2, 1), layer(4, 3), layer(8, 8)],
            Reach::Rounded { .. } => vec![layer(2, 1), layer(4, 3), layer(16, 8), layer(64, 32)],
        }
    }

    fn inputs(size: &Size) -> Inputs {
        let Size { dim, tokens, .. } = *size;
        let weights = dim * dim;
        // Weights within 1/√d keep the scores of the order of 1, whatever d.
        let limit = 1.0 / (dim as f64).sqrt();
        Inputs::default()
            .permutation("P", tokens)
            .reals("X", tokens * dim, 1.0)
            .reals("Wq", weights, limit)
            .reals("Wk", weights, limit)
            .reals("Wv", weights, limit)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Vec<Comparison<S::Number>> {
        let Size { dim, tokens, .. } = case.size;
        let (x, head) = (matrix(system, "X", tokens, dim), Head::of_reals(system, dim));
        let permutation = case.permutation("P");
        let permuted_first = layer(system, &permute_rows(permutation, &x), &head);
        let output = layer(system, &x, &head);
        let permuted_last = if form.is_sabotaged() { output } else { permute_rows(permutation, &output) };
        equal_entries("output", &permuted_first, &permuted_last)
    }

    fn work(size: &Size) -> usize {
        let Size { dim, tokens, .. } = *size;
        2 * tokens * (3 * dim * dim + 2 * tokens * dim + 4 * tokens)
    }
}
