//! `sinusoid.pair-period`: sine, cosine and the pair have one least period.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::number::{Frequency, Phase, Position, Relation, System};
use num_traits::Zero;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct PairPeriod;

impl Claim for PairPeriod {
    const ABOUT: About = About {
        id: "sinusoid.pair-period",
        statement: "For ω > 0 the functions sin(ωt), cos(ωt) and the pair (sin(ωt), cos(ωt)) have the same least period 2π/ω, and the pair is injective on one period, which the sine alone is not.",
        written: Some("Alternating sine and cosine makes the period longer than that of the sine."),
        sources: &[Source {
            document: Document::PositionalEmbedding,
            place: "Why Use Both Cos and Sin?, Extend Periodicity",
        }],
        verdict: Verdict::Corrected,
        sabotage: "half the period: π/ω for 2π/ω",
        remark: Some(
            "A period is taken in n equal parts: every j/n of it with 0 < j < n is refuted as a period at the crest, where the function is 1, and positions a/n and b/n of it are told apart. That no other part is a period, and no other two positions share a pair, is the proof's. That the pair's period is no longer is an identity, which enclosures cannot establish: the exact system refutes the claim as written.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let parts = |tokens| Size { dim: 2, tokens, base: 0 };
        match kind {
            // Quarters of a turn are what normal forms can reduce.
            SystemKind::Formal => vec![parts(4)],
            _ => vec![parts(12), parts(360)],
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(size: &Size) -> Inputs {
        let last = size.tokens - 1;
        Inputs::default()
            .position("t")
            .reals_in("ω", 1, 0.0, 1.0)
            .choice("j", 1..=last)
            .choice("a", 0..=last)
            .choice("b", 0..=last)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let parts = case.size.tokens as i64;
        let [j, a, b] = [case.choice("j")?, case.choice("a")?, case.choice("b")?];
        let part = |place: usize| Phase::turns(place as i64, parts);
        let (crest, half) = (Phase::turns(1, 4), Phase::turns(1, 2));
        let phase = Position::symbol("t") * Frequency::Free("ω");
        let period = if form.is_sabotaged() { half.clone() } else { Phase::turns(1, 1) };
        let (now, later) = (system.cis(&phase), system.cis(&(phase.clone() + period)));
        if form == Form::AsWritten {
            // A longer period of the pair would need a t at which it has not returned after 2π/ω.
            return Ok(vec![
                Comparison::new("sine of the pair after 2π/ω", Relation::Distinct(later.im, now.im)),
                Comparison::new("cosine of the pair after 2π/ω", Relation::Distinct(later.re, now.re)),
            ]);
        }
        let mirrored = system.cis(&(half - phase));
        let mut all = vec![
            Comparison::new("sine after 2π/ω", Relation::Equal(later.im, now.im.clone())),
            Comparison::new("cosine after 2π/ω", Relation::Equal(later.re, now.re.clone())),
            Comparison::new("sine at t and at π/ω − t", Relation::Equal(now.im, mirrored.im)),
            Comparison::new("cosine at t and at π/ω − t", Relation::Distinct(now.re, mirrored.re)),
        ];
        let (sine, cosine) = (|phase: &Phase| system.cis(phase).im, |phase: &Phase| system.cis(phase).re);
        let after_crest = Relation::Less(sine(&(crest.clone() + part(j))), sine(&crest));
        all.push(Comparison::new("sine j/n of a period after its crest", after_crest));
        let after_crest = Relation::Less(cosine(&part(j)), cosine(&Phase::zero()));
        all.push(Comparison::new("cosine j/n of a period after its crest", after_crest));
        if a != b {
            let difference = system.cis(&part(a)) - system.cis(&part(b));
            let distance = Relation::Less(S::Number::zero(), difference.norm_sqr());
            all.push(Comparison::new("pairs at a/n and b/n of a period", distance));
        }
        Ok(all)
    }

    fn work(_: &Size) -> usize {
        16
    }
}
