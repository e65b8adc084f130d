//! `uniqueness.linear-attention`: rotated feature maps give negative terms.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::encoding::rotary;
use crate::encoding::sinusoid::frequencies;
use crate::number::interval::Enclosing;
use crate::number::{Position, Relation, System};
use nalgebra::DVector;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct LinearAttention;

/// Both feature maps are (FEATURE, FEATURE).
const FEATURE: i64 = 2;

/// The distance at which θ = 1 turns past a right angle.
const DISTANCE: i64 = 3;

/// ϕ(q)ᵀ R(distance) ϕ(k) = 2·FEATURE²·cos(distance).
fn numerator<S: System>(system: &S, distance: i64) -> S::Number {
    let rates = frequencies(10_000, 2);
    let features = DVector::from_element(2, system.integer(FEATURE));
    features.dot(&rotary::rotary(system, &rates, &Position::integer(distance)).apply(&features))
}

impl Claim for LinearAttention {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "uniqueness.linear-attention",
        statement: "With non-negative feature maps that are then rotated, a term of the numerator of linear attention can be negative: for ϕ(q) = ϕ(k) = (2, 2), θ = 1 and distance 3 it is 8·cos 3 < −7.",
        written: None,
        sources: &[Source { document: Document::RoFormer, place: "equation (19) and the remark after it" }],
        verdict: Verdict::Holds,
        sabotage: "distance 1 for 3",
        remark: Some("That the weights are then not normalised is not computed."),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal => Vec::new(),
            _ => vec![Size::dim(2)],
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let distance = if form.is_sabotaged() { 1 } else { DISTANCE };
        let relation = Relation::Less(numerator(system, distance), system.integer(-7));
        Ok(vec![Comparison::new("numerator and −7", relation)])
    }

    fn values() -> Vec<CertifiedValue> {
        vec![CertifiedValue { name: "numerator", enclosure: numerator(&Enclosing::default(), DISTANCE) }]
    }
}
