//! `toeplitz.product-identity`: sin x sin y + cos x cos y = cos(x − y).

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::number::{Phase, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct ProductIdentity;

impl Claim for ProductIdentity {
    const ABOUT: About = About {
        id: "toeplitz.product-identity",
        statement: "sin x sin y + cos x cos y = cos(x − y) for all real x and y.",
        written: None,
        sources: &[Source {
            document: Document::HiddenBeauty,
            place: "Mathematical Proof of the Toeplitz Structure, trigonometric identity",
        }],
        verdict: Verdict::Holds,
        sabotage: "cos(x + y) for cos(x − y)",
        remark: None,
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size::default()]
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().reals("x", 1, LARGEST_ANGLE).reals("y", 1, LARGEST_ANGLE)
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let (x, y) = (Phase::angle("x"), Phase::angle("y"));
        let (a, b) = (system.cis(&x), system.cis(&y));
        let products = a.im * b.im + a.re * b.re;
        let angle = if form.is_sabotaged() { x + y } else { x - y };
        Ok(vec![Comparison::new("cos(x − y)", Relation::Equal(products, system.cis(&angle).re))])
    }

    fn work(_: &Size) -> usize {
        8
    }
}

/// The numeric systems take angles up to about sixteen full turns.
const LARGEST_ANGLE: f64 = 100.0;
