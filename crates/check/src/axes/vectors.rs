//! Rotations of other vectors than those of the row, and of vectors that are mixed: what one axis says of them, at coordinates.

use super::cells::Cell;
use super::comparison::{AxialComparison, Row};
use super::symptoms::AxialSymptoms;
use crate::Invalid;
use crate::compared::ComparedRows;
use crate::diagnose::mixed::normalised_or_mixed;
use crate::diagnose::moved::{FEW, SOUGHT, Sought, length_error, order};
use crate::diagnose::source::{Moved, Source};
use crate::faults::{CROSS_WIRED, Cause, Fault, ProductsCause};
use crate::subject::Subject;
use posproof_bound::AxialAllowance;
use posproof_encoding::axes::{Coordinates, Turn};

/// True if y is x, in every row of the tables that depart but for as many as have one of these entries.
pub(super) fn are_not_rotated(case: &AxialSymptoms<'_>, left: u64) -> Result<bool, Invalid> {
    let Subject::Rotation { x, y } = case.subject else { return Ok(false) };
    let (mut before, mut after, mut others) = (Vec::new(), Vec::new(), 0);
    for (table, row) in case.scope.slabs.iter().flat_map(|table| case.scope.rows.clone().map(move |row| (*table, row)))
    {
        x.read(table, row..row + 1, &mut before)?;
        y.read(table, row..row + 1, &mut after)?;
        others += u64::from(before != after);
        if others > left {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Vectors of other rows or tables, turned by the angles of the row of y or by those of their own, or one matrix on top of the rotation; none
/// that does not explain every entry.
pub(super) fn explain(case: &AxialSymptoms<'_>) -> Result<Option<(&'static Fault, Cause)>, Invalid> {
    let Subject::Rotation { x, y } = case.subject else { return Ok(None) };
    let law = case.law;
    if !law.is_rotation() {
        return Ok(None);
    }
    let allowance = |coordinates: &Coordinates| AxialAllowance::new(law, coordinates, case.compute, case.storage);
    let explains = |source: &Source, coordinates: &Coordinates| {
        let moved = Subject::Rotation { x: &Moved { grid: x, source }, y };
        let other = AxialComparison::new(moved, law, coordinates, case.storage)?;
        Ok::<bool, Invalid>(other.along(allowance(coordinates)).run()?.are_explained())
    };
    let gain = |turn: &Turn| law.gain(turn.slots.0).enclose(64).abs().approximate();
    let written: Vec<((usize, usize), f64)> = law.turns().iter().map(|turn| (turn.write, gain(turn))).collect();
    let read: Vec<(usize, usize)> = law.turns().iter().map(|turn| turn.read).collect();
    let unit = length_error(case.storage, case.compute.0.format);
    let mut sought = Sought { rows: Vec::new(), table: case.slab(), unit };
    let mut got = Vec::new();
    for &row in case.beyond.iter().rev().step_by(case.beyond.len().div_ceil(SOUGHT).max(1)) {
        y.read(case.slab(), row..row + 1, &mut got)?;
        let lengths = written.iter().map(|&((a, b), gain)| got[a].hypot(got[b]) / gain).collect();
        sought.rows.push((row, lengths));
    }
    let rows: Vec<usize> = sought.rows.iter().take(FEW).map(|(row, _)| *row).collect();
    if let Some(order) = order((x, y), &rows, (&read, &written), unit)? {
        let source = Source { order, ..Source::default() };
        if explains(&source, case.coordinates)? {
            return Ok(Some((&CROSS_WIRED, ProductsCause::Tables { order: source.order }.into())));
        }
    }
    if case.scope.slabs.len() < y.slabs() {
        return Ok(None);
    }
    if let Some((rows, tables)) = sought.distance(x, &read)? {
        let all = case.coordinates.rows();
        let picked: Vec<Option<usize>> = (0..all).map(|row| Some((row + all - rows) % all)).collect();
        let rolled = case.coordinates.with_rows(&picked);
        let source = Source { rows, tables, order: Vec::new() };
        let ways: &[(bool, &Coordinates)] = &[(false, case.coordinates), (true, &rolled)];
        for &(whole, coordinates) in ways.iter().filter(|(whole, _)| !whole || rows > 0) {
            if explains(&source, coordinates)? {
                return Ok(Some((&CROSS_WIRED, ProductsCause::Moved { rows, tables, whole }.into())));
            }
        }
    }
    let allowance = allowance(case.coordinates);
    let mut row = Row::of(law.slots());
    let cells: &[Cell] = case.comparison.cells.first().map_or(&[], Vec::as_slice);
    let written: Vec<(usize, usize)> = written.into_iter().map(|(pair, _)| pair).collect();
    normalised_or_mixed(case.subject, (case.storage, (&read, &written)), &mut |(table, number), x| {
        case.comparison.reference(table, number, &mut row)?;
        allowance.computed(table, |axis| case.coordinates.place(number, axis), &mut row.computed);
        let predicted = cells.iter().map(|cell| row.predict(&allowance, *cell, x));
        let (z, bounds): (Vec<f64>, Vec<f64>) = predicted.unzip();
        Ok((z, bounds.iter().map(|bound| bound * bound).sum::<f64>().sqrt()))
    })
}
