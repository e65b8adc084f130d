//! Kinds of evidence about a claim: what each says, and its status.

use super::displacement::Displacement;
use super::entry::Entry;
use super::judge::{Judgement, Refutation};
use super::systems::SystemName;
use super::uniform::UniformBound;
use super::witness::Witness;
use crate::claim::{Measurement, Survey};
use crate::number::system::{Decision, Measure};
use serde::Serialize;
use std::collections::BTreeMap;

/// Evidence of one kind of system about a claim.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// A Coq theorem.
    Formal {
        /// Its name.
        theorem: String,
        /// Status of the proof's check.
        status: FormalStatus,
        /// The axioms that it depends upon.
        axioms: Vec<String>,
        /// Why it was not run, or how it failed.
        reason: Option<String>,
    },
    /// Normal forms: for all reals and all positions where these are symbols.
    Exact {
        /// Finding.
        status: ExactStatus,
        /// Sizes, permutations and choices looked at.
        cases: u64,
        /// True if reals or positions stand as symbols, so that each case is about all of them.
        symbolic: bool,
        /// Comparisons that held.
        held: u64,
        /// Comparisons that could not be decided, by reason.
        unable: BTreeMap<String, u64>,
        /// A comparison that is false.
        refutation: Option<Witness>,
    },
    /// Enclosures at the positions of the cases.
    Enclosed {
        /// The system's name, `interval256`.
        system: &'static str,
        /// Finding.
        status: EnclosedStatus,
        /// Cases looked at.
        cases: u64,
        /// Comparisons that held.
        held: u64,
        /// Comparisons that could not be decided, by reason.
        unable: BTreeMap<String, u64>,
        /// The width of the widest enclosure.
        widest: f64,
        /// The domain of a survey and what it found.
        survey: Option<String>,
        /// The first comparison whose sides were told apart.
        witness: Option<Witness>,
    },
    /// Floating point, with a rigorous bound beside every measured error.
    Float {
        /// The system's name: `f32`, `mp113`.
        system: &'static str,
        /// Finding.
        status: FloatStatus,
        /// Cases looked at.
        cases: u64,
        /// Comparisons within their bound.
        held: u64,
        /// Comparisons that could not be decided, by reason.
        unable: BTreeMap<String, u64>,
        /// The largest measured error.
        worst_error: f64,
        /// The running-error bound where that error was measured.
        bound: f64,
        /// The largest share, error ÷ bound, over all comparisons.
        largest_share: f64,
        /// True if that bound is twice the largest value that is compared there or more: no result of such values exceeds it.
        vacuous: bool,
        /// Where the bound comes from.
        origin: &'static str,
        /// The domain of a survey and what it found.
        survey: Option<String>,
        /// Where the largest error was measured.
        witness: Option<Witness>,
    },
    /// A bound for all inputs of a domain, beside the largest error found there.
    Uniform(UniformBound),
    /// Distance by which attention as a kernel computes it may move, for all stored inputs, and does.
    Displacement(Box<Displacement>),
}

/// The state of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormalStatus {
    /// Checked, with the axioms listed.
    Proved,
    /// Not checked in this run.
    NotRun,
    /// The check failed.
    Failed,
}

/// Results of normal forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ExactStatus {
    /// Every comparison holds for all values of its variables.
    Identity,
    /// Nothing could be decided.
    Unable,
    /// A comparison is false.
    Refuted,
}

/// Results of enclosures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EnclosedStatus {
    /// The enclosures of sides that should be equal overlap.
    Consistent,
    /// Sides that should differ, or be in order, were told apart.
    Separated,
    /// Nothing could be decided.
    Unable,
    /// A comparison is false.
    Refuted,
}

/// Results of floating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FloatStatus {
    /// Every measured error is within its bound.
    WithinBound,
    /// Nothing could be decided.
    Unable,
    /// An error exceeds its bound.
    Refuted,
}

/// Where the bounds of the float systems come from.
pub const RUNNING_ERROR: &str =
    "running error analysis: frequencies as rounded to the format, correctly rounded sine, cosine and exponential";

impl Evidence {
    /// The evidence that the judgement of a claim in a system is.
    pub fn of_system(entry: &dyn Entry, system: SystemName, judgement: &Judgement) -> Self {
        match system {
            SystemName::Exact => Self::exact(judgement, entry.has_symbols()),
            SystemName::Interval256 => Self::enclosed(system.name(), judgement),
            _ => Self::float(system.name(), judgement),
        }
    }

    /// The evidence that a judgement of the exact system is, with reals or positions as symbols or without.
    pub fn exact(judgement: &Judgement, symbolic: bool) -> Self {
        let status = match judgement {
            Judgement { refuted: 1.., .. } => ExactStatus::Refuted,
            Judgement { held: 0, .. } => ExactStatus::Unable,
            _ => ExactStatus::Identity,
        };
        let Judgement { cases, held, unable, refutation, .. } = judgement.clone();
        let refutation = refutation.map(|found| found.witness);
        Self::Exact { status, cases, symbolic, held, unable, refutation }
    }

