//! `decay.monotone`: neither the score nor its bound decreases as the distance grows.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, Survey,
    SystemKind, Verdict,
};
use crate::encoding::decay::{Profile, cosine_sum, partial_sums};
use crate::encoding::sinusoid::frequencies;
use crate::evidence::Effort;
use crate::number::interval::{Enclosing, Interval};
use crate::number::system::{Decision, Measure};
use crate::number::{Frequency, Position, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Monotone;

const DIM: usize = 128;
const BASE: u32 = 10_000;

/// The first distance from which A rises, and one from which B does.
const BOUND_RISES_AT: i64 = 18;
const SCORE_RISES_AT: i64 = 11;

/// The steps that the survey looks at.
const STEPS: u32 = 4096;

fn at<S: System>(system: &S, sum: fn(&S, &[Frequency], &Position) -> S::Number, distance: i64) -> S::Number {
    sum(system, &frequencies(BASE, DIM), &Position::integer(distance))
}

impl Claim for Monotone {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "decay.monotone",
        statement: "For d = 128 and base 10000 neither decays with the distance: the bound rises from A(18) to A(19), A(s) = Σ_{j=1}^{64} |Σ_{i<j} e^(isθ_i)|, and the score of q = k = (1, 0, 1, 0, …) from B(11) to B(12), B(m) = Σ_i cos(mθ_i); A rises at 2020 of the 4096 steps from 0 to 4096, first from 18 to 19.",
        written: Some("The inner product decays when the relative position increases."),
        sources: &[Source { document: Document::RoFormer, place: "sections 3.3 and 3.4.3, Figure 2" }],
        verdict: Verdict::Refuted,
        sabotage: "the step before: from 17 to 18 for 18 to 19, from 10 to 11 for 11 to 12",
        remark: Some(
            "That the figure falls on the whole, over hundreds of positions, is not denied: its trend is not a bound on the score at any one distance. Of the count Coq computes 4097 sums of 64 square roots, in whole numbers.",
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
        let rises = [
            (
                ["bound A at a distance and at the next", "bound A at the distance after one and at that one"],
                partial_sums::<S> as fn(&S, &[Frequency], &Position) -> S::Number,
                BOUND_RISES_AT,
            ),
            (
                ["score B at a distance and at the next", "score B at the distance after one and at that one"],
                cosine_sum::<S>,
                SCORE_RISES_AT,
            ),
        ];
        let all = rises.map(|([rising, falling], sum, distance)| {
            let from = if form.is_sabotaged() { distance - 1 } else { distance };
            let (here, next) = (at(system, sum, from), at(system, sum, from + 1));
            let (what, relation) = match form {
                Form::AsWritten => (falling, Relation::AtMost(next, here)),
                _ => (rising, Relation::Less(here, next)),
            };
            Comparison { what, index: [from as usize, 0], relation }
        });
        Ok(all.into())
    }

    fn work(_: &Size) -> usize {
        8 * DIM
    }

    fn surveys(_: Effort, form: Form) -> Vec<Survey> {
        let profile = Profile::of_partial_sums(&frequencies(BASE, DIM), 0..STEPS + 1);
        let slack = 2.0 * profile.radius;
        let steps: Vec<f64> = profile.values.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let rises: Vec<usize> = (0..steps.len()).filter(|step| steps[*step] > slack).collect();
        let falls = steps.iter().filter(|step| **step < -slack).count();
        let first = BOUND_RISES_AT as usize - usize::from(form.is_sabotaged());
        let measure = Measure { error: slack, bound: 0.0 };
        let decision = match rises.first() {
            _ if rises.len() + falls < steps.len() => Decision::unable("the bound is too near to itself at some step"),
            Some(step) if *step == first && rises.len() == 2020 => Decision::Held(measure),
            _ => Decision::Refuted(measure),
        };
        let scope = format!("all {STEPS} steps from 0 to {STEPS} at d = {DIM}, base {BASE}, by a pass in f64");
        let at = rises.first().map_or("nowhere".to_owned(), |step| format!("first from {step} to {}", step + 1));
        let finding = format!("A rises at {} steps, {at}, and falls at {falls}", rises.len());
        vec![Survey { scope, cases: STEPS.into(), decision, finding, measured: None }]
    }

    fn values() -> Vec<CertifiedValue> {
        let system = Enclosing::default();
        let mean = |distance| at(&system, partial_sums, distance) / Interval::from(DIM as i32 / 2);
        vec![
            CertifiedValue { name: "mean_partial_sum_18", enclosure: mean(18) },
            CertifiedValue { name: "mean_partial_sum_19", enclosure: mean(19) },
            CertifiedValue { name: "score_11", enclosure: at(&system, cosine_sum, 11) },
            CertifiedValue { name: "score_12", enclosure: at(&system, cosine_sum, 12) },
        ]
    }
}
