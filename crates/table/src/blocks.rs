//! Tables block by block.

use super::statistics::Statistics;
use super::{Element, InvalidTable, Table};

/// Consecutive rows of a table.
#[derive(Debug)]
pub struct Block<'a, T> {
    /// The number of the first row.
    pub row: usize,
    /// The entries, row after row.
    pub entries: &'a [T],
}

/// A table in blocks of rows. One buffer serves all of them, so that each block must be used before
/// the next is asked for.
///
/// ```
/// use posproof_encoding::convention::Convention;
/// use posproof_table::{Positions, Table};
/// let table = Table::<f64>::new(&Convention::sinusoid(4), &Positions::range(0..1000)?)?;
/// let mut blocks = table.blocks(256);
/// let mut rows = 0;
/// while let Some(block) = blocks.next()? {
///     rows += block.entries.len() / table.width();
/// }
/// assert_eq!(rows, 1000);
/// # Ok::<(), posproof_table::InvalidTable>(())
/// ```
pub struct Blocks<'a, T: Element> {
    table: &'a Table<T>,
    next: usize,
    buffer: Vec<T>,
    statistics: Statistics,
}

impl<'a, T: Element> Blocks<'a, T> {
    /// The blocks of a table, from its first row on.
    pub(super) fn new(table: &'a Table<T>, rows: usize) -> Self {
        let rows = rows.clamp(1, table.rows());
        Self { table, next: 0, buffer: vec![T::default(); rows * table.width()], statistics: Statistics::default() }
    }

    /// The next block, or `None` after the last one.
    #[allow(clippy::should_implement_trait)] // a lending iterator
    pub fn next(&mut self) -> Result<Option<Block<'_, T>>, InvalidTable> {
        let (row, width) = (self.next, self.table.width());
        let count = (self.buffer.len() / width).min(self.table.rows() - row);
        if count == 0 {
            return Ok(None);
        }
        let entries = &mut self.buffer[..count * width];
        self.statistics = self.statistics + self.table.par_fill(row..row + count, entries)?;
        self.next += count;
        Ok(Some(Block { row, entries }))
    }

    /// Numbers of entries of the blocks so far, by how they were settled.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }
}
