//! `interpolation.six-hundred`: the quotient of two formulas is not that of what they bound.

use super::error_bound::error_at_midpoint;
use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::number::interval::{Enclosing, Interval};
use crate::number::{Relation, System};
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct SixHundred;

const DIM: usize = 128;

/// The supremum of |a(s)| for max|h| = 1, attained at every s by h_j = e^(−isθ_j): the number of pairs.
const EXTRAPOLATED: i64 = (DIM / 2) as i64;

/// 2·32·ln c, the quotient of the two printed bounds where A(s) is put at d.
fn printed() -> Interval {
    Interval::from(64) * Interval::from(10_000).ln()
}

impl Claim for SixHundred {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "interpolation.six-hundred",
        statement: "For d = 128, c = 10000 and max|h| = 1, the score reaches 64 at every distance and the error of linear interpolation in the middle of a unit interval reaches 0.49387…: the suprema differ by a factor of at most 129.588. The 589.46… = 64·ln c of the paper is the quotient of two bounds of which one is false and the other empty.",
        written: Some(
            "The interpolated scores are bounded at least 589 times more tightly: where they reach e, extrapolated scores reach at least 589·e.",
        ),
        sources: &[Source {
            document: Document::PositionInterpolation,
            place: "abstract and section 2.3, \"at least ~600× smaller\"",
        }],
        verdict: Verdict::Corrected,
        sabotage: "589 for 129.588",
        remark: Some(
            "Read as a sentence on the two formulas alone it is true of them where A(s) is at least d (see interpolation.sum-exceeds-d); see interpolation.error-bound and decay.abel-bound for what they are worth. That 0.49387… is the supremum over all s of the interval was looked at on a grid elsewhere and is not claimed: another s or h can only lower the quotient.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal | SystemKind::Rounded { precision: 0..24 } => Vec::new(),
            _ => vec![Size::dim(DIM)],
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let (reached, error) = (system.integer(EXTRAPOLATED), error_at_midpoint(system, DIM));
        let times = |thousandths: i64| system.rational(&Rational::from((thousandths, 1000)));
        let (what, relation) = match form {
            Form::Settled => {
                ("64 and 129.588 times the error of interpolation", Relation::AtMost(reached, times(129_588) * error))
            }
            Form::AsWritten | Form::Sabotaged => {
                ("589 times the error of interpolation, and 64", Relation::AtMost(times(589_000) * error, reached))
            }
        };
        Ok(vec![Comparison::new(what, relation)])
    }

    fn values() -> Vec<CertifiedValue> {
        let error = error_at_midpoint(&Enclosing::default(), DIM);
        vec![
            CertifiedValue { name: "quotient_at_most", enclosure: Interval::from(EXTRAPOLATED as i32) / error },
            CertifiedValue { name: "quotient_of_formulas", enclosure: printed() },
        ]
    }
}
