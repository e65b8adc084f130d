//! Information of entries: one whose bound is no smaller than the trivial one may be any number that a sine can be, and
//! says nothing.
//!
//! An entry whose exact value is e is at most g + |e| away from any number of [−g, g], for a gain g; a component of a rotated
//! pair of length r, from any of [−gr, gr], g·r + |e|. Where every entry is correctly rounded, or faithful, that is known
//! without a bound, and only entries whose exact value is 0 whatever the angle is, those of vectors that are 0, say nothing.

use super::Invalid;
use super::cache;
use super::duplication::Duplication;
use super::faults::{ArrayCause, Finding, NOT_JUDGED, ZERO_VECTORS};
use super::judged::Judged;
use super::subject::{Subject, Wiring, columns};
#[cfg(feature = "axes")]
use super::totals::EntryTotals;
use crate::row::pair_length;
use posproof_bound::Allowance;
use posproof_encoding::Law;
use rayon::prelude::*;
use serde::Serialize;

/// Share of a subject that says something about the implementation, at these positions and precisions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Information {
    /// Entries that may be any number that a sine can be, and those that are 0 whatever the angle is.
    pub uninformative: u64,
    /// The latter: entries of vectors that are 0.
    pub zeros: Option<u64>,
    /// Rows all of whose entries are like that; of several axes they are not counted.
    pub rows: Option<u64>,
    /// Pairs all of whose entries are like that: they are not judged.
    pub pairs: Vec<usize>,
}

impl Default for Information {
    /// All entries say something.
    fn default() -> Self {
        Self { uninformative: 0, zeros: Some(0), rows: Some(0), pairs: Vec::new() }
    }
}

impl Information {
    /// Of several axes. Where every entry is correctly rounded, or faithful, that is known without a bound, and only those that are 0
    /// whatever the angle is say nothing.
    #[cfg(feature = "axes")]
    pub(super) fn of_axes(totals: &EntryTotals, exact: bool) -> Self {
        let (uninformative, zeros) = (if exact { totals.zeros } else { totals.uninformative }, Some(totals.zeros));
        Self { uninformative, zeros, rows: None, pairs: Vec::new() }
    }

    /// The finding that most of so many entries say nothing, if it is so.
    pub(super) fn finding(&self, entries: u64) -> Option<Finding> {
        let Self { uninformative, zeros, ref pairs, .. } = *self;
        let zeros = zeros.unwrap_or_default();
        let fault = if 2 * zeros > uninformative { &ZERO_VECTORS } else { &NOT_JUDGED };
        let cause = ArrayCause::NotJudged { uninformative, zeros, entries, pairs: pairs.len() };
        (2 * uninformative > entries).then(|| Finding::new(fault, cause.into()))
    }

    /// Numbers as ranges: 3, 5–9.
    pub(super) fn ranges(numbers: &[usize]) -> String {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for &number in numbers {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == number => *last = number,
                _ => ranges.push((number, number)),
            }
        }
        let name = |(first, last): (usize, usize)| {
            if first == last { first.to_string() } else { format!("{first}–{last}") }
        };
        ranges.into_iter().map(name).collect::<Vec<_>>().join(", ")
    }
}

/// Below this part of the gain no bound is trivial: 3/2 of it, with what storage adds, stays below the gain.
const LEAST: f64 = 0.5;

/// Entries that a thread takes at a time.
const BLOCK: usize = 1 << 15;

