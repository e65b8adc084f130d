//! `uniqueness.bilinear-form`: a transpose left out.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::encoding::sinusoid::frequencies;
use crate::encoding::{attention, rotary};
use crate::number::{Position, Relation, System};
use nalgebra::{DMatrix, DVector};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct BilinearForm;

const DIM: usize = 2;

impl Claim for BilinearForm {
    const ABOUT: About = About {
        id: "uniqueness.bilinear-form",
        statement: "(R_m W_q x)ᵀ (R_n W_k y) = xᵀ W_qᵀ R_{n−m} W_k y for all m, n, x, y and all W_q and W_k.",
        written: Some("(R_m W_q x)ᵀ (R_n W_k y) = xᵀ W_q R_{n−m} W_k y."),
        sources: &[Source { document: Document::RoFormer, place: "equation (16)" }],
        verdict: Verdict::Corrected,
        sabotage: "the transpose left out",
        remark: Some("Compared for one pair of components; a block-diagonal rotation adds pairs."),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size { dim: DIM, tokens: 0, base: 10_000 }]
    }

    fn inputs(_: &Size) -> Inputs {
        let weights = Inputs::default().reals("Wq", DIM * DIM, 1.0).reals("Wk", DIM * DIM, 1.0);
        weights.reals("x", DIM, 1.0).reals("y", DIM, 1.0).position_in("m", 0..=200).position_in("n", 0..=200)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let rates = frequencies(case.size.base, DIM);
        // As written it is put to entries 0 and 1, for which the score is cos (n − m) and the printed form 0.
        let plain = |entries: &[i64]| entries.iter().map(|entry| system.integer(*entry)).collect::<Vec<_>>();
        let ([query, key], [x, y]) = match form {
            Form::AsWritten => (
                [[0, 1, 0, 0], [1, 0, 0, 1]].map(|entries| DMatrix::from_row_slice(DIM, DIM, &plain(&entries))),
                [[0, 1], [1, 0]].map(|entries| DVector::from_vec(plain(&entries))),
            ),
            _ => (
                ["Wq", "Wk"].map(|name| attention::matrix(system, name, DIM, DIM)),
                ["x", "y"].map(|name| rotary::vector(system, name, DIM)),
            ),
        };
        let (m, n) = (Position::symbol("m"), Position::symbol("n"));
        let turned =
            |position: Position, column: &DVector<S::Number>| rotary::rotary(system, &rates, &position).apply(column);
        let left = turned(m.clone(), &(&query * &x)).dot(&turned(n.clone(), &(&key * &y)));
        let outer = if form == Form::Settled { query.transpose() } else { query };
        let right = x.dot(&(outer * turned(n - m, &(&key * &y))));
        Ok(vec![Comparison::new("score and bilinear form", Relation::Equal(left, right))])
    }

    fn work(_: &Size) -> usize {
        32
    }
}
