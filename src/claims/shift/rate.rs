//! `shift.rate`: which rates r satisfy equation (6).

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
    equal_entries,
};
use crate::encoding::{shift, sinusoid};
use crate::number::{Frequency, Number, Phase, Position, Relation, System};
use nalgebra::{Matrix2, Vector2};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Rate;

impl Claim for Rate {
    const ABOUT: About = About {
        id: "shift.rate",
        statement: "The rates r for which the block with rate r shifts frequency λ by k ≠ 0 at every t are exactly r = λ + 2πn/k for integers n; r = λ is one of them and all give the same block.",
        written: Some("r = λ is the only rate that satisfies equation (6)."),
        sources: &[Source {
            document: Document::LinearRelationships,
            place: "equations (6a) to (8b), \"consequently r = λ\"",
        }],
        verdict: Verdict::Corrected,
        sabotage: "r = λ + (2n+1)π/k: half a turn too far",
        remark: Some(
            "That no other rate does is the identity ‖Φ_r(k) PE(t) − PE(t+k)‖² = 2 − 2 cos((r−λ)k) for arbitrary r; that a cosine is 1 at whole turns alone is left to the proof.",
        ),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size::default()]
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(_: &Size) -> Inputs {
        let turns = 0..=2 * MOST_TURNS as usize;
        Inputs::default()
            .position("t")
            .position_in("k", 1..=Inputs::LAST_POSITION)
            .reals_in("λ", 1, 0.0, 1.0)
            .reals("r", 1, 8.0)
            .choice("n", turns)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let n = case.choice("n")? as i64 - MOST_TURNS;
        let (t, k) = (Position::symbol("t"), Position::symbol("k"));
        // The documents' first frequency, ω_0 = 1, where the claim as written fails; else any.
        let rate = match form {
            Form::AsWritten => Frequency::Power { base: 10_000, dim: 2, index: 0 },
            _ => Frequency::Free("λ"),
        };
        let lambda = |position: &Position| position.clone() * rate.clone();
        let whole = |turns: i64| lambda(&k) + Phase::turns(turns, 1);
        let half = |turns: i64| lambda(&k) + Phase::turns(2 * turns + 1, 2);
        let (here, there) = (sinusoid::pair(system, &lambda(&t)), sinusoid::pair(system, &lambda(&(t + k.clone()))));
        if form == Form::AsWritten {
            // The rate λ + 2π/k, by which equation (6) is satisfied too.
            let mut all = equal_entries("shifted pair", &(shift::block_at(system, &whole(1)) * here), &there)?;
            let rates = Relation::Equal(system.angle(&whole(1)), system.angle(&lambda(&k)));
            all.push(Comparison::new("rk against λk where λ = 1", rates));
            return Ok(all);
        }
        let rate_times_k = if form.is_sabotaged() { half(n) } else { whole(n) };
        let block = shift::block_at(system, &rate_times_k);
        let mut all = equal_entries("block", &block, &shift::block(system, &rate, &k))?;
        all.extend(equal_entries("shifted pair", &(block * here.clone()), &there)?);
        if n != 0 {
            let rates = Relation::Distinct(system.angle(&rate_times_k), system.angle(&lambda(&k)));
            all.push(Comparison::new("rk against λk", rates));
        }
        let any_rate = k.clone() * Frequency::Free("r");
        let two = system.integer(2);
        let gap = two.clone() - two * system.cis(&(any_rate.clone() - lambda(&k))).re;
        for (what, angle, expected) in
            [("defect of any rate", any_rate, gap), ("defect of λ + (2n+1)π/k", half(n), system.integer(4))]
        {
            let defect = squared_distance(&shift::block_at(system, &angle), &here, &there);
            all.push(Comparison::new(what, Relation::Equal(defect, expected)));
        }
        Ok(all)
    }

    fn work(_: &Size) -> usize {
        32
    }
}

/// Rates up to this many turns on either side of λ.
const MOST_TURNS: i64 = 3;

/// ‖block·here − there‖².
fn squared_distance<N: Number>(block: &Matrix2<N>, here: &Vector2<N>, there: &Vector2<N>) -> N {
    let defect = block * here - there;
    defect.dot(&defect)
}
