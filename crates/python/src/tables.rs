//! Correctly rounded tables, in memory that any array library can take over.

use super::array::memory;
use super::axes::AXES;
use super::errors::{internal, invalid, option};
use super::interrupt::{Stop, interruptible};
use super::memory::{Block, Handed, Part, entries_of};
use super::options::{ENCODING, Options};
use super::scaling::SCALING;
use dlpark::python::{ExportRequest, export_dlpack};
use posproof_check::probe;
use posproof_check::request::EncodedRows;
use posproof_encoding::convention::Encoding;
use posproof_numerics::format::Format;
use posproof_table::{AxialTable, Element, InvalidTable, Table, first_infinite, in_format};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::ops::Range;

/// Rows between two looks at the signals.
const ROWS_AT_A_TIME: usize = 1 << 13;

/// An array [rows, columns], or [sequences, rows, columns], that array libraries take over without a copy: by DLPack, or as NumPy's.
#[pyclass(frozen, name = "Array", module = "posproof")]
pub struct HandedArray {
    array: Handed,
    format: Format,
    shape: Vec<usize>,
}

/// Parts of an array that pickle keeps.
type Pickled<'py> = (Bound<'py, PyBytes>, &'static str, Bound<'py, PyTuple>);

/// The array that pickle kept.
#[pyfunction]
pub fn restored_array(bytes: &[u8], dtype: &Bound<'_, PyAny>, shape: Vec<usize>) -> PyResult<HandedArray> {
    fn of<T: Element + bytemuck::AnyBitPattern + bytemuck::NoUninit>(
        bytes: &[u8],
        shape: Vec<usize>,
    ) -> PyResult<HandedArray> {
        HandedArray::filled::<T>(shape, |entries| {
            if size_of_val(entries) != bytes.len() {
                let expected = format!("{} bytes, as many as the shape has", size_of_val(entries));
                return Err(option("bytes", expected, format!("{} bytes", bytes.len())));
            }
            let numbers = bytes.chunks_exact(size_of::<T>()).map(T::read_le);
            entries.iter_mut().zip(numbers).for_each(|(entry, number)| *entry = number);
            Ok(())
        })
    }
    in_format!(super::values::format("dtype", dtype)?, T => of::<T>(bytes, shape))
}

impl HandedArray {
    fn new(block: Block, format: Format, shape: Vec<usize>) -> PyResult<Self> {
        let array = Handed::new(block, format, &shape).ok_or_else(|| internal("a block that is too small"))?;
        Ok(Self { array, format, shape })
    }

    /// Entries of a row.
    pub fn width(&self) -> usize {
        self.shape.last().copied().unwrap_or(1)
    }

    /// An array whose entries are written by a function.
    pub fn filled<T: Element + bytemuck::AnyBitPattern + bytemuck::NoUninit>(
        shape: Vec<usize>,
        fill: impl FnOnce(&mut [T]) -> PyResult<()>,
    ) -> PyResult<Self> {
        let count = entries_of(&shape).ok_or_else(|| too_large(&shape))?;
        let mut block = zeroed::<T>(&shape)?;
        fill(block.entries::<T>(count))?;
        Self::new(block, T::FORMAT, shape)
    }
}

