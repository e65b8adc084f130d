//! Encodings of several axes: how options state them, and how they are judged.

use super::array::{kind, numbers};
use super::errors::{invalid, option};
use super::options::{ENCODING, Options};
use super::positions::positions;
use super::scaling::SCALING;
use super::values::{count, decimal, json, named, parsed, text};
use posproof_check::request::{RowPositions, Stated};
use posproof_encoding::axes::{AxialConvention, Axis, Coordinates, Index, SectionsOrder, sections};
use posproof_encoding::convention::Encoding;
use posproof_table::Positions;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyRange, PyString, PyTuple};
use serde_json::{Map, Value};
use std::fmt::Write;

/// What states several axes.
pub const AXES: &[&str] = &["axes", "sections", "sections_order", "slots", "span", "index", "positions_axes"];

/// Those without which there are none.
const STATING: &[&str] = &["axes", "sections", "slots", "span"];

/// What an encoding of several axes has not, besides the parameters of scaling rules: the axes state it for themselves.
const ONE_AXIS: &[&str] = &["config", "layer", "layer_type", "part", "rotary_dim", "scaling", "duplication"];

/// What a convention of several axes has of those of one, by the names of both.
const SHARED: &[(&str, &str)] = &[
    ("base", "base"),
    ("position_offset", "position_offset"),
    ("angle_scale", "position_scale"),
    ("amplitude", "amplitude"),
    ("frequency_spacing", "frequency_spacing"),
    ("layout", "layout"),
    ("order", "order"),
    ("direction", "direction"),
    ("span", "span"),
    ("slots", "slots"),
];

/// Positions of the rows: as coordinates for several axes, and where they are no whole numbers that `suffice`. Of what is no
/// position at all, it is said what whole ones are.
///
/// # Errors
///
/// `InvalidInput` for what is none.
pub fn rows(options: &Options<'_>, of: &Stated, suffice: impl Fn(&Positions) -> bool) -> PyResult<RowPositions> {
    let Some(stated) = options.get("positions") else { return Ok(RowPositions::Counted) };
    if let Stated::Axes(_) = of {
        return coordinates(stated, axes_first(options)?).map(RowPositions::Any);
    }
    let whole = positions(stated);
    if whole.as_ref().is_ok_and(suffice) {
        return whole.map(RowPositions::Increasing);
    }
    let placed = |read: &Coordinates| read.axes() == 1 && (0..read.rows()).all(|row| read.place(row, 0).is_some());
    match coordinates(stated, false).ok().filter(placed) {
        Some(coordinates) => Ok(RowPositions::Any(coordinates)),
        None => whole.map(RowPositions::Increasing),
    }
}

