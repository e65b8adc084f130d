//! Where entries go.

use super::columns::Arrangement;
use bytemuck::Pod;
use posproof_encoding::convention::{Component, Convention};
use std::ops::Range;

/// A destination, before the rows of a tile are cut from it.
pub enum Target<'a, T> {
    Joined(&'a mut [T]),
    Apart { sin: &'a mut [T], cos: &'a mut [T] },
}

impl<T: Pod> Target<'_, T> {
    /// The same for a shorter time.
    pub fn again(&mut self) -> Target<'_, T> {
        match self {
            Self::Joined(rows) => Target::Joined(rows),
            Self::Apart { sin, cos } => Target::Apart { sin, cos },
        }
    }

    /// `count` rows from row `at` on.
    pub fn cut(&mut self, at: usize, count: usize, pairs: usize) -> Target<'_, T> {
        match self {
            Self::Joined(rows) => Target::Joined(&mut rows[at * 2 * pairs..][..count * 2 * pairs]),
            Self::Apart { sin, cos } => Target::Apart {
                sin: &mut sin[at * pairs..][..count * pairs],
                cos: &mut cos[at * pairs..][..count * pairs],
            },
        }
    }

    /// The arrays as cache lines, without what does not fill one: the joined one and none, or sines and cosines.
    pub fn lines(&mut self) -> [&mut [[u8; 64]]; 2] {
        let [first, second] = match self {
            Self::Joined(rows) => [&mut **rows, &mut []],
            Self::Apart { sin, cos } => [&mut **sin, &mut **cos],
        };
        [first, second].map(|array| bytemuck::cast_slice_mut::<T, u8>(array).as_chunks_mut().0)
    }

    /// Rows of `width` columns of the joined array, or of the sines.
    pub fn rows(&mut self, rows: Range<usize>, width: usize) -> &mut [T] {
        let (Self::Joined(array) | Self::Apart { sin: array, .. }) = self;
        &mut array[rows.start * width..rows.end * width]
    }

    /// The sines and the cosines of a row whose sections are apart.
    pub fn sections(&mut self, arrangement: Arrangement, row: usize, pairs: usize) -> (&mut [T], &mut [T]) {
        match self {
            Self::Joined(rows) => {
                let (first, second) = rows[2 * row * pairs..][..2 * pairs].split_at_mut(pairs);
                if arrangement == (Arrangement::Halves { cos_first: true }) { (second, first) } else { (first, second) }
            }
            Self::Apart { sin, cos } => (&mut sin[row * pairs..][..pairs], &mut cos[row * pairs..][..pairs]),
        }
    }

    /// A row's section of `width` columns.
    pub fn segment(&mut self, arrangement: Arrangement, section: usize, row: usize, width: usize) -> &mut [T] {
        match (self, arrangement) {
            (Self::Joined(rows), Arrangement::Halves { cos_first }) => {
                &mut rows[(2 * row + (section ^ usize::from(cos_first))) * width..][..width]
            }
            (Self::Apart { cos, .. }, _) if section == 1 => &mut cos[row * width..][..width],
            (Self::Joined(rows) | Self::Apart { sin: rows, .. }, _) => &mut rows[row * width..][..width],
        }
    }

    /// Puts an entry in its place.
    pub fn put(&mut self, convention: &Convention, row: usize, pair: usize, component: Component, entry: T) {
        match (self, component) {
            (Self::Joined(rows), _) => rows[row * convention.width() + convention.column(pair, component)] = entry,
            (Self::Apart { sin, .. }, Component::Sin) => sin[row * convention.pairs() + pair] = entry,
            (Self::Apart { cos, .. }, Component::Cos) => cos[row * convention.pairs() + pair] = entry,
        }
    }
}
