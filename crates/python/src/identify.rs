//! `identify`: which convention arrays follow, of one axis or of several.

use super::array::kind;
use super::axes::{place, rows};
use super::coordinates::coordinates;
use super::errors::{internal, invalid, keywords, option, unjudged};
use super::interrupt::interruptible;
use super::judge::{Given, GridKind, subject};
use super::judgement::as_keywords;
use super::options::{GRID, Options, unstated};
use super::positions::increase;
use super::values::text;
use posproof_bound::first::{First, FirstVersion};
use posproof_check::axes::{identify_axes, identify_axes_unplaced};
use posproof_check::read::SequenceAxis;
use posproof_check::request::{Refused, RowPositions, Stated};
use posproof_check::{Invalid, Subject, identify, identify_frequencies};
use posproof_encoding::arguments::arguments;
use posproof_encoding::axes::POSITION;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;
use std::fmt::Display;

/// Keywords of an identification.
const ROWS: &[&str] = &["axes", "positions", "positions_axes", "sequence_axis"];

/// Answer of `identify`: its JSON of both versions, its words, and the options of each convention that remains, as text or as JSON.
type Identified = ([String; 2], String, Vec<Vec<(String, String)>>);

/// The names of axes.
fn names(options: &Options<'_>) -> PyResult<Option<Vec<String>>> {
    let Some(stated) = options.get("axes") else { return Ok(None) };
    let listed = stated.try_iter().map_err(|_| option("axes", "a list of names", kind(stated)))?;
    let names = listed.map(|name| text("axes", &name?)).collect::<PyResult<Vec<String>>>()?;
    if let Some(at) = (0..names.len()).find(|&at| names[at].is_empty() || names[..at].contains(&names[at])) {
        return Err(invalid(format!("axes: expected a name of its own for every axis; found '{}'", names[at])));
    }
    Ok(Some(names))
}

/// An answer as the package takes it.
fn told<T: FirstVersion + Serialize + Display>(
    found: &T,
    remaining: Vec<Vec<(String, String)>>,
) -> PyResult<Identified> {
    let json = [serde_json::to_string(&First(found)), serde_json::to_string(found)];
    let [first, second] = json.map(|json| json.map_err(internal));
    Ok(([first?, second?], keywords(&found.to_string()), remaining))
}

/// Says which convention arrays follow: of one axis, of those that have names, or, where these have no positions, which slots turn together.
#[pyfunction(name = "identify")]
pub fn recognise(py: Python<'_>, arrays: &Bound<'_, PyDict>, options: &Bound<'_, PyDict>) -> PyResult<Identified> {
    let options = Options::new("identify", options, &[ROWS, GRID])?;
    let names = names(&options)?;
    if names.is_none() && options.get("positions_axes").is_some() {
        return Err(invalid("positions_axes: expected axes beside it; found none"));
    }
    let positions = match (&names, options.get("positions")) {
        (Some(names), Some(stated)) => {
            let read = coordinates(stated, place(&options)?)?.once().broadcast(names.len());
            RowPositions::Any(read.map_err(invalid)?)
        }
        (Some(_), None) => RowPositions::Counted,
        (None, _) => rows(&options, &Stated::Layers(Vec::new()), increase)?.once(),
    };
    let axis = SequenceAxis { stated: options.sequence_axis()?, positions: positions.rows() };
    let given = Given::new(arrays)?.on_grid(&options)?;
    let is_of_rows = !matches!(positions, RowPositions::Any(_)) && names.is_none();
    if !is_of_rows && given.get("inv_freq").is_some() {
        return Err(unstated(&Refused::Frequencies));
    }
    let found = |judge: &(dyn Fn(Subject<'_>) -> Result<PyResult<Identified>, Invalid> + Sync)| {
        let judged = interruptible(py, |stop| given.open(axis, stop, |grids, kind| judge(subject(grids, kind))))?;
        judged.map_err(unjudged)?
    };
    match &positions {
        RowPositions::Any(coordinates) => found(&|subject| {
            // Positions along one axis have no name of their own.
            let own = [POSITION.to_owned()];
            let found = identify_axes(subject, coordinates, names.as_deref().unwrap_or(&own))?;
            let json = found.convention.iter().map(|convention| serde_json::to_string(convention).map_err(internal));
            let stated = json.map(|json| Ok(vec![("convention".to_owned(), json?)])).collect::<PyResult<Vec<_>>>();
            Ok(stated.and_then(|stated| told(&found, stated)))
        }),
        _ if names.is_some() => found(&|subject| Ok(told(&identify_axes_unplaced(subject)?, Vec::new()))),
        positions => {
            let increasing = if let RowPositions::Whole(positions) = positions { Some(positions) } else { None };
            let found = interruptible(py, |stop| {
                given.open(axis, stop, |grids, kind| match kind {
                    GridKind::Frequencies => identify_frequencies(grids[0]),
                    _ => identify(subject(grids, kind), increasing),
                })
            })?;
            let found = found.map_err(unjudged)?;
            let remaining = found.remaining.iter().map(|convention| as_keywords(&arguments(convention))).collect();
            told(&found, remaining)
        }
    }
}
