//! `uniqueness.circular-roll`: moving entries round is a relative encoding, and no rotation.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::encoding::determinant::leading_minor;
use crate::number::{Number, Relation, System};
use nalgebra::DMatrix;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct CircularRoll;

/// The entries moved round by m places: entry i is entry i + m of x, counted modulo their number; or, where they are not
/// moved round, 0 beyond the last.
fn moved<N: Number>(x: &[N], m: usize, round: bool) -> Vec<N> {
    let entry = |i: usize| if round || i + m < x.len() { x[(i + m) % x.len()].clone() } else { N::zero() };
    (0..x.len()).map(entry).collect()
}

fn dot<N: Number>(x: &[N], y: &[N]) -> N {
    x.iter().zip(y).fold(N::zero(), |sum, (x, y)| sum + x.clone() * y.clone())
}

/// The matrix that moves entries round by one place.
fn matrix<S: System>(system: &S, dim: usize) -> DMatrix<S::Number> {
    DMatrix::from_fn(dim, dim, |i, j| system.integer(i64::from((i + 1) % dim == j)))
}

impl Claim for CircularRoll {
    const ABOUT: About = About {
        id: "uniqueness.circular-roll",
        statement: "To move the d entries of a vector round by m places is orthogonal, and relative: for all m, k, x and y the score of x at m and y at m + k is that of x at 0 and y at k. But it is no RoPE, in any basis: for even d the matrix that moves by one place has the determinant −1, where rotations have 1, so that B⁻¹R(t)B is another matrix for all frequencies, every t and every B; and after d places all is as before, so that positions d apart are alike.",
        written: Some(
            "The equations of a relative encoding lead to rotations: the map of position 1 has determinant 1, here for moving the entries round.",
        ),
        sources: &[Source {
            document: Document::RoFormer,
            place: "section 3.4.1, the equations that a relative encoding obeys; beyond it",
        }],
        verdict: Verdict::Corrected,
        sabotage: "entries that fall off the end are lost, and zeros come in",
        remark: Some(
            "Beyond RoFormer, whose equations are those of two dimensions. In two dimensions moving round is a reflection up to a change of basis; the same said of diag(1, −1) is uniqueness.rope-2d. Positions m and offsets k from 0 to d are compared, at d = 2, 4 and 8.",
        ),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        [2, 4, 8].map(|dim| Size { dim, tokens: 0, base: 0 }).to_vec()
    }

    fn inputs(size: &Size) -> Inputs {
        let vectors = Inputs::default().reals_in("x", size.dim, 0.5, 1.0).reals_in("y", size.dim, 0.5, 1.0);
        vectors.choice("m", 1..=size.dim).choice("k", 0..=size.dim)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let dim = case.size.dim;
        let determinant = leading_minor(&matrix(system, dim), dim);
        if form == Form::AsWritten {
            let relation = Relation::Equal(determinant, system.integer(1));
            return Ok(vec![Comparison::new("determinant of moving round and 1", relation)]);
        }
        let (m, k, round) = (case.choice("m")?, case.choice("k")?, !form.is_sabotaged());
        let vector = |name| (0..dim).map(|entry| system.real(name, entry)).collect::<Vec<S::Number>>();
        let (x, y) = (vector("x"), vector("y"));
        let score = |m, n| dot(&moved(&x, m, round), &moved(&y, n, round));
        let mut all = vec![Comparison::new("score at m and m + k, and at 0 and k", Relation::Equal(score(m, m + k), score(0, k)))];
        if round {
            let relation = Relation::Equal(determinant, system.integer(-1));
            all.push(Comparison::new("determinant of moving round and −1", relation));
            all.push(Comparison::new("score at m and m + d, and of x and y", Relation::Equal(score(m, m + dim), dot(&x, &y))));
        }
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        size.dim << size.dim
    }
}
