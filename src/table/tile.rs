//! Rows of entries under one anchor: the loop around the kernel.

use super::isa::Isa;
use super::kernel::Kernel;
use super::simd::Work;

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

/// Consecutive rows under one anchor.
pub struct Tile<'a, K: Kernel> {
    /// One element for each group.
    pub anchor: &'a [K::Anchor],
    /// The low table's rows, each as long as the anchor.
    pub low: &'a [K::Low],
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
        match (&self.rows, self.stream) {
            (Rows::Interleaved { cos_first: false, .. }, false) => self.interleaved::<I, false, false>(isa),
            (Rows::Interleaved { cos_first: false, .. }, true) => self.interleaved::<I, false, true>(isa),
            (Rows::Interleaved { cos_first: true, .. }, false) => self.interleaved::<I, true, false>(isa),
            (Rows::Interleaved { cos_first: true, .. }, true) => self.interleaved::<I, true, true>(isa),
            (_, false) => self.split::<I, false>(isa),
            (_, true) => self.split::<I, true>(isa),
        }
    }
}

impl<K: Kernel> Tile<'_, K> {
    #[inline(always)]
    fn interleaved<I: Isa, const COS_FIRST: bool, const STREAM: bool>(self, isa: I) {
        let Rows::Interleaved { rows, .. } = self.rows else { return };
        let groups = self.anchor.len();
        let whole = self.pairs / K::GROUP;
        for (row, entries) in rows.chunks_exact_mut(2 * self.pairs).enumerate() {
            let low = &self.low[row * groups..][..groups];
            let lines = &mut K::lines(entries)[..whole];
            for group in 0..whole {
                let line = &mut lines[group];
                let mask = K::joined::<I, COS_FIRST, STREAM>(isa, &self.anchor[group], &low[group], line);
                if mask != 0 {
                    self.rejects.push(Reject { row: row as u32, group: group as u32, mask });
                }
            }
            if whole < groups {
                let mut line = K::Line::default();
                let mask = K::joined::<I, COS_FIRST, false>(isa, &self.anchor[whole], &low[whole], &mut line);
                K::copy_line(&line, &mut entries[whole * 2 * K::GROUP..]);
                if mask != 0 {
                    self.rejects.push(Reject { row: row as u32, group: whole as u32, mask });
                }
            }
        }
    }

    #[inline(always)]
    fn split<I: Isa, const STREAM: bool>(mut self, isa: I) {
        let count = self.low.len() / self.anchor.len();
        for row in 0..count {
            let (sin, cos) = match &mut self.rows {
                Rows::Apart { sin, cos } => {
                    (&mut sin[row * self.pairs..][..self.pairs], &mut cos[row * self.pairs..][..self.pairs])
                }
                Rows::Halves { rows, cos_first } | Rows::Interleaved { rows, cos_first } => {
                    let (first, second) = rows[row * 2 * self.pairs..][..2 * self.pairs].split_at_mut(self.pairs);
                    if *cos_first { (second, first) } else { (first, second) }
                }
            };
            let groups = self.anchor.len();
            let low = &self.low[row * groups..][..groups];
            let whole = self.pairs / K::GROUP;
            let (sines, cosines) = (&mut K::halves(sin)[..whole], &mut K::halves(cos)[..whole]);
            for group in 0..whole {
                let (sine, cosine) = (&mut sines[group], &mut cosines[group]);
                let mask = K::split::<I, STREAM>(isa, &self.anchor[group], &low[group], sine, cosine);
                if mask != 0 {
                    self.rejects.push(Reject { row: row as u32, group: group as u32, mask });
                }
            }
            if whole < groups {
                let (mut sine, mut cosine) = (K::Half::default(), K::Half::default());
                let mask = K::split::<I, false>(isa, &self.anchor[whole], &low[whole], &mut sine, &mut cosine);
                K::copy_half(&sine, &mut sin[whole * K::GROUP..]);
                K::copy_half(&cosine, &mut cos[whole * K::GROUP..]);
                if mask != 0 {
                    self.rejects.push(Reject { row: row as u32, group: whole as u32, mask });
                }
            }
        }
    }
}
