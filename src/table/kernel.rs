//! The fast path: one complex multiplication for a pair of entries, and a test that accepts its
//! result only when every value within the error bound rounds alike.
//!
//! Write the position as t = a + b + c. With z₁ = X·e^(i·aω) (the *anchor* of a block of rows), z₂ = e^(i·bω) (a
//! *coarse* row) and z₃ = e^(i·cω) (a *fine* row), the shift theorem gives X·e^(i·tω) = z₁·z₂·z₃. The factors are known to
//! at least 2^−90 as sums of two binary64 numbers ([`super::double`]); E denotes the bound of their joint error relative
//! to X, worked out in [`super::plan`]. u is 2^−53.
//!
//! # f32: both ends of an interval, in binary64
//!
//! For each coarse row the anchor is *turned*: a = z₁·z₂, and then, for each fine row, with s = s_a·c₃ + c_a·s₃ and
//! c = c_a·c₃ − s_a·s₃, the kernel computes `low` = fl(c_a·s₃ + fl(s_a·c₃ − e)) and `high` = fl(low + 2e). For a cosine let M = X;
//! the magnitudes of both terms of any of these products add up to at most X, because the moduli are known (Cauchy and
//! Schwarz). For a sine let M = min(X, |s₁| + X·(max|s₂| + max|s₃|)), so that small sines have small bounds. Error of
//! either end, term by term:
//!
//! | what | at most |
//! | --- | --- |
//! | the parts of a: rounding its factors 2u, its products u, its sum u: 4u of each part, and √2 times that in both | 5.66u·M |
//! | rounding the parts of z₃ | u·M |
//! | rounding the two products, where they are not fused | u·M |
//! | rounding the inner difference, of magnitude at most M + e | u·(M + e) |
//! | rounding the outer sum, of magnitude at most M + e | u·(M + e) |
//! | rounding the addition of 2e | u·(M + 3e) |
//! | the factors' own error | E·X |
//!
//! together 10.66u·M + 5u·e + E·X with terms of order u². The kernel takes e = 10.8u·M + E·X and an allowance for
//! underflow, which is more, so that `low` < exact < `high`. If both round to the same binary32 number, so does what lies
//! between. A tie is never accepted: both ends would have to round to the same side of it.
//!
//! # bf16 and f16: one value in binary64, and no tie near it
//!
//! The value v is computed alike, without an end's shift, so that it is within e = 10.8u·X + E·X of the exact one, x. It is
//! rounded to binary32, to w, and w to the format. Let P be the least power of two ≥ X and T = 2^−20·P.
//!
//! If |w| ≥ T and the 12 lowest bits of w (15 for bf16) are not all zero, then w rounds as x does. For if it did not, a tie t of
//! the format would lie between x and w, or be w. Ties are odd multiples of half a unit in the last place of the format,
//! among subnormal numbers too: as binary32 numbers their 12 (15) lowest bits are zero, and so w ≠ t. Between t and w there is
//! at least one unit in the last place of w, 2^−43·P or more: the number below a power of two, which is closer to it, has no zeros
//! at its end. But |x − w| is at most half that unit plus e, and e < 2^−49·P is less than the other half.
//!
//! The entries that this leaves in doubt (some 2^−12 in f16, 2^−15 in bf16 and those below T) are looked at more closely: v − e
//! and v + e are rounded to binary32, and their neighbours beyond both ends to the format. If those agree, so does what
//! lies between. Sums with e round once more: the table above counts that.
//!
//! # f64: heads and tails, in binary64
//!
//! Here no anchor is turned; the fine rows are all rows below an anchor, and z₃ is called z₂.
//!
//! Each part x is split into a head h, a multiple of the grid g, and a tail t with |t| ≤ g/2. With
//! P a power of two ≥ X, the grid is 2^−26·P for anchors and 2^−26 for fine rows, so that
//! products of heads are multiples of 2^−52·P below 2P: the products and H = h₁h₂ ± h₁′h₂′ are exact.
//! The rest T = x₁t₂ + t₁h₂ ± (x₁′t₂′ + t₁′h₂′) has four terms of magnitude at most 2^−27·P·(1 + 2^−26). In units of 2^−80·P:
//!
//! | what | at most |
//! | --- | --- |
//! | x₁ as one binary64 number instead of h₁ + t₁: u·X·|t₂|, two terms | 2 |
//! | tails rounded to binary64: u·|t|, four terms | 4 |
//! | rounding the four products, where they are not fused | 4 |
//! | rounding the running sum −e + term + … after each of four terms | 1 + 2 + 3 + 4 |
//! | rounding the addition of 2e | 4 |
//!
//! together 24, below 25 with the parts of relative size 2^−26 left out; e = 25·2^−80·P + E·X. The
//! result is fl(H + (T − e)), one rounding, compared with fl(H + (T + e)).

use super::double::Pairs;
use super::isa::Isa;

