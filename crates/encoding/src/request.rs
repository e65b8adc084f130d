//! An encoding as options state it, whoever reads them: the command line, keywords of Python, or a document.
//!
//! A request is data. What is wrong with it is a [`Refused`], which an edge words with its own names of options.

mod axes;

pub use axes::{AxesRequest, Whole, whole};

use crate::amplitude::Amplitude;
use crate::convention::{Convention, Direction, Encoding, InvalidConvention, Layout, Order, Spacing};
use crate::model::{InvalidConfig, LayerKind, Model, Stated, scaling_rule};
use crate::real::Real;
use crate::scaling::Scaling;
use crate::suggestion::unknown;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Parameters of a scaling rule by their names, each value as JSON.
pub type Parameters = BTreeMap<String, String>;

/// Options that state an encoding. Those that are absent are left to a configuration, or to the defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// Dimension of the model, or of a head.
    pub dim: Option<usize>,
    /// Base of the frequencies.
    pub base: Option<Real>,
    /// Entries that form a pair.
    pub layout: Option<Layout>,
    /// The component of a pair that comes first.
    pub order: Option<Order>,
    /// Added to every position.
    pub position_offset: Option<Real>,
    /// Factor of every angle.
    pub angle_scale: Option<Real>,
    /// Factor of every entry.
    pub amplitude: Option<Amplitude>,
    /// Index of the first frequency.
    pub frequency_origin: Option<u32>,
    /// Law of the exponents.
    pub frequency_spacing: Option<Spacing>,
    /// Sense of the rotation.
    pub direction: Option<Direction>,
    /// Dimensions that are rotated.
    pub rotary_dim: Option<usize>,
    /// A scaling rule with its name, `rope_type`. An empty one states that there is none.
    pub scaling: Option<Parameters>,
    /// Parameters beside the rule, which complete it or that of a configuration.
    pub parameters: Parameters,
    /// A layer of the configuration, counted from 0.
    pub layer: Option<usize>,
    /// A layer type of the configuration.
    pub layer_type: Option<String>,
    /// A part of a composite configuration.
    pub part: Option<String>,
}

/// A convention that a request leaves open.
#[derive(Clone, Debug)]
pub struct Specified {
    /// The kinds of the configuration's layers that it is the convention of; none without a configuration.
    pub layers: Option<String>,
    /// The convention, validated. A scaling rule that depends on the sequence's length may still lack it.
    pub convention: Convention,
}

/// Why a request states no encoding.
#[derive(Clone, Debug)]
pub enum Refused {
    /// Neither a dimension nor a configuration.
    NoDimension(Encoding),
    /// A field of the convention that is no such field.
    Field(InvalidConvention),
    /// A scaling rule that does not exist.
    UnknownRule(String),
    /// A parameter of scaling without a rule.
    NoRule(String),
    /// A rule without a parameter that it needs.
    MissingParameter {
        /// The rule.
        rule: String,
        /// The parameter.
        parameter: String,
    },
    /// Parameters that make no rule.
    Rule(InvalidConfig),
    /// A rule that contradicts that of the configuration.
    OtherRule {
        /// The configuration's.
        configured: Box<Scaling>,
        /// The request's.
        stated: Box<Scaling>,
    },
    /// A choice of layers that the configuration does not have.
    Choice(InvalidConfig),
    /// Layers of this kind do not rotate.
    Still(String),
    /// No layer of the model rotates.
    NoRotation,
    /// A convention of another encoding, stated whole.
    OtherEncoding {
        /// The encoding that is judged.
        expected: Encoding,
        /// The convention's.
        found: Encoding,
    },
    /// JSON that is no convention.
    Whole(String),
    /// An option that a convention of axes has not.
    Beside {
        /// The option that says that there are axes.
        axes: &'static str,
        /// The option beside it.
        other: String,
    },
    /// Sections and axes.
    SectionsOfAxes,
    /// The order of sections, without sections.
    NoSections,
    /// Sections that are none.
    Sections(String),
}

