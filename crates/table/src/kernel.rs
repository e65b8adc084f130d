//! The fast path: entries in fast arithmetic with a proven bound on their error, and a test that accepts them only when every
//! value within the bound rounds alike. [`super::recurrence`] is that of bf16 and f16, [`super::product`] that of f32 and f64.

use super::columns::Columns;
use super::double::Pairs;
use super::instructions::Available;
use super::isa::{Isa, Work};
use super::plan::{Level, Plan};
use super::target::Target;
use bytemuck::Pod;
use posproof_encoding::convention::Component;

/// A format's kernel.
pub trait Kernel: Pod + Default + Send + Sync {
    /// Rows of a plan that it needs.
    type Rows: Send + Sync;
    /// Its buffers.
    type Workspace: Default;
    /// True if it leaves pairs of frequency 0 alone. Then a plan has a number far from ties instead of them.
    const SKIPS_STILL: bool;

    /// The bits of the two lowest digits of a position, the fine and the coarse one.
    fn digits(pairs: usize) -> (u32, u32);
    /// From the rows for these digits, of so many groups of eight pairs.
    fn rows(instructions: Available, fine: &Level, coarse: &Level, groups: usize) -> Self::Rows;
    /// Writes the rows of a tile, and notes the entries that it does not accept.
    fn fill<I: Isa>(isa: I, tile: Tile<'_, Self>);
    /// The same, by the given instructions. A format states it, instead of the trait, so that the kernel is compiled
    /// in this package and not again in each that asks for a table.
    fn fill_by(instructions: Available, tile: Tile<'_, Self>);
}

/// An entry that the kernel did not accept.
#[derive(Clone, Copy, Debug)]
pub struct Reject {
    pub row: u32,
    pub pair: u32,
    pub component: Component,
}

/// Consecutive rows under one anchor.
pub struct Tile<'a, K: Kernel> {
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

impl<K: Kernel> Work for Tile<'_, K> {
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        K::fill(isa, self);
    }
}
