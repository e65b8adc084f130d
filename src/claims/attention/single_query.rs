//! `attention.single-query`: shuffling keys and values together changes nothing for one query.

use super::tokens_of;
use crate::claim::{
    About, Case, Claim, Comparisons, AttentionResult, Document, Form, Inputs, Size, Source, SystemKind, Verdict, equal_entries,
};
use crate::encoding::attention::{matrix, permute_rows, softmax};
use crate::number::System;
use crate::number::matrix::product;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct SingleQuery;

impl Claim for SingleQuery {
    const ABOUT: About = About {
        id: "attention.single-query",
        statement: "For one query, reordering keys and values together leaves the output unchanged, with softmax weights and with plain dot-product weights.",
        written: None,
        sources: &[
            Source {
                document: Document::PositionalEmbedding,
                place: "What is permutation invariance?, Code (n = 3, d = 8, softmax without 1/√d)",
            },
            Source { document: Document::SinesAndCosines, place: "Transformers and Self-Attention (no softmax)" },
        ],
        verdict: Verdict::Holds,
        sabotage: "keys shuffled without their values",
        remark: None,
    };

    const DISPLACEMENT: Option<AttentionResult> = Some(AttentionResult::Output);

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            // n = 3, d = 8 is the document's own example.
            SystemKind::Formal => vec![tokens_of(2, 2), tokens_of(3, 8), tokens_of(4, 4)],
            SystemKind::Enclosed | SystemKind::Rounded { precision: 54.. } => vec![tokens_of(3, 8), tokens_of(16, 16)],
            SystemKind::Rounded { .. } => vec![tokens_of(3, 8), tokens_of(64, 32), tokens_of(256, 128)],
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(size: &Size) -> Inputs {
        let Size { dim, tokens, .. } = *size;
        // Queries within 1/√d keep the scores of the order of 1, whatever d.
        let query = Inputs::default().permutation("P", tokens).reals("q", dim, 1.0 / (dim as f64).sqrt());
        query.reals("K", tokens * dim, 1.0).reals("V", tokens * dim, 1.0)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let Size { dim, tokens, .. } = case.size;
        let query = matrix(system, "q", 1, dim);
        let (keys, values) = (matrix(system, "K", tokens, dim), matrix(system, "V", tokens, dim));
        let permutation = case.permutation("P")?;
        let moved_keys = permute_rows(permutation, &keys);
        let moved_values = if form.is_sabotaged() { values.clone() } else { permute_rows(permutation, &values) };
        let (before, after) = (product(&query, &keys.transpose()), product(&query, &moved_keys.transpose()));
        let mut all = equal_entries(
            "output with softmax",
            &product(&softmax(&before), &values),
            &product(&softmax(&after), &moved_values),
        )?;
        all.extend(equal_entries(
            "output without softmax",
            &product(&before, &values),
            &product(&after, &moved_values),
        )?);
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        size.tokens * (4 * size.dim + 4)
    }
}
