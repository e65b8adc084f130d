//! Which entries the columns of a row hold.

use super::line::{Eight, Line};
use posproof_encoding::convention::{Component, Convention, Layout, Order};

/// Where the sines and cosines of a row go. A *section* is what lies side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// Sines and cosines in turn, or cosines and sines: one section.
    Interleaved { cos_first: bool },
    /// Sines followed by cosines, or cosines followed by sines: a section of sines and one of cosines.
    Halves { cos_first: bool },
    /// Two arrays, the same two sections.
    Apart,
}

impl Arrangement {
    /// That of the joined table.
    pub fn joined(convention: &Convention) -> Self {
        let cos_first = convention.order == Order::CosSin;
        match convention.layout {
            Layout::Interleaved => Self::Interleaved { cos_first },
            Layout::Halves | Layout::InterleavedToHalves => Self::Halves { cos_first },
        }
    }

    #[inline(always)]
    pub fn sections(self) -> usize {
        if matches!(self, Self::Interleaved { .. }) { 1 } else { 2 }
    }

    /// The columns of a section.
    pub fn width(self, pairs: usize) -> usize {
        if self.sections() == 1 { 2 * pairs } else { pairs }
    }

    /// The pair and the component of a section's column.
    pub fn cell(self, section: usize, column: usize) -> (usize, Component) {
        let (pair, cosine) = match self {
            Self::Interleaved { cos_first } => (column / 2, column.is_multiple_of(2) == cos_first),
            Self::Halves { .. } | Self::Apart => (column, section == 1),
        };
        (pair, if cosine { Component::Cos } else { Component::Sin })
    }

    /// The group of eight pairs that eight columns of a section take their numbers from, of `groups`; columns beyond the last
    /// pair repeat the last group.
    #[inline(always)]
    pub fn group(self, eight: usize, groups: usize) -> usize {
        (eight / (2 / self.sections())).min(groups - 1)
    }

    /// The lane among those of the plan of one of eight columns.
    pub fn lane(self, eight: usize, i: usize, groups: usize) -> usize {
        let group = 8 * self.group(eight, groups);
        if self.sections() == 1 { group + eight % 2 * 4 + i / 2 } else { group + i }
    }
}

/// Columns that are the same in every row, because their frequency is 0: bytes to keep of a chunk's line, and the others.
pub struct Still {
    /// True if no column of the chunk moves.
    pub whole: bool,
    pub keep: Line,
    pub bytes: Line,
}

impl Still {
    /// Puts the entries into a row of the chunk.
    pub fn put(&self, line: &mut Line) {
        for i in 0..size_of::<Line>() {
            line.0[i] = line.0[i] & self.keep.0[i] | self.bytes.0[i];
        }
    }
}

/// The columns of a table in an arrangement.
pub struct Columns {
    pub arrangement: Arrangement,
    /// Columns, and chunks, of a section.
    pub width: usize,
    pub chunks: usize,
    /// K of every column, section after section, each as long as its chunks.
    pub rates: Vec<Eight>,
    /// For every chunk, section after section.
    pub still: Vec<Option<Still>>,
}
