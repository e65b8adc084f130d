//! Two outputs of one convention.

use super::axes::{AXES, Axial, Computed};
use super::errors::{internal, option, unjudged};
use super::interrupt::interruptible;
use super::judge::{Given, subject};
use super::options::{ENCODING, GRID, JUDGING, Options};
use super::positions::stretches;
use super::scaling::SCALING;
use posproof_check::axes::AxialReport;
use posproof_check::read::SequenceAxis;
use posproof_check::{ComparedOutputs, Expectation, Invalid, Report};
use posproof_encoding::convention::Encoding;
use posproof_encoding::request::Specified;
use posproof_table::Positions;
use pyo3::prelude::*;
use pyo3::types::PyDict;

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
        return Err(option("inv_freq", "cos, sin or both: frequencies have no rows to compare", "it"));
    }
    let suffice = |whole: &Positions| stretches(whole).is_ok_and(|cut| cut.len() == 1);
    let along = || Axial::along(&options, encoding, suffice);
    if let Some(axial) = Axial::stated(&options, encoding)?.map_or_else(along, |axial| Ok(Some(axial)))? {
        let computed = Computed::of(&options)?;
        computed.require_bound()?;
        let axis = SequenceAxis { stated: options.sequence_axis()?, positions: Some(axial.coordinates.rows()) };
        let compared: Result<ComparedOutputs<AxialReport>, Invalid> = interruptible(py, |stop| {
            one.open(axis, stop, |grids, kind| {
                other.open(axis, stop, |others, also| {
                    axial.compare([subject(grids, kind), subject(others, also)], &computed)
                })
            })
        })?;
        return serde_json::to_string(&compared.map_err(unjudged)?).map_err(internal);
    }
    let Computed { compute, libraries, path, storage } = Computed::of(&options)?;
    let (positions, duplication) = (options.positions()?, options.duplication()?);
    let [Specified { convention, .. }] = &options.conventions(encoding)?[..] else {
        return Err(option("config", "one kind of layers: layer or layer_type", "several"));
    };
    let axis = SequenceAxis { stated: options.sequence_axis()?, positions: positions.as_ref().map(Positions::len) };
    let convention = convention.clone();
    let expectation = Expectation { convention, positions, compute, libraries, path, storage, duplication };
    let compared: Result<ComparedOutputs<Report>, Invalid> = interruptible(py, |stop| {
        one.open(axis, stop, |grids, kind| {
            other.open(axis, stop, |others, also| {
                posproof_check::compare_outputs([subject(grids, kind), subject(others, also)], &expectation)
            })
        })
    })?;
    serde_json::to_string(&compared.map_err(unjudged)?).map_err(internal)
}
