//! Vectors turned pair by pair, rightly and wrongly.

use super::program::{Arithmetic, CosinesAndSines};

/// Steps of a rotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairRotation {
    /// The entries of x that form the pairs.
    pub read: Vec<(usize, usize)>,
    /// The entries of y that take them.
    pub write: Vec<(usize, usize)>,
    /// Number of rows before its own of the vector that is turned: 0, or others where query and key are cross-wired.
    pub shifted: usize,
    /// True if the second entry of a pair is computed from the first one's new value.
    pub in_place: bool,
}

impl PairRotation {
    /// The right one for these pairs.
    pub fn new(pairs: Vec<(usize, usize)>) -> Self {
        Self { read: pairs.clone(), write: pairs, shifted: 0, in_place: false }
    }
}

/// The vectors x, `dim` entries each, turned by the angles of `pairs`, row by row; what no pair writes stays.
///
/// # Panics
///
/// If a pair has an entry that is not one of `dim`.
pub fn turn<N: Arithmetic>(pairs: &CosinesAndSines<N>, x: &[f64], dim: usize, how: &PairRotation) -> Vec<N> {
    let rows = x.len().checked_div(dim).unwrap_or(0);
    let row = |i: usize| x[i * dim..][..dim].iter().map(|x| N::of(*x)).collect::<Vec<N>>();
    let difference = |a: &N, b: &N| a.plus(&b.times(&N::of(-1.0)));
    let turned = (0..rows).zip(pairs.entries.chunks_exact(pairs.width.max(1))).flat_map(|(i, angles)| {
        let from = row((i + rows - how.shifted % rows) % rows);
        let mut y = from.clone();
        for ((&(a, b), &(to_a, to_b)), (cos, sin)) in how.read.iter().zip(&how.write).zip(angles) {
            let first = difference(&from[a].times(cos), &from[b].times(sin));
            let other = if how.in_place { &first } else { &from[a] };
            let second = other.times(sin).plus(&from[b].times(cos));
            (y[to_a], y[to_b]) = (first, second);
        }
        y
    });
    turned.collect()
}
