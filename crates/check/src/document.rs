//! The JSON of a judgement (schema `posproof.check/2`): one schema of one axis and of several.

#[cfg(feature = "axes")]
use super::axes::AxialReport;
use super::duplication::Duplication;
use super::faults::Finding;
use super::report::{
    ArrayRead, DecadePart, EntryStatistics, Grade, PairPart, Report, WorstEntry, any_or_one, are_usual,
};
use posproof_bound::{Libraries, Path};
use posproof_encoding::axes::{POSITION, WithAxes};
use posproof_numerics::format::Format;
use serde::ser::Error;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// Name of the schema.
pub(super) const SCHEMA: &str = "posproof.check/2";

/// A judgement.
#[derive(Serialize)]
struct JudgementDocument<'a> {
    schema: &'static str,
    subject: &'static str,
    grade: Grade,
    conforms: bool,
    axes: Vec<String>,
    expected: Value,
    found: Value,
    entries: u64,
    worst: Option<&'a WorstEntry>,
    findings: Vec<Value>,
    mend: Value,
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
    information: Value,
    statistics: &'a EntryStatistics,
    pairs: &'a [PairPart],
    decades: &'a [DecadePart],
}

/// A finding, its place with coordinates and axes.
fn placed(finding: &Finding) -> serde_json::Result<Value> {
    let mut all = serde_json::to_value(finding)?;
    if let Some(place) = all.get_mut("where").and_then(Value::as_object_mut) {
        if let Some(region) = finding.region.as_ref().filter(|_| finding.axial_region.is_none()) {
            place.remove("positions");
            place.insert("coordinates".into(), region.positions.map(|position| json!([position.to_string()])).into());
            place.insert("axes".into(), json!([POSITION]));
        }
        place.entry("before").or_insert(Value::Null);
    }
    Ok(all)
}

impl Report {
    fn document(&self) -> serde_json::Result<JudgementDocument<'_>> {
        let mend = |arguments: Vec<String>| json!({ "arguments": arguments, "convention": null, "positions": null, "compute": null });
        Ok(JudgementDocument {
            schema: SCHEMA,
            subject: self.subject,
            grade: self.grade,
            conforms: self.conforms,
            axes: WithAxes(&self.expected).names(),
            expected: serde_json::to_value(WithAxes(&self.expected))?,
            found: serde_json::to_value(WithAxes(&self.found))?,
            entries: self.entries,
            worst: self.worst.as_ref(),
            findings: self.findings.iter().map(placed).collect::<Result<_, _>>()?,
            mend: self.mend.as_ref().map_or(Value::Null, |found| mend(found.arguments())),
            compute: self.compute,
            libraries: self.libraries,
            path: self.path,
            storage: self.storage,
            inputs: &self.inputs,
            // A cache whose columns stand for one pair each is none that repeats them.
            columns: self.duplication.map(|found| if found == Duplication::None { "slots" } else { found.name() }),
            rotation: true,
            undetermined: &[],
            information: serde_json::to_value(&self.information)?,
            statistics: &self.statistics,
            pairs: &self.pairs,
            decades: &self.decades,
        })
    }
}

#[cfg(feature = "axes")]
impl AxialReport {
    fn document(&self) -> serde_json::Result<JudgementDocument<'_>> {
        let mut mend = serde_json::to_value(&self.mend)?;
        if let (Some(fields), Some(found)) = (mend.as_object_mut(), &self.mend) {
            fields.insert("arguments".into(), Value::Null);
            fields.insert("convention".into(), serde_json::to_value(WithAxes(&found.convention))?);
        }
        Ok(JudgementDocument {
            schema: SCHEMA,
            subject: self.subject,
            grade: self.grade,
            conforms: self.conforms,
            axes: WithAxes(&self.expected).names(),
            expected: serde_json::to_value(WithAxes(&self.expected))?,
            found: serde_json::to_value(WithAxes(&self.found))?,
            entries: self.entries,
            worst: self.worst.as_ref(),
            findings: self.findings.iter().map(placed).collect::<Result<_, _>>()?,
            mend,
            compute: self.compute,
            libraries: self.libraries,
            path: self.path,
            storage: self.storage,
            inputs: &self.inputs,
            columns: self.columns,
            rotation: self.rotation,
            undetermined: &self.undetermined,
            information: json!({ "uninformative": self.uninformative, "zeros": null, "rows": null, "pairs": [] }),
            statistics: &self.statistics,
            pairs: &self.pairs,
            decades: &[],
        })
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.document().map_err(S::Error::custom)?.serialize(serializer)
    }
}

#[cfg(feature = "axes")]
impl Serialize for AxialReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.document().map_err(S::Error::custom)?.serialize(serializer)
    }
}
