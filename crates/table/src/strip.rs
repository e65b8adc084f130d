//! Rows of entries under one anchor: the loop around the kernel.
//!
//! A strip is computed column by column into a stage, which stays in the first-level cache. If the table goes past the
//! caches, the lines of a filled stage leave one by one while the next is filled, so that arithmetic and memory overlap.

use super::columns::{Arrangement, Columns};
use super::double::Pairs;
use super::isa::Isa;
use super::kernel::{Reject, Tile};
use super::line::{Eight, Line};
use super::recurrence::{Bounds, EIGHTS, Recurrence, STRIP, Values};
use super::staged::{Lines, Panel, StagedLines};
use std::ops::Range;

/// Lines of a stage: a third of a first-level cache of 48 KiB.
const STAGE: usize = 256;

/// Buffers of one thread.
#[derive(Default)]
pub struct Workspace {
    /// The middle row of a strip, and the one before.
    seeds: [Vec<Eight>; 2],
    stages: [Vec<Line>; 2],
}

/// Fills the rows of a tile.
#[inline(always)]
pub fn fill<K: Recurrence<Rows = [Vec<Pairs>; 2], Workspace = Workspace>, I: Isa>(isa: I, mut tile: Tile<'_, K>) {
    let Tile { plan, columns, anchor, .. } = tile;
    let sections = columns.arrangement.sections();
    let bounds = Bounds::new(&plan.scale());
    let most = (STAGE / (STRIP * sections)).clamp(1, columns.chunks);
    let stream = tile.stream && (columns.width * size_of::<K>()).is_multiple_of(size_of::<Line>());
    let Workspace { seeds, stages: [filling, leaving] } = tile.workspace;
    for seeds in seeds.iter_mut() {
        seeds.resize(sections * most * EIGHTS, Eight::default());
    }
    for stage in [&mut *filling, &mut *leaving] {
        stage.resize(sections * STRIP * most, Line([0; 64]));
    }
    let (mut before, mut done) = (Panel::default(), 0);
    while done < tile.count {
        let (number, below) = ((tile.first + done) / STRIP, (tile.first + done) % STRIP);
        let rows = below..STRIP.min(below + tile.count - done);
        for start in (0..columns.chunks).step_by(most) {
            let chunks = start..(start + most).min(columns.chunks);
            let panel = Panel { chunks, strip: number, rows: rows.clone(), first: done };
            let mut staged = StagedLines::new(columns, &before, leaving, &mut tile.target);
            let mut lines = staged.take();
            compute_seeds(isa, (&plan.rows, columns, anchor), &panel, seeds, &mut lines);
            let mut fill = Fill { columns, bounds, panel: &panel, stage: filling, rejects: tile.rejects };
            fill.run::<K, I>(isa, seeds, (&mut staged, &mut lines));
            staged.finish(isa, lines);
            if stream {
                before = panel;
                std::mem::swap(filling, leaving);
            } else {
                panel.copy(columns, filling, &mut tile.target);
            }
        }
        done += rows.len();
    }
    StagedLines::new(columns, &before, leaving, &mut tile.target).finish(isa, [].iter().zip(&mut []));
}

/// Computes the seeds of a panel, section after section.
#[inline(always)]
fn compute_seeds<I: Isa>(
    isa: I,
    (middle, columns, anchor): (&[Vec<Pairs>; 2], &Columns, &[Pairs]),
    panel: &Panel,
    seeds: &mut [Vec<Eight>; 2],
    lines: &mut Lines<'_>,
) {
    let (arrangement, groups) = (columns.arrangement, anchor.len());
    let len = panel.chunks.len() * EIGHTS;
    let first = arrangement.group(panel.chunks.start * EIGHTS, groups);
    for (seeds, middle) in seeds.iter_mut().zip(middle) {
        let middle = &middle[panel.strip * groups..][..groups];
        let pairs = anchor[first..].iter().zip(&middle[first..]);
        let done = if let Arrangement::Interleaved { cos_first } = arrangement {
            for (to, (anchor, middle)) in seeds[..len].as_chunks_mut::<2>().0.iter_mut().zip(pairs) {
                let (sine, cosine) = seed(isa, anchor, middle);
                let (a, b) = if cos_first { (cosine, sine) } else { (sine, cosine) };
                let (low, high) = isa.interleave_d(a, b);
                isa.store_d::<false>(&mut to[0].0, low);
                isa.store_d::<false>(&mut to[1].0, high);
                stream_line(isa, lines);
            }
            2 * (groups - first)
        } else {
            let (sines, cosines) = seeds[..2 * len].split_at_mut(len);
            for ((to_sine, to_cosine), (anchor, middle)) in sines.iter_mut().zip(cosines).zip(pairs) {
                let (sine, cosine) = seed(isa, anchor, middle);
                isa.store_d::<false>(&mut to_sine.0, sine);
                isa.store_d::<false>(&mut to_cosine.0, cosine);
                stream_line(isa, lines);
            }
            groups - first
        };
        // Columns beyond the last pair repeat the last group.
        let step = 2 / arrangement.sections();
        for section in seeds.chunks_mut(len).take(arrangement.sections()) {
            for at in done..len {
                section[at] = section[at - step];
            }
        }
    }
}

#[inline(always)]
fn stream_line<I: Isa>(isa: I, lines: &mut Lines<'_>) {
    if let Some((from, to)) = lines.next() {
        isa.stream(to, from);
    }
}

