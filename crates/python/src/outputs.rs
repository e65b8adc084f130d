//! Two outputs of one convention.

use super::axes::AXES;
use super::errors::{internal, unjudged};
use super::interrupt::interruptible;
use super::judge::{Given, subject};
use super::options::{ENCODING, GRID, JUDGING, Options, unstated};
use super::positions::increase;
use super::scaling::SCALING;
use posproof_check::read::SequenceAxis;
use posproof_check::request::{Case, Refused};
use posproof_check::{Invalid, Subject, compare_axial_outputs};
use posproof_encoding::convention::Encoding;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;

/// Compares two outputs of one convention: the document of `posproof compare`.
#[pyfunction]
pub fn compare_outputs(
    py: Python<'_>,
    sinusoid: bool,
    outputs: (Bound<'_, PyDict>, Bound<'_, PyDict>),
    options: &Bound<'_, PyDict>,
) -> PyResult<String> {
    let options = Options::new("compare", options, &[ENCODING, SCALING, JUDGING, GRID, AXES])?;
    let encoding = if sinusoid { Encoding::Sinusoid } else { Encoding::Rope };
    let given = |arrays| Given::new(arrays)?.on_grid(&options);
    let (one, other) = (given(&outputs.0)?, given(&outputs.1)?);
    if one.get("inv_freq").or(other.get("inv_freq")).is_some() {
        return Err(unstated(&Refused::Frequencies));
    }
    let case = options.case(encoding, increase)?;
    let axis = SequenceAxis { stated: options.sequence_axis()?, positions: case.rows() };
    let document = match &case {
        Case::Axes(axial) => {
            let expectation = axial.only().map_err(|error| unstated(&error))?;
            opened(py, [&one, &other], axis, |outputs| json(&compare_axial_outputs(outputs, &expectation)?))
        }
        Case::Layers(layers) => {
            let expectation = layers.only().map_err(|error| unstated(&error))?;
            opened(py, [&one, &other], axis, |outputs| json(&posproof_check::compare_outputs(outputs, expectation)?))
        }
    };
    document?.map_err(unjudged)?.map_err(internal)
}

/// A document as text.
type Document = Result<serde_json::Result<String>, Invalid>;

fn json(compared: &impl Serialize) -> Document {
    Ok(serde_json::to_string(compared))
}

/// Opens both outputs, and compares them.
fn opened(
    py: Python<'_>,
    [one, other]: [&Given; 2],
    axis: SequenceAxis,
    compare: impl Fn([Subject<'_>; 2]) -> Document + Send + Sync,
) -> PyResult<Document> {
    interruptible(py, |stop| {
        one.open(axis, stop, |grids, kind| {
            other.open(axis, stop, |others, also| compare([subject(grids, kind), subject(others, also)]))
        })
    })
}
