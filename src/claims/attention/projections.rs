//! `attention.projections`: (P X) W = P (X W).

use super::{layer_inputs, layer_sizes};
use crate::claim::{
    About, Case, Claim, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict, equal_entries,
};
use crate::encoding::attention::{Head, matrix, permutation_matrix, permute_rows};
use crate::number::System;
use crate::number::matrix::product;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Projections;

impl Claim for Projections {
    const ABOUT: About = About {
        id: "attention.projections",
        statement: "(P X) W = P (X W) for every permutation matrix P and all matrices X and W.",
        written: None,
        sources: &[Source {
            document: Document::PositionalEmbedding,
            place: "What is permutation invariance?, Proof, Q′ and K′ after permutation",
        }],
        verdict: Verdict::Holds,
        sabotage: "Pᵀ (X W): the rows moved back instead of forth",
        remark: None,
    };

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
        let p = permutation_matrix(permutation);
        let permuted = product(&p, &x);
        let back = p.transpose();
        let weights = [("Q", &head.query), ("K", &head.key), ("V", &head.value)];
        let mut all = Vec::new();
        for (what, w) in weights {
            let projected = product(&x, w);
            let moved =
                if form.is_sabotaged() { product(&back, &projected) } else { permute_rows(permutation, &projected) };
            all.extend(equal_entries(what, &product(&permuted, w), &moved)?);
        }
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        let Size { dim, tokens, .. } = *size;
        tokens * dim * (tokens + 6 * dim)
    }
}
