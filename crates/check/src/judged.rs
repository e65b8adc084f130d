//! A subject of a judgement and its bound, and the comparison of all its entries with that.

use super::Invalid;
use super::compare::TableComparison;
use super::compared::ComparedRows;
use super::faults::Region;
use super::subject::Subject;
use super::totals::EntryTotals;
use posproof_bound::{Allowance, Compute, Path};
use posproof_encoding::convention::Convention;
use posproof_table::Positions;

/// Subject of a judgement, and its bound.
#[derive(Clone, Copy)]
pub(super) struct Judged<'a> {
    pub subject: Subject<'a>,
    pub convention: &'a Convention,
    pub positions: &'a Positions,
    pub omega: &'a [f64],
    pub compute: Compute,
}

impl Judged<'_> {
    /// The bound for a path, or for any.
    pub fn allowance(&self, path: Option<Path>) -> Allowance {
        let Self { subject, convention, positions, omega, compute } = self;
        Allowance::new(convention, omega, positions.max(), (*compute, path), subject.format())
    }

    /// Every entry against the bound for a path, or for any.
    pub fn compare(&self, path: Option<Path>) -> Result<Outcome, Invalid> {
        let allowance = self.allowance(path);
        let comparison = TableComparison::new(self.subject, self.convention, self.positions, &allowance)?;
        let tally = comparison.run()?;
        Ok(Outcome { path, tally, region: comparison.region(), strange: comparison.strange() })
    }
}

/// A comparison with the bound for a path, or for any.
pub(super) struct Outcome {
    pub path: Option<Path>,
    pub tally: EntryTotals,
    /// Where finite entries are beyond their bounds, and where they are not finite.
    pub region: Option<Region>,
    pub strange: Option<Region>,
}

impl Outcome {
    /// True if finite entries are beyond their bounds.
    pub fn departs(&self) -> bool {
        self.tally.exceeding > self.tally.not_finite
    }
}
