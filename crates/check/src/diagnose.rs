//! Causes of entries beyond their bounds.
//!
//! A cause is a hypothesis on entries that are there in place of the right ones: a program that makes them. It is tested on the
//! rows of a sample, and then on every entry: a finding is *confirmed* if all entries, or all those of the region that it names,
//! lie within the bound under it. One cause is looked for before two, and causes everywhere and in a part before entries that
//! depart by themselves; where nothing explains everything, what explains most is said with what it does not explain.

mod alternatives;
mod dropped;
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
mod row_positions;
mod sampled;
mod search;
pub(super) mod source;
mod stage;
mod summed;
mod symptoms;
mod unexplained;
mod vectors;

use super::faults::{Cause, Entry, Explained, Finding, INFINITE_FREQUENCIES, NOT_FINITE, Status, is_most};
use super::sample::{Sample, choose};
use super::totals::GridPlace;
use super::{Grade, Invalid};
pub(super) use gain::gains;
pub(super) use hypothesis::Context;
use search::Search;
pub(super) use symptoms::{Diagnosis, Symptoms, rest};
use symptoms::{context, size};

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
