//! Figures of faults of one component, cosines or sines, of two pairs, or of some entries.

use super::Fault;
use posproof_encoding::convention::Component;
use posproof_encoding::real::Real;
use serde_json::{Value, json};

/// The figures of a fault of a part of the entries that has a law of its own.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PartCause {
    /// Cosines or sines have the frequencies of another base.
    Base {
        /// The component.
        component: Component,
        /// Their base.
        found: Real,
        /// That of the others.
        expected: Real,
    },
    /// Cosines or sines are those of the positions so many further on.
    Shifted {
        /// The component.
        component: Component,
        /// The number.
        by: f64,
    },
    /// Cosines or sines are their magnitudes, as √(1 − cos²) is.
    Unsigned {
        /// The component.
        component: Component,
    },
    /// Entries are zero by chance, and the others are 1/(1 − rate) times what they should be.
    Dropped {
        /// The share of the former.
        rate: Real,
    },
    /// Pairs at rest have the sine 1.
    Ones {
        /// Number of these pairs.
        pairs: usize,
    },
    /// Two pairs have each other's frequencies.
    Exchanged {
        /// These pairs.
        pairs: [usize; 2],
    },
}

fn names(component: Component) -> [&'static str; 2] {
    if component == Component::Sin { ["sines", "cosines"] } else { ["cosines", "sines"] }
}

impl PartCause {
    pub(super) fn sentence(&self, fault: &Fault) -> String {
        let what = fault.cause;
        match self {
            Self::Base { component, found, expected } => {
                let [these, others] = names(*component);
                format!("the {these} are those of the base {found}, the {others} those of {expected}: {what}")
            }
            Self::Shifted { component, by } => {
                let [these, others] = names(*component);
                let sign = if *by < 0.0 { '−' } else { '+' };
                format!(
                    "the {these} of position p are those of position p {sign} {}, the {others} its own: {what}",
                    by.abs()
                )
            }
            Self::Unsigned { component } => {
                let [these, others] = names(*component);
                let (root, of) = if *component == Component::Sin {
                    ("√(1 − cos²)", "sin")
                } else {
                    ("√(1 − sin²)", "cos")
                };
                format!("the {these} have no sign, the {others} are right: |{of}|, or {root}; {what}")
            }
            Self::Dropped { rate } => format!(
                "a share of {rate} of the entries is 0, and the others are 1/(1 − {rate}) times what they should be: {what}; {}",
                fault.advice
            ),
            Self::Ones { pairs } => format!("the sines of the {pairs} pairs that are not to be rotated are 1: {what}"),
            Self::Exchanged { pairs: [one, other] } => {
                format!("pairs {one} and {other} have each other's frequencies: {what}")
            }
        }
    }

    pub(super) fn detail(&self) -> Value {
        match self {
            Self::Base { component, found, expected } => {
                json!({ "component": component, "found": found, "expected": expected })
            }
            Self::Shifted { component, by } => json!({ "component": component, "shift": by }),
            Self::Unsigned { component } => json!({ "component": component }),
            Self::Dropped { rate } => json!({ "rate": rate }),
            Self::Ones { pairs } => json!({ "pairs_at_rest": pairs }),
            Self::Exchanged { pairs } => json!({ "pairs": pairs }),
        }
    }
}