/// Sines and cosines of eight pairs.
#[inline(always)]
fn seed<I: Isa>(isa: I, anchor: &Pairs, middle: &Pairs) -> (I::D, I::D) {
    let (c1, s1) = (isa.load_d(&anchor.c), isa.load_d(&anchor.s));
    let (c2, s2) = (isa.load_d(&middle.c), isa.load_d(&middle.s));
    (isa.fma_d(c1, s2, isa.mul_d(s1, c2)), isa.fnma_d(s1, s2, isa.mul_d(c1, c2)))
}

/// The rows computed one from the other, beginning at a seed: the line of the stage that holds the first one wanted, the step from
/// a row's line to the next row's, how many rows are wanted, and how many before them are not.
#[derive(Clone, Copy)]
struct RowSequence {
    first: usize,
    step: usize,
    rows: usize,
    skip: usize,
}

impl RowSequence {
    /// Both sequences through rows of a strip, upward and downward.
    fn both(rows: &Range<usize>, stride: usize) -> [Self; 2] {
        let middle = STRIP / 2;
        let (up, down) = (rows.start.saturating_sub(middle), middle.saturating_sub(rows.end));
        [
            Self { first: (middle + up) * stride, step: stride, rows: rows.end.saturating_sub(middle + up), skip: up },
            Self {
                first: (middle - 1).saturating_sub(down) * stride,
                step: stride.wrapping_neg(),
                rows: (middle - down).saturating_sub(rows.start),
                skip: down,
            },
        ]
    }
}

/// Fills the stage with a panel.
struct Fill<'a> {
    columns: &'a Columns,
    bounds: Bounds,
    panel: &'a Panel,
    stage: &'a mut [Line],
    rejects: &'a mut Vec<Reject>,
}

impl Fill<'_> {
    #[inline(always)]
    fn run<'a, K: Recurrence, I: Isa>(
        &mut self,
        isa: I,
        [upper, lower]: &[Vec<Eight>; 2],
        (staged, lines): (&mut StagedLines<'a>, &mut Lines<'a>),
    ) {
        let Panel { chunks, rows, .. } = self.panel;
        let (len, stride) = (chunks.len(), self.panel.stride());
        let sequences = RowSequence::both(rows, stride);
        for section in 0..self.columns.arrangement.sections() {
            let all = section * self.columns.chunks + chunks.start..section * self.columns.chunks + chunks.end;
            let rates = self.columns.rates[all.start * EIGHTS..].chunks_exact(EIGHTS);
            let seeds = upper[section * len * EIGHTS..].chunks_exact(EIGHTS);
            let seeds = seeds.zip(lower[section * len * EIGHTS..].chunks_exact(EIGHTS));
            let chunks = chunks.clone().zip(&self.columns.still[all]);
            let places = section * STRIP * stride..;
            for (line, (((chunk, still), rate), (upper, lower))) in places.zip(chunks.zip(rates).zip(seeds)) {
                let moves = still.as_ref().is_none_or(|still| !still.whole);
                for (i, sequence) in sequences.iter().enumerate().filter(|_| moves) {
                    let (now, before) = if i == 0 { (upper, lower) } else { (lower, upper) };
                    let column = (section, chunk, line);
                    self.recur::<K, I>(
                        isa,
                        Values::new(isa, rate, now, before),
                        sequence,
                        column,
                        (&mut *staged, &mut *lines),
                    );
                }
                if let Some(still) = still {
                    for row in rows.clone() {
                        still.put(&mut self.stage[row * stride + line]);
                    }
                }
            }
        }
    }

    /// The rows of a chunk from one of its seeds on. As many lines leave as are filled.
    #[inline(always)]
    fn recur<'a, K: Recurrence, I: Isa>(
        &mut self,
        isa: I,
        mut values: Values<I::D>,
        sequence: &RowSequence,
        (section, number, line): (usize, usize, usize),
        (staged, lines): (&mut StagedLines<'a>, &mut Lines<'a>),
    ) {
        let bounds = self.bounds;
        for _ in 0..sequence.skip {
            values = values.next(isa);
        }
        let (mut at, mut left) = (sequence.first + line, sequence.rows);
        while left > 0 {
            // Two rows at a time, so that no number needs to move from the row to the row before.
            for _ in 0..2 {
                if left == 0 {
                    break;
                }
                if K::put(isa, &values, &bounds, &mut self.stage[at]) {
                    examine::<K>(self, (section, number), at, K::doubts(isa, &values, &bounds), &values.values(isa));
                }
                if lines.len() == 0 && !staged.is_over() {
                    *lines = staged.take();
                }
                stream_line(isa, lines);
                values = values.next(isa);
                at = at.wrapping_add(sequence.step);
                left -= 1;
            }
        }
    }
}

/// Settles the entries in doubt that their values settle, and notes the others.
#[cold]
#[inline(never)]
fn examine<K: Recurrence>(
    fill: &mut Fill<'_>,
    (section, chunk): (usize, usize),
    at: usize,
    mut mask: u32,
    values: &[f64; 8 * EIGHTS],
) {
    let row = at / fill.panel.stride() % STRIP - fill.panel.rows.start + fill.panel.first;
    let entries: &mut [K] = bytemuck::cast_slice_mut(&mut fill.stage[at..=at]);
    while mask != 0 {
        let i = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        let column = chunk * 8 * EIGHTS + i;
        if column >= fill.columns.width {
            continue;
        }
        match K::round_within(values[i], fill.bounds.error) {
            Some(entry) => entries[i] = entry,
            None => {
                let (pair, component) = fill.columns.arrangement.cell(section, column);
                fill.rejects.push(Reject { row: row as u32, pair: pair as u32, component });
            }
        }
    }
}
