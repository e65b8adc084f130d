//! `uniqueness.complex`: which sequences of complex numbers have a linear witness.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::encoding::phasor;
use crate::number::{Number, Relation, System};
use num_complex::Complex;
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct ComplexWitness;

/// The largest position and offset; a power of z of twice that is the largest.
const MOST: usize = 4;

/// z^n by repeated multiplication.
fn power<N: Number>(z: &Complex<N>, n: usize) -> Complex<N> {
    (0..n).fold(Complex::new(N::one(), N::zero()), |power, _| power * z.clone())
}

impl Claim for ComplexWitness {
    const ABOUT: About = About {
        id: "uniqueness.complex",
        statement: "A bounded g: ℕ → ℂ has a linear witness, g(pos + n) = w(n)·g(pos) for all pos and n, exactly when g(pos) = z_2·z_1^pos with |z_1| ≤ 1, where 0^0 = 1, so that g = 0 and g = 0 after position 0 are among these; \"linear\" is needed: g(pos) = 1/(1 + pos) has the witness w ↦ w/(1 + n·w).",
        written: None,
        sources: &[Source { document: Document::ComplexEmbeddings, place: "Claim 1" }],
        verdict: Verdict::Holds,
        sabotage: "\"linear\" dropped: 1/(1 + pos) with the linear witness read off at 0",
        remark: Some(
            "Compared: that z_2·z_1^pos has the linear witness z_1^n, and the witness of 1/(1 + pos), for positions and offsets up to 4. The other direction is an induction: g(pos + 1) = w(1)·g(pos) gives g(pos) = w(1)^pos·g(0). The paper's proof cancels g without setting g = 0 apart.",
        ),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size::default()]
    }

    fn inputs(_: &Size) -> Inputs {
        let numbers = Inputs::default().reals("z1", 2, 0.5).reals("z2", 2, 1.0);
        numbers.choice("pos", 0..=MOST).choice("n", 0..=MOST)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let (position, offset) = (case.choice("pos")?, case.choice("n")?);
        let reciprocal = |t: usize| system.rational(&Rational::from((1, 1 + t)));
        let (here, there) = (reciprocal(position), reciprocal(position + offset));
        if form.is_sabotaged() {
            let linear = reciprocal(offset) / reciprocal(0);
            return Ok(vec![Comparison::new(
                "1/(1 + pos + n) and w(n)/(1 + pos)",
                Relation::Equal(there, linear * here),
            )]);
        }
        let [z1, z2] = ["z1", "z2"].map(|name| phasor::complex(system, name));
        let g = |t: usize| z2.clone() * power(&z1, t);
        let (left, right) = (g(position + offset), power(&z1, offset) * g(position));
        let witnessed = here.clone() / (system.integer(1) + system.integer(offset as i64) * here);
        Ok(vec![
            Comparison::new("real part of g(pos + n)", Relation::Equal(left.re, right.re)),
            Comparison::new("imaginary part of g(pos + n)", Relation::Equal(left.im, right.im)),
            Comparison::new("1/(1 + pos + n) and its witness", Relation::Equal(there, witnessed)),
        ])
    }

    fn work(_: &Size) -> usize {
        64
    }
}
