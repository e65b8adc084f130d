//! `yarn.closer`: rotating by less does not always bring vectors closer.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::encoding::decay::cosine_sum;
use crate::encoding::sinusoid::frequencies;
use crate::number::interval::Enclosing;
use crate::number::{Frequency, Position, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Closer;

const DIM: usize = 128;

/// A distance at which half of it scores less.
const DISTANCE: i64 = 144;

/// cos of so many radians.
fn cosine<S: System>(system: &S, radians: i64) -> S::Number {
    let unit = Frequency::Power { base: 10_000, dim: 2, index: 0 };
    system.cis(&(Position::integer(radians) * unit)).re
}

fn score<S: System>(system: &S, distance: i64) -> S::Number {
    cosine_sum(system, &frequencies(10_000, DIM), &Position::integer(distance))
}

impl Claim for Closer {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "yarn.closer",
        statement: "For q = k and an angle φ with 0 < φ < 2φ ≤ π the score rises when the angle is halved, cos φ > cos 2φ; beyond π it need not: cos 3 < cos 6, and for d = 128, b = 10000, q = k = (1, 0, 1, 0, …) the score at distance 144 under s = 2 is below that under s = 1, B(72) < B(144).",
        written: Some(
            "Stretching makes all tokens closer: the dot product of vectors rotated by a lesser amount is bigger.",
        ),
        sources: &[Source { document: Document::Yarn, place: "section 3.2" }],
        verdict: Verdict::Corrected,
        sabotage: "the comparison at angles up to π carried over to 3 and 6 radians",
        remark: Some(
            "For all φ up to π/2 it is that the cosine falls on [0, π], as the theorem has it; compared for φ from 0.125 to 1.5.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal => Vec::new(),
            SystemKind::Rounded { precision: 0..24 } => vec![Size::default()],
            _ => vec![Size::default(), Size::dim(DIM)],
        }
    }

    fn inputs(size: &Size) -> Inputs {
        match size.dim {
            0 => Inputs::default().reals_in("phi", 1, 0.125, 1.5),
            _ => Inputs::default(),
        }
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        if case.size.dim == DIM {
            let (near, far) = (score(system, DISTANCE / 2), score(system, DISTANCE));
            let relation = match form {
                Form::Settled => Relation::Less(near, far),
                _ => Relation::AtMost(far, near),
            };
            return Ok(vec![Comparison::new("scores at 72 and 144", relation)]);
        }
        let angle = |times| system.cis(&(Position::integer(times) * Frequency::Free("phi"))).re;
        Ok(match form {
            Form::Settled => vec![
                Comparison::new("cos 2φ and cos φ", Relation::Less(angle(2), angle(1))),
                Comparison::new("cos 3 and cos 6", Relation::Less(cosine(system, 3), cosine(system, 6))),
            ],
            _ => vec![Comparison::new("cos 6 and cos 3", Relation::AtMost(cosine(system, 6), cosine(system, 3)))],
        })
    }

    fn values() -> Vec<CertifiedValue> {
        let named = [("score_72", DISTANCE / 2), ("score_144", DISTANCE)];
        named.map(|(name, distance)| CertifiedValue { name, enclosure: score(&Enclosing::default(), distance) }).into()
    }
}
