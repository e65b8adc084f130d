//! Rotations of other vectors than those of the row, and of vectors that are mixed: what one axis says of them, at coordinates.

use super::cells::Cell;
use super::comparison::{AxialComparison, Row};
use super::diagnosis::AxialSymptoms;
use crate::Invalid;
use crate::compared::ComparedRows;
use crate::diagnose::mixed::matrix;
use crate::diagnose::moved::{Moved, SOUGHT, Sought, length_error};
use crate::faults::{CROSS_WIRED, Cause, Fault, ProductsCause};
use crate::subject::Subject;
use posproof_bound::AxialAllowance;
use posproof_encoding::axes::Coordinates;

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
    if !law.is_rotation() || case.scope.slabs.len() < y.slabs() {
        return Ok(None);
    }
    let step = case.beyond.len().div_ceil(SOUGHT).max(1);
    let mut sought =
        Sought { rows: Vec::new(), table: case.slab(), unit: length_error(case.storage, case.compute.0.format) };
    let mut got = Vec::new();
    for &row in case.beyond.iter().rev().step_by(step) {
        y.read(case.slab(), row..row + 1, &mut got)?;
        let length = |turn: &posproof_encoding::axes::Turn| {
            got[turn.write.0].hypot(got[turn.write.1]) / law.gain(turn.slots.0).enclose(64).abs().approximate()
        };
        sought.rows.push((row, law.turns().iter().map(length).collect()));
    }
    let read: Vec<(usize, usize)> = law.turns().iter().map(|turn| turn.read).collect();
    if let Some((rows, tables)) = sought.distance(x, &read)? {
        let all = case.coordinates.rows();
        let picked: Vec<Option<usize>> = (0..all).map(|row| Some((row + all - rows) % all)).collect();
        let rolled = case.coordinates.with_rows(&picked);
        let moved = Subject::Rotation { x: &Moved { grid: x, rows, tables }, y };
        let ways: &[(bool, &Coordinates)] = &[(false, case.coordinates), (true, &rolled)];
        for &(whole, coordinates) in ways.iter().filter(|(whole, _)| !whole || rows > 0) {
            let other = AxialComparison::new(moved, law, coordinates, case.storage)?;
            let allowance = AxialAllowance::new(law, coordinates, case.compute, case.storage);
            let seen = other.along(allowance).run()?;
            if seen.are_explained() {
                return Ok(Some((&CROSS_WIRED, ProductsCause::Moved { rows, tables, whole }.into())));
            }
        }
    }
    let allowance = AxialAllowance::new(law, case.coordinates, case.compute, case.storage);
    let mut row = Row::of(law.slots());
    let cells: &[Cell] = case.comparison.cells.first().map_or(&[], Vec::as_slice);
    let written: Vec<(usize, usize)> = law.turns().iter().map(|turn| turn.write).collect();
    matrix(case.subject, (case.storage, &written), &mut |(table, number), x| {
        case.comparison.reference(table, number, &mut row)?;
        allowance.computed(table, |axis| case.coordinates.place(number, axis), &mut row.computed);
        let predicted = cells.iter().map(|cell| row.predict(&allowance, *cell, x));
        let (z, bounds): (Vec<f64>, Vec<f64>) = predicted.unzip();
        Ok((z, bounds.iter().map(|bound| bound * bound).sum::<f64>().sqrt()))
    })
}