#[pymethods]
impl HandedArray {
    /// (rows, columns), or (sequences, rows, columns).
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shape)
    }

    /// `float16`, `bfloat16`, `float32`, `float64`, `float8_e4m3fn` or `float8_e5m2`.
    #[getter]
    fn dtype(&self) -> &'static str {
        match self.format {
            Format::F64 => "float64",
            Format::F32 => "float32",
            Format::F16 => "float16",
            Format::Bf16 => "bfloat16",
            Format::E4m3 => "float8_e4m3fn",
            Format::E5m2 => "float8_e5m2",
        }
    }

    /// The entries, row after row.
    pub fn tolist(slf: &Bound<'_, Self>) -> PyResult<Vec<f64>> {
        let (memory, mut entries) = (memory("array", slf.as_any())?, Vec::new());
        let leading = &slf.get().shape[..slf.get().shape.len().saturating_sub(1)];
        for row in 0..leading.iter().product() {
            let mut at = vec![0; leading.len()];
            let mut rest: usize = row;
            for (at, n) in at.iter_mut().zip(leading).rev() {
                (*at, rest) = (rest % n, rest / n);
            }
            memory.read(&at, Part::Real, &mut entries);
        }
        Ok(entries)
    }

    fn __len__(&self) -> usize {
        self.shape[0]
    }

    /// For pickle: the bytes of the entries, what they are, and the shape.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        fn of<T: Element>(numbers: &[f64]) -> Vec<u8> {
            let mut bytes = vec![0; size_of_val(numbers) / size_of::<f64>() * size_of::<T>()];
            for (entry, &number) in bytes.chunks_exact_mut(size_of::<T>()).zip(numbers) {
                T::from_exact(number).write_le(entry);
            }
            bytes
        }
        let (py, array) = (slf.py(), slf.get());
        let numbers = Self::tolist(slf)?;
        let bytes = in_format!(array.format, T => of::<T>(&numbers));
        let restore = py.import("posproof._posproof")?.getattr("restored_array")?;
        Ok((restore, (PyBytes::new(py, &bytes), array.dtype(), array.shape(py)?)))
    }

    fn __repr__(&self) -> String {
        let shape: Vec<String> = self.shape.iter().map(usize::to_string).collect();
        format!("<posproof.Array {} {}>", shape.join("×"), self.dtype())
    }

    fn __dlpack_device__(&self) -> (u32, i32) {
        (1, 0)
    }

    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<&Bound<'py, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(u32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Py<PyAny>> {
        export_dlpack(&self.array, py, ExportRequest::parse(stream, max_version, dl_device, copy)?)
    }

    /// NumPy's array; of a dtype of `ml_dtypes` where NumPy has none of its own.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let from = py.import("numpy")?.getattr("from_dlpack")?;
        let array = if self.format == Format::Bf16 || self.format.narrow().is_some() {
            let bits = Self { array: self.array.as_bits(), format: self.format, shape: self.shape.clone() };
            from.call1((Bound::new(py, bits)?,))?
                .call_method1("view", (py.import("ml_dtypes")?.getattr(self.dtype())?,))?
        } else {
            from.call1((self.as_other(py)?,))?
        };
        match (dtype, copy) {
            (Some(dtype), _) => array.call_method1("astype", (dtype,)),
            (None, Some(true)) => array.call_method0("copy"),
            (None, _) => Ok(array),
        }
    }
}

impl HandedArray {
    /// The same memory as another object, which NumPy asks by DLPack alone.
    fn as_other<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Self>> {
        Bound::new(py, Self { array: self.array.shared(), format: self.format, shape: self.shape.clone() })
    }
}

fn too_large(shape: &[usize]) -> PyErr {
    invalid(format!("a table of shape {shape:?}: expected one that fits into memory"))
}

fn zeroed<T>(shape: &[usize]) -> PyResult<Block> {
    let bytes = entries_of(shape).and_then(|entries| entries.checked_mul(size_of::<T>()));
    bytes.and_then(Block::zeroed).ok_or_else(|| too_large(shape))
}

/// A sinusoidal table [positions, dim], or the cosines and sines [positions, pairs] of a rotary encoding, every entry the
/// correct rounding of the exact real number.
#[pyfunction]
pub fn table(
    py: Python<'_>,
    function: &str,
    sinusoid: bool,
    options: &Bound<'_, PyDict>,
) -> PyResult<Vec<HandedArray>> {
    let options = Options::new(function, options, &[ENCODING, SCALING, AXES, &["dtype"]])?;
    let encoding = if sinusoid { Encoding::Sinusoid } else { Encoding::Rope };
    let asked = options.placed(encoding)?;
    if let EncodedRows::Axes(law, _) = &asked
        && law.heads() > 1
    {
        return Err(option("axes", "frequencies [slots], a list for one head", "those of several heads"));
    }
    in_format!(options.format("dtype")?.unwrap_or(Format::F32), T => make::<T>(py, &asked))
}

