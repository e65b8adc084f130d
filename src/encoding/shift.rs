//! The shift matrix T(k), for which T(k) PE(t) = PE(t + k).

use crate::number::{Frequency, Number, Position, System};
use nalgebra::{DMatrix, DVector, Matrix2, Vector2};

/// A block-diagonal matrix of 2×2 blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockDiagonal<N: Number>(pub Vec<Matrix2<N>>);

impl<N: Number> BlockDiagonal<N> {
    /// The product with a column of twice as many entries as there are blocks; entries beyond that
    /// are left out.
    pub fn apply(&self, column: &DVector<N>) -> DVector<N> {
        let pairs = column.as_slice().chunks_exact(2).zip(&self.0);
        let entries = pairs.flat_map(|(pair, block)| {
            let product = block.clone() * Vector2::new(pair[0].clone(), pair[1].clone());
            [product[0].clone(), product[1].clone()]
        });
        DVector::from_vec(entries.collect())
    }

    /// The whole matrix, zeros included.
    pub fn assemble(&self) -> DMatrix<N> {
        let dim = 2 * self.0.len();
        DMatrix::from_fn(dim, dim, |row, column| {
            if row / 2 == column / 2 { self.0[row / 2][(row % 2, column % 2)].clone() } else { N::zero() }
        })
    }
}

/// Φ(k) = R(ωk)ᵀ = [[cos ωk, sin ωk], [−sin ωk, cos ωk]] (Linear Relationships, equation 9).
pub fn block<S: System>(system: &S, frequency: &Frequency, offset: &Position) -> Matrix2<S::Number> {
    let point = system.cis(&(offset.clone() * frequency.clone()));
    Matrix2::new(point.re.clone(), point.im.clone(), -point.im, point.re)
}

/// T(k): one block Φ(k) for each frequency (Linear Relationships, equation 4).
pub fn shift<S: System>(system: &S, frequencies: &[Frequency], offset: &Position) -> BlockDiagonal<S::Number> {
    BlockDiagonal(frequencies.iter().map(|frequency| block(system, frequency, offset)).collect())
}
