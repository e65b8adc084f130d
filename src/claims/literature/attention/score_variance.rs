//! `attention.score-variance`: why scores are divided by √d.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::claims::literature::finite_laws::{self, squared};
use crate::encoding::moments::FiniteLaw;
use crate::encoding::rotary::rotary;
use crate::encoding::sinusoid::frequencies;
use crate::number::{Position, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct ScoreVariance;

impl Claim for ScoreVariance {
    const ABOUT: About = About {
        id: "attention.score-variance",
        statement: "If the components of q and k are independent with mean 0 and variance 1, q·k has mean 0 and variance d; and so has the score (R(m)q)·(R(n)k) after rotation, at all positions m and n.",
        written: None,
        sources: &[Source { document: Document::AttentionIsAllYouNeed, place: "section 3.2.1, footnote 4" }],
        verdict: Verdict::Holds,
        sabotage: "q = k",
        remark: Some(
            "Means are computed as finite sums, for components with two values t and −1/t of which t is a variable, and compared at d = 2 and 4. For every d it is the theorem: the variance is a sum over pairs of components, whose mixed terms vanish.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        finite_laws::sizes(kind)
    }

    fn inputs(_: &Size) -> Inputs {
        finite_laws::inputs().position_in("m", 0..=255).position_in("n", 0..=255)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let Size { dim, base, .. } = case.size;
        let (zero, d) = (system.integer(0), system.integer(dim as i64));
        let [queries, keys] = ["t", "u"].map(|name| FiniteLaw::standard(system, name, dim));
        if form.is_sabotaged() {
            let mean = queries.mean(|q| q.dot(q));
            return Ok(vec![Comparison::new("mean of q·q", Relation::Equal(mean, zero))]);
        }
        let mean = queries.mean_with(&keys, |q, k| q.dot(k));
        let variance = queries.mean_with(&keys, |q, k| squared(q.dot(k)));
        let rates = frequencies(base, dim);
        let [at_m, at_n] = ["m", "n"].map(|name| rotary(system, &rates, &Position::symbol(name)));
        let (queries, keys) = (queries.map(|q| at_m.apply(q)), keys.map(|k| at_n.apply(k)));
        let turned_mean = queries.mean_with(&keys, |q, k| q.dot(k));
        let turned_variance = queries.mean_with(&keys, |q, k| squared(q.dot(k)));
        Ok(vec![
            Comparison::new("mean of q·k", Relation::Equal(mean, zero.clone())),
            Comparison::new("variance of q·k, and d", Relation::Equal(variance, d.clone())),
            Comparison::new("mean after rotation", Relation::Equal(turned_mean, zero)),
            Comparison::new("variance after rotation, and d", Relation::Equal(turned_variance, d)),
        ])
    }

    fn work(size: &Size) -> usize {
        2 * finite_laws::work(size)
    }
}
