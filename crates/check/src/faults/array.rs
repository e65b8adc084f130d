//! Figures of what is wrong with arrays as they were read: their columns, the rounding of their entries, what they can show.

use super::Fault;
use crate::duplication::Duplication;
use posproof_encoding::convention::Component;
use posproof_numerics::format::Format;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt;

/// The figures of a fault of an array.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ArrayCause {
    /// Columns that are repeated in another way than stated.
    Duplication {
        /// Of the cosines or of the sines.
        component: Component,
        /// As stated.
        stated: Duplication,
        /// As found.
        found: Duplication,
    },
    /// Cosines and sines that are repeated in different ways.
    Duplications {
        /// The cosines: `none`, `halves`, `repeated`, `axis-halves` or `block-halves`.
        cos: &'static str,
        /// The sines.
        sin: &'static str,
    },
    /// A cache that holds half as many frequencies as expected, each twice.
    HalfAsMany {
        /// Their repetition.
        duplication: Duplication,
        /// Number of frequencies that were expected.
        expected: usize,
        /// Number of those that are there.
        found: usize,
        /// Number of rows that were read to see it.
        rows: usize,
    },
    /// Entries that are rounded by another rule than to nearest.
    Rounding {
        /// That rule.
        mode: RoundingMode,
        /// To the numbers of this format.
        format: Format,
        /// The format that holds them.
        stored: Format,
        /// Number of entries that were compared: all of them.
        entries: u64,
        /// Number of them that are beyond what rounding to nearest explains.
        exceeding: u64,
    },
    /// Frequencies beyond their bounds.
    Frequencies {
        /// Number of these.
        departing: u64,
        /// Of how many.
        of: u64,
    },
    /// Integers that stand for other numbers than stated, as lengths show.
    Levels {
        /// The step and the zero point stated.
        stated: [f64; 2],
        /// The step and the zero point found.
        found: [f64; 2],
    },
    /// Entries that could be anything.
    NotJudged {
        /// Number of these.
        uninformative: u64,
        /// Number of these that are 0 whatever the angle is.
        zeros: u64,
        /// Of how many.
        entries: u64,
        /// Pairs of which no entry says anything.
        pairs: usize,
    },
}

/// Rules of rounding other than to nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RoundingMode {
    /// The neighbour that is nearer to zero: truncation.
    TowardZero,
    /// The neighbour that is farther from zero.
    AwayFromZero,
    /// The lower neighbour.
    Downward,
    /// The upper neighbour.
    Upward,
}

impl RoundingMode {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::TowardZero, Self::AwayFromZero, Self::Downward, Self::Upward];

    /// 1 where a number is rounded up, −1 where it is rounded down.
    pub(crate) fn sense(self, x: f64) -> f64 {
        match self {
            Self::TowardZero => -x.signum(),
            Self::AwayFromZero => x.signum(),
            Self::Downward => -1.0,
            Self::Upward => 1.0,
        }
    }
}

impl fmt::Display for RoundingMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TowardZero => "toward zero (truncated)",
            Self::AwayFromZero => "away from zero",
            Self::Downward => "downward",
            Self::Upward => "upward",
        })
    }
}

fn columns(name: &str) -> &'static str {
    match name {
        "halves" => "repeated in halves (c0 c1 … c0 c1 …)",
        "repeated" => "repeated one by one (c0 c0 c1 c1 …)",
        "axis-halves" => "repeated in halves of each axis",
        "block-halves" => "repeated in halves of blocks",
        _ => "one for each pair",
    }
}

/// Why entries say nothing, of which some are 0 whatever the angle is.
pub(crate) fn silence(uninformative: u64, zeros: u64) -> String {
    let any = "may be any number that a sine can be";
    match zeros {
        0 => any.to_owned(),
        zeros if zeros == uninformative => "are 0 whatever the angle is".to_owned(),
        zeros => format!("say nothing ({zeros} are 0 whatever the angle is, the others {any})"),
    }
}

impl ArrayCause {
    pub(super) fn sentence(&self, fault: &Fault) -> String {
        let (what, advice) = (fault.cause, fault.advice);
        match self {
            Self::Duplication { component, stated, found } => {
                let part = if *component == Component::Cos { "cosines" } else { "sines" };
                format!(
                    "the columns of the {part} are {}, not {}: {what}",
                    columns(found.name()),
                    columns(stated.name())
                )
            }
            Self::Duplications { cos, sin } => {
                let (cos, sin) = (columns(cos), columns(sin));
                format!("the columns of the cosines are {cos}, those of the sines {sin}: {what}")
            }
            Self::HalfAsMany { duplication, expected, found, rows } => {
                let rows = if *rows == 1 { "the row".to_owned() } else { format!("all {rows} rows") };
                format!(
                    "the cache holds {found} frequencies, not {expected}: in {rows} that were read its {expected} columns are {}; {advice}",
                    columns(duplication.name())
                )
            }
            Self::Rounding { mode, format, stored, entries, exceeding } => {
                let held = if format == stored { String::new() } else { format!(", held in {stored}") };
                format!(
                    "all {entries} entries are what rounding to {format} {mode} gives{held}, and {exceeding} of them are beyond what rounding to nearest in {stored} explains: {what}"
                )
            }
            Self::Frequencies { departing, of } => {
                let (are, their) = if *departing == 1 { ("is", "its bound") } else { ("are", "their bounds") };
                format!("{departing} of {of} frequencies {are} beyond {their}; together they {what}")
            }
            Self::Levels { stated, found } => {
                let told = |[step, zero]: &[f64; 2]| format!("steps of {step:.9} from {zero}");
                let (told, instead) = (told(found), told(stated));
                // Lengths show a product of both.
                let or = if stated[1] == found[1] && stated[0] != found[0] {
                    format!(", or every entry is {:.9} times what it should be", stated[0] / found[0])
                } else {
                    String::new()
                };
                format!(
                    "by the lengths of their pairs the integers stand for {told}, not for {instead}{or}: {what}; {advice}"
                )
            }
            Self::NotJudged { uninformative, zeros, entries, pairs } => {
                let pairs = match pairs {
                    0 => String::new(),
                    1 => ", all of 1 pair among them".to_owned(),
                    pairs => format!(", all of {pairs} pairs among them"),
                };
                let may = silence(*uninformative, *zeros);
                format!("{uninformative} of {entries} entries {may}{pairs}: {what}; {advice}")
            }
        }
    }

    pub(super) fn detail(&self) -> Value {
        match self {
            Self::Duplication { component, stated, found } => {
                json!({ "component": component, "stated": stated, "found": found })
            }
            Self::Duplications { cos, sin } => json!({ "cos": cos, "sin": sin }),
            Self::HalfAsMany { duplication, expected, found, rows } => {
                json!({ "duplication": duplication, "expected": expected, "found": found, "rows": rows })
            }
            Self::Rounding { mode, format, stored, entries, exceeding } => {
                json!({ "mode": mode, "format": format, "stored": stored, "entries": entries, "exceeding": exceeding })
            }
            Self::Levels { stated, found } => {
                let levels = |[step, zero]: &[f64; 2]| json!({ "step": step, "zero_point": zero });
                json!({ "stated": levels(stated), "found": levels(found) })
            }
            Self::Frequencies { departing, of } => json!({ "departing": departing, "of": of }),
            Self::NotJudged { uninformative, zeros, entries, pairs } => {
                json!({ "uninformative": uninformative, "zeros": zeros, "entries": entries, "pairs": pairs })
            }
        }
    }
}
