//! Products of matrices.

use super::Number;
use nalgebra::DMatrix;

/// A·B: entry (i, j) is Σ_k a_ik·b_kj, each product rounded and added in the order of k.
///
/// nalgebra's operator computes α·a·b + β·c with α = β = 1, four operations of a system for two.
///
/// # Panics
///
/// Where A has not as many columns as B has rows, as nalgebra's operator does.
///
/// ```
/// use nalgebra::DMatrix;
/// use posproof::number::float::Float;
/// use posproof::number::matrix::product;
/// let a = DMatrix::from_row_slice(2, 2, &[1, 2, 3, 4]).map(Float::from);
/// assert_eq!(product(&a, &a), &a * &a);
/// ```
pub fn product<N: Number>(a: &DMatrix<N>, b: &DMatrix<N>) -> DMatrix<N> {
    assert_eq!(a.ncols(), b.nrows(), "a product of matrices of other shapes");
    if let Some(product) = N::matrix_product(a, b) {
        return product;
    }
    one_by_one(a, b)
}

/// The same, as it is defined.
pub(super) fn one_by_one<N: Number>(a: &DMatrix<N>, b: &DMatrix<N>) -> DMatrix<N> {
    let mut all = DMatrix::from_element(a.nrows(), b.ncols(), N::zero());
    for (mut sums, factors) in all.column_iter_mut().zip(b.column_iter()) {
        for (k, (column, factor)) in a.column_iter().zip(factors.iter()).enumerate() {
            for (sum, entry) in sums.iter_mut().zip(column.iter()) {
                if k == 0 {
                    *sum = entry.clone() * factor.clone();
                } else {
                    sum.add_product(entry, factor);
                }
            }
        }
    }
    all
}
