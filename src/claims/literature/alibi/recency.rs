//! `alibi.recency`: how fast a linear bias makes weights fall.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::encoding::attention;
use crate::number::interval::Interval;
use crate::number::{Number, Relation, System};
use nalgebra::DMatrix;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Recency;

/// Keys in a row.
const KEYS: usize = 8;

/// The weights over keys at distances 0 … [`KEYS`] − 1, all raw scores equal to `c`, the bias −m·distance for the real m.
fn weights<S: System>(system: &S) -> Vec<S::Number> {
    let (score, slope) = (system.real("c", 0), system.real("m", 0));
    let scores =
        DMatrix::from_fn(1, KEYS, |_, distance| score.clone() - slope.clone() * system.integer(distance as i64));
    attention::softmax(&scores).iter().cloned().collect()
}

impl Claim for Recency {
    const ABOUT: About = About {
        id: "alibi.recency",
        statement: "With equal raw scores and bias −m·distance, the weight of a key is e^(−m) times that of the next nearer one, for every slope m > 0: it falls with the distance, and beyond distance x no more than e^(−mx) of the mass of an infinite row is left.",
        written: None,
        sources: &[Source { document: Document::Alibi, place: "section 3, the penalty on distant keys" }],
        verdict: Verdict::Holds,
        sabotage: "the bias with the other sign",
        remark: Some(
            "The mass is a geometric series, as the theorem has it: for the slope 2^(−8) and x = 1024 the bound is e^(−4). Rows of 8 keys are compared.",
        ),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size { dim: 0, tokens: KEYS, base: 0 }]
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().reals("c", 1, 1.0).reals_in("m", 1, 0.125, 0.5)
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let slope = system.real("m", 0);
        let factor = if form.is_sabotaged() { slope.exp() } else { (-slope).exp() };
        let weights = weights(system);
        let pairs = weights.windows(2).enumerate();
        let ratios = pairs.map(|(distance, pair)| Comparison {
            what: "weight of a key, and e^(−m) times the weight of the nearer",
            index: [distance + 1, 0],
            relation: Relation::Equal(pair[1].clone(), factor.clone() * pair[0].clone()),
        });
        Ok(ratios.collect())
    }

    fn work(_: &Size) -> usize {
        64
    }

    fn values() -> Vec<CertifiedValue> {
        vec![CertifiedValue {
            name: "bound_beyond_1024",
            enclosure: (-(Interval::from(1024) / Interval::from(256))).exp(),
        }]
    }
}
