//! Names of rows at other coordinates than those stated: clamped, wrapped, begun anew, exchanged, of an earlier call.

use super::alterations::{Alteration, constant};
use super::decoded_coordinate::{DecodedCoordinate, simplest};
use super::row_coordinates::RowCoordinates;
use super::sequences::sequences;
use super::symptoms::AxialSymptoms;
use crate::faults::*;
use posproof_encoding::axes::Coordinates;
use posproof_numerics::Rational;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Stretches of rows that are listed.
const MOST_RUNS: usize = 16;

/// Rows at other coordinates than those stated, and what that looks like.
pub(super) fn moved(case: &AxialSymptoms<'_>, found: &[Option<Vec<DecodedCoordinate>>]) -> Option<Alteration<'static>> {
    let (stated, axes) = (case.coordinates, case.coordinates.axes());
    let row = |(row, found): (usize, &Option<Vec<DecodedCoordinate>>)| {
        let Some(found) = found else { return Some(None) };
        (0..axes).map(|axis| simplest(found[axis], stated.get(row, axis)?)).collect::<Option<Vec<_>>>().map(Some)
    };
    let rows: Vec<Option<Vec<Rational>>> = found.iter().enumerate().map(row).collect::<Option<_>>()?;
    let coordinates = Coordinates::exact(&rows, axes).ok()?.in_sequences(stated.sequences()).ok()?;
    let runs = runs(stated, &rows);
    let named = |fault: &'static Fault, cause: Cause, coordinates| {
        let (convention, placement) = (case.law.convention().clone(), RowCoordinates::Whole(coordinates));
        Some(Alteration { fault, cause, convention, placement, degraded: false })
    };
    if let Some(first) = rows.iter().flatten().next().filter(|first| rows.iter().flatten().all(|row| row == *first))
        && let Some((coordinates, cause)) = constant(stated, first)
    {
        return named(&CONSTANT_ROWS, cause.into(), coordinates);
    }
    if let Some((fault, cause)) = sequences(stated, &rows) {
        return named(fault, cause.into(), coordinates);
    }
    if let Some((coordinates, cause)) = ends(case, &rows, found) {
        // Ends of which the least is the most leave one row.
        let only = |axis| if let [x] = coordinates.distinct(axis) { Some(x.clone()) } else { None };
        let all: Option<Vec<Rational>> = (0..axes).map(only).collect();
        if let Some((coordinates, cause)) = all.and_then(|row| constant(stated, &row)) {
            return named(&CONSTANT_ROWS, cause.into(), coordinates);
        }
        return named(&CLAMPED_POSITIONS, cause.into(), coordinates);
    }
    if let Some((fault, cause)) = padding(stated, &rows) {
        return named(fault, cause, coordinates);
    }
    let still = |by: &[Rational]| by.iter().all(Rational::is_zero);
    let begins = |row: usize, rows: &dyn Fn(usize) -> Option<Vec<Rational>>| {
        let first = rows(0);
        first.is_some() && row > 0 && rows(row) == first && rows(row - 1) != first
    };
    let (as_stated, as_found) = (|row: usize| stated.row(row), |row: usize| rows[row].clone());
    let off: Vec<&ShiftedRows> = runs.iter().filter(|run| !still(&run.by)).collect();
    let all_begin = |here: &dyn Fn(usize) -> Option<Vec<Rational>>, there: &dyn Fn(usize) -> Option<Vec<Rational>>| {
        off.iter().all(|run| begins(run.rows[0], here) && !begins(run.rows[0], there))
    };
    // Sequences of a batch are not packed: each begins by itself.
    let packed = stated.sequences() == 1;
    let fault = match runs.as_slice() {
        [] => return None,
        _ if off.is_empty() => return None,
        _ if packed && all_begin(&as_stated, &as_found) && off.iter().all(|run| goes_on(&rows, run.rows[0])) => {
            &NOT_RESTARTED
        }
        _ if off
            .iter()
            .all(|run| (run.rows[0]..=run.rows[1]).all(|row| as_found(row).is_none_or(|row| still(&row)))) =>
        {
            &UNROTATED_ROWS
        }
        _ if is_wrapped(stated, &rows) => &WRAPPED_POSITIONS,
        _ if packed && all_begin(&as_found, &as_stated) => &RESTARTED,
        [tail] | [_, tail] if packed && off.len() == 1 && !still(&tail.by) => &DELTA_LOST,
        _ if permuted(stated, &rows) => &CHUNKS_EXCHANGED,
        // Rows of an earlier call are at positions that there are.
        _ if rows.iter().flatten().flatten().all(|x| x.to_u64().is_some()) => &EARLIER_POSITIONS,
        _ => &OTHER_COORDINATES,
    };
    let count = runs.len();
    let told = |run: ShiftedRows| (run.rows, run.by.iter().map(ToString::to_string).collect());
    let runs = runs.into_iter().filter(|run| !still(&run.by)).take(MOST_RUNS).map(told).collect();
    let axes = case.law.axes().iter().map(|axis| axis.name().to_owned()).collect();
    named(fault, AxesCause::Coordinates { axes, runs, count }.into(), coordinates)
}

