//! The parameters that a convention of axes has for all of them, and an axis for itself.

use super::coefficient::Coefficient;
use crate::amplitude::Amplitude;
use crate::convention::{Direction, Order};
use crate::real::Real;
use crate::scaling::Scaling;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Spacing of an axis's frequencies, with D its `frequency_dim`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AxialSpacing {
    /// ω_i = base^(−2(i + origin)/D).
    #[default]
    Paper,
    /// ω_i = base^(−(i + origin)/(D/2 − 1)).
    Endpoints,
    /// ω_i = first + (last − first)·i/(D/2 − 1).
    Linear([Real; 2]),
}

/// Parameters that are stated; what an axis does not state for itself, it has from the whole convention.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AxisParameters {
    /// The base, positive and not 1; 10000 if it is not stated. Below 1 the frequencies ascend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Real>,
    /// The index of the first frequency, 0 or 1; 0 if it is not stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency_origin: Option<u32>,
    /// The spacing of the frequencies; the paper's if it is not stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency_spacing: Option<AxialSpacing>,
    /// Addend of a coordinate; 0 if it is not stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position_offset: Option<Coefficient>,
    /// Factor of the sum; 1 if it is not stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position_scale: Option<Coefficient>,
    /// Which component of a pair comes first in a sinusoid's row; the sine if it is not stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Order>,
    /// The sense of the rotation; counter-clockwise if it is not stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// The factor of every entry; 1 if it is not stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amplitude: Option<Amplitude>,
    /// The rule that changes the frequencies for longer contexts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scaling: Option<Scaling>,
}

impl AxisParameters {
    /// The stated fields of an object. Older configurations call the name of a scaling rule `type`.
    pub(super) fn read(mut fields: Map<String, Value>) -> Result<Self, serde_json::Error> {
        if let Some(Value::Object(rule)) = fields.get_mut("scaling")
            && !rule.contains_key("rope_type")
            && let Some(name) = rule.remove("type")
        {
            rule.insert("rope_type".to_owned(), name);
        }
        Self::deserialize(Value::Object(fields))
    }

    /// These, and those of the whole convention for what is not stated here.
    pub(super) fn or(&self, whole: &Self) -> Self {
        Self {
            base: self.base.clone().or_else(|| whole.base.clone()),
            frequency_origin: self.frequency_origin.or(whole.frequency_origin),
            frequency_spacing: self.frequency_spacing.clone().or_else(|| whole.frequency_spacing.clone()),
            position_offset: self.position_offset.clone().or_else(|| whole.position_offset.clone()),
            position_scale: self.position_scale.clone().or_else(|| whole.position_scale.clone()),
            order: self.order.or(whole.order),
            direction: self.direction.or(whole.direction),
            amplitude: self.amplitude.clone().or_else(|| whole.amplitude.clone()),
            scaling: self.scaling.clone().or_else(|| whole.scaling.clone()),
        }
    }
}
