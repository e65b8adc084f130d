//! `base.larger-is-longer`: a base two and a half times larger that fails sooner.

use super::{Service, score, survey_of_base};
use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, Survey,
    SystemKind, Verdict,
};
use crate::evidence::Effort;
use crate::number::interval::Enclosing;
use crate::number::{Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct LargerIsLonger;

const DIM: usize = 128;

/// Two bases, each with the first distance at which B is negative.
const SMALLER: (u32, u32) = (10_000_000, 144_660);
const LARGER: (u32, u32) = (25_000_000, 137_077);

impl Claim for LargerIsLonger {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "base.larger-is-longer",
        statement: "A larger base need not serve more positions: for d = 128 the first distance m with B(m; b) < 0 is 144660 for b = 10^7 and already 137077 for b = 2.5·10^7.",
        written: Some("A larger base serves at least the distances that a smaller one serves."),
        sources: &[Source {
            document: Document::BaseBounds,
            place: "abstract and Figure 1: the base bounds the context length",
        }],
        verdict: Verdict::Refuted,
        sabotage: "the two bases exchanged",
        remark: Some(
            "The paper was read in its abstract and Figure 1; the sentence is also common practice. The refutation of it as written has other bases in Coq: 640, which serves 204, and 720, which does not.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal | SystemKind::Rounded { precision: 0..53 } => Vec::new(),
            _ => vec![Size { dim: DIM, tokens: 0, base: 0 }],
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let (smaller, larger) = if form.is_sabotaged() { (LARGER.0, SMALLER.0) } else { (SMALLER.0, LARGER.0) };
        let at = i64::from(LARGER.1);
        let (fails, serves) = (score(system, larger, DIM, at), score(system, smaller, DIM, at));
        let zero = system.integer(0);
        Ok(match form {
            Form::AsWritten => {
                vec![Comparison::new("0 and score under the larger base at 137077", Relation::AtMost(zero, fails))]
            }
            _ => vec![
                Comparison::new("score under the larger base at 137077, and 0", Relation::Less(fails, zero.clone())),
                Comparison::new("0, and score under the smaller base there", Relation::Less(zero, serves)),
            ],
        })
    }

    fn surveys(_: Effort, form: Form) -> Vec<Survey> {
        let bases =
            if form.is_sabotaged() { [(LARGER.0, SMALLER.1), (SMALLER.0, LARGER.1)] } else { [SMALLER, LARGER] };
        bases.map(|(base, first)| survey_of_base(base, DIM, first, Service::FirstFailure(first))).into()
    }

    fn values() -> Vec<CertifiedValue> {
        let named = [("score_10000000", SMALLER), ("score_25000000", LARGER)];
        let value = |(base, at): (u32, u32)| score(&Enclosing::default(), base, DIM, at.into());
        named.map(|(name, failure)| CertifiedValue { name, enclosure: value(failure) }).into()
    }
}
