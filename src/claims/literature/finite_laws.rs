//! Parts that the claims on random queries and keys share: means as finite sums over vectors whose components have two
//! values.

use crate::claim::{Inputs, Size, SystemKind};
use crate::number::Number;

/// The dimensions compared: a vector of d components has 2^d values, a pair of vectors 4^d.
pub(super) fn sizes(kind: SystemKind) -> Vec<Size> {
    match kind {
        SystemKind::Formal => vec![Size::dim(2)],
        _ => vec![Size::dim(2), Size::dim(4)],
    }
}

/// The variables t and u of the laws of a query and of a key.
pub(super) fn inputs() -> Inputs {
    Inputs::default().reals_in("t", 1, 0.5, 2.0).reals_in("u", 1, 0.5, 2.0)
}

/// The operations of two means over a query and a key.
pub(super) fn work(size: &Size) -> usize {
    (4 * size.dim) << (2 * size.dim)
}

pub(super) fn squared<N: Number>(x: N) -> N {
    x.clone() * x
}
