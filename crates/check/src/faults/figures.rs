//! What the figures of causes are made of.

use std::fmt;

/// A frequency that was measured, beside the stated one; in radians per position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// The pair.
    pub pair: usize,
    /// The measured frequency.
    pub measured: f64,
    /// How far off that may be.
    pub error: f64,
    /// The stated one.
    pub expected: f64,
}

/// Lengths that should be constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lengths {
    /// Those of the pairs of vectors, before and after a rotation.
    Rotation,
    /// cos² + sin² of a cache.
    Cache,
    /// sin² + cos² of a table.
    Table,
}

/// Where an entry stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its position.
    pub position: u64,
    /// The number of the table among the leading dimensions.
    pub slab: usize,
    /// Its column.
    pub column: usize,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position {} (table {}, column {})", self.position, self.slab, self.column)
    }
}
