//! `sinusoid.no-integer-cycle`: no two integer positions share an encoding.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Document, Form, Inputs, Reach, Size, Source, Survey, Verdict,
};
use crate::encoding::sinusoid;
use crate::evidence::Effort;
use crate::number::format::Format;
use crate::number::interval::Interval;
use crate::number::multiples::{Return, nearest_return};
use crate::number::system::{Decision, Measure};
use crate::number::{Position, Relation, System};
use num_traits::{One, Zero};
use rug::{Integer, Rational};
use std::sync::LazyLock;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct NoIntegerCycle;

/// Distances below this are looked at, one by one as it were: 2^20.
const LIMIT: u32 = 1 << 20;

/// 2π in bfloat16 is 201/32, so that rounded so, the encoding would repeat after 201 positions.
const MISTAKEN_CYCLE: i64 = 201;

/// The integer below [`LIMIT`] that is nearest to a multiple of 2π.
static NEAREST: LazyLock<Option<Return>> = LazyLock::new(|| nearest_return(&turns(1), &LIMIT.into()));

/// 2π·count.
fn turns(count: u32) -> Interval {
    Interval::full_turns(&Rational::from(count), Interval::PRECISION)
}

/// The distance of two points of the unit circle `angle` apart: 2·|sin(angle/2)|.
fn chord(angle: &Interval) -> Interval {
    let (_, sine) = (angle.clone() / Interval::from(2)).cos_sin();
    Interval::from(2) * sine.abs()
}

/// All distances below [`LIMIT`] against the multiples of 2π·`slowness`, the period of frequency 1/`slowness`.
fn survey(what: &str, slowness: u32, form: Form) -> Survey {
    let mut period = turns(slowness);
    if form.is_sabotaged() {
        period = Interval::exactly(Format::Bf16.round_float(&period.midpoint()));
    }
    let (decision, finding) = match nearest_return(&period, &Integer::from(LIMIT)) {
        None => (Decision::unable("the enclosure of the period is too wide"), "nothing".to_owned()),
        Some(nearest) => {
            let apart = chord(&(nearest.offset.clone() / Interval::from(slowness as i32)));
            let (lower, upper) = apart.decimal_with(Some(SHOWN));
            let finding = format!(
                "the nearest to a repetition is distance {} (after {} periods), where the pair has moved by [{lower}, {upper}]",
                nearest.position, nearest.turns
            );
            let measure = Measure { error: apart.width_up(), bound: 0.0 };
            let decision = match () {
                () if nearest.is_exact() => Decision::Refuted(measure),
                () if *apart.lower() > 0 => Decision::Held(measure),
                () => Decision::unable("the enclosure of the nearest distance contains 0"),
            };
            (decision, finding)
        }
    };
    let scope = format!("all distances below 2^20, any even d, pair with {what}, by continued fractions");
    Survey { scope, cases: u64::from(LIMIT) - 1, decision, finding }
}

const SHOWN: usize = 20;

impl Claim for NoIntegerCycle {
    const ABOUT: About = About {
        id: "sinusoid.no-integer-cycle",
        statement: "For every even d ≥ 2 and every base > 1, PE(s) = PE(t) at integers s and t only if s = t, because ω_0 = 1 and π is irrational.",
        written: Some("The positional embeddings cycle: two distinct integer positions share an encoding."),
        sources: &[
            Source {
                document: Document::LinearRelationships,
                place: "reader comments, \"the positional embeddings would cycle, yes\"",
            },
            Source {
                document: Document::PositionalEmbedding,
                place: "Ensuring Uniqueness, a unique \"fingerprint\" for every single position",
            },
        ],
        verdict: Verdict::Corrected,
        sabotage: "2π rounded to bfloat16, 6.28125 = 201/32, after which PE would repeat every 201 positions",
        remark: Some(
            "The surveys cover all pairs of integer positions less than 2^20 apart, for every d and base at once, because the first pair alone tells them apart (and, counted from 1 with base 10000, the last). The claim as written is refuted at the pair of positions that comes nearest to sharing an encoding, hence at all others below 2^20. That it never happens beyond is the irrationality of π, which only the proof gives; in the exact system frequencies are formal, and ω_0 is not 1.",
        ),
    };

    fn sizes(reach: Reach) -> Vec<Size> {
        match reach {
            Reach::Formal => Vec::new(),
            _ => Size::dimensions(reach),
        }
    }

    fn inputs(_: &Size) -> Inputs {
        let last = LIMIT as usize - 1;
        Inputs::default().choice("s", 0..=last).choice("t", 0..=last)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Vec<Comparison<S::Number>> {
        let frequencies = sinusoid::frequencies(case.size.base, case.size.dim);
        let (Some(nearest), Some(first)) = (NEAREST.as_ref().and_then(|found| found.position.to_i64()), frequencies.first())
        else {
            return Vec::new();
        };
        let zero = S::Number::zero();
        let first_pair = |position: i64| {
            let positions = [Position::integer(position), Position::integer(0)];
            sinusoid::squared_distance(system, &frequencies[..1], [&positions[0], &positions[1]])
        };
        let repetition = |what, position| Comparison::new(what, Relation::Equal(first_pair(position), zero.clone()));
        match form {
            Form::AsWritten => return vec![repetition("least squared distance of pair 0 below 2^20", nearest)],
            Form::Sabotaged => return vec![repetition("squared distance of pair 0 at 201 and 0", MISTAKEN_CYCLE)],
            Form::Settled => {}
        }
        let rate = system.angle(&(Position::integer(1) * first.clone()));
        let mut all = vec![
            Comparison::new("ω_0 and 1", Relation::Equal(rate, S::Number::one())),
            Comparison::new(
                "0 and the least squared distance of pair 0 below 2^20",
                Relation::Less(zero.clone(), first_pair(nearest)),
            ),
        ];
        let [s, t] = ["s", "t"].map(|name| Position::integer(case.choice(name) as i64));
        if s != t {
            let distance = sinusoid::squared_distance(system, &frequencies, [&s, &t]);
            all.push(Comparison::new("0 and the squared distance of PE(s) and PE(t)", Relation::Less(zero, distance)));
        }
        all
    }

    fn work(size: &Size) -> usize {
        2 * size.dim + 4
    }

    fn surveys(_: Effort, form: Form) -> Vec<Survey> {
        vec![survey("frequency 1, the first counted from 0", 1, form), survey("frequency 1/10000, the last counted from 1", 10_000, form)]
    }

    fn values() -> Vec<CertifiedValue> {
        let least = NEAREST.as_ref().map(|nearest| chord(&nearest.offset));
        least.map(|enclosure| CertifiedValue { name: "least_distance_of_pair_0_below_2_20", enclosure }).into_iter().collect()
    }
}
