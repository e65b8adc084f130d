//! The JSON of a judgement (schema `posproof.check/2`): one schema of one axis and of several.

use super::faults::{Code, Explained, Finding, Region, Shape, Span, Status, detail};
use super::information::Information;
use super::mend::Restatement;
use super::report::{
    ArrayRead, DecadePart, EntryStatistics, Grade, PairPart, Report, WorstEntry, any_or_one, are_usual,
};
use posproof_bound::{Libraries, Path};
use posproof_encoding::axes::WithAxes;
use posproof_encoding::convention::Component;
use posproof_numerics::format::Format;
use serde::{Serialize, Serializer};
use serde_json::Value;

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
    #[serde(serialize_with = "placed")]
    findings: &'a [Finding],
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
#[derive(Serialize)]
struct PlacedFinding<'a> {
    code: Code,
    message: String,
    status: Status,
    explains: Explained,
    #[serde(rename = "where")]
    place: Option<FindingPlace<'a>>,
    detail: Value,
}

#[derive(Serialize)]
struct FindingPlace<'a> {
    rows: &'a Span,
    coordinates: &'a [Option<Vec<String>>; 2],
    before: Option<u64>,
    heads: &'a Span,
    pairs: &'a Option<Span>,
    axes: &'a [String],
    component: Option<Component>,
    of: Shape,
}

impl<'a> From<&'a Region> for FindingPlace<'a> {
    fn from(region: &'a Region) -> Self {
        let Region { rows, coordinates, before, heads, pairs, axes, has_axes, component, of, .. } = region;
        let before = before.filter(|_| !has_axes);
        Self { rows, coordinates, before, heads, pairs, axes, component: *component, of: *of }
    }
}

/// Findings with their places.
pub(super) fn placed<S: Serializer>(findings: &[Finding], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(findings.iter().map(|finding| PlacedFinding {
        code: finding.code(),
        message: finding.to_string(),
        status: finding.status,
        explains: finding.explains,
        place: finding.region.as_ref().map(FindingPlace::from),
        detail: detail(&finding.cause),
    }))
}

impl<M: Restatement> Serialize for Report<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
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
            findings: &self.findings,
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
