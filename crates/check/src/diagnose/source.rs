//! Vectors of other rows or tables in place of those of the row.

use crate::grid::Grid;
use crate::input::InvalidInput;
use crate::levels::Levels;
use posproof_numerics::format::Format;
use std::ops::Range;

/// Vectors of x that are rotated in place of those of the row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// So many rows and tables before, counted around.
    pub rows: usize,
    pub tables: usize,
    /// The table of x for each table of y; none where they are in order.
    pub order: Vec<usize>,
}

/// A grid whose rows and tables are those of a source.
pub struct Moved<'a> {
    pub grid: &'a dyn Grid,
    pub source: &'a Source,
}

impl Grid for Moved<'_> {
    fn name(&self) -> &str {
        self.grid.name()
    }
    fn format(&self) -> Format {
        self.grid.format()
    }
    fn slabs(&self) -> usize {
        self.grid.slabs()
    }
    fn rows(&self) -> usize {
        self.grid.rows()
    }
    fn width(&self) -> usize {
        self.grid.width()
    }
    fn levels(&self) -> Option<Levels> {
        self.grid.levels()
    }
    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        let ((all, tables), Source { rows: back, tables: before, order }) =
            ((self.grid.rows(), self.grid.slabs()), self.source);
        let slab = order.get(slab).copied().unwrap_or((slab + tables - before % tables) % tables);
        let start = (rows.start + all - back % all) % all;
        let end = start + rows.len();
        if end <= all {
            return self.grid.read(slab, start..end, out);
        }
        let mut rest = Vec::new();
        self.grid.read(slab, start..all, out)?;
        self.grid.read(slab, 0..end - all, &mut rest)?;
        out.extend(rest);
        Ok(())
    }
}
