//! Entries of a specimen as the array that is judged.

use posproof_check::{Grid, InvalidInput, Levels};
use posproof_numerics::format::Format;
use std::ops::Range;

/// Numbers of a format, or multiples of a step.
pub struct Array<'a> {
    pub name: &'static str,
    pub entries: &'a [f64],
    pub format: Format,
    pub heads: usize,
    pub width: usize,
    pub levels: Option<Levels>,
}

impl Grid for Array<'_> {
    fn name(&self) -> &str {
        self.name
    }
    fn format(&self) -> Format {
        self.levels.map_or(self.format, |levels| levels.held_in(self.format))
    }
    fn levels(&self) -> Option<Levels> {
        self.levels
    }
    fn slabs(&self) -> usize {
        self.heads
    }
    fn rows(&self) -> usize {
        self.entries.len() / self.width / self.heads
    }
    fn width(&self) -> usize {
        self.width
    }
    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        let start = slab * self.rows();
        out.clear();
        out.extend_from_slice(&self.entries[(start + rows.start) * self.width..(start + rows.end) * self.width]);
        Ok(())
    }
}
