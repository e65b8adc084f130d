//! The entry of each row that is furthest by its bound.

use super::rows::Buffers;
use super::{TableComparison, exceeds};
use crate::Invalid;
use crate::compared::ComparedRows;
use crate::totals::Seen;

impl TableComparison<'_> {
    /// The entry of each row with the largest share of its bound, in some of the tables; and how many entries of the row are
    /// beyond theirs. The first is it where several have the same.
    pub fn furthest(&self, slabs: &[usize]) -> Result<Vec<(Seen, u64)>, Invalid> {
        let (rows, mut buffers) = (self.grids[0].grid.rows(), Buffers::default());
        let mut furthest: Vec<Option<(Seen, u64)>> = vec![None; rows];
        for &slab in slabs {
            for start in (0..rows).step_by(self.step(rows)) {
                self.rows(slab, start..(start + self.step(rows)).min(rows), &mut buffers, |row, _| {
                    let known = &mut furthest[row.place.row];
                    for column in 0..row.got.len() {
                        let seen = row.seen(column);
                        let beyond = u64::from(!seen.got.is_finite() || exceeds(seen.error, seen.bound));
                        match known {
                            Some((best, count)) => {
                                *count += beyond;
                                if seen.share() > best.share() {
                                    *best = seen;
                                }
                            }
                            None => *known = Some((seen, beyond)),
                        }
                    }
                })?;
            }
        }
        Ok(furthest.into_iter().flatten().collect())
    }
}
