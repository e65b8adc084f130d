//! Self-attention: one head, softmax along rows, scores divided by √d.

use crate::number::matrix::product;
use crate::number::{Number, System};
use nalgebra::DMatrix;

/// The weights of one head, each of shape [d_in, d].
#[derive(Clone, Debug, PartialEq)]
pub struct Head<N: Number> {
    /// W_q.
    pub query: DMatrix<N>,
    /// W_k.
    pub key: DMatrix<N>,
    /// W_v.
    pub value: DMatrix<N>,
}

impl<N: Number> Head<N> {
    /// The weights made of the real variables `Wq`, `Wk` and `Wv`, each [dim, dim] in row-major order.
    pub fn of_reals<S: System<Number = N>>(system: &S, dim: usize) -> Self {
        let weights = |name| matrix(system, name, dim, dim);
        Self { query: weights("Wq"), key: weights("Wk"), value: weights("Wv") }
    }

    /// As many heads as `count` says, each with its equal share of the columns of the weights;
    /// columns that do not fill a share are left out.
    pub fn split(&self, count: usize) -> Vec<Self> {
        let width = self.query.ncols() / count.max(1);
        let share = |weights: &DMatrix<N>, index| weights.columns(index * width, width).into_owned();
        let head = |index| Self {
            query: share(&self.query, index),
            key: share(&self.key, index),
            value: share(&self.value, index),
        };
        (0..count).map(head).collect()
    }
}

/// The real variables `name[0]`, `name[1]`, … as a matrix in row-major order.
pub fn matrix<S: System>(system: &S, name: &'static str, rows: usize, columns: usize) -> DMatrix<S::Number> {
    DMatrix::from_fn(rows, columns, |row, column| system.real(name, row * columns + column))
}

/// P X: row i of X becomes row `permutation[i]`.
pub fn permute_rows<N: Number>(permutation: &[usize], x: &DMatrix<N>) -> DMatrix<N> {
    let mut permuted = x.clone();
    for (from, &to) in permutation.iter().enumerate() {
        permuted.set_row(to, &x.row(from));
    }
    permuted
}

/// P A Pᵀ: entry (i, j) of A becomes entry (π(i), π(j)), where π(i) is `permutation[i]`.
pub fn permute_both<N: Number>(permutation: &[usize], a: &DMatrix<N>) -> DMatrix<N> {
    permute_rows(permutation, &permute_rows(permutation, a).transpose()).transpose()
}

/// The permutation matrix P with P X = [`permute_rows`]: entry (π(i), i) is 1,
/// where π(i) is `permutation[i]`.
pub fn permutation_matrix<N: Number>(permutation: &[usize]) -> DMatrix<N> {
    let n = permutation.len();
    DMatrix::from_fn(n, n, |row, column| if permutation[column] == row { N::one() } else { N::zero() })
}

/// Q Kᵀ/√d, where d is the number of columns (Transformer: positional embedding, "Proof").
pub fn scores<S: System>(system: &S, query: &DMatrix<S::Number>, key: &DMatrix<S::Number>) -> DMatrix<S::Number> {
    let root = system.integer(query.ncols() as i64).sqrt();
    product(query, &key.transpose()).map(|score| score / root.clone())
}

/// softmax(A)_ij = e^(A_ij) / Σ_j e^(A_ij), along rows and without a shift by the maximum
/// (Transformer: positional embedding, "Proof").
pub fn softmax<N: Number>(scores: &DMatrix<N>) -> DMatrix<N> {
    let mut weights = scores.map(|score| score.exp());
    for mut row in weights.row_iter_mut() {
        let total = row.iter().fold(N::zero(), |total, weight| total + weight.clone());
        row.iter_mut().for_each(|weight| *weight /= total.clone());
    }
    weights
}

/// Attn(X) = softmax(X W_q (X W_k)ᵀ/√d) X W_v: X is [n, d_in], the output [n, d].
pub fn layer<S: System>(system: &S, x: &DMatrix<S::Number>, head: &Head<S::Number>) -> DMatrix<S::Number> {
    let [query, key, value] = [&head.query, &head.key, &head.value].map(|weights| product(x, weights));
    product(&softmax(&scores(system, &query, &key)), &value)
}

/// Several heads side by side: column block h of the output is the layer of head h.
pub fn several<S: System>(system: &S, x: &DMatrix<S::Number>, heads: &[Head<S::Number>]) -> DMatrix<S::Number> {
    let blocks = heads.iter().map(|head| layer(system, x, head));
    let columns: Vec<_> =
        blocks.flat_map(|block| block.column_iter().map(|c| c.into_owned()).collect::<Vec<_>>()).collect();
    DMatrix::from_columns(&columns)
}
