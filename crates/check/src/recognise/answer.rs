//! The answer: a convention, or what was measured, and its JSON (schema `posproof.identify/2`).

use crate::document::placed;
use crate::faults::Finding;
use crate::levels::Levels;
use crate::subject::Subject;
use posproof_bound::Path;
use posproof_encoding::axes::{Ranges, WithAxes, with_axes};
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use serde::{Serialize, Serializer};
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

/// An axis as it was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasuredAxis {
    /// Its name: the one that was given, or the number of its column behind an x; `position` where it is the only one.
    pub name: String,
    /// The slots that turn by its coordinate; of one axis, the pairs whose frequencies are known.
    #[serde(serialize_with = "ranges")]
    pub slots: Vec<usize>,
    /// The rate of each of these in radians for a unit of the coordinate.
    pub rates: Vec<f64>,
    /// Errors of these, at most.
    pub errors: Vec<f64>,
    /// The rate of a slot divided by that of the next, base^(2/D), where the rates are in geometric progression and one of several axes was
    /// asked for.
    pub ratio: Option<f64>,
}

pub(crate) fn ranges<S: Serializer>(slots: &[usize], serializer: S) -> Result<S::Ok, S::Error> {
    match Ranges::of(slots) {
        Some(ranges) => ranges.serialize(serializer),
        None => serializer.serialize_str(""),
    }
}

/// Slots that stand still; an empty list where they are not asked for.
pub(crate) fn standing<S: Serializer>(slots: &Option<Vec<usize>>, serializer: S) -> Result<S::Ok, S::Error> {
    match slots {
        Some(slots) => ranges(slots, serializer),
        None => [0; 0].serialize(serializer),
    }
}

fn each_with_axes<C: Serialize, S: Serializer>(all: &[C], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(all.iter().map(WithAxes))
}

/// Convention of a table, a cache or a rotation: of one axis, or of several
/// ([`AxialIdentification`](crate::axes::AxialIdentification)).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "schema", rename = "posproof.identify/2", bound = "C: Serialize, U: Serialize")]
pub struct Identification<C = Convention, U = Undetermined> {
    /// `sinusoid`, `rope`, `rotation` or `frequencies`.
    pub subject: &'static str,
    /// Confidence in the answer.
    pub confidence: Confidence,
    /// The convention, if one was found; the simplest, if several were.
    #[serde(serialize_with = "with_axes")]
    pub convention: Option<C>,
    /// All conventions that remain, of one axis.
    #[serde(serialize_with = "each_with_axes")]
    pub remaining: Vec<C>,
    /// A position that would tell the first two of them apart.
    pub separating_position: Option<u64>,
    /// Questions that this subject cannot tell, whatever its entries are; of several axes, that its entries cannot tell.
    pub undetermined: Vec<U>,
    /// The faults with which the entries follow the convention; none where they follow it as it is.
    #[serde(serialize_with = "placed")]
    pub findings: Vec<Finding>,
    /// The format of the entries; a narrower one if all of them are numbers of it, of several axes if all that were read are.
    pub storage: Format,
    /// The highest precision whose bound every entry respects, of one axis.
    pub compute: Option<Format>,
    /// The code path with the tightest bound that every entry respects at that precision: `rounded` for
    /// frequencies that are right to one rounding, however they were computed.
    pub path: Option<Path>,
    /// Whole numbers as far below and above the base of one axis with which every entry respects that bound as well, where there are others than
    /// the base: of a short table, or in a narrow format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bases: Option<[i64; 2]>,
    /// The amplitude that was measured, of one axis.
    pub amplitude: Option<f64>,
    /// Which slots each axis has, and their rates, in the arrangement that was found or else the first.
    pub axes: Vec<MeasuredAxis>,
    /// Where no convention of one axis was found: one with a factor of its own for each pair that every entry follows. It says what was
    /// measured, and is never established.
    #[serde(serialize_with = "with_axes")]
    pub measured_law: Option<C>,
    /// The columns of the positions that the axes of the convention have, where these are not all.
    pub columns_of_positions: Vec<usize>,
    /// Meaning of the columns of a cache, by slots of several axes.
    pub columns: Option<&'static str>,
    /// Slots of several axes that stand still in all rows that were read.
    #[serde(serialize_with = "standing")]
    pub still: Option<Vec<usize>>,
    /// The grid of integers, as their lengths show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Levels>,
}

impl<C, U> Identification<C, U> {
    /// Nothing is known but what the entries are.
    pub(crate) fn nothing(subject: Subject<'_>, storage: Format) -> Self {
        Self {
            subject: subject.name(),
            confidence: Confidence::Unexplained,
            convention: None,
            remaining: Vec::new(),
            separating_position: None,
            bases: None,
            undetermined: Vec::new(),
            findings: Vec::new(),
            storage,
            compute: None,
            path: None,
            amplitude: None,
            axes: Vec::new(),
            measured_law: None,
            columns_of_positions: Vec::new(),
            columns: None,
            still: None,
            levels: subject.levels(),
        }
    }

    /// The frequencies that were measured, axis by axis.
    pub fn measured(&self) -> Vec<MeasuredFrequency> {
        let of = |axis: &MeasuredAxis| -> Vec<MeasuredFrequency> {
            let each = axis.slots.iter().zip(axis.rates.iter().zip(&axis.errors));
            each.map(|(&pair, (&frequency, &error))| MeasuredFrequency { pair, frequency, error }).collect()
        };
        self.axes.iter().flat_map(of).collect()
    }
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
                let measured = self.measured();
                let pairs = measured.len();
                let step = pairs.div_ceil(MOST_LINES).max(1);
                for MeasuredFrequency { pair, frequency, error } in measured.iter().step_by(step) {
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
        let open = self.bases.map(|[least, most]| format!("; with bases as far as {least} and {most} as well"));
        let bound =
            format!("every entry is within the bound for {compute} arithmetic, frequencies by the path '{path}'");
        writeln!(f, "  {bound}{}", open.unwrap_or_default())
    }
}

fn describe(convention: &Convention) -> String {
    serde_json::to_string(convention).unwrap_or_default()
}
