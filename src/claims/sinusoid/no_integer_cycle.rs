//! `sinusoid.no-integer-cycle`: no two integer positions share an encoding.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Refusal, Size, Source, Survey,
    SystemKind, Verdict,
};
use crate::encoding::sinusoid;
use crate::evidence::Effort;
use crate::number::format::Format;
use crate::number::interval::Interval;
use crate::number::mpfr::round;
use crate::number::multiples::{Return, nearest_return};
use crate::number::system::{Decision, Measure};
use crate::number::{Frequency, Position, Relation, System};
use num_traits::{One, Zero};
use rug::{Integer, Rational};
use std::sync::LazyLock;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct NoIntegerCycle;

/// Distances below this are looked at: 2^20.
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
        period = Interval::exactly(round(Format::Bf16, &period.midpoint()));
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
    Survey { scope, cases: u64::from(LIMIT) - 1, decision, finding, measured: None }
}

const SHOWN: usize = 20;

/// The documents' dimension.
const DIM: usize = 512;

/// ω_0 = 1, and how far the first pair moves between position 0 and the position nearest to a repetition.
fn first_pair<S: System>(system: &S, frequencies: &[Frequency], form: Form) -> Comparisons<S::Number> {
    let nearest = NEAREST.as_ref().and_then(|found| found.position.to_i64());
    let (Some(nearest), [first, ..]) = (nearest, frequencies) else {
        return Err(Refusal::NotFound("the position below 2^20 that comes nearest to a repetition"));
    };
    let zero = S::Number::zero();
    let moved = |position: i64| {
        let positions = [Position::integer(position), Position::integer(0)];
        sinusoid::squared_distance(system, std::slice::from_ref(first), [&positions[0], &positions[1]])
    };
    let least = "least squared distance of pair 0 below 2^20, and 0";
    Ok(match form {
        Form::AsWritten => vec![Comparison::new(least, Relation::Equal(moved(nearest), zero))],
        Form::Sabotaged => {
            let repeated = Relation::Equal(moved(MISTAKEN_CYCLE), zero);
            vec![Comparison::new("squared distance of pair 0 at 201 and 0", repeated)]
        }
        Form::Settled => {
            let rate = system.angle(&(Position::integer(1) * first.clone()));
            vec![
                Comparison::new("ω_0 and 1", Relation::Equal(rate, S::Number::one())),
                Comparison::new(least, Relation::Distinct(moved(nearest), zero)),
            ]
        }
    })
}

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

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let pairs = |tokens, dim, base| Size { dim, tokens, base };
        match kind {
            SystemKind::Formal => Vec::new(),
            _ => vec![
                // Without tokens: what is known of the first pair, which is the same at every d.
                Size::dim(DIM),
                pairs(LIMIT as usize, 2, 10_000),
                pairs(LIMIT as usize, DIM, 10_000),
                pairs(LIMIT as usize, 128, 500_000),
                // The integers that bfloat16 holds.
                pairs(256, 64, 10_000),
            ],
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(size: &Size) -> Inputs {
        match size.tokens {
            0 => Inputs::default(),
            tokens => Inputs::default().choice("s", 0..=tokens - 1).choice("t", 0..=tokens - 1),
        }
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let frequencies = sinusoid::frequencies(case.size.base, case.size.dim);
        match case.size.tokens {
            0 => first_pair(system, &frequencies, form),
            _ if form == Form::Settled => {
                let [s, t] = [case.choice("s")?, case.choice("t")?].map(|place| Position::integer(place as i64));
                let apart = (s != t).then(|| sinusoid::squared_distance(system, &frequencies, [&s, &t]));
                let apart = apart.map(|squared| Relation::Less(S::Number::zero(), squared));
                let compared =
                    apart.map(|relation| Comparison::new("0 and the squared distance of PE(s) and PE(t)", relation));
                Ok(compared.into_iter().collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    fn work(size: &Size) -> usize {
        2 * size.dim
    }

    fn surveys(_: Effort, form: Form) -> Vec<Survey> {
        vec![
            survey("frequency 1, the first counted from 0", 1, form),
            survey("frequency 1/10000, the last counted from 1", 10_000, form),
        ]
    }

    fn values() -> Vec<CertifiedValue> {
        let least = NEAREST.as_ref().map(|nearest| chord(&nearest.offset));
        least
            .map(|enclosure| CertifiedValue { name: "least_distance_of_pair_0_below_2_20", enclosure })
            .into_iter()
            .collect()
    }
}
