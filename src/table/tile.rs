//! Rows of entries under one anchor: the loop around the kernel.

use super::isa::Isa;
use super::kernel::Kernel;
use super::simd::Work;
use std::ops::Range;

/// The entries that the test did not accept: bit i of `mask` is the sine of pair i of the group, bit
/// 32 + i its cosine.
#[derive(Clone, Copy, Debug)]
pub struct Reject {
    pub row: u32,
    pub group: u32,
    pub mask: u64,
}

/// Where the entries of consecutive rows go.
pub enum Rows<'a, K> {
    /// Rows of sines and cosines in turn, or cosines and sines.
    Interleaved { rows: &'a mut [K], cos_first: bool },
    /// Rows of sines followed by cosines, or cosines followed by sines.
    Halves { rows: &'a mut [K], cos_first: bool },
    /// Two arrays.
    Apart { sin: &'a mut [K], cos: &'a mut [K] },
}

impl<K> Default for Rows<'_, K> {
    fn default() -> Self {
        Rows::Interleaved { rows: &mut [], cos_first: false }
    }
}

impl<K> Rows<'_, K> {
    /// The first `count` rows, and the rest.
    fn split(self, count: usize, pairs: usize) -> (Self, Self) {
        match self {
            Rows::Interleaved { rows, cos_first } => {
                let (rows, rest) = rows.split_at_mut(count * 2 * pairs);
                (Rows::Interleaved { rows, cos_first }, Rows::Interleaved { rows: rest, cos_first })
            }
            Rows::Halves { rows, cos_first } => {
                let (rows, rest) = rows.split_at_mut(count * 2 * pairs);
                (Rows::Halves { rows, cos_first }, Rows::Halves { rows: rest, cos_first })
            }
            Rows::Apart { sin, cos } => {
                let ((sin, sin_rest), (cos, cos_rest)) =
                    (sin.split_at_mut(count * pairs), cos.split_at_mut(count * pairs));
                (Rows::Apart { sin, cos }, Rows::Apart { sin: sin_rest, cos: cos_rest })
            }
        }
    }
}

/// Consecutive rows under one anchor.
pub struct Tile<'a, K: Kernel> {
    /// One element for each group.
    pub anchor: &'a [K::Anchor],
    /// As many, with the same error bounds, to be turned.
    pub turned: &'a mut [K::Anchor],
    /// Rows of both tables below the anchor's digits, each as long as the anchor.
    pub coarse: &'a [K::Low],
    pub fine: &'a [K::Low],
    /// The number of the first row among those under the anchor, and how many rows there are.
    pub first: usize,
    pub count: usize,
    /// Pairs in a row.
    pub pairs: usize,
    /// Where the entries go.
    pub rows: Rows<'a, K>,
    /// Whether to store past the caches.
    pub stream: bool,
    /// What was not accepted is appended.
    pub rejects: &'a mut Vec<Reject>,
}

impl<K: Kernel> Work for Tile<'_, K> {
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let groups = self.anchor.len();
        let fine = self.fine.len() / groups;
        let (mut rest, mut done) = (self.rows, 0);
        while done < self.count {
            let (digit, below) = ((self.first + done) / fine, (self.first + done) % fine);
            let count = (fine - below).min(self.count - done);
            let anchor = if K::TURNS {
                let coarse = &self.coarse[digit * groups..][..groups];
                for ((out, anchor), low) in self.turned.iter_mut().zip(self.anchor).zip(coarse) {
                    K::turn(isa, anchor, low, out);
                }
                &*self.turned
            } else {
                self.anchor
            };
            let (rows, after) = rest.split(count, self.pairs);
            rest = after;
            let low = &self.fine[below * groups..][..count * groups];
            let strip = Strip { anchor, low, pairs: self.pairs, row: done as u32, rows, rejects: self.rejects };
            match (&strip.rows, self.stream) {
                (Rows::Interleaved { cos_first: false, .. }, false) => strip.interleaved::<I, false, false>(isa),
                (Rows::Interleaved { cos_first: false, .. }, true) => strip.interleaved::<I, false, true>(isa),
                (Rows::Interleaved { cos_first: true, .. }, false) => strip.interleaved::<I, true, false>(isa),
                (Rows::Interleaved { cos_first: true, .. }, true) => strip.interleaved::<I, true, true>(isa),
                (_, false) => strip.split::<I, false>(isa),
                (_, true) => strip.split::<I, true>(isa),
            }
            done += count;
        }
    }
}

/// The rows of a tile under one turned anchor: each entry is its product with a fine row.
struct Strip<'a, K: Kernel> {
    anchor: &'a [K::Anchor],
    low: &'a [K::Low],
    pairs: usize,
    /// The number of the first row in its tile.
    row: u32,
    rows: Rows<'a, K>,
    rejects: &'a mut Vec<Reject>,
}

