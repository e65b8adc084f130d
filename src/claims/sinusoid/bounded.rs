//! `sinusoid.bounded`: components in [−1, 1], squared norm d/2.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::encoding::sinusoid;
use crate::number::{Position, Relation, System};
use num_traits::One;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Bounded;

impl Claim for Bounded {
    const ABOUT: About = About {
        id: "sinusoid.bounded",
        statement: "For every d, all frequencies and every t, each component of PE(t) lies in [−1, 1] and ‖PE(t)‖² = d/2.",
        written: None,
        sources: &[
            Source {
                document: Document::LinearRelationships,
                place: "reader comments, on why both sine and cosine: \"the magnitude is sort of balanced\"",
            },
            Source { document: Document::LectureNotes, place: "Relative Positional Encoding, cyclic \"digits\"" },
        ],
        verdict: Verdict::Holds,
        sabotage: "‖PE(t)‖² = d: a one for every component instead of every pair",
        remark: Some(
            "Normal forms have no order: the exact system shows the bound by its certificate, 1 − x² is the square of the other component of the pair.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        Size::dimensions(kind)
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Size::bounded())
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().position("t")
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let dim = case.size.dim;
        let encoding = sinusoid::encode(system, &sinusoid::frequencies(case.size.base, dim), &Position::symbol("t"));
        let one = S::Number::one();
        let pairs = if form.is_sabotaged() { dim } else { dim / 2 };
        let norm = Relation::Equal(encoding.dot(&encoding), system.integer(pairs as i64));
        let mut all = vec![Comparison::new("squared norm", norm)];
        for (place, component) in encoding.iter().enumerate() {
            let partner = &encoding[place ^ 1];
            let certificate = one.clone() - component.clone() * component.clone();
            let relations = [
                ("1 − x² and the partner's square", Relation::Equal(certificate, partner.clone() * partner.clone())),
                ("component and 1", Relation::AtMost(component.clone(), one.clone())),
                ("−1 and component", Relation::AtMost(-one.clone(), component.clone())),
            ];
            all.extend(relations.map(|(what, relation)| Comparison { what, index: [place, 0], relation }));
        }
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        4 * size.dim
    }
}
