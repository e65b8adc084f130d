//! Conventions of several axes, as they are written.

use super::document::POSITION;
use super::layout::AxialLayout;
use super::parameters::{AxialSpacing, AxisParameters};
use super::ranges::Ranges;
use crate::convention::{Convention, Encoding, Spacing};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// Entries that have an angle of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SlotKind {
    /// Every pair of entries.
    #[default]
    Pairs,
    /// Every entry: its pair turns by two angles, which is no rotation where they differ.
    Entries,
}

/// Which frequency each slot of an axis has, where that is not 0, 1, 2, …
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Index {
    /// The one of the slot's own number.
    Pairs,
    /// These, slot by slot.
    Ranges(Ranges),
}

impl Index {
    pub(super) fn of_json(value: Value) -> Result<Self, String> {
        if value == "pairs" { Ok(Self::Pairs) } else { Ranges::of_json(value).map(Self::Ranges) }
    }

    pub(super) fn to_json(&self) -> Value {
        match self {
            Self::Pairs => "pairs".into(),
            Self::Ranges(ranges) => ranges.to_json(),
        }
    }
}

/// An axis: the slots that it claims and their frequencies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Axis {
    /// Its name: `t`, `h`, `w`.
    pub name: String,
    /// The slots that it claims, numbered within the span, in the order of their frequencies.
    pub pairs: Ranges,
    /// Which frequency each of these slots has: 0, 1, 2, … if it is not stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<Index>,
    /// D, the dimension that the frequencies are computed from: twice the number of slots if it is not stated, or the width of
    /// the span if `index` is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frequency_dim: Option<usize>,
    /// The name of an array of frequencies, \[slots\] or \[heads, slots\], in place of a law.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frequencies: Option<String>,
    /// True if other axes may claim its slots too: their angles add up.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
    /// Parameters that it states for itself.
    #[serde(flatten)]
    pub parameters: AxisParameters,
}

impl Axis {
    /// An axis of these slots that states nothing else.
    pub fn new(name: &str, pairs: Ranges) -> Self {
        let (name, parameters) = (name.to_owned(), AxisParameters::default());
        Self { name, pairs, index: None, frequency_dim: None, frequencies: None, shared: false, parameters }
    }

    /// True if it claims the slots of so many entries in order, with the frequencies of an encoding of that width.
    fn is_whole(&self, width: usize) -> bool {
        let Self { pairs, index, frequency_dim, frequencies, .. } = self;
        let in_order = |ranges: &Ranges| ranges.iter().eq(0..width / 2);
        let counted = match index {
            None | Some(Index::Pairs) => true,
            Some(Index::Ranges(ranges)) => in_order(ranges),
        };
        in_order(pairs) && counted && frequencies.is_none() && frequency_dim.is_none_or(|dim| dim == width)
    }
}

/// A convention of axes, as it is written: the JSON of `--convention`. [`law`](Self::law) says what it means.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AxialConvention {
    /// Contents of the rows.
    pub encoding: Encoding,
    /// The entries of a row.
    pub dim: usize,
    /// The entries that are rotated at all, from the first to one beyond the last: all if it is not stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<[usize; 2]>,
    /// Which entries form a pair.
    pub layout: AxialLayout,
    /// Entries that have an angle of their own.
    pub slots: SlotKind,
    /// Parameters of all axes that do not state them for themselves.
    #[serde(flatten)]
    pub parameters: AxisParameters,
    /// The axes, in the order of the columns of the positions; none is one axis that claims every slot.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub axes: Vec<Axis>,
}

/// A field of an object, which is taken out of it.
fn take<T: serde::de::DeserializeOwned>(
    fields: &mut Map<String, Value>,
    key: &str,
) -> Result<Option<T>, serde_json::Error> {
    let value = fields.remove(key).filter(|value| !value.is_null());
    value
        .map(|value| T::deserialize(value).map_err(|error| serde_json::Error::custom(format!("{key}: {error}"))))
        .transpose()
}

/// The same for a field that has to be there.
fn demand<T: serde::de::DeserializeOwned>(fields: &mut Map<String, Value>, key: &str) -> Result<T, serde_json::Error> {
    take(fields, key)?.ok_or_else(|| serde_json::Error::custom(format!("missing field `{key}`")))
}

impl<'de> Deserialize<'de> for Axis {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = |mut fields: Map<String, Value>| {
            Ok(Self {
                name: demand(&mut fields, "name")?,
                pairs: demand(&mut fields, "pairs")?,
                index: take(&mut fields, "index")?,
                frequency_dim: take(&mut fields, "frequency_dim")?,
                frequencies: take(&mut fields, "frequencies")?,
                shared: take(&mut fields, "shared")?.unwrap_or(false),
                parameters: AxisParameters::read(fields)?,
            })
        };
        read(Map::deserialize(deserializer)?).map_err(|error: serde_json::Error| D::Error::custom(error))
    }
}

