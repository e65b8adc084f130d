//! `heads.irrational-turn`: no rational angle comes back to itself.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, Survey,
    SystemKind, Verdict,
};
use crate::evidence::Effort;
use crate::number::interval::Interval;
use crate::number::multiples::{Return, nearest_return};
use crate::number::system::{Decision, Measure};
use crate::number::{Number, Phase, Relation, System};
use rug::{Integer, Rational};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct IrrationalTurn;

/// All integers from 1 to below this are looked at.
const LIMIT: u32 = 103_993;

/// The one of them that is nearest to a multiple of 2π.
const NEAREST: u32 = 710;

/// A lower bound of |n − 2πk| for 0 < n < [`LIMIT`], in units of 10^(−6).
const MILLIONTHS: i64 = 60;

fn nearest() -> Option<Return> {
    nearest_return(&Interval::full_turns(&Rational::from(1), Interval::PRECISION), &Integer::from(LIMIT))
}

fn squared<N: Number>(x: N) -> N {
    x.clone() * x
}

impl Claim for IrrationalTurn {
    const ABOUT: About = About {
        id: "heads.irrational-turn",
        statement: "For a rational g ≠ 0, n·g is a multiple of 2π for no integer n but 0; for g = p/q, |n·g − 2πk| ≥ 6·10^(−5)/q for all integers k and n with 0 < n·p < 103993. Of the integers from 1 to 103992, 710 is nearest to a multiple of 2π.",
        written: None,
        sources: &[Source { document: Document::RoundAndRound, place: "Lemma A.1, for algebraic g" }],
        verdict: Verdict::Holds,
        sabotage: "g = 2π/7",
        remark: Some(
            "For rational g this is that π is irrational. For algebraic g, as the lemma has it, it takes the transcendence of π (Lindemann), which is cited.",
        ),
    };

    /// The number of tokens of a size is the largest n.
    fn sizes(kind: SystemKind) -> Vec<Size> {
        let of = |tokens| vec![Size { dim: 0, tokens, base: 0 }];
        match kind {
            SystemKind::Formal => of(6),
            SystemKind::Rounded { precision: 0..24 } => Vec::new(),
            _ => of(1000),
        }
    }

    fn inputs(size: &Size) -> Inputs {
        let turn = Inputs::default().choice("p", 1..=5).choice("q", 1..=5);
        turn.choice("n", 1..=size.tokens).choice("k", 0..=size.tokens)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let [p, q, n, k] = ["p", "q", "n", "k"].map(|name| case.choice(name).map(|value| value as i64));
        let (p, q, n, k) = (p?, q?, n?, k?);
        let turns = |numerator, denominator| system.angle(&Phase::turns(numerator, denominator));
        // The sabotage compares 7·(2π/7) with 2π.
        let (turned, whole) = match form.is_sabotaged() {
            true => (system.integer(7) * turns(1, 7), turns(1, 1)),
            false => (system.rational(&Rational::from((n * p, q))), turns(k, 1)),
        };
        let least = system.rational(&Rational::from((MILLIONTHS, 1_000_000 * q)));
        let distance = squared(turned.clone() - whole.clone());
        Ok(vec![
            Comparison::new("n·g and 2πk", Relation::Distinct(turned, whole)),
            Comparison::new("square of the least distance, and (n·g − 2πk)²", Relation::Less(squared(least), distance)),
        ])
    }

    fn surveys(_: Effort, form: Form) -> Vec<Survey> {
        let stated = if form.is_sabotaged() { NEAREST + 1 } else { NEAREST };
        let scope = format!("all integers from 1 to {}, by continued fractions", LIMIT - 1);
        let (decision, finding) = match nearest() {
            None => (Decision::unable("the enclosure of 2π is too wide"), "none found".to_owned()),
            Some(found) => {
                let (lower, upper) = found.offset.abs().decimal_with(Some(16));
                let measure = Measure { error: found.offset.width_up(), bound: 0.0 };
                let decision = match found.position == stated {
                    true => Decision::Held(measure),
                    false => Decision::Refuted(measure),
                };
                (decision, format!("{} is nearest to a multiple of 2π, [{lower}, {upper}] away", found.position))
            }
        };
        vec![Survey { scope, cases: u64::from(LIMIT) - 1, decision, finding, measured: None }]
    }

    fn values() -> Vec<CertifiedValue> {
        let distance = nearest().map_or_else(Interval::undefined, |found| found.offset.abs());
        vec![CertifiedValue { name: "distance_710", enclosure: distance }]
    }
}
