//! Rows of a subject beside what their entries should be, of one axis or of several: counted, and beside those of another comparison.

use super::Invalid;
use super::compare::overflow::Overflowed;
use super::differences::{Differences, Lines};
use super::exactness::ComparedEntries;
use super::row::{Extremes, exceeds};
use super::totals::{BlockSums, ComparedRow, EntryTotals, Seen};
use rayon::prelude::*;
use std::ops::Range;

/// A comparison, row by row.
pub(super) trait ComparedRows: ComparedEntries + Sync {
    /// Buffers of a thread.
    type Buffers: Default + Send;

    /// Entries that a thread takes at a time: its buffers stay in the second-level cache.
    const BLOCK: usize = 1 << 15;

    /// Number of pairs.
    fn pairs(&self) -> usize;

    /// The pair of each column of a grid; beyond the last one for entries that are not rotated.
    fn columns(&self, grid: usize) -> &[usize];

    /// Rows of a table, grid by grid, each with what its entries should be and their bounds, and the vector that was rotated.
    ///
    /// # Errors
    ///
    /// Where the subject cannot be read.
    fn rows(
        &self,
        slab: usize,
        rows: Range<usize>,
        buffers: &mut Self::Buffers,
        visit: impl FnMut(&ComparedRow<'_>, &[f64]),
    ) -> Result<(), Invalid>;

    /// Entries that overflowed.
    fn overflowed(&self) -> &Overflowed;

    /// The decade that a row's position lies in, where decades are counted.
    fn decade(&self, _row: usize) -> usize {
        0
    }

    /// Takes note of the entries of a row whose bounds say nothing, where they are counted with all else.
    fn note(&self, _row: &ComparedRow<'_>, _x: &[f64], _totals: &mut EntryTotals) {}

    /// Rows that a thread takes at a time.
    fn step(&self, rows: usize) -> usize {
        (Self::BLOCK / self.columns(0).len().max(1)).clamp(1, rows.max(1))
    }

    /// Compares everything.
    fn run(&self) -> Result<EntryTotals, Invalid> {
        let grid = self.subject().judged();
        self.run_in(&(0..grid.slabs()).collect::<Vec<_>>(), 0..grid.rows())
    }

    /// Compares some rows of some tables.
    fn run_in(&self, slabs: &[usize], rows: Range<usize>) -> Result<EntryTotals, Invalid> {
        let step = self.step(rows.len());
        let blocks = rows.len().div_ceil(step);
        let sums = BlockSums::of(slabs.len() * blocks);
        let none = || EntryTotals::new(self.pairs());
        let totals = (0..slabs.len() * blocks)
            .into_par_iter()
            .map_init(CountingBuffers::<Self>::default, |buffers, task| {
                let (slab, start) = (slabs[task / blocks], rows.start + task % blocks * step);
                let end = (start + step).min(rows.end);
                // The rows of a part are of one decade.
                let (mut totals, mut from) = (none(), start);
                while from < end {
                    let decade = self.decade(from);
                    let to = (from + 1..end).find(|row| self.decade(*row) != decade).unwrap_or(end);
                    self.block(slab, from..to, buffers, &mut totals)?;
                    from = to;
                }
                sums.set(task, totals.sum_ulps);
                Ok::<_, Invalid>(totals)
            })
            .try_reduce(none, |a, b| Ok(a.merge(b)))?;
        Ok(EntryTotals { sum_ulps: sums.total(), overflow: self.overflowed().found(), ..totals })
    }

    /// Compares rows of one decade.
    fn block(
        &self,
        slab: usize,
        rows: Range<usize>,
        buffers: &mut CountingBuffers<Self>,
        totals: &mut EntryTotals,
    ) -> Result<(), Invalid> {
        let CountingBuffers { rows: own, extremes: all, largest } = buffers;
        let (decade, grids) = (self.decade(rows.start), self.subject().grids().len());
        all.resize_with(grids, Extremes::default);
        all.iter_mut().enumerate().for_each(|(grid, extremes)| extremes.begin(decade, self.columns(grid).len()));
        self.rows(slab, rows.clone(), own, |row, x| {
            self.note(row, x, totals);
            self.count(row, x, &mut all[row.place.grid], (totals, largest));
        })?;
        for (grid, extremes) in all.iter().enumerate() {
            extremes.beyond().for_each(|column| self.extents().0.columns[grid].add(column));
            totals.add(self.columns(grid), decade, rows.len() as u64, extremes);
        }
        Ok(())
    }

    /// The entry of each row with the largest share of its bound, in some of the tables, and how many entries of the row are
    /// beyond theirs. The first is it where several have the same.
    fn furthest(&self, slabs: &[usize]) -> Result<Vec<(Seen, u64)>, Invalid> {
        let (rows, mut buffers) = (self.subject().judged().rows(), Self::Buffers::default());
        let (step, mut furthest) = (self.step(rows), vec![None::<(Seen, u64)>; rows]);
        for (slab, start) in slabs.iter().flat_map(|slab| (0..rows).step_by(step).map(move |start| (*slab, start))) {
            self.rows(slab, start..(start + step).min(rows), &mut buffers, |row, _| {
                for seen in (0..row.got.len()).map(|column| row.seen(column)) {
                    let beyond = u64::from(!seen.got.is_finite() || exceeds(seen.error, seen.bound));
                    let (best, count) = furthest[row.place.row].get_or_insert((seen, 0));
                    *count += beyond;
                    if seen.share() > best.share() {
                        *best = seen;
                    }
                }
            })?;
        }
        Ok(furthest.into_iter().flatten().collect())
    }

    /// Distance of the entries from those of another comparison of the same shape, each with its own bounds.
    fn beside(&self, other: &Self) -> Result<Differences, Invalid> {
        let (slabs, rows) = (self.subject().judged().slabs(), self.subject().judged().rows());
        let mut buffers = [Self::Buffers::default(), Self::Buffers::default()];
        let mut differences = Differences::default();
        for slab in 0..slabs {
            for start in (0..rows).step_by(self.step(rows)) {
                let part = start..(start + self.step(rows)).min(rows);
                let mut lines: [Lines; 2] = Default::default();
                for ((comparison, lines), buffers) in [self, other].into_iter().zip(&mut lines).zip(&mut buffers) {
                    comparison.rows(slab, part.clone(), buffers, |row, _| {
                        lines.push((row.place, row.got.to_vec(), row.bounds.to_vec()));
                    })?;
                }
                differences.add(&lines);
            }
        }
        Ok(differences)
    }
}

/// Buffers of a thread that counts.
pub(super) struct CountingBuffers<C: ComparedRows + ?Sized> {
    rows: C::Buffers,
    /// Of each grid.
    extremes: Vec<Extremes>,
    /// The largest quotient of error and bound of all rows before, which come earlier in the order of entries too.
    largest: Option<f64>,
}

impl<C: ComparedRows + ?Sized> Default for CountingBuffers<C> {
    fn default() -> Self {
        Self { rows: C::Buffers::default(), extremes: Vec::new(), largest: None }
    }
}
