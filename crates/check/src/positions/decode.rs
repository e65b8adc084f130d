//! The decoding of rows, block by block.

use super::clock::clocks;
use super::phase::{Phasor, Tolerance};
use super::report::Decoded;
use super::resolution::told_apart;
use super::sieve::{Measured, Remaining, Sieve};
use super::slots::{Columns, Slot, slots};
use super::{Candidates, Contradiction, Located, Query};
use crate::Invalid;
use crate::cache;
use crate::grid::Grid;
use crate::rates::omega;
use crate::report::ArrayRead;
use crate::subject::Subject;
use crate::view::StatedGrids;
use posproof_bound::Allowance;
use posproof_encoding::Law;
use posproof_encoding::convention::{Convention, InvalidConvention};
use rayon::prelude::*;

/// Entries that a thread takes at a time.
const BLOCK: usize = 1 << 15;

/// Finds the position of every row of every table of a subject.
///
/// Reads a few rows at a time. Memory grows with the number of rows, not with their width: 32 bytes a row, and up to some
/// 300 for one that is ambiguous.
///
/// Entries that are not rotated are not looked at: [`check`](crate::check) does.
///
/// # Errors
///
/// Where the subject and the convention do not go together; half a cache, which leaves two angles for every entry; an
/// amplitude of 0; a scaling rule that depends on the length of the sequence without one.
pub fn decode(subject: Subject<'_>, query: &Query) -> Result<Decoded, Invalid> {
    let Query { convention, domain, compute, path, storage } = query;
    if convention.encoding != subject.encoding() {
        let (expected, found) = (subject.encoding(), convention.encoding);
        return Err(Invalid::Subject { subject: subject.name(), expected, found });
    }
    let given = subject;
    let stated = StatedGrids::new(given, *storage);
    let subject = stated.as_ref().map_or(given, StatedGrids::subject);
    if !matches!(subject, Subject::Rope { cos: None, sin: None }) {
        subject.check_size()?;
    }
    convention.validate()?;
    require_amplitude(convention)?;
    let rows = if let Subject::Rope { cos: None, sin: None } = subject { 0 } else { subject.judged().rows() };
    subject.check_shape(convention, rows)?;
    cache::refuse_side_by_side(subject, convention)?;
    let slots = slots(subject, convention)?;
    let of_pairs = clocks(convention, domain.first())?;
    let omega = omega(convention).unwrap_or_default();
    let allowance = Allowance::new(convention, &omega, domain.reach(), (*compute, *path), subject.format());
    let rotation = matches!(subject, Subject::Rotation { .. });
    let tolerance = Tolerance::new(convention, allowance, rotation, domain.len());
    let law = Law::new(convention);
    let told_apart = told_apart(&of_pairs, &tolerance, &law, *domain);
    let sieve = Sieve::new(slots.iter().map(|slot| of_pairs[slot.pair]).collect(), domain.len());
    let farthest = [domain.first(), domain.end() - 1].map(|p| reach(&law, p)).into_iter().fold(0.0, f64::max);
    let decoder = Decoder { query, subject, slots, sieve, tolerance, law, farthest };
    let tables = subject.judged().slabs();
    let widths: usize = subject.grids().iter().map(|(_, grid)| grid.width()).sum();
    let step = (BLOCK / widths).clamp(1, rows);
    let blocks = rows.div_ceil(step);
    let block = |task: usize| {
        let start = task % blocks * step;
        decoder.rows(task / blocks, start..(start + step).min(rows))
    };
    let located = (0..tables * blocks).into_par_iter().map(block).collect::<Result<Vec<_>, _>>()?.concat();
    Ok(Decoded::new(
        given.name(),
        query,
        subject.format(),
        ArrayRead::all(given, *storage)?,
        (tables, rows),
        told_apart,
        located,
    ))
}

fn require_amplitude(convention: &Convention) -> Result<(), Invalid> {
    if convention.gain().enclose(64).excludes_zero() {
        return Ok(());
    }
    let (found, expected) =
        (convention.amplitude.to_string(), "a number other than 0, so that entries show angles".into());
    Err(InvalidConvention { field: "amplitude", found, expected }.into())
}

/// At least |p| + |offset|, what bounds grow with: the sum in binary64, which is within 2^−52 of the exact one, and that error.
pub(super) fn reach(law: &Law, position: i64) -> f64 {
    (law.reach(position as f64) * (1.0 + f64::EPSILON)).next_up()
}

struct Decoder<'a> {
    query: &'a Query,
    subject: Subject<'a>,
    slots: Vec<Slot>,
    sieve: Sieve,
    tolerance: Tolerance,
    law: Law,
    /// The largest [`count`] of the domain.
    farthest: f64,
}

/// The rows of a block, as they are read.
#[derive(Default)]
struct Buffers {
    first: Vec<f64>,
    second: Vec<f64>,
    phasors: Vec<Phasor>,
    measured: Vec<Measured>,
}

impl Decoder<'_> {
    fn rows(&self, table: usize, rows: std::ops::Range<usize>) -> Result<Vec<Located>, Invalid> {
        let mut buffers = Buffers::default();
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
    fn row(&self, row: usize, widths: (usize, usize), buffers: &mut Buffers) -> Located {
        let Buffers { first, second, phasors, measured } = buffers;
        let first = &first[row * widths.0..][..widths.0];
        let second =
            if let Subject::Sinusoid(_) = self.subject { first } else { &second[row * widths.1..][..widths.1] };
        phasors.clear();
        measured.clear();
        let (mut finite, mut null, mut wrong) = (true, true, None);
        for slot in &self.slots {
            let phasor = match slot.columns {
                Columns::Entries { cos, sin } => {
                    let (cos, sin) = (first[cos], second[sin]);
                    finite &= cos.is_finite() && sin.is_finite();
                    null &= cos == 0.0 && sin == 0.0;
                    self.tolerance.entries(cos, sin)
                }
                Columns::Vectors { x, y } => {
                    let (x, y) = ((first[x.0], first[x.1]), (second[y.0], second[y.1]));
                    finite &= [x.0, x.1, y.0, y.1].iter().all(|entry| entry.is_finite());
                    null &= [x.0, x.1, y.0, y.1].iter().all(|entry| *entry == 0.0);
                    self.tolerance.rotation(x, y)
                }
            };
            let distance = self.tolerance.distance(slot.pair, self.farthest, phasor.vector);
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
            let t = reach(&self.law, self.query.domain.at(index));
            let mut pairs = slots().zip(self.sieve.clocks());
            !pairs
                .any(|((phasor, slot), clock)| self.tolerance.excludes(*phasor, *clock, clock.at(index), slot.pair, t))
        };
        self.told(&self.sieve.pass(measured, usize::MAX, test))
    }

    fn told(&self, remaining: &Remaining) -> Located {
        let at = |index| self.query.domain.at(index);
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
