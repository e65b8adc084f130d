//! `rope.row-vector`: x·M(m) with x a row vector turns x the other way.

use super::head_sizes;
use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
    equal_entries,
};
use crate::encoding::{rotary, sinusoid};
use crate::number::{Phase, Position, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct RowVector;

impl Claim for RowVector {
    const ABOUT: About = About {
        id: "rope.row-vector",
        statement: "With x a row vector, x·M(m) = (M(−m) xᵀ)ᵀ: it turns by −mθ; the scores then obey ⟨qM(m), kM(n)⟩ = q M(m−n) kᵀ, the relative-position property with the sign of m−n reversed.",
        written: Some("With x a row vector, x·M(m) turns x by mθ, as multiplication by e^(imθ) does."),
        sources: &[Source {
            document: Document::SinesAndCosines,
            place: "From Exponentials to Sinusoidal Functions, final formula",
        }],
        verdict: Verdict::Corrected,
        sabotage: "q M(n−m) kᵀ: the sign that columns have",
        remark: None,
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        head_sizes(kind)
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(size: &Size) -> Inputs {
        let vectors = Inputs::default().reals("q", size.dim, 1.0).reals("k", size.dim, 1.0);
        vectors.position("m").position("n").reals("φ", 1, 4.0).reals_in("r", size.dim / 2, 0.25, 1.0)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let dim = case.size.dim;
        let frequencies = sinusoid::frequencies(case.size.base, dim);
        let (m, n) = (Position::symbol("m"), Position::symbol("n"));
        let at = |position: &Position| rotary::rotary(system, &frequencies, position);
        let sign = if form == Form::AsWritten { 1 } else { -1 };
        let headings = |turns: i64| {
            let angle = |ω: &_| Phase::angle("φ") + (m.clone() * Clone::clone(ω)).times(turns);
            frequencies.iter().map(angle).collect::<Vec<_>>()
        };
        let x = rotary::arrows(system, &headings(0));
        let turned = at(&m).apply_to_row(&x.transpose()).transpose();
        let mut all = equal_entries("turned row", &turned, &rotary::arrows(system, &headings(sign)))?;
        if form == Form::AsWritten {
            return Ok(all);
        }
        all.extend(equal_entries("turned column", &turned, &at(&-m.clone()).apply(&x))?);
        let (q, k) = (rotary::vector(system, "q", dim).transpose(), rotary::vector(system, "k", dim).transpose());
        let score = at(&m).apply_to_row(&q).dot(&at(&n).apply_to_row(&k));
        let distance = if form.is_sabotaged() { n - m } else { m - n };
        let relative = at(&distance).apply_to_row(&q).dot(&k);
        all.push(Comparison::new("score", Relation::Equal(score, relative)));
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        7 * size.dim
    }
}
