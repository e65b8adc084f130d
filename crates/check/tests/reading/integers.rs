//! Entries on integer grids, in memory.

use posproof_check::{Grid, InvalidInput, Levels};
use posproof_numerics::format::Format;
use std::ops::Range;

/// Integers of so many bits, in memory.
pub struct Integers {
    pub entries: Vec<f64>,
    pub width: usize,
    pub levels: Levels,
}

impl Grid for Integers {
    fn name(&self) -> &str {
        "integers"
    }
    fn format(&self) -> Format {
        self.levels.computed_in()
    }
    fn slabs(&self) -> usize {
        1
    }
    fn rows(&self) -> usize {
        self.entries.len() / self.width
    }
    fn width(&self) -> usize {
        self.width
    }
    fn levels(&self) -> Option<Levels> {
        Some(self.levels)
    }
    fn read(&self, _: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        out.clear();
        let part = &self.entries[rows.start * self.width..rows.end * self.width];
        out.extend(part.iter().map(|integer| self.levels.value(*integer)));
        Ok(())
    }
}
