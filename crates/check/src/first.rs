//! The JSON of judgements in its first version, which has a schema of one axis and another of several (`posproof.check/1` and
//! `posproof.check-axes/1`), and so that of identifications and of positions. It is printed for one release more.

#[cfg(feature = "positions")]
mod decoded;
mod identified;

#[cfg(feature = "axes")]
use super::axes::{AxialMend, AxialReport};
#[cfg(feature = "axes")]
use super::compare::overflow::Overflow;
use super::duplication::Duplication;
use super::faults::Finding;
use super::information::Information;
use super::mend::{Mend, Restatement};
use super::report::{
    ArrayRead, DecadePart, EntryStatistics, Grade, PairPart, Report, WorstEntry, any_or_one, are_usual,
};
use super::totals::PartStatistics;
use posproof_bound::{Libraries, Origin, Path};
#[cfg(feature = "axes")]
use posproof_encoding::axes::AxialConvention;
use posproof_encoding::convention::{Component, Convention};
use posproof_numerics::format::Format;
use serde::{Serialize, Serializer};

pub(super) use posproof_bound::first::{First, FirstVersion};

/// Two judgements in their first version.
pub(super) fn both<M: Restatement, S: Serializer>(reports: &[Report<M>; 2], serializer: S) -> Result<S::Ok, S::Error>
where
    Report<M>: FirstVersion,
{
    reports.each_ref().map(First).serialize(serializer)
}

fn one<S: Serializer>(_: &&'static str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str("posproof.check/1")
}

/// The worst entry of one axis.
#[derive(Serialize)]
struct WorstOfOneAxis<'a> {
    row: usize,
    position: Option<u64>,
    pair: Option<usize>,
    component: Option<Component>,
    slab: usize,
    got: &'a str,
    lower: &'a str,
    upper: &'a str,
    error: f64,
    ulps: Option<f64>,
    bound: f64,
    origin: Origin,
}

impl<'a> From<&'a WorstEntry> for WorstOfOneAxis<'a> {
    fn from(worst: &'a WorstEntry) -> Self {
        Self {
            row: worst.row,
            position: worst.coordinates.iter().flatten().next().and_then(|position| position.parse().ok()),
            pair: worst.pair,
            component: worst.component,
            slab: worst.slab,
            got: &worst.got,
            lower: &worst.lower,
            upper: &worst.upper,
            error: worst.error,
            ulps: worst.ulps,
            bound: worst.bound,
            origin: worst.origin,
        }
    }
}

fn worst_of_one_axis<S: Serializer>(worst: &Option<WorstEntry>, serializer: S) -> Result<S::Ok, S::Error> {
    worst.as_ref().map(WorstOfOneAxis::from).serialize(serializer)
}

/// Statistics of a pair of one axis.
#[derive(Serialize)]
struct PairOfOneAxis {
    pair: usize,
    #[serde(flatten)]
    part: PartStatistics,
}

fn pairs_of_one_axis<S: Serializer>(pairs: &[PairPart], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(pairs.iter().map(|one| PairOfOneAxis { pair: one.pair, part: one.part }))
}

#[derive(Serialize)]
#[serde(remote = "Report<Mend>")]
struct OfOneAxis {
    #[serde(serialize_with = "one")]
    schema: &'static str,
    subject: &'static str,
    grade: Grade,
    conforms: bool,
    expected: Convention,
    found: Option<Convention>,
    entries: u64,
    #[serde(serialize_with = "worst_of_one_axis")]
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
    #[serde(getter = "Report::duplication")]
    duplication: Option<Duplication>,
    information: Information,
    statistics: EntryStatistics,
    #[serde(serialize_with = "pairs_of_one_axis")]
    pairs: Vec<PairPart>,
    decades: Vec<DecadePart>,
}

impl FirstVersion for Report {
    fn first_version<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        OfOneAxis::serialize(self, serializer)
    }
}

#[cfg(feature = "axes")]
fn several<S: Serializer>(_: &&'static str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str("posproof.check-axes/1")
}

/// The worst entry of several axes.
#[cfg(feature = "axes")]
#[derive(Serialize)]
struct WorstOfAxes<'a> {
    row: usize,
    coordinates: &'a Option<Vec<String>>,
    slot: Option<usize>,
    axes: &'a [String],
    component: Option<Component>,
    slab: usize,
    got: &'a str,
    lower: &'a str,
    upper: &'a str,
    error: f64,
    bound: f64,
    origin: Origin,
}

#[cfg(feature = "axes")]
impl<'a> From<&'a WorstEntry> for WorstOfAxes<'a> {
    fn from(worst: &'a WorstEntry) -> Self {
        Self {
            row: worst.row,
            coordinates: &worst.coordinates,
            slot: worst.pair,
            axes: &worst.axes,
            component: worst.component,
            slab: worst.slab,
            got: &worst.got,
            lower: &worst.lower,
            upper: &worst.upper,
            error: worst.error,
            bound: worst.bound,
            origin: worst.origin,
        }
    }
}

#[cfg(feature = "axes")]
fn worst_of_axes<S: Serializer>(worst: &Option<WorstEntry>, serializer: S) -> Result<S::Ok, S::Error> {
    worst.as_ref().map(WorstOfAxes::from).serialize(serializer)
}

/// Counts of several axes.
#[cfg(feature = "axes")]
#[derive(Serialize)]
struct CountsOfAxes {
    correctly_rounded: Option<u64>,
    exceeding: u64,
    not_finite: u64,
    negative_zeros: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    overflow: Option<Overflow>,
    uninformative: u64,
}

#[cfg(feature = "axes")]
fn counts_of_axes(report: &AxialReport) -> CountsOfAxes {
    let EntryStatistics { correctly_rounded, exceeding, not_finite, negative_zeros, overflow, .. } = report.statistics;
    let uninformative = report.information.uninformative;
    CountsOfAxes { correctly_rounded, exceeding, not_finite, negative_zeros, overflow, uninformative }
}

/// Statistics of a slot of several axes.
#[cfg(feature = "axes")]
#[derive(Serialize)]
struct SlotOfAxes<'a> {
    slot: usize,
    axes: &'a [String],
    #[serde(flatten)]
    part: PartStatistics,
}

#[cfg(feature = "axes")]
fn slots_of_axes<S: Serializer>(pairs: &[PairPart], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(pairs.iter().map(|one| SlotOfAxes { slot: one.pair, axes: &one.axes, part: one.part }))
}

#[cfg(feature = "axes")]
#[derive(Serialize)]
#[serde(remote = "Report<AxialMend>")]
struct OfAxes {
    #[serde(serialize_with = "several")]
    schema: &'static str,
    subject: &'static str,
    grade: Grade,
    conforms: bool,
    expected: AxialConvention,
    found: Option<AxialConvention>,
    entries: u64,
    #[serde(serialize_with = "worst_of_axes")]
    worst: Option<WorstEntry>,
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
    #[serde(getter = "counts_of_axes")]
    statistics: CountsOfAxes,
    #[serde(rename = "slots", serialize_with = "slots_of_axes")]
    pairs: Vec<PairPart>,
}

#[cfg(feature = "axes")]
impl FirstVersion for AxialReport {
    fn first_version<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        OfAxes::serialize(self, serializer)
    }
}
