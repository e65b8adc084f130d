//! `attention.permutation-matrix`: P Pᵀ = Pᵀ P = I.

use super::tokens_of;
use crate::claim::{
    About, Case, Claim, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict, equal_entries,
};
use crate::encoding::attention::permutation_matrix;
use crate::number::System;
use crate::number::matrix::product;
use nalgebra::DMatrix;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct PermutationMatrix;

impl Claim for PermutationMatrix {
    const ABOUT: About = About {
        id: "attention.permutation-matrix",
        statement: "P Pᵀ = Pᵀ P = I for every permutation matrix P.",
        written: None,
        sources: &[Source {
            document: Document::PositionalEmbedding,
            place: "What is permutation invariance?, Proof, last equation",
        }],
        verdict: Verdict::Holds,
        sabotage: "P P = I: every permutation taken to be its own inverse",
        remark: None,
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let square = |tokens| tokens_of(tokens, 0);
        match kind {
            SystemKind::Formal => [1, 2, 3, 4, 8].map(square).to_vec(),
            SystemKind::Enclosed | SystemKind::Rounded { precision: 54.. } => [3, 8, 16].map(square).to_vec(),
            SystemKind::Rounded { .. } => [3, 16, 64, 256].map(square).to_vec(),
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(size: &Size) -> Inputs {
        Inputs::default().permutation("P", size.tokens)
    }

    fn comparisons<S: System>(_: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let p: DMatrix<S::Number> = permutation_matrix(case.permutation("P")?);
        let identity = DMatrix::identity(case.size.tokens, case.size.tokens);
        let back = if form.is_sabotaged() { p.clone() } else { p.transpose() };
        let mut all = equal_entries("P Pᵀ", &product(&p, &back), &identity)?;
        all.extend(equal_entries("Pᵀ P", &product(&back, &p), &identity)?);
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        size.tokens.pow(3) / 2
    }
}
