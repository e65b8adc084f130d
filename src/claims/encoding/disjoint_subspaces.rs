//! `encoding.disjoint-subspaces`: when a sum gives token and position back.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
    equal_entries,
};
use crate::encoding::rotary;
use crate::number::{Number, Relation, System};
use nalgebra::{DMatrix, DVector};
use num_traits::Zero;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct DisjointSubspaces;

/// The triangular matrix with ones on the diagonal and the variables `name[0]`, `name[1]`, … below
/// it, row by row.
fn lower<S: System>(system: &S, name: &'static str, dim: usize) -> DMatrix<S::Number> {
    let mut matrix = DMatrix::identity(dim, dim);
    for row in 1..dim {
        for column in 0..row {
            matrix[(row, column)] = system.real(name, row * (row - 1) / 2 + column);
        }
    }
    matrix
}

/// L⁻¹ y by forward substitution, for L triangular with ones on the diagonal.
fn solve_lower<N: Number>(lower: &DMatrix<N>, y: &DVector<N>) -> DVector<N> {
    let mut x = y.clone();
    for row in 1..x.len() {
        for column in 0..row {
            let known = lower[(row, column)].clone() * x[column].clone();
            x[row] -= known;
        }
    }
    x
}

/// Lᵀ⁻¹ y by backward substitution.
fn solve_upper<N: Number>(lower: &DMatrix<N>, y: &DVector<N>) -> DVector<N> {
    let mut x = y.clone();
    for row in (0..x.len()).rev() {
        for column in row + 1..x.len() {
            let known = lower[(column, row)].clone() * x[column].clone();
            x[row] -= known;
        }
    }
    x
}

/// Two subspaces that meet only in 0: the spans of the even and of the odd columns of M = L Rᵀ.
struct Subspaces<N: Number> {
    l: DMatrix<N>,
    r: DMatrix<N>,
}

impl<N: Number> Subspaces<N> {
    /// M c: the vector with coordinates c.
    fn vector(&self, coordinates: &DVector<N>) -> DVector<N> {
        &self.l * (self.r.transpose() * coordinates)
    }

    /// The linear map that keeps the coordinates of one subspace and drops those of the other:
    /// y ↦ M D M⁻¹ y, D diagonal with ones at the even places for the tokens, at the odd for the positions.
    fn recover(&self, y: &DVector<N>, parity: usize) -> DVector<N> {
        let coordinates = solve_upper(&self.r, &solve_lower(&self.l, y));
        self.vector(&kept(&coordinates, parity))
    }
}

/// The entries at the places of one parity, 0 at the others.
fn kept<N: Number>(column: &DVector<N>, parity: usize) -> DVector<N> {
    DVector::from_fn(column.len(), |place, _| if place % 2 == parity { column[place].clone() } else { N::zero() })
}

/// Places of tokens, and of positions.
const TOKENS: usize = 0;
const POSITIONS: usize = 1;

impl Claim for DisjointSubspaces {
    const ABOUT: About = About {
        id: "encoding.disjoint-subspaces",
        statement: "If tokens and positions live in subspaces that meet only in 0, linear maps recover each exactly from the sum; if the subspaces share a nonzero vector, no map of the sum recovers the token, and none the position.",
        written: None,
        sources: &[Source {
            document: Document::LectureNotes,
            place: "Representing the combined token and positional encoding, theory of disjoint sub-arrays",
        }],
        verdict: Verdict::Holds,
        sabotage: "the two maps exchanged",
        remark: Some(
            "Tokens are spanned by the even columns, positions by the odd columns of M = L Rᵀ, with L and R triangular and ones on the diagonals, which reaches every pair of complementary subspaces in general position; the map is M D M⁻¹, D the 0-1 diagonal of the one or the other. With a shared vector w, the token x + w at position p and the token x at position p + w have one sum, and a map of the sum has one value.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let size = |dim| Size { dim, tokens: 0, base: 0 };
        match kind {
            SystemKind::Formal => [2, 3, 4].map(size).to_vec(),
            // MPFR takes a microsecond where hardware takes a nanosecond.
            SystemKind::Enclosed | SystemKind::Rounded { precision: 54.. } => [2, 8, 16].map(size).to_vec(),
            SystemKind::Rounded { .. } => [2, 8, 64].map(size).to_vec(),
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        // Eight dimensions take half a minute: what M⁻¹ makes of M is not in short normal form.
        [2, 4].map(|dim| Size { dim, tokens: 0, base: 0 }).to_vec()
    }

    fn inputs(size: &Size) -> Inputs {
        let dim = size.dim;
        // Entries within 1/d keep M near the identity, and its inverse of the order of 1, whatever d.
        let (triangle, limit) = (dim * (dim - 1) / 2, 1.0 / dim as f64);
        Inputs::default()
            .reals("L", triangle, limit)
            .reals("R", triangle, limit)
            .reals("c", dim, 1.0)
            .choice("shared", 0..=dim - 1)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let dim = case.size.dim;
        let subspaces = Subspaces { l: lower(system, "L", dim), r: lower(system, "R", dim) };
        let coordinates = rotary::vector(system, "c", dim);
        let [token, position] = [TOKENS, POSITIONS].map(|parity| subspaces.vector(&kept(&coordinates, parity)));
        let sum = &token + &position;
        let [of_token, of_position] = if form.is_sabotaged() { [POSITIONS, TOKENS] } else { [TOKENS, POSITIONS] };
        let mut all = equal_entries("token from the sum", &subspaces.recover(&sum, of_token), &token)?;
        all.extend(equal_entries("position from the sum", &subspaces.recover(&sum, of_position), &position)?);
        // A basis vector that both subspaces are given.
        let mut unit = DVector::zeros(dim);
        unit[case.choice("shared")?] = system.integer(1);
        let shared = subspaces.vector(&unit);
        let (other_token, other_position) = (&token + &shared, &position + &shared);
        all.extend(equal_entries("sum of two pairs", &(&other_token + &position), &(&token + &other_position))?);
        let length = |vector: &DVector<S::Number>| vector.dot(vector);
        let apart = Relation::Distinct(length(&(other_token - &token)), S::Number::zero());
        all.push(Comparison::new("squared distance of the two tokens", apart));
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        14 * size.dim * size.dim
    }
}
