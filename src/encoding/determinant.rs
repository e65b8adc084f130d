//! Determinants without division, so that every number system can take them.

use crate::number::Number;
use nalgebra::DMatrix;

/// The determinant of the first `order` rows and columns, or of as many as there are.
///
/// Laplace's expansion along the last row, with each minor of the first rows computed once:
/// order·2^(order−1) products, which is affordable up to an order of about 16.
///
/// ```
/// use nalgebra::DMatrix;
/// use posproof::encoding::determinant::leading_minor;
/// use posproof::number::interval::Interval;
/// let matrix = DMatrix::from_row_slice(3, 3, &[2, 1, 0, 1, 3, 1, 0, 1, 4]).map(Interval::from);
/// assert_eq!(leading_minor(&matrix, 3), Interval::from(18));
/// assert_eq!(leading_minor(&matrix, 2), Interval::from(5));
/// ```
pub fn leading_minor<N: Number>(matrix: &DMatrix<N>, order: usize) -> N {
    let order = order.min(matrix.nrows()).min(matrix.ncols());
    // minors[columns] is the minor of as many first rows as `columns` has bits, in those columns.
    let mut minors = vec![N::one()];
    for columns in 1..1_usize << order {
        let row = columns.count_ones() as usize - 1;
        let mut minor = N::zero();
        for column in (0..order).filter(|column| columns >> column & 1 == 1) {
            let term = minors[columns ^ (1 << column)].clone() * matrix[(row, column)].clone();
            let columns_after = (columns >> (column + 1)).count_ones();
            if columns_after % 2 == 0 { minor += term } else { minor -= term }
        }
        minors.push(minor);
    }
    minors.pop().unwrap_or_else(N::one)
}
