//! Positions, as Python states them.

use super::array::{kind, numbers};
use super::errors::{invalid, option};
use posproof_table::{LIMIT, Positions};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyRange, PyRangeMethods, PyString, PyTuple};

/// Positions one by one: as many as this, so that the list stays in memory.
const MAX_LISTED: usize = 1 << 24;

const EXPECTED: &str = "whole numbers from 0 to 2^53 − 1: a range, a list, an array, or text such as '0..64,127'";

/// The positions of `range(4096)`, `[0, 5, 7]`, an array of integers or `"0..64,127,131071"`.
///
/// # Errors
///
/// `InvalidInput` for anything else.
pub fn positions(object: &Bound<'_, PyAny>) -> PyResult<Positions> {
    if let Ok(text) = object.cast::<PyString>() {
        return text.to_cow()?.parse().map_err(|error| invalid(format!("{error}")));
    }
    if let Ok(range) = object.cast::<PyRange>() {
        let (start, stop, step) = (range.start()?, range.stop()?, range.step()?);
        if let (1, Ok(start), Ok(stop)) = (step, u64::try_from(start), u64::try_from(stop)) {
            return Positions::range(start..stop).map_err(invalid);
        }
    }
    let listed = object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>();
    let list = if listed || object.is_instance_of::<PyRange>() { listed_one_by_one(object)? } else { array(object)? };
    Positions::list(list).map_err(invalid)
}

fn listed_one_by_one(object: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    let mut list = Vec::new();
    for (row, position) in object.try_iter()?.take(MAX_LISTED + 1).enumerate() {
        let position = position?;
        match position.extract::<u64>() {
            Ok(whole) if whole < LIMIT => list.push(whole),
            _ => return Err(option(&format!("positions, entry {row}"), EXPECTED, position.str()?)),
        }
    }
    few(list)
}

fn array(object: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    let (shape, values) = numbers("positions", object, MAX_LISTED)?;
    if shape.iter().filter(|&&n| n != 1).count() > 1 {
        let found = format!("{} of shape {shape:?}", kind(object));
        let expected = format!("{EXPECTED}, along one axis");
        return Err(option("positions", expected, found));
    }
    let whole = |x: &f64| *x >= 0.0 && *x < LIMIT as f64 && x.fract() == 0.0;
    if let Some(row) = values.iter().position(|x| !whole(x)) {
        return Err(option(&format!("positions, entry {row}"), EXPECTED, values[row]));
    }
    Ok(values.into_iter().map(|x| x as u64).collect())
}

fn few(list: Vec<u64>) -> PyResult<Vec<u64>> {
    if list.len() > MAX_LISTED {
        let expected = format!("at most {MAX_LISTED} positions one by one, or a range");
        return Err(option("positions", expected, format!("{} or more", list.len())));
    }
    Ok(list)
}

/// The positions one by one.
#[pyfunction]
pub fn positions_list(object: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    let positions = positions(object)?;
    few(positions.iter().take(MAX_LISTED + 1).collect())
}

/// True of positions that increase from row to row.
pub fn increase(positions: &Positions) -> bool {
    let (mut row, mut above) = (0, 0);
    while let Some(run) = positions.run(row) {
        if run.start < above {
            return false;
        }
        (row, above) = (row + (run.end - run.start) as usize, run.end);
    }
    true
}