    /// The evidence that a judgement of an interval system is.
    pub fn enclosed(system: &'static str, judgement: &Judgement) -> Self {
        let status = match judgement {
            Judgement { refuted: 1.., .. } => EnclosedStatus::Refuted,
            Judgement { held: 0, .. } => EnclosedStatus::Unable,
            Judgement { held, separated, .. } if held == separated => EnclosedStatus::Separated,
            _ => EnclosedStatus::Consistent,
        };
        Self::Enclosed {
            system,
            status,
            cases: judgement.cases,
            held: judgement.held,
            unable: judgement.unable.clone(),
            widest: judgement.worst.as_ref().map_or(0.0, |worst| worst.error),
            survey: None,
            witness: match &judgement.refutation {
                Some(found) => Some(found.witness.clone()),
                None => judgement.separation.clone(),
            },
        }
    }

    /// The evidence that a survey is.
    pub fn survey(survey: &Survey) -> Self {
        if let Some(measured) = survey.measured {
            return Self::measured_survey(survey, measured);
        }
        let (status, held, error) = match &survey.decision {
            Decision::Held(measure) => (EnclosedStatus::Separated, survey.cases, measure.error),
            Decision::Unable(_) => (EnclosedStatus::Unable, 0, 0.0),
            Decision::Refuted(measure) => (EnclosedStatus::Refuted, 0, measure.error),
        };
        let unable = match &survey.decision {
            Decision::Unable(reason) => BTreeMap::from([(reason.clone().into_owned(), survey.cases)]),
            _ => BTreeMap::new(),
        };
        Self::Enclosed {
            system: "survey",
            status,
            cases: survey.cases,
            held,
            unable,
            widest: error,
            survey: Some(format!("{}: {}", survey.scope, survey.finding)),
            witness: None,
        }
    }

    /// The evidence that the measurement of a whole domain is.
    fn measured_survey(survey: &Survey, Measurement { system, origin }: Measurement) -> Self {
        let (status, held, error, bound) = match &survey.decision {
            Decision::Held(Measure { error, bound }) => (FloatStatus::WithinBound, survey.cases, *error, *bound),
            Decision::Unable(_) => (FloatStatus::Unable, 0, 0.0, 0.0),
            Decision::Refuted(Measure { error, bound }) => (FloatStatus::Refuted, 0, *error, *bound),
        };
        let unable = match &survey.decision {
            Decision::Unable(reason) => BTreeMap::from([(reason.clone().into_owned(), survey.cases)]),
            _ => BTreeMap::new(),
        };
        Self::Float {
            system,
            status,
            cases: survey.cases,
            held,
            unable,
            worst_error: error,
            bound,
            largest_share: if bound > 0.0 { error / bound } else { 0.0 },
            vacuous: false,
            origin,
            survey: Some(format!("{}: {}", survey.scope, survey.finding)),
            witness: None,
        }
    }

    /// The evidence that a judgement of a float system is.
    pub fn float(system: &'static str, judgement: &Judgement) -> Self {
        let status = match judgement {
            Judgement { refuted: 1.., .. } => FloatStatus::Refuted,
            Judgement { held: 0, .. } => FloatStatus::Unable,
            _ => FloatStatus::WithinBound,
        };
        let worst = judgement.worst.as_ref();
        let (measure, witness) = match &judgement.refutation {
            Some(Refutation { witness, measure }) => (*measure, Some(witness)),
            None => (
                worst.map_or(Measure { error: 0.0, bound: 0.0 }, |w| Measure { error: w.error, bound: w.bound }),
                worst.and_then(|worst| worst.witness.as_ref()),
            ),
        };
        let Measure { error, bound } = measure;
        let scale = worst.and_then(|worst| worst.scale);
        Self::Float {
            system,
            status,
            cases: judgement.cases,
            held: judgement.held,
            unable: judgement.unable.clone(),
            worst_error: error,
            bound,
            largest_share: judgement.largest_share,
            vacuous: status == FloatStatus::WithinBound && scale.is_some_and(|scale| bound >= 2.0 * scale),
            origin: RUNNING_ERROR,
            survey: None,
            witness: witness.cloned(),
        }
    }
}

/// Names of the values of an enumeration, as JSON has them.
macro_rules! names {
    ($type:ty { $($variant:ident = $name:literal,)* }) => {
        impl $type {
            /// The name in reports and JSON.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

names!(FormalStatus { Proved = "proved", NotRun = "not-run", Failed = "failed", });
names!(ExactStatus { Identity = "identity", Unable = "unable", Refuted = "refuted", });
names!(EnclosedStatus { Consistent = "consistent", Separated = "separated", Unable = "unable", Refuted = "refuted", });
names!(FloatStatus { WithinBound = "within-bound", Unable = "unable", Refuted = "refuted", });
