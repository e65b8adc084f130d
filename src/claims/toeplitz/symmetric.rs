//! `toeplitz.symmetric`: D is symmetric with a constant diagonal.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::encoding::sinusoid;
use crate::number::{Position, Relation, System};
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Symmetric;

impl Claim for Symmetric {
    const ABOUT: About = About {
        id: "toeplitz.symmetric",
        statement: "D_st = D_ts and D_tt = d/2 for all real s and t.",
        written: None,
        sources: &[
            Source {
                document: Document::HiddenBeauty,
                place: "Implications of the Toeplitz Structure, printed output for 1, 2 and 2, 1",
            },
            Source { document: Document::HiddenBeauty, place: "Mathematical Proof of the Toeplitz Structure" },
        ],
        verdict: Verdict::Holds,
        sabotage: "D_tt = d for d/2: every component counted as 1",
        remark: None,
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        Size::dimensions(kind)
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Size::bounded())
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().position("s").position("t")
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let dim = case.size.dim;
        let frequencies = sinusoid::frequencies(case.size.base, dim);
        let [s, t] = ["s", "t"].map(|name| sinusoid::encode(system, &frequencies, &Position::symbol(name)));
        let parts = if form.is_sabotaged() { 1 } else { 2 };
        let diagonal = system.rational(&Rational::from((dim, parts)));
        Ok(vec![
            Comparison::new("D_st against D_ts", Relation::Equal(s.dot(&t), t.dot(&s))),
            Comparison::new("D_ss", Relation::Equal(s.dot(&s), diagonal.clone())),
            Comparison::new("D_tt", Relation::Equal(t.dot(&t), diagonal)),
        ])
    }

    fn work(size: &Size) -> usize {
        8 * size.dim
    }
}
