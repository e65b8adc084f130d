//! Causes of entries beyond their bounds.
//!
//! A cause is a hypothesis on entries that are there in place of the right ones: a program that makes them. It is tested on the
//! rows of a sample, and then on every entry: a finding is *confirmed* if all entries, or all those of the region that it names,
//! lie within the bound under it. One cause is looked for before two, and causes everywhere and in a part before entries that
//! depart by themselves; where nothing explains everything, what explains most is said with what it does not explain.

mod alternatives;
mod gain;
mod hypothesis;
mod laws;
mod lengths;
mod listed;
mod local;
mod maps;
mod measured;
pub(super) mod mixed;
pub(super) mod moved;
mod normalised;
mod partial;
mod placement;
mod positions;
mod precision;
mod program;
mod readings;
mod sampled;
mod search;
mod unexplained;
mod vectors;

use super::compare::TableComparison;
use super::faults::{Cause, Code, Entry, Explained, Finding, INFINITE_FREQUENCIES, LOCAL, NOT_FINITE, Region, Status};
use super::rates::omega;
use super::reference::Reading;
use super::sample::{Sample, choose};
use super::subject::Subject;
use super::totals::{EntryTotals, GridPlace, PartStatistics};
use super::{Grade, Invalid};
pub(super) use gain::gains;
pub(super) use hypothesis::Context;
use hypothesis::Hypothesis;
use posproof_bound::{Compute, Path};
use posproof_encoding::convention::Convention;
use posproof_table::Positions;
use search::Search;

/// Symptoms to be explained.
pub(super) struct Symptoms<'a> {
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
pub(super) struct Diagnosis {
    pub findings: Vec<Finding>,
    /// The convention that the entries follow but for what the findings say.
    pub found: Option<Convention>,
    pub grade: Grade,
}

impl Diagnosis {
    fn wrong(findings: Vec<Finding>) -> Self {
        Self { findings, found: None, grade: Grade::Wrong }
    }
}

/// True if a part is most of the whole, which is more than half of it. Every sentence about a part keeps to that: what is said of
/// a region holds of most of its entries, what departs from a rest is not most of the whole unless nothing else explains it, and
/// what explains a part of what is wrong explains most of it, or is said beside what explains the others.
pub(super) fn is_most(part: u64, whole: u64) -> bool {
    part > whole - part.min(whole)
}

pub(super) fn diagnose(case: &Symptoms<'_>) -> Result<Diagnosis, Invalid> {
    let &Symptoms { subject, positions, tally, .. } = case;
    let mut findings = Vec::new();
    let of = tally.exceeding;
    if let (Some(place), Some(region)) = (tally.first_not_finite, case.strange) {
        let first =
            Entry { position: positions.get(place.row).unwrap_or_default(), slab: place.slab, column: place.column };
        let cause = Cause::NotFinite { count: tally.not_finite, entries: tally.entries, first };
        let explains = Explained { entries: tally.not_finite, of };
        let confined = region.is_part();
        // Every row of the same pairs, from one on to the last: their frequencies are no numbers.
        let whole = region.rows.is_all(region.of.rows) && region.heads.is_all(region.of.heads);
        let last = region.pairs.is_some_and(|pairs| {
            pairs.first > 0 && pairs.last + 1 == region.of.pairs && pairs.step == 1 && pairs.is_full()
        });
        let all = tally.not_finite == size(case, region);
        findings.push(Finding {
            fault: if whole && last && all { &INFINITE_FREQUENCIES } else { &NOT_FINITE },
            cause,
            explains,
            region: Some(region.clone()),
            status: Status::Confirmed,
            confined,
        });
    }
    let Some(region) = case.region else {
        // The others follow what is stated, as far as they are there.
        let found = (!is_most(tally.not_finite, tally.entries)).then(|| case.convention.clone());
        return Ok(Diagnosis { found, ..Diagnosis::wrong(findings) });
    };
    let interest = tally.first_beyond.unwrap_or(GridPlace { slab: 0, row: 0, grid: 0, column: 0 });
    let sample = Sample::read(subject, interest.slab, &choose(positions.len(), Some(interest.row)), positions)?;
    let values: Vec<f64> = sample.values().collect();
    if values.is_empty() {
        // No row is finite throughout: that is what is wrong with it.
        return Ok(Diagnosis::wrong(findings));
    }
    let context = context(case, interest.slab, interest.row, &values);
    let search = Search { case, context: &context, sample: &sample, region };
    let found = search.run()?;
    findings.extend(found.findings);
    let grade = if tally.not_finite > 0 { Grade::Wrong } else { found.grade };
    Ok(Diagnosis { findings, found: found.found, grade })
}

