//! `phasor.rotation-matrix`: multiplying by e^(iθ) is R(θ).

use crate::claim::{
    About, Case, Claim, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict, equal_entries,
};
use crate::encoding::{phasor, rotary, sinusoid};
use crate::number::{Position, System};
use nalgebra::DVector;
use num_complex::Complex;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct RotationMatrix;

impl Claim for RotationMatrix {
    const ABOUT: About = About {
        id: "phasor.rotation-matrix",
        statement: "Multiplying by e^(iθ) is R(θ) acting on (Re, Im), for all θ and x, and block by block in d dimensions.",
        written: None,
        sources: &[Source { document: Document::SinesAndCosines, place: "From Exponentials to Sinusoidal Functions" }],
        verdict: Verdict::Holds,
        sabotage: "e^(−iθ) for e^(iθ)",
        remark: None,
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        Size::dimensions(kind)
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::bounded()
    }

    fn inputs(size: &Size) -> Inputs {
        Inputs::default().position("m").reals("x", size.dim, 1.0)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let frequencies = sinusoid::frequencies(case.size.base, case.size.dim);
        let m = Position::symbol("m");
        let x = rotary::vector(system, "x", case.size.dim);
        let sign = if form.is_sabotaged() { -1 } else { 1 };
        let products = frequencies.iter().enumerate().flat_map(|(pair, frequency)| {
            let number = Complex::new(x[2 * pair].clone(), x[2 * pair + 1].clone());
            let angle = (m.clone() * frequency.clone()).times(sign);
            let product = phasor::as_column(phasor::turned(system, number, &angle));
            [product[0].clone(), product[1].clone()]
        });
        let multiplied = DVector::from_iterator(case.size.dim, products);
        equal_entries("component", &multiplied, &rotary::rotary(system, &frequencies, &m).apply(&x))
    }
}
