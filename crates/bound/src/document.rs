//! Bounds as JSON (schema `posproof.bound/1`).

use super::attention::{Attention, ByKey, Found, Keys, Probable};
use super::composite::Composite;
use super::entry::Model;
use super::graph::GraphOrigin;
use super::origin::Origin;
use super::program::Path;
use super::quantity::{Arithmetic, Scoring};
use super::study::{Decade, Row, Study};
use super::worst::Extreme;
use posproof_encoding::convention::{Component, Convention};
use posproof_numerics::Round;
use posproof_numerics::decimal::scientific;
use posproof_numerics::format::{Format, hex};
use serde::Serialize;

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

/// The bounds of a table's entries, of rotated pairs or of scores.
#[derive(Serialize)]
pub struct Document {
    schema: &'static str,
    /// Quantity composed of a table's entries; nothing for the entries themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<&'static str>,
    /// The graph that the program was read from; nothing where it was stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    graph: Option<GraphOrigin>,
    convention: Convention,
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
    cases: Vec<Case>,
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

#[derive(Serialize)]
struct Case {
    format: Format,
    path: Path,
    #[serde(skip_serializing_if = "Option::is_none")]
    frequency_format: Option<Format>,
    #[serde(skip_serializing_if = "Option::is_none")]
    angle_format: Option<Format>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ulp: Option<f64>,
    /// None for what takes all pairs together.
    pair: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    component: Option<Component>,
    positions: [u64; 2],
    a_priori: String,
    instance: String,
    origin: Origins<Origin>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decades: Option<Vec<Stage>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    worst: Option<Witness>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<f64>,
    /// The largest position up to which the error is guaranteed below `error`; null where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    largest_position: Option<Origins<Option<u64>>>,
}

#[derive(Serialize)]
struct Origins<T> {
    a_priori: T,
    instance: T,
}

#[derive(Serialize)]
struct Stage {
    positions: [u64; 2],
    a_priori: String,
    instance: String,
}

#[derive(Serialize)]
struct Witness {
    error: String,
    position: u64,
    got: String,
    exact: Ends,
}

#[derive(Serialize)]
struct Ends {
    lower: String,
    upper: String,
}

impl Witness {
    fn new(extreme: &Extreme) -> Self {
        let (lower, upper) = extreme.exact.decimal_with(ENCLOSURE_DIGITS);
        let error = scientific(extreme.error, DIGITS, Round::Nearest);
        Self { error, position: extreme.position, got: hex(extreme.got), exact: Ends { lower, upper } }
    }
}

impl Stage {
    fn new(decade: &Decade) -> Self {
        Self {
            positions: [decade.positions.start, decade.positions.end],
            a_priori: printed(decade.a_priori.value()),
            instance: printed(decade.instance.value()),
        }
    }
}

impl Document {
    const SCHEMA: &str = "posproof.bound/1";

    /// The document of a study.
    pub fn new(model: &Model, study: &Study) -> Self {
        let cases = study.rows.iter().map(|row| entries(model, study, row)).collect();
        Self { cases, ..Self::empty(None, model) }
    }

    /// The document of rotated pairs (`rotation`) or of scores (`score`).
    pub fn composed(subject: &'static str, model: &Model, rows: &[Vec<Composite>]) -> Self {
        let cases = rows.iter().flatten().map(|composite| composed(model, composite)).collect();
        Self { cases, ..Self::empty(Some(subject), model) }
    }

    fn empty(subject: Option<&'static str>, model: &Model) -> Self {
        Self {
            schema: Self::SCHEMA,
            subject,
            graph: None,
            convention: model.convention().clone(),
            rotation: None,
            sums: None,
            attention: None,
            probabilistic: None,
            search: None,
            by_key: None,
            cases: Vec::new(),
        }
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

fn composed(model: &Model, composite: &Composite) -> Case {
    Case {
        format: model.program().storage,
        path: model.program().path,
        frequency_format: None,
        angle_format: None,
        ulp: None,
        pair: composite.pair,
        component: None,
        positions: [composite.positions.start, composite.positions.end],
        a_priori: printed(composite.a_priori.value()),
        instance: printed(composite.instance.value()),
        origin: Origins { a_priori: composite.a_priori.origin(), instance: composite.instance.origin() },
        decades: None,
        worst: None,
        ratio: None,
        error: None,
        largest_position: None,
    }
}

fn entries(model: &Model, study: &Study, row: &Row) -> Case {
    let program = model.program();
    let positions = &study.question.positions;
    let extreme = row.worst.as_ref().map(|worst| worst.of(row.component));
    let last = |count: u64| count.checked_sub(1).map(|last| last + positions.start);
    Case {
        format: program.storage,
        path: program.path,
        frequency_format: Some(program.frequency),
        angle_format: Some(program.angle),
        ulp: Some(program.kappa),
        pair: Some(row.pair),
        component: Some(row.component),
        positions: [positions.start, positions.end],
        a_priori: printed(row.a_priori.value()),
        instance: printed(row.instance.value()),
        origin: Origins { a_priori: row.a_priori.origin(), instance: row.instance.origin() },
        decades: Some(row.decades.iter().map(Stage::new).collect()),
        worst: extreme.map(Witness::new),
        ratio: extreme.and_then(|extreme| ratio(row, extreme)),
        error: study.question.error,
        largest_position: row
            .reach
            .map(|reach| Origins { a_priori: last(reach.a_priori), instance: last(reach.instance) }),
    }
}
