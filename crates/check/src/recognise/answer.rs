//! The answer: a convention, or what was measured.

use crate::faults::Finding;
use crate::levels::Levels;
use posproof_bound::Path;
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use serde::Serialize;
use std::fmt;

/// Confidence in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// One listed hypothesis is within the bound, and only one.
    Established,
    /// Several are.
    Ambiguous,
    /// None is.
    Unexplained,
}

/// Facts that a cache, or one part of it, leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Undetermined {
    /// From cosines alone: cos(−ωp) = cos(ωp).
    Direction,
    /// From sines alone: X·sin(−ωp) = −X·sin(ωp); X is taken to be positive.
    AmplitudeSign,
    /// From cosines and sines: which entries of a vector they turn as a pair.
    Layout,
    /// From a single pair: base^0 = 1.
    Base,
}

impl fmt::Display for Undetermined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Direction => "cosines alone do not tell the direction of the rotation",
            Self::AmplitudeSign => {
                "sines alone do not tell a clockwise rotation from a negative amplitude: it is taken to be positive"
            }
            Self::Layout => {
                "cosines and sines do not tell which entries of a vector form a pair: the layout is not known"
            }
            Self::Base => "a single pair turns by 1 radian per position whatever the base is: the base is not known",
        })
    }
}

/// A frequency that was measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeasuredFrequency {
    /// The pair.
    pub pair: usize,
    /// Its frequency in radians per position.
    pub frequency: f64,
    /// Error of that, at most, where the angles are exact; a program that rounds them adds their unit roundoff, relatively.
    pub error: f64,
}

/// Convention of a table, a cache or a rotation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Identification {
    /// `posproof.identify/1`.
    pub schema: &'static str,
    /// `sinusoid`, `rope` or `rotation`.
    pub subject: &'static str,
    /// Confidence in the answer.
    pub confidence: Confidence,
    /// The convention, if one was found; the simplest, if several were.
    pub convention: Option<Convention>,
    /// All conventions that remain.
    pub remaining: Vec<Convention>,
    /// A position that would tell the first two of them apart.
    pub separating_position: Option<u64>,
    /// Questions that this subject cannot tell, whatever its entries are.
    pub undetermined: Vec<Undetermined>,
    /// The faults with which the entries follow the convention; none where they follow it as it is.
    pub findings: Vec<Finding>,
    /// The format of the entries; a narrower one if all of them are numbers of it.
    pub storage: Format,
    /// The highest precision whose bound every entry respects.
    pub compute: Option<Format>,
    /// The code path with the tightest bound that every entry respects at that precision: `rounded` for
    /// frequencies that are right to one rounding, however they were computed.
    pub path: Option<Path>,
    /// The amplitude that was measured.
    pub amplitude: Option<f64>,
    /// The frequencies that were measured, in the arrangement that was found or else the first.
    pub measured: Vec<MeasuredFrequency>,
    /// Where no convention was found: one with a factor of its own for each pair that every entry follows. It says what was
    /// measured, and is never established.
    pub measured_law: Option<Convention>,
    /// The grid of integers, as their lengths show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Levels>,
}

/// Pairs whose frequencies are shown to people, at most.
const MOST_LINES: usize = 64;

impl fmt::Display for Identification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.confidence, &self.convention) {
            (Confidence::Established, Some(convention)) => {
                writeln!(f, "{} established: {}", self.subject, describe(convention))?;
            }
            (Confidence::Ambiguous, _) => {
                writeln!(f, "{} ambiguous: {} conventions remain", self.subject, self.remaining.len())?;
                for convention in &self.remaining {
                    writeln!(f, "  {}", describe(convention))?;
                }
                if let Some(position) = self.separating_position {
                    writeln!(f, "  position {position} would tell the first two apart")?;
                }
            }
            _ => {
                writeln!(f, "{} unexplained: measured frequencies, in radians per position", self.subject)?;
                let pairs = self.measured.len();
                let step = pairs.div_ceil(MOST_LINES).max(1);
                for MeasuredFrequency { pair, frequency, error } in self.measured.iter().step_by(step) {
                    writeln!(f, "  pair {pair:4} {frequency:.9e} ± {error:.1e}")?;
                }
                if step > 1 {
                    writeln!(f, "  one pair of every {step} is shown; --json lists all {pairs}")?;
                }
                if let Some(convention) = &self.measured_law {
                    writeln!(f, "  every entry follows a factor for each pair, measured: {}", describe(convention))?;
                }
            }
        }
        for finding in &self.findings {
            writeln!(f, "  {}: {finding}", finding.code())?;
        }
        for undetermined in &self.undetermined {
            writeln!(f, "  {undetermined}")?;
        }
        match self.levels {
            Some(levels) => writeln!(f, "  read: {}", levels.note())?,
            None => writeln!(f, "  stored in {}", self.storage)?,
        }
        let (Some(compute), Some(path)) = (self.compute, self.path) else { return Ok(()) };
        writeln!(f, "  every entry is within the bound for {compute} arithmetic, frequencies by the path '{path}'")
    }
}

fn describe(convention: &Convention) -> String {
    serde_json::to_string(convention).unwrap_or_default()
}
