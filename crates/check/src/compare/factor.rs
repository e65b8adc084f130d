//! Numbers by which all entries may have been multiplied.

use super::{Buffers, TableComparison};
use crate::Invalid;
use posproof_numerics::format::Format;
use rayon::prelude::*;

/// Numbers from the first to the second.
type Factors = (f64, f64);

fn meet(one: Factors, other: Factors) -> Factors {
    (one.0.max(other.0), one.1.min(other.1))
}

impl TableComparison<'_> {
    /// Factors r for which every finite entry y may be the rounding to a format of r·e, where e is the expected entry, wrong by its bound at
    /// most: the intersection of [(y − h)/e, (y + h)/e] with h half a unit of y and that bound. None where it is empty. The entries at the
    /// format's ends say nothing.
    pub fn common_factor(&self, stored: Format) -> Result<Option<Factors>, Invalid> {
        let grid = self.grids[0].grid;
        let (rows, step) = (grid.rows(), self.step());
        let blocks = rows.div_ceil(step);
        let most = stored.max_finite();
        let of_block = |buffers: &mut Buffers, slab: usize, start: usize| {
            let mut factors = (f64::NEG_INFINITY, f64::INFINITY);
            for index in 0..self.grids.len() {
                let part = start..(start + step).min(rows);
                self.rows((slab, index), part, index == 0, buffers, |line, expected, bound| {
                    let entries = line.got.iter().zip(expected).zip(bound);
                    for ((y, e), bound) in entries.filter(|((y, e), _)| y.abs() < most && **e != 0.0) {
                        let off = stored.half_ulp(*y) + bound * (y / e).abs().max(1.0);
                        let ends = [(y - off) / e, (y + off) / e];
                        factors = meet(factors, (ends[0].min(ends[1]), ends[0].max(ends[1])));
                    }
                })?;
            }
            Ok::<_, Invalid>(factors)
        };
        // The first rows of each table refuse most of what is no factor.
        let all = (f64::NEG_INFINITY, f64::INFINITY);
        let first = of_block(&mut Buffers::default(), 0, 0)?;
        if first.0 > first.1 {
            return Ok(None);
        }
        let found = (0..grid.slabs() * blocks)
            .into_par_iter()
            .map_init(Buffers::default, |buffers, task| of_block(buffers, task / blocks, task % blocks * step))
            .try_reduce(|| all, |one, other| Ok(meet(one, other)))?;
        Ok(Some(found).filter(|(low, high)| low <= high && low.is_finite() && high.is_finite()))
    }
}
