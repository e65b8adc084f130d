//! The options of the command line as keywords: an encoding, a configuration, how something is judged.

use super::array::kind;
use super::axes::AXES;
use super::config::{Configuration, read};
use super::errors::{invalid, keyword, option};
use super::positions::positions;
use super::scaling::{SCALING, parameter, rule, without_length};
use super::values::{count, decimal, format, json, named, parsed, text};
use posproof_bound::{Libraries, Path};
use posproof_check::Duplication;
use posproof_encoding::amplitude::Amplitude;
use posproof_encoding::convention::{Convention, Direction, Encoding, Layout, Order, Spacing};
use posproof_encoding::model::{LayerKind, Stated, scaling_rule};
use posproof_encoding::real::Real;
use posproof_encoding::scaling::Scaling;
use posproof_encoding::suggestion::unknown;
use posproof_numerics::format::Format;
use posproof_table::Positions;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Map, Value};

/// What states an encoding.
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

/// How something is judged.
pub const JUDGING: &[&str] = &["dtype", "compute", "ulp", "path", "duplication", "sequence_axis"];

/// The integer grid that entries are on.
pub const GRID: &[&str] = &["step", "zero_point"];

/// Keywords as they were given; those that are `None` were not.
pub struct Options<'py>(Vec<(String, Bound<'py, PyAny>)>);

