//! Which rows, tables and columns hold entries of one kind.

use super::faults::Span;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A set of small numbers that threads add to: the same whatever their order.
#[derive(Debug, Default)]
pub(super) struct Marks(Vec<AtomicU64>);

impl Marks {
    /// None of the numbers below an end.
    pub fn new(end: usize) -> Self {
        Self((0..end.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Adds a number.
    pub fn add(&self, number: usize) {
        if let Some(word) = self.0.get(number / 64) {
            let bit = 1 << (number % 64);
            if word.load(Relaxed) & bit == 0 {
                word.fetch_or(bit, Relaxed);
            }
        }
    }

    /// The numbers, increasing.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, word)| {
            let word = word.load(Relaxed);
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * at + bit)
        })
    }

    /// A list of them, increasing.
    #[cfg(feature = "axes")]
    pub fn list(&self) -> Vec<usize> {
        self.iter().collect()
    }

    /// The smallest span of them.
    pub fn span(&self) -> Option<Span> {
        Span::of(self.iter())
    }
}

/// Where entries of a kind are: one bit for each row, table and column.
#[derive(Debug, Default)]
pub(super) struct Extent {
    pub rows: Marks,
    pub slabs: Marks,
    /// Of each grid.
    pub columns: Vec<Marks>,
}

impl Extent {
    pub fn new(slabs: usize, rows: usize, widths: impl IntoIterator<Item = usize>) -> Self {
        Self { rows: Marks::new(rows), slabs: Marks::new(slabs), columns: widths.into_iter().map(Marks::new).collect() }
    }
}
