//! Some rows of a grid as a grid, and some rows of a subject as a subject.

use super::grid::{Grid, like_its_grid};
use super::input::InvalidInput;
use super::levels::Levels;
use super::subject::Subject;
use posproof_numerics::format::Format;
use std::ops::Range;

/// Some rows of a grid, in any order, as a grid.
struct Rows<'a> {
    grid: &'a dyn Grid,
    rows: &'a [usize],
}

impl Grid for Rows<'_> {
    like_its_grid!(name: &str, format: Format, slabs: usize, width: usize, note: Option<String>, levels: Option<Levels>, leading: Vec<(usize, usize)>);

    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        let rows = self.rows.get(rows).unwrap_or_default();
        let mut run = Vec::new();
        let mut all = std::mem::take(out);
        all.clear();
        for next in rows.chunk_by(|one, other| one + 1 == *other) {
            self.grid.read(slab, next[0]..next[0] + next.len(), &mut run)?;
            all.extend_from_slice(&run);
        }
        *out = all;
        Ok(())
    }
}

/// Some columns of a grid, in an order of their own, as a grid.
#[cfg(feature = "axes")]
pub(super) struct PickedColumns<'a> {
    grid: &'a dyn Grid,
    columns: Vec<usize>,
}

#[cfg(feature = "axes")]
impl<'a> PickedColumns<'a> {
    pub fn new(grid: &'a dyn Grid, columns: Vec<usize>) -> Self {
        Self { grid, columns }
    }
}

#[cfg(feature = "axes")]
impl Grid for PickedColumns<'_> {
    like_its_grid!(name: &str, format: Format, slabs: usize, rows: usize, note: Option<String>, levels: Option<Levels>, leading: Vec<(usize, usize)>);

    fn width(&self) -> usize {
        self.columns.len()
    }

    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        self.grid.read(slab, rows, out)?;
        let (width, columns) = (self.grid.width(), self.columns.len());
        if !self.columns.is_sorted_by(|one, other| one < other) {
            let whole = std::mem::take(out);
            for row in whole.chunks_exact(width) {
                out.extend(self.columns.iter().filter_map(|&column| row.get(column)));
            }
            return Ok(());
        }
        // Columns in their order stand where they are read, or before.
        let count = out.len() / width;
        for row in 0..count {
            for (at, column) in self.columns.iter().enumerate() {
                out[row * columns + at] = out[row * width + column];
            }
        }
        out.truncate(count * columns);
        Ok(())
    }
}

/// The grids of a subject, some rows of each.
pub(super) struct PickedRows<'a> {
    subject: Subject<'a>,
    judged: Vec<Rows<'a>>,
    /// The vectors of a rotation.
    x: Option<Rows<'a>>,
}

impl<'a> PickedRows<'a> {
    pub fn new(subject: Subject<'a>, rows: &'a [usize]) -> Self {
        let judged = subject.grids().into_iter().map(|(_, grid)| Rows { grid, rows }).collect();
        let x = if let Subject::Rotation { x: grid, .. } = subject { Some(Rows { grid, rows }) } else { None };
        Self { subject, judged, x }
    }

    /// Subject in its place.
    pub fn subject(&self) -> Subject<'_> {
        let x = self.x.as_ref().map(|x| x as &dyn Grid);
        self.subject.of_views(self.judged.iter().map(|grid| grid as &dyn Grid), x)
    }
}
