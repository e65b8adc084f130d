//! Comparisons of parts, and of one comparison with another.

use super::{Buffers, TableComparison, exceeds};
use crate::Invalid;
use crate::faults::Span;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// How an entry stands to its bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stand {
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

impl TableComparison<'_> {
    /// How each entry of some rows stands to its bound, grid after grid.
    fn stands(
        &self,
        slab: usize,
        rows: Range<usize>,
        buffers: &mut Buffers,
        stands: &mut Vec<Stand>,
    ) -> Result<(), Invalid> {
        stands.clear();
        let vacuous = VACUOUS * self.allowance.gain();
        (0..self.grids.len()).try_for_each(|index| {
            self.rows((slab, index), rows.clone(), index == 0, buffers, |line, expected, bound| {
                let entries = line.got.iter().zip(expected).zip(bound);
                stands.extend(entries.map(|((got, expected), bound)| match () {
                    // Entries that are not finite are findings of their own.
                    () if !got.is_finite() => Stand::Absent,
                    () if exceeds((got - expected).abs(), *bound) => Stand::Beyond,
                    () if *bound >= vacuous => Stand::Vacuous,
                    () => Stand::Within,
                }));
            })
        })
    }

    /// The blocks of a scope: a table and rows of it, whole blocks where the rows are consecutive and single rows where not.
    fn blocks(&self, scope: Scope) -> Vec<(usize, Range<usize>)> {
        let step = if scope.rows.step == 1 { self.step() } else { 1 };
        let starts: Vec<usize> = if step == 1 {
            scope.rows.iter().collect()
        } else {
            (scope.rows.first..=scope.rows.last).step_by(step).collect()
        };
        let end = scope.rows.last + 1;
        let of = |slab: usize| starts.iter().map(move |&start| (slab, start..(start + step).min(end)));
        scope.slabs.iter().flat_map(of).collect()
    }

    /// Whether every entry of a scope is within its bound, and enough of them would not be if they were any number; asks no
    /// further than the first that is not.
    pub fn holds(&self, scope: Scope) -> Result<bool, Invalid> {
        let beyond = AtomicBool::new(false);
        let [within, vacuous] = self
            .blocks(scope)
            .into_par_iter()
            .map_init(
                || (Buffers::default(), Vec::new()),
                |(buffers, stands), (slab, rows)| {
                    let mut counts = [0u64; 2];
                    if !beyond.load(Relaxed) {
                        self.stands(slab, rows, buffers, stands)?;
                        if stands.contains(&Stand::Beyond) {
                            beyond.store(true, Relaxed);
                        }
                        counts = [Stand::Within, Stand::Vacuous]
                            .map(|of| stands.iter().filter(|s| **s == of).count() as u64);
                    }
                    Ok::<_, Invalid>(counts)
                },
            )
            .try_reduce(|| [0; 2], |a, b| Ok([a[0] + b[0], a[1] + b[1]]))?;
        Ok(!beyond.load(Relaxed) && EVIDENCE * within >= within + vacuous)
    }

    /// How many entries of these rows of one table are within their bounds, and of how many.
    pub fn score(&self, slab: usize, rows: impl IntoIterator<Item = usize>) -> Result<(u64, u64), Invalid> {
        let (mut buffers, mut stands) = (Buffers::default(), Vec::new());
        let (mut within, mut all) = (0, 0);
        for row in rows {
            self.stands(slab, row..row + 1, &mut buffers, &mut stands)?;
            within += stands.iter().filter(|stand| **stand != Stand::Beyond).count() as u64;
            all += stands.len() as u64;
        }
        Ok((within, all))
    }

    /// What becomes of the entries of a scope in another comparison.
    pub fn explained_by(&self, other: &TableComparison<'_>, scope: Scope) -> Result<Coverage, Invalid> {
        self.blocks(scope)
            .into_par_iter()
            .map_init(
                || (Buffers::default(), Vec::new(), Vec::new()),
                |(buffers, here, there), (slab, rows)| {
                    self.stands(slab, rows.clone(), buffers, here)?;
                    other.stands(slab, rows, buffers, there)?;
                    let count = |holds: &dyn Fn(Stand, Stand) -> bool| {
                        here.iter().zip(there.iter()).filter(|(here, there)| holds(**here, **there)).count() as u64
                    };
                    Ok(Coverage {
                        explained: count(&|here, there| (here, there) == (Stand::Beyond, Stand::Within)),
                        left: count(&|here, there| (here, there) == (Stand::Beyond, Stand::Beyond)),
                        broken: count(&|here, there| here != Stand::Beyond && there == Stand::Beyond),
                    })
                },
            )
            .try_reduce(Coverage::default, |a, b| {
                Ok(Coverage {
                    explained: a.explained + b.explained,
                    left: a.left + b.left,
                    broken: a.broken + b.broken,
                })
            })
    }
}
