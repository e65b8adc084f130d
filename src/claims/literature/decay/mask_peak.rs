//! `decay.mask-peak`: where a decay mask over several layers puts its weight.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::number::interval::{Enclosing, Interval};
use crate::number::{Number, Relation, System};
use rug::{Integer, Rational};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct MaskPeak;

/// The layers t of the figure, its slope m = 1/10, and the distance at which its weight is largest.
const LAYERS: i64 = 32;
const PEAK: i64 = 304;

/// e^m − 1 at m = 1/10.
fn growth<S: System>(system: &S) -> S::Number {
    system.rational(&Rational::from((1, 10))).exp() - system.integer(1)
}

/// C(t + x, x)·e^(−xm).
fn weight<S: System>(system: &S, t: usize, x: usize) -> S::Number {
    let paths = Integer::binomial_u((t + x) as u32, x as u32);
    let slope = system.real("m", 0);
    system.rational(&Rational::from(Integer::from(paths))) * (-(slope * system.integer(x as i64))).exp()
}

impl Claim for MaskPeak {
    const ABOUT: About = About {
        id: "decay.mask-peak",
        statement: "f(x) = C(t+x, x)·e^(−xm) obeys (x+1)·(f(x+1) − f(x)) = f(x)·(1 − e^(−m))·(t/(e^m − 1) − (x+1)): for m > 0 it rises up to x = ⌊t/(e^m − 1)⌋, its largest maximiser among the integers, and falls from there on. For t = 32 and m = 1/10 that is 304.",
        written: None,
        sources: &[Source {
            document: Document::PositionBias,
            place: "Theorem 4.5 and the text on it: not monotone, with its peak at t/(e^m − 1) by Stirling's formula",
        }],
        verdict: Verdict::Holds,
        sabotage: "⌈·⌉ for ⌊·⌋: the peak one position later",
        remark: Some(
            "Exact, without Stirling's formula. The identity is compared for t from 1 to 6 and x from 0 to 6 with m a variable; for all t and x it is the theorem, by C(t+x+1, x+1)·(x+1) = C(t+x, x)·(t+x+1).",
        ),
    };

    /// With a number of tokens, t of the figure; else the identity.
    fn sizes(kind: SystemKind) -> Vec<Size> {
        let figure = Size { dim: 0, tokens: LAYERS as usize, base: 0 };
        match kind {
            SystemKind::Formal | SystemKind::Rounded { precision: 0..24 } => vec![Size::default()],
            _ => vec![Size::default(), figure],
        }
    }

    fn inputs(size: &Size) -> Inputs {
        match size.tokens {
            0 => Inputs::default().reals_in("m", 1, 0.25, 1.0).choice("t", 1..=6).choice("x", 0..=6),
            _ => Inputs::default(),
        }
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let integer = |value: i64| system.integer(value);
        let later = i64::from(form.is_sabotaged());
        if case.size.tokens > 0 {
            let product = |x: i64| integer(x) * growth(system);
            return Ok(vec![
                Comparison::new("304·(e^m − 1) and t", Relation::AtMost(product(PEAK + later), integer(LAYERS))),
                Comparison::new("t and 305·(e^m − 1)", Relation::Less(integer(LAYERS), product(PEAK + later + 1))),
            ]);
        }
        let (t, x) = (case.choice("t")?, case.choice("x")?);
        let next = integer(x as i64 + 1);
        let rise = next.clone() * (weight(system, t, x + 1) - weight(system, t, x));
        let growth = system.real("m", 0).exp();
        let peak = integer(t as i64) / (growth.clone() - integer(1));
        let distance = peak - next + integer(later);
        let stated = weight(system, t, x) * (integer(1) - integer(1) / growth) * distance;
        Ok(vec![Comparison::new("(x + 1)·(f(x + 1) − f(x))", Relation::Equal(rise, stated))])
    }

    fn work(_: &Size) -> usize {
        16
    }

    fn values() -> Vec<CertifiedValue> {
        let peak = Interval::from(LAYERS as i32) / growth(&Enclosing::default());
        vec![CertifiedValue { name: "peak", enclosure: peak }]
    }
}
