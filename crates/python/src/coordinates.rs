//! Coordinates of rows, as Python states them.

use super::array::numbers;
use super::errors::{invalid, option};
use super::positions::{positions, positions_list};
use super::values::decimal;
use posproof_encoding::axes::{Coordinates, PositionAxes};
use posproof_numerics::Rational;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyRange, PyString, PyTuple};
use std::fmt::Write;

/// The coordinates of rows: an array, a list of rows, or whole numbers for every axis as text and ranges state them. A row of NaN has no
/// position.
pub fn coordinates(object: &Bound<'_, PyAny>, axes: PositionAxes) -> PyResult<Coordinates> {
    let text = object.cast::<PyString>().ok();
    if let (true, Ok(whole)) = (text.is_some() || object.is_instance_of::<PyRange>(), positions(object)) {
        return Coordinates::try_from(&whole).map_err(invalid);
    }
    if let Some(text) = text {
        return Coordinates::along(&text.to_cow()?).map_err(invalid);
    }
    if is_list(object) || object.is_instance_of::<PyRange>() {
        if axes == PositionAxes::First {
            return Err(option("positions_axes", "'last' for a list of rows", "'first'"));
        }
        return match axes {
            PositionAxes::One => sequences(object),
            _ => listed(object)?.parse().map_err(invalid),
        };
    }
    let most = Coordinates::MOST_ROWS.saturating_mul(4);
    let (shape, values) = numbers("positions", object, most)?;
    Coordinates::of_array(&values, &shape, axes).map_err(invalid)
}

/// Positions of any kind along one axis, one by one: whole numbers where all of them are, or else numbers.
///
/// # Errors
///
/// `InvalidInput` for what is no position, and for those of several sequences.
#[pyfunction]
pub fn numbers_list<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let error = match positions_list(object) {
        Ok(whole) => return Ok(whole.into_pyobject(py)?.into_any()),
        Err(error) => error,
    };
    let known = |read: &Coordinates| read.axes() == 1 && read.sequences() == 1;
    let read = match coordinates(object, PositionAxes::One) {
        Ok(read) if known(&read) => read,
        Err(other) if !is_empty(object) => return Err(other),
        _ => return Err(error),
    };
    let rows: Option<Vec<&Rational>> = (0..read.rows()).map(|row| read.get(row, 0)).collect();
    let rows = rows.ok_or(error)?;
    match rows.iter().map(|x| x.to_i64()).collect::<Option<Vec<i64>>>() {
        Some(whole) => Ok(whole.into_pyobject(py)?.into_any()),
        None => Ok(rows.iter().map(|x| x.to_f64()).collect::<Vec<f64>>().into_pyobject(py)?.into_any()),
    }
}

fn is_list(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>()
}

/// True of what has no entry.
pub fn is_empty(object: &Bound<'_, PyAny>) -> bool {
    object.len().is_ok_and(|entries| entries == 0)
}

/// True of a list of lists or ranges alone.
pub fn are_lists(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if !is_list(object) || object.len()? == 0 {
        return Ok(false);
    }
    object
        .try_iter()?
        .try_fold(true, |all, one| one.map(|one| all && (is_list(&one) || one.is_instance_of::<PyRange>())))
}

/// Positions along one axis: a list of them, or a list for each sequence of a batch.
fn sequences(lists: &Bound<'_, PyAny>) -> PyResult<Coordinates> {
    if !are_lists(lists)? {
        return listed(lists)?.parse().map_err(invalid);
    }
    let all: Vec<Bound<'_, PyAny>> = lists.try_iter()?.take(Coordinates::MOST_ROWS).collect::<PyResult<_>>()?;
    let lengths = all.iter().map(|list| list.len()).collect::<PyResult<Vec<_>>>()?;
    if let Some(at) = lengths.iter().position(|length| *length != lengths[0]) {
        let expected = format!("{} positions, as in sequence 0", lengths[0]);
        return Err(option(&format!("positions, sequence {at}"), expected, lengths[at]));
    }
    let lines = all.iter().map(listed).collect::<PyResult<String>>()?;
    let read: Coordinates = lines.parse().map_err(invalid)?;
    if read.axes() != 1 {
        return Err(option("positions", "a number for each row", format!("{} of them", read.axes())));
    }
    read.in_sequences(all.len()).map_err(invalid)
}

/// Rows as text, a row a line, each number as it was written.
fn listed(rows: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut lines = String::new();
    for (at, row) in rows.try_iter()?.enumerate() {
        let (row, name) = (row?, format!("positions, row {at}"));
        if at >= Coordinates::MOST_ROWS {
            return Err(option("positions", format!("at most {} rows", Coordinates::MOST_ROWS), "more"));
        }
        let words = match (row.is_none(), is_list(&row)) {
            (true, _) => {
                return Err(option(&name, "coordinates, NaN on every axis for a row without a position", "None"));
            }
            (_, true) => {
                row.try_iter()?.map(|number| decimal(&name, &number?)).collect::<PyResult<Vec<_>>>()?.join(" ")
            }
            (_, false) => decimal(&name, &row)?,
        };
        if words.is_empty() || words.contains('\n') {
            return Err(option(&name, "a number for each axis", row.repr()?));
        }
        let _ = writeln!(lines, "{words}");
    }
    Ok(lines)
}
