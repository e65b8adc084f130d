//! `sinusoid.extrapolation`: what of it is mathematics.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
    equal_entries,
};
use crate::encoding::{shift::shift, sinusoid};
use crate::number::{Position, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Extrapolation;

/// Far beyond every context length in use, and exact in binary64 with its sixteenths.
const FURTHEST: i64 = 1 << 30;

impl Claim for Extrapolation {
    const ABOUT: About = About {
        id: "sinusoid.extrapolation",
        statement: "PE(t) is defined at every real t, has norm² d/2 there, and one T(k) shifts it at every t.",
        written: Some(
            "The encoding may allow the model to extrapolate to sequence lengths longer than the ones encountered during training.",
        ),
        sources: &[
            Source {
                document: Document::LectureNotes,
                place: "Why alternate between sine and cosine, further objective",
            },
            Source { document: Document::PositionalEmbedding, place: "A Better solution: RoPE" },
        ],
        verdict: Verdict::Empirical,
        sabotage: "T(k+1) for T(k): offsets counted from 1",
        remark: Some(
            "Whether a trained model makes use of any of this beyond the lengths that it was trained on is a question about models, outside mathematics and outside the scope. Numerically s and t run to 2^30.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            // MPFR takes a microsecond where hardware takes a nanosecond.
            SystemKind::Enclosed | SystemKind::Rounded { precision: 54.. } => [2, 8, 128].map(Size::dim).to_vec(),
            _ => Size::dimensions(kind),
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().position_in("s", 0..=FURTHEST).position_in("t", 0..=FURTHEST).position("k")
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let frequencies = sinusoid::frequencies(case.size.base, case.size.dim);
        let k = Position::symbol("k");
        let offset = if form.is_sabotaged() { k.clone() + Position::integer(1) } else { k.clone() };
        // One matrix for both positions.
        let shift = shift(system, &frequencies, &offset);
        let mut all = Vec::new();
        for (what, norm, position) in [("PE(s + k)", "‖PE(s)‖²", "s"), ("PE(t + k)", "‖PE(t)‖²", "t")] {
            let position = Position::symbol(position);
            let encoding = sinusoid::encode(system, &frequencies, &position);
            let shifted = sinusoid::encode(system, &frequencies, &(position + k.clone()));
            all.extend(equal_entries(what, &shift.apply(&encoding), &shifted)?);
            let half = system.integer((case.size.dim / 2) as i64);
            all.push(Comparison::new(norm, Relation::Equal(encoding.dot(&encoding), half)));
        }
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        8 * size.dim
    }
}
