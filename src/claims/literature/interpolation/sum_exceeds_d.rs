//! `interpolation.sum-exceeds-d`: where the sum of partial sums falls below the dimension.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, Survey,
    SystemKind, Verdict,
};
use crate::encoding::decay::{Profile, partial_sums};
use crate::encoding::sinusoid::frequencies;
use crate::evidence::Effort;
use crate::number::interval::Enclosing;
use crate::number::system::{Decision, Measure};
use crate::number::{Position, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct SumExceedsD;

const DIM: usize = 128;
const BASE: u32 = 10_000;

/// The first distance at which A is below d.
const FIRST: i64 = 4861;

/// The length that the survey looks at, and the distances below it at which A is below d.
const LENGTH: u32 = 32_768;
const BELOW: usize = 887;

fn sum<S: System>(system: &S, distance: i64) -> S::Number {
    partial_sums(system, &frequencies(BASE, DIM), &Position::integer(distance))
}

impl Claim for SumExceedsD {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "interpolation.sum-exceeds-d",
        statement: "For d = 128 and base 10000, A(s) > d at every integer 0 ≤ s ≤ 4860 and A(4861) < d; among the distances below 32768 it is below d at 887.",
        written: Some("A(s) is at least larger than d."),
        sources: &[Source {
            document: Document::PositionInterpolation,
            place: "section 2.3 and appendix B (plotted for s ≤ 4096)",
        }],
        verdict: Verdict::Refuted,
        sabotage: "one position too early: A(4860) < d",
        remark: Some(
            "The paper says \"numerically\"; over the distances that it plots, the sentence is true. Coq computes all 32768 sums in whole numbers, those near d with more digits.",
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
        let dim = system.integer(DIM as i64);
        Ok(match form {
            Form::AsWritten => {
                vec![Comparison::new("d and A at distance 4861", Relation::Less(dim, sum(system, FIRST)))]
            }
            Form::Sabotaged => {
                vec![Comparison::new("A at distance 4860 and d", Relation::Less(sum(system, FIRST - 1), dim))]
            }
            Form::Settled => vec![
                Comparison::new("A at distance 4861 and d", Relation::Less(sum(system, FIRST), dim.clone())),
                Comparison::new("d and A at distance 4860", Relation::Less(dim, sum(system, FIRST - 1))),
            ],
        })
    }

    fn work(_: &Size) -> usize {
        8 * DIM
    }

    fn surveys(_: Effort, form: Form) -> Vec<Survey> {
        let profile = Profile::of_partial_sums(&frequencies(BASE, DIM), 0..LENGTH);
        let dim = DIM as f64;
        let below: Vec<u32> =
            profile.iter().filter(|(_, sum)| *sum < dim - profile.radius).map(|(distance, _)| distance).collect();
        let undecided = profile.iter().any(|(_, sum)| (sum - dim).abs() <= profile.radius);
        let first = FIRST as u32 - u32::from(form.is_sabotaged());
        let measure = Measure { error: 2.0 * profile.radius, bound: 0.0 };
        let decision = match below.first() {
            _ if undecided => Decision::unable("A is too near to d at some distance"),
            Some(distance) if *distance == first && below.len() == BELOW => Decision::Held(measure),
            _ => Decision::Refuted(measure),
        };
        let scope = format!("all distances below {LENGTH} at d = {DIM}, base {BASE}, by passes in f64");
        let at = below.first().map_or("nowhere".to_owned(), |distance| format!("first at {distance}"));
        let least = profile.least().map_or(0, |(distance, _)| distance);
        let finding = format!("A is below d at {} distances, {at}; computed least at {least}", below.len());
        vec![Survey { scope, cases: LENGTH.into(), decision, finding, measured: None }]
    }

    fn values() -> Vec<CertifiedValue> {
        let named = [("sum_4860", 4860), ("sum_4861", FIRST), ("sum_22297", 22_297)];
        named.map(|(name, distance)| CertifiedValue { name, enclosure: sum(&Enclosing::default(), distance) }).into()
    }
}
