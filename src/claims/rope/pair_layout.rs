//! `rope.pair-layout`: interleaved and half-split pairs are one rotation up to a permutation.

use super::HEADS;
use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
    equal_entries,
};
use crate::encoding::{rotary, sinusoid};
use crate::number::{Position, Relation, System};
use nalgebra::DVector;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct PairLayout;

impl Claim for PairLayout {
    const ABOUT: About = About {
        id: "rope.pair-layout",
        statement: "The interleaved layout and the half-split layout are one rotation up to a fixed permutation of coordinates, so scores agree when q and k use the same layout, and need not when they use different ones.",
        written: None,
        sources: &[Source {
            document: Document::SinesAndCosines,
            place: "From Exponentials to Sinusoidal Functions, break up the dimensions into pairs (which pairs is left open)",
        }],
        verdict: Verdict::Holds,
        sabotage: "half-split rotation of coordinates that were never permuted",
        remark: Some(
            "The permutation takes coordinate 2i to place i and coordinate 2i + 1 to place i + d/2; in two dimensions the layouts are the same.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal => [4, 8, 16].map(Size::dim).to_vec(),
            SystemKind::Enclosed | SystemKind::Rounded { .. } => [&[Size::dim(4)], HEADS.as_slice()].concat(),
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        [4, 64, 128, 512].map(Size::dim).to_vec()
    }

    fn inputs(size: &Size) -> Inputs {
        // At m = n = 0 nothing is rotated and all layouts agree: the mixed score is taken from 1 on.
        let last = Inputs::LAST_POSITION;
        let positions = Inputs::default().position_in("m", 1..=last).position_in("n", 1..=last);
        positions.reals("q", size.dim, 1.0).reals("k", size.dim, 1.0)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let dim = case.size.dim;
        let frequencies = sinusoid::frequencies(case.size.base, dim);
        let (m, n) = (Position::symbol("m"), Position::symbol("n"));
        let (q, k) = (rotary::vector(system, "q", dim), rotary::vector(system, "k", dim));
        let split = |x: &DVector<S::Number>| if form.is_sabotaged() { x.clone() } else { rotary::in_halves(x) };
        let interleaved =
            |x: &DVector<S::Number>, position: &Position| rotary::rotary(system, &frequencies, position).apply(x);
        let halves =
            |x: &DVector<S::Number>, position: &Position| rotary::rotated_halves(system, &frequencies, position, x);
        let (pairs, other_pairs) = (interleaved(&q, &m), interleaved(&k, &n));
        let (half, other_half) = (halves(&split(&q), &m), halves(&split(&k), &n));
        let score = pairs.dot(&other_pairs);
        let mut all = equal_entries("component", &half, &rotary::in_halves(&pairs))?;
        all.push(Comparison::new("score", Relation::Equal(half.dot(&other_half), score.clone())));
        let mixed = pairs.dot(&halves(&k, &n));
        all.push(Comparison::new("score of mixed layouts", Relation::Distinct(mixed, score)));
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        6 * size.dim
    }
}
