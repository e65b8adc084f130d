//! `sinusoid.neighbours`: neighbouring positions are equally far apart everywhere.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::encoding::sinusoid;
use crate::number::interval::Enclosing;
use crate::number::{Number, Position, Relation, System};
use num_traits::Zero;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Neighbours;

impl Claim for Neighbours {
    const ABOUT: About = About {
        id: "sinusoid.neighbours",
        statement: "‖PE(t+1) − PE(t)‖² = Σ_i 2 − 2·cos(ω_i) for every t, the same at every t, and for ω_i = base^(−2i/d) it is positive.",
        written: None,
        sources: &[Source {
            document: Document::PositionalEmbedding,
            place: "Why Use Both Cos and Sin?, Distinguish Neighboring Words",
        }],
        verdict: Verdict::Holds,
        sabotage: "‖PE(t+2) − PE(t)‖² for ‖PE(t+1) − PE(t)‖²: every other position",
        remark: Some(
            "That the sum is positive is an order, which normal forms do not have: the numeric systems show it.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        Size::dimensions(kind)
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Size::bounded())
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().position("t")
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let frequencies = sinusoid::frequencies(case.size.base, case.size.dim);
        let t = Position::symbol("t");
        let next = t.clone() + Position::integer(if form.is_sabotaged() { 2 } else { 1 });
        let distance = sinusoid::squared_distance(system, &frequencies, [&next, &t]);
        let sum = sinusoid::squared_chords(system, &frequencies, &Position::integer(1));
        Ok(vec![
            Comparison::new("squared distance", Relation::Equal(distance, sum.clone())),
            Comparison::new("0 and squared distance", Relation::Less(S::Number::zero(), sum)),
        ])
    }

    fn work(size: &Size) -> usize {
        4 * size.dim
    }

    fn values() -> Vec<CertifiedValue> {
        let system = Enclosing::default();
        let named = [("distance_d64", 64), ("distance_d128", 128), ("distance_d512", 512)];
        let distance = |dim| {
            let frequencies = sinusoid::frequencies(Size::dim(dim).base, dim);
            sinusoid::squared_chords(&system, &frequencies, &Position::integer(1)).sqrt()
        };
        named.map(|(name, dim)| CertifiedValue { name, enclosure: distance(dim) }).into()
    }
}
