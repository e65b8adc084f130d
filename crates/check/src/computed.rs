//! Numbers that a closure computes, position by position: the way in for the tests of other crates.

use super::grid::{Grid, Slice};
use super::input::InvalidInput;
use super::probe::vectors;
use super::subject::Subject;
use posproof_numerics::format::Format;
use posproof_table::{Element, Positions};
use std::ops::Range;

/// A table that a closure wrote, a row for each position.
///
/// ```
/// use posproof_check::{Computed, Expectation, Subject, assert_conforms, probe};
/// use posproof_encoding::convention::Convention;
///
/// let positions = probe::positions(131_071)?;
/// // Under test: the cosines of a cache.
/// let cos = Computed::new("cos", &positions, 32, |position, row: &mut [f32]| {
///     for (k, entry) in row.iter_mut().enumerate() {
///         let frequency = 10000f32.powf(-(k as f32) / 32.0);
///         *entry = (position as f32 * frequency).cos();
///     }
/// });
/// let convention = Expectation::new(Convention::rope(64)).at(positions);
/// assert_conforms(Subject::Rope { cos: Some(&cos), sin: None }, &convention);
/// # Ok::<(), posproof_table::InvalidPositions>(())
/// ```
#[derive(Clone, Debug)]
pub struct Computed<T> {
    name: String,
    entries: Vec<T>,
    width: usize,
}

impl<T: Element> Computed<T> {
    /// The rows of `width` entries that `row` writes for these positions, one after the other. The
    /// rows are zero before it writes them. A table that memory does not hold has no rows, and is refused when it
    /// is judged.
    pub fn new(name: &str, positions: &Positions, width: usize, mut row: impl FnMut(u64, &mut [T])) -> Self {
        let mut entries = Vec::new();
        let count = positions.len().saturating_mul(width);
        if entries.try_reserve_exact(count).is_ok() {
            entries.resize(count, T::default());
        }
        if width > 0 {
            entries.chunks_exact_mut(width).zip(positions.iter()).for_each(|(out, position)| row(position, out));
        }
        Self { name: name.to_owned(), entries, width }
    }

    /// The entries, row after row.
    pub fn entries(&self) -> &[T] {
        &self.entries
    }

    fn slice(&self) -> Result<Slice<'_, T>, InvalidInput> {
        Slice::new(&self.name, &self.entries, self.width)
    }
}

impl<T: Element> Grid for Computed<T> {
    fn name(&self) -> &str {
        &self.name
    }
    fn format(&self) -> Format {
        T::FORMAT
    }
    fn slabs(&self) -> usize {
        1
    }
    fn rows(&self) -> usize {
        self.entries.len().checked_div(self.width).unwrap_or(0)
    }
    fn width(&self) -> usize {
        self.width
    }
    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        self.slice()?.read(slab, rows, out)
    }
}

/// Vectors, and what a closure that rotates in place made of them.
///
/// ```
/// use posproof_check::{Expectation, Rotated, assert_conforms, probe};
/// use posproof_encoding::convention::{Convention, Layout};
///
/// let positions = probe::positions(131_071)?;
/// // Under test: a rotation of pairs (k, k + 32), in place.
/// let rotated = Rotated::new(&positions, 64, |position, vector: &mut [f32]| {
///     let (first, second) = vector.split_at_mut(32);
///     for (k, (x, y)) in first.iter_mut().zip(second).enumerate() {
///         let (sin, cos) = (position as f32 * 10000f32.powf(-(k as f32) / 32.0)).sin_cos();
///         (*x, *y) = (*x * cos - *y * sin, *x * sin + *y * cos);
///     }
/// });
/// let convention = Convention { layout: Layout::Halves, ..Convention::rope(64) };
/// assert_conforms(rotated.subject(), &Expectation::new(convention).at(positions));
/// # Ok::<(), posproof_table::InvalidPositions>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rotated<T> {
    x: Computed<T>,
    y: Computed<T>,
}

impl<T: Element> Rotated<T> {
    /// Results of `rotate` for each position, of a vector of [`vectors`].
    pub fn new(positions: &Positions, dim: usize, mut rotate: impl FnMut(u64, &mut [T])) -> Self {
        let mut numbers = vectors(T::FORMAT, positions.len().saturating_mul(dim));
        let x = Computed::new("x", positions, dim, |_, row: &mut [T]| {
            row.iter_mut().zip(&mut numbers).for_each(|(entry, number)| *entry = T::from_exact(number));
        });
        let mut y = Computed { name: "y".into(), ..x.clone() };
        if dim > 0 {
            y.entries.chunks_exact_mut(dim).zip(positions.iter()).for_each(|(row, position)| rotate(position, row));
        }
        Self { x, y }
    }

    /// Subject of the judgement.
    pub fn subject(&self) -> Subject<'_> {
        Subject::Rotation { x: &self.x, y: &self.y }
    }
}
