//! Where entries go.

use super::Element;
use super::tile::Rows;
use crate::encoding::convention::{Component, Convention, Layout, Order};

/// A destination, before the rows of a tile are cut from it.
pub enum Target<'a, T> {
    Joined(&'a mut [T]),
    Apart { sin: &'a mut [T], cos: &'a mut [T] },
}

impl<T: Element> Target<'_, T> {
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

    /// The arrangement that the convention asks for.
    pub fn arrange(&mut self, convention: &Convention) -> Rows<'_, T> {
        let cos_first = convention.order == Order::CosSin;
        match (self, convention.layout) {
            (Target::Apart { sin, cos }, _) => Rows::Apart { sin, cos },
            (Target::Joined(rows), Layout::Interleaved) => Rows::Interleaved { rows, cos_first },
            (Target::Joined(rows), Layout::Halves) => Rows::Halves { rows, cos_first },
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
