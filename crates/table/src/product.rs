//! The kernel for f32 and f64: one complex multiplication for a pair of entries. Their test needs numbers that a recurrence is too
//! inaccurate for, or too expensive.
//!
//! Write the position as t = a + b + c. With z₁ = X·e^(i·aω) (the *anchor* of a block of rows), z₂ = e^(i·bω) (a
//! *coarse* row) and z₃ = e^(i·cω) (a *fine* row), the shift theorem gives X·e^(i·tω) = z₁·z₂·z₃. The factors are known
//! as sums of two binary64 numbers ([`super::double`]); E denotes the bound of their joint error relative
//! to X, worked out in [`super::plan`]. u is 2^−53.
//!
//! # f32: both ends of an interval, in binary64
//!
//! For each coarse row the anchor is *turned*: a = z₁·z₂, so that the fine rows, which stay in the first-level cache, can be
//! few. Then, for each fine row, with s = s_a·c₃ + c_a·s₃ and
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
//! # f64: heads and tails, in binary64
//!
//! The anchor is turned in double-double arithmetic. Write z₁ for the turned one, and z₂ for the fine row. Each part x is
//! split into a head h, a multiple of the grid g, and a tail t with |t| ≤ g/2. With P a power of two ≥ X, the grid is 2^−26·P for anchors and 2^−26 for fine rows, so that
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

use super::Element;
use super::columns::Arrangement;
use super::double::Pairs;
use super::isa::Isa;
use super::kernel::{Reject, Tile};
use super::plan::Level;
use super::scale::Scale;
use posproof_encoding::convention::Component;

/// The rows that a kernel multiplies by.
pub struct Rows<L, C> {
    fine: Vec<L>,
    coarse: Vec<C>,
    /// max|s₂| + max|s₃| of each lane, rounded up.
    sines: Vec<f64>,
}

impl<L, C> Rows<L, C> {
    pub fn new(
        fine: &Level,
        coarse: &Level,
        groups: usize,
        (low, row): (impl Fn(&Pairs) -> L, impl Fn(&Pairs) -> C),
    ) -> Self {
        let (one, other) = (fine.largest(groups), coarse.largest(groups));
        let sines = one.iter().zip(other).map(|(a, b)| (a + b) * (1.0 + 1e-12)).collect();
        Self { fine: fine.rows().iter().map(low).collect(), coarse: coarse.rows().iter().map(row).collect(), sines }
    }
}

/// A turned anchor.
pub struct TurnedAnchor<A>(Vec<A>);

impl<A> Default for TurnedAnchor<A> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// A format whose entries are products. A group is eight pairs whose data lie together.
pub trait Product: Element {
    /// A fine row.
    type Low: Copy;
    /// A coarse one.
    type Coarse: Copy;
    type Anchor: Copy;
    /// The bits in which both ends of any entry differ.
    type Doubt<I: Isa>: Copy;

