//! `attention.position-blind`: without encoding, a score does not depend on where its tokens stand.

use super::{layer_inputs, tokens_of};
use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::encoding::attention::{Head, matrix, permute_rows, scores};
use crate::encoding::sinusoid;
use crate::number::matrix::product;
use crate::number::{Position, Relation, System};
use nalgebra::DMatrix;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct PositionBlind;

impl Claim for PositionBlind {
    const ABOUT: About = About {
        id: "attention.position-blind",
        statement: "Without encoding, the score of a query token and a key token depends on the two tokens alone, not on where they stand.",
        written: None,
        sources: &[Source {
            document: Document::SinesAndCosines,
            place: "Transformers and Self-Attention, one shortcoming",
        }],
        verdict: Verdict::Holds,
        sabotage: "PE(place) added to every token",
        remark: None,
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let encoded = |tokens, dim| Size { base: 10_000, ..tokens_of(tokens, dim) };
        match kind {
            SystemKind::Formal => vec![encoded(2, 2), encoded(3, 2), encoded(4, 4)],
            SystemKind::Enclosed | SystemKind::Rounded { precision: 54.. } => vec![encoded(2, 2), encoded(8, 8)],
            SystemKind::Rounded { .. } => vec![encoded(2, 2), encoded(16, 8), encoded(64, 32), encoded(256, 128)],
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        super::bounded_layers(10_000)
    }

    fn inputs(size: &Size) -> Inputs {
        layer_inputs(size)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let Size { dim, tokens, base } = case.size;
        let (x, head) = (matrix(system, "X", tokens, dim), Head::of_reals(system, dim));
        let permutation = case.permutation("P")?;
        let mut sequence = permute_rows(permutation, &x);
        if form.is_sabotaged() {
            let frequencies = sinusoid::frequencies(base, dim);
            for (place, mut row) in sequence.row_iter_mut().enumerate() {
                row += sinusoid::encode(system, &frequencies, &Position::integer(place as i64)).transpose();
            }
        }
        let score = |query: &DMatrix<S::Number>, key: &DMatrix<S::Number>| {
            scores(system, &product(query, &head.query), &product(key, &head.key))
        };
        let placed = score(&sequence, &sequence);
        // Token 0 as the query; each token as the key, the two by themselves against the two in their places.
        let keys = permutation.iter().enumerate().map(|(token, place)| {
            let alone = score(&x.rows(0, 1).into_owned(), &x.rows(token, 1).into_owned())[(0, 0)].clone();
            let relation = Relation::Equal(placed[(permutation[0], *place)].clone(), alone);
            Comparison { what: "score of token 0 and token", index: [token, 0], relation }
        });
        Ok(keys.collect())
    }

    fn work(size: &Size) -> usize {
        let Size { dim, tokens, .. } = *size;
        tokens * (4 * dim * dim + tokens * dim)
    }
}
