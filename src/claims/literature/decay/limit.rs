//! `decay.limit`: the score returns, so it has no smaller limit.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::encoding::decay::cosine_sum;
use crate::encoding::sinusoid::frequencies;
use crate::number::interval::Enclosing;
use crate::number::{Position, Relation, System};
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Limit;

const DIM: usize = 4;
const BASE: u32 = 10_000;

/// A distance at which both cosines are nearly 1.
const RETURN: i64 = 735_761;

/// B at a distance.
fn score<S: System>(system: &S, distance: i64) -> S::Number {
    cosine_sum(system, &frequencies(BASE, DIM), &Position::integer(distance))
}

impl Claim for Limit {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "decay.limit",
        statement: "Neither the score nor its bound A tends to anything below its value at distance 0: for all frequencies, all h and every ε > 0 infinitely many integers s have |a(s) − a(0)| < ε and A(s) > A(0) − ε; for d = 4 and base 10000 the score B(s) = Σ_i cos(sθ_i) at distance 735761 is within 15·10^(−8) of B(0) = 2, and above B(1).",
        written: Some("Long-term decay: the score at distance 735761 is at most that at distance 1."),
        sources: &[Source { document: Document::RoFormer, place: "section 3.3, \"long-term decay\"" }],
        verdict: Verdict::Refuted,
        sabotage: "the return claimed one position later, at 735762",
        remark: Some(
            "The paper states no limit in so many words; the form as written is one reading of \"decay\"; a limit is excluded by the returns without end, not by one. That returns exist for all frequencies and every ε is Dirichlet's theorem on simultaneous approximation, proved in Coq; computed is one return.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal | SystemKind::Rounded { precision: 0..24 } => Vec::new(),
            _ => vec![Size { dim: DIM, tokens: 0, base: BASE }],
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let (near, far) = (score(system, 1), score(system, RETURN + i64::from(form.is_sabotaged())));
        if form == Form::AsWritten {
            return Ok(vec![Comparison::new("scores at distances 735761 and 1", Relation::AtMost(far, near))]);
        }
        let lost = system.integer(DIM as i64 / 2) - far.clone();
        let small = system.rational(&Rational::from((15, 100_000_000)));
        Ok(vec![
            Comparison::new("2 less the score at the return, and 15·10^(−8)", Relation::Less(lost, small)),
            Comparison::new("scores at distance 1 and at the return", Relation::Less(near, far)),
        ])
    }

    fn values() -> Vec<CertifiedValue> {
        vec![CertifiedValue { name: "score_735761", enclosure: score(&Enclosing::default(), RETURN) }]
    }
}
