//! The fast path: one complex multiplication for a pair of entries, and a test that accepts its
//! result only when every value within the error bound rounds alike.
//!
//! Write the position as t = a + b. With z₁ = X·e^(i·aω) (the *anchor* of a block of rows) and
//! z₂ = e^(i·bω) (the *low* table), the shift theorem gives X·e^(i·tω) = z₁·z₂. Both factors are
//! known to at least 2^−90 as sums of two binary64 numbers ([`super::double`]); E denotes the bound
//! of their joint error relative to X, worked out in [`super::plan`].
//!
//! # Narrow formats (f32 in binary64 arithmetic; bf16 and f16 in binary32 arithmetic)
//!
//! With u the unit roundoff of the arithmetic, s = s₁c₂ + c₁s₂, c = c₁c₂ − s₁s₂, and M the sum of the
//! magnitudes of the two terms, the kernel computes `low` = fl(c₁s₂ + fl(s₁c₂ − e)) and
//! `high` = fl(low + 2e). Error of either end, term by term:
//!
//! | what | at most |
//! | --- | --- |
//! | rounding the four factors to the arithmetic, u relative each | 2u·M |
//! | rounding the two products, where they are not fused | u·M |
//! | rounding the inner difference, of magnitude at most M + e | u·(M + e) |
//! | rounding the outer sum, of magnitude at most M + e | u·(M + e) |
//! | rounding the addition of 2e | u·(M + 3e) |
//! | the factors' own error | E·X |
//!
//! together 6u·M + 5u·e + E·X with terms of order u². The kernel takes e = 6.3u·M + E·X and an allowance for
//! underflow, which is more, so that `low` < exact < `high`. M is bounded for the cosine by X (both factors have
//! known modulus: Cauchy and Schwarz) and for the sine by min(X, |s₁| + X·max|s₂|), so that small sines have
//! small bounds. A tie is never accepted: both ends would have to round to the same side of it.
//!
//! For bf16 and f16, where many entries fail the test, absolute errors are counted as well. Let P be the least power
//! of two ≥ X. Numbers up to P are rounded with an error of at most uP/2, so that, in units of uP,
//!
//! | what | at most |
//! | --- | --- |
//! | rounding the four factors: (|s₂| + |c₂|)/2 + (|s₁| + |c₁|)/2P, where sine and cosine add up to √2 | 1.42 |
//! | rounding the two products, where they are not fused | 1 |
//! | rounding the inner difference, the outer sum, and the addition of 2e | 1.5 |
//!
//! together 2.92 or 3.92, below e = 3uP or 4uP, + E·X and the allowance. Where one of the three last roundings acts
//! on a number above P, its error may be twice that. Then |s₁c₂| or the result exceeds P − 3e, so that the exact
//! value and both ends lie within 20e of ±P: X = P up to that, and all three round to ±P in a format of 11 bits or fewer.
//!
//! # f64 (binary64 arithmetic on heads and tails)
//!
//! Each part x is split into a head h, a multiple of the grid g, and a tail t with |t| ≤ g/2. With
//! P a power of two ≥ X, the grid is 2^−26·P for anchors and 2^−26 for the low table, so that
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
    /// max|s₂| of each pair over the low table, rounded up.
    pub sine: &'a [f64],
    /// Whether a pair's frequency is 0: its sine is 0 and its cosine X at every position.
    pub still: &'a [bool],
    /// Whether X is a binary64 number.
    pub exact: bool,
    /// Whether products are fused with the addition that follows.
    pub fused: bool,
}

impl Scale<'_> {
    /// e for the sine of a pair of a narrow format: 6.25u·M and the rest.
    pub fn sine_error(&self, unit: f64, rest: f64, s: f64, lane: usize) -> f64 {
        if self.still[lane] {
            return 0.0;
        }
        unit * ((s.abs() + self.gain * self.sine[lane]) * (1.0 + 1e-9)).min(self.gain) + rest
    }
}

/// A format's kernel. A group is GROUP pairs whose data lie together.
pub trait Kernel: Copy + Default + Send + Sync + 'static {
    /// A multiple of 8.
    const GROUP: usize;
    type Low: Copy + Send + Sync;
    type Anchor: Copy + Send + Sync;
    /// One component of a group, and both.
    type Half: Default;
    type Line: Default;

    /// The low table's data of a group, from GROUP/8 elements.
    fn low(pairs: &[Pairs]) -> Self::Low;
    fn anchor(pairs: &[Pairs], scale: &Scale<'_>) -> Self::Anchor;
    fn halves(slice: &mut [Self]) -> &mut [Self::Half];
    fn lines(slice: &mut [Self]) -> &mut [Self::Line];
    /// As much of a group as fits.
    fn copy_half(half: &Self::Half, to: &mut [Self]);
    fn copy_line(line: &Self::Line, to: &mut [Self]);
    fn split<I: Isa, const STREAM: bool>(
        isa: I,
        anchor: &Self::Anchor,
        low: &Self::Low,
        sin: &mut Self::Half,
        cos: &mut Self::Half,
    ) -> u64;
    fn joined<I: Isa, const COS_FIRST: bool, const STREAM: bool>(
        isa: I,
        anchor: &Self::Anchor,
        low: &Self::Low,
        line: &mut Self::Line,
    ) -> u64;
}
