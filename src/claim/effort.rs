//! Effort of a run.

use serde::Serialize;
use std::str::FromStr;

/// Effort of a run.
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

impl Effort {
    /// The name in reports and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Standard => "standard",
            Self::Exhaustive => "exhaustive",
        }
    }
}

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