/// Context that hypotheses on one table start from; its first row with an entry beyond the bound may be a boundary.
fn context<'a>(case: &Symptoms<'a>, slab: usize, first: usize, values: &'a [f64]) -> Context<'a> {
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
    }
}

/// Entries that depart by themselves, in a region that is but a part of the subject: one that leaves a rest, or of which they
/// are most. Most entries of the subject are no part of it: they depart from nothing.
fn apart(case: &Symptoms<'_>, region: &Region, (entries, of): (u64, u64)) -> Option<Finding> {
    // Where it leaves no rest, what departs here and there is no part: most entries of what is meant do.
    let meant = size(case, region);
    let told = is_minor(case, region, entries) || is_most(entries, meant) && !is_most(entries, case.tally.entries);
    (told && region.is_part() && is_few(case, entries)).then(|| departing(case, region, (entries, of)))
}

/// Entries that depart by themselves here and there: most entries of every pair, and of the rows of every decade, do not.
fn scattered(case: &Symptoms<'_>, region: &Region, beyond: (u64, u64)) -> Option<Finding> {
    let few = |part: &PartStatistics| !is_most(part.exceeding, part.entries);
    let tally = case.tally;
    (tally.pairs.iter().chain(&tally.decades).all(few) && is_few(case, beyond.0))
        .then(|| departing(case, region, beyond))
}

fn departing(case: &Symptoms<'_>, region: &Region, (entries, of): (u64, u64)) -> Finding {
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
fn size(case: &Symptoms<'_>, region: &Region) -> u64 {
    let Region { rows, heads, pairs, .. } = region;
    let components = if region.component.is_some() || case.subject.is_half() { 1 } else { 2 };
    (rows.count * heads.count) as u64 * pairs.map_or(1, |pairs| components * pairs.count as u64)
}

/// So many entries that depart by themselves, and the rest: those that are as they should be, and those that say nothing.
pub(super) fn rest(totals: &EntryTotals, silent: u64, entries: u64) -> Cause {
    let within = totals.entries - totals.exceeding;
    let silent = silent.min(within);
    Cause::Apart { entries, others: within - silent, silent }
}

/// Less than a quarter of the entries that say something: where more depart, something is wrong everywhere.
fn is_few(case: &Symptoms<'_>, entries: u64) -> bool {
    4 * entries < case.tally.entries.saturating_sub(case.silent)
}

/// True if a region leaves a rest for it to depart from: it has not most of the rows, of the tables or of the pairs, or of one
/// component not most of the entries.
fn is_minor(case: &Symptoms<'_>, region: &Region, entries: u64) -> bool {
    let Region { rows, heads, pairs, of, component, .. } = region;
    let minor = |count: usize, all: usize| !is_most(count as u64, all as u64);
    minor(rows.count, of.rows)
        || minor(heads.count, of.heads)
        || pairs.is_some_and(|pairs| minor(pairs.count, of.pairs))
        || component.is_some() && !is_most(entries, case.tally.entries)
}

/// The grade of what is explained: *degraded* if the convention is the stated one at a lower precision.
fn grade(hypothesis: &Hypothesis, confined: bool) -> Grade {
    match () {
        () if hypothesis.degraded && !hypothesis.named.is_empty() => Grade::Degraded,
        () if hypothesis.exactly && !confined => Grade::OtherConvention,
        () => Grade::Wrong,
    }
}

/// True if a finding says what is wrong.
fn is_explained(finding: &Finding) -> bool {
    finding.status != Status::Unexplained && finding.code() != Code::Unexplained
}
