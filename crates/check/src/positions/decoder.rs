//! The decoding of rows, block by block.

use super::clock::Clock;
use super::phase::{Distance, Phasor, Tolerance};
use super::reach::PositionReach;
use super::resolution::told_apart;
use super::sieve::{MeasuredAngle, Remaining, Sieve};
use super::slots::{Slot, SlotColumns};
use super::{Candidates, Contradiction, Domain, Located};
use crate::Invalid;
use crate::grid::Grid;
use crate::subject::Subject;
use rayon::prelude::*;

/// Entries that a thread takes at a time.
const BLOCK: usize = 1 << 15;

/// Search for the positions of rows along an axis.
pub(super) struct Decoder<'a> {
    subject: Subject<'a>,
    slots: Vec<Slot>,
    sieve: Sieve,
    tolerance: Tolerance,
    reach: PositionReach,
    domain: Domain,
    /// The largest distances of the domain, slot by slot.
    farthest: Vec<Distance>,
    told_apart: Domain,
}

/// The rows of a block, as they are read.
#[derive(Default)]
struct DecoderBuffers {
    first: Vec<f64>,
    second: Vec<f64>,
    phasors: Vec<Phasor>,
    measured: Vec<MeasuredAngle>,
}

impl<'a> Decoder<'a> {
    /// For the slots of the pairs that have clocks, those of the pair with its number, and bounds on them.
    pub fn new(
        subject: Subject<'a>,
        slots: Vec<Slot>,
        clocks: &[(usize, Clock)],
        (tolerance, reach): (Tolerance, PositionReach),
        domain: Domain,
    ) -> Self {
        let told_apart = told_apart(clocks, &tolerance, reach, domain);
        let farthest = reach.of(domain.first()).max(reach.of(domain.end() - 1));
        let mut of = vec![None; clocks.iter().map(|(pair, _)| pair + 1).max().unwrap_or(0)];
        clocks.iter().for_each(|(pair, clock)| of[*pair] = Some(*clock));
        let of = |slot: &Slot| of.get(slot.pair).copied().flatten();
        let (slots, shown): (Vec<Slot>, Vec<Clock>) =
            slots.into_iter().filter_map(|slot| Some((slot, of(&slot)?))).unzip();
        let sieve = Sieve::new(shown, domain.len());
        let farthest = slots.iter().map(|slot| tolerance.farthest(slot.pair, farthest)).collect();
        Self { subject, slots, sieve, tolerance, reach, domain, farthest, told_apart }
    }

    /// The largest domain from the first position on whose positions are told apart.
    pub fn told_apart(&self) -> Domain {
        self.told_apart
    }

    /// The position of every row, table after table.
    pub fn all(&self) -> Result<Vec<Located>, Invalid> {
        let (tables, rows) = (self.subject.judged().slabs(), self.subject.judged().rows());
        let widths: usize = self.subject.grids().iter().map(|(_, grid)| grid.width()).sum();
        let step = (BLOCK / widths).clamp(1, rows);
        let blocks = rows.div_ceil(step);
        let block = |task: usize| {
            let start = task % blocks * step;
            self.rows(task / blocks, start..(start + step).min(rows))
        };
        Ok((0..tables * blocks).into_par_iter().map(block).collect::<Result<Vec<_>, _>>()?.concat())
    }

    fn rows(&self, table: usize, rows: std::ops::Range<usize>) -> Result<Vec<Located>, Invalid> {
        let mut buffers = DecoderBuffers::default();
        let [first, second] = match self.subject {
            Subject::Sinusoid(table) => [table, table],
            Subject::Rope { cos, sin } => {
                let (Some(cos), Some(sin)) = (cos, sin) else { return Ok(Vec::new()) };
                [cos, sin]
            }
            Subject::Rotation { x, y } => [x, y],
        };
        let read = |grid: &dyn Grid, out: &mut Vec<f64>| -> Result<(), Invalid> {
            grid.read(table, rows.clone(), out)?;
            crate::compare::require(grid, rows.len(), out)
        };
        read(first, &mut buffers.first)?;
        if !matches!(self.subject, Subject::Sinusoid(_)) {
            read(second, &mut buffers.second)?;
        }
        Ok((0..rows.len()).map(|row| self.row(row, (first.width(), second.width()), &mut buffers)).collect())
    }

    /// The position of a row that was read.
    fn row(&self, row: usize, widths: (usize, usize), buffers: &mut DecoderBuffers) -> Located {
        let DecoderBuffers { first, second, phasors, measured } = buffers;
        let first = &first[row * widths.0..][..widths.0];
        let second =
            if let Subject::Sinusoid(_) = self.subject { first } else { &second[row * widths.1..][..widths.1] };
        phasors.clear();
        measured.clear();
        let (mut finite, mut null, mut wrong) = (true, true, None);
        for (slot, farthest) in self.slots.iter().zip(&self.farthest) {
            let phasor = match slot.columns {
                SlotColumns::Entries { cos, sin } => {
                    let (cos, sin) = (first[cos], second[sin]);
                    finite &= cos.is_finite() && sin.is_finite();
                    null &= cos == 0.0 && sin == 0.0;
                    self.tolerance.entries(cos, sin)
                }
                SlotColumns::Vectors { x, y } => {
                    let (x, y) = ((first[x.0], first[x.1]), (second[y.0], second[y.1]));
                    finite &= [x.0, x.1, y.0, y.1].iter().all(|entry| entry.is_finite());
                    null &= [x.0, x.1, y.0, y.1].iter().all(|entry| *entry == 0.0);
                    self.tolerance.rotation(x, y)
                }
            };
            let distance = farthest.of(phasor.vector);
            if wrong.is_none() && self.tolerance.is_too_long_or_short(phasor, slot.pair, distance) {
                wrong = Some(slot.pair);
            }
            measured.push(self.tolerance.measured(phasor, distance));
            phasors.push(phasor);
        }
        if !finite {
            return Located::NotFinite;
        }
        if null {
            return Located::Null;
        }
        if let Some(pair) = wrong {
            return Located::Unexplained(Contradiction::Length { pair });
        }
        let slots = || phasors.iter().zip(&self.slots);
        let test = |index: u64| {
            let t = self.reach.of(self.domain.at(index));
            let mut pairs = slots().zip(self.sieve.clocks());
            !pairs
                .any(|((phasor, slot), clock)| self.tolerance.excludes(*phasor, *clock, clock.at(index), slot.pair, t))
        };
        self.told(&self.sieve.pass(measured, usize::MAX, test))
    }

    fn told(&self, remaining: &Remaining) -> Located {
        let at = |index| self.domain.at(index);
        match (remaining.count(), remaining.stretches.as_slice()) {
            (0, _) | (_, []) => Located::Unexplained(Contradiction::Angles),
            (1, [only, ..]) if remaining.tested => Located::Certified { position: at(only.first) },
            (count, stretches) => {
                let listed = stretches.iter().take(Candidates::LISTED);
                let ranges = listed.map(|stretch| at(stretch.first)..=at(stretch.last)).collect();
                Located::Ambiguous(Box::new(Candidates { count, tested: remaining.tested, ranges }))
            }
        }
    }
}
