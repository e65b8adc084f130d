//! Certified absolute tolerances.

use super::bounds::impossible;
use super::errors::{internal, invalid, option};
use super::interrupt::interruptible;
use super::options::{ENCODING, Options};
use super::scaling::SCALING;
use super::tables::HandedArray;
use posproof_bound::Compute;
use posproof_bound::tolerance::{MOST_LISTED, Tolerance, c_header as header, hexadecimal as in_hexadecimal};
use posproof_check::request::Computation;
use posproof_encoding::convention::Encoding;
use posproof_numerics::format::Format;
use posproof_table::Positions;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Tolerances: an array [positions, pairs] in binary64, what they are of as JSON, and the positions, as far as they are
/// few enough to be listed.
#[pyfunction]
pub fn tolerance(
    py: Python<'_>,
    sinusoid: bool,
    options: &Bound<'_, PyDict>,
) -> PyResult<(HandedArray, String, Vec<u64>)> {
    let options = Options::new("tolerance", options, &[ENCODING, SCALING, &["dtype", "compute", "ulp", "path"]])?;
    let convention = options.convention(if sinusoid { Encoding::Sinusoid } else { Encoding::Rope })?;
    let positions: Positions =
        options.positions()?.ok_or_else(|| invalid("no positions: expected positions, such as range(4096)"))?;
    let Computation { compute: format, libraries, path, storage } = options.computation()?;
    let (program, storage) = ((Compute { format, libraries }, path), storage.unwrap_or(Format::F32));
    let tolerance = Tolerance::new(&convention, positions.max(), program, storage).map_err(impossible)?;
    let pairs = tolerance.pairs();
    let array = HandedArray::filled::<f64>([positions.len(), pairs], |entries| {
        interruptible(py, |stop| {
            for (row, (entries, position)) in entries.chunks_mut(pairs.max(1)).zip(positions.iter()).enumerate() {
                if row % 1024 == 0 && stop.asked() {
                    return;
                }
                tolerance.row(position, entries);
            }
        })
    })?;
    let listed = if positions.len() <= MOST_LISTED { positions.iter().collect() } else { Vec::new() };
    Ok((array, serde_json::to_string(&tolerance.document()).map_err(internal)?, listed))
}

/// Tolerances as an array of C.
#[pyfunction]
pub fn c_header(name: &str, origin: &str, positions: Vec<u64>, atol: &Bound<'_, HandedArray>) -> PyResult<String> {
    let text = header(name, origin, &positions, &HandedArray::tolist(atol)?);
    text.ok_or_else(|| option("name", "a name of C", format!("'{name}'")))
}

/// Tolerances in hexadecimal.
#[pyfunction]
pub fn hexadecimal(atol: &Bound<'_, HandedArray>) -> PyResult<Vec<Vec<String>>> {
    Ok(in_hexadecimal(&HandedArray::tolist(atol)?, atol.get().width()))
}
