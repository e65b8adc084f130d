//! `sinusoid.fourier`: the encoding is the transform of an impulse, read at the frequencies ω_i.

use crate::claim::{
    About, Case, Claim, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict, equal_entries,
};
use crate::encoding::sinusoid;
use crate::number::{Frequency, Position, System};
use nalgebra::DVector;
use num_complex::Complex;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Fourier;

/// The transform at ω of a unit impulse at a position: e^(−iω·position).
fn transform<S: System>(system: &S, frequency: &Frequency, position: &Position) -> Complex<S::Number> {
    system.cis(&-(position.clone() * frequency.clone()))
}

/// Real parts and imaginary parts, in turn.
fn parts<S: System>(numbers: impl Iterator<Item = Complex<S::Number>>) -> DVector<S::Number> {
    DVector::from_vec(numbers.flat_map(|number| [number.re, number.im]).collect())
}

impl Claim for Fourier {
    const ABOUT: About = About {
        id: "sinusoid.fourier",
        statement: "The transform e^(−iωt) of a unit impulse at t has real part cos(ωt) and negated imaginary part sin(ωt), and moving the impulse by k multiplies the transform by e^(−iωk), for every ω, t and k.",
        written: None,
        sources: &[Source {
            document: Document::LinearRelationships,
            place: "reader comments, \"a truncated fourier series of the word's position\"",
        }],
        verdict: Verdict::Holds,
        sabotage: "e^(iωk) for e^(−iωk): the impulse moved the other way",
        remark: Some(
            "The comment writes the transform of an impulse as e^(iωt); that is its conjugate, the transform with the opposite sign convention. The encoding has d/2 of the transform's values, which is what makes the series truncated.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        Size::dimensions(kind)
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().position("t").position("k")
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let frequencies = sinusoid::frequencies(case.size.base, case.size.dim);
        let (t, k) = (Position::symbol("t"), Position::symbol("k"));
        let impulse = frequencies.iter().map(|frequency| transform(system, frequency, &t));
        let read = impulse.flat_map(|value| [-value.im, value.re]);
        let read = DVector::from_iterator(case.size.dim, read);
        let mut all = equal_entries("component of PE(t)", &read, &sinusoid::encode(system, &frequencies, &t))?;
        let moved = t.clone() + k.clone();
        let offset = if form.is_sabotaged() { -k } else { k };
        let directly = frequencies.iter().map(|frequency| transform(system, frequency, &moved));
        let multiplied = frequencies
            .iter()
            .map(|frequency| transform(system, frequency, &t) * transform(system, frequency, &offset));
        all.extend(equal_entries("part of the moved transform", &parts::<S>(directly), &parts::<S>(multiplied))?);
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        6 * size.dim
    }
}