/// The coordinates at which those of each axis end, and the rows at them; none if that does not explain every one of them.
fn ends(
    case: &AxialSymptoms<'_>,
    rows: &[Option<Vec<Rational>>],
    found: &[Option<Vec<DecodedCoordinate>>],
) -> Option<(Coordinates, AxesCause)> {
    let stated = case.coordinates;
    let mut clamped = stated.clone();
    let mut ends = Vec::new();
    for (axis, law) in case.law.axes().iter().enumerate() {
        // Coordinates that are off the same way, most of which are one number.
        let end = |off: Ordering| {
            let mut all: BTreeMap<&Rational, usize> = BTreeMap::new();
            for (row, found) in rows.iter().enumerate() {
                let (Some(found), Some(stated)) = (found.as_ref().map(|row| &row[axis]), stated.get(row, axis)) else {
                    continue;
                };
                if found.cmp(stated) == off {
                    *all.entry(found).or_default() += 1;
                }
            }
            all.into_iter().max_by_key(|(_, count)| *count).map(|(end, _)| end.clone())
        };
        let end = [end(Ordering::Greater), end(Ordering::Less)];
        let within = |x: &Rational| {
            let least = end[0].as_ref().map_or(x, |least| x.max(least));
            Some(end[1].as_ref().map_or(least, |most| least.min(most)).clone())
        };
        clamped = clamped.mapped(axis, within)?;
        if end.iter().any(Option::is_some) {
            ends.push((law.name().to_owned(), end.map(|end| end.map(|end| end.to_f64()))));
        }
    }
    let near = |(row, found): (usize, &Option<Vec<DecodedCoordinate>>)| {
        let (Some(found), Some(clamped)) = (found, clamped.row(row)) else { return true };
        found.iter().zip(clamped).all(|(found, clamped)| (found.x - clamped.to_f64()).abs() <= 2.0 * found.error)
    };
    (!ends.is_empty() && found.iter().enumerate().all(near)).then_some((clamped, AxesCause::Clamped { ends }))
}

