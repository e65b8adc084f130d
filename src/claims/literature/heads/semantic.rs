//! `heads.semantic`: a slow pair cannot hold a target at every placement.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::number::interval::{Enclosing, Interval};
use crate::number::{Frequency, Number, Phase, Position, Relation, System};
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Semantic;

const DIM: usize = 256;
const BASE: u32 = 10_000;

/// The slowest frequency, and the first whole number of tokens in which it makes half a turn.
const SLOWEST: Frequency = Frequency::Power { base: BASE, dim: DIM, index: DIM / 2 - 1 };
const HALF_TURN: i64 = 29_235;

/// By how much the score of the target exceeds the other at the placement of the witness.
const LEAD: i64 = 10;

/// D = Re(h·e^(igx)): the score of a target less that of another token, x positions on.
fn lead<S: System>(system: &S, place: &Position) -> S::Number {
    let point = system.cis(&(place.clone() * Frequency::Free("g")));
    system.real("h", 0) * point.re - system.real("h", 1) * point.im
}

impl Claim for Semantic {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "heads.semantic",
        statement: "For d = 2, the score of a target less that of another token that keeps its place beside it, D(x) = Re(h·e^(igx)) when both are x positions on, obeys D(x+n) + D(x−n) = 2·cos(ng)·D(x) for all h, g, x and n: where cos(ng) ≤ 0, the target has a weight of at most 1/2 at one of the placements x−n, x, x+n. For d = 256 and base 10000 the slowest pair has cos(ng) < 0 at n = 29235, half a turn. A fixed placement can succeed: with D = 10 its weight is above 0.99.",
        written: Some(
            "For any ε > 0, at every placement the weight of the target is at most 1 − ε: here for ε = 1/100.",
        ),
        sources: &[Source { document: Document::RoundAndRound, place: "Theorem 6.1" }],
        verdict: Verdict::Corrected,
        sabotage: "the placement fixed: n = 0",
        remark: Some(
            "The theorem lets ε be any positive number and n any large number without saying which quantifier comes first. What holds is for ε ≤ 1/2 and some placement: D ≤ 0 gives the target at most the weight of the other token, so at most 1/2, whatever other tokens there are: part of the theorem. That such an n exists for every g that is no multiple of 2π is a corollary.",
        ),
    };

    /// With a dimension, the figures; without, the identity.
    fn sizes(kind: SystemKind) -> Vec<Size> {
        let figures = Size { dim: DIM, tokens: 0, base: BASE };
        match kind {
            SystemKind::Formal => vec![Size::default()],
            _ => vec![Size::default(), figures],
        }
    }

    fn inputs(size: &Size) -> Inputs {
        match size.dim {
            0 => Inputs::default()
                .reals("h", 2, 1.0)
                .reals_in("g", 1, 0.0625, 1.0)
                .position_in("x", 0..=31)
                .position_in("n", 1..=31),
            _ => Inputs::default(),
        }
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let one = system.integer(1);
        if case.size.dim == 0 {
            if form == Form::AsWritten {
                return Ok(Vec::new());
            }
            let [x, n] = ["x", "n"].map(Position::symbol);
            let both = lead(system, &(x.clone() + n.clone())) + lead(system, &(x.clone() - n.clone()));
            let moved = if form.is_sabotaged() { n.times(0) } else { n };
            let cosine = system.cis(&(moved * Frequency::Free("g"))).re;
            let stated = system.integer(2) * cosine * lead(system, &x);
            return Ok(vec![Comparison::new("D(x + n) + D(x − n)", Relation::Equal(both, stated))]);
        }
        let weight = one.clone() / (one + system.integer(-LEAD).exp());
        let share = system.rational(&Rational::from((99, 100)));
        if form == Form::AsWritten {
            return Ok(vec![Comparison::new("weight at D = 10, and 0.99", Relation::AtMost(weight, share))]);
        }
        let tokens = if form.is_sabotaged() { 0 } else { HALF_TURN };
        let cosine = system.cis(&(Position::integer(tokens) * SLOWEST)).re;
        Ok(vec![
            Comparison::new("cos(ng) at n = 29235, and 0", Relation::Less(cosine, system.integer(0))),
            Comparison::new("0.99, and weight at D = 10", Relation::Less(share, weight)),
        ])
    }

    fn values() -> Vec<CertifiedValue> {
        let system = Enclosing::default();
        let rate = system.angle(&(Position::integer(1) * SLOWEST));
        let half = system.angle(&Phase::turns(1, 2));
        let cosine = system.cis(&(Position::integer(HALF_TURN) * SLOWEST)).re;
        vec![
            CertifiedValue { name: "half_turn", enclosure: half.clone() / rate.clone() },
            CertifiedValue { name: "quarter_turn", enclosure: half / (Interval::from(2) * rate) },
            CertifiedValue { name: "cosine_29235", enclosure: cosine },
        ]
    }
}
