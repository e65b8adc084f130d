//! `yarn.length-scaling`: scaling q and k by √(1/t) divides the logits by t.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::encoding::rotary;
use crate::encoding::sinusoid::frequencies;
use crate::number::interval::Interval;
use crate::number::{Position, Relation, System};
use nalgebra::DVector;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct LengthScaling;

impl Claim for LengthScaling {
    const ABOUT: About = About {
        id: "yarn.length-scaling",
        statement: "Scaling the rotated query and the rotated key by √(1/t) divides their product by t, for every d, all q and k, all rotations and t > 0.",
        written: None,
        sources: &[Source { document: Document::Yarn, place: "section 3.4, length scaling" }],
        verdict: Verdict::Holds,
        sabotage: "the query alone is scaled",
        remark: Some(
            "With √(1/t) = 0.1·ln s + 1 the cosines and sines carry that factor, and the logits its square. Compared at a few dimensions, and in the numeric systems for √(1/t) from 1/2 to 4/5; the general case is linearity.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal => [2, 4, 8].map(Size::dim).to_vec(),
            _ => [2, 8, 64].map(Size::dim).to_vec(),
        }
    }

    fn inputs(size: &Size) -> Inputs {
        let vectors = Inputs::default().reals("q", size.dim, 1.0).reals("k", size.dim, 1.0);
        vectors.reals_in("root", 1, 1.25, 2.0).position_in("m", 0..=200).position_in("n", 0..=200)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let rates = frequencies(case.size.base, case.size.dim);
        // t = root², so that √(1/t) = 1/root.
        let root = system.real("root", 0);
        let rotated = |name, position| {
            rotary::rotary(system, &rates, &Position::symbol(position)).apply(&rotary::vector(
                system,
                name,
                case.size.dim,
            ))
        };
        let (query, key) = (rotated("q", "m"), rotated("k", "n"));
        let scaled = |x: &DVector<S::Number>| x.map(|entry| entry / root.clone());
        let shorter = if form.is_sabotaged() { key.clone() } else { scaled(&key) };
        let logit = scaled(&query).dot(&shorter);
        let divided = query.dot(&key) / (root.clone() * root.clone());
        Ok(vec![Comparison::new("product of the scaled, and product over t", Relation::Equal(logit, divided))])
    }

    fn work(size: &Size) -> usize {
        6 * size.dim
    }

    fn values() -> Vec<CertifiedValue> {
        let factor = |scale: i32| Interval::from(scale).ln() / Interval::from(10) + Interval::from(1);
        let named = [("logit_factor_8", 8), ("logit_factor_40", 40)];
        named.map(|(name, scale)| CertifiedValue { name, enclosure: factor(scale) * factor(scale) }).into()
    }
}
