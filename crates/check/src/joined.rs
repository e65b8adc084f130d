//! Sequences of a batch at positions of their own, read as the rows of one table.

use super::grid::{Grid, like_its_grid};
use super::input::{About, InvalidInput};
use super::levels::{Integers, Levels};
use super::subject::Subject;
use posproof_encoding::axes::Coordinates;
use posproof_numerics::format::Format;
use std::ops::Range;

/// A grid whose first leading axis numbers sequences: the rows of all of them, one sequence after the other, in as many tables as one
/// sequence has.
struct JoinedRows<'a> {
    grid: &'a dyn Grid,
    sequences: usize,
}

/// The arrays of a subject, read with the rows of all sequences.
pub(super) struct JoinedSequences<'a> {
    subject: Subject<'a>,
    grids: Vec<JoinedRows<'a>>,
    x: Option<JoinedRows<'a>>,
}

impl<'a> JoinedSequences<'a> {
    /// The subject with the rows of all sequences at these coordinates; none where it has them.
    pub fn of(subject: Subject<'a>, at: &Coordinates) -> Result<Option<Self>, InvalidInput> {
        let sequences = at.sequences();
        if sequences < 2 || subject.grids().first().is_none_or(|(_, grid)| grid.rows() == at.rows()) {
            return Ok(None);
        }
        let joined = |grid| JoinedRows::new(grid, (sequences, at.length()));
        let x = if let Subject::Rotation { x, .. } = subject { Some(joined(x)?) } else { None };
        let grids = subject.grids().into_iter().map(|(_, grid)| joined(grid)).collect::<Result<_, _>>()?;
        Ok(Some(Self { subject, grids, x }))
    }

    /// Subject in its place.
    pub fn subject(&self) -> Subject<'_> {
        let grids = self.grids.iter().map(|grid| grid as &dyn Grid);
        self.subject.of_views(grids, self.x.as_ref().map(|x| x as &dyn Grid))
    }
}

impl<'a> JoinedRows<'a> {
    fn new(grid: &'a dyn Grid, (sequences, length): (usize, usize)) -> Result<Self, InvalidInput> {
        let (leading, tables) = (grid.leading(), grid.slabs());
        let other = leading.first().is_some_and(|(_, size)| *size != sequences);
        if other || !tables.is_multiple_of(sequences) {
            let expected = format!("a first axis of {sequences} sequences, as the positions have");
            let found = match leading.first() {
                Some((axis, size)) => format!("{size} places along axis {axis}"),
                None if tables == 1 => "one table".to_owned(),
                None => format!("{tables} tables"),
            };
            let advice = "give positions [rows] if all sequences have the same, [sequences, rows] as the array has them, or state the axes of coordinates [rows, axes]";
            return Err(About(grid.name()).error("the leading dimensions", expected, found, advice));
        }
        if grid.rows() != length {
            let expected = format!("{length} rows in each of {sequences} sequences, one for each position");
            let found = format!("{} in each", grid.rows());
            return Err(About(grid.name()).error(
                "the rows",
                expected,
                found,
                "check the positions and the axis of the rows",
            ));
        }
        Ok(Self { grid, sequences })
    }
}

impl Grid for JoinedRows<'_> {
    like_its_grid!(name: &str, format: Format, width: usize, levels: Option<Levels>, integers: Option<Integers>);

    fn slabs(&self) -> usize {
        self.grid.slabs() / self.sequences
    }
    fn rows(&self) -> usize {
        self.grid.rows() * self.sequences
    }
    fn leading(&self) -> Vec<(usize, usize)> {
        self.grid.leading().into_iter().skip(1).collect()
    }
    fn note(&self) -> Option<String> {
        let rows = self.grid.rows();
        let note = format!("{} sequences of {rows} rows: row {rows}·s + i is row i of sequence s", self.sequences);
        Some(match self.leading()[..] {
            [] => note,
            [(axis, _)] => format!("{note}; heads are numbered along axis {axis}"),
            _ => format!("{note}; heads are numbered along the axes between"),
        })
    }
    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        let (length, tables) = (self.grid.rows(), self.slabs());
        let (mut part, mut all) = (Vec::new(), Vec::with_capacity(rows.len().saturating_mul(self.width())));
        let mut next = rows.start;
        while next < rows.end {
            let (sequence, row) = (next / length, next % length);
            let until = length.min(row + rows.end - next);
            self.grid.read(sequence * tables + slab, row..until, &mut part)?;
            all.append(&mut part);
            next += until - row;
        }
        *out = all;
        Ok(())
    }
}