fn make<T: Element + bytemuck::AnyBitPattern + bytemuck::NoUninit>(
    py: Python<'_>,
    asked: &EncodedRows,
) -> PyResult<Vec<HandedArray>> {
    let (joined, shape) = match asked {
        EncodedRows::Whole(convention, positions) => {
            let joined = convention.encoding == Encoding::Sinusoid;
            (joined, vec![positions.len(), if joined { convention.width() } else { convention.pairs() }])
        }
        EncodedRows::Axes(law, coordinates) => {
            let joined = law.convention().encoding == Encoding::Sinusoid;
            let width = if joined { law.convention().dim } else { law.slots() };
            let sequences = Some(coordinates.sequences()).filter(|sequences| *sequences > 1);
            (joined, sequences.into_iter().chain([coordinates.length(), width]).collect())
        }
    };
    let width = shape.last().copied().unwrap_or(1);
    let entries = entries_of(&shape).ok_or_else(|| too_large(&shape))?;
    if matches!(asked, EncodedRows::Axes(..)) && entries > AxialTable::<T>::MOST_ENTRIES {
        let (found, most) = (format!("a table of shape {shape:?}"), AxialTable::<T>::MOST_ENTRIES);
        return Err(option("positions", format!("at most {most} entries of several axes at once"), found));
    }
    let mut first = zeroed::<T>(&shape)?;
    let mut second = zeroed::<T>(if joined { &[0] } else { &shape })?;
    let place = |row: usize| match asked {
        EncodedRows::Whole(_, positions) => format!("position {}", positions.get(row).unwrap_or_default()),
        EncodedRows::Axes(..) => format!("row {row}"),
    };
    // What the format does not hold is refused.
    let held = |name: &str, start: usize, entries: &[T], infinite: Option<usize>| match infinite {
        Some(at) => {
            let place = format!("{}, {name}, column {}", place(start + at / width), at % width);
            Err(InvalidTable::overflow(place, entries[at]))
        }
        None => Ok(()),
    };
    let filled = {
        let (first, second) = (first.entries::<T>(entries), second.entries::<T>(if joined { 0 } else { entries }));
        interruptible(py, |stop| match asked {
            EncodedRows::Whole(convention, positions) => {
                let table = Table::<T>::new(convention, positions)?;
                let whole = |rows: Range<usize>, out: &mut [T]| {
                    table.fill(rows.clone(), out)?;
                    held("the table", rows.start, out, table.first_infinite(out))
                };
                let apart = |rows: Range<usize>, cos: &mut [T], sin: &mut [T]| {
                    table.fill_apart(rows.clone(), cos, sin)?;
                    held("cos", rows.start, cos, table.first_infinite(cos))?;
                    held("sin", rows.start, sin, table.first_infinite(sin))
                };
                fill(width, first, second, stop, whole, apart)
            }
            EncodedRows::Axes(law, coordinates) => {
                let table = AxialTable::<T>::new(law, coordinates)?;
                let whole = |rows: Range<usize>, out: &mut [T]| {
                    table.fill_joined(0, rows.clone(), out)?;
                    held("the table", rows.start, out, first_infinite(out))
                };
                let apart = |rows: Range<usize>, cos: &mut [T], sin: &mut [T]| {
                    table.fill(0, rows.clone(), cos, sin)?;
                    held("cos", rows.start, cos, first_infinite(cos))?;
                    held("sin", rows.start, sin, first_infinite(sin))
                };
                fill(width, first, second, stop, whole, apart)
            }
        })?
    };
    filled.map_err(invalid)?;
    let mut arrays = vec![HandedArray::new(first, T::FORMAT, shape.clone())?];
    if !joined {
        arrays.push(HandedArray::new(second, T::FORMAT, shape)?);
    }
    Ok(arrays)
}

/// Fills rows some at a time, until it is stopped: one array of whole rows where there is no second.
fn fill<T: Element>(
    width: usize,
    first: &mut [T],
    second: &mut [T],
    stop: &Stop,
    whole: impl Fn(Range<usize>, &mut [T]) -> Result<(), InvalidTable>,
    apart: impl Fn(Range<usize>, &mut [T], &mut [T]) -> Result<(), InvalidTable>,
) -> Result<(), InvalidTable> {
    let mut second = second.chunks_mut(ROWS_AT_A_TIME * width.max(1));
    for (index, first) in first.chunks_mut(ROWS_AT_A_TIME * width.max(1)).enumerate() {
        if stop.asked() {
            break;
        }
        let start = index * ROWS_AT_A_TIME;
        let rows = start..start + first.len() / width.max(1);
        match second.next() {
            Some(second) => apart(rows, first, second)?,
            None => whole(rows, first)?,
        }
    }
    Ok(())
}

/// Positions that tell hypotheses apart, up to `last`.
#[pyfunction]
pub fn probe_positions(last: u64) -> PyResult<Vec<u64>> {
    Ok(probe::positions(last).map_err(|error| option("last", "a position", error))?.iter().collect())
}

/// Vectors to be rotated: numbers of magnitude 1/2 to 3/2, the same for every call.
#[pyfunction]
pub fn probe_vectors(rows: usize, width: usize, dtype: &Bound<'_, PyAny>) -> PyResult<HandedArray> {
    fn of<T: Element + bytemuck::AnyBitPattern + bytemuck::NoUninit>(shape: Vec<usize>) -> PyResult<HandedArray> {
        HandedArray::filled::<T>(shape, |entries| {
            let numbers = probe::vectors(T::FORMAT, entries.len());
            entries.iter_mut().zip(numbers).for_each(|(entry, number)| *entry = T::from_exact(number));
            Ok(())
        })
    }
    in_format!(super::values::format("dtype", dtype)?, T => of::<T>(vec![rows, width]))
}
