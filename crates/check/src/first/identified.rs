//! Identifications in their first version: `posproof.identify/1` and `posproof.identify-axes/1`.

use super::FirstVersion;
#[cfg(feature = "axes")]
use crate::axes::{AxialGroups, AxialIdentification};
use crate::faults::Finding;
use crate::levels::Levels;
use crate::recognise::{Confidence, Identification, MeasuredFrequency, Undetermined};
#[cfg(feature = "axes")]
use crate::recognise::{MeasuredAxis, standing};
use posproof_bound::Path;
#[cfg(feature = "axes")]
use posproof_encoding::axes::AxialConvention;
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use serde::{Serialize, Serializer};

#[derive(Serialize)]
#[serde(remote = "Identification", tag = "schema", rename = "posproof.identify/1")]
struct IdentificationOfOneAxis {
    subject: &'static str,
    confidence: Confidence,
    convention: Option<Convention>,
    remaining: Vec<Convention>,
    separating_position: Option<u64>,
    undetermined: Vec<Undetermined>,
    findings: Vec<Finding>,
    storage: Format,
    compute: Option<Format>,
    path: Option<Path>,
    amplitude: Option<f64>,
    #[serde(getter = "Identification::measured")]
    measured: Vec<MeasuredFrequency>,
    measured_law: Option<Convention>,
    #[serde(skip_serializing_if = "Option::is_none")]
    levels: Option<Levels>,
}

impl FirstVersion for Identification {
    fn first_version<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        IdentificationOfOneAxis::serialize(self, serializer)
    }
}

#[cfg(feature = "axes")]
#[derive(Serialize)]
#[serde(remote = "AxialIdentification", tag = "schema", rename = "posproof.identify-axes/1")]
struct IdentificationOfAxes {
    subject: &'static str,
    confidence: Confidence,
    convention: Option<AxialConvention>,
    columns_of_positions: Vec<usize>,
    columns: Option<&'static str>,
    storage: Format,
    axes: Vec<MeasuredAxis>,
    #[serde(serialize_with = "standing")]
    still: Option<Vec<usize>>,
    undetermined: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<Finding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    levels: Option<Levels>,
}

#[cfg(feature = "axes")]
impl FirstVersion for AxialIdentification {
    fn first_version<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        IdentificationOfAxes::serialize(self, serializer)
    }
}

#[cfg(feature = "axes")]
impl FirstVersion for AxialGroups {
    /// Its only version.
    fn first_version<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }
}
