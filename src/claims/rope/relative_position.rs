//! `rope.relative-position`: the score of two rotated vectors depends on the distance alone.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::encoding::{rotary, sinusoid};
use crate::number::{Position, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct RelativePosition;

impl Claim for RelativePosition {
    const ABOUT: About = About {
        id: "rope.relative-position",
        statement: "⟨R(mθ)q, R(nθ)k⟩ = qᵀ R((n−m)θ) k for all m, n, q and k, in two dimensions and, pair by pair, in d dimensions with any frequencies.",
        written: None,
        sources: &[
            Source { document: Document::PositionalEmbedding, place: "Mathematical Derivation of RoPE, final formula" },
            Source { document: Document::SinesAndCosines, place: "equation (1)" },
            Source { document: Document::RoFormer, place: "equation (12)" },
            Source { document: Document::PositionInterpolation, place: "equation (2)" },
            Source { document: Document::Yarn, place: "equations (6) to (9)" },
            Source { document: Document::RoundAndRound, place: "equation (3)" },
        ],
        verdict: Verdict::Holds,
        sabotage: "R((m−n)θ) for R((n−m)θ)",
        remark: None,
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let rope = |dim, base| Size { dim, tokens: 0, base };
        match kind {
            SystemKind::Formal => Size::dimensions(kind),
            _ => vec![rope(2, 10_000), rope(64, 10_000), rope(128, 500_000), rope(256, 1_000_000), rope(512, 10_000)],
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::bounded()
    }

    fn inputs(size: &Size) -> Inputs {
        Inputs::default().position("m").position("n").reals("q", size.dim, 1.0).reals("k", size.dim, 1.0)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let dim = case.size.dim;
        let frequencies = sinusoid::frequencies(case.size.base, dim);
        let (m, n) = (Position::symbol("m"), Position::symbol("n"));
        let (q, k) = (rotary::vector(system, "q", dim), rotary::vector(system, "k", dim));
        let at = |position: &Position| rotary::rotary(system, &frequencies, position);
        let rotated = at(&m).apply(&q).dot(&at(&n).apply(&k));
        let distance = if form.is_sabotaged() { m - n } else { n - m };
        let relative = q.dot(&at(&distance).apply(&k));
        Ok(vec![Comparison::new("score", Relation::Equal(rotated, relative))])
    }
}
