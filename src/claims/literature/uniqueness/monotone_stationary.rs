//! `uniqueness.monotone-stationary`: proximity cannot both depend on the distance alone and always fall.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Refusal, Size, Source,
    SystemKind, Verdict,
};
use crate::encoding::decay::cosine_sum;
use crate::encoding::sinusoid::frequencies;
use crate::number::interval::Enclosing;
use crate::number::{Position, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct MonotoneStationary;

const BASE: u32 = 10_000;

/// Dimensions with the first distance from which the dot product of sinusoidal encodings rises.
const FIRST_RISES: [(usize, i64); 4] = [(512, 43), (768, 43), (128, 11), (64, 5)];

/// K(m) = Σ_i cos(m·ω_i), the dot product of encodings m apart.
fn product<S: System>(system: &S, dim: usize, distance: i64) -> S::Number {
    cosine_sum(system, &frequencies(BASE, dim), &Position::integer(distance))
}

impl Claim for MonotoneStationary {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "uniqueness.monotone-stationary",
        statement: "No encoding of all natural numbers by vectors of a fixed finite dimension has dot products that depend on the distance alone and decrease strictly with it; for sinusoidal encodings with base 10000 they first rise from distance 43 for d = 512 and d = 768, 11 for d = 128, 5 for d = 64.",
        written: Some("Proximity is translation-invariant and strictly decreasing in the distance, for all positions."),
        sources: &[Source { document: Document::PositionEmbeddingsInBert, place: "properties 1 and 2" }],
        verdict: Verdict::Corrected,
        sabotage: "one distance too early: from 42 for 43",
        remark: Some(
            "The paper was read in its abstract, its properties as quoted in a review. The impossibility is packing, in Coq the theorem that refutes the sentence: all vectors lie on one sphere, and any two of them at least √(2·(K(0) − K(1))) apart. The form as written is put to sinusoidal encodings, of which the quoted properties do not speak: computed is where these rise.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal | SystemKind::Rounded { precision: 0..24 } => Vec::new(),
            _ => FIRST_RISES.map(|(dim, _)| Size { dim, tokens: 0, base: BASE }).to_vec(),
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let dim = case.size.dim;
        let known = FIRST_RISES.iter().find(|(known, _)| *known == dim);
        let (_, first) = *known.ok_or(Refusal::NotFound("the first rise"))?;
        let from = if form.is_sabotaged() { first - 1 } else { first };
        let (here, next) = (product(system, dim, from), product(system, dim, from + 1));
        if form == Form::AsWritten {
            return Ok(vec![Comparison::new("product at the next distance, and here", Relation::Less(next, here))]);
        }
        let mut all =
            vec![Comparison::new("product where it first rises, and at the next", Relation::Less(here, next))];
        if form == Form::Settled {
            let products: Vec<S::Number> = (0..=first).map(|distance| product(system, dim, distance)).collect();
            all.extend(products.windows(2).enumerate().map(|(distance, pair)| Comparison {
                what: "product at the next distance, and here",
                index: [distance, 0],
                relation: Relation::Less(pair[1].clone(), pair[0].clone()),
            }));
        }
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        50 * size.dim
    }

    fn values() -> Vec<CertifiedValue> {
        let named = [
            ("product_43", 512, 43),
            ("product_44", 512, 44),
            ("product_43_d768", 768, 43),
            ("product_44_d768", 768, 44),
        ];
        let value = |dim, distance| product(&Enclosing::default(), dim, distance);
        named.map(|(name, dim, distance)| CertifiedValue { name, enclosure: value(dim, distance) }).into()
    }
}