/// Padding before or behind the rows of a text, whose coordinates are the same along every axis: where it has positions that are not stated,
/// or is counted where it should not be.
fn padding(stated: &Coordinates, found: &[Option<Vec<Rational>>]) -> Option<(&'static Fault, Cause)> {
    let one =
        |row: Option<&Vec<Rational>>| row.filter(|row| row.iter().all(|x| *x == row[0])).map(|row| row[0].to_f64());
    let mut rows: Vec<(usize, f64, f64)> = Vec::with_capacity(found.len());
    for (row, found) in found.iter().enumerate() {
        // Rows without a position may be those of the padding.
        let (Some(stated), Some(found)) = (stated.row(row), found) else { continue };
        rows.push((row, one(Some(&stated))?, one(Some(found))?));
    }
    let of = |from: fn(&(usize, f64, f64)) -> (f64, f64)| rows.iter().map(from).collect::<Vec<(f64, f64)>>();
    if let Some(rule) = PositionRule::padded(&of(|row| (row.1, row.2))) {
        return Some((&LEFT_PADDED, rule.into()));
    }
    let &(_, stated, last) = rows.last()?;
    let behind = rows.partition_point(|row| (row.0 as f64) < last - stated);
    let (padding, tokens) = rows.split_at(behind);
    let counted = last > stated
        && padding.iter().any(|row| row.2 - row.1 != last - stated)
        && padding.iter().all(|row| row.1 == padding[0].1)
        && tokens.len() >= BEHIND
        && tokens.iter().all(|row| row.2 - row.1 == last - stated);
    if counted {
        return Some((&PADDING_COUNTED, PositionRule::PaddingCounted { rows: (last - stated) as usize }.into()));
    }
    let (right, padding) = rows.split_at(rows.iter().take_while(|row| row.1 == row.2).count());
    let (before, first) = (right.last()?.1, padding.first()?);
    let is_padding = padding.len() > 1 && padding.iter().all(|row| row.2 == last) && 0.0 < last && last < before;
    (is_padding && first.1.fract() == 0.0)
        .then(|| (&PADDED_ROWS, Cause::Clamped { from: first.1 as u64, position: last }))
}

/// Rows whose coordinates are off by the same.
struct ShiftedRows {
    /// The first and the last of them.
    rows: [usize; 2],
    by: Vec<Rational>,
}

fn runs(stated: &Coordinates, found: &[Option<Vec<Rational>>]) -> Vec<ShiftedRows> {
    let mut runs: Vec<ShiftedRows> = Vec::new();
    for (row, found) in found.iter().enumerate() {
        let (Some(found), Some(stated)) = (found, stated.row(row)) else { continue };
        let by: Vec<Rational> = found.iter().zip(&stated).map(|(found, stated)| found - stated).collect();
        match runs.last_mut() {
            Some(last) if last.by == by => last.rows[1] = row,
            _ => runs.push(ShiftedRows { rows: [row, row], by }),
        }
    }
    runs
}

/// True if the coordinates of a row are no less than those of the row before it.
fn goes_on(found: &[Option<Vec<Rational>>], row: usize) -> bool {
    let Some(Some(before)) = row.checked_sub(1).map(|before| found[before].as_ref()) else { return false };
    found[row].as_ref().is_some_and(|here| here.iter().zip(before).all(|(here, before)| here >= before))
}

/// True if all coordinates are the stated ones modulo one number, the length of a cache.
fn is_wrapped(stated: &Coordinates, found: &[Option<Vec<Rational>>]) -> bool {
    let off = |row: usize, axis: usize| Some(stated.get(row, axis)? - found[row].as_ref()?.get(axis)?);
    let all = || (0..found.len()).flat_map(|row| (0..stated.axes()).map(move |axis| (row, axis)));
    let by = all().filter_map(|(row, axis)| off(row, axis)?.to_u64()).filter(|by| *by > 0).min();
    let Some(length) = by else { return false };
    all().all(|(row, axis)| match (stated.get(row, axis), found[row].as_ref().and_then(|found| found[axis].to_u64())) {
        (Some(stated), Some(found)) => stated.to_u64().is_some_and(|stated| stated % length == found),
        (stated, _) => stated.is_none(),
    })
}

/// True if the rows are the stated ones in another order.
fn permuted(stated: &Coordinates, found: &[Option<Vec<Rational>>]) -> bool {
    let mut before: Vec<Option<Vec<Rational>>> = (0..stated.rows()).map(|row| stated.row(row)).collect();
    let mut after = found.to_vec();
    before.sort();
    after.sort();
    before == after
}
