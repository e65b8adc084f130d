//! `sinusoid.periodic-component`: a component cannot tell t from t + n·2π/ω.

use crate::claim::{
    About, Case, Claim, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict, equal_entries,
};
use crate::encoding::sinusoid;
use crate::number::{Phase, Position, System};
use nalgebra::DVector;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct PeriodicComponent;

/// The choice that stands for n = 0: choices are natural numbers, n is an integer.
const NO_PERIOD: usize = 8;

impl Claim for PeriodicComponent {
    const ABOUT: About = About {
        id: "sinusoid.periodic-component",
        statement: "For every ω ≠ 0, every integer n and every t, the component of frequency ω takes the same value at t and at t + n·2π/ω.",
        written: None,
        sources: &[
            Source { document: Document::PositionalEmbedding, place: "The Problem with Short Periods" },
            Source {
                document: Document::LinearRelationships,
                place: "reader comments, \"Will the positional embeddings cycle?\"",
            },
        ],
        verdict: Verdict::Holds,
        sabotage: "n·π/ω for n·2π/ω: half periods",
        remark: Some("n is the choice m less 8, from −8 to 8."),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        Size::dimensions(kind)
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().position("t").choice("m", 0..=2 * NO_PERIOD)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let frequencies = sinusoid::frequencies(case.size.base, case.size.dim);
        let n = case.choice("m")? as i64 - NO_PERIOD as i64;
        let periods = Phase::turns(n, if form.is_sabotaged() { 2 } else { 1 });
        let t = Position::symbol("t");
        // In every component its own period 2π/ω_i: ω_i·(t + n·2π/ω_i) is the phase and n turns.
        let later = frequencies.iter().flat_map(|frequency| {
            let point = system.cis(&(t.clone() * frequency.clone() + periods.clone()));
            [point.im, point.re]
        });
        let later = DVector::from_iterator(case.size.dim, later);
        equal_entries("component", &sinusoid::encode(system, &frequencies, &t), &later)
    }

    fn work(size: &Size) -> usize {
        3 * size.dim
    }
}
