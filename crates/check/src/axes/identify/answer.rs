//! Answer on an encoding of several axes.

use super::laws::{MeasuredSlots, ratio};
use crate::recognise::{Identification, MeasuredAxis};
use posproof_encoding::axes::{AxialConvention, Ranges};
use std::fmt;

/// Which convention of several axes a table, a cache or a rotation follows: `established` where a judgement of the convention that was found
/// explains every entry, else `unexplained`.
pub type AxialIdentification = Identification<AxialConvention, String>;

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
        if let Some(still) = self.still.as_ref().filter(|still| !still.is_empty()) {
            writeln!(f, "  slots {} stand still", listed(still))?;
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

/// An axis with the rates of its slots.
pub(super) fn measured(name: String, own: &MeasuredSlots) -> MeasuredAxis {
    MeasuredAxis {
        name,
        slots: own.slots.clone(),
        rates: own.rates.iter().map(|rate| rate.value).collect(),
        errors: own.rates.iter().map(|rate| rate.error).collect(),
        ratio: ratio(own),
    }
}
