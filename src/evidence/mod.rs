//! How a claim is established: cases, the judge, evidence and what it settles.

pub mod judge;
pub mod sample;
pub mod settle;
pub mod witness;

pub use judge::{Instance, Tally};
pub use settle::{Conclusion, Entry, Settlement, SystemName};
pub use witness::Witness;

use crate::claim::{Measured, Survey};
use crate::number::format::hex;
use crate::number::system::{Decision, Measure};
use serde::Serialize;
use std::collections::BTreeMap;
use std::str::FromStr;

/// How much is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// A sixteenth of the standard cases.
    Quick,
    /// The grid of positions and seeded random cases.
    #[default]
    Standard,
    /// Eight times the standard cases, and whole domains where there are any.
    Exhaustive,
}

/// How the cases of a claim are chosen.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How much is looked at.
    pub effort: Effort,
    /// The seed of the random cases.
    pub seed: u64,
    /// Operations to spend on one size of a claim in one system at standard effort.
    pub budget: usize,
    /// Cases of one size to look at even beyond the budget, as far as the grid goes.
    pub fewest: usize,
}

impl Plan {
    /// The seed used unless another is given.
    pub const SEED: u64 = 1;

    /// The plan of an effort and a seed, with a budget that each system sets for itself.
    pub fn new(effort: Effort, seed: u64) -> Self {
        Self { effort, seed, budget: 0, fewest: 0 }
    }
}

/// What one kind of system established about a claim.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Evidence {
    /// A Coq theorem.
    Formal {
        /// Its name.
        theorem: String,
        /// Whether the proof was checked.
        status: FormalStatus,
        /// The axioms that it depends upon.
        axioms: Vec<String>,
        /// Why it was not run, or how it failed.
        reason: Option<String>,
    },
    /// Normal forms, for all reals and all positions.
    Exact {
        /// What was found.
        status: ExactStatus,
        /// Sizes and permutations looked at.
        cases: u64,
        /// Comparisons that held.
        held: u64,
        /// Comparisons that could not be decided, by reason.
        unable: BTreeMap<String, u64>,
        /// Why it was unable.
        reason: Option<String>,
    },
    /// Enclosures at the positions of the cases.
    Enclosed {
        /// The system's name, `interval256`.
        system: String,
        /// What was found.
        status: EnclosedStatus,
        /// Cases looked at.
        cases: u64,
        /// Comparisons that held.
        held: u64,
        /// Comparisons that could not be decided, by reason.
        unable: BTreeMap<String, u64>,
        /// The widest enclosure, rounded up.
        widest: String,
        /// The domain of a survey and what it found.
        #[serde(skip_serializing_if = "Option::is_none")]
        survey: Option<String>,
        /// The first comparison whose sides were told apart.
        #[serde(skip_serializing_if = "Option::is_none")]
        witness: Option<Witness>,
    },
    /// Floating point, with a rigorous bound beside every measured error.
    Float {
        /// The system's name: `f32`, `mp113`.
        system: String,
        /// What was found.
        status: FloatStatus,
        /// Cases looked at.
        cases: u64,
        /// Comparisons within their bound.
        held: u64,
        /// Comparisons that could not be decided, by reason.
        unable: BTreeMap<String, u64>,
        /// The largest measured error.
        worst_error: String,
        /// The same in hexadecimal.
        worst_error_hex: String,
        /// The running-error bound where that error was measured.
        bound: String,
        /// worst_error / bound.
        ratio: f64,
        /// The largest error / bound over all comparisons.
        worst_ratio: f64,
        /// Where the bound comes from.
        origin: &'static str,
        /// The domain of a survey and what it found.
        #[serde(skip_serializing_if = "Option::is_none")]
        survey: Option<String>,
        /// Where the largest error was measured.
        witness: Option<Witness>,
    },
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

/// What normal forms established.
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

/// What enclosures established.
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

