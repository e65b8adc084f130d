//! `precision.aliasing-limit`: positions do not alias beyond the slowest wavelength.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::encoding::decay::cosine_sum;
use crate::encoding::sinusoid::frequencies;
use crate::number::interval::Enclosing;
use crate::number::{Frequency, Phase, Position, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct AliasingLimit;

const DIM: usize = 128;
const BASE: u32 = 10_000;

/// 2π·base, rounded up to an integer.
const LIMIT: i64 = 62_832;

/// 2π/θ of the pair of that index.
fn wavelength<S: System>(system: &S, index: usize) -> S::Number {
    let rate = Frequency::Power { base: BASE, dim: DIM, index };
    system.angle(&Phase::turns(1, 1)) / system.angle(&(Position::integer(1) * rate))
}

impl Claim for AliasingLimit {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "precision.aliasing-limit",
        statement: "The slowest wavelength is 2π·b^((d−2)/d), for d = 128 and b = 10000 less than 54411 and so below 2π·b = 62831.85…; and it is no limit: no two integer positions are rotated alike, and the score of q = k = (1, 0, 1, 0, …) at distance 62832 is below 32, where that of coinciding positions is 64.",
        written: Some("L < 2π·base is a fundamental limit: positions that far apart alias."),
        sources: &[Source { document: Document::PhaseModulation, place: "the aliasing limit (as summarised)" }],
        verdict: Verdict::Refuted,
        sabotage: "exponent 1 for (d−2)/d: the pairs counted from 1",
        remark: Some(
            "The paper was read in its abstract and in a summary with its formulas. That no two integer positions are rotated alike is sinusoid.no-integer-cycle.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal | SystemKind::Rounded { precision: 0..24 } => Vec::new(),
            _ => vec![Size { dim: DIM, tokens: 0, base: BASE }],
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let score = cosine_sum(system, &frequencies(BASE, DIM), &Position::integer(LIMIT));
        if form == Form::AsWritten {
            let coinciding = system.integer(DIM as i64 / 2);
            return Ok(vec![Comparison::new("64 and score at distance 62832", Relation::AtMost(coinciding, score))]);
        }
        let slowest = if form.is_sabotaged() { DIM / 2 } else { DIM / 2 - 1 };
        Ok(vec![
            Comparison::new(
                "slowest wavelength and 54411",
                Relation::Less(wavelength(system, slowest), system.integer(54_411)),
            ),
            Comparison::new("score at distance 62832 and 32", Relation::Less(score, system.integer(DIM as i64 / 4))),
        ])
    }

    fn values() -> Vec<CertifiedValue> {
        let system = Enclosing::default();
        let score = cosine_sum(&system, &frequencies(BASE, DIM), &Position::integer(LIMIT));
        vec![
            CertifiedValue { name: "slowest_wavelength", enclosure: wavelength(&system, DIM / 2 - 1) },
            CertifiedValue { name: "score_62832", enclosure: score },
        ]
    }
}
