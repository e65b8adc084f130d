//! `shift.group`: the group laws of T.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Refusal, Size, Source, SystemKind, Verdict,
    equal_entries,
};
use crate::encoding::shift::{BlockDiagonal, block_adjugate, block_determinant, shift};
use crate::encoding::sinusoid;
use crate::number::{Number, Position, Relation, System};
use nalgebra::Matrix2;
use num_traits::One;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Group;

impl Claim for Group {
    const ABOUT: About = About {
        id: "shift.group",
        statement: "T(0) = I, T(j) T(k) = T(j+k), T(−k) = T(k)ᵀ = T(k)⁻¹ and det T(k) = 1, for all real j and k, every d and all frequencies.",
        written: None,
        sources: &[
            Source { document: Document::LinearRelationships, place: "equations (3) and (4), implied" },
            Source { document: Document::PositionalEmbedding, place: "How do we have this?, step 5, implied" },
        ],
        verdict: Verdict::Holds,
        sabotage: "T(j) T(k) = T(j−k)",
        remark: None,
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal => Size::dimensions(kind),
            // Every law is one of pairs of components: the largest d, where it is dear, in two systems.
            SystemKind::Enclosed | SystemKind::Rounded { precision: 24 } => [2, 64, 512].map(Size::dim).to_vec(),
            SystemKind::Rounded { .. } => [2, 64].map(Size::dim).to_vec(),
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(_: &Size) -> Inputs {
        let both_directions = -Inputs::LAST_POSITION..=Inputs::LAST_POSITION;
        Inputs::default().position_in("j", both_directions.clone()).position_in("k", both_directions)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let frequencies = sinusoid::frequencies(case.size.base, case.size.dim);
        let at = |offset: &Position| shift(system, &frequencies, offset);
        let (j, k) = (Position::symbol("j"), Position::symbol("k"));
        let identity = BlockDiagonal(vec![unit(); frequencies.len()]);
        let (one, other, back) = (at(&j), at(&k), at(&-k.clone()));
        let both = at(&if form.is_sabotaged() { j - k } else { j + k });
        let laws = [
            ("T(0) = I", at(&Position::integer(0)), identity.clone()),
            ("T(j) T(k) = T(j+k)", one.product(&other), both),
            ("T(−k) = T(k)ᵀ", back.clone(), other.transposed()),
            ("T(k) T(−k) = I", other.product(&back), identity),
            ("T(−k) = T(k)⁻¹ by Cramer's rule", back, inverse(&other)),
        ];
        let mut all = Vec::new();
        for (what, left, right) in &laws {
            all.extend(entries(what, left, right)?);
        }
        all.push(Comparison::new("det T(k)", Relation::Equal(other.determinant(), S::Number::one())));
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        16 * size.dim
    }
}

fn unit<N: Number>() -> Matrix2<N> {
    Matrix2::new(N::one(), N::zero(), N::zero(), N::one())
}

/// The inverse, block by block: the adjugate over the determinant.
fn inverse<N: Number>(matrix: &BlockDiagonal<N>) -> BlockDiagonal<N> {
    let blocks = matrix.0.iter().map(|block| {
        let determinant = block_determinant(block);
        block_adjugate(block).map(|entry| entry / determinant.clone())
    });
    BlockDiagonal(blocks.collect())
}

/// Equality of the blocks; the index is row and column of the whole matrix.
fn entries<N: Number>(what: &'static str, left: &BlockDiagonal<N>, right: &BlockDiagonal<N>) -> Comparisons<N> {
    if left.0.len() != right.0.len() {
        let [left, right] = [left, right].map(|matrix| [2 * matrix.0.len(); 2]);
        return Err(Refusal::Shapes { what, left, right });
    }
    let mut all = Vec::new();
    for (pair, (left, right)) in left.0.iter().zip(&right.0).enumerate() {
        let inside = equal_entries(what, left, right)?.into_iter();
        let placed =
            |comparison: Comparison<N>| Comparison { index: comparison.index.map(|at| at + 2 * pair), ..comparison };
        all.extend(inside.map(placed));
    }
    Ok(all)
}
