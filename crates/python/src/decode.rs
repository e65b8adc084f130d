//! By which positions rows really were encoded.

use super::array::numbers;
use super::axes::{AXES, place};
use super::coordinates::coordinates;
use super::errors::{internal, invalid, keywords, option, unjudged};
use super::interrupt::interruptible;
use super::judge::{Given, GridKind, subject};
use super::options::{ENCODING, Options, unstated};
use super::scaling::SCALING;
use super::values::{decimal, parsed, text};
use posproof_bound::first::{First, FirstVersion};
use posproof_check::positions::{AxialQuery, Decoded, Domain, Query, decode, decode_axes};
use posproof_check::read::SequenceAxis;
use posproof_check::request::{Computation, Stated, law, require_axial};
use posproof_check::{Invalid, InvalidInput, Subject};
use posproof_encoding::axes::{AxialConvention, Coordinates};
use posproof_encoding::convention::Encoding;
use posproof_encoding::real::Real;
use posproof_numerics::Rational;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyRange, PyRangeMethods, PyString};
use serde::Serialize;
use std::fmt::Display;

/// Keywords of decoding.
const DECODING: &[&str] = &["domain", "step", "expected", "dtype", "compute", "path", "sequence_axis"];

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
    /// As JSON of the first version (schema `posproof.positions/1`, or `posproof.positions-axes/1`).
    json: String,
    /// As JSON of the second version (schema `posproof.positions/2`).
    second: String,
    /// Tables, the rows of each, and, of several axes, these.
    shape: Vec<usize>,
    /// True if the positions are integers of 64 bits: all are certified, and whole.
    whole: bool,
    /// The position of every row; numbers in binary64, NaN for those that are not certified, where they are not all whole.
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
        shape: (Vec<usize>, bool),
        entries: Py<PyBytes>,
    ) -> Self {
        let ([json, second], (shape, whole)) = (json, shape);
        Self { certified, falls_short, text, json, second, shape, whole, entries }
    }

    /// For pickle: the fields.
    fn __getnewargs__(&self, py: Python<'_>) -> FoundFields {
        let Self { certified, falls_short, text, json, second, shape, whole, entries } = self;
        let (json, shape) = ([json.clone(), second.clone()], (shape.clone(), *whole));
        (*certified, *falls_short, text.clone(), json, shape, entries.clone_ref(py))
    }
}

/// The fields of [`Found`].
type FoundFields = (bool, bool, String, [String; 2], (Vec<usize>, bool), Py<PyBytes>);

