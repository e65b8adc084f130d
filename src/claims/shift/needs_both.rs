//! `shift.needs-both`: sine alone admits no linear shift.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::encoding::attention::matrix;
use crate::encoding::sinusoid;
use crate::number::{Frequency, Position, Relation, System};
use nalgebra::DVector;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct NeedsBoth;

impl Claim for NeedsBoth {
    const ABOUT: About = About {
        id: "shift.needs-both",
        statement: "A factor c with c·sin(ωt) = sin(ω(t+k)) for all t exists only if sin(ωk) = 0: for every other k sine alone has no linear shift.",
        written: None,
        sources: &[
            Source { document: Document::LinearRelationships, place: "comments, \"why do sin and cos both used?\"" },
            Source {
                document: Document::PositionalEmbedding,
                place: "Why Use Both Cos and Sin?, Calculate Relative Positions",
            },
        ],
        verdict: Verdict::Holds,
        sabotage: "cos(ωk) taken for a factor c that works: the cosine term of sin(ωt + ωk) forgotten",
        remark: Some(
            "Any factor for two positions t and u makes sin(ωu) sin(ω(t+k)) − sin(ωt) sin(ω(u+k)) = sin(ωk) sin(ω(u−t)) vanish; and at t = 0 every matrix M, not only a diagonal one, turns the sines into 0 where sin(ωk) is wanted.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal => Size::dimensions(kind),
            _ => [2, 8, 64].map(Size::dim).to_vec(),
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(size: &Size) -> Inputs {
        let sines = size.dim / 2;
        Inputs::default().position("t").position("u").position_in("k", 1..=Inputs::LAST_POSITION).reals(
            "M",
            sines * sines,
            1.0,
        )
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let frequencies = sinusoid::frequencies(case.size.base, case.size.dim);
        let [t, u, k] = ["t", "u", "k"].map(Position::symbol);
        let sine = |frequency: &Frequency, position: &Position| system.cis(&(position.clone() * frequency.clone())).im;
        let mut all = Vec::new();
        for (pair, frequency) in frequencies.iter().enumerate() {
            let (at_t, at_u) = (sine(frequency, &t), sine(frequency, &u));
            let (shifted_t, shifted_u) =
                (sine(frequency, &(t.clone() + k.clone())), sine(frequency, &(u.clone() + k.clone())));
            if form.is_sabotaged() {
                let factor = system.cis(&(k.clone() * frequency.clone())).re;
                let relation = Relation::Equal(factor * at_t, shifted_t);
                all.push(Comparison { what: "cos(ωk)·sin(ωt)", index: [pair, 0], relation });
                continue;
            }
            let minor = at_u * shifted_t - at_t * shifted_u;
            let product = sine(frequency, &k) * sine(frequency, &(u.clone() - t.clone()));
            all.push(Comparison {
                what: "minor of t and u",
                index: [pair, 0],
                relation: Relation::Equal(minor, product),
            });
        }
        if !form.is_sabotaged() {
            let sines = |position: &Position| {
                DVector::from_iterator(frequencies.len(), frequencies.iter().map(|frequency| sine(frequency, position)))
            };
            let map = matrix(system, "M", frequencies.len(), frequencies.len());
            let (mapped, wanted) = (map * sines(&Position::integer(0)), sines(&k));
            for (pair, (mapped, wanted)) in mapped.iter().zip(wanted.iter()).enumerate() {
                let relation = Relation::Distinct(mapped.clone(), wanted.clone());
                all.push(Comparison { what: "M·sines(0) against sines(k)", index: [pair, 0], relation });
            }
        }
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        let sines = size.dim / 2;
        64 * sines + sines * sines
    }
}
