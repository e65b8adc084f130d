//! Rows at other positions, listed one by one: begun anew, exchanged, of an earlier call.

use super::super::faults::{
    AT_THE_END, AxesCause, CHUNKS_EXCHANGED, Cause, EARLIER_POSITIONS, MOST_ROWS, PositionRule, RESTARTED, ROW_SHIFT,
};
use super::super::sample::Phasors;
use super::hypothesis::{Context, Hypothesis};
use super::placement::Placement;
use super::positions::{known, placed};

/// Rows that are measured one by one, at most.
pub const MOST: usize = 1 << 20;

/// Pairs of them that are read at a time.
pub const READ: usize = 1 << 15;

/// The position of each row of a sample, and of what is encoded there in its place, where all of these are whole.
pub fn whole_rows(context: &Context<'_>, phasors: &Phasors) -> Option<Vec<(f64, f64)>> {
    let known = known(context, phasors)?;
    let all = known.len() == phasors.positions.len();
    let are_whole = known.iter().all(|row| (row.found - row.found.round()).abs() < 0.05 && row.found > -0.5);
    (all && are_whole).then(|| known.iter().map(|row| (row.position, row.found.round())).collect())
}

/// Rows that are those of these positions.
pub fn listed(context: &Context<'_>, rows: Vec<(f64, f64)>) -> Option<Hypothesis> {
    let list = std::sync::Arc::new(rows.iter().map(|row| (row.0 as u64, row.1)).collect());
    if let Some(rule) = restarts(&rows) {
        return Some(placed(context, &RESTARTED, rule.into(), Placement::Listed(list)));
    }
    if let Some(by) = shift(&rows) {
        let cause = AxesCause::Shifted { rows: by, ends: AT_THE_END };
        return Some(placed(context, &ROW_SHIFT, cause.into(), Placement::Listed(list)));
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
