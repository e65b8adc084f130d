//! `rope.aliasing`: one frequency repeats itself, two of irrational ratio never together.

use super::{HEADS, head_sizes};
use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, Survey,
    SystemKind, Verdict, equal_entries,
};
use crate::encoding::{rotary, sinusoid};
use crate::evidence::Effort;
use crate::number::float::Float;
use crate::number::format::Format;
use crate::number::interval::{Enclosing, Interval};
use crate::number::running::{Rounding, Running};
use crate::number::system::{Decision, Measure};
use crate::number::{Frequency, Number, Phase, Position, Relation, System};
use num_traits::{One, Zero};
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Aliasing;

type Double = Running<Float>;

/// Σ 2 − 2·cos(ω_i·distance), half the squared Frobenius norm of M(distance) − I, term by term
/// until `enough` says that the terms so far, none of them negative, suffice.
fn spread(
    system: &Rounding<Float>,
    frequencies: &[Frequency],
    distance: i64,
    enough: impl Fn(&Double) -> bool,
) -> Double {
    let mut sum = Double::zero();
    for frequency in frequencies {
        let cosine = system.cis(&(Position::integer(distance) * frequency.clone())).re;
        sum += (Double::one() - cosine) * Double::from(2);
        if enough(&sum) {
            break;
        }
    }
    sum
}

/// True if of all distances from 1 to `last` the maps at distance 1 are the nearest to each other.
fn neighbours_are_nearest(head: Size, last: i64, form: Form) -> Survey {
    let system = Rounding::charging_frequencies(Format::F64);
    let mut frequencies = sinusoid::frequencies(head.base, head.dim);
    if form.is_sabotaged() {
        frequencies.truncate(1);
    }
    let nearest = spread(&system, &frequencies, 1, |_| false);
    let below = |a: &Double, b: &Double| system.decide(&Relation::Less(a.clone(), b.clone()));
    let is_below = |a: &Double, b: &Double| matches!(below(a, b), Decision::Held(_));
    let measure = Measure { error: 2.0 * nearest.bound(), bound: 0.0 };
    let least = nearest.value().get();
    let mut decision = Decision::Held(measure);
    let mut finding = format!("½‖M(1) − M(0)‖² = {least:.12} ± {:.1e} is the least of all", nearest.bound());
    for distance in 2..=last {
        let sum = spread(&system, &frequencies, distance, |sum| is_below(&nearest, sum));
        if is_below(&nearest, &sum) {
            continue;
        }
        finding = format!("distance {distance} against distance 1: {} against {least}", sum.value().get());
        if is_below(&sum, &nearest) {
            decision = Decision::Refuted(measure);
            break;
        }
        decision = Decision::unable("a distance is too near to the least to be told apart in binary64");
    }
    Survey {
        scope: format!("{head}, all integer distances 1 … {last} in binary64 with running bounds"),
        cases: last as u64,
        decision,
        finding,
        measured: None,
    }
}

/// The positions up to 131071 at which pair 0 has come full circle, Δ = 2πj: how near does pair 1,
/// which has then made ω_1·j turns, come to a full circle?
fn full_circles(head: Size, form: Form) -> Survey {
    let index = usize::from(!form.is_sabotaged());
    let rate = Interval::frequency(&Frequency::Power { base: head.base, dim: head.dim, index }, Interval::PRECISION);
    let last = (Inputs::LAST_POSITION as f64 / std::f64::consts::TAU) as i32;
    let (mut turns, mut nearest) = (Interval::from(0), (0, Interval::from(1)));
    for circle in 1..=last {
        turns += rate.clone();
        let whole = turns.midpoint().round().to_integer().map(Rational::from).unwrap_or_default();
        let miss = (turns.clone() - Interval::rational(&whole, Interval::PRECISION)).abs();
        if miss.is_below(&nearest.1) {
            nearest = (circle, miss);
        }
    }
    let (circle, miss) = nearest;
    let width = Measure { error: miss.width_up(), bound: 0.0 };
    let decision = if Interval::from(0).is_below(&miss) {
        Decision::Held(width)
    } else if miss.is_point() {
        Decision::Refuted(width)
    } else {
        Decision::unable("an enclosure reaches a full circle")
    };
    Survey {
        scope: format!("{head}, the {last} full circles of pair 0 at real distances up to {}", Inputs::LAST_POSITION),
        cases: last as u64,
        decision,
        finding: format!(
            "pair 1 misses a full circle by at least {} turns, at circle {circle}",
            miss.decimal_with(Some(6)).0
        ),
        measured: None,
    }
}