impl<'de> Deserialize<'de> for AxialConvention {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = |mut fields: Map<String, Value>| {
            let rotary: Option<usize> = take(&mut fields, "rotary_dim")?;
            let span = take(&mut fields, "span")?;
            if rotary.is_some() && span.is_some() {
                return Err(serde_json::Error::custom("rotary_dim and span: expected one of them"));
            }
            Ok(Self {
                encoding: demand(&mut fields, "encoding")?,
                dim: demand(&mut fields, "dim")?,
                span: span.or(rotary.map(|end| [0, end])),
                layout: take(&mut fields, "layout")?.unwrap_or_default(),
                slots: take(&mut fields, "slots")?.unwrap_or_default(),
                axes: take(&mut fields, "axes")?.unwrap_or_default(),
                parameters: AxisParameters::read(fields)?,
            })
        };
        read(Map::deserialize(deserializer)?).map_err(|error: serde_json::Error| D::Error::custom(error))
    }
}

impl AxialConvention {
    /// The same as a convention of one axis, where it is one: no axes are stated, and nothing that only axes have.
    pub fn plain(&self) -> Option<Convention> {
        self.axes.is_empty().then(|| self.of_one_axis())?
    }

    /// Convention of one axis that has the same entries: no axis is stated, or one that claims every slot in order and has nothing that only
    /// axes have.
    pub fn of_one_axis(&self) -> Option<Convention> {
        let rational = |coefficient: &Option<super::Coefficient>, or: i64| match coefficient {
            None => Some(or.into()),
            Some(coefficient) => (!coefficient.of_pi).then(|| coefficient.value.clone()),
        };
        let Self { encoding, dim, span, layout, slots, parameters, axes } = self;
        let rotary_dim = match span {
            None => None,
            Some([0, end]) => Some(*end),
            Some(_) => return None,
        };
        let width = rotary_dim.unwrap_or(*dim);
        let parameters = match axes.as_slice() {
            [] => parameters.clone(),
            [axis] if axis.is_whole(width) => axis.parameters.or(parameters),
            _ => return None,
        };
        let AxisParameters { base, frequency_origin, frequency_spacing, position_offset, position_scale, .. } =
            parameters;
        let frequency_spacing = match frequency_spacing {
            None | Some(AxialSpacing::Paper) => Spacing::Paper,
            Some(AxialSpacing::Endpoints) => Spacing::Endpoints,
            Some(AxialSpacing::Linear(_)) => return None,
        };
        let default = Convention { encoding: *encoding, ..Convention::rope(*dim) };
        let convention = Convention {
            base: base.unwrap_or(default.base),
            frequency_origin: frequency_origin.unwrap_or(default.frequency_origin),
            frequency_spacing,
            position_offset: rational(&position_offset, 0)?,
            position_scale: rational(&position_scale, 1)?,
            layout: layout.plain()?,
            order: parameters.order.unwrap_or_default(),
            direction: parameters.direction.unwrap_or_default(),
            amplitude: parameters.amplitude.unwrap_or_default(),
            rotary_dim,
            scaling: parameters.scaling,
            ..default
        };
        (*slots == SlotKind::Pairs).then_some(convention)
    }
}

impl From<&Convention> for AxialConvention {
    /// The special case of one axis that claims every slot.
    fn from(convention: &Convention) -> Self {
        let spacing = match convention.frequency_spacing {
            Spacing::Paper => AxialSpacing::Paper,
            Spacing::Endpoints => AxialSpacing::Endpoints,
        };
        let parameters = AxisParameters {
            base: Some(convention.base.clone()),
            frequency_origin: Some(convention.frequency_origin),
            frequency_spacing: Some(spacing),
            position_offset: Some(convention.position_offset.clone().into()),
            position_scale: Some(convention.position_scale.clone().into()),
            order: Some(convention.order),
            direction: Some(convention.direction),
            amplitude: Some(convention.amplitude.clone()),
            scaling: convention.scaling.clone(),
        };
        // A run of the frequencies of more pairs takes an axis to state it.
        let run = convention.frequency_dim.and_then(|dim| {
            let slots: Vec<usize> = (0..convention.pairs()).collect();
            let index: Vec<usize> = slots.iter().map(|&pair| convention.frequency_index(pair)).collect();
            let index = Some(Index::Ranges(Ranges::of(&index)?));
            Some(Axis { index, frequency_dim: Some(dim), ..Axis::new(POSITION, Ranges::of(&slots)?) })
        });
        let frequency_origin = if run.is_some() { None } else { parameters.frequency_origin };
        Self {
            encoding: convention.encoding,
            dim: convention.dim,
            span: convention.rotary_dim.map(|end| [0, end]),
            layout: convention.layout.into(),
            slots: SlotKind::Pairs,
            parameters: AxisParameters { frequency_origin, ..parameters },
            axes: run.into_iter().collect(),
        }
    }
}