/// A convention that options specify.
#[derive(Clone, Debug)]
pub struct Specified {
    /// The kinds of the configuration's layers that it is the convention of; none without a configuration.
    pub layers: Option<String>,
    /// The convention. Scaling rules that depend on the sequence's length may still lack it.
    pub convention: Convention,
}

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

    /// How accurate functions are: a dictionary of units in the last place, or as on the command line.
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

    /// How frequencies are computed: any way if nothing or `any` is said.
    pub fn path(&self, among: &[Path]) -> PyResult<Option<Path>> {
        let Some(value) = self.get("path") else { return Ok(None) };
        let name = text("path", value)?;
        let found = among.iter().copied().find(|path| path.name() == name);
        if found.is_none() && name != "any" {
            return Err(invalid(unknown(
                "path",
                &name,
                ["any"].into_iter().chain(among.iter().map(|path| path.name())),
            )));
        }
        Ok(found)
    }

    /// How a cache of full width repeats its columns.
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

    /// What the configuration means, if one is given.
    pub fn configuration(&self) -> PyResult<Option<Configuration>> {
        let Some(config) = self.get("config") else {
            for name in ["layer", "layer_type", "part"] {
                if self.get(name).is_some() {
                    return Err(invalid(format!("{name}: expected with config only; found no config")));
                }
            }
            return Ok(None);
        };
        let stated = Stated {
            layer: self.count("layer")?,
            layer_type: self.get("layer_type").map(|value| text("layer_type", value)).transpose()?,
            part: self.get("part").map(|value| text("part", value)).transpose()?,
            layout: self.name("layout")?,
            base: self.real("base")?,
            dim: self.count("dim")?,
            rotary_dim: self.count("rotary_dim")?,
        };
        read(config, &stated).map(Some)
    }

    /// The one convention that the options specify.
    pub fn convention(&self, encoding: Encoding) -> PyResult<Convention> {
        let mut all = self.conventions(encoding)?;
        if all.len() > 1 {
            let names: Vec<String> = all.into_iter().filter_map(|one| one.layers).collect();
            let expected = format!("a choice among layers that differ: {} (layer, layer_type)", names.join("; "));
            return Err(option("the layer", expected, "none"));
        }
        all.pop().map(|one| one.convention).ok_or_else(|| invalid("no convention"))
    }

    /// The conventions that the options leave open: that of every kind of layer which rotates, where a configuration is
    /// given and no layer; conventions that are equal once.
    pub fn conventions(&self, encoding: Encoding) -> PyResult<Vec<Specified>> {
        let Some(Configuration { model, name }) = self.configuration()? else {
            return Ok(vec![Specified { layers: None, convention: self.stated(encoding)? }]);
        };
        if self.get("convention").is_some() {
            return Err(option("convention", "no config beside it", "both"));
        }
        if encoding == Encoding::Sinusoid {
            return Err(invalid("config describes rotary encodings: expected rope; found sinusoid"));
        }
        let layer = self.count("layer")?;
        let layer_type = self.get("layer_type").map(|value| text("layer_type", value)).transpose()?;
        if layer.is_some() || layer_type.is_some() {
            let chosen = model.kind(layer, layer_type.as_deref());
            let chosen = chosen.map_err(|error| invalid(format!("{name}: {error}")))?;
            return Ok(vec![Specified { layers: None, convention: self.of_kind(chosen)? }]);
        }
        let found = model.conventions(|kind| self.of_kind(kind))?;
        if found.is_empty() {
            return Err(invalid(format!("{name}: no layer of this model rotates: expected one that does")));
        }
        Ok(found.into_iter().map(|(layers, convention)| Specified { layers: Some(layers), convention }).collect())
    }

    /// The convention of a kind of layer, with the options that a configuration does not have.
    pub fn of_kind(&self, kind: &LayerKind) -> PyResult<Convention> {
        let Some(rotation) = &kind.rotation else {
            let message =
                format!("layers of kind {} do not rotate: expected one that does (layer, layer_type)", kind.name);
            return Err(invalid(message));
        };
        let mut convention = rotation.convention.clone();
        self.replace(&mut convention)?;
        let scaling = self.scaling(convention.scaling.as_ref())?;
        if let (Some(configured), Some(stated)) = (&convention.scaling, &scaling) {
            // A configuration never says how long a sequence is.
            let at = |rule: &Scaling| {
                Convention { scaling: Some(without_length(rule)), ..convention.clone() }.for_length(1).scaling
            };
            if at(configured) != at(stated) {
                let told = |rule| serde_json::to_string(rule).unwrap_or_default();
                return Err(option(
                    "scaling",
                    format!("that of the configuration, {}", told(configured)),
                    told(stated),
                ));
            }
        }
        convention.scaling = scaling;
        validated(convention)
    }

    /// The convention of the options alone.
    fn stated(&self, encoding: Encoding) -> PyResult<Convention> {
        if let Some(convention) = self.get("convention") {
            return self.whole(convention, encoding);
        }
        let mut convention = match (self.count("dim")?, encoding) {
            (Some(dim), Encoding::Sinusoid) => Convention::sinusoid(dim),
            (Some(dim), Encoding::Rope) => Convention::rope(dim),
            (None, Encoding::Sinusoid) => return Err(invalid("no dimension: expected dim")),
            (None, Encoding::Rope) => return Err(invalid("no dimension: expected dim or config")),
        };
        self.replace(&mut convention)?;
        convention.rotary_dim = self.count("rotary_dim")?;
        convention.scaling = self.scaling(None)?;
        validated(convention)
    }

    /// A convention as the JSON of a report has it, which nothing else may state.
    fn whole(&self, convention: &Bound<'_, PyAny>, encoding: Encoding) -> PyResult<Convention> {
        let others =
            self.0.iter().map(|(name, _)| name.as_str()).filter(|&name| name != "convention" && name != "positions");
        if let Some(other) = others.clone().find(|name| ENCODING.contains(name) || SCALING.contains(name)) {
            return Err(option("convention", "nothing else that states the encoding", other));
        }
        let read = serde_json::from_value(json("convention", convention)?);
        let convention: Convention = read.map_err(|error| invalid(format!("convention: {error}")))?;
        if convention.encoding != encoding {
            let told = |encoding| if encoding == Encoding::Sinusoid { "sinusoid" } else { "rope" };
            return Err(option("convention, encoding", told(encoding), told(convention.encoding)));
        }
        validated(convention)
    }

    fn replace(&self, convention: &mut Convention) -> PyResult<()> {
        fn put<T>(field: &mut T, given: Option<T>) {
            if let Some(value) = given {
                *field = value;
            }
        }
        put(&mut convention.dim, self.count("dim")?);
        put(&mut convention.base, self.real("base")?);
        put(&mut convention.position_offset, self.real("position_offset")?);
        put(&mut convention.position_scale, self.real("angle_scale")?);
        let amplitude = self.get("amplitude").map(|value| parsed("amplitude", &decimal("amplitude", value)?));
        put::<Amplitude>(&mut convention.amplitude, amplitude.transpose()?);
        let origin = self.count("frequency_origin")?;
        put(&mut convention.frequency_origin, origin.map(|origin| u32::try_from(origin).unwrap_or(u32::MAX)));
        put::<Spacing>(&mut convention.frequency_spacing, self.name("frequency_spacing")?);
        put::<Order>(&mut convention.order, self.name("order")?);
        put::<Layout>(&mut convention.layout, self.name("layout")?);
        put::<Direction>(&mut convention.direction, self.name("direction")?);
        Ok(())
    }

    /// The rule of these options, or the configuration's with the options in place of its parameters.
    fn scaling(&self, configured: Option<&Scaling>) -> PyResult<Option<Scaling>> {
        let mut given = Map::new();
        for (name, value) in self.0.iter().filter(|(name, _)| SCALING.contains(&name.as_str())) {
            given.insert(name.clone(), parameter(name, json(name, value)?));
        }
        let mut rule = match (self.get("scaling"), configured) {
            (Some(value), _) => match rule(value)? {
                Some(rule) => rule,
                None if given.is_empty() => return Ok(None),
                None => Map::new(),
            },
            (None, configured) if given.is_empty() => return Ok(configured.cloned()),
            (None, Some(configured)) => match serde_json::to_value(configured) {
                Ok(Value::Object(rule)) => rule,
                _ => Map::new(),
            },
            (None, None) => Map::new(),
        };
        rule.extend(given);
        if !rule.contains_key("rope_type") {
            let found = rule.keys().next().cloned().unwrap_or_default();
            return Err(option(
                "scaling",
                format!("one of {}", Scaling::NAMES.join(", ")),
                format!("{found} without a rule"),
            ));
        }
        scaling_rule(&Value::Object(rule).to_string()).map(Some).map_err(invalid)
    }
}

/// The conventions that options leave open, each with the kinds of layers that it is of, as JSON.
#[pyfunction]
pub fn conventions(
    function: &str,
    sinusoid: bool,
    options: &Bound<'_, PyDict>,
) -> PyResult<Vec<(Option<String>, String)>> {
    let options = Options::new(function, options, &[ENCODING, SCALING, JUDGING, AXES])?;
    let encoding = if sinusoid { Encoding::Sinusoid } else { Encoding::Rope };
    if let Some(axial) = super::axes::convention(&options, encoding)? {
        return Ok(vec![(None, serde_json::to_string(&axial).map_err(super::errors::internal)?)]);
    }
    let told =
        |one: Specified| Ok((one.layers, serde_json::to_string(&one.convention).map_err(super::errors::internal)?));
    options.conventions(encoding)?.into_iter().map(told).collect()
}

fn validated(convention: Convention) -> PyResult<Convention> {
    // A length that is still open is filled in later; any will do for the other checks.
    let checked = convention.clone().for_length(1).validate();
    checked.map_err(|error| invalid(keyword(error.field, &error.to_string())))?;
    Ok(convention)
}
