//! Documents of the second version.

use super::errors::internal;
use pyo3::prelude::*;

/// The second version of a document of the first.
///
/// # Errors
///
/// For what is no JSON.
#[pyfunction]
pub fn second(document: &str) -> PyResult<String> {
    let first = serde_json::from_str(document).map_err(internal)?;
    serde_json::to_string(&posproof_command::documents::second(first)).map_err(internal)
}
