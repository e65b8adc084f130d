//! `ntk.longrope-exponent`: the factor of a pair under NTK interpolation.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::number::interval::Enclosing;
use crate::number::{Frequency, Position, Relation, System};
use rug::{Integer, Rational};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct LongropeExponent;

const DIM: usize = 128;
const SCALE: u32 = 8;

/// The pairs that are compared: all but the first.
const PAIRS: std::ops::Range<usize> = 1..DIM / 2;

/// s^(2i/(d−2)).
fn factor<S: System>(system: &S, pair: usize) -> S::Number {
    let power = Frequency::Power { base: SCALE, dim: DIM - 2, index: pair };
    system.integer(1) / system.angle(&(Position::integer(1) * power))
}

/// s^i.
fn printed<S: System>(system: &S, pair: usize) -> S::Number {
    (0..pair).fold(system.integer(1), |power, _| power * system.integer(SCALE.into()))
}

impl Claim for LongropeExponent {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "ntk.longrope-exponent",
        statement: "In the unified form n/(λ_i·β^i), NTK interpolation with scale s has λ_i = s^(2i/(d−2)), which is s at the last pair; for d = 128 and s = 8, s^i is larger at every pair i ≥ 1, and above 10^56 at the last.",
        written: Some("In the unified form n/(λ_i·β^i), NTK interpolation has λ_i = s^i."),
        sources: &[Source { document: Document::LongRope, place: "section 2.1, after equation (2)" }],
        verdict: Verdict::Refuted,
        sabotage: "the printed exponent i for 2i/(d−2)",
        remark: Some("The base is that of ntk.endpoints, b·s^(d/(d−2))."),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal => Vec::new(),
            _ => vec![Size { dim: DIM, tokens: 0, base: 0 }],
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let mut all = Vec::new();
        for pair in PAIRS {
            let (factor, printed) = (factor(system, pair), printed(system, pair));
            let index = [pair, 0];
            if form != Form::Settled {
                let relation = Relation::Equal(factor, printed);
                all.push(Comparison { what: "factor of a pair and s^i", index, relation });
                continue;
            }
            let larger = Relation::Less(factor.clone(), printed.clone());
            all.push(Comparison { what: "factor of a pair and s^i", index, relation: larger });
            if pair == DIM / 2 - 1 {
                let scale = system.integer(SCALE.into());
                all.push(Comparison {
                    what: "factor of the last pair and s",
                    index,
                    relation: Relation::Equal(factor, scale),
                });
                let large = system.rational(&Rational::from(Integer::from(Integer::u_pow_u(10, 56))));
                all.push(Comparison { what: "10^56 and s^i", index, relation: Relation::Less(large, printed) });
            }
        }
        Ok(all)
    }

    fn values() -> Vec<CertifiedValue> {
        let system = Enclosing::default();
        let last = DIM / 2 - 1;
        vec![
            CertifiedValue { name: "factor_last", enclosure: factor(&system, last) },
            CertifiedValue { name: "printed_last", enclosure: printed(&system, last) },
        ]
    }
}
