//! `phasor.dot-product`: x·y = Re[x·y*].

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::encoding::rotary;
use crate::number::{Number, Relation, System};
use nalgebra::DVector;
use num_complex::Complex;
use num_traits::Zero;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct DotProduct;

/// The pairs (2i, 2i + 1) as complex numbers.
fn numbers<N: Number>(x: &DVector<N>) -> impl Iterator<Item = Complex<N>> {
    x.as_slice().chunks_exact(2).map(|pair| Complex::new(pair[0].clone(), pair[1].clone()))
}

impl Claim for DotProduct {
    const ABOUT: About = About {
        id: "phasor.dot-product",
        statement: "x·y = Re[x·y*] for all x and y, the left side being the dot product of (Re, Im).",
        written: None,
        sources: &[Source {
            document: Document::SinesAndCosines,
            place: "Exponentials, the dot product of two vectors represented as complex numbers",
        }],
        verdict: Verdict::Holds,
        sabotage: "Re[x·y]: the conjugate forgotten",
        remark: None,
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let pairs = |dim| Size { dim, ..Size::default() };
        match kind {
            SystemKind::Formal => [2, 4, 8, 16].map(pairs).to_vec(),
            SystemKind::Enclosed | SystemKind::Rounded { .. } => [2, 8, 64, 512].map(pairs).to_vec(),
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        [2, 64, 128, 512].map(|dim| Size { dim, ..Size::default() }).to_vec()
    }

    fn inputs(size: &Size) -> Inputs {
        Inputs::default().reals("x", size.dim, 1.0).reals("y", size.dim, 1.0)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let (x, y) = (rotary::vector(system, "x", case.size.dim), rotary::vector(system, "y", case.size.dim));
        let products =
            numbers(&x).zip(numbers(&y)).map(|(x, y)| if form.is_sabotaged() { x * y } else { x * y.conj() });
        let sum = products.fold(S::Number::zero(), |sum, product| sum + product.re);
        Ok(vec![Comparison::new("dot product", Relation::Equal(x.dot(&y), sum))])
    }
}
