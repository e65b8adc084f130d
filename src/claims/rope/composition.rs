//! `rope.composition`: R(a) R(b) = R(a + b).

use super::head_sizes;
use crate::claim::{
    About, Case, Claim, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict, equal_entries,
};
use crate::encoding::{rotary, sinusoid};
use crate::number::{Phase, Position, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Composition;

impl Claim for Composition {
    const ABOUT: About = About {
        id: "rope.composition",
        statement: "R(a) R(b) = R(a+b) for all a and b.",
        written: None,
        sources: &[Source {
            document: Document::PositionalEmbedding,
            place: "Mathematical Derivation of RoPE, two rotations in sequence",
        }],
        verdict: Verdict::Holds,
        sabotage: "R(a−b) for R(a+b)",
        remark: None,
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        head_sizes(kind)
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().position("m").position("n").reals("a", 1, 16.0).reals("b", 1, 16.0)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let sign = if form.is_sabotaged() { -1 } else { 1 };
        let composed = |a: Phase, b: Phase| {
            let product = rotary::rotation(system, &a) * rotary::rotation(system, &b);
            equal_entries("entry", &product, &rotary::rotation(system, &(a + b.times(sign))))
        };
        let mut all = composed(Phase::angle("a"), Phase::angle("b"))?;
        for frequency in sinusoid::frequencies(case.size.base, case.size.dim) {
            let angle = |name| Position::symbol(name) * frequency.clone();
            all.extend(composed(angle("m"), angle("n"))?);
        }
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        4 * size.dim
    }
}
