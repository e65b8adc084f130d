//! `rope.rotation`: f(x, m) = R(mθ) x turns x counter-clockwise by mθ.

use super::head_sizes;
use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
    equal_entries,
};
use crate::encoding::{rotary, sinusoid};
use crate::number::{Number, Phase, Position, Relation, System};
use nalgebra::Vector2;
use num_traits::{One, Zero};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Rotation;

/// The document's degrees a position: 10, a thirty-sixth of a turn.
const STEPS_A_TURN: i64 = 36;

/// Position 1 turns by 10°, position 2 by 20°, position 3 by 30°, which takes (1, 0) to (√3/2, 1/2).
fn degrees<S: System>(system: &S, sign: i64) -> Comparisons<S::Number> {
    let heading = Phase::angle("φ");
    let arrow = rotary::arrows(system, std::slice::from_ref(&heading));
    let turn = |position| Phase::turns(sign * position, STEPS_A_TURN);
    let mut all = Vec::new();
    for position in 1..=3 {
        let turned = rotary::rotation(system, &turn(position)) * Vector2::new(arrow[0].clone(), arrow[1].clone());
        let expected = rotary::arrows(system, &[heading.clone() + Phase::turns(position, STEPS_A_TURN)]);
        for (row, (left, right)) in turned.iter().zip(expected.iter()).enumerate() {
            let relation = Relation::Equal(left.clone(), right.clone());
            all.push(Comparison { what: "turned by 10° a position", index: [position as usize, row], relation });
        }
    }
    let first = rotary::rotation(system, &turn(3)) * Vector2::new(S::Number::one(), S::Number::zero());
    let two = system.integer(2);
    let thirty = Vector2::new(system.integer(3).sqrt() / two.clone(), S::Number::one() / two);
    all.extend(equal_entries("(1, 0) at position 3", &first, &thirty)?);
    Ok(all)
}

impl Claim for Rotation {
    const ABOUT: About = About {
        id: "rope.rotation",
        statement: "f(x, m) = R(mθ) x turns x counter-clockwise by mθ: if x = r·(cos φ, sin φ) then f(x, m) = r·(cos(φ+mθ), sin(φ+mθ)), for all r, φ, m and θ.",
        written: None,
        sources: &[
            Source {
                document: Document::PositionalEmbedding,
                place: "A Better solution: RoPE, Formula, and the arrow turned by 10, 20 and 30 degrees",
            },
            Source { document: Document::SinesAndCosines, place: "From Exponentials to Sinusoidal Functions" },
            Source { document: Document::RoFormer, place: "equation (34)" },
        ],
        verdict: Verdict::Holds,
        sabotage: "R(−mθ): clockwise",
        remark: Some(
            "The entries of R(30°) are compared with √3/2 and 1/2 by enclosure alone: the exact system does not evaluate fractions of a turn.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        head_sizes(kind)
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(size: &Size) -> Inputs {
        Inputs::default().position("m").reals("φ", 1, 4.0).reals_in("r", size.dim / 2, 0.25, 1.0)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let frequencies = sinusoid::frequencies(case.size.base, case.size.dim);
        let m = Position::symbol("m");
        let sign = if form.is_sabotaged() { -1 } else { 1 };
        // One angle for two dimensions; the further pairs take its multiples.
        let headings: Vec<Phase> = (1..=frequencies.len() as i64).map(|pair| Phase::angle("φ").times(pair)).collect();
        let pairs = headings.iter().zip(&frequencies);
        let expected: Vec<Phase> = pairs.map(|(heading, ω)| heading.clone() + m.clone() * ω.clone()).collect();
        let turned = rotary::rotary(system, &frequencies, &m.times(sign)).apply(&rotary::arrows(system, &headings));
        let mut all = equal_entries("component", &turned, &rotary::arrows(system, &expected))?;
        if case.size.dim == 2 {
            all.extend(degrees(system, sign)?);
        }
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        3 * size.dim
    }
}