/// What the error bounds of a block of rows depend on, for the pairs of one group.
pub struct Scale<'a> {
    /// X, rounded up.
    pub gain: f64,
    /// P.
    pub power: f64,
    /// E·X, with the allowance for underflow in binary64.
    pub factors: f64,
    /// max|s₂| + max|s₃| of each lane, rounded up.
    pub sine: &'a [f64],
    /// Whether a lane's frequency is 0: its sine is 0 and its cosine X at every position.
    pub still: &'a [bool],
    /// Whether X is a binary64 number.
    pub exact: bool,
}

/// 10.8u of binary64.
pub const DOUBLE: f64 = 10.8 * 1.1102230246251565e-16;

impl Scale<'_> {
    /// e for the sine of a lane: 10.8u·M and the rest, where s₁ = `s`.
    pub fn sine_error(&self, s: f64, lane: usize) -> f64 {
        if self.still[lane] {
            return 0.0;
        }
        DOUBLE * ((s.abs() + self.gain * self.sine[lane]) * (1.0 + 1e-9)).min(self.gain) + self.factors
    }
}

/// A format's kernel. A group is GROUP pairs whose data lie together.
pub trait Kernel: Copy + Default + Send + Sync + 'static {
    /// A multiple of 8.
    const GROUP: usize;
    /// Whether doubt is asked about after each group, rather than once a row.
    const EACH: bool;
    /// Whether anchors are turned, so that the rows in use fit the first-level cache.
    const TURNS: bool;
    type Low: Copy + Send + Sync;
    type Anchor: Copy + Send + Sync;
    /// Doubt about entries of a row.
    type Doubt<I: Isa>: Copy;
    /// One component of a group, and both.
    type Half: Default;
    type Line: Default;

    /// The lane of a pair, and the pair of a lane, counted through all groups.
    fn lane(pair: usize) -> usize {
        pair
    }
    /// The data of a coarse or fine row for a group, from GROUP/8 elements.
    fn low(pairs: &[Pairs]) -> Self::Low;
    fn anchor(pairs: &[Pairs], scale: &Scale<'_>) -> Self::Anchor;
    /// Writes the product of an anchor and a coarse row to `out`, which has the anchor's error bounds.
    fn turn<I: Isa>(isa: I, anchor: &Self::Anchor, low: &Self::Low, out: &mut Self::Anchor);
    fn halves(slice: &mut [Self]) -> &mut [Self::Half];
    fn lines(slice: &mut [Self]) -> &mut [Self::Line];
    /// As much of a group as fits.
    fn copy_half(half: &Self::Half, to: &mut [Self]);
    fn copy_line(line: &Self::Line, to: &mut [Self]);
    /// Computes and stores a group; `doubt` takes note of what may not be the correct rounding.
    fn split<I: Isa, const STREAM: bool>(
        isa: I,
        group: (&Self::Anchor, &Self::Low),
        sin: &mut Self::Half,
        cos: &mut Self::Half,
        doubt: Self::Doubt<I>,
    ) -> Self::Doubt<I>;
    fn joined<I: Isa, const COS_FIRST: bool, const STREAM: bool>(
        isa: I,
        group: (&Self::Anchor, &Self::Low),
        line: &mut Self::Line,
        doubt: Self::Doubt<I>,
    ) -> Self::Doubt<I>;
    /// No doubt.
    fn certain<I: Isa>(isa: I) -> Self::Doubt<I>;
    /// Whether any of the entries that were computed with one of the anchor's bounds is in doubt.
    fn is_doubtful<I: Isa>(isa: I, doubt: Self::Doubt<I>, anchor: &Self::Anchor) -> bool;
    /// Which entries of a group are: bit i its sine of pair i, bit 32 + i the cosine.
    fn doubtful<I: Isa>(isa: I, group: (&Self::Anchor, &Self::Low)) -> u64;
}

/// How a format's entries lie in memory, in units of `$unit` that `$slice` gives.
macro_rules! storage {
    ($format:ident, $group:literal, $unit:ident, $slice:expr) => {
        const GROUP: usize = $group;
        type Half = [$unit; $group];
        type Line = [$unit; 2 * $group];

        #[inline(always)]
        fn halves(slice: &mut [Self]) -> &mut [Self::Half] {
            $slice(slice).as_chunks_mut().0
        }

        #[inline(always)]
        fn lines(slice: &mut [Self]) -> &mut [Self::Line] {
            $slice(slice).as_chunks_mut().0
        }

        fn copy_half(half: &Self::Half, to: &mut [Self]) {
            let count = to.len().min(half.len());
            $slice(&mut to[..count]).copy_from_slice(&half[..count]);
        }

        fn copy_line(line: &Self::Line, to: &mut [Self]) {
            let count = to.len().min(line.len());
            $slice(&mut to[..count]).copy_from_slice(&line[..count]);
        }
    };
}
pub(super) use storage;
