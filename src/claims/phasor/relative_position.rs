//! `phasor.relative-position`: the product of two turned numbers depends on the distance alone.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::encoding::phasor;
use crate::number::{Frequency, Phase, Position, Relation, System};
use num_complex::Complex;
use num_traits::Zero;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct RelativePosition;

impl Claim for RelativePosition {
    const ABOUT: About = About {
        id: "phasor.relative-position",
        statement: "f(x,m)·f(y,n) = Re[x·y*·e^(i(m−n)θ)] = |x||y|·cos(θ_x − θ_y + (m−n)θ) for f(x,m) = x·e^(imθ) and all x, y, m, n and θ.",
        written: None,
        sources: &[
            Source { document: Document::SinesAndCosines, place: "equation (1)" },
            Source { document: Document::SinesAndCosines, place: "Exponentials, verification of property (1)" },
        ],
        verdict: Verdict::Holds,
        sabotage: "n−m for m−n",
        remark: None,
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size::default()]
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(_: &Size) -> Inputs {
        let numbers = Inputs::default().reals("x", 2, 1.0).reals("y", 2, 1.0);
        let polar =
            numbers.reals_in("|x|", 1, 0.25, 1.0).reals("θx", 1, 4.0).reals_in("|y|", 1, 0.25, 1.0).reals("θy", 1, 4.0);
        polar.position("m").position("n").reals_in("θ", 1, 0.0625, 1.0)
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let (m, n) = (Position::symbol("m"), Position::symbol("n"));
        let angle = |position: Position| position * Frequency::Free("θ");
        let distance = angle(if form.is_sabotaged() { n.clone() - m.clone() } else { m.clone() - n.clone() });
        let encoded =
            |x: &Complex<S::Number>, position: &Position| phasor::turned(system, x.clone(), &angle(position.clone()));
        let product = |x: &Complex<S::Number>, y: &Complex<S::Number>| {
            phasor::as_column(encoded(x, &m)).dot(&phasor::as_column(encoded(y, &n)))
        };
        let (x, y) = (phasor::complex(system, "x"), phasor::complex(system, "y"));
        let real_part = phasor::turned(system, x.clone() * y.conj(), &distance).re;
        let mut all = vec![Comparison::new("Re[x·y*·e^(i(m−n)θ)]", Relation::Equal(product(&x, &y), real_part))];

        let arrow = |length, heading: &Phase| {
            phasor::turned(system, Complex::new(system.real(length, 0), S::Number::zero()), heading)
        };
        let (heading, other) = (Phase::angle("θx"), Phase::angle("θy"));
        let (x, y) = (arrow("|x|", &heading), arrow("|y|", &other));
        let cosine = system.cis(&(heading - other + distance)).re;
        let polar = system.real("|x|", 0) * system.real("|y|", 0) * cosine;
        all.push(Comparison::new("|x||y|·cos(θ_x − θ_y + (m−n)θ)", Relation::Equal(product(&x, &y), polar)));
        Ok(all)
    }

    fn work(_: &Size) -> usize {
        16
    }
}
