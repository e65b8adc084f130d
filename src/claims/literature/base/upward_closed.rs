//! `base.upward-closed`: a larger base may fail where a smaller one serves.

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
pub struct UpwardClosed;

const DIM: usize = 128;
const LENGTH: u32 = 8192;

/// Bases that serve the length, and larger ones that do not, with a distance at which B is negative.
const SERVING: [u32; 2] = [84_000, 200_000];
const FAILING: [(u32, i64, &str); 2] = [(85_000, 8166, "score_85000"), (100_000, 7757, "score_100000")];

impl Claim for UpwardClosed {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "base.upward-closed",
        statement: "The bases that serve a length, B(m; b) ≥ 0 for all 0 ≤ m ≤ L, need not be all the bases above some bound; a base above one that serves may fail: for d = 128 and L = 8192, 84000 serves, 85000 and 100000 do not, 200000 does.",
        written: Some("There is an absolute lower bound: a base above it serves the length."),
        sources: &[Source {
            document: Document::BaseBounds,
            place: "abstract, \"absolute lower bound\", and the line of Figure 1",
        }],
        verdict: Verdict::Refuted,
        sabotage: "84000 for 85000 and 200000 for 100000: the bases that serve",
        remark: Some(
            "As a necessary condition the bound is not denied; what is refuted is that it suffices. The paper was read in its abstract and Figure 1; the post that quotes its table notes the fact, without witness. Of it Coq has the refutation of the claim as written alone: its bases are 1000, which serves 300, and 1200, which does not, as 8192 sums of 64 cosines for each base of the statement take too long there.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal | SystemKind::Rounded { precision: 0..24 } => Vec::new(),
            _ => vec![Size { dim: DIM, tokens: 0, base: 0 }],
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let all = FAILING.iter().zip(SERVING).enumerate().map(|(row, ((failing, distance, _), serving))| {
            let base = if form.is_sabotaged() { serving } else { *failing };
            let (score, zero) = (score(system, base, DIM, *distance), system.integer(0));
            let (what, relation) = match form {
                Form::AsWritten => ("0 and score under a larger base", Relation::AtMost(zero, score)),
                _ => ("score under a larger base and 0", Relation::Less(score, zero)),
            };
            Comparison { what, index: [row, 0], relation }
        });
        Ok(all.collect())
    }

    fn surveys(_: Effort, form: Form) -> Vec<Survey> {
        let bases = if form.is_sabotaged() { FAILING.map(|(base, ..)| base) } else { SERVING };
        bases.map(|base| survey_of_base(base, DIM, LENGTH, Service::Whole)).into()
    }

    fn values() -> Vec<CertifiedValue> {
        let value = |base, distance| score(&Enclosing::default(), base, DIM, distance);
        FAILING.map(|(base, distance, name)| CertifiedValue { name, enclosure: value(base, distance) }).into()
    }
}
