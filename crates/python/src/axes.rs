//! Encodings of several axes: how options state them, and how they are judged.

use super::array::kind;
use super::config::Source;
use super::coordinates::{are_lists, coordinates, is_empty};
use super::errors::{invalid, option};
use super::options::{ENCODING, Options, refused};
use super::positions::positions;
use super::scaling::SCALING;
use super::values::{count, decimal, json, parsed, text};
use posproof_check::request::{RowPositions, Stated};
use posproof_encoding::axes::{AxialConvention, Axis, Coordinates, PositionAxes};
use posproof_encoding::convention::Encoding;
use posproof_encoding::model::Model;
use posproof_encoding::request::{AxesRequest, Whole, whole};
use posproof_table::Positions;
use pyo3::prelude::*;
use pyo3::types::PyString;
use serde_json::{Map, Value};

/// Keywords that state several axes.
pub const AXES: &[&str] = &["axes", "sections", "sections_order", "slots", "span", "index", "positions_axes"];

/// Keywords that an encoding of several axes has not, besides the parameters of scaling rules: the axes state it for themselves.
const ONE_AXIS: &[&str] = &["config", "layer", "layer_type", "part", "rotary_dim", "scaling", "duplication"];

/// Parameters of a convention of several axes, by the names of the options and of its fields.
const PARAMETERS: &[(&str, &str)] = &[
    ("base", "base"),
    ("frequency_origin", "frequency_origin"),
    ("frequency_spacing", "frequency_spacing"),
    ("position_offset", "position_offset"),
    ("angle_scale", "position_scale"),
    ("order", "order"),
    ("direction", "direction"),
    ("amplitude", "amplitude"),
];

/// Positions of the rows: as coordinates for several axes, and where they are no whole numbers that `suffice`.
///
/// # Errors
///
/// `InvalidInput` for what is none.
pub fn rows(options: &Options<'_>, of: &Stated, suffice: impl Fn(&Positions) -> bool) -> PyResult<RowPositions> {
    let Some(stated) = options.get("positions") else { return Ok(RowPositions::Counted) };
    if let Stated::Axes(_) = of {
        return coordinates(stated, place(options)?).map(RowPositions::Any);
    }
    let whole = positions(stated);
    if whole.as_ref().is_ok_and(suffice) {
        return whole.map(RowPositions::Whole);
    }
    let placed = |read: &Coordinates| read.axes() == 1 && (0..read.rows()).all(|row| read.place(row, 0).is_some());
    match coordinates(stated, PositionAxes::One) {
        Ok(coordinates) if placed(&coordinates) => Ok(match coordinates.increasing() {
            Some(positions) => RowPositions::Whole(positions),
            None => RowPositions::Any(coordinates),
        }),
        Ok(coordinates) if coordinates.axes() == 1 => {
            let row = (0..coordinates.rows()).find(|row| coordinates.place(*row, 0).is_none()).unwrap_or_default();
            let expected = "a number; a row without a position, NaN, is stated with axes";
            Err(option(&format!("positions, row {row}"), expected, "NaN"))
        }
        Err(error) if !is_empty(stated) => Err(error),
        _ => whole.map(RowPositions::Whole),
    }
}