/// The convention of several axes that options state, if they do.
pub fn convention(options: &Options<'_>, encoding: Encoding) -> PyResult<Option<AxialConvention>> {
    let whole = match options.get("convention") {
        None => None,
        Some(value) => {
            let value = json("convention", value)?;
            let axial = STATING.iter().any(|name| value.get(name).is_some());
            axial.then(|| read_convention(value, encoding)).transpose()?.filter(|read| read.plain().is_none())
        }
    };
    let given = |names: &[&[&'static str]]| names.concat().into_iter().find(|name| options.get(name).is_some());
    if whole.is_some() {
        let other = [ENCODING, AXES, SCALING, ONE_AXIS].concat().into_iter();
        let other = other.filter(|name| !["convention", "positions", "positions_axes"].contains(name));
        return match other.into_iter().find(|name| options.get(name).is_some()) {
            Some(other) => Err(option("convention", "nothing else that states the encoding", other)),
            None => Ok(whole),
        };
    }
    let Some(name) = given(&[STATING]) else {
        return match given(&[AXES]) {
            Some(name) => Err(option(name, "axes, sections or span beside it", "none of them")),
            None => Ok(None),
        };
    };
    if let Some(other) = given(&[ONE_AXIS, SCALING, &["convention"]]) {
        let expected = format!("no {other} beside it: span says what is rotated, scaling is a key of an axis");
        return Err(option(name, expected, "both"));
    }
    let Some(dim) = options.count("dim")? else { return Err(invalid("no dimension: expected dim")) };
    let mut fields = Map::from_iter([("dim".to_owned(), Value::from(dim))]);
    for (name, field) in SHARED {
        let Some(value) = options.get(name) else { continue };
        let number = matches!(*name, "base" | "position_offset" | "angle_scale" | "amplitude");
        let value = if number { Value::from(decimal(name, value)?) } else { json(name, value)? };
        fields.insert((*field).to_owned(), value);
    }
    if let Some(origin) = options.count("frequency_origin")? {
        fields.insert("frequency_origin".to_owned(), Value::from(origin));
    }
    let told = if encoding == Encoding::Sinusoid { "sinusoid" } else { "rope" };
    fields.insert("encoding".to_owned(), Value::from(told));
    let mut convention = read_convention(Value::Object(fields), encoding)?;
    convention.axes = axes(options)?;
    Ok(Some(convention))
}

fn read_convention(value: Value, encoding: Encoding) -> PyResult<AxialConvention> {
    let read = serde_json::from_value::<AxialConvention>(value);
    let convention = read.map_err(|error| invalid(format!("convention: {error}")))?;
    if convention.encoding != encoding {
        let told = |encoding| if encoding == Encoding::Sinusoid { "sinusoid" } else { "rope" };
        return Err(option("convention, encoding", told(encoding), told(convention.encoding)));
    }
    Ok(convention)
}

/// The axes: dictionaries with the fields of a convention's JSON, or text such as `h:0..16`; or those of sections.
fn axes(options: &Options<'_>) -> PyResult<Vec<Axis>> {
    let order = options.get("sections_order").map(|order| named("sections_order", &text("sections_order", order)?));
    let order: Option<SectionsOrder> = order.transpose()?;
    let mut all: Vec<Axis> = match (options.get("axes"), options.get("sections")) {
        (Some(_), Some(_)) => return Err(option("sections", "no axes beside them", "both")),
        (None, Some(sizes)) => {
            let sizes: PyResult<Vec<usize>> = sizes.try_iter()?.map(|size| count("sections", &size?)).collect();
            sections(&sizes?, order.unwrap_or_default()).map_err(|error| invalid(format!("sections: {error}")))?
        }
        (stated, None) => {
            if order.is_some() {
                return Err(option("sections_order", "sections beside it", "none"));
            }
            let axis = |at: usize, axis: &Bound<'_, PyAny>| -> PyResult<Axis> {
                let name = format!("axes, entry {at}");
                if axis.is_instance_of::<PyString>() {
                    return parsed(&name, &text(&name, axis)?);
                }
                serde_json::from_value(json(&name, axis)?).map_err(|error| invalid(format!("{name}: {error}")))
            };
            let listed = stated.map(|stated| stated.try_iter()).transpose();
            let listed = listed.map_err(|_| option("axes", "a list of axes", stated.map_or_else(String::new, kind)))?;
            listed.into_iter().flatten().enumerate().map(|(at, one)| axis(at, &one?)).collect::<PyResult<_>>()?
        }
    };
    if let Some(index) = options.get("index") {
        if text("index", index)? != "pairs" {
            return Err(option("index", "'pairs'", index.repr()?));
        }
        for axis in &mut all {
            axis.index.get_or_insert(Index::Pairs);
        }
    }
    Ok(all)
}

/// Whether positions are [axes, rows].
fn axes_first(options: &Options<'_>) -> PyResult<bool> {
    match options.get("positions_axes").map(|value| text("positions_axes", value)).transpose()?.as_deref() {
        None | Some("last") => Ok(false),
        Some("first") => Ok(true),
        Some(other) => Err(option("positions_axes", "'first' or 'last'", format!("'{other}'"))),
    }
}

/// The coordinates of rows: an array [rows, axes], a list of rows, or whole numbers for every axis as text and ranges state
/// them. A row of NaN has no position.
fn coordinates(object: &Bound<'_, PyAny>, axes_first: bool) -> PyResult<Coordinates> {
    let text = object.cast::<PyString>().ok();
    if let (true, Ok(whole)) = (text.is_some() || object.is_instance_of::<PyRange>(), positions(object)) {
        return Coordinates::try_from(&whole).map_err(invalid);
    }
    if let Some(text) = text {
        return Coordinates::along(&text.to_cow()?).map_err(invalid);
    }
    let rows = object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>();
    if rows || object.is_instance_of::<PyRange>() {
        if axes_first {
            return Err(option("positions_axes", "'last' for a list of rows", "'first'"));
        }
        return listed(object)?.parse().map_err(invalid);
    }
    let most = Coordinates::MOST_ROWS.saturating_mul(4);
    let (shape, values) = numbers("positions", object, most)?;
    let (axes, others) = match (shape.as_slice(), axes_first) {
        ([_], false) => (1, shape.as_slice()),
        ([others @ .., axes], false) => (*axes, others),
        ([axes, others @ ..], true) => (*axes, others),
        ([], _) => (0, [].as_slice()),
    };
    if axes == 0 || others.iter().filter(|&&n| n != 1).count() > 1 {
        let expected = if axes_first { "[axes, rows] or [axes, 1, rows]" } else { "[rows, axes] or [rows]" };
        return Err(option("positions", format!("the shape {expected}"), format!("{shape:?}")));
    }
    let made = if axes_first { Coordinates::from_floats_axes_first } else { Coordinates::from_floats };
    made(&values, axes).map_err(invalid)
}

/// Rows as text, a row a line, each number as it was written.
fn listed(rows: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut lines = String::new();
    for (at, row) in rows.try_iter()?.enumerate() {
        let (row, name) = (row?, format!("positions, row {at}"));
        if at >= Coordinates::MOST_ROWS {
            return Err(option("positions", format!("at most {} rows", Coordinates::MOST_ROWS), "more"));
        }
        let several = row.is_instance_of::<PyList>() || row.is_instance_of::<PyTuple>();
        let words = match (row.is_none(), several) {
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