impl Refused {
    /// The sentence, with an edge's names of options: `--angle-scale` or `angle_scale` for `angle_scale`.
    pub fn worded(&self, option: impl Fn(&str) -> String) -> String {
        let json = |rule: &Scaling| serde_json::to_string(rule).unwrap_or_default();
        match self {
            Self::NoDimension(Encoding::Sinusoid) => format!("no dimension: expected {}", option("dim")),
            Self::NoDimension(Encoding::Rope) => {
                format!("no dimension: expected {} or {}", option("dim"), option("config"))
            }
            Self::Field(InvalidConvention { field, found, expected }) => {
                let name = if *field == "position_scale" { "angle_scale" } else { field };
                format!("{}: {found}; expected {expected}", option(name))
            }
            Self::UnknownRule(name) => unknown("scaling rule", name, Scaling::NAMES.into_iter()),
            Self::NoRule(parameter) => {
                let (parameter, scaling, names) = (option(parameter), option("scaling"), Scaling::NAMES.join(", "));
                format!("{parameter} without a scaling rule: expected {scaling} with one of {names}")
            }
            Self::MissingParameter { rule, parameter } => {
                format!("{} {rule}: expected {} as well", option("scaling"), option(parameter))
            }
            Self::Rule(error) | Self::Choice(error) => error.to_string(),
            Self::OtherRule { configured, stated } => {
                let (name, configured, stated) = (option("scaling"), json(configured), json(stated));
                format!("{name}: the configuration has {configured}; the options say {stated}")
            }
            Self::Still(kind) => {
                let (layer, layer_type) = (option("layer"), option("layer_type"));
                format!("layers of kind {kind} do not rotate: expected one that does ({layer}, {layer_type})")
            }
            Self::NoRotation => "no layer of this model rotates: expected one that does".to_owned(),
            Self::OtherEncoding { expected, found } => {
                let told = |encoding: &Encoding| format!("{encoding:?}").to_lowercase();
                let (convention, expected, found) = (option("convention"), told(expected), told(found));
                format!("{convention}, encoding: expected {expected}; found {found}")
            }
            Self::Whole(error) => format!("{}: {error}", option("convention")),
            Self::Beside { axes, other } => {
                let (axes, other, span, scaling) = (option(axes), option(other), option("span"), "scaling");
                format!(
                    "{axes}: expected no {other} beside it: {span} says what is rotated, {scaling} is a key of an axis; found both"
                )
            }
            Self::SectionsOfAxes => format!("{}: expected no axes beside them; found both", option("sections")),
            Self::NoSections => {
                let (order, sections) = (option("sections_order"), option("sections"));
                format!("{order}: expected {sections} beside it; found none")
            }
            Self::Sections(error) => format!("{}: {error}", option("sections")),
        }
    }
}

impl Request {
    /// The part of the request that a configuration is read with.
    pub fn stated(&self) -> Stated {
        Stated {
            part: self.part.clone(),
            layer: self.layer,
            layer_type: self.layer_type.clone(),
            layout: self.layout,
            base: self.base.clone(),
            dim: self.dim,
            rotary_dim: self.rotary_dim,
        }
    }

    /// The convention of the options alone.
    ///
    /// # Errors
    ///
    /// Without a dimension, for a rule that is none, and for a convention that defines no table.
    pub fn convention(&self, encoding: Encoding) -> Result<Convention, Refused> {
        let mut convention = match (self.dim, encoding) {
            (Some(dim), Encoding::Sinusoid) => Convention::sinusoid(dim),
            (Some(dim), Encoding::Rope) => Convention::rope(dim),
            (None, encoding) => return Err(Refused::NoDimension(encoding)),
        };
        self.replace(&mut convention);
        convention.rotary_dim = self.rotary_dim;
        convention.scaling = self.scaling(None)?;
        validated(convention)
    }

    /// The one convention of a model's layers, or of those that the request chooses.
    ///
    /// # Errors
    ///
    /// Where layers differ and none is chosen, and as [`of_kind`](Self::of_kind).
    pub fn of_layer(&self, model: &Model) -> Result<Convention, Refused> {
        let kind = model.kind(self.layer, self.layer_type.as_deref()).map_err(Refused::Choice)?;
        self.of_kind(kind)
    }

