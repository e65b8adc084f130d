//! `decay.abel-bound`: a true bound on the score that says less than the triangle inequality.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, Survey,
    SystemKind, Verdict,
};
use crate::encoding::decay::{Profile, partial_sums};
use crate::encoding::sinusoid::frequencies;
use crate::evidence::Effort;
use crate::number::interval::Enclosing;
use crate::number::system::{Decision, Measure};
use crate::number::{Number, Phase, Position, Relation, System};
use num_traits::Zero;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct AbelBound;

/// The usual head dimension.
const DIM: usize = 128;

/// The size at which the inequalities are looked at for many h: two pairs, so that A can be small.
const SMALL: usize = 4;

/// The distance at which the bound as written is looked at.
const NEAREST: i64 = 3643;

/// Σ|h_i| of unit h, which every score obeys: the number of pairs.
const TRIANGLE: i64 = (DIM / 2) as i64;

/// 2·A(s) or, in the sabotaged form, 2·(2/d)·A(s).
fn bound<S: System>(system: &S, dim: usize, distance: &Position, form: Form) -> S::Number {
    let sums = partial_sums(system, &frequencies(10_000, dim), distance);
    let double = system.integer(2) * sums;
    if form.is_sabotaged() { double / system.integer(dim as i64 / 2) } else { double }
}

/// |a(s)| ≤ max|h_(i+1) − h_i|·A(s) ≤ 2·A(s) for h = (1, e^(2πi·eighths/8)), and d/2 ≤ 2·A(s).
fn inequalities<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
    let (s, eighths) = (Position::symbol("s"), case.choice("eighths")?);
    let h = Phase::turns(eighths as i64, 8);
    let rates = frequencies(10_000, SMALL);
    let phases = rates.into_iter().zip([Phase::zero(), h.clone()]);
    let score = phases.fold(S::Number::zero(), |sum, (rate, h)| sum + system.cis(&(s.clone() * rate + h)).re);
    let double = bound(system, SMALL, &s, form);
    // |h_1 − h_0| = 2·sin(π·eighths/8) is at least |h_2 − h_1| = 1 for eighths 2 … 6.
    let step = match eighths {
        2..=6 => {
            let point = system.cis(&h);
            let re = point.re - system.integer(1);
            (re.clone() * re + point.im.clone() * point.im).sqrt()
        }
        _ => system.integer(1),
    };
    let single = double.clone() / system.integer(2) * step;
    let pairs = system.integer(SMALL as i64 / 2);
    let mut all = vec![Comparison::new("d/2 and 2·A", Relation::AtMost(pairs, double.clone()))];
    for side in [score.clone(), -score] {
        all.push(Comparison::new("score and max|h_(i+1) − h_i|·A", Relation::AtMost(side.clone(), single.clone())));
        all.push(Comparison::new("score and 2·A", Relation::AtMost(side, double.clone())));
    }
    Ok(all)
}

impl Claim for AbelBound {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "decay.abel-bound",
        statement: "|a(s)| ≤ max|h_{i+1} − h_i|·A(s) ≤ 2·max|h|·A(s) for all h, where h_{d/2} = 0; but the last form says nothing at any distance: for all even d, all frequencies and all real s, 2·A(s) ≥ d/2, as |S_j| + |S_{j+1}| ≥ 1, while |a(s)| ≤ Σ|h_i| ≤ (d/2)·max|h|, and Σ|h_i| is the score at distance s of some h of these moduli. For d = 128 and base 10000, 2·A(s) > 64 at every real s.",
        written: Some(
            "2·max|h|·A(s) bounds the score where positions are extrapolated: at distance 3643 it is below what the triangle inequality gives.",
        ),
        sources: &[
            Source { document: Document::RoFormer, place: "equation (37)" },
            Source { document: Document::PositionInterpolation, place: "equation (8), the extrapolation bound" },
        ],
        verdict: Verdict::Corrected,
        sabotage: "the mean (2/d)·A(s), which RoFormer plots, for the sum A(s)",
        remark: Some(
            "The inequalities are compared at d = 4 for h_0 = 1 and h_1 an eighth root of unity. How far above 64 = d/2 the bound 2·A(s) is at d = 128, a survey tells of integer distances below 131072, at exhaustive effort below 2^20. That the form with differences can say something, for h that vary slowly from pair to pair, is not denied.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal => Vec::new(),
            SystemKind::Rounded { precision: 0..24 } => vec![Size::dim(SMALL)],
            _ => vec![Size::dim(SMALL), Size::dim(DIM)],
        }
    }

    fn inputs(size: &Size) -> Inputs {
        match size.dim {
            SMALL => Inputs::default().position("s").choice("eighths", 0..=7),
            _ => Inputs::default(),
        }
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        match (case.size.dim, form) {
            (SMALL, Form::AsWritten) => Ok(Vec::new()),
            (SMALL, _) => inequalities(system, case, form),
            _ => {
                let (triangle, double) =
                    (system.integer(TRIANGLE), bound(system, DIM, &Position::integer(NEAREST), form));
                let (what, relation) = match form {
                    Form::AsWritten => ("2·A at distance 3643 and 64", Relation::Less(double, triangle)),
                    _ => ("64 and 2·A at distance 3643", Relation::Less(triangle, double)),
                };
                Ok(vec![Comparison::new(what, relation)])
            }
        }
    }

    fn work(size: &Size) -> usize {
        8 * size.dim
    }

    fn surveys(effort: Effort, form: Form) -> Vec<Survey> {
        let length: u32 = if effort == Effort::Exhaustive { 1 << 20 } else { 131_072 };
        let profile = Profile::of_partial_sums(&frequencies(10_000, DIM), 0..length);
        let scope = format!("all distances below {length} at d = {DIM}, base 10000, by passes in f64");
        let Some((distance, least)) = profile.least() else { return Vec::new() };
        let share = if form.is_sabotaged() { DIM as f64 / 2.0 } else { 1.0 };
        let measure = Measure { error: 2.0 * profile.radius, bound: 0.0 };
        let decision = match 2.0 * (least - profile.radius) / share > TRIANGLE as f64 {
            true => Decision::Held(measure),
            false => Decision::Refuted(measure),
        };
        let exact = bound(&Enclosing::default(), DIM, &Position::integer(distance.into()), Form::Settled);
        let (lower, upper) = exact.decimal_with(Some(16));
        let above = if matches!(decision, Decision::Held(_)) { "above" } else { "not shown above" };
        let finding = format!("2·A is {above} 64; computed least at {distance}, where it is [{lower}, {upper}]");
        vec![Survey { scope, cases: length.into(), decision, finding, measured: None }]
    }

    fn values() -> Vec<CertifiedValue> {
        let named = [
            ("double_sum_0", 0),
            ("double_sum_3643", NEAREST),
            ("double_sum_70508", 70_508),
            ("double_sum_940249", 940_249),
        ];
        let value = |distance| bound(&Enclosing::default(), DIM, &Position::integer(distance), Form::Settled);
        named.map(|(name, distance)| CertifiedValue { name, enclosure: value(distance) }).into()
    }
}
