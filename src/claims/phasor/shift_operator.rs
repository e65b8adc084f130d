//! `phasor.shift-operator`: T(k) is multiplication by complex exponentials.

use crate::claim::{
    About, Case, Claim, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict, equal_entries,
};
use crate::encoding::{phasor, shift::shift, sinusoid};
use crate::number::{Number, Position, System};
use nalgebra::DVector;
use num_complex::Complex;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct ShiftOperator;

/// z_i = PE_(2i+1) + i·PE_(2i): the cosine, which comes second, is the real part.
fn read<N: Number>(encoding: &DVector<N>) -> impl Iterator<Item = Complex<N>> {
    encoding.as_slice().chunks_exact(2).map(|pair| Complex::new(pair[1].clone(), pair[0].clone()))
}

impl Claim for ShiftOperator {
    const ABOUT: About = About {
        id: "phasor.shift-operator",
        statement: "T(k) is multiplication by complex exponentials: with z_i(t) = cos(ω_i·t) + i·sin(ω_i·t) read from PE(t) in (sin, cos) order, T(k) PE(t) is e^(iω_i·k)·z_i(t) in the same order, for all t and k.",
        written: None,
        sources: &[Source {
            document: Document::LinearRelationships,
            place: "reader comment on the Fourier series: multiplying complex exponentials is adding their exponents",
        }],
        verdict: Verdict::Holds,
        sabotage: "PE(t) read in (cos, sin) order",
        remark: None,
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        Size::dimensions(kind)
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Size::bounded())
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().position("t").position("k")
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let frequencies = sinusoid::frequencies(case.size.base, case.size.dim);
        let (t, k) = (Position::symbol("t"), Position::symbol("k"));
        let encoding = sinusoid::encode(system, &frequencies, &t);
        let shifted = shift(system, &frequencies, &k).apply(&encoding);
        let swapped = |z: Complex<S::Number>| if form.is_sabotaged() { Complex::new(z.im, z.re) } else { z };
        let multiplied = read(&encoding).zip(&frequencies).flat_map(|(z, frequency)| {
            let product = swapped(phasor::turned(system, swapped(z), &(k.clone() * frequency.clone())));
            [product.im, product.re]
        });
        let multiplied = DVector::from_iterator(case.size.dim, multiplied);
        let mut all = equal_entries("component", &shifted, &multiplied)?;
        // Exponents add: e^(iω·k)·e^(iω·t) = e^(iω·(k + t)).
        let sums = frequencies.iter().flat_map(|frequency| {
            let point = system.cis(&((t.clone() + k.clone()) * frequency.clone()));
            [point.im, point.re]
        });
        all.extend(equal_entries("sum of exponents", &multiplied, &DVector::from_iterator(case.size.dim, sums))?);
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        4 * size.dim
    }
}
