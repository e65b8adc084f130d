//! `sinusoid.definition`: the written forms of PE are one function.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
    equal_entries,
};
use crate::encoding::sinusoid;
use crate::number::interval::Enclosing;
use crate::number::{Frequency, Position, System};
use nalgebra::DVector;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Definition;

/// Component j of the floor form (Lecture notes, "Relative Positional Encoding"): the sine for even
/// j, the cosine for odd j, of t times the frequency whose index `pair_of` makes of j.
fn floor_form<S: System>(
    system: &S,
    size: &Size,
    t: &Position,
    pair_of: impl Fn(usize) -> usize,
) -> DVector<S::Number> {
    let Size { dim, base, .. } = *size;
    DVector::from_fn(dim, |component, _| {
        let point = system.cis(&(t.clone() * Frequency::Power { base, dim, index: pair_of(component) }));
        if component % 2 == 0 { point.im } else { point.re }
    })
}

impl Claim for Definition {
    const ABOUT: About = About {
        id: "sinusoid.definition",
        statement: "For every even d, every base > 0 and every t, the pairwise form (PE(t)_{2i} = sin(t·ω_i), PE(t)_{2i+1} = cos(t·ω_i), ω_i = base^(−2i/d), i = 0 … d/2−1) and the floor form (component j from ω = base^(−2⌊j/2⌋/d), sine for even j, cosine for odd j) are one function.",
        written: Some("Counting the frequencies from 1 (ω_m = base^(−2m/d), m = 1 … d/2) gives the same function."),
        sources: &[
            Source { document: Document::LinearRelationships, place: "equations (1) and (2), m from 1" },
            Source { document: Document::LectureNotes, place: "Relative Positional Encoding, i' = int(i/2) * 2" },
            Source { document: Document::PositionalEmbedding, place: "Solution" },
            Source { document: Document::HiddenBeauty, place: "Sinusoidal Positional Encodings" },
            Source {
                document: Document::HiddenBeauty,
                place: "Mathematical Proof of the Toeplitz Structure, ω from 1",
            },
        ],
        verdict: Verdict::Corrected,
        sabotage: "⌈j/2⌉ for ⌊j/2⌋: the cosine takes the next frequency",
        remark: None,
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal => Size::dimensions(kind),
            // The documents' own dimension first: the witness against the count from 1 is then at d = 512.
            _ => [512, 64, 8, 2].map(Size::dim).to_vec(),
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().position("t")
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let (size, t) = (&case.size, Position::symbol("t"));
        let first = if form == Form::AsWritten { 1 } else { 0 };
        let pairwise = sinusoid::encode(system, &sinusoid::frequencies_from(first, size.base, size.dim), &t);
        let pair_of = |component: usize| if form.is_sabotaged() { component.div_ceil(2) } else { component / 2 };
        equal_entries("component", &floor_form(system, size, &t, pair_of), &pairwise)
    }

    fn values() -> Vec<CertifiedValue> {
        let (system, size) = (Enclosing::default(), Size::dim(512));
        let first_component = |index| {
            let frequency = Frequency::Power { base: size.base, dim: size.dim, index };
            system.cis(&(Position::integer(1) * frequency)).im
        };
        let named = [("component_0_at_1_from_0", 0), ("component_0_at_1_from_1", 1)];
        named.map(|(name, index)| CertifiedValue { name, enclosure: first_component(index) }).into()
    }
}
