//! Certified absolute tolerances.

use super::axes::AXES;
use super::bounds::impossible;
use super::errors::{internal, option};
use super::interrupt::interruptible;
use super::options::{ENCODING, Options};
use super::scaling::SCALING;
use super::tables::HandedArray;
use posproof_bound::Compute;
use posproof_bound::first::First;
use posproof_bound::tolerance::{
    ListedPositions, MOST_LISTED, Told, c_header as header, hexadecimal as in_hexadecimal,
};
use posproof_check::request::Computation;
use posproof_encoding::convention::Encoding;
use posproof_numerics::format::Format;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Tolerances: an array [positions, pairs] in binary64, or [sequences, positions, pairs]; what they are of as JSON of both versions, and the
/// positions as JSON of both, where they are few enough to be listed.
#[pyfunction]
pub fn tolerance(
    py: Python<'_>,
    sinusoid: bool,
    options: &Bound<'_, PyDict>,
) -> PyResult<(HandedArray, [String; 2], Option<[String; 2]>)> {
    let known: &[&[&str]] = &[ENCODING, SCALING, AXES, &["dtype", "compute", "ulp", "path"]];
    let options = Options::new("tolerance", options, known)?;
    let placed = options.placed(if sinusoid { Encoding::Sinusoid } else { Encoding::Rope })?;
    let Computation { compute: format, libraries, path, storage } = options.computation()?;
    let (program, storage) = ((Compute { format, libraries }, path), storage.unwrap_or(Format::F32));
    let tolerances = placed.tolerances(program, storage).map_err(impossible)?;
    let array = HandedArray::filled::<f64>(tolerances.shape(), |entries| {
        interruptible(py, |stop| {
            for (row, entries) in entries.chunks_mut(tolerances.width().max(1)).enumerate() {
                if row % 1024 == 0 && stop.asked() {
                    return;
                }
                tolerances.row(row, entries);
            }
        })
    })?;
    let json = |[first, second]: [serde_json::Result<String>; 2]| -> PyResult<[String; 2]> {
        Ok([first.map_err(internal)?, second.map_err(internal)?])
    };
    let document = tolerances.document(Told::Apart);
    let documents = json([serde_json::to_string(&First(&document)), serde_json::to_string(&document)])?;
    let listed = (tolerances.rows() <= MOST_LISTED).then(|| tolerances.positions());
    let listed = listed.map(|all| json([serde_json::to_string(&all), serde_json::to_string(&all.by_axes())]));
    Ok((array, documents, listed.transpose()?))
}

/// Tolerances as an array of C.
#[pyfunction]
pub fn c_header(name: &str, origin: &str, positions: &str, atol: &Bound<'_, HandedArray>) -> PyResult<String> {
    let positions: ListedPositions = serde_json::from_str(positions).map_err(internal)?;
    let text = header(name, origin, &positions, (&HandedArray::tolist(atol)?, atol.get().width()));
    text.ok_or_else(|| option("name", "a name of C", format!("'{name}'")))
}

/// Tolerances in hexadecimal.
#[pyfunction]
pub fn hexadecimal(atol: &Bound<'_, HandedArray>) -> PyResult<Vec<Vec<String>>> {
    Ok(in_hexadecimal(&HandedArray::tolist(atol)?, atol.get().width()))
}
