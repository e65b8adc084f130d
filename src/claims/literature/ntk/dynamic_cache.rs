//! `ntk.dynamic-cache`: keys rotated under an earlier scale are not those of the present one.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::number::interval::Enclosing;
use crate::number::system::Values;
use crate::number::{Frequency, Position, Relation, System};
use std::sync::Arc;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct DynamicCache;

/// The slower of two frequencies; the faster turns twice as far. A variable of its own.
const SLOW: &str = "w";

/// The angle between q = (1, 0) rotated at m and k = (1, 0) rotated at n, as cosine: the score. `turns` of the slow
/// frequency are made per position by query and key.
fn score<S: System>(system: &S, [m, n]: [Position; 2], [query, key]: [i64; 2]) -> S::Number {
    system.cis(&((m.times(query) - n.times(key)) * Frequency::Free(SLOW))).re
}

impl Claim for DynamicCache {
    const ABOUT: About = About {
        id: "ntk.dynamic-cache",
        statement: "With a scale that changes, keys must be cached before they are rotated: the score of a query rotated with frequency 2ω and a key rotated earlier with ω is no function of m − n, as its values at (m, n) = (0, 0) and (2, 2) differ, while with one frequency for both it is.",
        written: None,
        sources: &[Source { document: Document::Yarn, place: "section 3.3, on caching with dynamic scaling" }],
        verdict: Verdict::Holds,
        sabotage: "keys cached after they are rotated",
        remark: Some(
            "The frequencies stand for those of one pair under a scale and under twice that scale; for ω = 1/2 the scores are cos 1 and 1. Relative position itself is rope.relative-position.",
        ),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size::default()]
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().reals_in(SLOW, 1, 0.25, 0.75).position_in("m", 0..=200).position_in("k", 0..=50)
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let at =
            |position: i64, turns| score(system, [Position::integer(position), Position::integer(position)], turns);
        let (m, k) = (Position::symbol("m"), Position::symbol("k"));
        // Both rotated now: the score at (m + k, k) is that at (m, 0).
        let key = if form.is_sabotaged() { 1 } else { 2 };
        let shifted = score(system, [m.clone() + k.clone(), k], [2, key]);
        let alone = score(system, [m, Position::integer(0)], [2, key]);
        Ok(vec![
            Comparison::new("scores at (m + k, k) and (m, 0), both rotated now", Relation::Equal(shifted, alone)),
            Comparison::new(
                "scores at (2, 2) and (0, 0), the key rotated earlier",
                Relation::Distinct(at(2, [2, 1]), at(0, [2, 1])),
            ),
        ])
    }

    fn values() -> Vec<CertifiedValue> {
        let half = Values::new(Default::default(), [(SLOW, vec![0.5])].into());
        let system = Enclosing::default().at(&Arc::new(half));
        let two = || Position::integer(2);
        vec![CertifiedValue { name: "score_at_2_2", enclosure: score(&system, [two(), two()], [2, 1]) }]
    }
}
