//! Vectors turned pair by pair, rightly and wrongly.

use super::program::{Arithmetic, CosinesAndSines};
use posproof_encoding::convention::Component;
use serde_json::{Value, json};

/// Other places at which a kernel reads a row [cosines | sines] of a cache, one column for each pair and component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CacheRead {
    /// The sines from this column on: a row goes on in the next one.
    SinesFrom(usize),
    /// The sines from this column on, with zeros behind the end of the row.
    SinesUpToTheEnd(usize),
    /// Cosines in even columns, sines in odd ones.
    Alternating,
    /// Rows that have cosines in even columns and sines in odd ones, read as [cosines | sines].
    Halves,
}

impl CacheRead {
    /// The entry that is taken for a component of a pair, of so many: rows after its own, component and pair; none for a zero.
    pub(crate) fn taken(self, component: Component, pair: usize, pairs: usize) -> Option<(usize, Component, usize)> {
        let of = |sine: bool| if sine { Component::Sin } else { Component::Cos };
        let column = |at: usize| (at / (2 * pairs), of(at / pairs % 2 == 1), at % pairs);
        let is_sine = component == Component::Sin;
        let own = if is_sine { pairs + pair } else { pair };
        Some(match self {
            Self::SinesUpToTheEnd(first) if is_sine && first + pair >= 2 * pairs => return None,
            Self::SinesFrom(first) | Self::SinesUpToTheEnd(first) if is_sine => column(first + pair),
            Self::SinesFrom(_) | Self::SinesUpToTheEnd(_) => column(own),
            Self::Alternating => column(2 * pair + usize::from(is_sine)),
            Self::Halves => (0, of(own % 2 == 1), own / 2),
        })
    }

    pub(super) fn sentence(self) -> String {
        match self {
            Self::SinesFrom(0) => {
                "the sines are read from column 0 of the cache's rows [cosines | sines]: they are the cosines"
                    .to_owned()
            }
            Self::SinesFrom(column) => {
                format!("the sines are read from column {column} of the cache's rows [cosines | sines] on")
            }
            Self::SinesUpToTheEnd(column) => {
                format!(
                    "the sines are read from column {column} of the cache's rows [cosines | sines] on, with zeros behind the end of a row"
                )
            }
            Self::Alternating => {
                "rows [cosines | sines] of the cache are read as a cosine, a sine, a cosine and so on".to_owned()
            }
            Self::Halves => {
                "rows of the cache that hold a cosine, a sine, a cosine and so on are read as [cosines | sines]"
                    .to_owned()
            }
        }
    }

    pub(super) fn detail(self) -> Value {
        match self {
            Self::SinesFrom(column) => json!({ "read": "sines-from", "column": column }),
            Self::SinesUpToTheEnd(column) => json!({ "read": "sines-up-to-the-end", "column": column }),
            Self::Alternating => json!({ "read": "alternating" }),
            Self::Halves => json!({ "read": "halves" }),
        }
    }
}

/// Steps of a rotation.
#[derive(Clone, Debug, PartialEq)]
pub struct PairRotation {
    /// The entries of x that form the pairs.
    pub read: Vec<(usize, usize)>,
    /// The entries of y that take them.
    pub write: Vec<(usize, usize)>,
    /// The pairs whose cosines and sines its first and its second entry take.
    pub angles: Vec<(usize, usize)>,
    /// Factors of x₁·cos and x₂·sin in the first entry, and of x₁·sin and x₂·cos in the second one: 1, −1, 1 and 1.
    pub factors: [f64; 4],
    /// Number of rows before its own of the vector that is turned: 0, or others where query and key are cross-wired.
    pub shifted: usize,
    /// True if the second entry of a pair is computed from the first one's new value.
    pub in_place: bool,
    /// True if the second entry of a pair stays as it was.
    pub half: bool,
    /// Factors of the entries of y; none where there are none.
    pub weights: Vec<f64>,
    /// True if y is reflected: it loses twice its mean in each entry.
    pub reflected: bool,
}

impl PairRotation {
    /// The right one for these pairs.
    pub fn new(pairs: Vec<(usize, usize)>) -> Self {
        Self {
            read: pairs.clone(),
            angles: (0..pairs.len()).map(|k| (k, k)).collect(),
            write: pairs,
            factors: [1.0, -1.0, 1.0, 1.0],
            shifted: 0,
            in_place: false,
            half: false,
            weights: Vec::new(),
            reflected: false,
        }
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
    let factors = how.factors.map(N::of);
    let turned = (0..rows).zip(pairs.entries.chunks_exact(pairs.width.max(1))).flat_map(|(i, angles)| {
        let from = row((i + rows - how.shifted % rows) % rows);
        let mut y = from.clone();
        for ((&(a, b), &(to_a, to_b)), &(one, other)) in how.read.iter().zip(&how.write).zip(&how.angles) {
            let ((cos, sin), (cos_too, sin_too)) = (&angles[one], &angles[other]);
            let product = |which: usize, x: &N, by: &N| x.times(by).times(&factors[which]);
            let first = product(0, &from[a], cos).plus(&product(1, &from[b], sin));
            let before = if how.in_place { &first } else { &from[a] };
            let second = product(2, before, sin_too).plus(&product(3, &from[b], cos_too));
            y[to_a] = first;
            if !how.half {
                y[to_b] = second;
            }
        }
        if how.reflected {
            let sum = y.iter().fold(N::of(0.0), |sum, y| sum.plus(y));
            let twice = sum.times(&N::of(-2.0 / dim as f64));
            y.iter_mut().for_each(|y| *y = y.plus(&twice));
        }
        y.iter_mut().zip(&how.weights).for_each(|(y, weight)| *y = y.times(&N::of(*weight)));
        y
    });
    turned.collect()
}
