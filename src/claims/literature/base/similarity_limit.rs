//! `base.similarity-limit`: a sum that grows with the dimension is given a finite limit.

use super::constant;
use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::number::interval::{Enclosing, Interval};
use crate::number::{Frequency, Position, Relation, System};
use rug::Rational;
use std::sync::LazyLock;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct SimilarityLimit;

const BASE: u32 = 500_000;

/// 1/(ln b + ln β) for bβ = [`BASE`].
fn claimed() -> Interval {
    Interval::from(1) / Interval::from(BASE as i32).ln()
}

/// An upper bound of [`claimed`], the same in every system.
static CLAIMED: LazyLock<Rational> = LazyLock::new(|| claimed().upper().to_rational().unwrap_or_default());

impl Claim for SimilarityLimit {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "base.similarity-limit",
        statement: "C_d = Σ_{j<d/2} sin((bβ)^(−2j/d)) tends to infinity with d, as C_d ≥ (d/2)·sin(1/(bβ)), and so does Σ_{j<d/2} sin(α·b^(−2j/d)), 0 < α ≤ 1, for position interpolation; what converges is (2/d)·C_d, to (Si(1) − Si(1/(bβ)))/ln(bβ), and under interpolation to (Si(α) − Si(α/b))/ln b, Si being the sine integral, with a difference of at most 2α/d. For bβ = 500000 C_d is 5.044… at d = 128 and 37.33… at d = 1024, where the printed limit is 1/ln(bβ) = 0.0762…, and the limit of (2/d)·C_d is 0.0720968…; for b = 10000 and α = 1/4 the sum is 1.857… at d = 128, where the printed limit is α/ln b = 0.0271…, and the limit of its mean is 0.0270466….",
        written: Some("lim C_d ≈ 1/(ln b + ln β) as d → ∞, and α/ln b under position interpolation by α."),
        sources: &[Source { document: Document::EffectiveLongContext, place: "Theorem 1 in the appendix" }],
        verdict: Verdict::Refuted,
        sabotage: "the printed limit",
        remark: Some(
            "A factor d/2 was lost in the geometric sum. C_d ≥ (d/2)·sin(1/(bβ)) is compared at d = 128, 1024 and 8192; what is said of limits and of position interpolation is proved and not compared.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let dims = |dims: &[usize]| dims.iter().map(|dim| Size { dim: *dim, tokens: 0, base: BASE }).collect();
        match kind {
            SystemKind::Formal => Vec::new(),
            SystemKind::Rounded { precision: 0..24 } => dims(&[128]),
            _ => dims(&[128, 1024, 8192]),
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let dim = case.size.dim;
        let (sum, claimed) = (constant(system, BASE, dim), system.rational(&CLAIMED));
        if form != Form::Settled {
            return Ok(vec![Comparison::new("C_d and the printed limit", Relation::AtMost(sum, claimed))]);
        }
        // (d/2)·sin(1/(bβ)) by the last term of a dimension 2 with that frequency: index 1 counted from 0.
        let slowest = system.cis(&(Position::integer(1) * Frequency::Power { base: BASE, dim: 2, index: 1 })).im;
        let lower = system.integer(dim as i64 / 2) * slowest;
        Ok(vec![
            Comparison::new("the printed limit and C_d", Relation::Less(claimed, sum.clone())),
            Comparison::new("(d/2)·sin(1/(bβ)) and C_d", Relation::Less(lower, sum)),
        ])
    }

    fn values() -> Vec<CertifiedValue> {
        let system = Enclosing::default();
        let named = [("c_64", 64), ("c_128", 128), ("c_1024", 1024), ("c_8192", 8192)];
        let mut values: Vec<CertifiedValue> =
            named.map(|(name, dim)| CertifiedValue { name, enclosure: constant(&system, BASE, dim) }).into();
        values.push(CertifiedValue { name: "printed_limit", enclosure: claimed() });
        values
    }
}
