//! Comparisons of parts, and of one comparison with another.

use crate::Invalid;
use crate::compared::ComparedRows;
use crate::faults::Span;
use crate::grid::Grid;
use crate::row::exceeds;
use posproof_numerics::format::binade;
use posproof_table::{Instructions, Loop, vectorized};
use rayon::prelude::*;
use std::ops::Range;
#[cfg(feature = "axes")]
use std::sync::atomic::AtomicU64;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Standing of an entry to its bound.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Stand {
    Within,
    Beyond,
    /// It is no number.
    Absent,
    /// Any number would be within the bound, or hardly any would not.
    Vacuous,
}

/// Entries of one comparison, as they stand in another.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Coverage {
    /// Beyond their bounds in the first, and within them in the second.
    pub explained: u64,
    /// Beyond them in both.
    pub left: u64,
    /// Beyond them in the second only.
    pub broken: u64,
    /// All of them, and those that are no number.
    pub entries: u64,
    pub absent: u64,
}

impl Coverage {
    fn and(self, other: Self) -> Self {
        Self {
            explained: self.explained + other.explained,
            left: self.left + other.left,
            broken: self.broken + other.broken,
            entries: self.entries + other.entries,
            absent: self.absent + other.absent,
        }
    }

    /// Entries beyond their bounds in the second, those that are no number included.
    pub fn beyond(&self) -> u64 {
        self.left + self.broken + self.absent
    }
}

/// Finite entries that a hypothesis leaves beyond their bounds, and those that it makes no statement about: beyond their bounds as
/// stated, and with bounds under the hypothesis that say nothing.
#[cfg(feature = "axes")]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LeftEntries {
    pub beyond: u64,
    pub silent: u64,
}

/// Entries whose bound is this share of the amplitude or more say nothing of a hypothesis.
pub(crate) const VACUOUS: f64 = 0.25;

/// Of so many entries at least one has to say something, or they support no hypothesis.
pub(crate) const EVIDENCE: u64 = 50;

/// Tables and rows that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scope {
    /// The tables.
    pub slabs: Span,
    /// The rows of each.
    pub rows: Span,
}

impl Scope {
    /// All of a grid.
    pub fn all(grid: &dyn Grid) -> Self {
        Self { slabs: Span::all(grid.slabs()), rows: Span::all(grid.rows()) }
    }
}

/// A row of entries and how they stand.
struct RowStands<'a> {
    got: &'a [f64],
    expected: &'a [f64],
    bound: &'a [f64],
    vacuous: f64,
    stands: &'a mut [Stand],
}

impl Loop for RowStands<'_> {
    #[inline(always)]
    fn run(self) {
        let entries = self.got.iter().zip(self.expected).zip(self.bound).zip(self.stands);
        for (((got, expected), bound), stand) in entries {
            let beyond = exceeds((got - expected).abs(), *bound);
            let said = if *bound >= self.vacuous { Stand::Vacuous } else { Stand::Within };
            let stands = if beyond { Stand::Beyond } else { said };
            // Entries that are not finite are findings of their own.
            *stand = if got.abs() < f64::INFINITY { stands } else { Stand::Absent };
        }
    }
}

/// Root of the mean square of the components of a vector that is rotated; 1 where none is.
fn typical(x: &[f64]) -> f64 {
    if x.is_empty() {
        return 1.0;
    }
    let root = |by: f64| {
        let to = 1.0 / by;
        // Several sums at once: one after the other each would wait for the last.
        let mut sums = [0.0; 8];
        for part in x.chunks(8) {
            sums.iter_mut().zip(part).for_each(|(sum, x)| *sum += (x * to) * (x * to));
        }
        by * (sums.iter().sum::<f64>() / x.len() as f64).sqrt()
    };
    let plain = root(1.0);
    // Squares of very large or small components are no numbers of binary64.
    if plain.is_nan() || (1e-140..1e140).contains(&plain) {
        return plain;
    }
    let largest = x.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    if largest > 0.0 && largest.is_finite() { root(binade(largest.max(1e-300))) } else { plain }
}

