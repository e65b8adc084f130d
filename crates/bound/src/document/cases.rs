//! The bounds of entries, of pairs and of scores.

use super::{ENCLOSURE_DIGITS, printed, ratio};
use crate::composite::Composite;
use crate::entry::Model;
use crate::origin::{Bound, Origin};
use crate::program::Path;
use crate::study::{Decade, Guaranteed, Question, Row, Study};
use crate::worst::Extreme;
use posproof_encoding::Positions;
use posproof_encoding::convention::Component;
use posproof_numerics::Round;
use posproof_numerics::decimal::scientific;
use posproof_numerics::format::{Format, hex};
use serde::Serialize;
use std::ops::Range;

/// A case with its axes, which the first version of one axis does not have.
#[derive(Serialize)]
pub(super) struct Case<K> {
    /// The axes that turn it.
    pub axes: Vec<String>,
    #[serde(flatten)]
    pub of: K,
}

/// The bounds of entries of one axis, or of what is composed of them, over a range of positions.
#[derive(Serialize)]
pub struct EntryCase {
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
    /// Positions that were enumerated, where they are not all of those of which the bounds hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    enumerated: Option<String>,
    got: String,
    exact: Ends,
}

#[derive(Serialize)]
struct Ends {
    lower: String,
    upper: String,
}

impl Witness {
    fn new(extreme: &Extreme, question: &Question) -> Self {
        let (lower, upper) = extreme.exact.decimal_with(ENCLOSURE_DIGITS);
        let error = scientific(extreme.error, super::DIGITS, Round::Nearest);
        let some = question
            .worst
            .as_ref()
            .filter(|worst| worst.len() as u64 != question.positions.end - question.positions.start);
        let enumerated = some.map(Positions::summary);
        Self { error, position: extreme.position, enumerated, got: hex(extreme.got), exact: Ends { lower, upper } }
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

impl EntryCase {
    fn new(model: &Model, pair: Option<usize>, positions: &Range<u64>, [a_priori, instance]: [Bound; 2]) -> Self {
        Self {
            format: model.program().storage,
            path: model.program().path,
            frequency_format: None,
            angle_format: None,
            ulp: None,
            pair,
            component: None,
            positions: [positions.start, positions.end],
            a_priori: printed(a_priori.value()),
            instance: printed(instance.value()),
            origin: Origins { a_priori: a_priori.origin(), instance: instance.origin() },
            decades: None,
            worst: None,
            ratio: None,
            error: None,
            largest_position: None,
        }
    }

    pub(super) fn composed(model: &Model, composite: &Composite) -> Self {
        Self::new(model, composite.pair, &composite.positions, [composite.a_priori, composite.instance])
    }

    pub(super) fn entries(model: &Model, study: &Study, row: &Row) -> Self {
        let program = model.program();
        let positions = &study.question.positions;
        let extreme = row.worst.as_ref().map(|worst| worst.of(row.component));
        let last = |count: u64| count.checked_sub(1).map(|last| last + positions.start);
        let largest = |reach: Guaranteed| Origins { a_priori: last(reach.a_priori), instance: last(reach.instance) };
        Self {
            frequency_format: Some(program.frequency),
            angle_format: Some(program.angle),
            ulp: Some(program.kappa),
            component: Some(row.component),
            decades: Some(row.decades.iter().map(Stage::new).collect()),
            worst: extreme.map(|extreme| Witness::new(extreme, &study.question)),
            ratio: extreme.and_then(|extreme| ratio(row, extreme)),
            error: study.question.error,
            largest_position: row.reach.map(largest),
            ..Self::new(model, Some(row.pair), positions, [row.a_priori, row.instance])
        }
    }
}
