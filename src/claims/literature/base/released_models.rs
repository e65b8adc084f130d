//! `base.released-models`: where the criterion first fails for bases in use.

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
pub struct ReleasedModels;

/// Base, dimension and the first distance m ≥ 1 with B(m) < 0.
const FIRST: [(u32, usize, u32, &str); 15] = [
    (10_000, 64, 725, "score_10000_d64"),
    (10_000, 80, 1159, "score_10000_d80"),
    (10_000, 96, 1046, "score_10000_d96"),
    (10_000, 128, 1707, "score_10000_d128"),
    (10_000, 256, 2653, "score_10000_d256"),
    (100_000, 128, 7757, "score_100000_d128"),
    (500_000, 64, 9937, "score_500000_d64"),
    (500_000, 128, 18_438, "score_500000_d128"),
    (1_000_000, 128, 27_115, "score_1000000_d128"),
    (1_000_000, 256, 71_627, "score_1000000_d256"),
    (5_000_000, 128, 82_999, "score_5000000_d128"),
    (10_000_000, 128, 144_660, "score_10000000_d128"),
    (25_000_000, 128, 137_077, "score_25000000_d128"),
    (150_000, 64, 2774, "score_150000_d64"),
    (160_000, 64, 5205, "score_160000_d64"),
];

impl Claim for ReleasedModels {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "base.released-models",
        statement: "By the criterion that a context L is served when B(m; b) ≥ 0 for all 0 ≤ m < L, these fifteen pairs of base and d serve the L that follows and no longer one: (10^4, 64) 725, (10^4, 80) 1159, (10^4, 96) 1046, (10^4, 128) 1707, (10^4, 256) 2653, (10^5, 128) 7757, (5·10^5, 64) 9937, (5·10^5, 128) 18438, (10^6, 128) 27115, (10^6, 256) 71627, (5·10^6, 128) 82999, (10^7, 128) 144660, (2.5·10^7, 128) 137077, (1.5·10^5, 64) 2774, (1.6·10^5, 64) 5205.",
        written: Some("A model whose base violates the criterion has only superficial long-context ability."),
        sources: &[Source { document: Document::BaseBounds, place: "abstract, the criterion applied to bases in use" }],
        verdict: Verdict::Empirical,
        sabotage: "off by one: the last distance that is served",
        remark: Some(
            "The paper was read in its abstract and Figure 1. Whether models suffer from a negative B is experience, not mathematics; the core is where B first becomes negative. Binary32 decides only where |B| is above its rounding error.",
        ),
    };

    /// The number of tokens of a size is the distance.
    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal | SystemKind::Rounded { precision: 0..24 } => Vec::new(),
            _ => FIRST.map(|(base, dim, first, _)| Size { dim, tokens: first as usize, base }).to_vec(),
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let Size { dim, tokens, base } = case.size;
        if form == Form::AsWritten {
            return Ok(Vec::new());
        }
        let (first, zero) = (tokens as i64, system.integer(0));
        let at = if form.is_sabotaged() { first - 1 } else { first };
        Ok(vec![
            Comparison::new("score and 0", Relation::Less(score(system, base, dim, at), zero.clone())),
            Comparison::new("0 and score one position before", Relation::Less(zero, score(system, base, dim, at - 1))),
        ])
    }

    fn surveys(_: Effort, form: Form) -> Vec<Survey> {
        let early = u32::from(form.is_sabotaged());
        let all = FIRST
            .iter()
            .map(|(base, dim, first, _)| survey_of_base(*base, *dim, *first, Service::FirstFailure(*first - early)));
        all.collect()
    }

    fn values() -> Vec<CertifiedValue> {
        let system = Enclosing::default();
        let value = |(base, dim, first, name): (u32, usize, u32, &'static str)| CertifiedValue {
            name,
            enclosure: score(&system, base, dim, first.into()),
        };
        FIRST.map(value).into()
    }
}
