//! Rows of entries under one anchor.

use super::Element;
use super::columns::Columns;
use super::double::Pairs;
use super::isa::Isa;
use super::plan::Plan;
use super::simd::Work;
use super::target::Target;
use posproof_encoding::convention::Component;

/// An entry that the kernel did not accept.
#[derive(Clone, Copy, Debug)]
pub struct Reject {
    pub row: u32,
    pub pair: u32,
    pub component: Component,
}

/// Consecutive rows under one anchor.
pub struct Tile<'a, K: Element> {
    pub plan: &'a Plan<K>,
    pub columns: &'a Columns,
    pub anchor: &'a [Pairs],
    /// The number of the first row among those under the anchor, and how many rows there are.
    pub first: usize,
    pub count: usize,
    /// Where the entries go.
    pub target: Target<'a, K>,
    /// True if to store past the caches.
    pub stream: bool,
    pub workspace: &'a mut K::Workspace,
    /// List to which entries are appended that were not accepted.
    pub rejects: &'a mut Vec<Reject>,
}

impl<K: Element> Work for Tile<'_, K> {
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        K::fill(isa, self);
    }
}
