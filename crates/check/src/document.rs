//! The JSON of a judgement (schema `posproof.check/2`): one schema of one axis and of several.

use super::faults::Finding;
use super::information::Information;
use super::mend::Restatement;
use super::report::{
    ArrayRead, DecadePart, EntryStatistics, Grade, PairPart, Report, WorstEntry, any_or_one, are_usual,
};
use posproof_bound::{Libraries, Path};
use posproof_encoding::axes::WithAxes;
use posproof_numerics::format::Format;
use serde::ser::Error;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// Name of the schema.
pub(super) const SCHEMA: &str = "posproof.check/2";

/// A judgement.
#[derive(Serialize)]
struct JudgementDocument<'a, C: Serialize, M: Serialize> {
    schema: &'static str,
    subject: &'static str,
    grade: Grade,
    conforms: bool,
    axes: Vec<String>,
    expected: WithAxes<'a, C>,
    found: Option<WithAxes<'a, C>>,
    entries: u64,
    worst: Option<&'a WorstEntry>,
    findings: Vec<Value>,
    mend: Option<M>,
    compute: Format,
    #[serde(rename = "ulp", skip_serializing_if = "are_usual")]
    libraries: Libraries,
    #[serde(serialize_with = "any_or_one")]
    path: Option<Path>,
    storage: Format,
    inputs: &'a [ArrayRead],
    columns: Option<&'static str>,
    rotation: bool,
    undetermined: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    alike: &'a [Vec<String>],
    information: &'a Information,
    statistics: &'a EntryStatistics,
    pairs: &'a [PairPart],
    decades: &'a [DecadePart],
}

/// A finding, its place with coordinates and axes.
fn placed(finding: &Finding) -> serde_json::Result<Value> {
    let mut all = serde_json::to_value(finding)?;
    if let Some(place) = all.get_mut("where").and_then(Value::as_object_mut) {
        if let Some(region) = &finding.region {
            place.remove("positions");
            place.insert("coordinates".into(), json!(region.coordinates));
            place.insert("axes".into(), json!(region.axes));
        }
        place.entry("before").or_insert(Value::Null);
    }
    Ok(all)
}

impl<M: Restatement> Serialize for Report<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let findings: serde_json::Result<Vec<Value>> = self.findings.iter().map(placed).collect();
        let document = JudgementDocument {
            schema: SCHEMA,
            subject: self.subject,
            grade: self.grade,
            conforms: self.conforms,
            axes: WithAxes(&self.expected).names(),
            expected: WithAxes(&self.expected),
            found: self.found.as_ref().map(WithAxes),
            entries: self.entries,
            worst: self.worst.as_ref(),
            findings: findings.map_err(S::Error::custom)?,
            mend: self.mend.as_ref().map(Restatement::document),
            compute: self.compute,
            libraries: self.libraries,
            path: self.path,
            storage: self.storage,
            inputs: &self.inputs,
            columns: self.columns,
            rotation: self.rotation,
            undetermined: &self.undetermined,
            alike: &self.alike,
            information: &self.information,
            statistics: &self.statistics,
            pairs: &self.pairs,
            decades: &self.decades,
        };
        document.serialize(serializer)
    }
}