impl<K: Kernel> Strip<'_, K> {
    #[inline(always)]
    fn interleaved<I: Isa, const COS_FIRST: bool, const STREAM: bool>(mut self, isa: I) {
        let Rows::Interleaved { rows, .. } = std::mem::take(&mut self.rows) else { return };
        let groups = self.anchor.len();
        let whole = self.pairs / K::GROUP;
        let anchor = self.anchor;
        if self.pairs.is_multiple_of(K::GROUP) {
            return self.whole::<I, COS_FIRST, STREAM>(isa, K::lines(rows));
        }
        for (row, entries) in rows.chunks_exact_mut(2 * self.pairs).enumerate() {
            let low = &self.low[row * groups..][..groups];
            let lines = &mut K::lines(entries)[..whole];
            let mut doubt = K::certain(isa);
            for group in 0..whole {
                let line = &mut lines[group];
                doubt = K::joined::<I, COS_FIRST, STREAM>(isa, (&anchor[group], &low[group]), line, doubt);
                if K::EACH && K::is_doubtful(isa, doubt, &anchor[group]) {
                    self.note(isa, row, group..group + 1);
                }
            }
            if whole < groups {
                let mut line = K::Line::default();
                doubt = K::joined::<I, COS_FIRST, false>(isa, (&anchor[whole], &low[whole]), &mut line, doubt);
                K::copy_line(&line, &mut entries[whole * 2 * K::GROUP..]);
            }
            if (whole < groups || !K::EACH) && K::is_doubtful(isa, doubt, &anchor[0]) {
                self.note(isa, row, if K::EACH { whole } else { 0 }..groups);
            }
        }
    }

    /// Rows of whole groups, which lie one after the other.
    #[inline(always)]
    fn whole<I: Isa, const COS_FIRST: bool, const STREAM: bool>(mut self, isa: I, lines: &mut [K::Line]) {
        let (anchor, low) = (self.anchor, self.low);
        let (mut doubt, mut group) = (K::certain(isa), 0);
        for (at, (line, low)) in lines.iter_mut().zip(low).enumerate() {
            doubt = K::joined::<I, COS_FIRST, STREAM>(isa, (&anchor[group], low), line, doubt);
            if K::EACH && K::is_doubtful(isa, doubt, &anchor[group]) {
                self.note(isa, at / anchor.len(), group..group + 1);
            }
            group += 1;
            if group == anchor.len() {
                group = 0;
            }
        }
        if !K::EACH && K::is_doubtful(isa, doubt, &anchor[0]) {
            for row in 0..low.len() / anchor.len() {
                self.note(isa, row, 0..anchor.len());
            }
        }
    }

    #[inline(always)]
    fn split<I: Isa, const STREAM: bool>(mut self, isa: I) {
        let groups = self.anchor.len();
        let whole = self.pairs / K::GROUP;
        let anchor = self.anchor;
        let mut all = std::mem::take(&mut self.rows);
        for row in 0..self.low.len() / groups {
            let (sin, cos) = match &mut all {
                Rows::Apart { sin, cos } => {
                    (&mut sin[row * self.pairs..][..self.pairs], &mut cos[row * self.pairs..][..self.pairs])
                }
                Rows::Halves { rows, cos_first } | Rows::Interleaved { rows, cos_first } => {
                    let (first, second) = rows[row * 2 * self.pairs..][..2 * self.pairs].split_at_mut(self.pairs);
                    if *cos_first { (second, first) } else { (first, second) }
                }
            };
            let low = &self.low[row * groups..][..groups];
            let (sines, cosines) = (&mut K::halves(sin)[..whole], &mut K::halves(cos)[..whole]);
            let mut doubt = K::certain(isa);
            for group in 0..whole {
                let (sine, cosine) = (&mut sines[group], &mut cosines[group]);
                doubt = K::split::<I, STREAM>(isa, (&anchor[group], &low[group]), sine, cosine, doubt);
                if K::EACH && K::is_doubtful(isa, doubt, &anchor[group]) {
                    self.note(isa, row, group..group + 1);
                }
            }
            if whole < groups {
                let (mut sine, mut cosine) = (K::Half::default(), K::Half::default());
                doubt = K::split::<I, false>(isa, (&anchor[whole], &low[whole]), &mut sine, &mut cosine, doubt);
                K::copy_half(&sine, &mut sin[whole * K::GROUP..]);
                K::copy_half(&cosine, &mut cos[whole * K::GROUP..]);
            }
            if (whole < groups || !K::EACH) && K::is_doubtful(isa, doubt, &anchor[0]) {
                self.note(isa, row, if K::EACH { whole } else { 0 }..groups);
            }
        }
    }

    /// Finds the entries of some groups of a row that are in doubt.
    #[inline(always)]
    fn note<I: Isa>(&mut self, isa: I, row: usize, groups: Range<usize>) {
        let low = &self.low[row * self.anchor.len()..];
        for group in groups {
            let mask = K::doubtful(isa, (&self.anchor[group], &low[group]));
            if mask != 0 {
                self.rejects.push(Reject { row: self.row + row as u32, group: group as u32, mask });
            }
        }
    }
}
