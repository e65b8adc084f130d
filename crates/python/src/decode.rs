//! By which positions rows really were encoded.

use super::array::numbers;
use super::errors::{internal, invalid, keywords, option, unjudged};
use super::interrupt::interruptible;
use super::judge::{Given, GridKind, subject};
use super::options::{ENCODING, Options};
use super::scaling::SCALING;
use super::values::{parsed, text};
use posproof_check::first::First;
use posproof_check::positions::{Decoded, Domain, Query, decode};
use posproof_check::read::SequenceAxis;
use posproof_check::request::Computation;
use posproof_check::{Invalid, InvalidInput};
use posproof_encoding::convention::Encoding;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyRange, PyRangeMethods, PyString};

/// Keywords of decoding.
const DECODING: &[&str] = &["domain", "expected", "dtype", "compute", "path", "sequence_axis"];

/// Expected positions at most: those of all tables.
const MOST: usize = 1 << 26;

/// The positions that were found, as the package keeps them.
#[pyclass(frozen, get_all, name = "Decoded", module = "posproof._posproof")]
pub struct Found {
    /// True if every row has one position.
    certified: bool,
    /// True if some row has none, or another than expected.
    falls_short: bool,
    /// In words.
    text: String,
    /// As JSON (schema `posproof.positions/1`).
    json: String,
    /// As JSON of the second version (schema `posproof.positions/2`).
    second: String,
    /// Tables, and the rows of each.
    shape: (usize, usize),
    /// The position of every row: integers of 64 bits; numbers in binary64, NaN for rows that are not certified, where there are such.
    entries: Py<PyBytes>,
}

#[pymethods]
impl Found {
    /// State that pickle kept.
    #[new]
    fn new(
        certified: bool,
        falls_short: bool,
        text: String,
        json: [String; 2],
        shape: (usize, usize),
        entries: Py<PyBytes>,
    ) -> Self {
        let [json, second] = json;
        Self { certified, falls_short, text, json, second, shape, entries }
    }

    /// For pickle: the fields.
    fn __getnewargs__(&self, py: Python<'_>) -> FoundFields {
        let Self { certified, falls_short, text, json, second, shape, entries } = self;
        (*certified, *falls_short, text.clone(), [json.clone(), second.clone()], *shape, entries.clone_ref(py))
    }
}

/// The fields of [`Found`].
type FoundFields = (bool, bool, String, [String; 2], (usize, usize), Py<PyBytes>);

/// Finds the position of every row of arrays.
#[pyfunction]
pub fn positions(
    py: Python<'_>,
    sinusoid: bool,
    arrays: &Bound<'_, PyDict>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Found> {
    let options = Options::new("positions", options, &[ENCODING, SCALING, DECODING])?;
    if options.get("positions").is_some() {
        let advice = "domain says which are possible, expected which they should be";
        return Err(invalid(format!("positions: they are what is looked for: {advice}")));
    }
    let Computation { compute, path, storage, .. } = options.computation()?;
    let query = Query {
        convention: options.convention(if sinusoid { Encoding::Sinusoid } else { Encoding::Rope })?,
        domain: options.get("domain").map(domain).transpose()?.unwrap_or_default(),
        compute,
        path,
        storage,
    };
    let expected = options.get("expected").map(expected).transpose()?;
    let axis = SequenceAxis { stated: options.sequence_axis()?, positions: None };
    let given = Given::new(arrays)?;
    let decoded: Result<Decoded, Invalid> = interruptible(py, |stop| {
        given.open(axis, stop, |grids, kind| match kind {
            GridKind::Frequencies => Err(InvalidInput {
                file: "inv_freq".into(),
                place: "the array".into(),
                expected: "cosines and sines, a table or vectors".into(),
                found: "frequencies, which have no positions".into(),
                advice: "give cos and sin".into(),
            }
            .into()),
            _ => {
                let decoded = decode(subject(grids, kind), &query)?;
                match &expected {
                    Some(expected) => decoded.compared("expected", expected),
                    None => Ok(decoded),
                }
            }
        })
    })?;
    let decoded = decoded.map_err(unjudged)?;
    let certified = decoded.is_certified();
    let located = decoded.axes.iter().flat_map(|axis| &axis.located);
    let bytes: Vec<u8> = match certified {
        true => located.flat_map(|row| row.position().unwrap_or_default().to_ne_bytes()).collect(),
        false => {
            let number = |position: Option<i64>| position.map_or(f64::NAN, |position| position as f64);
            located.flat_map(|row| number(row.position()).to_ne_bytes()).collect()
        }
    };
    Ok(Found {
        certified,
        falls_short: decoded.falls_short(),
        text: keywords(&decoded.to_string()),
        json: serde_json::to_string(&First(&decoded)).map_err(internal)?,
        second: serde_json::to_string(&decoded).map_err(internal)?,
        shape: (decoded.tables, decoded.rows),
        entries: PyBytes::new(py, &bytes).unbind(),
    })
}

/// The positions that rows may have: `range(-16, 4096)`, or text such as `-16..4096`.
fn domain(object: &Bound<'_, PyAny>) -> PyResult<Domain> {
    let wrong = || option("domain", "range(A, B) or text 'A..B', with integers A < B between -2^53 and 2^53", object);
    if object.is_instance_of::<PyString>() {
        return parsed("domain", &text("domain", object)?);
    }
    let range = object.cast::<PyRange>().map_err(|_| wrong())?;
    match (range.step()?, i64::try_from(range.start()?), i64::try_from(range.stop()?)) {
        (1, Ok(first), Ok(end)) => Domain::new(first, end).map_err(invalid),
        _ => Err(wrong()),
    }
}

/// The positions that rows should have: integers of either sign.
fn expected(object: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let what = "integers between -2^53 and 2^53: a range, a list or an array";
    if object.hasattr("__dlpack__")? || object.hasattr("__array__")? {
        let (_, values) = numbers("expected", object, MOST)?;
        return match values.iter().position(|x| x.fract() != 0.0 || x.is_nan() || x.abs() > (1u64 << 53) as f64) {
            Some(row) => Err(option(&format!("expected, entry {row}"), what, values[row])),
            None => Ok(values.into_iter().map(|x| x as i64).collect()),
        };
    }
    let mut all = Vec::new();
    for (row, one) in object.try_iter()?.take(MOST + 1).enumerate() {
        let one = one?;
        all.push(one.extract().map_err(|_| option(&format!("expected, entry {row}"), what, one.to_string()))?);
    }
    if all.len() > MOST { Err(option("expected", format!("at most {MOST} positions"), "more")) } else { Ok(all) }
}
