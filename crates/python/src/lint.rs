//! Meaning of a configuration.

use super::config::Source;
use super::errors::internal;
use super::values::{named, text};
use posproof_check::lint::Lint;
use posproof_encoding::model::{Problem, Stated};
use pyo3::prelude::*;
use serde_json::Value;

/// A kind of a configuration's layers: its name, the layers, whether they rotate.
type LayerKind = (String, Vec<usize>, bool, Option<f64>);

/// Meaning of a configuration, and what contradicts it: whether nothing does, its words, its JSON.
#[pyfunction]
#[pyo3(signature = (config, against=None, layout=None, part=None, error=1e-2))]
pub fn lint(
    config: &Bound<'_, PyAny>,
    against: Option<&Bound<'_, PyAny>>,
    layout: Option<&Bound<'_, PyAny>>,
    part: Option<String>,
    error: f64,
) -> PyResult<(bool, String, String)> {
    let layout = layout.map(|layout| named("layout", &text("layout", layout)?)).transpose()?;
    if !(error > 0.0 && error.is_finite()) {
        return Err(super::errors::option("error", "a number > 0", error));
    }
    let stated = Stated { layout, part, ..Stated::default() };
    let source = Source::of(config)?;
    let mut lint = match source.read(&stated) {
        Ok(model) => Lint::new(&source.name(), model, error),
        Err(wrong) if wrong.problem == Problem::Contradiction => Lint::contradictory(&source.name(), &wrong),
        Err(wrong) => return Err(source.misread(&wrong)),
    };
    if let Some(against) = against {
        let other = Source::of(against)?;
        match other.read(&stated) {
            Ok(model) => lint.compare_model(&other.name(), &model),
            Err(wrong) if wrong.problem == Problem::Contradiction => lint.compare_contradictory(&other.name(), &wrong),
            Err(wrong) => return Err(other.misread(&wrong)),
        }
    }
    let json: Value = serde_json::to_value(&lint).map_err(internal)?;
    Ok((lint.conforms(), lint.to_string(), json.to_string()))
}

/// The kinds of a configuration's layers: name, numbers, whether they rotate, and the factor of the logits at the first position
/// besides 1/√d; none where it was not measured in the family.
#[pyfunction]
#[pyo3(signature = (config, part=None))]
pub fn layer_kinds(config: &Bound<'_, PyAny>, part: Option<String>) -> PyResult<Vec<LayerKind>> {
    let model = super::config::read(config, &Stated { part, ..Stated::default() })?.model;
    let unmeasured = model.notes.iter().any(|note| note.key.ends_with("mscale_all_dim"));
    let kind = |kind: posproof_encoding::model::LayerKind| {
        let factor = (!unmeasured).then(|| kind.softmax.factor(0));
        (kind.name, kind.layers, kind.rotation.is_some(), factor)
    };
    Ok(model.kinds.into_iter().map(kind).collect())
}

/// The convention of the axes t, h and w of a configuration's layers, in JSON; none where it has no sections, or the order of them
/// in its family is not known.
#[pyfunction]
#[pyo3(signature = (config, part=None))]
pub fn layer_axes(config: &Bound<'_, PyAny>, part: Option<String>) -> PyResult<Option<String>> {
    let model = super::config::read(config, &Stated { part, ..Stated::default() })?.model;
    let mut rotations = model.kinds.iter().filter_map(|kind| kind.rotation.as_ref());
    let sectioned = rotations.find_map(|rotation| model.sectioned(rotation).ok());
    sectioned.map(|(axes, _)| serde_json::to_string(&axes).map_err(internal)).transpose()
}
