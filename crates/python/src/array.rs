//! Arrays of other libraries: by DLPack, the buffer protocol or `__array__`, whichever works first.

use super::errors::{invalid, option};
use super::memory::{EntryKind, Memory, Part, on_device};
use dlpark::ffi::{DLDevice, DLDeviceType};
use dlpark::python::{ImportRequest, ImportedDlpack, from_dlpack};
use posproof_numerics::format::Format;
use posproof_table::LIMIT;
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;

/// The memory of an array, without a copy where its library lends it.
///
/// # Errors
///
/// `InvalidInput` for what lends none, with the reason of the protocol that came nearest; what is raised that is no
/// `Exception`, such as `KeyboardInterrupt`.
pub fn memory(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Memory> {
    if object.hasattr("mask")? && object.hasattr("filled")? {
        return Err(invalid(format!("{name}: expected an array without a mask; found {}", kind(object))));
    }
    if let Some((found, converted)) = unread(object)? {
        let expected = "entries in the byte order of this machine, in a floating-point format or integers";
        return Err(option(name, expected, format!("dtype {found}; convert it first: .astype('{converted}')")));
    }
    let detached = match object.getattr_opt("requires_grad")? {
        Some(wanted) if wanted.is_truthy().unwrap_or(false) && object.hasattr("detach")? => {
            object.call_method0("detach")?
        }
        _ => object.clone(),
    };
    let resolved = resolved(&detached)?;
    require_storage(name, &resolved)?;
    lent(name, &resolved, true)
}

/// The array with its numbers in memory: PyTorch keeps a conjugate, and the negative that is its imaginary part, as a flag of the
/// tensor, which no protocol hands over.
fn resolved<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let mut resolved = object.clone();
    for (asks, resolves) in [("is_conj", "resolve_conj"), ("is_neg", "resolve_neg")] {
        if resolved.hasattr(asks)? && resolved.hasattr(resolves)? && resolved.call_method0(asks)?.is_truthy()? {
            resolved = resolved.call_method0(resolves)?;
        }
    }
    Ok(resolved)
}

/// Refuses a tensor of PyTorch whose memory was given back: its shape is still there.
fn require_storage(name: &str, object: &Bound<'_, PyAny>) -> PyResult<()> {
    if !(object.hasattr("untyped_storage")? && object.hasattr("element_size")?) {
        return Ok(());
    }
    // Tensors of some kinds have no storage: what reads them says so.
    let Ok(storage) = object.call_method0("untyped_storage") else { return Ok(()) };
    let number = |value: Bound<'_, PyAny>| value.extract::<u64>();
    let held = number(storage.call_method0("nbytes")?)?;
    let shape: Vec<u64> = object.getattr("shape")?.extract()?;
    if shape.contains(&0) {
        return Ok(());
    }
    let strides: Vec<u64> = object.call_method0("stride")?.extract()?;
    let first = number(object.call_method0("storage_offset")?)?;
    let last =
        shape.iter().zip(&strides).fold(first, |at, (n, stride)| at.saturating_add((n - 1).saturating_mul(*stride)));
    let needed = last.saturating_add(1).saturating_mul(number(object.call_method0("element_size")?)?);
    if held < needed {
        let expected = format!("a tensor whose storage holds its {needed} bytes");
        return Err(option(name, expected, format!("a storage of {held} bytes: it was freed, or resized")));
    }
    Ok(())
}

/// Every number of an array, the last axis fastest, and the shape.
///
/// # Errors
///
/// `InvalidInput` for what is no array, complex numbers, more than `most` of them, and integers that binary64 does not hold.
pub fn numbers(name: &str, object: &Bound<'_, PyAny>, most: usize) -> PyResult<(Vec<usize>, Vec<f64>)> {
    let memory = memory(name, object)?;
    let shape = memory.shape().to_vec();
    let count = shape.iter().try_fold(1usize, |product, &n| product.checked_mul(n));
    let real = !matches!(memory.kind(), EntryKind::Complex(_));
    if !real || count.is_none_or(|count| count > most) {
        let found = format!("{} of shape {shape:?}", kind(object));
        return Err(option(name, format!("at most {most} real numbers"), found));
    }
    let mut values = Vec::new();
    let outer = &shape[..shape.len().saturating_sub(1)];
    let mut at = vec![0; outer.len()];
    let rows: usize = outer.iter().product();
    for mut row in 0..rows {
        for (place, &n) in at.iter_mut().zip(outer).rev() {
            (*place, row) = (row % n, row / n);
        }
        memory.read(&at, Part::Real, &mut values);
    }
    let integers = matches!(memory.kind(), EntryKind::Signed(_) | EntryKind::Unsigned(_));
    match values.iter().position(|x| integers && x.abs() >= LIMIT as f64) {
        Some(at) => Err(option(&format!("{name}, entry {at}"), "an integer below 2^53 in magnitude", values[at])),
        None => Ok((shape, values)),
    }
}

