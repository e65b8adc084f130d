//! Rows at other positions, listed one by one: begun anew, exchanged, of an earlier call.

use super::super::Invalid;
use super::super::faults::{
    AT_THE_END, AxesCause, CHUNKS_EXCHANGED, Cause, EARLIER_POSITIONS, LEFT_PADDED, MOST_ROWS, PositionRule, RESTARTED,
    ROW_SHIFT, Region,
};
use super::super::sample::{Phasors, Sample};
use super::hypothesis::{Context, Hypothesis};
use super::placement::Placement;
use super::positions::{placed, shown};
use super::search::Search;
use super::{local, readings};

/// Rows that are measured one by one, at most.
const MOST: usize = 1 << 20;

/// Pairs of them that are read at a time.
const READ: usize = 1 << 15;

impl Search<'_, '_> {
    /// Whole rows that are those of other positions, each of one of its own; one of so many may be wrong by itself.
    pub(super) fn listed(
        &self,
        start: &Context<'_>,
        phasors: &Phasors,
        but_one_of: Option<usize>,
    ) -> Result<Option<Hypothesis>, Invalid> {
        let (part, few_of) = (local::scope(self.region), |rows: usize| but_one_of.map_or(0, |of| rows / of));
        let Region { rows, pairs, component, of, .. } = self.region;
        // Slow pairs show no small distance, and what departs in one pair or component is none.
        let whole = pairs.is_some_and(|pairs| pairs.count > 1) && component.is_none();
        // One row of few pairs is that of anything.
        let few = rows.count < 3 && of.pairs < 8;
        let sampled = few_of(phasors.positions.len());
        if !whole || few || rows.count > MOST || whole_rows(start, phasors, sampled).is_none() {
            return Ok(None);
        }
        let all: Vec<usize> = part.rows.iter().collect();
        let (mut found, mut left) = (Vec::with_capacity(all.len()), few_of(all.len()));
        for rows in all.chunks((READ / of.pairs).max(1)) {
            let sample = Sample::read(self.case.subject, part.slabs.first, rows, self.case.positions)?;
            let Some(phasors) = readings::phasors(start, &sample) else { return Ok(None) };
            let Some(whole) = whole_rows(start, &phasors, left) else { return Ok(None) };
            left -= whole.iter().filter(|row| row.1.is_none()).count();
            // A row with an entry that is no number is not read: it goes on from the row before it.
            let mut whole = whole.into_iter().peekable();
            for position in rows.iter().filter_map(|&row| self.case.positions.get(row)) {
                let position = position as f64;
                found.push(whole.next_if(|row| row.0 == position).unwrap_or((position, None)));
            }
        }
        Ok(carried(&found).and_then(|rows| listed(start, rows)))
    }
}

/// The position of each row of a sample, and of what is encoded there in its place, where that is a whole one; none where more rows than
/// these show no such position.
fn whole_rows(context: &Context<'_>, phasors: &Phasors, most: usize) -> Option<Vec<(f64, Option<f64>)>> {
    let whole = |found: f64| ((found - found.round()).abs() < 0.05 && found > -0.5).then(|| found.round());
    let found: Vec<Option<f64>> = shown(context, phasors)?.into_iter().map(|found| whole(found?)).collect();
    let silent = found.iter().filter(|found| found.is_none()).count();
    (silent <= most).then(|| phasors.positions.iter().map(|&p| p as f64).zip(found).collect())
}

/// Rows, each with the position stated and the one found, from the first row on at which these differ. A row that shows no position goes on
/// from the row before it, or comes before the first row that shows one.
fn carried(rows: &[(f64, Option<f64>)]) -> Option<Vec<(f64, f64)>> {
    let (position, found) = rows.iter().find_map(|row| Some((row.0, row.1?)))?;
    let mut off = found - position;
    let at = |&(position, found): &(f64, Option<f64>)| {
        let found = found.unwrap_or(position + off);
        off = found - position;
        (position, found)
    };
    let all: Vec<(f64, f64)> = rows.iter().map(at).skip_while(|row| row.0 == row.1).collect();
    all.iter().all(|row| row.1 >= 0.0).then_some(all)
}

/// Rows that are those of these positions.
fn listed(context: &Context<'_>, rows: Vec<(f64, f64)>) -> Option<Hypothesis> {
    let list = std::sync::Arc::new(rows.iter().map(|row| (row.0 as u64, row.1)).collect());
    if let Some(by) = shift(&rows) {
        let cause = AxesCause::Shifted { rows: by, ends: AT_THE_END };
        return Some(placed(context, &ROW_SHIFT, cause.into(), Placement::Listed(list)));
    }
    if let Some(rule) = PositionRule::padded(&rows) {
        return Some(placed(context, &LEFT_PADDED, rule.into(), Placement::Listed(list)));
    }
    if let Some(rule) = restarts(&rows) {
        return Some(placed(context, &RESTARTED, rule.into(), Placement::Listed(list)));
    }
    let fault = if are_exchanged(&rows) { &CHUNKS_EXCHANGED } else { &EARLIER_POSITIONS };
    let cause = Cause::Earlier { from: rows.first()?.0 as u64, rows };
    Some(placed(context, fault, cause, Placement::Listed(list)))
}

/// Rows by which all of them are shifted, where the last ones stand at the beginning, or the first ones at the end.
fn shift(rows: &[(f64, f64)]) -> Option<i64> {
    let count = i64::try_from(rows.len()).ok().filter(|count| *count > 2 * MOST_ROWS)?;
    let from = |row: i64, by: i64| rows.get(usize::try_from((row - by).rem_euclid(count)).ok()?).map(|row| row.0);
    let is = |by: &i64| (0..).zip(rows).all(|(row, at)| from(row, *by) == Some(at.1));
    (1..=MOST_ROWS).flat_map(|by| [by, -by]).find(is)
}

/// True if rows are at each other's positions.
fn are_exchanged(rows: &[(f64, f64)]) -> bool {
    let mut found: Vec<f64> = rows.iter().map(|row| row.1).collect();
    found.sort_by(f64::total_cmp);
    rows.iter().map(|row| row.0).eq(found)
}

/// Runs of consecutive positions that all begin with the same, of rows with consecutive positions: eight rows to a run or more. The
/// first row may be one after it, where the rows of the first run are right.
fn restarts(rows: &[(f64, f64)]) -> Option<PositionRule> {
    let mut runs = vec![*rows.first()?];
    for two in rows.windows(2) {
        if two[1].0 - two[0].0 != 1.0 {
            return None;
        }
        if two[1].1 - two[0].1 != 1.0 {
            runs.push(two[1]);
        }
    }
    // A first run that is right is no part of what is wrong.
    let runs: Vec<(f64, f64)> = if rows[0].0 != rows[0].1 && rows[0].0 > 0.0 {
        std::iter::once((0.0, runs[0].1)).chain(runs).collect()
    } else {
        runs
    };
    let first = runs.first()?.1;
    let many = runs.len() > 1 && runs.len() * 8 <= rows.len();
    let second = runs.get(1)?.0 as u64;
    (many && runs.iter().all(|run| run.1 == first)).then_some(PositionRule::Restarts {
        runs: runs.len(),
        first,
        second,
    })
}
