//! `attention.softmax`: softmax(P A Pᵀ) = P softmax(A) Pᵀ.

use super::tokens_of;
use crate::claim::{
    About, Case, Claim, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict, equal_entries,
};
use crate::encoding::attention::{matrix, permute_both, softmax};
use crate::number::System;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Softmax;

impl Claim for Softmax {
    const ABOUT: About = About {
        id: "attention.softmax",
        statement: "softmax(P A Pᵀ) = P softmax(A) Pᵀ, softmax along rows, for every n and P.",
        written: None,
        sources: &[Source {
            document: Document::PositionalEmbedding,
            place: "What is permutation invariance?, Proof, softmax after permutation",
        }],
        verdict: Verdict::Holds,
        sabotage: "softmax along columns on one side",
        remark: None,
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let square = |tokens| tokens_of(tokens, 0);
        match kind {
            SystemKind::Formal => [2, 3, 4].map(square).to_vec(),
            SystemKind::Enclosed | SystemKind::Rounded { precision: 54.. } => [2, 4, 16].map(square).to_vec(),
            SystemKind::Rounded { .. } => [2, 4, 32, 256].map(square).to_vec(),
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(size: &Size) -> Inputs {
        Inputs::default().permutation("P", size.tokens).reals("A", size.tokens * size.tokens, 4.0)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let (tokens, permutation) = (case.size.tokens, case.permutation("P")?);
        let scores = matrix(system, "A", tokens, tokens);
        let weights = if form.is_sabotaged() { softmax(&scores.transpose()).transpose() } else { softmax(&scores) };
        equal_entries("weight", &softmax(&permute_both(permutation, &scores)), &permute_both(permutation, &weights))
    }

    fn work(size: &Size) -> usize {
        4 * size.tokens * size.tokens
    }
}
