//! Which entries form a pair, as the entries themselves show it, and the angles of the pairs.
//!
//! The entries of a pair keep their length: sin² + cos² is the same in every row of a table, and a rotation changes no |x|. Columns of a
//! cache that repeat each other stand for one slot.

use super::super::cells::cells;
use crate::Invalid;
use crate::input::InvalidInput;
use crate::subject::Subject;
use crate::view::narrowest_of;
use posproof_encoding::axes::{AxialConvention, AxialLaw, AxialLayout, SlotKind};
use posproof_encoding::convention::{Encoding, Order};
use posproof_numerics::format::Format;
use std::f64::consts::PI;

/// Units of roundoff by which entries of a pair, their length, and angles of equal coordinates may differ: two roundings of each of four
/// entries.
const ROUNDINGS: f64 = 8.0;

/// One sampled row of so many, at most, may have another length than most.
const ODD: usize = 8;

/// The angles of a slot in the sampled rows, and what storing the entries may have changed them by.
#[derive(Clone, Debug)]
pub(super) struct Angles {
    pub angle: Vec<f64>,
    pub noise: Vec<f64>,
}

/// The entries of the sampled rows, row after row.
pub(super) struct SampledEntries {
    /// Of each grid.
    grids: Vec<(usize, Vec<f64>)>,
    x: Vec<f64>,
    rows: usize,
    /// Of which they are numbers.
    format: Format,
}

/// A way in which entries form pairs.
#[derive(Clone, Debug)]
pub(super) struct PairArrangement {
    pub encoding: Encoding,
    pub dim: usize,
    pub span: Option<[usize; 2]>,
    pub layout: AxialLayout,
    pub order: Order,
    /// Kind of a slot: which entries have an angle of their own.
    pub kind: SlotKind,
    /// Meanings of columns of a cache, by slots.
    pub columns: Option<&'static str>,
    /// Of each slot the entries that are read and written; of a cache its column, twice.
    pairs: Vec<[(usize, usize); 2]>,
}

impl PairArrangement {
    /// Entries that turn by angles of their own, in pairs of a layout.
    pub(super) fn of_entries(dim: usize, layout: AxialLayout) -> Self {
        let pairs = (0..dim).map(|entry| [(entry, entry); 2]).collect();
        let (encoding, order, kind) = (Encoding::Rope, Order::default(), SlotKind::Entries);
        Self { encoding, dim, span: None, layout, order, kind, columns: None, pairs }
    }

    /// The two entries that each slot writes; of a cache its column, twice.
    pub(super) fn entries(&self) -> Vec<(usize, usize)> {
        self.pairs.iter().map(|[_, write]| *write).collect()
    }

    /// The pairs that a convention states, slot by slot; none where entries turn by angles of their own.
    pub(super) fn stated(subject: Subject<'_>, law: &AxialLaw) -> Result<Option<Self>, Invalid> {
        let mut pairs = vec![None; law.slots()];
        if let Subject::Rope { .. } = subject {
            let (columns, _) = cells(subject, law)?;
            for (column, slot) in
                columns[0].iter().enumerate().filter_map(|(column, cell)| Some((column, cell.slot()?)))
            {
                pairs[slot].get_or_insert([(column, column); 2]);
            }
        } else {
            for turn in law.turns().iter().filter(|_| law.is_rotation()) {
                let slot = turn.slots.0;
                let swapped = law.convention().encoding == Encoding::Sinusoid && law.order(slot) == Order::CosSin;
                let write = if swapped { (turn.write.1, turn.write.0) } else { turn.write };
                pairs[slot] = Some([turn.read, write]);
            }
        }
        let Some(pairs) = pairs.into_iter().collect() else { return Ok(None) };
        let AxialConvention { encoding, dim, layout, .. } = *law.convention();
        let columns = matches!(subject, Subject::Rope { .. }).then_some("slots");
        Ok(Some(Self {
            encoding,
            dim,
            span: None,
            layout,
            order: Order::SinCos,
            kind: SlotKind::Pairs,
            columns,
            pairs,
        }))
    }
}

