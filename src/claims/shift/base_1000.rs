//! `shift.base-1000`: the derivation with 1000 for 10000.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict, equal_entries,
};
use crate::encoding::sinusoid;
use crate::number::interval::Enclosing;
use crate::number::{Frequency, Position, Relation, System};
use nalgebra::DVector;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Base1000;

impl Claim for Base1000 {
    /// The encodings of the two bases are compared at their exact frequencies.
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "shift.base-1000",
        statement: "The derivation is valid for every base, 1000 and 10000 alike, but the encodings differ: for d = 512 they differ at t = 1 in pair 1.",
        written: Some("The derivation's encoding with 1000 is the encoding defined with 10000."),
        sources: &[
            Source { document: Document::PositionalEmbedding, place: "How do we have this?, steps 1 to 5 (1000)" },
            Source { document: Document::PositionalEmbedding, place: "Solution (10000)" },
        ],
        verdict: Verdict::Corrected,
        sabotage: "α_k with base 10000 in a derivation with base 1000",
        remark: Some(
            "The exact system, in which all frequencies are variables, speaks of the derivation alone; bfloat16 cannot tell the values of pair 1 apart.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let both = |dims: &[usize]| -> Vec<Size> {
            dims.iter().flat_map(|&dim| BASES.map(|base| Size { dim, tokens: 0, base })).collect()
        };
        match kind {
            SystemKind::Formal => both(&[4, 8, 16]),
            _ => [both(&[8, 64]), vec![Size { dim: DIM, tokens: 0, base: BASES[0] }]].concat(),
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(size: &Size) -> Inputs {
        if size.dim == DIM { Inputs::default() } else { Inputs::default().position("t").position("k") }
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let Size { dim, base, .. } = case.size;
        match (dim, form) {
            (DIM, Form::Settled | Form::AsWritten) => Ok(at_position_1(system, form)),
            (_, Form::Settled) => derivation(system, dim, base, base),
            (_, Form::Sabotaged) => derivation(system, dim, BASES[0], BASES[1]),
            (_, Form::AsWritten) => Ok(Vec::new()),
        }
    }

    fn work(size: &Size) -> usize {
        8 * size.dim
    }

    fn values() -> Vec<CertifiedValue> {
        let named =
            [("sin_pair_1_base_1000", "cos_pair_1_base_1000"), ("sin_pair_1_base_10000", "cos_pair_1_base_10000")];
        let values = BASES.into_iter().zip(named).flat_map(|(base, (sine, cosine))| {
            let frequency = Frequency::Power { base, dim: DIM, index: 1 };
            let point = Enclosing::default().cis(&(Position::integer(1) * frequency));
            [CertifiedValue { name: sine, enclosure: point.im }, CertifiedValue { name: cosine, enclosure: point.re }]
        });
        values.collect()
    }
}

/// The base of the derivation and that of the definition.
const BASES: [u32; 2] = [1_000, 10_000];

/// The dimension at which the two encodings are compared.
const DIM: usize = 512;

/// Step 4, equation by equation: the encoding of t + k from that of t and α_k = k/base^(2i/d).
fn derivation<S: System>(system: &S, dim: usize, base: u32, alpha_base: u32) -> Comparisons<S::Number> {
    let (t, k) = (Position::symbol("t"), Position::symbol("k"));
    let frequencies = sinusoid::frequencies(base, dim);
    let here = sinusoid::encode(system, &frequencies, &t);
    let expanded = sinusoid::frequencies(alpha_base, dim).into_iter().enumerate().flat_map(|(pair, frequency)| {
        let alpha = system.cis(&(k.clone() * frequency));
        let (sine, cosine) = (here[2 * pair].clone(), here[2 * pair + 1].clone());
        [sine.clone() * alpha.re.clone() + cosine.clone() * alpha.im.clone(), cosine * alpha.re - sine * alpha.im]
    });
    let expanded = DVector::from_iterator(dim, expanded);
    equal_entries("component", &expanded, &sinusoid::encode(system, &frequencies, &(t + k)))
}

/// The encodings of position 1 in both bases: pair 0 is the same, pair 1 is not.
fn at_position_1<S: System>(system: &S, form: Form) -> Vec<Comparison<S::Number>> {
    let [one, other] =
        BASES.map(|base| sinusoid::encode(system, &sinusoid::frequencies(base, DIM), &Position::integer(1)));
    let pairs = one.iter().zip(other.iter()).enumerate().take(4);
    pairs
        .map(|(place, (one, other))| {
            let relation = match form == Form::Settled && place >= 2 {
                true => Relation::Distinct(one.clone(), other.clone()),
                false => Relation::Equal(one.clone(), other.clone()),
            };
            Comparison { what: "component with base 1000 against base 10000", index: [place, 0], relation }
        })
        .collect()
}
