//! `base.six-percent`: how little a larger base changes the first frequencies.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::number::interval::Enclosing;
use crate::number::{Frequency, Position, Relation, System};
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct SixPercent;

const DIM: usize = 128;
const BASES: [u32; 2] = [10_000, 500_000];

/// θ_index for each of the bases.
fn rates<S: System>(system: &S, index: usize) -> [S::Number; 2] {
    BASES.map(|base| system.angle(&(Position::integer(1) * Frequency::Power { base, dim: DIM, index })))
}

/// By what share of itself the frequency falls; in the sabotaged form by how much.
fn change<S: System>(system: &S, index: usize, form: Form) -> S::Number {
    let [old, new] = rates(system, index);
    if form.is_sabotaged() { old - new } else { system.integer(1) - new / old }
}

impl Claim for SixPercent {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "base.six-percent",
        statement: "At d = 128, raising the base from 10000 to 500000 lowers the frequency θ_1 by between 5.9 and 6 percent, and the last, θ_63, by a factor of more than 47.",
        written: None,
        sources: &[Source { document: Document::EffectiveLongContext, place: "appendix, \"only 6 %\"" }],
        verdict: Verdict::Holds,
        sabotage: "the difference of the frequencies for its share of the first (5.13 %)",
        remark: None,
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
        let [low, high] = [59, 60].map(|thousandths| system.rational(&Rational::from((thousandths, 1000))));
        let change = change(system, 1, form);
        let [old, new] = rates(system, DIM / 2 - 1);
        Ok(vec![
            Comparison::new("5.9 % and the change", Relation::Less(low, change.clone())),
            Comparison::new("the change and 6 %", Relation::Less(change, high)),
            Comparison::new("47 and the quotient of the last", Relation::Less(system.integer(47), old / new)),
        ])
    }

    fn values() -> Vec<CertifiedValue> {
        let system = Enclosing::default();
        let ([old, new], [old_last, new_last]) = (rates(&system, 1), rates(&system, DIM / 2 - 1));
        vec![
            CertifiedValue { name: "rate_10000", enclosure: old },
            CertifiedValue { name: "rate_500000", enclosure: new },
            CertifiedValue { name: "change", enclosure: change(&system, 1, Form::Settled) },
            CertifiedValue { name: "quotient_last", enclosure: old_last / new_last },
        ]
    }
}
