//! Rows of two comparisons beside each other.

use super::{Buffers, TableComparison};
use crate::Invalid;
use crate::outputs::{Differences, Lines};

impl TableComparison<'_> {
    /// Distance of the entries from those of another comparison, of the same shape.
    pub fn beside(&self, other: &TableComparison<'_>) -> Result<Differences, Invalid> {
        let (slabs, rows) = (self.grids[0].grid.slabs(), self.grids[0].grid.rows());
        let mut buffers = [Buffers::default(), Buffers::default()];
        let mut differences = Differences::default();
        for slab in 0..slabs {
            for start in (0..rows).step_by(self.step()) {
                let part = start..(start + self.step()).min(rows);
                for grid in 0..self.grids.len() {
                    let mut lines: [Lines; 2] = Default::default();
                    for ((comparison, lines), buffers) in [self, other].into_iter().zip(&mut lines).zip(&mut buffers) {
                        comparison.rows((slab, grid), part.clone(), grid == 0, buffers, |row, _| {
                            lines.push((row.place, row.got.to_vec(), row.bounds.to_vec()));
                        })?;
                    }
                    differences.add(&lines);
                }
            }
        }
        Ok(differences)
    }
}
