//! `decay.abel-identity`: summation by parts, on which the bound of "long-term decay" rests.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::encoding::sinusoid::frequencies;
use crate::number::{Position, Relation, System};
use num_complex::Complex;
use num_traits::Zero;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct AbelIdentity;

impl Claim for AbelIdentity {
    const ABOUT: About = About {
        id: "decay.abel-identity",
        statement: "With h_{d/2} = 0 and S_0 = 0, Σ_i h_i·(S_{i+1} − S_i) = −Σ_i S_{i+1}·(h_{i+1} − h_i), sums over i = 0 … d/2−1, for every even d, all complex h and all frequencies, S_j = Σ_{i<j} e^(isθ_i).",
        written: None,
        sources: &[Source { document: Document::RoFormer, place: "equation (36)" }],
        verdict: Verdict::Holds,
        sabotage: "the boundary term forgotten: i from 0 to d/2−2 on the right",
        remark: Some("Compared at a few dimensions; for every d it is the theorem, an induction."),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        Size::dimensions(kind)
    }

    fn inputs(size: &Size) -> Inputs {
        Inputs::default().reals("h", size.dim, 1.0).position("s")
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let frequencies = frequencies(case.size.base, case.size.dim);
        let pairs = frequencies.len();
        let h = |pair: usize| match pair < pairs {
            true => Complex::new(system.real("h", 2 * pair), system.real("h", 2 * pair + 1)),
            false => Complex::new(S::Number::zero(), S::Number::zero()),
        };
        let mut sums = vec![Complex::new(S::Number::zero(), S::Number::zero())];
        for (pair, frequency) in frequencies.into_iter().enumerate() {
            let point = system.cis(&(Position::symbol("s") * frequency));
            sums.push(sums[pair].clone() + point);
        }
        let (mut left, mut right) = (sums[0].clone(), sums[0].clone());
        let counted = if form.is_sabotaged() { pairs - 1 } else { pairs };
        for pair in 0..pairs {
            left = left + h(pair) * (sums[pair + 1].clone() - sums[pair].clone());
            if pair < counted {
                right = right - sums[pair + 1].clone() * (h(pair + 1) - h(pair));
            }
        }
        Ok(vec![
            Comparison::new("real part", Relation::Equal(left.re, right.re)),
            Comparison::new("imaginary part", Relation::Equal(left.im, right.im)),
        ])
    }

    fn work(size: &Size) -> usize {
        10 * size.dim
    }
}
