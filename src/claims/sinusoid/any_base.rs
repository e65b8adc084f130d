//! `sinusoid.any-base`: 10000 is a hyperparameter.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
    equal_entries,
};
use crate::encoding::{rotary, shift::shift, sinusoid};
use crate::number::{Frequency, Position, Relation, System};
use num_traits::Zero;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct AnyBase;

/// Frequencies that are variables of their own; a size with base 0 takes as many as it has pairs.
const FREE: [&str; 4] = ["ω0", "ω1", "ω2", "ω3"];

/// Free frequencies lie between −4 and 4; those of the documents are at most 1.
const FASTEST: f64 = 4.0;

fn frequencies(size: &Size) -> Vec<Frequency> {
    match size.base {
        0 => FREE.into_iter().take(size.dim / 2).map(Frequency::Free).collect(),
        base => sinusoid::frequencies(base, size.dim),
    }
}

impl Claim for AnyBase {
    const ABOUT: About = About {
        id: "sinusoid.any-base",
        statement: "For arbitrary real frequencies ω_i, every t and every k: ‖PE(t)‖² = d/2, T(k) PE(t) = PE(t+k), and PE(s)·PE(t) = Σ_i cos((s−t)·ω_i); T(k) is the transpose of RoPE's rotation matrix R(k) of these frequencies, in the interleaved and in the half-split layout of pairs.",
        written: None,
        sources: &[
            Source {
                document: Document::LinearRelationships,
                place: "reader comments, \"is there an inevitable theory, or is it just a hyperparameter?\"",
            },
            Source { document: Document::PositionalEmbedding, place: "Formula Interpretation, 10000 (Hyperparameter)" },
        ],
        verdict: Verdict::Holds,
        sabotage: "T(k) with base 10000 whatever the frequencies of the encoding",
        remark: Some(
            "A size without a base has free frequencies: real variables, in the numeric systems between −4 and 4.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let size = |dim, base| Size { dim, tokens: 0, base };
        match kind {
            SystemKind::Formal => vec![size(2, 0), size(4, 0), size(8, 0), size(16, 500_000)],
            _ => vec![size(8, 0), size(64, 10_000), size(512, 10_000), size(128, 500_000), size(256, 1_000_000)],
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(size: &Size) -> Inputs {
        let positions = Inputs::default().position("t").position("k").position("s");
        match size.base {
            0 => FREE.into_iter().take(size.dim / 2).fold(positions, |all, name| all.reals(name, 1, FASTEST)),
            _ => positions,
        }
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let size = &case.size;
        let frequencies = frequencies(size);
        let (s, t, k) = (Position::symbol("s"), Position::symbol("t"), Position::symbol("k"));
        let encode = |position: &Position| sinusoid::encode(system, &frequencies, position);
        let (here, there) = (encode(&t), encode(&s));
        let shifting = if form.is_sabotaged() { sinusoid::frequencies(10_000, size.dim) } else { frequencies.clone() };
        let later = encode(&(t.clone() + k.clone()));
        let mut all = equal_entries("component", &shift(system, &shifting, &k).apply(&here), &later)?;
        let rotated = rotary::rotary(system, &shifting, &k).transposed().apply(&here);
        all.extend(equal_entries("component of R(k)ᵀ PE(t)", &rotated, &later)?);
        // R(k)ᵀ = R(−k).
        let halves = rotary::rotated_halves(system, &shifting, &-k, &rotary::in_halves(&here));
        all.extend(equal_entries("component in halves", &halves, &rotary::in_halves(&later))?);
        let distance = s - t;
        let cosines = frequencies.iter().map(|frequency| system.cis(&(distance.clone() * frequency.clone())).re);
        let sum = cosines.fold(S::Number::zero(), |sum, cosine| sum + cosine);
        let norm = Relation::Equal(here.dot(&here), system.integer((size.dim / 2) as i64));
        all.push(Comparison::new("squared norm", norm));
        all.push(Comparison::new("dot product", Relation::Equal(there.dot(&here), sum)));
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        8 * size.dim
    }
}
