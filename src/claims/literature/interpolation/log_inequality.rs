//! `interpolation.log-inequality`: an inequality on powers, the wrong way round.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::number::interval::{Enclosing, Interval};
use crate::number::{Frequency, Number, Position, Relation, System};
use rug::Rational;
use std::sync::LazyLock;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct LogInequality;

const DIM: usize = 128;
const BASE: u32 = 10_000;

/// d/(4·ln c), enclosed.
fn claimed() -> Interval {
    Interval::from(DIM as i32) / (Interval::from(4) * Interval::from(BASE as i32).ln())
}

/// An upper bound of [`claimed`], the same in every system.
static CLAIMED: LazyLock<Rational> = LazyLock::new(|| claimed().upper().to_rational().unwrap_or_default());

/// 1/(1 − c^(−4/d)) = Σ_i θ_i² over all i ≥ 0.
fn series<S: System>(system: &S) -> S::Number {
    let square = Frequency::Power { base: BASE, dim: DIM, index: 2 };
    system.integer(1) / (system.integer(1) - system.angle(&(Position::integer(1) * square)))
}

impl Claim for LogInequality {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "interpolation.log-inequality",
        statement: "For c > 1 and every real x, c^x ≥ 1 + x·ln c, with equality at x = 0 only; hence 1/(1 − c^(−4/d)) > d/(4·ln c), and for d = 128 and c = 10000 the two are 3.998… and 3.474….",
        written: Some("When x < 0 and c > 1, c^x ≤ 1 + x·ln c, and therefore 1/(1 − c^(−4/d)) ≤ d/(4·ln c)."),
        sources: &[Source { document: Document::PositionInterpolation, place: "appendix A, before equation (14)" }],
        verdict: Verdict::Refuted,
        sabotage: "the inequality kept as it is written",
        remark: Some(
            "The general inequality is convexity, which the theorem proves; it is compared here at c = e and at the paper's d and c. The paper's Theorem 2.1 rests on the inequality as written: see interpolation.error-bound.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal => Vec::new(),
            _ => vec![Size::default(), Size { dim: DIM, tokens: 0, base: BASE }],
        }
    }

    fn inputs(size: &Size) -> Inputs {
        match size.dim {
            0 => Inputs::default().reals_in("x", 1, -3.0, -0.25),
            _ => Inputs::default(),
        }
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let ([ascending, descending], less, more) = match case.size.dim {
            0 => {
                let (names, x) = match form {
                    Form::AsWritten => (["", "e^x and 1 + x, x = −1/4"], system.rational(&Rational::from((-1, 4)))),
                    _ => (["1 + x and e^x", "e^x and 1 + x"], system.real("x", 0)),
                };
                (names, system.integer(1) + x.clone(), x.exp())
            }
            _ => {
                let names = ["d/(4·ln c) and 1/(1 − c^(−4/d))", "1/(1 − c^(−4/d)) and d/(4·ln c)"];
                (names, system.rational(&CLAIMED), series(system))
            }
        };
        let (what, relation) = match form {
            Form::Settled => (ascending, Relation::Less(less, more)),
            _ => (descending, Relation::AtMost(more, less)),
        };
        Ok(vec![Comparison::new(what, relation)])
    }

    fn values() -> Vec<CertifiedValue> {
        vec![
            CertifiedValue { name: "series", enclosure: series(&Enclosing::default()) },
            CertifiedValue { name: "claimed", enclosure: claimed() },
        ]
    }
}
