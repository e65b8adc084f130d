//! `rope.inverse`: R(θ)ᵀ = R(−θ) = R(θ)⁻¹.

use super::head_sizes;
use crate::claim::{
    About, Case, Claim, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict, equal_entries,
};
use crate::encoding::{rotary, sinusoid};
use crate::number::{Number, Position, System};
use nalgebra::Matrix2;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Inverse;

/// The inverse by the rule of Cramer: the adjugate over the determinant.
fn inverse<N: Number>(matrix: &Matrix2<N>) -> Matrix2<N> {
    let at = |row, column| matrix[(row, column)].clone();
    let determinant = at(0, 0) * at(1, 1) - at(0, 1) * at(1, 0);
    Matrix2::new(at(1, 1), -at(0, 1), -at(1, 0), at(0, 0)).map(|entry| entry / determinant.clone())
}

impl Claim for Inverse {
    const ABOUT: About = About {
        id: "rope.inverse",
        statement: "R(θ)ᵀ = R(−θ) = R(θ)⁻¹ for every θ.",
        written: None,
        sources: &[Source {
            document: Document::PositionalEmbedding,
            place: "Mathematical Derivation of RoPE, the crucial step",
        }],
        verdict: Verdict::Holds,
        sabotage: "R(θ) for R(−θ): a rotation taken to be its own inverse",
        remark: None,
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        head_sizes(kind)
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().position("m")
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let sign = if form.is_sabotaged() { 1 } else { -1 };
        let mut all = Vec::new();
        for frequency in sinusoid::frequencies(case.size.base, case.size.dim) {
            let angle = Position::symbol("m") * frequency;
            let forward = rotary::rotation(system, &angle);
            let back = rotary::rotation(system, &angle.times(sign));
            all.extend(equal_entries("transpose", &forward.transpose(), &back)?);
            all.extend(equal_entries("inverse", &inverse(&forward), &back)?);
            all.extend(equal_entries("product", &(forward * back), &Matrix2::identity())?);
        }
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        4 * size.dim
    }
}
