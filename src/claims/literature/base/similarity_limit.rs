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
        statement: "C_d = Σ_{j<d/2} sin((bβ)^(−2j/d)) tends to infinity with d, as C_d ≥ (d/2)·sin(1/(bβ)); for bβ = 500000 it is 5.044… at d = 128 and 37.33… at d = 1024, where the printed limit is 1/ln(bβ) = 0.0762….",
        written: Some("lim C_d ≈ 1/(ln b + ln β) as d → ∞."),
        sources: &[Source { document: Document::EffectiveLongContext, place: "Theorem 1 in the appendix" }],
        verdict: Verdict::Refuted,
        sabotage: "the printed limit",
        remark: Some(
            "A factor d/2 was lost in the geometric sum; the limit of (2/d)·C_d, a difference of sine integrals over ln(bβ), is not computed here, nor is the form α/ln b for position interpolation. Divergence follows from the inequality, which is compared at d = 128, 1024 and 8192.",
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
