//! Arrays in which two axes may be that of the positions.

use super::grid::{Grid, like_its_grid};
use super::input::{About, InvalidInput};
use super::levels::Levels;
use super::subject::Subject;
use posproof_numerics::format::Format;
use std::ops::Range;

/// A grid of one table, each row of which is read as a table of one row: heads, where positions were looked for.
struct RowsAsHeads<'a> {
    grid: &'a dyn Grid,
}

/// The arrays of a subject, read with one position and as many tables as there were rows.
pub(super) struct RowsAsTables<'a> {
    subject: Subject<'a>,
    grids: Vec<RowsAsHeads<'a>>,
}

impl<'a> RowsAsTables<'a> {
    /// The other reading, if every array has one.
    pub fn of(subject: Subject<'a>) -> Option<Self> {
        let grids = match subject {
            Subject::Rotation { x, y } => vec![x, y],
            _ => subject.grids().into_iter().map(|(_, grid)| grid).collect(),
        };
        let other = |grid: &&dyn Grid| grid.is_axis_in_question() && grid.slabs() == 1;
        let all = grids.iter().all(other);
        all.then(|| Self { subject, grids: grids.into_iter().map(|grid| RowsAsHeads { grid }).collect() })
    }

    /// Subject of this reading.
    pub fn subject(&self) -> Subject<'_> {
        let mut grids = self.grids.iter().map(|grid| grid as &dyn Grid);
        match self.subject {
            Subject::Rotation { x, y } => {
                Subject::Rotation { x: grids.next().unwrap_or(x), y: grids.next().unwrap_or(y) }
            }
            subject => subject.with(grids),
        }
    }

    /// Which axis is meant, has to be said.
    pub fn refusal(&self) -> InvalidInput {
        let grid = self.subject.judged();
        let rows = grid.rows();
        About(grid.name()).error(
            "the axis of the positions",
            "rows at different positions, or a stated axis",
            format!("{rows} rows of one position: {rows} positions of a stale cache, or {rows} heads at one position"),
            "state the positions, or the axis (--sequence-axis; in Python sequence_axis)",
        )
    }
}

impl Grid for RowsAsHeads<'_> {
    like_its_grid!(name: &str, format: Format, width: usize, levels: Option<Levels>);

    fn slabs(&self) -> usize {
        self.grid.rows()
    }
    fn rows(&self) -> usize {
        1
    }
    fn note(&self) -> Option<String> {
        Some(format!("one position, and a table for each of the {} rows along the other axis", self.grid.rows()))
    }
    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        let count = rows.len();
        self.grid.read(0, slab..slab + 1, out)?;
        if count == 0 {
            out.clear();
        }
        Ok(())
    }
}
