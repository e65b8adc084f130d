//! `shift.addition-theorems`: the addition theorems of sine and cosine.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::number::{Phase, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct AdditionTheorems;

impl Claim for AdditionTheorems {
    const ABOUT: About = About {
        id: "shift.addition-theorems",
        statement: "sin(α+β) = sin α cos β + cos α sin β and cos(α+β) = cos α cos β − sin α sin β, for all real α and β.",
        written: None,
        sources: &[
            Source { document: Document::LinearRelationships, place: "equations (7a) and (7b)" },
            Source {
                document: Document::PositionalEmbedding,
                place: "Why Use Both Cos and Sin?, Calculate Relative Positions",
            },
            Source { document: Document::PositionalEmbedding, place: "How do we have this?, step 4" },
        ],
        verdict: Verdict::Holds,
        sabotage: "cos α cos β + sin α sin β for cos(α+β)",
        remark: None,
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size::default()]
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().reals("α", 1, LARGEST_ANGLE).reals("β", 1, LARGEST_ANGLE)
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let (alpha, beta) = (Phase::angle("α"), Phase::angle("β"));
        let sum = system.cis(&(alpha.clone() + beta.clone()));
        let (a, b) = (system.cis(&alpha), system.cis(&beta));
        let product = a.im.clone() * b.im.clone();
        let cosines = a.re.clone() * b.re.clone();
        let cosine = if form.is_sabotaged() { cosines + product } else { cosines - product };
        Ok(vec![
            Comparison::new("sin(α+β)", Relation::Equal(sum.im, a.im * b.re + a.re * b.im)),
            Comparison::new("cos(α+β)", Relation::Equal(sum.re, cosine)),
        ])
    }

    fn work(_: &Size) -> usize {
        8
    }
}

/// The numeric systems take angles up to about sixteen full turns.
const LARGEST_ANGLE: f64 = 100.0;
