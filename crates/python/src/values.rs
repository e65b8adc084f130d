//! Single values, as Python writes them.

use super::array::kind;
use super::errors::{invalid, option};
use posproof_numerics::format::Format;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::Display;
use std::str::FromStr;

/// Text.
pub fn text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    value.extract().map_err(|_| option(name, "text", kind(value)))
}

/// A whole number from 0 on.
pub fn count(name: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    let found = match value.is_instance_of::<PyBool>() {
        false => value.extract::<usize>().ok().or_else(|| value.extract::<String>().ok()?.parse().ok()),
        true => None,
    };
    match found {
        Some(count) => Ok(count),
        None => Err(option(name, "a whole number from 0 on", value.repr()?)),
    }
}

/// A real number in the notation of the command line: text as it is, a float as the shortest decimal that is read as it.
pub fn decimal(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let expected = "a number, or text such as '1/8'";
    if value.is_instance_of::<PyBool>() {
        return Err(option(name, expected, value.repr()?));
    }
    if value.is_instance_of::<PyString>() || value.is_instance_of::<PyInt>() {
        return Ok(value.str()?.to_string());
    }
    if !value.is_instance_of::<PyFloat>()
        && let (Ok(numerator), Ok(denominator)) = (value.getattr("numerator"), value.getattr("denominator"))
        && let (Ok(numerator), Ok(denominator)) = (numerator.str(), denominator.str())
    {
        return Ok(format!("{numerator}/{denominator}"));
    }
    match value.extract::<f64>() {
        Ok(number) => Ok(number.to_string()),
        Err(_) => Err(option(name, expected, kind(value))),
    }
}

/// A value that is written as text.
pub fn parsed<T: FromStr<Err: Display>>(name: &str, text: &str) -> PyResult<T> {
    text.parse().map_err(|error| invalid(format!("{name}: {error}")))
}

/// A value by its name in a convention's serialised form.
pub fn named<T: DeserializeOwned>(name: &str, text: &str) -> PyResult<T> {
    serde_json::from_value(Value::from(text)).map_err(|error| {
        // Names of the layouts after the models that had them first.
        let own = match (name, text) {
            ("layout", "neox" | "gpt-neox" | "rotate_half") => ": it is halves here",
            ("layout", "gptj" | "gpt-j" | "pairs" | "neighbours") => ": it is interleaved here",
            _ => "",
        };
        invalid(format!("{name}: {error}{own}"))
    })
}

/// A floating-point format: `bf16`, `bfloat16`, a NumPy, JAX or PyTorch dtype.
pub fn format(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Format> {
    let said = if let Ok(text) = value.extract::<String>() {
        text
    } else if let Ok(text) = value.getattr("__name__").and_then(|name| name.extract::<String>()) {
        text
    } else {
        value.str()?.to_string()
    };
    match said.rsplit('.').next().unwrap_or(&said) {
        "f64" | "float64" | "double" => Ok(Format::F64),
        "f32" | "float32" | "float" => Ok(Format::F32),
        "f16" | "float16" | "half" => Ok(Format::F16),
        "bf16" | "bfloat16" => Ok(Format::Bf16),
        short => short.parse().map_err(|_: String| {
            let expected = "float16, bfloat16, float32, float64, float8_e4m3fn or float8_e5m2";
            option(name, expected, format!("'{said}'"))
        }),
    }
}

/// JSON that Python's `json` makes of a value; what it does not know becomes text.
pub fn json(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    let made = dumped(value).map_err(|error| {
        let py = value.py();
        if error.is_instance_of::<pyo3::exceptions::PyException>(py) {
            let wrong = invalid(format!("{name}: expected what JSON can hold; found {} ({error})", kind(value)));
            wrong.set_cause(py, Some(error));
            return wrong;
        }
        error
    })?;
    serde_json::from_str(&made).map_err(|error| invalid(format!("{name}: expected what JSON can hold; {error}")))
}

/// The same as text.
pub fn dumped(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = value.py();
    let json = py.import("json")?;
    let keywords = PyDict::new(py);
    keywords.set_item("default", py.import("builtins")?.getattr("str")?)?;
    json.call_method("dumps", (value,), Some(&keywords))?.extract()
}
