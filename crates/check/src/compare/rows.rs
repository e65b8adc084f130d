//! Rows as they should be: from the certified table, or from a program.

use super::predict::PredictedRow;
use super::{TableComparison, require};
use crate::Invalid;
use crate::compare::overflow::Overflowed;
use crate::compared::ComparedRows;
use crate::input::About;
use crate::reference::Reference;
use crate::row::exceeds;
use crate::subject::Subject;
use crate::totals::{self, ComparedRow, GridPlace};
use std::ops::Range;

/// Buffers of one block.
#[derive(Default)]
pub(crate) struct Buffers {
    got: Vec<f64>,
    x: Vec<f64>,
    reference: Vec<f64>,
    predicted: PredictedRow,
    /// Cosines and sines rounded in another way, and the entries from them.
    joined: Vec<f64>,
    other: PredictedRow,
    slack: Vec<f64>,
}

impl ComparedRows for TableComparison<'_> {
    type Buffers = Buffers;

    fn pairs(&self) -> usize {
        self.pairs
    }

    fn columns(&self, grid: usize) -> &[usize] {
        &self.grids[grid].pairs
    }

    fn rows(
        &self,
        slab: usize,
        rows: Range<usize>,
        buffers: &mut Buffers,
        mut visit: impl FnMut(&ComparedRow<'_>, &[f64]),
    ) -> Result<(), Invalid> {
        self.prepare(slab, &rows, buffers)?;
        (0..self.grids.len()).try_for_each(|grid| self.rows_of_grid((slab, grid), rows.clone(), buffers, &mut visit))
    }

    fn overflowed(&self) -> &Overflowed {
        &self.overflowed
    }

    fn decade(&self, row: usize) -> usize {
        totals::decade(self.position(row))
    }
}

impl TableComparison<'_> {
    /// The reference of some rows, and the vectors that were rotated.
    fn prepare(&self, slab: usize, rows: &Range<usize>, buffers: &mut Buffers) -> Result<(), Invalid> {
        let width = 2 * self.pairs;
        buffers.reference.resize(rows.len() * width, 0.0);
        match &self.reference {
            Reference::Certified(table) => {
                table.fill(rows.clone(), &mut buffers.reference)?;
            }
            Reference::Program(program) => {
                for row in rows.clone() {
                    let (before, rest) = buffers.reference.split_at_mut((row - rows.start) * width);
                    let (out, position) = (&mut rest[..width], self.position(row));
                    let last = before.len().checked_sub(width).and_then(|at| before.get(at..));
                    match last {
                        Some(last) if program.repeats(slab, [row - 1, row], [self.position(row - 1), position]) => {
                            out.copy_from_slice(last);
                        }
                        _ => program.row(slab, row, position, 0, out),
                    }
                }
            }
        }
        if let Subject::Rotation { x, .. } = self.subject {
            x.read(slab, rows.clone(), &mut buffers.x)?;
            require(x, rows.len(), &buffers.x)?;
        }
        Ok(())
    }

    /// Rows of a grid, each with what its entries should be and their bounds, and the vector that was rotated.
    fn rows_of_grid(
        &self,
        (slab, index): (usize, usize),
        rows: Range<usize>,
        buffers: &mut Buffers,
        visit: &mut impl FnMut(&ComparedRow<'_>, &[f64]),
    ) -> Result<(), Invalid> {
        let width = 2 * self.pairs;
        let judged = &self.grids[index];
        let (grid, columns) = (judged.grid, judged.columns.len());
        let Buffers { got, x, reference, predicted, joined, other, slack } = buffers;
        grid.read(slab, rows.clone(), got)?;
        require(grid, rows.len(), got)?;
        for (i, row) in rows.clone().enumerate() {
            let position = self.position(row);
            let own = || self.law.reach(position as f64);
            let t = self.reference.program().and_then(|program| program.reach(slab, row, position)).unwrap_or_else(own);
            let x = x.get(i * columns..).and_then(|x| x.get(..columns)).unwrap_or_default();
            if let Subject::Rotation { x: grid, .. } = self.subject
                && let Some(at) = x.iter().position(|x| !x.is_finite())
            {
                let advice = "rotate finite vectors: posproof probe writes some";
                let found = format!("{} in column {at}", x[at]);
                return Err(About(grid.name()).error(format!("row {row}"), "finite numbers", found, advice).into());
            }
            let reference = &reference[i * width..][..width];
            let got = &mut got[i * columns..][..columns];
            self.predict(judged, (reference, x), t, predicted, (row, got));
            if let Some(program) = self.reference.program() {
                slack.resize(self.pairs + 1, 0.0);
                program.slack(position, slack);
                self.loosen(judged, slack, predicted);
                let off = |j: usize| exceeds((got[j] - predicted.expected[j]).abs(), predicted.bound[j]);
                if program.ways() > 1 && (0..columns).any(off) {
                    // The other ways to round what lies next to a tie, for the entries that are nearer to one of them.
                    joined.resize(width, 0.0);
                    for way in 1..program.ways() {
                        program.row(slab, row, position, way, joined);
                        self.predict(judged, (joined, x), t, other, (row, &mut []));
                        self.loosen(judged, slack, other);
                        for (j, got) in got.iter().enumerate() {
                            if (got - other.expected[j]).abs() < (got - predicted.expected[j]).abs() {
                                (predicted.expected[j], predicted.bound[j]) = (other.expected[j], other.bound[j]);
                            }
                        }
                    }
                }
            }
            let place = GridPlace { slab, row, grid: index, column: 0 };
            visit(&ComparedRow { place, got, expected: &predicted.expected, bounds: &predicted.bound }, x);
        }
        Ok(())
    }
}
