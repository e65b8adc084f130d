//! `base.safe-from`: above some base there are no holes.

use super::{Service, cover, score, survey_of_base};
use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, Survey,
    SystemKind, Verdict,
};
use crate::encoding::sinusoid::frequencies;
use crate::evidence::Effort;
use crate::number::interval::Enclosing;
use crate::number::system::{Decision, Measure};
use crate::number::{Position, Relation, System};
use num_traits::Zero;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct SafeFrom;

const DIM: usize = 128;

/// A length with the base from which on all serve it.
struct Safe {
    length: u32,
    /// All bases from this one on serve the length.
    from: &'static str,
    /// The same less a hundredth, for the sabotage.
    lower: &'static str,
    /// The integer just below, and a distance at which it fails.
    failing: (u32, i64),
    /// From here on no cover is needed: see [`TAIL`].
    tail: u32,
    name: &'static str,
}

/// The lengths; from the third on at exhaustive effort.
const SAFE: [Safe; 5] = [
    Safe {
        length: 1024,
        from: "6018.2809",
        lower: "5958.0981",
        failing: (6018, 903),
        tail: 1 << 23,
        name: "score_6018_at_903",
    },
    Safe {
        length: 2048,
        from: "22764.3038",
        lower: "22536.6608",
        failing: (22_764, 1946),
        tail: 1 << 25,
        name: "score_22764_at_1946",
    },
    Safe {
        length: 4096,
        from: "58789.5042",
        lower: "58201.6092",
        failing: (58_789, 4000),
        tail: 1 << 27,
        name: "score_58789_at_4000",
    },
    Safe {
        length: 8192,
        from: "394327.9046",
        lower: "390384.6256",
        failing: (394_327, 7626),
        tail: 1 << 30,
        name: "score_394327_at_7626",
    },
    Safe {
        length: 16_384,
        from: "1321077.9574",
        lower: "1307867.1778",
        failing: (1_321_077, 16_333),
        tail: 3_037_000_500,
        name: "score_1321077_at_16333",
    },
];
const QUICKLY: usize = 2;

/// At the tail base of a length all angles L·θ_i from this index on are below 3 < π, so that their cosines are no smaller
/// at any smaller distance or larger base; the pairs before it subtract at most one each.
const TAIL: usize = 29;

/// Σ_{i≥TAIL} cos(L·θ_i) at the tail base of a length.
fn tail<S: System>(system: &S, safe: &Safe) -> S::Number {
    let rates = frequencies(safe.tail, DIM).into_iter().skip(TAIL);
    let cosine = |rate| system.cis(&(Position::integer(safe.length.into()) * rate)).re;
    rates.fold(S::Number::zero(), |sum, rate| sum + cosine(rate))
}

/// True if all bases from one to the tail serve the length.
fn survey(safe: &Safe, lower: &str) -> Survey {
    let scope = format!(
        "all bases from {lower} to {} and all distances up to {} at d = {DIM}, by a cover of intervals in binary64 with error bounds",
        safe.tail, safe.length
    );
    let found = cover(DIM, safe.length, [lower, &safe.tail.to_string()]);
    let measure = Measure { error: 0.0, bound: 0.0 };
    let (decision, finding) = match found {
        Err(error) => (Decision::Unable(error.into()), "not looked at".to_owned()),
        Ok(found) => match (found.refuted.last(), found.undecided.is_empty()) {
            (Some(hole), _) => (Decision::Refuted(measure), format!("bases up to {} fail at {}", hole.upper, hole.m)),
            (None, true) => (Decision::Held(measure), "all serve".to_owned()),
            (None, false) => (Decision::unable("a part of the cover is undecided"), "none refuted".to_owned()),
        },
    };
    Survey { scope, cases: u64::from(safe.length), decision, finding, measured: None }
}

impl Claim for SafeFrom {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "base.safe-from",
        statement: "Every length has a base from which on all real bases serve it, B(m; b) ≥ 0 for all 0 ≤ m ≤ L: for d = 128 all b ≥ 6018.2809 serve L = 1024, b ≥ 22764.3038 serve 2048, b ≥ 58789.5042 serve 4096, b ≥ 394327.9046 serve 8192, b ≥ 1321077.9574 serve 16384; 6018, 22764, 58789, 394327 and 1321077 do not. So the starting value b = 1000·L serves these lengths.",
        written: None,
        sources: &[Source {
            document: Document::BaseSelection,
            place: "the starting value b = 1000·L of a numerical search",
        }],
        verdict: Verdict::Holds,
        sabotage: "the bases from a hundredth lower on, and the integer below for 1000·L",
        remark: Some(
            "The bases are beyond the post, which has the starting value alone. A cover by intervals proves the bases up to 2^23, 2^25, 2^27, 2^30 and 3037000500; above, 35 of the 64 angles are small enough at every distance, which the comparisons show. Lengths from 4096 on are covered at exhaustive effort only. That 1000·L serves every length is open. In Coq is a part: that every length has such a base, (2L)^(d/2) for every even d ≥ 6 and (2L)^4 for d = 128, and that the five integers do not serve; the cover by intervals, and with it the five bases, is too long for it.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal | SystemKind::Rounded { precision: 0..53 } => Vec::new(),
            _ => vec![Size { dim: DIM, tokens: 0, base: 0 }],
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let mut all = Vec::new();
        for (row, safe) in SAFE.iter().enumerate() {
            let mut compared = |what, relation| all.push(Comparison { what, index: [row, 0], relation });
            let (base, distance) = safe.failing;
            let (score, zero) = (score(system, base, DIM, distance), system.integer(0));
            if form.is_sabotaged() {
                compared("0 and score under a base that is lower", Relation::AtMost(zero, score));
                continue;
            }
            compared("score under the integer below, and 0", Relation::Less(score, zero));
            if let Some(rate) = frequencies(safe.tail, DIM).get(TAIL) {
                let angle = system.angle(&(Position::integer(safe.length.into()) * rate.clone()));
                compared("largest small angle, and 3", Relation::Less(angle, system.integer(3)));
            }
            let others = system.integer(TAIL as i64);
            compared(
                "pairs of large angles, and the sum of the small ones",
                Relation::Less(others, tail(system, safe)),
            );
        }
        Ok(all)
    }

    fn work(_: &Size) -> usize {
        2 * SAFE.len() * DIM
    }

    fn surveys(effort: Effort, form: Form) -> Vec<Survey> {
        let count = if effort == Effort::Exhaustive { SAFE.len() } else { QUICKLY };
        let covers =
            SAFE.iter().take(count).map(|safe| survey(safe, if form.is_sabotaged() { safe.lower } else { safe.from }));
        let base = |safe: &Safe| if form.is_sabotaged() { safe.failing.0 } else { 1000 * safe.length };
        let starting = SAFE.iter().map(move |safe| survey_of_base(base(safe), DIM, safe.length, Service::Whole));
        covers.chain(starting).collect()
    }

    fn values() -> Vec<CertifiedValue> {
        let value = |safe: &Safe| score(&Enclosing::default(), safe.failing.0, DIM, safe.failing.1);
        SAFE.iter().map(|safe| CertifiedValue { name: safe.name, enclosure: value(safe) }).collect()
    }
}
