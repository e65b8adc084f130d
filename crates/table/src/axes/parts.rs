//! The entries of a table of several axes, as they are kept.

use super::joined::Joined;
use super::overlay::Overlay;
use super::runs::Run;
use std::sync::OnceLock;

/// The entries of a head.
pub struct Head<T> {
    pub parts: Vec<Part<T>>,
    /// Entries of rows of sinusoids, sines and cosines joined, where they were asked for.
    pub joined: OnceLock<Vec<Joined<T>>>,
    /// Overlays of which many rows are made, for each array, where they were asked for.
    pub overlays: [OnceLock<Overlay>; 3],
}

/// Entries that are indexed alike.
pub struct Part<T> {
    pub slots: Vec<usize>,
    pub runs: Vec<Run>,
    pub rows: Indexed,
    /// \[index, slots\].
    pub cos: Vec<T>,
    pub sin: Vec<T>,
}

impl<T> Part<T> {
    pub fn new(slots: Vec<usize>, rows: Indexed, cos: Vec<T>, sin: Vec<T>) -> Self {
        Self { runs: Run::all(&slots), slots, rows, cos, sin }
    }

    /// Entries of it.
    pub fn source<'p>(&'p self, entries: &'p [T]) -> Source<'p, T> {
        Source { entries, count: self.slots.len(), runs: &self.runs }
    }
}

/// Entries of a part, so many for each index, and where they stand in a row.
pub struct Source<'p, T> {
    pub entries: &'p [T],
    pub count: usize,
    pub runs: &'p [Run],
}

impl<T: Copy> Source<'_, T> {
    /// Puts the entries of an index in their places of a row.
    pub fn put(&self, index: usize, row: &mut [T]) {
        let entries = &self.entries[index * self.count..(index + 1) * self.count];
        self.runs.iter().for_each(|run| run.put(entries, row));
    }
}

/// Numbers of the rows of a part.
#[derive(Clone, Copy)]
pub enum Indexed {
    /// The place of a row's coordinate along an axis.
    Axis(usize),
    /// The row itself.
    Row,
    /// Nothing: every row is the same.
    Alike,
}
