//! Symptoms to be explained, and the diagnosis: entries that depart by themselves, and what is most or few of them.

use super::hypothesis::{Context, Hypothesis};
use crate::compare::TableComparison;
use crate::faults::{Cause, Code, Explained, Finding, LOCAL, Region, Status, is_most};
use crate::rates::omega;
use crate::reference::Reading;
use crate::subject::Subject;
use crate::totals::{EntryTotals, PartStatistics};
use crate::{Grade, Invalid};
use posproof_bound::{Compute, Path};
use posproof_encoding::convention::Convention;
use posproof_table::Positions;

/// Symptoms to be explained.
pub(crate) struct Symptoms<'a> {
    pub subject: Subject<'a>,
    /// The precision and the path that the bound assumes.
    pub compute: (Compute, Option<Path>),
    pub convention: &'a Convention,
    pub positions: &'a Positions,
    pub comparison: &'a TableComparison<'a>,
    pub tally: &'a EntryTotals,
    /// Entries that may be any number that a sine can be.
    pub silent: u64,
    /// Where finite entries are beyond their bounds, and where they are not finite.
    pub region: Option<&'a Region>,
    pub strange: Option<&'a Region>,
    /// The convention that the entries follow, with no expectation.
    pub identified: &'a dyn Fn() -> Result<Option<Convention>, Invalid>,
}

/// The result.
pub(crate) struct Diagnosis {
    pub findings: Vec<Finding>,
    /// The convention that the entries follow but for what the findings say.
    pub found: Option<Convention>,
    pub grade: Grade,
}

impl Diagnosis {
    pub(super) fn wrong(findings: Vec<Finding>) -> Self {
        Self { findings, found: None, grade: Grade::Wrong }
    }
}

/// Context that hypotheses on one table start from; its first row with an entry beyond the bound may be a boundary.
pub(super) fn context<'a>(case: &Symptoms<'a>, slab: usize, first: usize, values: &'a [f64]) -> Context<'a> {
    let Symptoms { subject, convention, positions, compute, .. } = *case;
    let boundary = first.checked_sub(1).and_then(|before| Some((positions.get(before)?, positions.get(first)?)));
    Context {
        subject,
        positions,
        reading: Reading::new(convention),
        expected: convention.clone(),
        omega: omega(convention).unwrap_or_default(),
        compute,
        narrow: None,
        storage: subject.format(),
        boundary,
        values,
        slab,
        named: Vec::new(),
        found: Some(convention.clone()),
        degraded: true,
        known: Default::default(),
    }
}

/// Entries that depart by themselves, in a region that is but a part of the subject: one that leaves a rest, or of which they
/// are most. Most entries of the subject are no part of it: they depart from nothing.
pub(super) fn apart(case: &Symptoms<'_>, region: &Region, (entries, of): (u64, u64)) -> Option<Finding> {
    // Where it leaves no rest, what departs here and there is no part: most entries of what is meant do.
    let meant = size(case, region);
    let told = is_minor(case, region, entries) || is_most(entries, meant) && !is_most(entries, case.tally.entries);
    (told && region.is_part() && is_few(case, entries)).then(|| departing(case, region, (entries, of)))
}

/// Entries that depart by themselves here and there: most entries of every pair, and of the rows of every decade, do not.
pub(super) fn scattered(case: &Symptoms<'_>, region: &Region, beyond: (u64, u64)) -> Option<Finding> {
    let few = |part: &PartStatistics| !is_most(part.exceeding, part.entries);
    let tally = case.tally;
    (tally.pairs.iter().chain(&tally.decades).all(few) && is_few(case, beyond.0))
        .then(|| departing(case, region, beyond))
}

pub(super) fn departing(case: &Symptoms<'_>, region: &Region, (entries, of): (u64, u64)) -> Finding {
    Finding {
        fault: &LOCAL,
        cause: rest(case.tally, case.silent, entries),
        explains: Explained { entries, of },
        region: Some(region.clone()),
        status: Status::Confirmed,
        confined: true,
    }
}

/// Entries of a region.
pub(super) fn size(case: &Symptoms<'_>, region: &Region) -> u64 {
    let Region { rows, heads, pairs, .. } = region;
    let components = if region.component.is_some() || case.subject.is_half() { 1 } else { 2 };
    (rows.count * heads.count) as u64 * pairs.map_or(1, |pairs| components * pairs.count as u64)
}

/// So many entries that depart by themselves, and the rest: those that are as they should be, and those that say nothing.
pub(crate) fn rest(totals: &EntryTotals, silent: u64, entries: u64) -> Cause {
    let within = totals.entries - totals.exceeding;
    let silent = silent.min(within);
    Cause::Apart { entries, others: within - silent, silent }
}

/// Less than a quarter of the entries that say something: where more depart, something is wrong everywhere.
pub(super) fn is_few(case: &Symptoms<'_>, entries: u64) -> bool {
    4 * entries < case.tally.entries.saturating_sub(case.silent)
}

/// True if a region leaves a rest for it to depart from: it has not most of the rows, of the tables or of the pairs, or of one
/// component not most of the entries.
pub(super) fn is_minor(case: &Symptoms<'_>, region: &Region, entries: u64) -> bool {
    let Region { rows, heads, pairs, of, component, .. } = region;
    let minor = |count: usize, all: usize| !is_most(count as u64, all as u64);
    minor(rows.count, of.rows)
        || minor(heads.count, of.heads)
        || pairs.is_some_and(|pairs| minor(pairs.count, of.pairs))
        || component.is_some() && !is_most(entries, case.tally.entries)
}

/// The grade of what is explained: *degraded* if the convention is the stated one at a lower precision.
pub(super) fn grade(hypothesis: &Hypothesis, confined: bool) -> Grade {
    match () {
        () if hypothesis.degraded && !hypothesis.named.is_empty() => Grade::Degraded,
        () if hypothesis.exactly && !confined => Grade::OtherConvention,
        () => Grade::Wrong,
    }
}

/// True if a finding says what is wrong.
pub(super) fn is_explained(finding: &Finding) -> bool {
    finding.status != Status::Unexplained && finding.code() != Code::Unexplained
}
