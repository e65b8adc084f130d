//! Which entries the columns of a row hold, and how fast each column turns.

use super::Element;
use super::plan::Plan;
use super::recurrence::{Eight, Line};
use super::refine::Rest;
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
    fn lane(self, eight: usize, i: usize, groups: usize) -> usize {
        let group = 8 * self.group(eight, groups);
        if self.sections() == 1 { group + eight % 2 * 4 + i / 2 } else { group + i }
    }
}

/// Columns that are the same in every row, because their frequency is 0: bytes to keep of a chunk's line, and the others.
pub struct Still {
    /// True if no column of the chunk moves.
    pub whole: bool,
    keep: Line,
    bytes: Line,
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

impl Columns {
    pub fn new<K: Element>(plan: &Plan<K>, rest: &Rest<K>, arrangement: Arrangement) -> Self {
        let (sections, width, groups) = (arrangement.sections(), arrangement.width(plan.pairs), plan.groups);
        let line = size_of::<Line>() / size_of::<K>();
        let chunks = width.div_ceil(line);
        let rate =
            |eight: usize| Eight(std::array::from_fn(|i| 2.0 * plan.step_cosine(arrangement.lane(eight, i, groups))));
        let still = |section: usize, chunk: usize| {
            let mut entries = vec![(K::default(), u8::MAX); line];
            for (i, (entry, keep)) in entries.iter_mut().enumerate() {
                let column = line * chunk + i;
                if plan.still[arrangement.lane(column / 8, column % 8, groups)] {
                    let component = arrangement.cell(section, column).1;
                    (*entry, *keep) = (rest.entry(0, true, component).unwrap_or_default(), 0);
                }
            }
            let still = entries.iter().filter(|(_, keep)| *keep == 0).count();
            (still > 0).then(|| {
                let (mut keep, mut bytes) = (Line([0; 64]), Line([0; 64]));
                let to = keep.0.chunks_exact_mut(size_of::<K>());
                to.zip(&entries).for_each(|(to, (_, keep))| to.fill(*keep));
                let to = bytemuck::cast_slice_mut::<Line, K>(std::slice::from_mut(&mut bytes));
                to.iter_mut().zip(&entries).for_each(|(to, (entry, _))| *to = *entry);
                Still { whole: still == entries.len(), keep, bytes }
            })
        };
        Self {
            arrangement,
            width,
            chunks,
            rates: (0..sections).flat_map(|_| (0..chunks * line / 8).map(rate)).collect(),
            still: (0..sections)
                .flat_map(|section| (0..chunks).map(move |chunk| (section, chunk)))
                .map(|(s, c)| still(s, c))
                .collect(),
        }
    }
}
