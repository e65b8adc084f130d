//! `heads.units`: radians for rotations.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::number::interval::{Enclosing, Interval};
use crate::number::{Frequency, Phase, Position, Relation, System};
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Units;

const DIM: usize = 256;
const BASE: u32 = 10_000;

/// The slowest frequency in radians per token.
fn radians<S: System>(system: &S) -> S::Number {
    system.angle(&(Position::integer(1) * Frequency::Power { base: BASE, dim: DIM, index: DIM / 2 - 1 }))
}

/// The same in rotations per token.
fn rotations<S: System>(system: &S) -> S::Number {
    radians(system) / system.angle(&Phase::turns(1, 1))
}

impl Claim for Units {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "heads.units",
        statement: "For d = 256 and base 10000 the slowest pair turns by 1.0746…·10^(−4) radians per token, which is 1.7102…·10^(−5) rotations per token: less than a fifth of 1/10000.",
        written: Some("The slowest pair makes approximately 1/10000 rotations per token: at least half of that."),
        sources: &[Source {
            document: Document::RoundAndRound,
            place: "section 2.1, \"approximately 1/θ rotations per token\"",
        }],
        verdict: Verdict::Refuted,
        sabotage: "rotations for radians",
        remark: Some(
            "The form as written reads \"approximately\" as up to a factor of 2. A quarter turn of the slowest pair takes more than 14617 tokens.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal => Vec::new(),
            _ => vec![Size { dim: DIM, tokens: 0, base: BASE }],
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let share = |parts: i64| system.rational(&Rational::from((1, i64::from(BASE) * parts)));
        Ok(match form {
            Form::AsWritten => {
                vec![Comparison::new("half of 1/10000, and rotations", Relation::AtMost(share(2), rotations(system)))]
            }
            _ => {
                let turned = if form.is_sabotaged() { radians(system) } else { rotations(system) };
                vec![Comparison::new("rotations, and a fifth of 1/10000", Relation::Less(turned, share(5)))]
            }
        })
    }

    fn values() -> Vec<CertifiedValue> {
        let system = Enclosing::default();
        let quarter = Interval::from(1) / (Interval::from(4) * rotations(&system));
        vec![
            CertifiedValue { name: "radians_per_token", enclosure: radians(&system) },
            CertifiedValue { name: "rotations_per_token", enclosure: rotations(&system) },
            CertifiedValue {
                name: "tenthousandth_over_rotations",
                enclosure: Interval::from(1) / (Interval::from(BASE as i32) * rotations(&system)),
            },
            CertifiedValue { name: "tokens_per_quarter_turn", enclosure: quarter },
        ]
    }
}
