//! `base.similarity-bound`: two components a pair, and so a factor of 2.

use super::constant;
use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::encoding::rotary::{rotary, vector};
use crate::encoding::sinusoid::frequencies;
use crate::number::interval::{Enclosing, Interval};
use crate::number::{Position, Relation, System};
use nalgebra::DVector;
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct SimilarityBound;

const BASE: u32 = 500_000;

/// ‖x‖²·sin∠ of x and its rotation by one position: the imaginary part of their Hermitian product over the pairs.
fn sine<S: System>(system: &S, dim: usize, x: &DVector<S::Number>) -> S::Number {
    let turned = rotary(system, &frequencies(BASE, dim), &Position::integer(1)).apply(x);
    (0..dim / 2).fold(system.integer(0), |sum, pair| {
        let [a, b] = [x[2 * pair].clone(), x[2 * pair + 1].clone()];
        sum + a * turned[2 * pair + 1].clone() - b * turned[2 * pair].clone()
    })
}

impl Claim for SimilarityBound {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "base.similarity-bound",
        statement: "With C_d = Σ_{j<d/2} sin θ_j, where all θ_j are at most π, 2·min x_k²·C_d ≤ ‖x‖²·sin∠(x, R(1)x) ≤ 2·max x_k²·C_d, sin∠ being the imaginary part of the Hermitian product over the pairs; for x = (1, …, 1) both are equalities, so that without the factor 2 the upper bound fails: 2·C_d > C_d.",
        written: Some("sin∠ ≤ max x_k²·C_d/‖x‖²: for x = (1, …, 1), ‖x‖²·sin∠ ≤ C_d."),
        sources: &[Source { document: Document::EffectiveLongContext, place: "Theorem 1 in the appendix" }],
        verdict: Verdict::Corrected,
        sabotage: "factor 1 for 2",
        remark: Some(
            "A pair has two components, each with its square. The equality is compared with frequencies as variables, the inequality at d = 2 and 128 for base 500000 and components between 1/2 and 1, of which the first are 1 and 1/2.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let of = |dims: &[usize]| dims.iter().map(|dim| Size { dim: *dim, tokens: 0, base: BASE }).collect();
        match kind {
            SystemKind::Formal => of(&[2, 4, 8]),
            _ => of(&[2, 128]),
        }
    }

    fn inputs(size: &Size) -> Inputs {
        Inputs::default().reals_in("x", size.dim, 0.5, 1.0)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let dim = case.size.dim;
        let ones = DVector::from_element(dim, system.integer(1));
        let (whole, constant) = (sine(system, dim, &ones), constant(system, BASE, dim));
        if form == Form::AsWritten {
            return Ok(vec![Comparison::new("‖x‖²·sin∠ and C_d", Relation::AtMost(whole, constant))]);
        }
        let factor = system.integer(if form.is_sabotaged() { 1 } else { 2 });
        // The largest and the smallest component are known: 1 and 1/2.
        let mut x = vector(system, "x", dim);
        x[0] = system.integer(1);
        x[1] = system.rational(&Rational::from((1, 2)));
        let found = sine(system, dim, &x);
        let upper = factor.clone() * constant.clone();
        let lower = upper.clone() * system.rational(&Rational::from((1, 4)));
        Ok(vec![
            Comparison::new("‖x‖²·sin∠ for x = (1, …, 1)", Relation::Equal(whole, upper.clone())),
            Comparison::new("2·min x_k²·C_d and ‖x‖²·sin∠", Relation::AtMost(lower, found.clone())),
            Comparison::new("‖x‖²·sin∠ and 2·max x_k²·C_d", Relation::AtMost(found, upper)),
        ])
    }

    fn work(size: &Size) -> usize {
        6 * size.dim
    }

    fn values() -> Vec<CertifiedValue> {
        let dim = 128;
        let printed = constant(&Enclosing::default(), BASE, dim) / Interval::from(dim as i32);
        vec![
            CertifiedValue { name: "sine_of_ones", enclosure: Interval::from(2) * printed.clone() },
            CertifiedValue { name: "printed_upper_bound", enclosure: printed },
        ]
    }
}
