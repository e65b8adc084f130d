//! `encoding.pair-or-sum`: a pair is twice as long as a sum, and a matrix acts on either.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
    equal_entries,
};
use crate::encoding::attention::matrix;
use crate::encoding::{rotary, sinusoid};
use crate::number::{Position, Relation, System};
use nalgebra::{DMatrix, DVector};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct PairOrSum;

/// ⟨x, p⟩: the components of x, then those of p.
fn pair<N: nalgebra::Scalar>(x: &DVector<N>, p: &DVector<N>) -> DVector<N> {
    DVector::from_iterator(x.len() + p.len(), x.iter().chain(p.iter()).cloned())
}

/// [W W]: a matrix that takes a pair to what W makes of the sum.
fn beside_itself<N: nalgebra::Scalar>(w: &DMatrix<N>) -> DMatrix<N> {
    DMatrix::from_fn(w.nrows(), 2 * w.ncols(), |row, column| w[(row, column % w.ncols())].clone())
}

impl Claim for PairOrSum {
    const ABOUT: About = About {
        id: "encoding.pair-or-sum",
        statement: "The pair ⟨x, PE(t)⟩ has dimension 2d and the sum has dimension d, and W(x + p) = W x + W p for every matrix W.",
        written: None,
        sources: &[Source {
            document: Document::LectureNotes,
            place: "Representing the combined token and positional encoding",
        }],
        verdict: Verdict::Holds,
        sabotage: "W x + p for W x + W p: the encoding added after the projection",
        remark: Some(
            "n is the number of rows of W. That [W W] makes of the pair what W makes of the sum is checked as well.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let size = |tokens, dim| Size { dim, tokens, base: 10_000 };
        match kind {
            SystemKind::Formal => vec![size(2, 2), size(4, 4), size(8, 8), size(2, 16)],
            // MPFR takes a microsecond where hardware takes a nanosecond.
            SystemKind::Enclosed | SystemKind::Rounded { precision: 54.. } => {
                vec![size(2, 2), size(8, 8), size(4, 64), size(1, 512)]
            }
            SystemKind::Rounded { .. } => vec![size(2, 2), size(8, 8), size(64, 64), size(8, 512)],
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        // The rows of W are alike.
        [(2, 2), (8, 8), (1, 64), (1, 128)].map(|(tokens, dim)| Size { dim, tokens, base: 10_000 }).to_vec()
    }

    fn inputs(size: &Size) -> Inputs {
        Inputs::default().position("t").reals("x", size.dim, 1.0).reals("W", size.tokens * size.dim, 1.0)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let Size { dim, tokens: rows, base } = case.size;
        let x = rotary::vector(system, "x", dim);
        let p = sinusoid::encode(system, &sinusoid::frequencies(base, dim), &Position::symbol("t"));
        let w = matrix(system, "W", rows, dim);
        let (joined, sum) = (pair(&x, &p), &x + &p);
        let length = |vector: &DVector<S::Number>, length: usize| {
            Relation::Equal(system.integer(vector.len() as i64), system.integer(length as i64))
        };
        let encoded = &w * &p;
        let added = if form.is_sabotaged() { DVector::from_fn(rows, |row, _| p[row % dim].clone()) } else { encoded };
        let (of_sum, of_parts) = (&w * &sum, &w * &x + added);
        let mut all = vec![
            Comparison::new("dimension of the pair", length(&joined, 2 * dim)),
            Comparison::new("dimension of the sum", length(&sum, dim)),
        ];
        all.extend(equal_entries("W(x + p)", &of_sum, &of_parts)?);
        all.extend(equal_entries("[W W]⟨x, p⟩", &(beside_itself(&w) * joined), &of_sum)?);
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        2 * size.dim + 6 * size.tokens * size.dim
    }
}