impl Claim for Aliasing {
    const ABOUT: About = About {
        id: "rope.aliasing",
        statement: "With one θ ≠ 0, positions m and m + 2π/θ give the same map; two nonzero frequencies of irrational ratio give the same map at no two distinct positions.",
        written: None,
        sources: &[Source {
            document: Document::SinesAndCosines,
            place: "From Exponentials to Sinusoidal Functions, figure 2 and the remedy of several θ",
        }],
        verdict: Verdict::Holds,
        sabotage: "π/θ for 2π/θ, and one frequency where two are needed",
        remark: Some(
            "That no two positions whatever share a map rests on the irrational ratio and is proved; enclosures show it for the distances that each survey names. The certified values are how far apart the maps at neighbouring positions take a vector whose pairs have length 1; that no two positions below 131072 are nearer is proved too.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        head_sizes(kind).into_iter().filter(|size| size.dim > 2).collect()
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(_: &Size) -> Inputs {
        let positions = Inputs::default().position("m").position_in("k", 1..=Inputs::LAST_POSITION);
        positions.reals_in("θ", 1, 0.0625, 1.0).choice("circles", 1..=3)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let (m, k) = (Position::symbol("m"), Position::symbol("k"));
        let angle = m.clone() * Frequency::Free("θ");
        let parts = if form.is_sabotaged() { 2 } else { 1 };
        // At m + 2πj/θ the angle is mθ + j full turns.
        let later = angle.clone() + Phase::turns(2 * case.choice("circles")? as i64 - 1, parts);
        let mut all =
            equal_entries("one frequency", &rotary::rotation(system, &angle), &rotary::rotation(system, &later))?;
        let frequencies = sinusoid::frequencies(case.size.base, case.size.dim);
        let at = |position: &Position| rotary::rotary(system, &frequencies, position).0;
        let blocks = at(&m).into_iter().zip(at(&(m + k)));
        let squares = blocks.map(|(here, there)| {
            let difference = there - here;
            difference.dot(&difference)
        });
        let distance = squares.fold(S::Number::zero(), |sum, square| sum + square);
        all.push(Comparison::new("several frequencies", Relation::Distinct(distance, S::Number::zero())));
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        3 * size.dim
    }

    fn surveys(effort: Effort, form: Form) -> Vec<Survey> {
        let (heads, last) = match effort {
            Effort::Quick => (&HEADS[..1], 4095),
            Effort::Standard | Effort::Exhaustive => (&HEADS[..], Inputs::LAST_POSITION),
        };
        heads.iter().flat_map(|head| [full_circles(*head, form), neighbours_are_nearest(*head, last, form)]).collect()
    }

    fn values() -> Vec<CertifiedValue> {
        let neighbours = |head: &Size| {
            let frequencies = sinusoid::frequencies(head.base, head.dim);
            sinusoid::squared_chords(&Enclosing::default(), &frequencies, &Position::integer(1)).sqrt()
        };
        let names = ["neighbours_d64", "neighbours_d128", "neighbours_d256"];
        let named = names.into_iter().zip(&HEADS);
        named.map(|(name, head)| CertifiedValue { name, enclosure: neighbours(head) }).collect()
    }
}
