//! Answer on an encoding of several axes, and its JSON (schema `posproof.identify-axes/1`).

use crate::faults::Finding;
use crate::levels::Levels;
use crate::recognise::Confidence;
use posproof_encoding::axes::{AxialConvention, Ranges};
use posproof_numerics::format::Format;
use serde::{Serialize, Serializer};
use std::fmt;

/// An axis as it was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasuredAxis {
    /// Its name: the one that was given, or the number of its column behind an x.
    pub name: String,
    /// The slots that turn by its coordinate.
    #[serde(serialize_with = "ranges")]
    pub slots: Vec<usize>,
    /// The rate of each of these in radians for a unit of the coordinate.
    pub rates: Vec<f64>,
    /// Errors of these, at most.
    pub errors: Vec<f64>,
    /// The rate of a slot divided by that of the next, base^(2/D), where the rates are in geometric progression.
    pub ratio: Option<f64>,
}

pub(super) fn ranges<S: Serializer>(slots: &[usize], serializer: S) -> Result<S::Ok, S::Error> {
    match Ranges::of(slots) {
        Some(ranges) => ranges.serialize(serializer),
        None => serializer.serialize_str(""),
    }
}

/// Which convention of several axes a table, a cache or a rotation follows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AxialIdentification {
    /// `posproof.identify-axes/1`.
    pub schema: &'static str,
    /// `sinusoid`, `rope` or `rotation`.
    pub subject: &'static str,
    /// `established` where a judgement of the convention that was found explains every entry, else `unexplained`.
    pub confidence: Confidence,
    /// That convention.
    pub convention: Option<AxialConvention>,
    /// The columns of the positions that the axes of the convention have, where these are not all.
    pub columns_of_positions: Vec<usize>,
    /// Meaning of the columns of a cache, by slots.
    pub columns: Option<&'static str>,
    /// The format of the entries; a narrower one if those that were read are numbers of it.
    pub storage: Format,
    /// Which slots each axis has, and their rates, in the arrangement that was found or else the first.
    pub axes: Vec<MeasuredAxis>,
    /// Slots that stand still in all rows that were read.
    #[serde(serialize_with = "ranges")]
    pub still: Vec<usize>,
    /// Questions that these entries cannot tell.
    pub undetermined: Vec<String>,
    /// The faults with which the entries follow the convention; none where they follow it as it is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// The grid of integers, as their lengths show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Levels>,
}

/// Slots as ranges, for people.
pub(super) fn listed(slots: &[usize]) -> String {
    Ranges::of(slots).map_or("none".to_owned(), |ranges| ranges.to_string())
}

impl fmt::Display for AxialIdentification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.convention {
            Some(convention) => {
                let json = serde_json::to_string(convention).unwrap_or_default();
                let within = if self.findings.is_empty() { " every entry is within its bound under" } else { "" };
                writeln!(f, "{} established:{within}\n  {json}", self.subject)?;
            }
            None => writeln!(f, "{} unexplained: what was measured", self.subject)?,
        }
        for finding in &self.findings {
            writeln!(f, "  {}: {finding}", finding.code())?;
        }
        for axis in &self.axes {
            let ends = axis.rates.first().zip(axis.rates.last());
            let rates = ends.map_or(String::new(), |(first, last)| format!(": rates {first:.6e} to {last:.6e}"));
            let ratio = axis.ratio.map_or(String::new(), |ratio| format!(", each {ratio:.7} times the next"));
            writeln!(f, "  axis {}: slots {}{rates}{ratio}", axis.name, listed(&axis.slots))?;
        }
        if !self.still.is_empty() {
            writeln!(f, "  slots {} stand still", listed(&self.still))?;
        }
        if let Some(columns) = self.columns {
            writeln!(f, "  read: columns as '{columns}'")?;
        }
        match self.levels {
            Some(levels) => writeln!(f, "  read: {}", levels.note())?,
            None => writeln!(f, "  stored in {}", self.storage)?,
        }
        for one in &self.undetermined {
            writeln!(f, "  undetermined: {one}")?;
        }
        Ok(())
    }
}
