//! First words of a report.

use super::faults::{Explained, Status, silence};
use super::information::Information;
use super::mend::{Mend, Restatement};
use super::report::{ArrayRead, Report};
use std::fmt;

/// The verdict, what is wrong and where, what conforms instead, what was not judged, and how the arrays were
/// read. Figures of entries, pairs and
/// positions are in the report, whose text begins with this.
#[derive(Clone, Copy, Debug)]
pub struct Summary<'a, M: Restatement = Mend>(&'a Report<M>);

impl<M: Restatement> Report<M> {
    /// Its first words.
    pub fn summary(&self) -> Summary<'_, M> {
        Summary(self)
    }
}

impl<M: Restatement> fmt::Display for Summary<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { subject, grade, conforms, entries, findings, mend, information, inputs, storage, .. } = self.0;
        let verdict = if *conforms { "conforms" } else { "does not conform" };
        let noun = if *entries == 1 { "entry" } else { "entries" };
        writeln!(f, "{subject} {}: {verdict} ({entries} {noun})", grade.name())?;
        for finding in findings {
            writeln!(f, "  {}: {finding}", finding.code())?;
            if let Some(place) = finding.place() {
                writeln!(f, "    {}, {place}", extent(finding.status, finding.explains))?;
            }
        }
        if let Some(mend) = mend {
            writeln!(f, "  conforms under: {mend}")?;
        }
        let Information { uninformative, zeros, rows, pairs } = information;
        if *uninformative > 0 {
            let rows = match rows {
                None | Some(0) => String::new(),
                Some(1) => ", all of 1 row among them".to_owned(),
                Some(rows) => format!(", all of {rows} rows among them"),
            };
            let why = silence(*uninformative, zeros.unwrap_or_default());
            writeln!(f, "  not judged: {uninformative} of {entries} entries, which {why}{rows}")?;
        }
        if !pairs.is_empty() {
            let (plural, ranges) = (if pairs.len() == 1 { "" } else { "s" }, Information::ranges(pairs));
            writeln!(f, "  not judged: pair{plural} {ranges}, no entry of which says anything")?;
        }
        for ArrayRead { name, note, others, format, .. } in inputs {
            if let Some(note) = note {
                writeln!(f, "  read: {name}: {note}")?;
            }
            if *others > 0 {
                let entries = if *others == 1 { "1 entry is".to_owned() } else { format!("{others} entries are") };
                writeln!(
                    f,
                    "  read: {name}: {entries} no {storage} but {format}, within bounds for {storage} at best"
                )?;
            }
        }
        if let Some(overflow) = self.0.statistics.overflow {
            writeln!(f, "  read: {}", overflow.told(*storage))?;
        }
        match self.0.columns {
            Some("halves") => writeln!(f, "  read: columns repeated in halves, c0 c1 … c0 c1 …")?,
            Some("repeated") => writeln!(f, "  read: columns repeated one by one, c0 c0 c1 c1 …")?,
            Some("axis-halves") => writeln!(f, "  read: columns repeated in halves of each axis")?,
            Some("block-halves") => writeln!(f, "  read: columns repeated in halves of blocks")?,
            _ => {}
        }
        if !self.0.rotation {
            writeln!(f, "  the convention is not a rotation: the two entries of a pair turn by angles of their own")?;
        }
        if !self.0.undetermined.is_empty() {
            let axes = self.0.undetermined.join(", ");
            writeln!(f, "  undetermined: all rows have one coordinate along {axes}, which shows no frequency of it")?;
        }
        for axes in &self.0.alike {
            let axes = axes.join(", ");
            writeln!(
                f,
                "  undetermined: the axes {axes} have one coordinate in every row: which slots are whose shows nowhere"
            )?;
        }
        Ok(())
    }
}

/// Extent of a finding: what it explains.
fn extent(status: Status, Explained { entries, of }: Explained) -> String {
    match status {
        Status::Confirmed if (entries, of) == (1, 1) => "explains the only entry beyond the bound".to_owned(),
        Status::Confirmed if entries == 0 && of > 0 => "departs from the convention that was found alone".to_owned(),
        Status::Confirmed if entries == of => format!("explains all {of} entries beyond the bound"),
        Status::Confirmed | Status::Partial => format!("explains {entries} of {of} entries beyond the bound"),
        Status::Unexplained if entries == 0 => format!("explains none of {of} entries beyond the bound"),
        Status::Unexplained => format!("measured; that accounts for {entries} of {of} entries beyond the bound"),
    }
}
