//! Rows of two comparisons beside each other.

use super::comparison::{AxialBuffers, AxialComparison, BLOCK};
use crate::Invalid;
use crate::outputs::{Differences, Lines};
use posproof_bound::AxialAllowance;

impl AxialComparison<'_> {
    /// Distance of the entries from those of another comparison of the same shape, each with its own bounds.
    pub(crate) fn beside(
        &self,
        allowance: &AxialAllowance,
        (other, others): (&AxialComparison<'_>, &AxialAllowance),
    ) -> Result<Differences, Invalid> {
        let all = self.all();
        let step = (BLOCK / self.cells[0].len().max(1)).clamp(1, all.rows.len().max(1));
        let mut buffers = [AxialBuffers::default(), AxialBuffers::default()];
        let mut differences = Differences::default();
        for slab in all.slabs {
            for start in all.rows.clone().step_by(step) {
                let part = start..(start + step).min(all.rows.end);
                let mut lines: [Lines; 2] = Default::default();
                let sides = [(self, allowance), (other, others)];
                for (((comparison, allowance), lines), buffers) in sides.into_iter().zip(&mut lines).zip(&mut buffers) {
                    comparison.lines(slab, part.clone(), allowance, buffers, |row, _| {
                        lines.push((row.place, row.got.to_vec(), row.bounds.to_vec()));
                    })?;
                }
                differences.add(&lines);
            }
        }
        Ok(differences)
    }
}