    fn anchor(pairs: &Pairs, scale: &Scale<'_>, sines: &[f64]) -> Self::Anchor;
    /// Writes the product of an anchor and a coarse row to `out`, which has the anchor's error bounds.
    fn turn<I: Isa>(isa: I, anchor: &Pairs, row: &Self::Coarse, out: &mut Self::Anchor);
    /// Computes and stores a group; `doubt` takes note of what may not be the correct rounding.
    fn split<I: Isa, const STREAM: bool>(
        isa: I,
        group: (&Self::Anchor, &Self::Low),
        to: (&mut [Self; 8], &mut [Self; 8]),
        doubt: Self::Doubt<I>,
    ) -> Self::Doubt<I>;
    fn joined<I: Isa, const COS_FIRST: bool, const STREAM: bool>(
        isa: I,
        group: (&Self::Anchor, &Self::Low),
        line: &mut [Self; 16],
        doubt: Self::Doubt<I>,
    ) -> Self::Doubt<I>;
    /// No doubt.
    fn certain<I: Isa>(isa: I) -> Self::Doubt<I>;
    fn is_doubtful<I: Isa>(isa: I, doubt: Self::Doubt<I>) -> bool;
    /// Which entries of a group are in doubt: bit i its sine of pair i, bit 8 + i the cosine.
    fn doubtful<I: Isa>(isa: I, group: (&Self::Anchor, &Self::Low)) -> u32;
}

/// Fills the rows of a tile.
#[inline(always)]
pub fn fill<K, I: Isa>(isa: I, mut tile: Tile<'_, K>)
where
    K: Product<
            Rows = Rows<<K as Product>::Low, <K as Product>::Coarse>,
            Workspace = TurnedAnchor<<K as Product>::Anchor>,
        >,
{
    let (plan, scale, groups) = (tile.plan, tile.plan.scale(), tile.plan.groups);
    let TurnedAnchor(turned) = &mut *tile.workspace;
    turned.clear();
    turned.extend(tile.anchor.iter().enumerate().map(|(group, pairs)| {
        let lanes = 8 * group..8 * group + 8;
        let scale = Scale { still: &scale.still[lanes.clone()], ..scale };
        K::anchor(pairs, &scale, &plan.rows.sines[lanes])
    }));
    let arrangement = tile.columns.arrangement;
    let fine = plan.fine.len();
    let mut done = 0;
    while done < tile.count {
        let (digit, below) = ((tile.first + done) / fine, (tile.first + done) % fine);
        let count = (fine - below).min(tile.count - done);
        let coarse = &plan.rows.coarse[digit * groups..][..groups];
        for ((out, anchor), row) in turned.iter_mut().zip(tile.anchor).zip(coarse) {
            K::turn(isa, anchor, row, out);
        }
        let low = &plan.rows.fine[below * groups..][..count * groups];
        let mut strip = Strip { anchor: turned, low, pairs: plan.pairs, row: done, rejects: tile.rejects };
        let rows = done..done + count;
        match (arrangement, tile.stream) {
            (Arrangement::Interleaved { cos_first: false }, false) => {
                strip.interleaved::<I, false, false>(isa, tile.target.rows(rows, 2 * plan.pairs));
            }
            (Arrangement::Interleaved { cos_first: false }, true) => {
                strip.interleaved::<I, false, true>(isa, tile.target.rows(rows, 2 * plan.pairs));
            }
            (Arrangement::Interleaved { cos_first: true }, false) => {
                strip.interleaved::<I, true, false>(isa, tile.target.rows(rows, 2 * plan.pairs));
            }
            (Arrangement::Interleaved { cos_first: true }, true) => {
                strip.interleaved::<I, true, true>(isa, tile.target.rows(rows, 2 * plan.pairs));
            }
            (_, stream) => {
                for row in 0..count {
                    let (sin, cos) = tile.target.sections(arrangement, done + row, plan.pairs);
                    if stream {
                        strip.split::<I, true>(isa, row, sin, cos)
                    } else {
                        strip.split::<I, false>(isa, row, sin, cos)
                    }
                }
            }
        }
        done += count;
    }
}

/// Rows of a tile under one turned anchor: each entry is its product with a fine row.
struct Strip<'a, K: Product> {
    anchor: &'a [K::Anchor],
    low: &'a [K::Low],
    pairs: usize,
    /// The number of the first row in its tile.
    row: usize,
    rejects: &'a mut Vec<Reject>,
}

impl<K: Product> Strip<'_, K> {
    #[inline(always)]
    fn interleaved<I: Isa, const COS_FIRST: bool, const STREAM: bool>(&mut self, isa: I, rows: &mut [K]) {
        let (groups, whole, anchor) = (self.anchor.len(), self.pairs / 8, self.anchor);
        if whole == groups {
            return self.whole::<I, COS_FIRST, STREAM>(isa, rows.as_chunks_mut().0);
        }
        for (row, entries) in rows.chunks_exact_mut(2 * self.pairs).enumerate() {
            let low = &self.low[row * groups..][..groups];
            let mut doubt = K::certain(isa);
            for (line, group) in entries.as_chunks_mut().0.iter_mut().zip(anchor.iter().zip(low)) {
                doubt = K::joined::<I, COS_FIRST, STREAM>(isa, group, line, doubt);
            }
            let mut line = [K::default(); 16];
            doubt = K::joined::<I, COS_FIRST, false>(isa, (&anchor[whole], &low[whole]), &mut line, doubt);
            let rest = &mut entries[16 * whole..];
            rest.copy_from_slice(&line[..rest.len()]);
            if K::is_doubtful(isa, doubt) {
                self.note(isa, row);
            }
        }
    }

    /// Rows of whole groups, which lie one after the other.
    #[inline(always)]
    fn whole<I: Isa, const COS_FIRST: bool, const STREAM: bool>(&mut self, isa: I, lines: &mut [[K; 16]]) {
        let (anchor, low) = (self.anchor, self.low);
        let (mut doubt, mut group) = (K::certain(isa), 0);
        for (line, low) in lines.iter_mut().zip(low) {
            doubt = K::joined::<I, COS_FIRST, STREAM>(isa, (&anchor[group], low), line, doubt);
            group += 1;
            if group == anchor.len() {
                group = 0;
            }
        }
        if K::is_doubtful(isa, doubt) {
            for row in 0..low.len() / anchor.len() {
                self.note(isa, row);
            }
        }
    }

    #[inline(always)]
    fn split<I: Isa, const STREAM: bool>(&mut self, isa: I, row: usize, sin: &mut [K], cos: &mut [K]) {
        let (groups, whole, anchor) = (self.anchor.len(), self.pairs / 8, self.anchor);
        let low = &self.low[row * groups..][..groups];
        let mut doubt = K::certain(isa);
        let places = sin.as_chunks_mut().0.iter_mut().zip(cos.as_chunks_mut().0);
        for (place, group) in places.zip(anchor.iter().zip(low)) {
            doubt = K::split::<I, STREAM>(isa, group, place, doubt);
        }
        if whole < groups {
            let (mut sine, mut cosine) = ([K::default(); 8], [K::default(); 8]);
            doubt = K::split::<I, false>(isa, (&anchor[whole], &low[whole]), (&mut sine, &mut cosine), doubt);
            let (sin, cos) = (&mut sin[8 * whole..], &mut cos[8 * whole..]);
            sin.copy_from_slice(&sine[..sin.len()]);
            cos.copy_from_slice(&cosine[..cos.len()]);
        }
        if K::is_doubtful(isa, doubt) {
            self.note(isa, row);
        }
    }

    /// Finds the entries of a row that are in doubt.
    #[inline(always)]
    fn note<I: Isa>(&mut self, isa: I, row: usize) {
        let low = &self.low[row * self.anchor.len()..];
        for (group, pair) in self.anchor.iter().zip(low).enumerate() {
            let mut mask = K::doubtful(isa, pair);
            while mask != 0 {
                let bit = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                let component = if bit < 8 { Component::Sin } else { Component::Cos };
                let pair = 8 * group + bit % 8;
                if pair < self.pairs {
                    self.rejects.push(Reject { row: (self.row + row) as u32, pair: pair as u32, component });
                }
            }
        }
    }
}
