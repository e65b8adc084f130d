//! `yarn.temperature-value`: a printed figure.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::number::interval::Interval;
use crate::number::{Frequency, Number, Position, Relation, System};
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct TemperatureValue;

const SCALE: i64 = 8;

/// The figure, in thousandths, between half a unit below and above it.
const BETWEEN: [i64; 2] = [12_075, 12_085];

impl Claim for TemperatureValue {
    const ABOUT: About = About {
        id: "yarn.temperature-value",
        statement: "0.1·ln 8 + 1 lies between 1.2075 and 1.2085, and rounds to 1.208.",
        written: None,
        sources: &[Source { document: Document::Yarn, place: "equation (25), for s = 8" }],
        verdict: Verdict::Holds,
        sabotage: "the logarithm to base 10 for the natural one",
        remark: Some(
            "Compared as e^(10·(x − 1)) against 8, or in the sabotaged form 10^(10·(x − 1)), by squaring and roots.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal | SystemKind::Rounded { precision: 0..24 } => Vec::new(),
            _ => vec![Size::default()],
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        // 10·(x − 1) in thousandths.
        let [below, above] = BETWEEN.map(|figure| figure - 10_000);
        let power = |thousandths: i64| match form.is_sabotaged() {
            false => system.rational(&Rational::from((thousandths, 1000))).exp(),
            true => {
                let root = Frequency::Power { base: 10, dim: 2000, index: thousandths as usize };
                system.integer(1) / system.angle(&(Position::integer(1) * root))
            }
        };
        let scale = system.integer(SCALE);
        Ok(vec![
            Comparison::new("power of the lower figure and 8", Relation::Less(power(below), scale.clone())),
            Comparison::new("8 and power of the upper figure", Relation::Less(scale, power(above))),
        ])
    }

    fn values() -> Vec<CertifiedValue> {
        let factor = Interval::from(SCALE as i32).ln() / Interval::from(10) + Interval::from(1);
        vec![
            CertifiedValue { name: "factor", enclosure: factor.clone() },
            CertifiedValue { name: "squared", enclosure: factor.clone() * factor },
        ]
    }
}
