//! `decay.any-distance`: a key for every query and distance at which the score is largest.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::encoding::rotary::{rotary, vector};
use crate::encoding::sinusoid::frequencies;
use crate::number::{Position, Relation, System};
use num_traits::Zero;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct AnyDistance;

/// The score at m − n of q and its own rotation by r positions: that of R(m)q and R(n)R(r)q.
fn score<S: System>(system: &S, case: &Case, [m, n, r]: [&Position; 3]) -> S::Number {
    let Size { dim, base, .. } = case.size;
    let frequencies = frequencies(base, dim);
    let q = vector(system, "q", dim);
    let rotated = |position: &Position| rotary(system, &frequencies, position);
    let key = rotated(n).product(&rotated(r)).apply(&q);
    rotated(m).apply(&q).dot(&key)
}

/// Σ_i |q_i|²·cos((s − r)θ_i), the score that the statement gives, at s − r.
fn stated<S: System>(system: &S, case: &Case, offset: &Position) -> S::Number {
    let Size { dim, base, .. } = case.size;
    let q = vector(system, "q", dim);
    frequencies(base, dim).into_iter().enumerate().fold(S::Number::zero(), |sum, (pair, frequency)| {
        let [a, b] = [q[2 * pair].clone(), q[2 * pair + 1].clone()];
        sum + (a.clone() * a + b.clone() * b) * system.cis(&(offset.clone() * frequency)).re
    })
}

impl Claim for AnyDistance {
    const ABOUT: About = About {
        id: "decay.any-distance",
        statement: "For every q and integer r the key k = R(r)q has at distance s = m − n the score Σ_i |q_i|²·cos((s − r)θ_i), for all positions and frequencies, which is largest at s = r; if the pair of frequency θ_0 = 1 of q is not zero, it is largest there alone among the integers.",
        written: None,
        sources: &[Source { document: Document::RoundAndRound, place: "Proposition 3.1 and appendix A.1" }],
        verdict: Verdict::Holds,
        sabotage: "the key rotated the other way, by −r",
        remark: Some(
            "The identity is compared at a few dimensions. That the maximum is strict is compared for s up to 16 positions from r; for all integers the theorem has it, by cos n < 1 for n ≠ 0, as π is irrational. Where the first pair of q is zero it takes the transcendence of π, which the paper cites too.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal => [2, 4, 8].map(Size::dim).to_vec(),
            _ => [2, 8, 64].map(Size::dim).to_vec(),
        }
    }

    fn inputs(size: &Size) -> Inputs {
        Inputs::default()
            .reals_in("q", size.dim, 0.5, 1.0)
            .position_in("m", 0..=255)
            .position_in("n", 0..=255)
            .position_in("r", 0..=255)
            .choice("away", 1..=16)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let [m, n, r] = ["m", "n", "r"].map(Position::symbol);
        let turned = if form.is_sabotaged() { -r.clone() } else { r.clone() };
        let found = score(system, case, [&m, &n, &turned]);
        let offset = m - n - r;
        let away = Position::integer(case.choice("away")? as i64);
        let (there, best) = (stated(system, case, &away), stated(system, case, &Position::integer(0)));
        Ok(vec![
            Comparison::new("score of q and R(r)q", Relation::Equal(found, stated(system, case, &offset))),
            Comparison::new("score away from r and at r", Relation::Less(there, best)),
        ])
    }

    fn work(size: &Size) -> usize {
        8 * size.dim
    }
}
