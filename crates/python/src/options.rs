//! The options of the command line as keywords: an encoding, a configuration, how something is judged.

use super::array::kind;
use super::config::{Configuration, read};
use super::errors::{invalid, option};
use super::positions::positions;
use super::scaling::{SCALING, parameter, rule};
use super::values::{count, decimal, format, json, named, parsed, text};
use posproof_bound::{Libraries, Path};
use posproof_check::Duplication;
use posproof_check::request::{Computation, path_named};
use posproof_encoding::real::Real;
use posproof_encoding::request::{self, Parameters, Refused};
use posproof_encoding::suggestion::unknown;
use posproof_numerics::format::Format;
use posproof_table::Positions;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Keywords that state an encoding.
pub const ENCODING: &[&str] = &[
    "dim",
    "base",
    "layout",
    "order",
    "position_offset",
    "angle_scale",
    "amplitude",
    "frequency_origin",
    "frequency_spacing",
    "direction",
    "rotary_dim",
    "convention",
    "config",
    "layer",
    "layer_type",
    "part",
    "scaling",
    "positions",
];

/// Keywords of a judgement.
pub const JUDGING: &[&str] = &["dtype", "compute", "ulp", "path", "duplication", "sequence_axis"];

/// The integer grid that entries are on.
pub const GRID: &[&str] = &["step", "zero_point"];

/// Keywords as they were given; those that are `None` were not.
pub struct Options<'py>(Vec<(String, Bound<'py, PyAny>)>);

/// Names that other libraries give to keywords.
const OTHERS: &[(&str, &str)] = &[
    ("theta", "base"),
    ("rope_theta", "base"),
    ("rope_base", "base"),
    ("head_dim", "dim"),
    ("head_size", "dim"),
    ("rope_scaling", "scaling"),
    ("rope_parameters", "scaling"),
    ("rotary_pct", "rotary_dim"),
    ("is_neox_style", "layout (\"halves\" where it is true, else \"interleaved\")"),
    ("interleaved", "layout (\"interleaved\" where it is true, else \"halves\")"),
    ("position_ids", "positions"),
];

impl<'py> Options<'py> {
    /// The keywords of a function.
    ///
    /// # Errors
    ///
    /// `TypeError` for one that it does not have.
    pub fn new(function: &str, given: &Bound<'py, PyDict>, known: &[&[&str]]) -> PyResult<Self> {
        let mut options = Vec::new();
        for (key, value) in given.iter() {
            let key: String = key.extract()?;
            if !known.iter().any(|names| names.contains(&key.as_str())) {
                if let Some((_, own)) = OTHERS.iter().find(|(other, _)| *other == key) {
                    let message = format!("{function}(): unknown keyword '{key}': it is {own} here");
                    return Err(PyTypeError::new_err(message));
                }
                let names = known.iter().flat_map(|names| names.iter().copied());
                return Err(PyTypeError::new_err(format!("{function}(): {}", unknown("keyword", &key, names))));
            }
            if !value.is_none() {
                options.push((key, value));
            }
        }
        Ok(Self(options))
    }

    /// All but one.
    pub fn without(&self, name: &str) -> Self {
        Self(self.0.iter().filter(|(key, _)| key != name).cloned().collect())
    }

