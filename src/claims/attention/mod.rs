//! `attention`: permutations.

use crate::claim::{Inputs, Size, SystemKind};

super::claims! {
    permutation_matrix: PermutationMatrix,
    projections: Projections,
    scores: Scores,
    softmax: Softmax,
    equivariance: Equivariance,
    single_query: SingleQuery,
    invariance: Invariance,
    position_blind: PositionBlind,
    encoding_breaks_symmetry: EncodingBreaksSymmetry,
    weighted_sum: WeightedSum,
    skip_connection: SkipConnection,
}

/// n tokens of dimension d.
const fn tokens_of(tokens: usize, dim: usize) -> Size {
    Size { dim, tokens, base: 0 }
}

/// The sizes of whole layers: all of S_4 formally; in floats up to n = 256 and d = 128, as far as
/// the effort goes.
fn layer_sizes(kind: SystemKind) -> Vec<Size> {
    match kind {
        SystemKind::Formal => vec![tokens_of(2, 1), tokens_of(2, 2), tokens_of(3, 2), tokens_of(4, 3)],
        // MPFR takes a microsecond where hardware takes a nanosecond.
        SystemKind::Enclosed | SystemKind::Rounded { precision: 54.. } => {
            vec![tokens_of(2, 1), tokens_of(4, 3), tokens_of(8, 8)]
        }
        SystemKind::Rounded { .. } => {
            vec![tokens_of(2, 1), tokens_of(4, 3), tokens_of(16, 8), tokens_of(64, 32), tokens_of(256, 128)]
        }
    }
}

/// The sizes of bounds for all inputs of a layer, and all permutations of its tokens.
fn bounded_layers(base: u32) -> Vec<Size> {
    [(2, 2), (3, 4)].map(|(tokens, dim)| Size { base, ..tokens_of(tokens, dim) }).to_vec()
}

/// X, the weights of one head and a permutation P of the tokens.
fn layer_inputs(size: &Size) -> Inputs {
    let Size { dim, tokens, .. } = *size;
    let weights = dim * dim;
    // Weights within 1/√d keep the scores of the order of 1, whatever d.
    let limit = 1.0 / (dim as f64).sqrt();
    Inputs::default()
        .permutation("P", tokens)
        .reals("X", tokens * dim, 1.0)
        .reals("Wq", weights, limit)
        .reals("Wk", weights, limit)
        .reals("Wv", weights, limit)
}

/// Operations in one layer.
fn layer_work(size: &Size) -> usize {
    let Size { dim, tokens, .. } = *size;
    tokens * (3 * dim * dim + 2 * tokens * dim + 4 * tokens)
}