impl SampledEntries {
    /// Rows of a table.
    pub fn read(subject: Subject<'_>, slab: usize, rows: &[usize], format: Format) -> Result<Self, Invalid> {
        let read = |grid: &dyn crate::Grid| {
            let (mut all, mut one) = (Vec::new(), Vec::new());
            for &row in rows {
                grid.read(slab, row..row + 1, &mut one)?;
                all.extend_from_slice(&one);
            }
            Ok::<_, InvalidInput>((grid.width(), all))
        };
        let grids = subject.grids().into_iter().map(|(_, grid)| read(grid)).collect::<Result<_, _>>()?;
        let x = if let Subject::Rotation { x, .. } = subject { read(x)?.1 } else { Vec::new() };
        Ok(Self { grids, x, rows: rows.len(), format })
    }

    /// True if a row of the first array has an entry that is not 0: a table has none for a row without a position.
    pub fn is_placed(&self, row: usize) -> bool {
        let (width, all) = &self.grids[0];
        all[row * width..(row + 1) * width].iter().any(|x| *x != 0.0)
    }

    /// Rows whose entries have not the length that those of most rows have, where they are few: single entries of them may be wrong. A turn
    /// leaves the length of a vector, and sin² + cos² of all slots is one number.
    pub fn odd_rows(&self) -> Vec<usize> {
        let square = |all: &[f64], row: usize| {
            let entries = &all[row * self.width()..(row + 1) * self.width()];
            entries.iter().map(|x| x * x).sum::<f64>()
        };
        let length = |row: usize| {
            let judged: f64 = self.grids.iter().map(|(_, all)| square(all, row)).sum();
            if self.x.is_empty() { judged } else { judged / square(&self.x, row) }
        };
        let lengths: Vec<f64> = (0..self.rows).map(length).collect();
        let mut sorted = lengths.clone();
        sorted.sort_by(f64::total_cmp);
        let Some(&median) = sorted.get(self.rows / 2) else { return Vec::new() };
        let near = |row: &usize| (lengths[*row] - median).abs() <= ROUNDINGS * self.format.unit_roundoff() * median;
        let odd: Vec<usize> = (0..self.rows).filter(|row| !near(row)).collect();
        if odd.len() * ODD > self.rows { Vec::new() } else { odd }
    }

    /// That of the entries' format.
    pub fn unit_roundoff(&self) -> f64 {
        self.format.unit_roundoff()
    }

