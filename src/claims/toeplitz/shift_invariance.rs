//! `toeplitz.shift-invariance`: D_st depends on s − t alone.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::encoding::sinusoid;
use crate::number::float::{Arithmetic, Float};
use crate::number::format::Format;
use crate::number::interval::Interval;
use crate::number::running::{Rounding, Running};
use crate::number::{Position, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct ShiftInvariance;

impl Claim for ShiftInvariance {
    const ABOUT: About = About {
        id: "toeplitz.shift-invariance",
        statement: "D_st depends on s − t alone: s − t = s′ − t′ implies D_st = D_s′t′, for all real positions.",
        written: None,
        sources: &[
            Source {
                document: Document::HiddenBeauty,
                place: "Implications of the Toeplitz Structure, Shift-Invariance",
            },
            Source {
                document: Document::HiddenBeauty,
                place: "Implications of the Toeplitz Structure, printed output for 1, 2 and 80, 81 and for 1, 80 and 2, 81",
            },
        ],
        verdict: Verdict::Holds,
        sabotage: "s + t = s′ + t′ for s − t = s′ − t′",
        remark: Some(
            "In floating point it does not hold exactly: the evidence has the largest defect found and its bound, the sizes with n = 4 and the values those of the document's positions, computed with rounded frequencies and products, correctly rounded sines and cosines and a sum from left to right.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let printed = Size { tokens: PRINTED_POSITIONS, ..Size::dim(DIM) };
        match kind {
            SystemKind::Formal => Size::dimensions(kind),
            // The largest d at arbitrary positions, where it is dear, in three systems.
            SystemKind::Enclosed | SystemKind::Rounded { precision: 24 | 53 } => {
                [[2, 64, DIM].map(Size::dim).to_vec(), vec![printed]].concat()
            }
            SystemKind::Rounded { .. } => [[2, 64].map(Size::dim).to_vec(), vec![printed]].concat(),
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Size::bounded())
    }

    fn inputs(size: &Size) -> Inputs {
        let distances = -Inputs::LAST_POSITION..=Inputs::LAST_POSITION;
        match size.tokens {
            0 => Inputs::default().position("s").position("s′").position_in("distance", distances),
            _ => Inputs::default(),
        }
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let dim = case.size.dim;
        if case.size.tokens > 0 {
            let pairs = PRINTED.into_iter().enumerate();
            let compared = pairs.map(|(row, [one, other])| {
                // Positions whose sum, not whose difference, is the same.
                let other = if form.is_sabotaged() { [one[0] - 1, one[1] + 1] } else { other };
                let relation = Relation::Equal(at_integers(system, one), at_integers(system, other));
                Comparison { what: "printed positions", index: [row, 0], relation }
            });
            return Ok(compared.collect());
        }
        let [one, other, distance] = ["s", "s′", "distance"].map(Position::symbol);
        let partner = |s: &Position| {
            if form.is_sabotaged() { distance.clone() - s.clone() } else { distance.clone() + s.clone() }
        };
        let products = [one, other].map(|s| dot_product(system, dim, &s, &partner(&s)));
        let [product, same] = products;
        Ok(vec![Comparison::new("dot product", Relation::Equal(product, same))])
    }

    fn work(size: &Size) -> usize {
        8 * size.dim
    }

    fn values() -> Vec<CertifiedValue> {
        let names =
            [["f32_defect_1_2_80_81", "f64_defect_1_2_80_81"], ["f32_defect_1_80_2_81", "f64_defect_1_80_2_81"]];
        let pairs = PRINTED.iter().zip(names);
        let values = pairs.flat_map(|([one, other], [narrow, wide])| {
            [
                CertifiedValue { name: narrow, enclosure: defect(Format::F32, *one, *other) },
                CertifiedValue { name: wide, enclosure: defect(Format::F64, *one, *other) },
            ]
        });
        values.collect()
    }
}

/// The dimension of the document.
const DIM: usize = 512;

/// The pairs of positions for which the document prints dot products, at distance 1 and at 79.
const PRINTED: [[[i64; 2]; 2]; 2] = [[[1, 2], [80, 81]], [[1, 80], [2, 81]]];

/// The positions among them: 1, 2, 80 and 81.
const PRINTED_POSITIONS: usize = 4;

fn dot_product<S: System>(system: &S, dim: usize, s: &Position, t: &Position) -> S::Number {
    let frequencies = sinusoid::frequencies(10_000, dim);
    let [s, t] = [s, t].map(|position| sinusoid::encode(system, &frequencies, position));
    s.dot(&t)
}

fn at_integers<S: System>(system: &S, positions: [i64; 2]) -> S::Number {
    let [s, t] = positions.map(Position::integer);
    dot_product(system, DIM, &s, &t)
}

/// The difference, exactly, of two dot products as computed in a format.
fn defect(format: Format, one: [i64; 2], other: [i64; 2]) -> Interval {
    let system = Rounding::new(format);
    let difference: Running<Float> = at_integers(&system, one) - at_integers(&system, other);
    // Equal up to a factor of 2, hence subtracted exactly (Sterbenz 1974).
    let magnitude = Interval::exactly(difference.value().magnitude());
    if difference.value().is_below(&Float::from(0)) { -magnitude } else { magnitude }
}
