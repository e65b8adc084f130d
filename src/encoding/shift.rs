//! The shift matrix T(k), for which T(k) PE(t) = PE(t + k).

use crate::number::{Frequency, Number, Phase, Position, System};
use nalgebra::{DMatrix, DVector, Matrix2, RowDVector, RowVector2, Vector2};

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

    /// The product of two matrices of equally many blocks, block by block; further blocks are left out.
    pub fn product(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(one, two)| one * two).collect())
    }

    /// The transpose.
    pub fn transposed(&self) -> Self {
        Self(self.0.iter().map(Matrix2::transpose).collect())
    }

    /// The determinant: the product of those of the blocks.
    pub fn determinant(&self) -> N {
        self.0.iter().fold(N::one(), |product, block| product * block_determinant(block))
    }

    /// The product of a row of twice as many entries as there are blocks with the matrix; entries
    /// beyond that are left out.
    pub fn apply_to_row(&self, row: &RowDVector<N>) -> RowDVector<N> {
        let pairs = row.as_slice().chunks_exact(2).zip(&self.0);
        let entries = pairs.flat_map(|(pair, block)| {
            let product = RowVector2::new(pair[0].clone(), pair[1].clone()) * block.clone();
            [product[0].clone(), product[1].clone()]
        });
        RowDVector::from_vec(entries.collect())
    }

    /// The whole matrix, zeros included.
    pub fn assemble(&self) -> DMatrix<N> {
        let dim = 2 * self.0.len();
        DMatrix::from_fn(dim, dim, |row, column| {
            if row / 2 == column / 2 { self.0[row / 2][(row % 2, column % 2)].clone() } else { N::zero() }
        })
    }
}

/// a·d − b·c of [[a, b], [c, d]].
pub fn block_determinant<N: Number>(block: &Matrix2<N>) -> N {
    let entry = |row, column| block[(row, column)].clone();
    entry(0, 0) * entry(1, 1) - entry(0, 1) * entry(1, 0)
}

/// The adjugate [[d, −b], [−c, a]] of [[a, b], [c, d]]: their product is the determinant times I.
pub fn block_adjugate<N: Number>(block: &Matrix2<N>) -> Matrix2<N> {
    let entry = |row, column| block[(row, column)].clone();
    Matrix2::new(entry(1, 1), -entry(0, 1), -entry(1, 0), entry(0, 0))
}

/// [[cos φ, sin φ], [−sin φ, cos φ]] at φ = rk (Linear Relationships, equation 6; Transformer:
/// positional embedding, "How do we have this?", step 5).
pub fn block_at<S: System>(system: &S, angle: &Phase) -> Matrix2<S::Number> {
    let point = system.cis(angle);
    Matrix2::new(point.re.clone(), point.im.clone(), -point.im, point.re)
}

/// Φ(k) = R(ωk)ᵀ = [[cos ωk, sin ωk], [−sin ωk, cos ωk]] (Linear Relationships, equation 9).
pub fn block<S: System>(system: &S, frequency: &Frequency, offset: &Position) -> Matrix2<S::Number> {
    block_at(system, &(offset.clone() * frequency.clone()))
}

/// T(k): one block Φ(k) for each frequency (Linear Relationships, equation 4).
pub fn shift<S: System>(system: &S, frequencies: &[Frequency], offset: &Position) -> BlockDiagonal<S::Number> {
    BlockDiagonal(frequencies.iter().map(|frequency| block(system, frequency, offset)).collect())
}