    /// An entry of the vectors before they were turned, in every row.
    pub fn of_x(&self, column: usize) -> impl Iterator<Item = f64> + '_ {
        self.of(&self.x, column)
    }

    /// True if every entry is a finite number.
    pub fn is_finite(&self) -> bool {
        self.grids.iter().flat_map(|(_, all)| all).chain(&self.x).all(|x| x.is_finite())
    }

    /// The narrowest format of which all entries that were read are numbers.
    pub fn narrowest(&self, own: Format) -> Format {
        narrowest_of(own, self.grids.iter().flat_map(|(_, all)| all).copied()).unwrap_or(own)
    }

    /// The same for entries of a format.
    pub fn stored_in(self, format: Format) -> Self {
        Self { format, ..self }
    }

    pub fn width(&self) -> usize {
        self.grids[0].0
    }

    fn of<'a>(&'a self, all: &'a [f64], column: usize) -> impl Iterator<Item = f64> + 'a {
        all.iter().copied().skip(column).step_by(self.width())
    }

    pub fn judged(&self, column: usize) -> impl Iterator<Item = f64> + '_ {
        self.of(&self.grids[0].1, column)
    }

    /// The ways in which entries may form pairs, the simplest first.
    pub fn arrangements(&self, subject: Subject<'_>) -> Vec<PairArrangement> {
        match subject {
            Subject::Rope { .. } => self.of_cache(),
            Subject::Sinusoid(_) => self.of_table(),
            Subject::Rotation { .. } => self.of_rotation(),
        }
    }

    fn of_cache(&self) -> Vec<PairArrangement> {
        let width = self.width();
        let equal = |a: usize, b: usize| {
            self.grids.iter().all(|(_, all)| self.of(all, a).zip(self.of(all, b)).all(|(a, b)| a == b))
        };
        let made = |dim, layout, columns, slots: Vec<usize>| PairArrangement {
            encoding: Encoding::Rope,
            dim,
            span: None,
            layout,
            order: Order::default(),
            kind: SlotKind::Pairs,
            columns: Some(columns),
            pairs: slots.into_iter().map(|column| [(column, column); 2]).collect(),
        };
        let repeated = blocks(width, &equal).map_or(Vec::new(), |blocks| layouts(&blocks));
        let first = |(layout, pairs): (AxialLayout, Vec<(usize, usize)>)| {
            let name = match layout {
                AxialLayout::Interleaved => "repeated",
                AxialLayout::AxisHalves => "axis-halves",
                AxialLayout::BlockHalves(_) => "block-halves",
                AxialLayout::Halves | AxialLayout::InterleavedToHalves => "halves",
            };
            made(width, layout, name, pairs.into_iter().map(|(first, _)| first).collect())
        };
        if repeated.is_empty() {
            return vec![made(2 * width, AxialLayout::Interleaved, "slots", (0..width).collect())];
        }
        repeated.into_iter().map(first).collect()
    }

    fn of_table(&self) -> Vec<PairArrangement> {
        let width = self.width();
        let lengths = |a: usize, b: usize| self.judged(a).zip(self.judged(b)).map(|(a, b)| a * a + b * b);
        let holds = |a: usize, b: usize| {
            let first = lengths(a, b).next().unwrap_or(0.0);
            lengths(a, b).all(|square| (square - first).abs() <= 2.0 * ROUNDINGS * self.format.unit_roundoff() * first)
        };
        let found = blocks(width, &holds).map_or(Vec::new(), |blocks| layouts(&blocks));
        let made = |(layout, pairs): (AxialLayout, Vec<(usize, usize)>)| {
            [Order::SinCos, Order::CosSin].map(|order| PairArrangement {
                encoding: Encoding::Sinusoid,
                dim: width,
                span: None,
                layout,
                order,
                kind: SlotKind::Pairs,
                columns: None,
                pairs: pairs.iter().map(|&pair| [pair; 2]).collect(),
            })
        };
        found.into_iter().flat_map(made).collect()
    }

    fn of_rotation(&self) -> Vec<PairArrangement> {
        let dim = self.width();
        let holds = |read: (usize, usize), write: (usize, usize)| {
            let x = self.of(&self.x, read.0).zip(self.of(&self.x, read.1));
            let y = self.judged(write.0).zip(self.judged(write.1));
            x.zip(y).all(|((a, b), (c, d))| {
                let (before, after) = (a.hypot(b), c.hypot(d));
                (before - after).abs() <= ROUNDINGS * self.format.unit_roundoff() * before
            })
        };
        let moved = |column: usize| self.of(&self.x, column).zip(self.judged(column)).any(|(x, y)| x != y);
        let (first, last) = ((0..dim).find(|&column| moved(column)), (0..dim).rfind(|&column| moved(column)));
        let (Some(first), Some(last)) = (first, last) else { return Vec::new() };
        // Slow pairs at an end may not show.
        let mut spans = vec![[0, dim], [0, last + 1], [first, last + 1], [first, dim]];
        if first > 0 || last + 1 < dim {
            spans.rotate_left(1);
        }
        spans.retain(|[start, end]| (end - start) % 2 == 0);
        spans.dedup();
        let mut all = Vec::new();
        for span @ [start, end] in spans {
            let width = end - start;
            let made = |layout, pairs: Vec<[(usize, usize); 2]>| PairArrangement {
                encoding: Encoding::Rope,
                dim,
                span: (width < dim).then_some(span),
                layout,
                order: Order::default(),
                kind: SlotKind::Pairs,
                columns: None,
                pairs,
            };
            let inside = |a: usize, b: usize| holds((start + a, start + b), (start + a, start + b));
            if let Some(blocks) = blocks(width, &inside) {
                let moved = |(a, b): (usize, usize)| [(start + a, start + b); 2];
                let each = layouts(&blocks).into_iter();
                all.extend(each.map(|(layout, pairs)| made(layout, pairs.into_iter().map(moved).collect())));
            }
            let crossed: Vec<[(usize, usize); 2]> = (0..width / 2)
                .map(|k| [(start + 2 * k, start + 2 * k + 1), (start + k, start + k + width / 2)])
                .collect();
            if crossed.iter().all(|[read, write]| holds(*read, *write)) {
                all.push(made(AxialLayout::InterleavedToHalves, crossed));
            }
        }
        all
    }

    /// The angles of every slot of an arrangement, and the gain: the length of its first pair.
    pub fn angles(&self, arrangement: &PairArrangement) -> Option<(Vec<Angles>, f64)> {
        let (unit, least) = (self.format.unit_roundoff(), self.format.min_positive());
        let mut gain = None;
        let mut slot = |&[read, write]: &[(usize, usize); 2]| {
            let (mut angle, mut noises) = (Vec::with_capacity(self.rows), Vec::with_capacity(self.rows));
            for row in 0..self.rows {
                let at = |all: &[f64], column: usize| all[row * self.width() + column];
                let judged = &self.grids[0].1;
                let (cos, sin, length) = match (arrangement.columns, arrangement.encoding) {
                    (Some(_), _) => {
                        let (cos, sin) = (at(judged, write.0), at(&self.grids.get(1)?.1, write.0));
                        (cos, sin, cos.hypot(sin))
                    }
                    (None, Encoding::Sinusoid) => {
                        let (first, second) = (at(judged, write.0), at(judged, write.1));
                        let (sin, cos) =
                            if arrangement.order == Order::SinCos { (first, second) } else { (second, first) };
                        (cos, sin, cos.hypot(sin))
                    }
                    (None, Encoding::Rope) => {
                        let (a, b) = (at(&self.x, read.0), at(&self.x, read.1));
                        let (c, d) = (at(judged, write.0), at(judged, write.1));
                        (a * c + b * d, a * d - b * c, a.hypot(b))
                    }
                };
                let turned = sin.atan2(cos);
                // A sine is stored to a part of itself, and a small angle with it; rotated entries are sums, and precise to a part of their length.
                let stored = arrangement.columns.is_some() || arrangement.encoding == Encoding::Sinusoid;
                if stored {
                    gain.get_or_insert(length);
                }
                let noise = if stored { unit * turned.abs().min(1.0) + least / length } else { unit };
                angle.push(turned);
                // Entries of length 0 may have any angle.
                noises.push(if length > 0.0 { ROUNDINGS * noise } else { PI });
            }
            Some(Angles { angle, noise: noises })
        };
        let angles: Option<Vec<Angles>> = arrangement.pairs.iter().map(&mut slot).collect();
        Some((angles?, gain.unwrap_or(1.0)))
    }
}