/// Axes that options state, or a convention that was stated whole, which may be one of one axis; none where nothing does.
///
/// # Errors
///
/// `InvalidInput` for options that do not go together.
pub fn stated(options: &Options<'_>, encoding: Encoding) -> PyResult<Option<Whole>> {
    let given = |names: &[&[&'static str]]| names.concat().into_iter().find(|name| options.get(name).is_some());
    if let Some(value) = options.get("convention") {
        let others = [ENCODING, AXES, SCALING, ONE_AXIS].concat();
        let beside = |name: &&&str| !["convention", "positions", "positions_axes", "duplication"].contains(*name);
        if let Some(other) = others.iter().filter(beside).find(|name| options.get(name).is_some()) {
            return Err(option("convention", "nothing else that states the encoding", other));
        }
        let whole = whole(&json("convention", value)?.to_string(), encoding).map_err(|error| refused(&error))?;
        return match (&whole, given(&[AXES])) {
            (Whole::Plain(_), Some(name)) => dangling(name),
            _ => Ok(Some(whole)),
        };
    }
    let request = request(options)?;
    if request.stating().is_none() {
        if let Some(convention) = of_configuration(options, encoding)? {
            return Ok(Some(Whole::Axial(Box::new(convention))));
        }
        return given(&[AXES]).map_or(Ok(None), dangling);
    }
    let convention = request.convention(encoding, given(&[ONE_AXIS, SCALING]));
    convention.map(|convention| Some(Whole::Axial(Box::new(convention)))).map_err(|error| refused(&error))
}

/// Keywords beside a configuration that is read for its axes, besides those of a judgement.
const OF_MODEL: &[&str] = &["config", "layer", "layer_type", "part", "positions", "positions_axes"];

/// The axes of a configuration: of its vision part, or of its layers where positions have a coordinate for each axis.
fn of_configuration(options: &Options<'_>, encoding: Encoding) -> PyResult<Option<AxialConvention>> {
    let Some(config) = options.get("config").filter(|_| encoding == Encoding::Rope) else { return Ok(None) };
    let part = options.get("part").map(|part| text("part", part)).transpose()?;
    let vision = part.as_deref() == Some(Model::VISION);
    let columns = |positions| shape(positions).map(|shape| Coordinates::are_of_axes(&shape));
    let several = place(options)? == PositionAxes::First || options.get("positions").map_or(Ok(false), columns)?;
    if !vision && !several {
        return Ok(None);
    }
    let beside = [ENCODING, SCALING].concat().into_iter().filter(|name| !OF_MODEL.contains(name));
    if let Some(other) = beside.into_iter().find(|name| options.get(name).is_some()) {
        return Err(option(
            "config",
            "no option beside it that specifies an encoding, where its axes are meant",
            other,
        ));
    }
    let source = Source::of(config)?;
    let misread = |error| source.misread(&error);
    if vision {
        return source.vision().map(Some).map_err(misread);
    }
    let model = source.read(&options.request()?.stated()).map_err(misread)?;
    let layer_type = options.get("layer_type").map(|name| text("layer_type", name)).transpose()?;
    let kind = model.kind(options.count("layer")?, layer_type.as_deref()).map_err(misread)?;
    let Some(rotation) = &kind.rotation else {
        return Err(option("layer", "one that rotates", format!("layers of kind {}, which do not", kind.name)));
    };
    model.sectioned(rotation).map(|(convention, _)| Some(convention)).map_err(misread)
}

/// The shape of positions, where they are an array or a list of lists.
fn shape(positions: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    if are_lists(positions)? {
        return Ok(vec![positions.len()?, positions.get_item(0)?.len()?]);
    }
    let shape = positions.getattr("shape").and_then(|shape| shape.try_iter()?.map(|size| size?.extract()).collect());
    Ok(shape.unwrap_or_default())
}

fn dangling<T>(name: &str) -> PyResult<T> {
    Err(option(name, "axes, sections or span beside it", "none of them"))
}

/// The options as data.
fn request(options: &Options<'_>) -> PyResult<AxesRequest> {
    let index = options.get("index").map(|index| text("index", index)).transpose()?;
    if let Some(other) = index.as_ref().filter(|index| *index != "pairs") {
        return Err(option("index", "'pairs'", format!("'{other}'")));
    }
    let counts = |sizes: &Bound<'_, PyAny>| sizes.try_iter()?.map(|size| count("sections", &size?)).collect();
    let all = AxesRequest {
        axes: options.get("axes").map(axes).transpose()?,
        sections: options.get("sections").map(counts).transpose()?,
        sections_order: options.read("sections_order")?,
        slots: options.read("slots")?,
        span: options.read("span")?,
        by_pairs: index.is_some(),
        ..AxesRequest::default()
    };
    if all.stating().is_none() {
        return Ok(all);
    }
    let mut fields = Map::new();
    for (name, field) in PARAMETERS {
        let Some(value) = options.get(name) else { continue };
        let number = matches!(*name, "base" | "position_offset" | "angle_scale" | "amplitude");
        let value = if number { Value::from(decimal(name, value)?) } else { json(name, value)? };
        fields.insert((*field).to_owned(), value);
    }
    let parameters = serde_json::from_value(fields.into()).map_err(|error| invalid(format!("convention: {error}")))?;
    Ok(AxesRequest { dim: options.count("dim")?, layout: options.read("layout")?, parameters, ..all })
}

/// Axes: dictionaries with the fields of a convention's JSON, or text such as `h:0..16`.
fn axes(stated: &Bound<'_, PyAny>) -> PyResult<Vec<Axis>> {
    let axis = |at: usize, axis: &Bound<'_, PyAny>| -> PyResult<Axis> {
        let name = format!("axes, entry {at}");
        if axis.is_instance_of::<PyString>() {
            return parsed(&name, &text(&name, axis)?);
        }
        serde_json::from_value(json(&name, axis)?).map_err(|error| invalid(format!("{name}: {error}")))
    };
    let listed = stated.try_iter().map_err(|_| option("axes", "a list of axes", kind(stated)))?;
    listed.enumerate().map(|(at, one)| axis(at, &one?)).collect()
}

/// Place of the axes among those of the positions.
pub fn place(options: &Options<'_>) -> PyResult<PositionAxes> {
    match options.get("positions_axes").map(|value| text("positions_axes", value)).transpose()?.as_deref() {
        None | Some("last") => Ok(PositionAxes::Last),
        Some("first") => Ok(PositionAxes::First),
        Some(other) => Err(option("positions_axes", "'first' or 'last'", format!("'{other}'"))),
    }
}
