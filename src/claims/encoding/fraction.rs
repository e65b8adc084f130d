//! `encoding.fraction`: t/T is small, but hides how many tokens precede.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::number::{Relation, System};
use num_traits::{One, Zero};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Fraction;

/// PE(t) = t/T for a sequence of T tokens (Lecture notes).
fn code<S: System>(system: &S, position: usize, length: usize) -> S::Number {
    system.integer(position as i64) / system.integer(length as i64)
}

impl Claim for Fraction {
    const ABOUT: About = About {
        id: "encoding.fraction",
        statement: "t/T lies in [0, 1] for 0 ≤ t ≤ T, but one code stands for different numbers of preceding tokens (50/100 = 500/1000), and no function of k alone shifts t/T to (t+k)/T for two different T and k ≠ 0.",
        written: None,
        sources: &[Source {
            document: Document::LectureNotes,
            place: "As an alternative, we could encode the position as a fraction",
        }],
        verdict: Verdict::Holds,
        sabotage: "the longer sequence has T tokens more in all, and T more before the token: (t + T)/(2T) for 2t/(2T)",
        remark: Some(
            "A map of codes that depends on k alone takes the equal codes t/T and 2t/(2T) to one code, and (t+k)/T and (2t+k)/(2T) are two. The last choices of t wrap around at T.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let up_to = |tokens| Size { dim: 0, tokens, base: 0 };
        match kind {
            SystemKind::Formal => vec![up_to(8)],
            _ => vec![up_to(8), up_to(1000)],
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(size: &Size) -> Inputs {
        Inputs::default().choice("T", 1..=size.tokens).choice("t", 0..=size.tokens).choice("k", 1..=size.tokens)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let length = case.choice("T")?;
        let (position, offset) = (case.choice("t")? % (length + 1), case.choice("k")?);
        let here = code(system, position, length);
        let in_longer = if form.is_sabotaged() { position + length } else { 2 * position };
        // The document's own example.
        let [short, long] = [(50, 100), (500, 1000)].map(|(position, length)| code(system, position, length));
        let shifted = [(position + offset, length), (2 * position + offset, 2 * length)];
        let [shifted, shifted_in_longer] = shifted.map(|(position, length)| code(system, position, length));
        Ok(vec![
            Comparison::new("0 and t/T", Relation::AtMost(S::Number::zero(), here.clone())),
            Comparison::new("t/T and 1", Relation::AtMost(here.clone(), S::Number::one())),
            Comparison::new("50/100 and 500/1000", Relation::Equal(short, long)),
            Comparison::new("50 and 500 tokens", Relation::Distinct(system.integer(50), system.integer(500))),
            Comparison::new("t/T and 2t/(2T)", Relation::Equal(here, code(system, in_longer, 2 * length))),
            Comparison::new("(t+k)/T and (2t+k)/(2T)", Relation::Distinct(shifted, shifted_in_longer)),
        ])
    }

    fn work(_: &Size) -> usize {
        8
    }
}
