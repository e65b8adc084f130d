//! The native part of the Python package `posproof`: arrays and options come in, judgements and tables go out. What needs no
//! more than Python is written in it, in python/posproof.

mod array;
mod axes;
mod bounds;
mod claims;
mod command;
mod config;
mod coordinates;
mod decode;
mod encodings;
mod errors;
mod grid;
mod identify;
mod interrupt;
mod judge;
mod judgement;
mod kernel;
mod lint;
mod memory;
mod options;
mod outputs;
mod positions;
mod scaling;
mod tables;
mod tolerance;
mod values;

use pyo3::prelude::*;

#[pymodule]
fn _posproof(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("InvalidInput", module.py().get_type::<errors::InvalidInput>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<judgement::Judgement>()?;
    module.add_class::<tables::HandedArray>()?;
    module.add_class::<decode::Found>()?;
    module.add_function(wrap_pyfunction!(judge::judge, module)?)?;
    module.add_function(wrap_pyfunction!(outputs::compare_outputs, module)?)?;
    module.add_function(wrap_pyfunction!(identify::recognise, module)?)?;
    module.add_function(wrap_pyfunction!(judgement::html_page, module)?)?;
    module.add_function(wrap_pyfunction!(decode::positions, module)?)?;
    module.add_function(wrap_pyfunction!(encodings::conventions, module)?)?;
    module.add_function(wrap_pyfunction!(positions::positions_list, module)?)?;
    module.add_function(wrap_pyfunction!(coordinates::numbers_list, module)?)?;
    module.add_function(wrap_pyfunction!(tables::table, module)?)?;
    module.add_function(wrap_pyfunction!(tables::probe_positions, module)?)?;
    module.add_function(wrap_pyfunction!(tables::probe_vectors, module)?)?;
    module.add_function(wrap_pyfunction!(tables::restored_array, module)?)?;
    module.add_function(wrap_pyfunction!(tolerance::tolerance, module)?)?;
    module.add_function(wrap_pyfunction!(tolerance::c_header, module)?)?;
    module.add_function(wrap_pyfunction!(tolerance::hexadecimal, module)?)?;
    module.add_function(wrap_pyfunction!(bounds::bound, module)?)?;
    module.add_function(wrap_pyfunction!(kernel::compare, module)?)?;
    module.add_function(wrap_pyfunction!(command::command, module)?)?;
    module.add_class::<claims::ClaimProbe>()?;
    module.add_function(wrap_pyfunction!(claims::claims, module)?)?;
    module.add_function(wrap_pyfunction!(claims::claim_probe, module)?)?;
    module.add_function(wrap_pyfunction!(lint::lint, module)?)?;
    module.add_function(wrap_pyfunction!(lint::layer_axes, module)?)?;
    module.add_function(wrap_pyfunction!(lint::layer_kinds, module)?)
}
