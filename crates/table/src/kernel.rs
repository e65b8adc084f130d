//! The fast path: entries in fast arithmetic with a proven bound on their error, and a test that accepts them only when every
//! value within the bound rounds alike. [`super::recurrence`] is that of bf16 and f16, [`super::product`] that of f32 and f64.

use super::Element;
use super::isa::Isa;
use super::plan::Level;
use super::simd::Available;
use super::tile::Tile;
use bytemuck::Pod;

/// Terms of the error bounds of a table.
#[derive(Clone, Copy, Debug)]
pub struct Scale<'a> {
    /// X, rounded up.
    pub gain: f64,
    /// P, the least power of two ≥ X.
    pub power: f64,
    /// E·X, with an allowance for underflow in binary64.
    pub factors: f64,
    /// True if a lane's frequency is 0: its sine is 0 and its cosine X at every position.
    pub still: &'a [bool],
    /// True if X is a binary64 number.
    pub exact: bool,
}

/// 10.8u of binary64.
pub const DOUBLE: f64 = 10.8 / (1u64 << 53) as f64;

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
    fn fill<I: Isa>(isa: I, tile: Tile<'_, Self>)
    where
        Self: Element;
    /// The same, by the given instructions. A format states it, instead of the trait, so that the kernel is compiled
    /// in this package and not again in each that asks for a table.
    fn fill_by(instructions: Available, tile: Tile<'_, Self>)
    where
        Self: Element;
}
