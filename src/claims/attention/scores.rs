//! `attention.scores`: A′ = P A Pᵀ.

use super::{layer_inputs, layer_sizes};
use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, AttentionResult, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
    equal_entries,
};
use crate::encoding::attention::{Head, matrix, permute_both, permute_rows, scores};
use crate::number::matrix::product;
use crate::number::{Number, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Scores;

impl Claim for Scores {
    const ABOUT: About = About {
        id: "attention.scores",
        statement: "With A = Q Kᵀ/√d, replacing X by P X gives A′ = P A Pᵀ, for every n, d and P.",
        written: None,
        sources: &[Source {
            document: Document::PositionalEmbedding,
            place: "What is permutation invariance?, Proof, A′ after permutation",
        }],
        verdict: Verdict::Holds,
        sabotage: "P A: the columns left in their old order",
        remark: None,
    };

    const DISPLACEMENT: Option<AttentionResult> = Some(AttentionResult::Score);

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
        let permuted = permute_rows(permutation, &x);
        let after = scores(system, &product(&permuted, &head.query), &product(&permuted, &head.key));
        let (query, key) = (product(&x, &head.query), product(&x, &head.key));
        let before = scores(system, &query, &key);
        let both =
            if form.is_sabotaged() { permute_rows(permutation, &before) } else { permute_both(permutation, &before) };
        let mut all = equal_entries("score", &after, &both)?;
        // One row from the definition, √d·A_0j = q_0·k_j, and each where P has taken it.
        let root = system.integer(dim as i64).sqrt();
        for (token, place) in permutation.iter().enumerate() {
            let scaled = root.clone() * after[(permutation[0], *place)].clone();
            let relation = Relation::Equal(scaled, query.row(0).dot(&key.row(token)));
            all.push(Comparison { what: "√d·score", index: [0, token], relation });
        }
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        let Size { dim, tokens, .. } = *size;
        tokens * (4 * dim * dim + 2 * tokens * dim)
    }
}
