//! `attention.invariance`: the layer is equivariant, not invariant.

use super::{layer_inputs, layer_work, tokens_of};
use crate::claim::{About, Case, Claim, Comparison, Document, Form, Inputs, Reach, Size, Source, Verdict, equal_entries};
use crate::encoding::attention::{Head, layer, matrix, permute_rows};
use crate::number::{Relation, System};
use nalgebra::DMatrix;
use num_traits::{One, Zero};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Invariance;

/// Two tokens, 0 and 1, with weights 1 and P their exchange: Attn(X) is (1/2, e/(1 + e)) and
/// Attn(P X) is (e/(1 + e), 1/2).
fn smallest<S: System>(system: &S) -> [DMatrix<S::Number>; 2] {
    let one = DMatrix::from_element(1, 1, S::Number::one());
    let head = Head { query: one.clone(), key: one.clone(), value: one };
    let x = DMatrix::from_vec(2, 1, vec![S::Number::zero(), S::Number::one()]);
    [layer(system, &permute_rows(&[1, 0], &x), &head), layer(system, &x, &head)]
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

    fn sizes(reach: Reach) -> Vec<Size> {
        match reach {
            Reach::Formal => vec![tokens_of(2, 1), tokens_of(3, 2)],
            Reach::Enclosed | Reach::Rounded { precision: 54.. } => vec![tokens_of(2, 1), tokens_of(4, 3), tokens_of(8, 4)],
            Reach::Rounded { .. } => vec![tokens_of(2, 1), tokens_of(4, 3), tokens_of(16, 8)],
        }
    }

    fn inputs(size: &Size) -> Inputs {
        layer_inputs(size)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Vec<Comparison<S::Number>> {
        let Size { dim, tokens, .. } = case.size;
        let (x, head) = (matrix(system, "X", tokens, dim), Head::of_reals(system, dim));
        let permutation = case.permutation("P");
        let (shuffled, output) = (layer(system, &permute_rows(permutation, &x), &head), layer(system, &x, &head));
        match form {
            Form::AsWritten => equal_entries("output", &shuffled, &output),
            Form::Sabotaged => equal_entries("output", &permute_rows(permutation, &shuffled), &output),
            Form::Settled => {
                let mut all = equal_entries("output", &shuffled, &permute_rows(permutation, &output));
                let [exchanged, plain] = smallest(system);
                for (row, (left, right)) in exchanged.iter().zip(plain.iter()).enumerate() {
                    let relation = Relation::Distinct(left.clone(), right.clone());
                    all.push(Comparison { what: "tokens 0 and 1 exchanged", index: [row, 0], relation });
                }
                all
            }
        }
    }

    fn work(size: &Size) -> usize {
        2 * layer_work(size)
    }
}
