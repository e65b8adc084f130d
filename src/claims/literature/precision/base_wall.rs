//! `precision.base-wall`: consecutive phases stay apart whatever the base.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, Survey, SystemKind, Verdict,
};
use crate::evidence::Effort;
use crate::number::interval::Interval;
use crate::number::system::{Decision, Measure};
use crate::number::{Frequency, Relation, System};
use rug::Rational;
use std::sync::LazyLock;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct BaseWall;

const DIM: usize = 128;

/// The slowest frequency of base 10^12, θ = (10^6)^(−2·126/128).
const SLOWEST: Frequency = Frequency::Power { base: 1_000_000, dim: DIM, index: DIM - 2 };

/// Consecutive positions below this have binary32 phases in order.
const LENGTH: u32 = 1 << 20;

/// θ rounded to binary32.
static RATE: LazyLock<f32> = LazyLock::new(|| Interval::frequency(&SLOWEST, Interval::PRECISION).midpoint().to_f32());

/// fl(m·θ): binary32 conversions and products round to nearest, ties to even.
fn rounded_phase(m: u32) -> f32 {
    m as f32 * *RATE
}

/// First m of a range in binary32 for which fl(m·θ) < fl((m + 1)·θ) is false, if there is one.
fn first_repeat(positions: std::ops::Range<u32>) -> Option<u32> {
    positions.into_iter().find(|m| rounded_phase(*m) >= rounded_phase(m + 1))
}

impl Claim for BaseWall {
    const ABOUT: About = About {
        id: "precision.base-wall",
        statement: "A base beyond 1/ε does not make consecutive phases indistinguishable: in binary32, where 1/ε is 2^23, the rounded phases m·θ of the slowest pair for base 10^12 and d = 128 increase strictly with m, for all m below 2^20.",
        written: Some("base < 1/ε_mach, or else the phases of consecutive positions are indistinguishable."),
        sources: &[Source { document: Document::PhaseModulation, place: "the precision wall (as summarised)" }],
        verdict: Verdict::Refuted,
        sabotage: "position m − 1 for m + 1; in the survey, positions next to 2^24",
        remark: Some(
            "The paper was read in its abstract and in a summary with its formulas. For every format and θ above its least positive number the rounded phases increase while m + 1 < 2^(p − 1), by a corollary of the theorem. Its phases are taken as products m·θ; what such a small phase does to a cosine in binary32 is another matter, and 1 − cos there is 0 for the slowest pairs of much smaller bases too.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal | SystemKind::Rounded { precision: 0..24 } => Vec::new(),
            _ => vec![Size { dim: DIM, tokens: 0, base: 0 }],
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().choice("m", 1..=LENGTH as usize - 1)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let m = case.choice("m")? as u32;
        let phase = |m: u32| system.rational(&Rational::from_f32(rounded_phase(m)).unwrap_or_default());
        let next = if form.is_sabotaged() { m - 1 } else { m + 1 };
        let relation = match form {
            Form::AsWritten => Relation::Equal(phase(m), phase(next)),
            _ => Relation::Less(phase(m), phase(next)),
        };
        Ok(vec![Comparison::new("phases of consecutive positions", relation)])
    }

    fn surveys(_: Effort, form: Form) -> Vec<Survey> {
        let positions = if form.is_sabotaged() { (1 << 24) - LENGTH..1 << 24 } else { 0..LENGTH };
        let scope = format!("all positions from {} to {}, phases rounded to binary32", positions.start, positions.end);
        let cases = u64::from(positions.end - positions.start);
        let measure = Measure { error: 0.0, bound: 0.0 };
        let (decision, finding) = match first_repeat(positions) {
            None => (Decision::Held(measure), "each phase is below the next".to_owned()),
            Some(m) => (Decision::Refuted(measure), format!("the phase of {m} is not below the next")),
        };
        vec![Survey { scope, cases, decision, finding, measured: None }]
    }
}