/// Blocks of 2n entries whose halves belong together, each as short as it can be: (start, n).
fn blocks(width: usize, holds: &dyn Fn(usize, usize) -> bool) -> Option<Vec<(usize, usize)>> {
    let (mut blocks, mut start) = (Vec::new(), 0);
    while start < width {
        let n = (1..=(width - start) / 2).find(|&n| (0..n).all(|k| holds(start + k, start + n + k)))?;
        blocks.push((start, n));
        start += 2 * n;
    }
    Some(blocks)
}

/// The layouts that have these blocks, each with its pairs.
fn layouts(blocks: &[(usize, usize)]) -> Vec<(AxialLayout, Vec<(usize, usize)>)> {
    let pairs: Vec<(usize, usize)> =
        blocks.iter().flat_map(|&(start, n)| (start..start + n).map(move |a| (a, a + n))).collect();
    let equal = blocks.iter().all(|&(_, n)| n == blocks[0].1);
    let named = match blocks {
        [_] => vec![AxialLayout::Halves],
        _ if equal && blocks[0].1 == 1 => vec![AxialLayout::Interleaved],
        _ if equal => vec![AxialLayout::AxisHalves, AxialLayout::BlockHalves(2 * blocks[0].1)],
        _ => vec![AxialLayout::AxisHalves],
    };
    named.into_iter().map(|layout| (layout, pairs.clone())).collect()
}
