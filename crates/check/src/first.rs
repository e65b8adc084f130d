//! The JSON of judgements in its first version, which has a schema of one axis and another of several (`posproof.check/1` and
//! `posproof.check-axes/1`). It is printed for one release more.

#[cfg(feature = "axes")]
use super::axes::{AxialMend, AxialReport, AxialStatistics, AxialWorst, SlotPart};
use super::duplication::Duplication;
use super::faults::Finding;
use super::information::Information;
use super::mend::Mend;
use super::report::{
    ArrayRead, DecadePart, EntryStatistics, Grade, PairPart, Report, WorstEntry, any_or_one, are_usual,
};
use posproof_bound::{Libraries, Path};
#[cfg(feature = "axes")]
use posproof_encoding::axes::AxialConvention;
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use serde::{Serialize, Serializer};

/// A judgement that has a first version.
pub trait FirstVersion {
    /// Serialises it in that version.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    fn serialize_first<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// A judgement in its first version.
pub struct First<'a, R>(pub &'a R);

impl<R: FirstVersion> Serialize for First<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize_first(serializer)
    }
}

/// Two judgements in their first version.
pub(super) fn both<R: FirstVersion, S: Serializer>(reports: &[R; 2], serializer: S) -> Result<S::Ok, S::Error> {
    reports.each_ref().map(First).serialize(serializer)
}

fn one<S: Serializer>(_: &&'static str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str("posproof.check/1")
}

#[derive(Serialize)]
#[serde(remote = "Report")]
struct OfOneAxis {
    #[serde(serialize_with = "one")]
    schema: &'static str,
    subject: &'static str,
    grade: Grade,
    conforms: bool,
    expected: Convention,
    found: Option<Convention>,
    entries: u64,
    worst: Option<WorstEntry>,
    findings: Vec<Finding>,
    mend: Option<Mend>,
    compute: Format,
    #[serde(rename = "ulp", skip_serializing_if = "are_usual")]
    libraries: Libraries,
    #[serde(serialize_with = "any_or_one")]
    path: Option<Path>,
    storage: Format,
    inputs: Vec<ArrayRead>,
    duplication: Option<Duplication>,
    information: Information,
    statistics: EntryStatistics,
    pairs: Vec<PairPart>,
    decades: Vec<DecadePart>,
}

impl FirstVersion for Report {
    fn serialize_first<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        OfOneAxis::serialize(self, serializer)
    }
}

#[cfg(feature = "axes")]
fn several<S: Serializer>(_: &&'static str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str("posproof.check-axes/1")
}

#[cfg(feature = "axes")]
#[derive(Serialize)]
#[serde(remote = "AxialReport")]
struct OfAxes {
    #[serde(serialize_with = "several")]
    schema: &'static str,
    subject: &'static str,
    grade: Grade,
    conforms: bool,
    expected: AxialConvention,
    found: Option<AxialConvention>,
    entries: u64,
    worst: Option<AxialWorst>,
    findings: Vec<Finding>,
    mend: Option<AxialMend>,
    compute: Format,
    #[serde(rename = "ulp", skip_serializing_if = "are_usual")]
    libraries: Libraries,
    #[serde(serialize_with = "any_or_one")]
    path: Option<Path>,
    storage: Format,
    inputs: Vec<ArrayRead>,
    columns: Option<&'static str>,
    rotation: bool,
    undetermined: Vec<String>,
    statistics: AxialStatistics,
    slots: Vec<SlotPart>,
}

#[cfg(feature = "axes")]
impl FirstVersion for AxialReport {
    fn serialize_first<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        OfAxes::serialize(self, serializer)
    }
}
