//! Rows as they should be: from the certified table, or from a program.

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
    other: Vec<f64>,
    expected: Vec<f64>,
    bound: Vec<f64>,
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
        grid.read(slab, rows.clone(), &mut buffers.got)?;
        require(grid, rows.len(), &buffers.got)?;
        buffers.expected.resize(columns, 0.0);
        buffers.bound.resize(columns, 0.0);
        for (i, row) in rows.clone().enumerate() {
            let position = self.position(row);
            let own = || self.law.reach(position as f64);
            let t = self.reference.program().and_then(|program| program.reach(slab, row, position)).unwrap_or_else(own);
            let x = buffers.x.get(i * columns..).and_then(|x| x.get(..columns)).unwrap_or_default();
            if let Subject::Rotation { x: grid, .. } = self.subject
                && let Some(at) = x.iter().position(|x| !x.is_finite())
            {
                let advice = "rotate finite vectors: posproof probe writes some";
                let found = format!("{} in column {at}", x[at]);
                return Err(About(grid.name()).error(format!("row {row}"), "finite numbers", found, advice).into());
            }
            let reference = &buffers.reference[i * width..][..width];
            let got = &mut buffers.got[i * columns..][..columns];
            self.predict(judged, (reference, x), t, (&mut buffers.expected, &mut buffers.bound), (row, got));
            let got = &buffers.got[i * columns..][..columns];
            if let Some(program) = self.reference.program() {
                buffers.slack.resize(self.pairs + 1, 0.0);
                program.slack(position, &mut buffers.slack);
                let slacks = &buffers.slack;
                let slack = |j: usize| {
                    let own = slacks[judged.pairs[j].min(self.pairs)];
                    let angles = self.wiring.angles(judged.pairs[j]);
                    angles.fold(own, |most, pair| most.max(slacks[pair])) * self.length(x, index, j)
                };
                if matches!(self.subject, Subject::Rotation { .. }) {
                    buffers.bound.iter_mut().enumerate().for_each(|(j, bound)| *bound += slack(j));
                } else {
                    let pairs = judged.pairs.iter().map(|pair| slacks[*pair.min(&self.pairs)]);
                    buffers.bound.iter_mut().zip(pairs).for_each(|(bound, slack)| *bound += slack);
                }
                let off = |j: usize| exceeds((got[j] - buffers.expected[j]).abs(), buffers.bound[j]);
                if program.ways() > 1 && (0..columns).any(off) {
                    // The other ways to round what lies next to a tie, for the entries that are nearer to one of them.
                    let mut joined = std::mem::take(&mut buffers.other);
                    joined.resize(width + 2 * columns, 0.0);
                    let (joined_row, rest) = joined.split_at_mut(width);
                    let (other, bound) = rest.split_at_mut(columns);
                    for way in 1..program.ways() {
                        program.row(slab, row, position, way, joined_row);
                        self.predict(judged, (joined_row, x), t, (other, bound), (row, &mut []));
                        for j in 0..columns {
                            if (got[j] - other[j]).abs() < (got[j] - buffers.expected[j]).abs() {
                                (buffers.expected[j], buffers.bound[j]) = (other[j], bound[j] + slack(j));
                            }
                        }
                    }
                    buffers.other = joined;
                }
            }
            let place = GridPlace { slab, row, grid: index, column: 0 };
            visit(&ComparedRow { place, got, expected: &buffers.expected, bounds: &buffers.bound }, x);
        }
        Ok(())
    }
}
