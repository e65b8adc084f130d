//! Numbers by which all entries may have been multiplied.

use super::TableComparison;
use super::rows::Buffers;
use crate::Invalid;
use crate::compared::ComparedRows;
use crate::faults::is_most;
use posproof_numerics::format::Format;
use rayon::prelude::*;

/// Numbers from the first to the second.
type Factors = (f64, f64);

/// All numbers.
const ALL: Factors = (f64::NEG_INFINITY, f64::INFINITY);

fn meet(one: Factors, other: Factors) -> Factors {
    (one.0.max(other.0), one.1.min(other.1))
}

/// The numbers that the most rows allow, if these are most of them: a few rows that are wrong by themselves hide no factor.
fn agreed(rows: &[Factors]) -> Option<Factors> {
    let told = |(low, high): &&Factors| low <= high && low.is_finite() && high.is_finite();
    let [mut lows, mut highs] = [|row: &Factors| row.0, |row: &Factors| row.1]
        .map(|end| rows.iter().filter(told).map(end).collect::<Vec<f64>>());
    lows.sort_by(f64::total_cmp);
    highs.sort_by(f64::total_cmp);
    // Of the numbers from a low end to the next high one: the rows that begin before it, but for those that end there.
    let (mut ended, mut most) = (0, (0, ALL));
    for (begun, &low) in lows.iter().enumerate() {
        ended += highs[ended..].iter().take_while(|high| **high < low).count();
        if begun + 1 - ended > most.0 {
            most = (begun + 1 - ended, (low, highs[ended]));
        }
    }
    is_most(most.0 as u64, rows.len() as u64).then_some(most.1)
}

impl TableComparison<'_> {
    /// Factors r for which the finite entries y of most rows may be the rounding to a format of r·e, where e is the expected entry, wrong
    /// by its bound at most: for a row the intersection of [(y − h)/e, (y + h)/e] with h half a unit of y and that bound. None where
    /// most rows allow no common one. The entries at the format's ends say nothing.
    pub fn common_factor(&self, stored: Format) -> Result<Option<Factors>, Invalid> {
        let grid = self.grids[0].grid;
        let (rows, step) = (grid.rows(), self.step(grid.rows()));
        let blocks = rows.div_ceil(step);
        let most = stored.max_finite();
        let of_block = |buffers: &mut Buffers, slab: usize, start: usize| {
            let end = (start + step).min(rows);
            let mut found = vec![ALL; end - start];
            self.rows(slab, start..end, buffers, |row, _| {
                let factors = &mut found[row.place.row - start];
                let entries = row.got.iter().zip(row.expected).zip(row.bounds);
                for ((y, e), bound) in entries.filter(|((y, e), _)| y.abs() < most && **e != 0.0) {
                    let off = stored.half_ulp(*y) + bound * (y / e).abs().max(1.0);
                    let ends = [(y - off) / e, (y + off) / e];
                    *factors = meet(*factors, (ends[0].min(ends[1]), ends[0].max(ends[1])));
                }
            })?;
            Ok::<_, Invalid>(found)
        };
        // The first rows refuse most of what is no factor.
        let first = of_block(&mut Buffers::default(), 0, 0)?;
        if agreed(&first).is_none() {
            return Ok(None);
        }
        let found: Vec<Vec<Factors>> = (0..grid.slabs() * blocks)
            .into_par_iter()
            .map_init(Buffers::default, |buffers, task| of_block(buffers, task / blocks, task % blocks * step))
            .collect::<Result<_, _>>()?;
        Ok(agreed(&found.concat()))
    }
}