/// What floating point established.
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
    /// The evidence that a tally of the exact system is.
    pub fn exact(tally: &Tally) -> Self {
        let status = match tally {
            Tally { refuted: 1.., .. } => ExactStatus::Refuted,
            Tally { held: 0, .. } => ExactStatus::Unable,
            _ => ExactStatus::Identity,
        };
        let reason = tally.refutation.as_ref().map(Witness::to_string).or_else(|| tally.unable.keys().next().cloned());
        Self::Exact { status, cases: tally.cases, held: tally.held, unable: tally.unable.clone(), reason }
    }

    /// The evidence that a tally of an interval system is.
    pub fn enclosed(system: &str, tally: &Tally) -> Self {
        let status = match tally {
            Tally { refuted: 1.., .. } => EnclosedStatus::Refuted,
            Tally { held: 0, .. } => EnclosedStatus::Unable,
            Tally { held, separated, .. } if held == separated => EnclosedStatus::Separated,
            _ => EnclosedStatus::Consistent,
        };
        Self::Enclosed {
            system: system.to_owned(),
            status,
            cases: tally.cases,
            held: tally.held,
            unable: tally.unable.clone(),
            widest: rounded_up(tally.worst.as_ref().map_or(0.0, |worst| worst.error)),
            survey: None,
            witness: tally.refutation.clone().or_else(|| tally.separation.clone()),
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
            system: "survey".to_owned(),
            status,
            cases: survey.cases,
            held,
            unable,
            widest: rounded_up(error),
            survey: Some(format!("{}: {}", survey.scope, survey.finding)),
            witness: None,
        }
    }

    /// The evidence that the measurement of a whole domain is.
    fn measured_survey(survey: &Survey, Measured { system, origin }: Measured) -> Self {
        let (status, held, error, bound) = match &survey.decision {
            Decision::Held(Measure { error, bound }) => (FloatStatus::WithinBound, survey.cases, *error, *bound),
            Decision::Unable(_) => (FloatStatus::Unable, 0, 0.0, 0.0),
            Decision::Refuted(Measure { error, bound }) => (FloatStatus::Refuted, 0, *error, *bound),
        };
        let unable = match &survey.decision {
            Decision::Unable(reason) => BTreeMap::from([(reason.clone().into_owned(), survey.cases)]),
            _ => BTreeMap::new(),
        };
        let ratio = if bound > 0.0 { error / bound } else { 0.0 };
        Self::Float {
            system: system.to_owned(),
            status,
            cases: survey.cases,
            held,
            unable,
            worst_error: format!("{error:e}"),
            worst_error_hex: hex(error),
            bound: rounded_up(bound),
            ratio,
            worst_ratio: ratio,
            origin,
            survey: Some(format!("{}: {}", survey.scope, survey.finding)),
            witness: None,
        }
    }

    /// The evidence that a tally of a float system is.
    pub fn float(system: &str, tally: &Tally) -> Self {
        let status = match tally {
            Tally { refuted: 1.., .. } => FloatStatus::Refuted,
            Tally { held: 0, .. } => FloatStatus::Unable,
            _ => FloatStatus::WithinBound,
        };
        let (error, bound) = tally.worst.as_ref().map_or((0.0, 0.0), |worst| (worst.error, worst.bound));
        Self::Float {
            system: system.to_owned(),
            status,
            cases: tally.cases,
            held: tally.held,
            unable: tally.unable.clone(),
            worst_error: format!("{error:e}"),
            worst_error_hex: hex(error),
            bound: rounded_up(bound),
            ratio: if bound > 0.0 { error / bound } else { 0.0 },
            worst_ratio: tally.worst_ratio,
            origin: RUNNING_ERROR,
            survey: None,
            witness: tally.refutation.clone().or_else(|| tally.worst.as_ref().and_then(|worst| worst.witness.clone())),
        }
    }
}

/// A non-negative number in decimal with three significant digits, rounded up.
pub fn rounded_up(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    use rug::float::Round;
    let (_, digits, exponent) = rug::Float::with_val(53, x).to_sign_string_exp_round(10, Some(3), Round::Up);
    let (lead, rest) = digits.split_at(1);
    format!("{lead}.{rest}e{}", exponent.unwrap_or(0) - 1)
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

names!(Effort { Quick = "quick", Standard = "standard", Exhaustive = "exhaustive", });
impl FromStr for Effort {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        const ALL: [Effort; 3] = [Effort::Quick, Effort::Standard, Effort::Exhaustive];
        let known = ALL.into_iter().find(|effort| effort.name() == name);
        known.ok_or_else(|| {
            posproof_encoding::suggestion::unknown("effort", name, ALL.iter().map(|effort| effort.name()))
        })
    }
}

names!(FormalStatus { Proved = "proved", NotRun = "not-run", Failed = "failed", });
names!(ExactStatus { Identity = "identity", Unable = "unable", Refuted = "refuted", });
names!(EnclosedStatus { Consistent = "consistent", Separated = "separated", Unable = "unable", Refuted = "refuted", });
names!(FloatStatus { WithinBound = "within-bound", Unable = "unable", Refuted = "refuted", });
