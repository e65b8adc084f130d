//! `rope.linear`: f is linear in x.

use super::head_sizes;
use crate::claim::{
    About, Case, Claim, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict, equal_entries,
};
use crate::encoding::{rotary, sinusoid};
use crate::number::{Position, System};
use nalgebra::DVector;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Linear;

impl Claim for Linear {
    const ABOUT: About = About {
        id: "rope.linear",
        statement: "f(a·x + b·y, m) = a·f(x, m) + b·f(y, m) for all vectors x and y and all scalars a and b.",
        written: None,
        sources: &[Source { document: Document::SinesAndCosines, place: "Exponentials, why multiplication" }],
        verdict: Verdict::Holds,
        sabotage: "a·f(x, m) + b·y: the second vector left unrotated",
        remark: None,
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        head_sizes(kind)
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Size::bounded())
    }

    fn inputs(size: &Size) -> Inputs {
        let vectors = Inputs::default().reals("x", size.dim, 1.0).reals("y", size.dim, 1.0);
        vectors.position("m").reals("a", 1, 2.0).reals("b", 1, 2.0)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let dim = case.size.dim;
        let rotation = rotary::rotary(system, &sinusoid::frequencies(case.size.base, dim), &Position::symbol("m"));
        let (x, y) = (rotary::vector(system, "x", dim), rotary::vector(system, "y", dim));
        let (a, b) = (system.real("a", 0), system.real("b", 0));
        let combined = |x: &DVector<S::Number>, y: &DVector<S::Number>| {
            x.map(|entry| a.clone() * entry) + y.map(|entry| b.clone() * entry)
        };
        let second = if form.is_sabotaged() { y.clone() } else { rotation.apply(&y) };
        equal_entries("component", &rotation.apply(&combined(&x, &y)), &combined(&rotation.apply(&x), &second))
    }

    fn work(size: &Size) -> usize {
        3 * size.dim
    }
}
