//! `encoding.integer`: PE(t) = t outgrows every bound.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::number::{Relation, System};
use num_traits::One;
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Integer;

/// Squares of bounds up to this stay within binary16.
const LARGEST_BOUND: f64 = 255.0;

impl Claim for Integer {
    const ABOUT: About = About {
        id: "encoding.integer",
        statement: "For every B there is a position t with |PE(t)| > B, where PE(t) = t.",
        written: None,
        sources: &[Source {
            document: Document::LectureNotes,
            place: "The obvious way to implement the Positional Encoding is as an integer",
        }],
        verdict: Verdict::Holds,
        sabotage: "the position B² for B² + 1, which does not exceed the bounds 0 to 1",
        remark: Some(
            "The witness is t = B² + 1, an integer for every integer B, which is enough: a real bound lies below an integer one. Normal forms have no order: the exact system shows t − B and t + B as a square and 3/4.",
        ),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size::default()]
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().reals("B", 1, LARGEST_BOUND)
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let bound = system.real("B", 0);
        let square = bound.clone() * bound.clone();
        // PE(t) = t: the code is the position.
        let code = if form.is_sabotaged() { square } else { square + S::Number::one() };
        let fraction = |numerator, denominator| system.rational(&Rational::from((numerator, denominator)));
        let certificate = |root: S::Number| root.clone() * root + fraction(3, 4);
        let (below, above) = (bound.clone() - fraction(1, 2), bound.clone() + fraction(1, 2));
        Ok(vec![
            Comparison::new("PE(t) − B", Relation::Equal(code.clone() - bound.clone(), certificate(below))),
            Comparison::new("PE(t) + B", Relation::Equal(code.clone() + bound.clone(), certificate(above))),
            Comparison::new("B and PE(t)", Relation::Less(bound.clone(), code.clone())),
            Comparison::new("−B and PE(t)", Relation::Less(-bound, code)),
        ])
    }

    fn work(_: &Size) -> usize {
        16
    }
}
