//! `sinusoid.sine-only`: sines alone vanish at position 0.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
    equal_entries,
};
use crate::encoding::{rotary, sinusoid};
use crate::number::{Position, Relation, System};
use nalgebra::DVector;
use num_traits::Zero;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct SineOnly;

impl Claim for SineOnly {
    const ABOUT: About = About {
        id: "sinusoid.sine-only",
        statement: "The encoding made of sines alone is the zero vector at t = 0, so its dot product with every vector is 0; the encoding by pairs has norm² d/2 there.",
        written: None,
        sources: &[Source {
            document: Document::LinearRelationships,
            place: "reader comments, on why both sine and cosine: \"position 0 of the pure sine function\"",
        }],
        verdict: Verdict::Holds,
        sabotage: "position 1 for position 0: positions counted from 1, as in equation (1)",
        remark: None,
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        Size::dimensions(kind)
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(size: &Size) -> Inputs {
        Inputs::default().reals("x", size.dim, 1.0)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let dim = case.size.dim;
        let first = Position::integer(if form.is_sabotaged() { 1 } else { 0 });
        // d sines take d frequencies, as the pairs of an encoding of dimension 2d do.
        let sines = sinusoid::encode_sines(system, &sinusoid::frequencies(case.size.base, 2 * dim), &first);
        let pairs = sinusoid::encode(system, &sinusoid::frequencies(case.size.base, dim), &first);
        let mut all = equal_entries("sine", &sines, &DVector::zeros(dim))?;
        let product = sines.dot(&rotary::vector(system, "x", dim));
        all.push(Comparison::new("dot product of the sines with x", Relation::Equal(product, S::Number::zero())));
        let norm = Relation::Equal(pairs.dot(&pairs), system.integer((dim / 2) as i64));
        all.push(Comparison::new("squared norm of the pairs", norm));
        Ok(all)
    }
}
