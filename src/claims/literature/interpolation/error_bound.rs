//! `interpolation.error-bound`: the error of linear interpolation exceeds the bound of Theorem 2.1.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Refusal, Size, Source,
    SystemKind, Verdict,
};
use crate::encoding::sinusoid::frequencies;
use crate::number::interval::{Enclosing, Interval};
use crate::number::{Frequency, Number, Position, Relation, System};
use num_traits::Zero;
use rug::Rational;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct ErrorBound;

const BASE: u32 = 10_000;

/// Where the corrected bound is looked at for many h: two positions 0 and 8 and those between, at this dimension.
const MANY: usize = 8;
const APART: usize = 8;

/// The dimensions of the witnesses, and the theorem's bound at the middle of a unit interval, d/(32·ln c), rounded up.
static PRINTED: LazyLock<BTreeMap<usize, Rational>> =
    LazyLock::new(|| [2, 64, 128, 256].map(|dim| (dim, printed(dim).upper().to_rational().unwrap_or_default())).into());

/// d·max|h|·(s−s₁)(s₂−s)/(8·ln c) for max|h| = 1, s₁ = 0, s = ½, s₂ = 1.
fn printed(dim: usize) -> Interval {
    Interval::from(dim as i32) / (Interval::from(32) * Interval::from(BASE as i32).ln())
}

/// |a(s) − a_lin(s)| at s = ½ between 0 and 1 for h_j = e^(−iθ_j/2): a(½) = Σ 1, a(0) = a(1) = Σ cos(θ_j/2).
///
/// cos(θ/2) = √((1 + cos θ)/2), as θ/2 ≤ ½.
pub fn error_at_midpoint<S: System>(system: &S, dim: usize) -> S::Number {
    let (one, two) = (system.integer(1), system.integer(2));
    let halved = |rate: Frequency| {
        let cosine = system.cis(&(Position::integer(1) * rate)).re;
        one.clone() - ((one.clone() + cosine) / two.clone()).sqrt()
    };
    frequencies(BASE, dim).into_iter().fold(S::Number::zero(), |sum, rate| sum + halved(rate))
}

/// 1/(1 − c^(−4/d)), the sum of all θ_j².
fn series<S: System>(system: &S, dim: usize) -> S::Number {
    let square = Frequency::Power { base: BASE, dim, index: 2 };
    system.integer(1) / (system.integer(1) - system.angle(&(Position::integer(1) * square)))
}

/// The corrected bound for parts of h in [−1, 1], so that |h| ≤ √2, at an integer between 0 and [`APART`].
fn for_many<S: System>(system: &S, case: &Case) -> Comparisons<S::Number> {
    let s = case.choice("s")? as i64;
    let far = APART as i64;
    let rates = frequencies(BASE, MANY);
    let score = |position: i64| {
        let term = |(pair, rate): (usize, &Frequency)| {
            let point = system.cis(&(Position::integer(position) * rate.clone()));
            system.real("h", 2 * pair) * point.re - system.real("h", 2 * pair + 1) * point.im
        };
        rates.iter().enumerate().map(term).fold(S::Number::zero(), |sum, term| sum + term)
    };
    let linear = (score(0) * system.integer(far - s) + score(far) * system.integer(s)) / system.integer(far);
    let error = score(s) - linear;
    let bound = system.integer(2).sqrt() * system.integer(s * (far - s)) * series(system, MANY) / system.integer(2);
    let sides = [error.clone(), -error];
    Ok(sides.map(|side| Comparison::new("error and corrected bound", Relation::AtMost(side, bound.clone()))).into())
}

impl Claim for ErrorBound {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "interpolation.error-bound",
        statement: "|a(s) − a_lin(s)| ≤ max|h|·(s−s₁)(s₂−s)/(2·(1 − c^(−4/d))) for all h and s₁ ≤ s ≤ s₂; the printed bound is exceeded in the middle of a unit interval by h_j = e^(−iθ_j/2), for d = 128 and c = 10000 with an error of 0.49387… where it allows 0.43429…, and for d = 2, 64 and 256 too.",
        written: Some("|a(s) − a_lin(s)| ≤ d·max|h|·(s−s₁)(s₂−s)/(8·ln c)."),
        sources: &[Source {
            document: Document::PositionInterpolation,
            place: "Theorem 2.1, equations (5), (7) and (17)",
        }],
        verdict: Verdict::Refuted,
        sabotage: "the printed constant d/(8·ln c) for 1/(2·(1 − c^(−4/d)))",
        remark: Some(
            "The corrected bound follows from |a′′| ≤ max|h|·Σθ_j²; it is compared at the witnesses, and for many h at d = 8 between positions 0 and 8, with √2 for max|h|. The cause is interpolation.log-inequality. At which other d the printed bound fails is not looked at.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal => Vec::new(),
            SystemKind::Rounded { precision: 0..24 } => [2, MANY].map(Size::dim).to_vec(),
            _ => [2, 64, 128, 256, MANY].map(Size::dim).to_vec(),
        }
    }

    fn inputs(size: &Size) -> Inputs {
        match size.dim {
            MANY => Inputs::default().reals("h", MANY, 1.0).choice("s", 1..=APART - 1),
            _ => Inputs::default(),
        }
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let dim = case.size.dim;
        if dim == MANY {
            return if form == Form::Settled { for_many(system, case) } else { Ok(Vec::new()) };
        }
        let printed = PRINTED.get(&dim).ok_or(Refusal::NotFound("the printed bound"))?;
        let (error, printed) = (error_at_midpoint(system, dim), system.rational(printed));
        Ok(match form {
            Form::Settled => vec![
                Comparison::new("printed bound and error", Relation::Less(printed, error.clone())),
                Comparison::new(
                    "error and corrected bound",
                    Relation::AtMost(error, series(system, dim) / system.integer(8)),
                ),
            ],
            _ => vec![Comparison::new("error and printed bound", Relation::AtMost(error, printed))],
        })
    }

    fn work(size: &Size) -> usize {
        4 * size.dim
    }

    fn values() -> Vec<CertifiedValue> {
        let system = Enclosing::default();
        let named = [
            (["error_d2", "printed_d2", "corrected_d2"], 2),
            (["error_d64", "printed_d64", "corrected_d64"], 64),
            (["error_d128", "printed_d128", "corrected_d128"], 128),
            (["error_d256", "printed_d256", "corrected_d256"], 256),
        ];
        let values = named.into_iter().flat_map(|([error, bound, corrected], dim)| {
            [
                CertifiedValue { name: error, enclosure: error_at_midpoint(&system, dim) },
                CertifiedValue { name: bound, enclosure: printed(dim) },
                CertifiedValue { name: corrected, enclosure: series(&system, dim) / Interval::from(8) },
            ]
        });
        values.collect()
    }
}
