//! `toeplitz.structure`: D is constant along its diagonals.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::encoding::sinusoid;
use crate::number::interval::Enclosing;
use crate::number::{Number, Position, Relation, System};
use nalgebra::DMatrix;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Structure;

impl Claim for Structure {
    const ABOUT: About = About {
        id: "toeplitz.structure",
        statement: "D_st = PE(s)·PE(t) satisfies D_st = D_(s+k)(t+k) for all real s, t and k.",
        written: None,
        sources: &[
            Source { document: Document::HiddenBeauty, place: "Toeplitz matrices, definition" },
            Source { document: Document::HiddenBeauty, place: "Visualizing the Pattern, the first 8 positions" },
        ],
        verdict: Verdict::Holds,
        sabotage: "D_(s−k)(t+k) for D_(s+k)(t+k): constant along the other diagonals",
        remark: Some(
            "The sizes with n = 8 are the corner that the document plots, the matrix of the positions 0 to 7, as one matrix product; its first row is among the certified values.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let corner = |dim| Size { tokens: CORNER, ..Size::dim(dim) };
        match kind {
            SystemKind::Formal => [Size::dimensions(kind), vec![corner(4)]].concat(),
            // The largest d at arbitrary positions, where it is dear, in three systems.
            SystemKind::Enclosed | SystemKind::Rounded { precision: 24 | 53 } => {
                [[2, 64, DIM].map(Size::dim).to_vec(), vec![corner(DIM)]].concat()
            }
            SystemKind::Rounded { .. } => [[2, 64].map(Size::dim).to_vec(), vec![corner(DIM)]].concat(),
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Size::bounded())
    }

    fn inputs(size: &Size) -> Inputs {
        match size.tokens {
            0 => {
                let offsets = -Inputs::LAST_POSITION..=Inputs::LAST_POSITION;
                Inputs::default().position("s").position("t").position_in("k", offsets)
            }
            _ => Inputs::default(),
        }
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let frequencies = sinusoid::frequencies(case.size.base, case.size.dim);
        if case.size.tokens > 0 {
            return Ok(corner(&products_of_first(system, case.size), form));
        }
        let [s, t, k] = ["s", "t", "k"].map(Position::symbol);
        let encode = |position: Position| sinusoid::encode(system, &frequencies, &position);
        let product = encode(s.clone()).dot(&encode(t.clone()));
        let row = if form.is_sabotaged() { s - k.clone() } else { s + k.clone() };
        let shifted = encode(row).dot(&encode(t + k));
        Ok(vec![Comparison::new("dot product", Relation::Equal(product, shifted))])
    }

    fn work(size: &Size) -> usize {
        8 * size.dim * size.tokens.max(1)
    }

    fn values() -> Vec<CertifiedValue> {
        let size = Size { tokens: CORNER, ..Size::dim(DIM) };
        let corner = products_of_first(&Enclosing::default(), size);
        let row = FIRST_ROW.into_iter().enumerate();
        row.map(|(column, name)| CertifiedValue { name, enclosure: corner[(0, column)].clone() }).collect()
    }
}

/// The dimension of the document.
const DIM: usize = 512;

/// The positions of the document's plot.
const CORNER: usize = 8;

const FIRST_ROW: [&str; CORNER] =
    ["distance_0", "distance_1", "distance_2", "distance_3", "distance_4", "distance_5", "distance_6", "distance_7"];

/// D = E Eᵀ, where the rows of E are the encodings of the positions 0 … n − 1.
fn products_of_first<S: System>(system: &S, size: Size) -> DMatrix<S::Number> {
    let frequencies = sinusoid::frequencies(size.base, size.dim);
    let columns = (0..size.tokens).map(|t| sinusoid::encode(system, &frequencies, &Position::integer(t as i64)));
    let transposed = DMatrix::from_columns(&columns.collect::<Vec<_>>());
    transposed.transpose() * transposed
}

/// Each entry against the next on its diagonal, or, sabotaged, on the other diagonal.
fn corner<N: Number>(matrix: &DMatrix<N>, form: Form) -> Vec<Comparison<N>> {
    let last = matrix.nrows().saturating_sub(1);
    let places = (0..last).flat_map(|row| (0..last).map(move |column| [row, column]));
    let compared = places.map(|[row, column]| {
        let [entry, next] = match form.is_sabotaged() {
            true => [[row, column + 1], [row + 1, column]],
            false => [[row, column], [row + 1, column + 1]],
        };
        let relation = Relation::Equal(matrix[(entry[0], entry[1])].clone(), matrix[(next[0], next[1])].clone());
        Comparison { what: "entry of the corner", index: entry, relation }
    });
    compared.collect()
}