/// Finds the position of every row of arrays, or its coordinate along each of several axes.
#[pyfunction]
pub fn positions(
    py: Python<'_>,
    sinusoid: bool,
    arrays: &Bound<'_, PyDict>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Found> {
    let options = Options::new("positions", options, &[ENCODING, SCALING, DECODING, AXES])?;
    if options.get("positions").is_some() {
        let advice = "domain says which are possible, expected which they should be";
        return Err(invalid(format!("positions: they are what is looked for: {advice}")));
    }
    let given = Given::new(arrays)?;
    let axis = SequenceAxis { stated: options.sequence_axis()?, positions: None };
    let step = options.get("step").map(|step| parsed::<Real>("step", &decimal("step", step)?)).transpose()?;
    let encoding = if sinusoid { Encoding::Sinusoid } else { Encoding::Rope };
    let axial = match options.encodings(encoding)? {
        Stated::Axes(convention) => Some(*convention),
        Stated::Layers(_) => match step {
            Some(_) => Some(AxialConvention::from(&options.convention(encoding)?)),
            None => None,
        },
    };
    let Computation { compute, path, storage, .. } = options.computation()?;
    match axial {
        None => {
            let convention = options.convention(encoding)?;
            let domain = options.get("domain").map(domain).transpose()?.unwrap_or_default();
            let query = Query { convention, domain, compute, path, storage };
            let expected = options.get("expected").map(expected).transpose()?;
            let decode = |subject: Subject<'_>| match &expected {
                Some(expected) => decode(subject, &query)?.compared("expected", expected),
                None => decode(subject, &query),
            };
            let decoded = of_rows(py, (&given, axis), &decode)?;
            let shape = vec![decoded.tables, decoded.rows];
            let located = |at: usize| decoded.axes[0].located[at].position().map(|x| (x, x as f64));
            found(py, &decoded, (shape, decoded.is_certified()), &located)
        }
        Some(convention) => {
            require_axial(path).map_err(|error| unstated(&error))?;
            let law = law(&convention).map_err(|error| unstated(&error))?;
            let step = step.map_or(Rational::from(1), |step| step.value().clone());
            let (domain, domains) = options.get("domain").map(domains).transpose()?.unwrap_or_default();
            let query = AxialQuery { law: &law, domain, domains, step, compute, path, storage };
            let axes = place(&options)?;
            let expected = options.get("expected").map(|expected| coordinates(expected, axes)).transpose()?;
            let expected = expected.map(Coordinates::once);
            let decode = |subject: Subject<'_>| match &expected {
                Some(expected) => decode_axes(subject, &query)?.compared("expected", expected),
                None => decode_axes(subject, &query),
            };
            let decoded = of_rows(py, (&given, axis), &decode)?;
            let shape = vec![decoded.tables, decoded.rows, decoded.axes.len()];
            let whole = decoded.is_certified() && decoded.step.is_integer();
            let located = |at: usize| {
                let coordinate = decoded.coordinate(at / decoded.axes.len(), at % decoded.axes.len())?;
                Some((coordinate.to_i64().unwrap_or_default(), coordinate.to_f64()))
            };
            found(py, &decoded, (shape, whole), &located)
        }
    }
}

/// Positions of the rows of arrays.
fn of_rows<C: Send>(
    py: Python<'_>,
    (given, axis): (&Given, SequenceAxis),
    decode: &(dyn Fn(Subject<'_>) -> Result<Decoded<C>, Invalid> + Sync),
) -> PyResult<Decoded<C>> {
    let decoded = interruptible(py, |stop| {
        given.open(axis, stop, |grids, kind| match kind {
            GridKind::Frequencies => Err(InvalidInput {
                file: "inv_freq".into(),
                place: "the array".into(),
                expected: "cosines and sines, a table or vectors".into(),
                found: "frequencies, which have no positions".into(),
                advice: "give cos and sin".into(),
            }
            .into()),
            _ => decode(subject(grids, kind)),
        })
    })?;
    decoded.map_err(unjudged)
}

/// Answer on rows, its numbers in this shape: integers where all are `whole`.
fn found<C>(
    py: Python<'_>,
    decoded: &Decoded<C>,
    (shape, whole): (Vec<usize>, bool),
    number: &dyn Fn(usize) -> Option<(i64, f64)>,
) -> PyResult<Found>
where
    Decoded<C>: FirstVersion + Serialize + Display,
{
    let bytes = |at: usize| match number(at) {
        Some((integer, _)) if whole => integer.to_ne_bytes(),
        found => found.map_or(f64::NAN, |(_, number)| number).to_ne_bytes(),
    };
    let entries: Vec<u8> = (0..shape.iter().product()).flat_map(bytes).collect();
    Ok(Found {
        certified: decoded.is_certified(),
        falls_short: decoded.falls_short(),
        text: keywords(&decoded.to_string()),
        json: serde_json::to_string(&First(decoded)).map_err(internal)?,
        second: serde_json::to_string(decoded).map_err(internal)?,
        shape,
        whole,
        entries: PyBytes::new(py, &entries).unbind(),
    })
}

/// The positions that rows may have along all axes, or along some: a dictionary of names.
fn domains(object: &Bound<'_, PyAny>) -> PyResult<(Domain, Vec<(String, Domain)>)> {
    let Ok(named) = object.cast::<PyDict>() else { return Ok((domain(object)?, Vec::new())) };
    let own = |(name, stated): (Bound<'_, PyAny>, Bound<'_, PyAny>)| Ok((text("domain", &name)?, domain(&stated)?));
    Ok((Domain::default(), named.iter().map(own).collect::<PyResult<_>>()?))
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
