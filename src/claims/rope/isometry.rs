//! `rope.isometry`: rotation keeps the length.

use super::head_sizes;
use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::encoding::{rotary, shift::BlockDiagonal, sinusoid};
use crate::number::{Number, Position, Relation, System};
use nalgebra::Matrix2;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Isometry;

impl Claim for Isometry {
    const ABOUT: About = About {
        id: "rope.isometry",
        statement: "‖f(x, m)‖ = ‖x‖ for all x and m, every d and all frequencies.",
        written: None,
        sources: &[
            Source {
                document: Document::PositionalEmbedding,
                place: "A Better solution: RoPE, rotating the word vector",
            },
            Source { document: Document::SinesAndCosines, place: "Exponentials, the magnitude is unity" },
        ],
        verdict: Verdict::Holds,
        sabotage: "[[cos, sin], [sin, cos]]: the minus sign forgotten",
        remark: Some(
            "The exact system compares the squared norms: the norm of a formal vector is a root that it does not take.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        head_sizes(kind)
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Size::bounded())
    }

    fn inputs(size: &Size) -> Inputs {
        Inputs::default().position("m").reals("x", size.dim, 1.0)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let frequencies = sinusoid::frequencies(case.size.base, case.size.dim);
        let x = rotary::vector(system, "x", case.size.dim);
        let mut rotation = rotary::rotary(system, &frequencies, &Position::symbol("m"));
        if form.is_sabotaged() {
            let signless = |block: Matrix2<S::Number>| {
                let (cos, sin) = (block[(0, 0)].clone(), block[(1, 0)].clone());
                Matrix2::new(cos.clone(), sin.clone(), sin, cos)
            };
            rotation = BlockDiagonal(rotation.0.into_iter().map(signless).collect());
        }
        let rotated = rotation.apply(&x);
        let (before, after) = (x.dot(&x), rotated.dot(&rotated));
        Ok(vec![
            Comparison::new("squared norm", Relation::Equal(after.clone(), before.clone())),
            Comparison::new("norm", Relation::Equal(after.sqrt(), before.sqrt())),
        ])
    }
}