/// Number of these that stand so.
fn count(stands: &[Stand], of: Stand) -> u64 {
    count_both(stands, stands, |stand, _| stand == of)
}

/// Of how many entries how they stand here and there is what is asked for.
#[inline(always)]
fn count_both(here: &[Stand], there: &[Stand], holds: impl Fn(Stand, Stand) -> bool) -> u64 {
    // In bytes, as many as do not overflow, so that the compiler takes many at a time.
    let of = |(here, there): (&[Stand], &[Stand])| {
        u64::from(
            here.iter().zip(there).fold(0u8, |count, (here, there)| count.wrapping_add(holds(*here, *there).into())),
        )
    };
    here.chunks(255).zip(there.chunks(255)).map(of).sum()
}

/// Comparisons of parts, and of one comparison with another.
pub(crate) trait ComparedScopes: ComparedRows {
    /// Standing of each entry of some rows to its bound, grid after grid.
    fn stands(
        &self,
        slab: usize,
        rows: Range<usize>,
        buffers: &mut Self::Buffers,
        stands: &mut Vec<Stand>,
    ) -> Result<(), Invalid> {
        stands.clear();
        self.rows(slab, rows, buffers, |row, x| {
            // A bound as large as what became of the vector is met by nearly anything.
            let turned = if x.is_empty() { 1.0 } else { typical(row.got) };
            let gained = self.gain() * typical(x);
            let vacuous = VACUOUS * if turned > 0.0 && turned < gained { turned } else { gained };
            let from = stands.len();
            stands.resize(from + row.got.len(), Stand::Within);
            let stands = &mut stands[from..];
            let (got, expected, bound) = (row.got, row.expected, row.bounds);
            vectorized(Instructions::detect(), RowStands { got, expected, bound, vacuous, stands });
        })
    }

    /// The blocks of a scope: a table and rows of it, whole blocks where the rows are consecutive and single rows where not.
    fn blocks(&self, scope: Scope) -> Vec<(usize, Range<usize>)> {
        let step = if scope.rows.step == 1 { self.step(self.subject().judged().rows()) } else { 1 };
        let starts: Vec<usize> = if step == 1 {
            scope.rows.iter().collect()
        } else {
            (scope.rows.first..=scope.rows.last).step_by(step).collect()
        };
        let end = scope.rows.last + 1;
        let of = |slab: usize| starts.iter().map(move |&start| (slab, start..(start + step).min(end)));
        scope.slabs.iter().flat_map(of).collect()
    }

    /// True if every entry of a scope is within its bound, and enough of them would not be if they were any number; asks no
    /// further than the first that is not.
    fn holds(&self, scope: Scope) -> Result<bool, Invalid> {
        let beyond = AtomicBool::new(false);
        let [within, vacuous] = self
            .blocks(scope)
            .into_par_iter()
            .map_init(
                || (Self::Buffers::default(), Vec::new()),
                |(buffers, stands), (slab, rows)| {
                    let mut counts = [0u64; 2];
                    if !beyond.load(Relaxed) {
                        self.stands(slab, rows, buffers, stands)?;
                        if count(stands, Stand::Beyond) > 0 {
                            beyond.store(true, Relaxed);
                        }
                        counts = [Stand::Within, Stand::Vacuous].map(|of| count(stands, of));
                    }
                    Ok::<_, Invalid>(counts)
                },
            )
            .try_reduce(|| [0; 2], |a, b| Ok([a[0] + b[0], a[1] + b[1]]))?;
        Ok(!beyond.load(Relaxed) && EVIDENCE * within >= within + vacuous)
    }

    /// Number of entries of these rows of one table that are within their bounds, and of how many.
    fn score(&self, slab: usize, rows: impl IntoIterator<Item = usize>) -> Result<(u64, u64), Invalid> {
        let (mut buffers, mut stands) = (Self::Buffers::default(), Vec::new());
        let (mut within, mut all) = (0, 0);
        for row in rows {
            self.stands(slab, row..row + 1, &mut buffers, &mut stands)?;
            within += stands.len() as u64 - count(&stands, Stand::Beyond);
            all += stands.len() as u64;
        }
        Ok((within, all))
    }

