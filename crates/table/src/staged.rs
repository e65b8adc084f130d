//! Ways of entries from a stage to their table: line by line past the caches while the next stage is filled, or copied at
//! once.

use super::Element;
use super::columns::{Arrangement, Columns};
use super::isa::Isa;
use super::line::Line;
use super::recurrence::STRIP;
use super::target::Target;
use std::ops::Range;

/// Chunks of every section, for rows of one strip: what a stage holds.
#[derive(Clone, Default)]
pub struct Panel {
    pub chunks: Range<usize>,
    /// The strip's number under the anchor.
    pub strip: usize,
    /// Rows of the strip, and the number of the first of them in the tile.
    pub rows: Range<usize>,
    pub first: usize,
}

impl Panel {
    /// Lines from a row of the stage to the next. Sections follow one another, each with the rows of a whole strip.
    pub fn stride(&self) -> usize {
        self.chunks.len()
    }

    /// The columns of a section.
    fn columns<K: Element>(&self, width: usize) -> Range<usize> {
        let chunk = size_of::<Line>() / size_of::<K>();
        self.chunks.start * chunk..width.min(self.chunks.end * chunk)
    }

    /// Copies a stage to the table.
    pub fn copy<K: Element>(&self, columns: &Columns, stage: &[Line], target: &mut Target<'_, K>) {
        let (stride, part) = (self.stride(), self.columns::<K>(columns.width));
        for (i, row) in self.rows.clone().enumerate() {
            for section in 0..columns.arrangement.sections() {
                let from: &[K] = bytemuck::cast_slice(&stage[(section * STRIP + row) * stride..][..stride]);
                let to = target.segment(columns.arrangement, section, self.first + i, columns.width);
                to[part.clone()].copy_from_slice(&from[..part.len()]);
            }
        }
    }
}

/// Lines of a stage and where they go.
pub type Lines<'a> = std::iter::Zip<std::slice::Iter<'a, Line>, std::slice::IterMut<'a, [u8; 64]>>;

/// The lines of a filled stage that have not left it, in segments that lie side by side here and there: all rows of a section, or
/// a row of it. Segments of an array leave in the order in which they lie in memory.
pub struct StagedLines<'a> {
    stage: &'a [Line],
    /// Rest of the arrays, and its length.
    arrays: [(&'a mut [[u8; 64]], usize); 2],
    arrangement: Arrangement,
    /// The panel's first row in the stage and in the tile.
    row: usize,
    first: usize,
    /// The first line of the panel in a row of its section, lines of a section's row, and lines of a stage's row.
    column: usize,
    width: usize,
    stride: usize,
    /// Lines of a segment, how many segments there are, and how many have been taken.
    lines: usize,
    segments: usize,
    taken: usize,
}

impl<'a> StagedLines<'a> {
    /// A panel whose sections are whole lines wide.
    pub fn new<K: Element>(columns: &Columns, panel: &Panel, stage: &'a [Line], target: &'a mut Target<'_, K>) -> Self {
        let arrangement = columns.arrangement;
        let sections = arrangement.sections();
        let width = columns.width * size_of::<K>() / size_of::<Line>();
        let (column, stride) = (panel.chunks.start, panel.stride());
        let lines = width.min(panel.chunks.end).saturating_sub(column);
        let joined = !matches!(arrangement, Arrangement::Halves { .. }) && lines == stride && lines == width;
        let rows = panel.rows.len();
        let (segments, lines) = if joined { (sections, rows * lines) } else { (sections * rows, lines) };
        Self {
            stage,
            arrays: target.lines().map(|array| (array, 0)),
            arrangement,
            row: panel.rows.start,
            first: panel.first,
            column,
            width,
            stride,
            lines,
            segments: if lines == 0 { 0 } else { segments },
            taken: 0,
        }
    }

    /// True if all lines have been taken.
    #[inline(always)]
    pub fn is_over(&self) -> bool {
        self.taken == self.segments
    }

    /// The lines of the next segment.
    #[inline(never)]
    pub fn take(&mut self) -> Lines<'a> {
        if self.is_over() {
            return [].iter().zip(&mut []);
        }
        let sections = self.arrangement.sections();
        let (part, row) = (self.taken % sections, self.taken / sections);
        let (section, array, line) = match self.arrangement {
            Arrangement::Halves { cos_first } => (part ^ usize::from(cos_first), 0, 2 * (self.first + row) + part),
            _ => (part, part, self.first + row),
        };
        let from = (section * STRIP + self.row + row) * self.stride;
        let to = line * self.width + self.column;
        let (array, gone) = &mut self.arrays[array];
        let (lines, rest) = std::mem::take(array)[to - *gone..].split_at_mut(self.lines);
        (*array, *gone) = (rest, to + self.lines);
        self.taken += 1;
        self.stage[from..][..self.lines].iter().zip(lines)
    }

    /// These lines leave, and all others.
    #[inline(always)]
    pub fn finish<I: Isa>(&mut self, isa: I, mut lines: Lines<'a>) {
        loop {
            for (from, to) in lines {
                isa.stream(to, from);
            }
            if self.is_over() {
                return;
            }
            lines = self.take();
        }
    }
}
