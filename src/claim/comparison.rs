//! Comparisons of a claim, and reasons why it may not be able to say.

use crate::number::Relation;
use nalgebra::{Dim, Matrix, RawStorage, Scalar};

/// Two sides, the relation between them, and what they are.
#[derive(Clone, Debug)]
pub struct Comparison<N> {
    /// Noun of the compared numbers: "component", "entry".
    pub what: &'static str,
    /// Its index, or row and column.
    pub index: [usize; 2],
    /// The relation.
    pub relation: Relation<N>,
}

impl<N> Comparison<N> {
    /// One comparison.
    pub fn new(what: &'static str, relation: Relation<N>) -> Self {
        Self { what, index: [0, 0], relation }
    }
}

/// Why a claim's own code could not say what to compare: a mistake in the claim, whatever the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Two columns or matrices of different shapes, each given as rows and columns.
    #[error("{what}: a {} × {} matrix is compared with a {} × {} matrix", .left[0], .left[1], .right[0], .right[1])]
    Shapes {
        /// The comparison that was to be made.
        what: &'static str,
        /// The shape of the left side.
        left: [usize; 2],
        /// The shape of the right side.
        right: [usize; 2],
    },
    /// An integer that the inputs do not have.
    #[error("the inputs have no integer '{0}'")]
    UnknownChoice(&'static str),
    /// A permutation that the inputs do not have.
    #[error("the inputs have no permutation '{0}'")]
    UnknownPermutation(&'static str),
    /// A real that the inputs do not have, or not as many of.
    #[error("the inputs have no real '{0}': Inputs::reals gives it one; a position is asked for by Phase::position")]
    UnknownReal(&'static str),
    /// A position that the inputs do not have.
    #[error("the inputs have no position '{0}': Inputs::positions gives it one; a real is asked for by Phase::angle")]
    UnknownPosition(&'static str),
    /// Something that the claim computes beforehand and could not find.
    #[error("{0} was not found")]
    NotFound(&'static str),
}

/// Comparisons of a claim at one case.
pub type Comparisons<N> = Result<Vec<Comparison<N>>, Refusal>;

/// Equality, entry by entry, of two columns or matrices of one shape.
///
/// # Errors
///
/// The shapes differ.
pub fn equal_entries<N, R, C, L, M>(
    what: &'static str,
    left: &Matrix<N, R, C, L>,
    right: &Matrix<N, R, C, M>,
) -> Comparisons<N>
where
    N: Scalar,
    R: Dim,
    C: Dim,
    L: RawStorage<N, R, C>,
    M: RawStorage<N, R, C>,
{
    if left.shape() != right.shape() {
        let [left, right] = [left.shape(), right.shape()].map(<[usize; 2]>::from);
        return Err(Refusal::Shapes { what, left, right });
    }
    let rows = left.nrows();
    let pairs = left.iter().zip(right.iter()).enumerate();
    let compared = pairs.map(|(place, (l, r))| Comparison {
        what,
        index: [place % rows, place / rows],
        relation: Relation::Equal(l.clone(), r.clone()),
    });
    Ok(compared.collect())
}