fn lent(name: &str, object: &Bound<'_, PyAny>, by_array: bool) -> PyResult<Memory> {
    let mut refusals = Refusals { name, first: None };
    if object.hasattr("__dlpack__")? {
        match dlpack(object) {
            Ok(memory) => return Ok(memory),
            Err(reason) => refusals.note(object.py(), reason)?,
        }
    }
    if let Some(format) = of_ml_dtypes(object).filter(|_| object.hasattr("view").unwrap_or(false)) {
        // NumPy lends its own kinds only: the same bits as integers are.
        let view = if format.bytes() == 1 { "uint8" } else { "uint16" };
        match object.call_method1("view", (view,)).and_then(|bits| lent(name, &bits, false)) {
            Ok(memory) => return Ok(memory.reinterpreted(EntryKind::Float(format))),
            Err(error) => refusals.note(object.py(), Refusal::Raised("view as integers", error))?,
        }
    }
    match PyUntypedBuffer::get(object) {
        Ok(buffer) => match Memory::of_buffer(buffer) {
            Ok(memory) => return Ok(memory),
            Err(reason) => refusals.note(object.py(), Refusal::Said(reason))?,
        },
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => {}
        Err(error) => refusals.note(object.py(), Refusal::Raised("the buffer protocol", error))?,
    }
    if by_array && object.hasattr("__array__")? {
        match object.call_method0("__array__") {
            Ok(array) => return lent(name, &array, false),
            Err(error) => refusals.note(object.py(), Refusal::Raised("__array__", error))?,
        }
    }
    let found = kind(object);
    Err(refusals.first.unwrap_or_else(|| {
        invalid(format!("{name}: expected an array (DLPack, buffer protocol or __array__); found {found}"))
    }))
}

/// Why a protocol gave nothing.
enum Refusal {
    Said(String),
    Raised(&'static str, PyErr),
}

struct Refusals<'a> {
    name: &'a str,
    first: Option<PyErr>,
}

impl Refusals<'_> {
    fn note(&mut self, py: Python<'_>, refusal: Refusal) -> PyResult<()> {
        let name = self.name;
        let error = match refusal {
            Refusal::Said(reason) => invalid(format!("{name}: {reason}")),
            Refusal::Raised(protocol, raised) => {
                if !raised.is_instance_of::<PyException>(py) {
                    return Err(raised);
                }
                let error = invalid(format!("{name}: expected an array; {protocol} raised {raised}"));
                error.set_cause(py, Some(raised));
                error
            }
        };
        self.first.get_or_insert(error);
        Ok(())
    }
}

fn dlpack(object: &Bound<'_, PyAny>) -> Result<Memory, Refusal> {
    let raised = |error| Refusal::Raised("__dlpack__", error);
    let request = ImportRequest::new(object.as_borrowed()).map_err(raised)?;
    if let Ok(device) = request.device()
        && !on_host(device)
    {
        return Err(Refusal::Said(on_device(device)));
    }
    let imported = match request.import(None, None) {
        // What was written before DLPack 1.0 knows no max_version.
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => unversioned(object),
        other => other,
    };
    Memory::of_dlpack(imported.map_err(raised)?).map_err(Refusal::Said)
}

fn unversioned(object: &Bound<'_, PyAny>) -> PyResult<ImportedDlpack> {
    from_dlpack(object.call_method0("__dlpack__")?.as_borrowed(), None, None)
}

fn on_host(device: DLDevice) -> bool {
    [DLDeviceType::CPU, DLDeviceType::CUDAHOST, DLDeviceType::ROCMHOST].contains(&device.device_type)
}

/// The format of an array whose dtype is one of the package ml_dtypes.
fn of_ml_dtypes(object: &Bound<'_, PyAny>) -> Option<Format> {
    let name = object.getattr("dtype").and_then(|dtype| dtype.getattr("name"));
    match name.and_then(|name| name.extract::<String>()).ok()?.as_str() {
        "bfloat16" => Some(Format::Bf16),
        "float8_e4m3fn" => Some(Format::E4m3),
        "float8_e5m2" => Some(Format::E5m2),
        _ => None,
    }
}

/// The dtype of an array whose entries cannot be read where they lie, as NumPy's dtype says so, and one that can be.
fn unread(object: &Bound<'_, PyAny>) -> PyResult<Option<(String, String)>> {
    let Some(dtype) = object.getattr_opt("dtype")? else { return Ok(None) };
    let (Some(kind), Some(native)) = (dtype.getattr_opt("kind")?, dtype.getattr_opt("isnative")?) else {
        return Ok(None);
    };
    let found = dtype.str()?.to_string();
    Ok(match (kind.extract::<String>().as_deref(), native.extract()) {
        (Ok("O"), _) => Some((found, "float64".to_owned())),
        // The name has no byte order: it is this machine's.
        (Ok("f" | "c" | "i" | "u"), Ok(false)) => Some((found, dtype.getattr("name")?.str()?.to_string())),
        _ => None,
    })
}

/// Kind of an object, for a message: `a list`, `torch.Tensor`.
pub fn kind(object: &Bound<'_, PyAny>) -> String {
    let of = object.get_type();
    let name = of.name().map(|name| name.to_string()).unwrap_or_else(|_| "something".to_owned());
    let module = of.module().map(|module| module.to_string()).unwrap_or_default();
    if module.is_empty() || module == "builtins" { name } else { format!("{module}.{name}") }
}
