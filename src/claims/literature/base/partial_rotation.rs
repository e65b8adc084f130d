//! `base.partial-rotation`: with half of the pairs unrotated the criterion always holds.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::encoding::sinusoid::frequencies;
use crate::number::{Frequency, Position, Relation, System};
use num_traits::Zero;
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct PartialRotation;

impl Claim for PartialRotation {
    const ABOUT: About = About {
        id: "base.partial-rotation",
        statement: "With n rotated pairs and as many unrotated, the score of q = k = (1, 0, 1, 0, …) at distance 2m is n + Σ_i cos(2m·θ_i) = 2·Σ_i cos²(m·θ_i) ≥ 0, for all frequencies and every m, integer or not.",
        written: None,
        sources: &[Source { document: Document::BaseSelection, place: "partial rotation" }],
        verdict: Verdict::Holds,
        sabotage: "one third unrotated: half as many unrotated pairs as rotated",
        remark: Some("Every distance is 2m for some real m. More unrotated pairs add more."),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let of = |dims: &[usize]| dims.iter().copied().map(Size::dim).collect();
        match kind {
            SystemKind::Formal => of(&[4, 8, 16]),
            _ => of(&[4, 16, 64]),
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().position("m")
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        // The rotated half has the frequencies of half the dimension.
        let rates = frequencies(case.size.base, case.size.dim / 2);
        let unrotated = if form.is_sabotaged() { (rates.len() as i64, 2) } else { (rates.len() as i64, 1) };
        let cosine = |times: i64, rate: &Frequency| system.cis(&(Position::symbol("m").times(times) * rate.clone())).re;
        let score = rates.iter().fold(system.rational(&Rational::from(unrotated)), |sum, rate| sum + cosine(2, rate));
        let squares = rates.iter().fold(S::Number::zero(), |sum, rate| {
            let cosine = cosine(1, rate);
            sum + system.integer(2) * cosine.clone() * cosine
        });
        Ok(vec![Comparison::new("score and sum of squares", Relation::Equal(score, squares))])
    }
}
