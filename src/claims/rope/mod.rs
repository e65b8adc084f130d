//! `rope`: rotary encoding.

use crate::claim::{Size, SystemKind};

super::claims! {
    rotation: Rotation,
    inverse: Inverse,
    composition: Composition,
    relative_position: RelativePosition,
    isometry: Isometry,
    linear: Linear,
    row_vector: RowVector,
    aliasing: Aliasing,
    pair_layout: PairLayout,
}

/// The head sizes of released models with their bases: 64 with 10000, 128 with 500000, 256 with 1000000.
const HEADS: [Size; 3] = [
    Size { dim: 64, tokens: 0, base: 10_000 },
    Size { dim: 128, tokens: 0, base: 500_000 },
    Size { dim: 256, tokens: 0, base: 1_000_000 },
];

/// Formally d in {2, 4, 8, 16}; numerically two dimensions and [`HEADS`].
fn head_sizes(kind: SystemKind) -> Vec<Size> {
    match kind {
        SystemKind::Formal => Size::dimensions(kind),
        SystemKind::Enclosed | SystemKind::Rounded { .. } => [&[Size::dim(2)], HEADS.as_slice()].concat(),
    }
}
