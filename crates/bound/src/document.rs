//! Bounds as JSON (schema `posproof.bound/2`): one schema of one axis and of several. First versions are printed from the same value.

#[cfg(feature = "axes")]
mod axes;
mod cases;

#[cfg(feature = "axes")]
pub use axes::SlotCase;
pub use cases::EntryCase;

use super::attention::{Attention, ByKey, Found, Keys, Probable};
use super::composite::Composite;
use super::entry::Model;
use super::first::FirstVersion;
use super::graph::GraphOrigin;
use super::origin::Origin;
use super::quantity::{Arithmetic, Scoring};
use super::study::{Row, Study};
use super::worst::Extreme;
use cases::Case;
use posproof_encoding::axes::{POSITION, WithAxes, with_axes};
use posproof_encoding::convention::Convention;
use posproof_numerics::Round;
use posproof_numerics::decimal::scientific;
use posproof_numerics::format::Format;
use serde::{Serialize, Serializer};

/// Significant digits of a figure that is printed.
const DIGITS: usize = 5;

/// Digits of an enclosure that is shown.
const ENCLOSURE_DIGITS: usize = 25;

/// An upper bound as it is printed: in few digits, rounded up.
pub fn printed(bound: f64) -> String {
    scientific(bound, DIGITS, Round::Up)
}

/// Instance bound by worst error, to four digits; none where there is no error.
pub fn ratio(row: &Row, extreme: &Extreme) -> Option<f64> {
    (extreme.error > 0.0).then(|| (row.instance.value() / extreme.error * 1e4).round() / 1e4)
}

/// The bounds of a table's entries, of rotated pairs or of scores, of a convention of one axis; or of the slots of several axes.
#[derive(Serialize)]
#[serde(tag = "schema", rename = "posproof.bound/2", bound = "C: Serialize, K: Serialize")]
pub struct Document<C = Convention, K = EntryCase> {
    /// Quantity composed of a table's entries; nothing for the entries themselves, of several axes `table`.
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<&'static str>,
    /// The graph that the program was read from; nothing where it was stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    graph: Option<GraphOrigin>,
    axes: Vec<String>,
    #[serde(serialize_with = "with_axes")]
    convention: C,
    /// Rotation of pairs and sums of scores in words; nothing where there are none, or where `attention` says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    rotation: Option<Arithmetic>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sums: Option<Format>,
    /// The computation of attention; nothing where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    attention: Option<Attention>,
    /// A bound that holds with a probability.
    #[serde(skip_serializing_if = "Option::is_none")]
    probabilistic: Option<Chance>,
    /// The largest error found; nothing where the program is not one that is searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<Search>,
    /// Dependence on absolute position, by key; nothing where there is no search.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_key: Option<Split>,
    cases: Vec<Case<K>>,
}

#[derive(Serialize)]
struct Chance {
    bound: String,
    /// The bound fails at most once in so many.
    odds: u64,
    spread: f64,
    assumption: &'static str,
    origin: Origin,
}

#[derive(Serialize)]
struct Search {
    error: String,
    /// The worst-case bound of vectors of the lengths found, and of as many keys.
    bound: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
    query_length: f64,
    key_length: f64,
    query: u64,
    keys: Vec<u64>,
}

#[derive(Serialize)]
struct Split {
    /// Random logits of each class.
    logits: u64,
    seed: u64,
    queries: [u64; 2],
    /// By how much query and key are moved together, at least and at most.
    shifts: [u64; 2],
    half_at_weight: f64,
    classes: Vec<Class>,
}

#[derive(Serialize)]
struct Class {
    positions: [u64; 2],
    error: String,
    change: String,
    largest_change: String,
    share: f64,
}

/// A measured figure as it is printed.
pub fn measured(x: f64) -> String {
    scientific(x, DIGITS, Round::Nearest)
}

fn millionths(x: f64) -> f64 {
    (x * 1e6).round() / 1e6
}

impl From<&Keys> for Class {
    fn from(keys: &Keys) -> Self {
        Self {
            positions: [keys.positions.start, keys.positions.end],
            error: measured(keys.error),
            change: measured(keys.moved),
            largest_change: measured(keys.largest),
            share: millionths(keys.share),
        }
    }
}