    /// The conventions of a model's layers: that of each kind which rotates, equal ones once; that of the chosen layer alone.
    ///
    /// # Errors
    ///
    /// For layers that do not rotate, and as [`of_kind`](Self::of_kind).
    pub fn of_model(&self, model: &Model) -> Result<Vec<Specified>, Refused> {
        if self.layer.is_some() || self.layer_type.is_some() {
            return Ok(vec![Specified { layers: None, convention: self.of_layer(model)? }]);
        }
        let found = model.conventions(|kind| self.of_kind(kind))?;
        if found.is_empty() {
            return Err(Refused::NoRotation);
        }
        Ok(found.into_iter().map(|(layers, convention)| Specified { layers: Some(layers), convention }).collect())
    }

    /// The convention of a kind of layer, with the options that a configuration does not have.
    ///
    /// # Errors
    ///
    /// For a kind that does not rotate, and for options that contradict the configuration.
    pub fn of_kind(&self, kind: &LayerKind) -> Result<Convention, Refused> {
        let Some(rotation) = &kind.rotation else { return Err(Refused::Still(kind.name.clone())) };
        let mut convention = rotation.convention.clone();
        self.replace(&mut convention);
        let scaling = self.scaling(convention.scaling.as_ref())?;
        if let (Some(configured), Some(stated)) = (&convention.scaling, &scaling) {
            // The length of a sequence is the program's, not the configuration's.
            let at = |rule: &Scaling| {
                Convention { scaling: Some(without_length(rule)), ..convention.clone() }.for_length(1).scaling
            };
            if at(configured) != at(stated) {
                let (configured, stated) = (Box::new(configured.clone()), Box::new(stated.clone()));
                return Err(Refused::OtherRule { configured, stated });
            }
        }
        convention.scaling = scaling;
        validated(convention)
    }

    fn replace(&self, convention: &mut Convention) {
        fn put<T: Clone>(field: &mut T, given: &Option<T>) {
            if let Some(value) = given {
                field.clone_from(value);
            }
        }
        put(&mut convention.dim, &self.dim);
        put(&mut convention.base, &self.base);
        put(&mut convention.position_offset, &self.position_offset);
        put(&mut convention.position_scale, &self.angle_scale);
        put(&mut convention.amplitude, &self.amplitude);
        put(&mut convention.frequency_origin, &self.frequency_origin);
        put(&mut convention.frequency_spacing, &self.frequency_spacing);
        put(&mut convention.order, &self.order);
        put(&mut convention.layout, &self.layout);
        put(&mut convention.direction, &self.direction);
    }

    /// The rule of the request, or the configuration's with the parameters in place of its own.
    fn scaling(&self, configured: Option<&Scaling>) -> Result<Option<Scaling>, Refused> {
        let mut rule = match (&self.scaling, configured) {
            (Some(stated), _) if stated.is_empty() && self.parameters.is_empty() => return Ok(None),
            (Some(stated), _) => read(stated),
            (None, configured) if self.parameters.is_empty() => return Ok(configured.cloned()),
            (None, configured) => match serde_json::to_value(configured) {
                Ok(Value::Object(rule)) => rule,
                _ => Map::new(),
            },
        };
        rule.extend(read(&self.parameters));
        let Some(name) = rule.get("rope_type").and_then(Value::as_str).map(str::to_owned) else {
            return Err(Refused::NoRule(rule.keys().next().cloned().unwrap_or_default()));
        };
        if !Scaling::NAMES.contains(&name.as_str()) {
            return Err(Refused::UnknownRule(name));
        }
        scaling_rule(&Value::Object(rule).to_string()).map(Some).map_err(|error| {
            let missing = error.found.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
            match missing {
                Some(parameter) => Refused::MissingParameter { rule: name, parameter: parameter.to_owned() },
                None => Refused::Rule(error),
            }
        })
    }
}

fn read(parameters: &Parameters) -> Map<String, Value> {
    let value = |text: &String| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text.as_str()));
    parameters.iter().map(|(name, text)| (name.clone(), value(text))).collect()
}

/// A convention that defines a table. A length that is still open is filled in later; any will do for the other checks.
fn validated(convention: Convention) -> Result<Convention, Refused> {
    convention.clone().for_length(1).validate().map_err(Refused::Field)?;
    Ok(convention)
}

/// A rule without the length of a sequence.
fn without_length(rule: &Scaling) -> Scaling {
    let mut rule = rule.clone();
    if let Scaling::Dynamic { sequence_length, .. } | Scaling::Longrope { sequence_length, .. } = &mut rule {
        *sequence_length = None;
    }
    rule
}