/// Counts what says nothing; with `exact`, only what is 0 whatever the angle is.
pub(super) fn measure(judged: &Judged<'_>, allowance: &Allowance, exact: bool) -> Result<Information, Invalid> {
    let Judged { subject, convention, positions, .. } = *judged;
    let law = Law::new(convention);
    let t = |row: usize| law.reach(positions.get(row).unwrap_or_default() as f64);
    let gain = allowance.gain();
    let slope = (0..convention.pairs()).map(|pair| allowance.slope(pair)).fold(0.0, f64::max);
    let fastest = (0..convention.pairs()).find(|&pair| allowance.slope(pair) == slope).unwrap_or(0);
    let loose = |row: usize| !exact && allowance.computed(fastest, t(row)) >= LEAST * gain;
    let rotation = if let Subject::Rotation { x, .. } = subject { Some(x) } else { None };
    let rows = subject.judged().rows();
    // Positions increase: the first and the last are the farthest from where the count is 0.
    if rotation.is_none() && gain > 0.0 && !loose(0) && !loose(rows - 1) {
        return Ok(Information::default());
    }
    let table = judged.joined()?;
    let wiring = Wiring::new(convention);
    let pairs = convention.pairs();
    let mut grids = Vec::new();
    for (component, grid) in subject.grids() {
        let repeated = component.is_some() && cache::duplication(grid)? == Some(Duplication::Repeated);
        let columns =
            if rotation.is_some() { Vec::new() } else { columns(convention, component, grid.width(), repeated) };
        grids.push(columns);
    }
    // How often a row has each entry of the joined row [cos…, sin…].
    let mut times = vec![0usize; 2 * pairs];
    grids.iter().flatten().for_each(|&column| times[column] += 1);
    let slopes: Vec<f64> = (0..2 * pairs).map(|j| allowance.slope(j % pairs)).collect();
    let widths: usize = subject.grids().iter().map(|(_, grid)| grid.width()).sum();
    let untouched = rotation.map_or_else(Vec::new, |x| wiring.untouched(x.width()));
    let step = (BLOCK / widths).clamp(1, rows);
    let blocks = rows.div_ceil(step);
    let count = |task: usize| -> Result<Counted, Invalid> {
        let start = task % blocks * step;
        let part = start..(start + step).min(rows);
        let mut counted = Counted::none(pairs);
        let (mut x, mut filled) = (Vec::new(), Vec::new());
        if let Some(grid) = rotation {
            grid.read(task / blocks, part.clone(), &mut x)?;
        }
        if part.clone().any(&loose) {
            filled.resize(part.len() * 2 * pairs, 0.0);
            table.fill(part.clone(), &mut filled)?;
        }
        let (none, mut bounds) = (vec![0.0; 2 * pairs], vec![0.0; 2 * pairs]);
        for (i, row) in part.enumerate() {
            let (t, loose) = (t(row), loose(row));
            let joined = if loose { &filled[i * 2 * pairs..][..2 * pairs] } else { &none[..] };
            let (mut nothing, mut zeros) = (0, 0);
            let mut add = |pair: usize, trivial: usize, zero: bool| {
                counted.entries[pair] += trivial as u64;
                nothing += trivial;
                zeros += if zero { trivial } else { 0 };
            };
            if rotation.is_some() {
                let x = &x[i * widths..][..widths];
                for (k, &(a, b)) in wiring.read.iter().enumerate() {
                    let length = pair_length(x[a], x[b]);
                    let bound = if loose || length * gain == 0.0 { allowance.rotated(k, t, length) } else { 0.0 };
                    let (c, s) = (joined[k], joined[k + pairs]);
                    let zero = length * gain == 0.0;
                    for exact in [x[a] * c - x[b] * s, x[a] * s + x[b] * c] {
                        add(k, usize::from(zero || loose && bound >= gain * length + exact.abs()), zero);
                    }
                }
                untouched.iter().for_each(|&j| add(pairs, usize::from(x[j] == 0.0), true));
            } else if loose || gain == 0.0 {
                allowance.row(&slopes, t, joined, &mut bounds);
                for component in [0..pairs, pairs..2 * pairs] {
                    let entries = times[component.clone()].iter().zip(&bounds[component.clone()]);
                    for (pair, ((times, bound), exact)) in entries.zip(&joined[component]).enumerate() {
                        add(pair, times * usize::from(gain == 0.0 || *bound >= gain + exact.abs()), gain == 0.0);
                    }
                }
            }
            counted.rows += u64::from(nothing == widths);
            counted.zeros += zeros as u64;
        }
        Ok(counted)
    };
    let slabs = subject.judged().slabs();
    let counted =
        (0..slabs * blocks).into_par_iter().map(count).try_reduce(|| Counted::none(pairs), |a, b| Ok(a.and(b)))?;
    let mut all = vec![0u64; pairs];
    if rotation.is_some() {
        all.fill(2);
    } else {
        grids.iter().flatten().for_each(|column| all[column % pairs] += 1);
    }
    let each = (slabs * rows) as u64;
    Ok(Information {
        uninformative: counted.entries.iter().sum(),
        zeros: Some(counted.zeros),
        rows: Some(counted.rows),
        pairs: (0..pairs).filter(|&pair| all[pair] > 0 && counted.entries[pair] == all[pair] * each).collect(),
    })
}

/// Entries that say nothing, by pair and those of none; those of vectors that are 0; and rows of nothing else.
struct Counted {
    entries: Vec<u64>,
    zeros: u64,
    rows: u64,
}

impl Counted {
    fn none(pairs: usize) -> Self {
        Self { entries: vec![0; pairs + 1], zeros: 0, rows: 0 }
    }

    fn and(mut self, other: Self) -> Self {
        self.entries.iter_mut().zip(&other.entries).for_each(|(a, b)| *a += b);
        self.rows += other.rows;
        self.zeros += other.zeros;
        self
    }
}
