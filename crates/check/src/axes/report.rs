//! Report on encodings of several axes; [`document`](crate::document) has its JSON.

use super::mend::AxialMend;
use crate::faults::Finding;
use crate::report::{ArrayRead, EntryStatistics, Grade, PairPart, WorstEntry};
use crate::summary::extent;
use posproof_bound::{Libraries, Path};
use posproof_encoding::axes::AxialConvention;
use posproof_numerics::format::Format;
use std::fmt;

/// The judgement of a table, a cache or a rotation of several axes.
#[derive(Clone, Debug, PartialEq)]
pub struct AxialReport {
    /// `posproof.check/2`.
    pub schema: &'static str,
    /// `sinusoid`, `rope` or `rotation`.
    pub subject: &'static str,
    /// The grade.
    pub grade: Grade,
    /// True if the grade is one of the first three.
    pub conforms: bool,
    /// The convention that was stated.
    pub expected: AxialConvention,
    /// The convention that the entries follow, where that is known.
    pub found: Option<AxialConvention>,
    /// Number of entries that were compared: all of them.
    pub entries: u64,
    /// The worst entry.
    pub worst: Option<WorstEntry>,
    /// Mistake.
    pub findings: Vec<Finding>,
    /// Statement under which it conforms, where that is known.
    pub mend: Option<AxialMend>,
    /// The precision that the bound assumes.
    pub compute: Format,
    /// The accuracies of functions that the bound assumes, where they are not the usual ones.
    pub libraries: Libraries,
    /// The code path that the bound assumes: the stated one, or else the narrowest that explains the entries; `any` where none does alone.
    pub path: Option<Path>,
    /// The format of the entries.
    pub storage: Format,
    /// The arrays, as they were read.
    pub inputs: Vec<ArrayRead>,
    /// Meaning of the columns of a cache, by slots: `slots`, one for each; `halves`, `repeated`, `axis-halves` or `block-halves`.
    pub columns: Option<&'static str>,
    /// True if the convention is a rotation: not where both entries of a pair may turn by angles of their own.
    pub rotation: bool,
    /// Axes along which all rows have one coordinate: nothing tells their frequencies.
    pub undetermined: Vec<String>,
    /// Counts.
    pub statistics: EntryStatistics,
    /// Entries of a cache or a table whose bound allows any number that a sine can be.
    pub uninformative: u64,
    /// Slot by slot.
    pub pairs: Vec<PairPart>,
}

impl fmt::Display for AxialReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.conforms { "conforms" } else { "does not conform" };
        writeln!(f, "{} {}: {verdict} ({} entries)", self.subject, self.grade.name(), self.entries)?;
        for finding in &self.findings {
            writeln!(f, "  {}: {finding}", finding.code())?;
            let place = finding.axial_region.as_ref().map_or(String::new(), |region| {
                if region.is_part() { format!(", at {region}") } else { ", everywhere".to_owned() }
            });
            writeln!(f, "    {}{place}", extent(finding.status, finding.explains))?;
        }
        if let Some(mend) = &self.mend {
            writeln!(f, "  it conforms under {mend}")?;
        }
        writeln!(f, "\n{}", self.statistics.told(self.compute, self.storage))?;
        if let Some(path) = self.path {
            writeln!(f, "  the bound is that of the path '{path}'")?;
        }
        if let Some(overflow) = self.statistics.overflow {
            writeln!(f, "  {}", overflow.told(self.storage))?;
        }
        if let Some(line) = self.statistics.zeros() {
            writeln!(f, "{line}")?;
        }
        if self.uninformative > 0 {
            let uninformative = self.uninformative;
            writeln!(f, "  {uninformative} entries say nothing here: they may be any number that a sine can be")?;
        }
        if !self.rotation {
            writeln!(f, "  the convention is not a rotation: the two entries of a pair turn by angles of their own")?;
        }
        if !self.undetermined.is_empty() {
            let axes = self.undetermined.join(", ");
            writeln!(f, "  undetermined: all rows have one coordinate along {axes}, which shows no frequency of it")?;
        }
        if let Some(columns) = self.columns {
            writeln!(f, "  read: columns as '{columns}'")?;
        }
        for ArrayRead { name, note, .. } in &self.inputs {
            note.as_ref().map_or(Ok(()), |note| writeln!(f, "  read: {name}: {note}"))?;
        }
        let Some(worst) = &self.worst else { return Ok(()) };
        let coordinates =
            worst.coordinates.as_ref().map_or("no position".to_owned(), |all| format!("({})", all.join(", ")));
        let slot = worst.pair.map_or("an entry that is not rotated".to_owned(), |slot| format!("slot {slot}"));
        let axes = if worst.axes.is_empty() { String::new() } else { format!(" of {}", worst.axes.join(" and ")) };
        write!(
            f,
            "  worst: row {} {coordinates}, {slot}{axes}: error {:.3e}, bound {:.3e} ({}); got {:.9e} ({})",
            worst.row, worst.error, worst.bound, worst.origin, worst.value, worst.got
        )?;
        if worst.lower.is_empty() {
            writeln!(f)
        } else {
            writeln!(f, ", exact value in [{}, {}]", worst.lower, worst.upper)
        }
    }
}
