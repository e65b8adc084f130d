//! `base.expectation`: by how much a similar key is preferred, on average.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::claims::literature::finite_laws;
use crate::encoding::decay::cosine_sum;
use crate::encoding::moments::FiniteLaw;
use crate::encoding::rotary::{rotary, vector};
use crate::encoding::sinusoid::frequencies;
use crate::number::{Position, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Expectation;

impl Claim for Expectation {
    const ABOUT: About = About {
        id: "base.expectation",
        statement: "For q and k with independent components of one mean vector μ and variance σ², k independent of q, and k* = q + ε with ε independent of q and of mean 0: E[qᵀR(m)k*] − E[qᵀR(m)k] = 2σ²·B(m), B(m) = Σ_i cos(mθ_i), for all m and frequencies.",
        written: None,
        sources: &[
            Source {
                document: Document::BaseBounds,
                place: "theorem on the similar token (as quoted in a post on it)",
            },
            Source { document: Document::BaseSelection, place: "the desired properties, derivation of the criterion" },
        ],
        verdict: Verdict::Holds,
        sabotage: "k of another mean than q",
        remark: Some(
            "The paper was read as quoted in the post. Means are computed as finite sums, for components with two values of which one is a variable and noise with two values, at d = 2 and 4. The identity uses no more than that q and k are uncorrelated with equal means, that the covariance of q is σ²·I and that the noise is uncorrelated with q: the components of μ may differ.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        finite_laws::sizes(kind)
    }

    fn inputs(size: &Size) -> Inputs {
        let scaled = finite_laws::inputs().reals_in("σ", 1, 0.5, 2.0).reals("μ", size.dim, 1.0);
        scaled.reals("ε", size.dim, 1.0).reals_in("ν", size.dim, 0.5, 1.0).position_in("m", 0..=255)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let Size { dim, base, .. } = case.size;
        let rates = frequencies(base, dim);
        let distance = Position::symbol("m");
        let rotation = rotary(system, &rates, &distance);
        let deviation = system.real("σ", 0);
        let law = |name, mean: &'static str| {
            let mean = vector(system, mean, dim);
            FiniteLaw::standard(system, name, dim).map(|x| x.map(|entry| entry * deviation.clone()) + &mean)
        };
        let queries = law("t", "μ");
        let keys = law("u", if form.is_sabotaged() { "ν" } else { "μ" }).map(|k| rotation.apply(k));
        let noise = FiniteLaw::centred(system, &vector(system, "ε", dim));
        let similar = queries.mean_with(&noise, |q, noise| q.dot(&rotation.apply(&(q + noise))));
        let other = queries.mean_with(&keys, |q, k| q.dot(k));
        let stated = system.integer(2) * deviation.clone() * deviation.clone() * cosine_sum(system, &rates, &distance);
        Ok(vec![Comparison::new("preference for the similar key", Relation::Equal(similar - other, stated))])
    }

    fn work(size: &Size) -> usize {
        finite_laws::work(size)
    }
}
