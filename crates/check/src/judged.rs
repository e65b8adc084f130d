//! A subject of a judgement and its bound, and the comparison of all its entries with that.

use super::Invalid;
use super::compare::TableComparison;
use super::compared::ComparedRows;
use super::faults::Region;
use super::reference::{Reading, Reference, certified};
use super::subject::Subject;
use super::totals::EntryTotals;
use posproof_bound::{Allowance, Compute, Path};
use posproof_encoding::convention::Convention;
use posproof_table::{Positions, Table};
use std::sync::{Arc, OnceLock};

/// Subject of a judgement, and its bound.
pub(super) struct Judged<'a> {
    pub subject: Subject<'a>,
    pub convention: &'a Convention,
    pub positions: &'a Positions,
    pub omega: &'a [f64],
    pub compute: Compute,
    /// The certified table of all comparisons, once one was asked for: to plan it is most of the work for a small subject.
    certified: OnceLock<Arc<Table<f64>>>,
}

impl<'a> Judged<'a> {
    /// With a convention, its frequencies and the format that they are computed in.
    pub fn new(
        subject: Subject<'a>,
        convention: &'a Convention,
        positions: &'a Positions,
        (omega, compute): (&'a [f64], Compute),
    ) -> Self {
        Self { subject, convention, positions, omega, compute, certified: OnceLock::new() }
    }

    /// The bound for a path, or for any.
    pub fn allowance(&self, path: Option<Path>) -> Allowance {
        let Self { subject, convention, positions, omega, compute, .. } = self;
        Allowance::new(convention, omega, positions.max(), (*compute, path), subject.format())
    }

    /// The certified table, arranged as a sinusoid's rows are, or as [cos…, sin…].
    fn certified(&self) -> Result<Arc<Table<f64>>, Invalid> {
        if let Some(table) = self.certified.get() {
            return Ok(table.clone());
        }
        let table = certified(self.convention, self.positions, matches!(self.subject, Subject::Sinusoid(_)))?;
        Ok(self.certified.get_or_init(|| table).clone())
    }

    /// The certified table of rows [cos…, sin…].
    pub fn joined(&self) -> Result<Arc<Table<f64>>, Invalid> {
        match self.subject {
            Subject::Sinusoid(_) => certified(self.convention, self.positions, false),
            Subject::Rope { .. } | Subject::Rotation { .. } => self.certified(),
        }
    }

    /// The comparison with the certified table.
    pub fn comparison<'b>(&'b self, allowance: &'b Allowance) -> Result<TableComparison<'b>, Invalid> {
        let Self { subject, convention, positions, .. } = *self;
        subject.check_shape(convention, positions.len())?;
        let reference = Reference::Certified(self.certified()?);
        TableComparison::with(subject, &Reading::new(convention), positions, allowance, reference)
    }

    /// Every entry against the bound for a path, or for any.
    pub fn compare(&self, path: Option<Path>) -> Result<Outcome, Invalid> {
        let allowance = self.allowance(path);
        let comparison = self.comparison(&allowance)?;
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
