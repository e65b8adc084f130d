//! `attention.skip-connection`: y − Attn(x) = x.

use super::{layer_inputs, layer_work, tokens_of};
use crate::claim::{
    About, Case, Claim, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict, equal_entries,
};
use crate::encoding::attention::{Head, layer, matrix, permute_rows};
use crate::encoding::sinusoid;
use crate::number::{Position, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct SkipConnection;

impl Claim for SkipConnection {
    const ABOUT: About = About {
        id: "attention.skip-connection",
        statement: "y = x + Attn(x) implies y − Attn(x) = x.",
        written: None,
        sources: &[Source {
            document: Document::LectureNotes,
            place: "Does the positional encoding disappear as data flows through multiple layers?, the skip connection",
        }],
        verdict: Verdict::Holds,
        sabotage: "y = Attn(x): the skip connection left out",
        remark: None,
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let encoded = |tokens, dim| Size { base: 10_000, ..tokens_of(tokens, dim) };
        match kind {
            SystemKind::Formal => vec![encoded(2, 2), encoded(3, 2)],
            SystemKind::Enclosed | SystemKind::Rounded { precision: 54.. } => vec![encoded(2, 2), encoded(8, 4)],
            SystemKind::Rounded { .. } => vec![encoded(2, 2), encoded(16, 8), encoded(64, 32)],
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        // Three tokens of four take half a minute: what is taken away is not in short normal form.
        vec![Size { base: 10_000, ..tokens_of(2, 2) }]
    }

    fn inputs(size: &Size) -> Inputs {
        layer_inputs(size)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let Size { dim, tokens, base } = case.size;
        let head = Head::of_reals(system, dim);
        let frequencies = sinusoid::frequencies(base, dim);
        let mut x = matrix(system, "X", tokens, dim);
        for (place, mut row) in x.row_iter_mut().enumerate() {
            row += sinusoid::encode(system, &frequencies, &Position::integer(place as i64)).transpose();
        }
        let attended = layer(system, &x, &head);
        let y = if form.is_sabotaged() { attended } else { &x + attended };
        // Attn(x) once more, with the rows in another order: what is taken away is Pᵀ Attn(P x).
        let permutation = case.permutation("P")?;
        let shuffled = layer(system, &permute_rows(permutation, &x), &head);
        let again = x.map_with_location(|row, column, _| shuffled[(permutation[row], column)].clone());
        equal_entries("encoded token", &(y - again), &x)
    }

    fn work(size: &Size) -> usize {
        2 * layer_work(size)
    }
}
