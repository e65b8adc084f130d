//! `toeplitz.dot-product`: PE(s)·PE(t) = Σ cos((s − t)·ω).

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::encoding::sinusoid;
use crate::number::{Position, Relation, System};
use num_traits::Zero;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct DotProduct;

impl Claim for DotProduct {
    const ABOUT: About = About {
        id: "toeplitz.dot-product",
        statement: "PE(s)·PE(t) = Σ_i cos((s−t)·ω_i) for every d, all frequencies and all real s and t.",
        written: None,
        sources: &[Source { document: Document::HiddenBeauty, place: "Mathematical Proof of the Toeplitz Structure" }],
        verdict: Verdict::Holds,
        sabotage: "cos((s+t)·ω) for cos((s−t)·ω)",
        remark: None,
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        Size::dimensions(kind)
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::bounded()
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().position("s").position("t")
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let frequencies = sinusoid::frequencies(case.size.base, case.size.dim);
        let (s, t) = (Position::symbol("s"), Position::symbol("t"));
        let product = sinusoid::encode(system, &frequencies, &s).dot(&sinusoid::encode(system, &frequencies, &t));
        let distance = if form.is_sabotaged() { s + t } else { s - t };
        let cosines = frequencies.into_iter().map(|frequency| system.cis(&(distance.clone() * frequency)).re);
        let sum = cosines.fold(S::Number::zero(), |sum, cosine| sum + cosine);
        Ok(vec![Comparison::new("dot product", Relation::Equal(product, sum))])
    }
    fn work(size: &Size) -> usize {
        8 * size.dim
    }
}