    /// Outcome of the entries of a scope in another comparison; where they are beyond their bounds in that, it remembers.
    fn explained_by(&self, other: &Self, scope: Scope) -> Result<Coverage, Invalid> {
        self.blocks(scope)
            .into_par_iter()
            .map_init(
                || (Self::Buffers::default(), Vec::new(), Vec::new()),
                |(buffers, here, there), (slab, rows)| {
                    self.stands(slab, rows.clone(), buffers, here)?;
                    other.stands(slab, rows.clone(), buffers, there)?;
                    other.mark(slab, rows, there);
                    let left = count_both(here, there, |here, there| here == Stand::Beyond && there == Stand::Beyond);
                    Ok(Coverage {
                        explained: count_both(here, there, |here, there| {
                            here == Stand::Beyond && there == Stand::Within
                        }),
                        left,
                        broken: count(there, Stand::Beyond) - left,
                        entries: there.len() as u64,
                        absent: count(there, Stand::Absent),
                    })
                },
            )
            .try_reduce(Coverage::default, |a, b| Ok(a.and(b)))
    }

    /// Entries of some rows of some tables that a hypothesis leaves; none if more than `most` are beyond their bounds.
    #[cfg(feature = "axes")]
    fn left_by(
        &self,
        hypothesis: &Self,
        (slabs, rows): (&[usize], Range<usize>),
        most: u64,
    ) -> Result<Option<LeftEntries>, Invalid> {
        let step = self.step(rows.len());
        let starts: Vec<usize> = rows.clone().step_by(step).collect();
        let beyond = AtomicU64::new(0);
        let silent = (0..slabs.len() * starts.len())
            .into_par_iter()
            .map_init(
                || (Self::Buffers::default(), Vec::new(), Vec::new()),
                |(buffers, here, there), task| {
                    let (slab, start) = (slabs[task / starts.len()], starts[task % starts.len()]);
                    if beyond.load(Relaxed) > most {
                        return Ok(0);
                    }
                    let rows = start..(start + step).min(rows.end);
                    hypothesis.stands(slab, rows.clone(), buffers, there)?;
                    beyond.fetch_add(count(there, Stand::Beyond), Relaxed);
                    if count(there, Stand::Vacuous) == 0 {
                        return Ok(0);
                    }
                    self.stands(slab, rows, buffers, here)?;
                    let silent = |here, there| here == Stand::Beyond && there == Stand::Vacuous;
                    Ok::<_, Invalid>(count_both(here, there, silent))
                },
            )
            .try_reduce(|| 0, |a, b| Ok(a + b))?;
        let left = LeftEntries { beyond: beyond.into_inner(), silent };
        Ok((left.beyond <= most).then_some(left))
    }

    /// Remembers the rows and columns of a block with finite entries beyond their bounds, of which how they stand is given grid after
    /// grid.
    fn mark(&self, slab: usize, rows: Range<usize>, stands: &[Stand]) {
        let mut rest = stands;
        let extent = self.extents().0;
        for (number, beyond) in extent.columns.iter().enumerate() {
            let width = self.columns(number).len();
            let (grid, others) = rest.split_at(rows.len() * width);
            let mut columns = vec![0u8; width];
            for (row, stands) in rows.clone().zip(grid.chunks_exact(width)) {
                let mut any = 0;
                for (column, stand) in columns.iter_mut().zip(stands) {
                    let beyond = u8::from(*stand == Stand::Beyond);
                    *column |= beyond;
                    any |= beyond;
                }
                if any != 0 {
                    extent.rows.add(row);
                    extent.slabs.add(slab);
                }
            }
            columns.iter().enumerate().filter(|(_, any)| **any != 0).for_each(|(column, _)| beyond.add(column));
            rest = others;
        }
    }
}

impl<C: ComparedRows> ComparedScopes for C {}