impl From<&ByKey> for Split {
    fn from(split: &ByKey) -> Self {
        Self {
            logits: split.logits,
            seed: split.seed,
            queries: [split.queries.start, split.queries.end],
            shifts: split.shifts,
            half_at_weight: millionths(split.half_at_weight),
            classes: split.classes.iter().map(Class::from).collect(),
        }
    }
}

impl From<&Probable> for Chance {
    fn from(probable: &Probable) -> Self {
        let Probable { bound, odds, spread, assumption } = *probable;
        Self { bound: printed(bound.value()), odds, spread, assumption, origin: bound.origin() }
    }
}

impl From<&Found> for Search {
    fn from(found: &Found) -> Self {
        let [query_length, key_length] = found.lengths;
        Self {
            error: scientific(found.error, DIGITS, Round::Down),
            bound: printed(found.bound.value()),
            ratio: found.ratio().map(|ratio| (ratio * 1e4).round() / 1e4),
            query_length,
            key_length,
            query: found.position,
            keys: found.keys.clone(),
        }
    }
}

impl<C: Serialize, K> Document<C, K> {
    fn empty(subject: Option<&'static str>, convention: C) -> Self {
        Self {
            subject,
            graph: None,
            axes: WithAxes(&convention).names(),
            convention,
            rotation: None,
            sums: None,
            attention: None,
            probabilistic: None,
            search: None,
            by_key: None,
            cases: Vec::new(),
        }
    }
}

impl Document {
    /// The document of a study.
    pub fn new(model: &Model, study: &Study) -> Self {
        Self::of(None, model, study.rows.iter().map(|row| EntryCase::entries(model, study, row)))
    }

    /// The document of rotated pairs (`rotation`) or of scores (`score`).
    pub fn composed(subject: &'static str, model: &Model, rows: &[Vec<Composite>]) -> Self {
        Self::of(Some(subject), model, rows.iter().flatten().map(|composite| EntryCase::composed(model, composite)))
    }

    fn of(subject: Option<&'static str>, model: &Model, cases: impl Iterator<Item = EntryCase>) -> Self {
        let case = |of| Case { axes: vec![POSITION.to_owned()], of };
        Self { cases: cases.map(case).collect(), ..Self::empty(subject, model.convention().clone()) }
    }

    /// That program, with the graph that it was read from.
    pub fn of_graph(self, graph: Option<&GraphOrigin>) -> Self {
        Self { graph: graph.cloned(), ..self }
    }

    /// That program, with the rotation of pairs in words.
    pub fn of_rotation(self, rotation: Arithmetic) -> Self {
        Self { rotation: Some(rotation), ..self }
    }

    /// That program, with the computation of scores in words.
    pub fn of_scores(self, Scoring { rotation, sums }: Scoring) -> Self {
        Self { sums: Some(sums), ..self.of_rotation(rotation) }
    }

    /// The same, saying how attention is computed, what holds with a probability, what a search found, and what depends on
    /// absolute position.
    pub fn of_attention(
        self,
        attention: &Attention,
        probable: &Probable,
        found: Option<&Found>,
        by_key: Option<&ByKey>,
    ) -> Self {
        let (probabilistic, search) = (Some(probable.into()), found.map(Search::from));
        Self { attention: Some(*attention), probabilistic, search, by_key: by_key.map(Split::from), ..self }
    }
}

/// The first version of one axis.
#[derive(Serialize)]
#[serde(remote = "Document", tag = "schema", rename = "posproof.bound/1")]
struct DocumentOfOneAxis {
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    graph: Option<GraphOrigin>,
    convention: Convention,
    #[serde(skip_serializing_if = "Option::is_none")]
    rotation: Option<Arithmetic>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sums: Option<Format>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attention: Option<Attention>,
    #[serde(skip_serializing_if = "Option::is_none")]
    probabilistic: Option<Chance>,
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<Search>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_key: Option<Split>,
    #[serde(serialize_with = "without_axes")]
    cases: Vec<Case<EntryCase>>,
}

fn without_axes<S: Serializer>(cases: &[Case<EntryCase>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(cases.iter().map(|case| &case.of))
}

impl FirstVersion for Document {
    fn first_version<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        DocumentOfOneAxis::serialize(self, serializer)
    }
}
