//! `shift.linearity`: T(k) PE(t) = PE(t + k).

use crate::claim::{About, Case, Claim, Comparison, Document, Form, Inputs, Reach, Size, Source, Verdict, equal_entries};
use crate::encoding::{shift::shift, sinusoid};
use crate::number::{Position, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Linearity;

impl Claim for Linearity {
    const ABOUT: About = About {
        id: "shift.linearity",
        statement: "T(k) PE(t) = PE(t+k) for every d, all frequencies and all real t and k.",
        written: None,
        sources: &[
            Source { document: Document::LinearRelationships, place: "equations (3) and (6)" },
            Source { document: Document::LectureNotes, place: "Why alternate between sine and cosine" },
            Source { document: Document::PositionalEmbedding, place: "How do we have this?, steps 1 to 5" },
        ],
        verdict: Verdict::Holds,
        sabotage: "T(−k) for T(k): the shift in the other direction",
        remark: None,
    };

    fn sizes(reach: Reach) -> Vec<Size> {
        Size::dimensions(reach)
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().position("t").position("k")
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Vec<Comparison<S::Number>> {
        let frequencies = sinusoid::frequencies(case.size.base, case.size.dim);
        let (t, k) = (Position::symbol("t"), Position::symbol("k"));
        let offset = if form.is_sabotaged() { -k.clone() } else { k.clone() };
        let shifted = shift(system, &frequencies, &offset).apply(&sinusoid::encode(system, &frequencies, &t));
        equal_entries("component", &shifted, &sinusoid::encode(system, &frequencies, &(t + k)))
    }
    fn work(size: &Size) -> usize {
        8 * size.dim
    }
}
