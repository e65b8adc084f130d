//! `decay.gaussian`: on average over independent q and k nothing decays.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::claims::literature::finite_laws::{self, squared};
use crate::encoding::moments::FiniteLaw;
use crate::encoding::rotary::{rotary, vector};
use crate::encoding::sinusoid::frequencies;
use crate::number::{Position, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Gaussian;

impl Claim for Gaussian {
    const ABOUT: About = About {
        id: "decay.gaussian",
        statement: "Where means of products of a component of q and one of k are products of their means, as for independent q and k, and k has mean 0, the mean of the score qᵀR(s)k is 0 at every distance s. If further the components of each have mean 0 and variance 1 and are uncorrelated, and means of products of two components of q and two of k are products of two means, the variance of the score is d at every s; and ‖R(s)k‖ = ‖k‖. Where the law of q and R(s)k is that of q and k, the law of the score is the same at every s; so it is if k, whatever q is, has a density that depends on the norm alone, as the normal density does, with respect to an integral that rotations leave unchanged, as they leave Lebesgue's.",
        written: None,
        sources: &[Source { document: Document::RoundAndRound, place: "Proposition 3.2" }],
        verdict: Verdict::Holds,
        sabotage: "q = k, which are not independent",
        remark: Some(
            "Means are computed as finite sums, for components with two values t and −1/t of which t is a variable, and compared at d = 2 and 4; only first and second moments enter, which every such law shares with the normal law. In Coq means are given by any operator that is linear, and the law of a random variable by the means of all functions of it; that rotations leave Lebesgue's integral unchanged is cited.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        finite_laws::sizes(kind)
    }

    fn inputs(size: &Size) -> Inputs {
        finite_laws::inputs().reals("k", size.dim, 1.0).position_in("s", 0..=255)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let Size { dim, base, .. } = case.size;
        let rotation = rotary(system, &frequencies(base, dim), &Position::symbol("s"));
        let [queries, keys] = ["t", "u"].map(|name| FiniteLaw::standard(system, name, dim));
        let zero = system.integer(0);
        if form.is_sabotaged() {
            let mean = queries.mean(|q| q.dot(&rotation.apply(q)));
            return Ok(vec![Comparison::new("mean score of q and q", Relation::Equal(mean, zero))]);
        }
        let turned = keys.map(|k| rotation.apply(k));
        let mean = queries.mean_with(&turned, |q, k| q.dot(k));
        let variance = queries.mean_with(&turned, |q, k| squared(q.dot(k)));
        let k = vector(system, "k", dim);
        let image = rotation.apply(&k);
        Ok(vec![
            Comparison::new("mean score", Relation::Equal(mean, zero)),
            Comparison::new("variance of the score, and d", Relation::Equal(variance, system.integer(dim as i64))),
            Comparison::new("‖R(s)k‖² and ‖k‖²", Relation::Equal(image.dot(&image), k.dot(&k))),
        ])
    }

    fn work(size: &Size) -> usize {
        finite_laws::work(size)
    }
}
