//! Rows at other positions, listed one by one: begun anew, exchanged, of an earlier call, fractions.

use super::super::Invalid;
use super::super::faults::{
    AT_THE_END, AxesCause, CHUNKS_EXCHANGED, Cause, EARLIER_POSITIONS, Fault, LEFT_PADDED, MOST_ROWS, POSITION_RULE,
    PositionRule, RESTARTED, ROW_SHIFT, Region,
};
use super::super::sample::{Phasors, Sample};
use super::hypothesis::{Context, Hypothesis, unit};
use super::placement::Placement;
use super::positions::placed;
use super::row_positions::shown;
use super::search::{Confirmed, Search, laws};
use super::symptoms::Diagnosis;
use super::{local, readings};

/// Rows that are measured one by one, at most.
const MOST: usize = 1 << 20;

/// Consecutive rows in which frequencies are measured, at least and at most: a quarter of all in between.
const STRETCH: [usize; 2] = [8, 64];

/// Pairs of them that are read at a time.
const READ: usize = 1 << 15;

impl Search<'_, '_> {
    /// Rows that are those of other whole positions, each of one of its own; one of so many may be wrong by itself.
    pub(super) fn listed(
        &self,
        start: &Context<'_>,
        phasors: &Phasors,
        but_one_of: Option<usize>,
    ) -> Result<Option<Hypothesis>, Invalid> {
        Ok(self.rows_at(start, phasors, false, but_one_of)?.and_then(|rows| listed(start, rows)))
    }

    /// Rows that are those of other positions, each of one of its own: of multiples of a simple fraction, or of any; one of so many may be
    /// wrong by itself.
    pub(super) fn at_fractions(
        &self,
        start: &Context<'_>,
        phasors: &Phasors,
        but_one_of: Option<usize>,
    ) -> Result<Vec<Hypothesis>, Invalid> {
        let Some(rows) = self.rows_at(start, phasors, true, but_one_of)? else { return Ok(Vec::new()) };
        Ok(multiples(&rows).into_iter().chain([rows]).filter_map(|rows| listed(start, rows)).collect())
    }

    /// Rows at other whole positions, each at one of its own, and frequencies of another law: these are measured in a stretch of rows.
    pub(super) fn listed_under(&self) -> Result<Option<Diagnosis>, Invalid> {
        let part = local::scope(self.region);
        if part.rows.count > MOST {
            return Ok(None);
        }
        let rows: Vec<usize> = part.rows.iter().collect();
        let sample = self.sample_of(part)?;
        let Some(phasors) = readings::phasors(self.context, &sample) else { return Ok(None) };
        // Paddings and boundaries are seldom in all of them.
        let length = (rows.len() / 4).clamp(STRETCH[0], STRETCH[1]);
        let starts = [0, rows.len() / 2, rows.len()].map(|at| at.min(rows.len().saturating_sub(length)));
        for start in starts {
            let stretch: Vec<usize> = rows[start..].iter().copied().take(length).collect();
            let stretch = Sample::read(self.case.subject, part.slabs.first, &stretch, self.case.positions)?;
            let Some(measured) = readings::phasors(self.context, &stretch).map(|phasors| unit(self.context, &phasors))
            else {
                continue;
            };
            let Some(estimates) = self.context.frequencies(&measured) else { continue };
            for law in laws(self.context, &measured, &estimates) {
                if let Some(hypothesis) = self.listed(&law, &phasors, None)?
                    && law.holds(&hypothesis, part)?
                {
                    // Other rows may follow what is stated.
                    let confined = !law.holds(&hypothesis, self.everything())?;
                    return Ok(Some(self.diagnosis(Confirmed { hypothesis, confined })));
                }
            }
        }
        Ok(None)
    }

    /// The position stated of each row and the one that it shows, from the first row on at which these differ.
    fn rows_at(
        &self,
        start: &Context<'_>,
        phasors: &Phasors,
        fractions: bool,
        but_one_of: Option<usize>,
    ) -> Result<Option<Vec<(f64, f64)>>, Invalid> {
        let (part, few_of) = (local::scope(self.region), |rows: usize| but_one_of.map_or(0, |of| rows / of));
        let Region { rows, pairs, component, of, .. } = self.region;
        // Slow pairs show no small distance, and what departs in one pair or component is none.
        let whole = pairs.is_some_and(|pairs| pairs.count > 1) && component.is_none();
        // One row of few pairs is that of anything.
        let few = (rows.count < 3 || fractions) && of.pairs < 8;
        let sampled = few_of(phasors.positions.len());
        if !whole || few || rows.count > MOST || placed_rows(start, phasors, fractions, sampled).is_none() {
            return Ok(None);
        }
        let all: Vec<usize> = part.rows.iter().collect();
        let (mut found, mut left) = (Vec::with_capacity(all.len()), few_of(all.len()));
        for rows in all.chunks((READ / of.pairs).max(1)) {
            let sample = Sample::read(self.case.subject, part.slabs.first, rows, self.case.positions)?;
            let Some(phasors) = readings::phasors(start, &sample) else { return Ok(None) };
            let Some(placed) = placed_rows(start, &phasors, fractions, left) else { return Ok(None) };
            left -= placed.iter().filter(|row| row.1.is_none()).count();
            // A row with an entry that is no number is not read: it goes on from the row before it.
            let mut placed = placed.into_iter().peekable();
            for position in rows.iter().filter_map(|&row| self.case.positions.get(row)) {
                let position = position as f64;
                found.push(placed.next_if(|row| row.0 == position).unwrap_or((position, None)));
            }
        }
        Ok(carried(&found))
    }
}

/// The position of each row of a sample, and of what is encoded there in its place, where that is a whole one or fractions are asked for;
/// none where more rows than these show no such position.
fn placed_rows(
    context: &Context<'_>,
    phasors: &Phasors,
    fractions: bool,
    most: usize,
) -> Option<Vec<(f64, Option<f64>)>> {
    // Adding 0 makes a zero of −0.
    let whole = |found: f64| ((found - found.round()).abs() < 0.05).then(|| found.round() + 0.0);
    let position = |found: f64| if fractions { Some(found) } else { whole(found) };
    let found: Vec<Option<f64>> =
        shown(context, phasors, fractions)?.into_iter().map(|found| position(found?)).collect();
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
    Some(rows.iter().map(at).skip_while(|row| row.0 == row.1).collect())
}

/// Denominators of positions that programs count in.
const DENOMINATORS: [f64; 16] =
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 12.0, 14.0, 16.0, 32.0, 64.0, 100.0];

/// Rows with their positions rounded to multiples of a simple fraction: the largest of which all nearly are multiples.
fn multiples(rows: &[(f64, f64)]) -> Option<Vec<(f64, f64)>> {
    let nearly = |by: &f64| rows.iter().all(|row| (row.1 * by - (row.1 * by).round()).abs() < 0.1);
    let by = DENOMINATORS.into_iter().find(nearly)?;
    Some(rows.iter().map(|row| (row.0, (row.1 * by).round() / by + 0.0)).collect())
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
    let fault: &'static Fault = match () {
        () if rows.iter().any(|row| row.1.fract() != 0.0) => &POSITION_RULE,
        () if are_exchanged(&rows) => &CHUNKS_EXCHANGED,
        () => &EARLIER_POSITIONS,
    };
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