    /// The value of a keyword.
    pub fn get(&self, name: &str) -> Option<&Bound<'py, PyAny>> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    fn real(&self, name: &str) -> PyResult<Option<Real>> {
        self.get(name).map(|value| parsed(name, &decimal(name, value)?)).transpose()
    }

    /// A value as JSON states it.
    pub fn read<T: serde::de::DeserializeOwned>(&self, name: &str) -> PyResult<Option<T>> {
        let read =
            |value| serde_json::from_value(json(name, value)?).map_err(|error| invalid(format!("{name}: {error}")));
        self.get(name).map(read).transpose()
    }

    fn name<T: serde::de::DeserializeOwned>(&self, name: &str) -> PyResult<Option<T>> {
        self.get(name).map(|value| named(name, &text(name, value)?)).transpose()
    }

    /// A whole number.
    pub fn count(&self, name: &str) -> PyResult<Option<usize>> {
        self.get(name).map(|value| count(name, value)).transpose()
    }

    /// A floating-point format.
    pub fn format(&self, name: &str) -> PyResult<Option<Format>> {
        self.get(name).map(|value| format(name, value)).transpose()
    }

    /// A floating-point format that computes: one of 16 bits or more.
    pub fn computing(&self, name: &str) -> PyResult<Option<Format>> {
        match self.format(name)? {
            Some(format) if format.narrow().is_some() => {
                let expected =
                    "float16, bfloat16, float32 or float64: formats of 8 bits store numbers and compute none";
                Err(option(name, expected, format!("'{format}'")))
            }
            format => Ok(format),
        }
    }

    /// A number.
    pub fn number(&self, name: &str) -> PyResult<Option<f64>> {
        let number =
            |value: &Bound<'py, PyAny>| value.extract::<f64>().map_err(|_| option(name, "a number", kind(value)));
        self.get(name).map(number).transpose()
    }

    /// Accuracies of functions: a dictionary of units in the last place, or as on the command line.
    ///
    /// # Errors
    ///
    /// `InvalidInput` for unknown functions and accuracies that none has.
    pub fn libraries(&self) -> PyResult<Libraries> {
        let Some(value) = self.get("ulp") else { return Ok(Libraries::default()) };
        if let Ok(text) = value.extract::<String>() {
            return text.parse().map_err(|error| invalid(format!("ulp: {error}")));
        }
        let libraries: Libraries =
            serde_json::from_value(json("ulp", value)?).map_err(|error| invalid(format!("ulp: {error}")))?;
        libraries.validate().map_err(|error| invalid(format!("ulp: {error}")))?;
        Ok(libraries)
    }

    /// The positions, if any are given.
    pub fn positions(&self) -> PyResult<Option<Positions>> {
        self.get("positions").map(positions).transpose()
    }

    /// Path of the frequencies: any if nothing or `any` is said.
    pub fn path(&self, among: &[Path]) -> PyResult<Option<Path>> {
        let Some(value) = self.get("path") else { return Ok(None) };
        path_named(&text("path", value)?, among).map_err(invalid)
    }

    /// The computation of an implementation: in binary32, along any path, in the format of the arrays, where nothing else is said.
    pub fn computation(&self) -> PyResult<Computation> {
        Ok(Computation {
            compute: self.computing("compute")?.unwrap_or(Format::F32),
            libraries: self.libraries()?,
            path: self.path(&Path::JUDGED)?,
            storage: self.format("dtype")?,
        })
    }

    /// Repetition of the columns in a cache of full width.
    pub fn duplication(&self) -> PyResult<Option<Duplication>> {
        let Some(value) = self.get("duplication") else { return Ok(None) };
        text("duplication", value)?.parse().map(Some).map_err(|error: String| invalid(error))
    }

    /// The axis of the positions.
    pub fn sequence_axis(&self) -> PyResult<Option<isize>> {
        let axis = |value: &Bound<'py, PyAny>| {
            value.extract::<isize>().map_err(|_| option("sequence_axis", "the number of an axis", kind(value)))
        };
        self.get("sequence_axis").map(axis).transpose()
    }

    /// Meaning of the configuration, if one is given.
    pub fn configuration(&self) -> PyResult<Option<Configuration>> {
        let Some(config) = self.get("config") else {
            for name in ["layer", "layer_type", "part"] {
                if self.get(name).is_some() {
                    return Err(invalid(format!("{name}: expected with config only; found no config")));
                }
            }
            return Ok(None);
        };
        read(config, &self.request()?.stated()).map(Some)
    }

    /// The options as data.
    pub fn request(&self) -> PyResult<request::Request> {
        let words = |name: &str| self.get(name).map(|value| text(name, value)).transpose();
        let amplitude = self.get("amplitude").map(|value| parsed("amplitude", &decimal("amplitude", value)?));
        let origin = self.count("frequency_origin")?;
        let mut parameters = Parameters::new();
        for (name, value) in self.0.iter().filter(|(name, _)| SCALING.contains(&name.as_str())) {
            parameters.insert(name.clone(), parameter(name, json(name, value)?).to_string());
        }
        Ok(request::Request {
            dim: self.count("dim")?,
            base: self.real("base")?,
            layout: self.name("layout")?,
            order: self.name("order")?,
            position_offset: self.real("position_offset")?,
            angle_scale: self.real("angle_scale")?,
            amplitude: amplitude.transpose()?,
            frequency_origin: origin.map(|origin| u32::try_from(origin).unwrap_or(u32::MAX)),
            frequency_spacing: self.name("frequency_spacing")?,
            direction: self.name("direction")?,
            rotary_dim: self.count("rotary_dim")?,
            scaling: self.get("scaling").map(rule).transpose()?,
            parameters,
            layer: self.count("layer")?,
            layer_type: words("layer_type")?,
            part: words("part")?,
        })
    }
}

/// The sentence about a refused request, with options as keywords.
pub fn worded(error: &Refused) -> String {
    error.worded(str::to_owned)
}

/// The error of a refused judgement.
pub fn unstated(error: &posproof_check::request::Refused) -> PyErr {
    invalid(error.worded(str::to_owned))
}

/// The error of a refused request.
pub fn refused(error: &Refused) -> PyErr {
    invalid(worded(error))
}
