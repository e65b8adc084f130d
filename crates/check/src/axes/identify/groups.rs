//! Axes of entries at unknown positions, and their JSON (schema `posproof.identify-groups/1`).

use super::answer::listed;
use crate::recognise::ranges;
use posproof_encoding::axes::AxialLayout;
use posproof_numerics::format::Format;
use serde::Serialize;
use std::fmt;

/// A base that a group may have.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroupBase {
    /// D of ω_i = base^(−2i/D).
    pub frequency_dim: usize,
    /// The base that D goes with.
    pub base: f64,
    /// Its error, at most.
    pub error: f64,
}

/// Slots that turn in proportion to each other in all rows that were read: those of one axis, of axes whose coordinates are in proportion in these
/// rows, or of one combination of axes. In each of the rows the angle of a slot, counted from the reference row, is its rate times that of the unit,
/// modulo a turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// These slots.
    #[serde(serialize_with = "ranges")]
    pub slots: Vec<usize>,
    /// The one in whose angle the rates are counted.
    pub unit: usize,
    /// Rows that are left out, because that slot has turned farther than half a turn in them: at another angle of it all slots of the group agree there too.
    pub beyond: Vec<usize>,
    /// Rate of each slot while that one turns by a radian: ratios of frequencies, if that one moves by less than half a turn in the rows that were read.
    /// Its slots exclude that it makes up to eight turns more, and do not where all coordinates are multiples of a step.
    pub rates: Vec<f64>,
    /// Errors of these, at most.
    pub errors: Vec<f64>,
    /// Rates beyond this show as smaller ones: half a turn for the smallest step in these rows.
    pub limit: f64,
    /// The largest part of the range of a slot's angles by which the proportion may be missed in a row.
    pub agreement: f64,
    /// The rate of a slot divided by that of the next, where the rates are in geometric progression.
    pub ratio: Option<f64>,
    /// Error of that, at most.
    pub ratio_error: Option<f64>,
    /// The base of that progression, for a D of the group's own slots and, where its slots are equally far apart, for one of all slots.
    pub bases: Vec<GroupBase>,
}

/// Two groups that do not turn in proportion to each other, if neither unit moves by half a turn in other rows than those that are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Different {
    /// The groups, by their numbers in the list.
    pub groups: [usize; 2],
    /// Rows in which the angles of their units are not in proportion.
    pub rows: [usize; 2],
}

/// Slots that may be of these groups.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OpenSlots {
    /// The slots.
    #[serde(serialize_with = "ranges")]
    pub slots: Vec<usize>,
    /// The groups in proportion to which they may turn, by their numbers in the list.
    pub groups: Vec<usize>,
}

/// Groups of slots of a table, a cache or a rotation of several axes where the positions of its rows are unknown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AxialGroups {
    /// `posproof.identify-groups/1`.
    pub schema: &'static str,
    /// `sinusoid`, `rope` or `rotation`.
    pub subject: &'static str,
    /// Rows that were read and differ from each other.
    pub rows: usize,
    /// The row from which angles are counted.
    pub reference: usize,
    /// Which entries form a pair.
    pub layout: Option<AxialLayout>,
    /// Meaning of the columns of a cache, by slots.
    pub columns: Option<&'static str>,
    /// The two entries that each slot writes; of a cache its column, twice.
    pub entries: Vec<(usize, usize)>,
    /// The format of the entries; a narrower one if those that were read are numbers of it.
    pub storage: Format,
    /// The groups, in the order of their first slots.
    pub groups: Vec<Group>,
    /// Groups that are shown to be of different axes.
    pub different: Vec<Different>,
    /// Slots that stand still in all rows that were read.
    #[serde(serialize_with = "ranges")]
    pub still: Vec<usize>,
    /// Slots that move too little, or too fast for the smallest step, to be told to be of one of these groups.
    pub open: Vec<OpenSlots>,
    /// Slots that turn in proportion to none of the groups at any rate below its limit.
    #[serde(serialize_with = "ranges")]
    pub apart: Vec<usize>,
    /// Questions that these entries cannot tell.
    pub undetermined: Vec<String>,
}

impl fmt::Display for AxialGroups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, rows) = (self.groups.len(), self.rows);
        let groups = if count == 1 { "1 group" } else { &format!("{count} groups") };
        writeln!(f, "{} at unknown positions: {groups} of slots that turn in proportion", self.subject)?;
        writeln!(f, "  read: {rows} rows that differ, from row {}", self.reference)?;
        for (number, group) in self.groups.iter().enumerate() {
            write!(f, "  group {number}: slots {}", listed(&group.slots))?;
            if let Some((first, last)) = group.rates.first().zip(group.rates.last()) {
                write!(f, ": rates {first:.6e} to {last:.6e} of slot {}", group.unit)?;
            }
            if let Some((ratio, error)) = group.ratio.zip(group.ratio_error) {
                write!(f, ", each {ratio:.7} ± {error:.1e} times the next")?;
            }
            writeln!(f, "; to {:.1e} of their range", group.agreement)?;
            if !group.beyond.is_empty() {
                let rows: Vec<String> = group.beyond.iter().map(usize::to_string).collect();
                writeln!(
                    f,
                    "    but in rows {}, in which slot {} turned by more than half a turn",
                    rows.join(", "),
                    group.unit
                )?;
            }
            for GroupBase { frequency_dim, base, error } in &group.bases {
                writeln!(f, "    base {base:.7e} ± {error:.1e} if D is {frequency_dim}")?;
            }
        }
        for Different { groups: [a, b], rows: [first, second] } in &self.different {
            writeln!(f, "  groups {a} and {b} do not turn in proportion: rows {first} and {second}")?;
        }
        for OpenSlots { slots, groups } in &self.open {
            let groups: Vec<String> = groups.iter().map(usize::to_string).collect();
            writeln!(f, "  slots {} may be of group {}", listed(slots), groups.join(" or "))?;
        }
        if !self.apart.is_empty() {
            writeln!(f, "  slots {} turn in proportion to no group below its limit", listed(&self.apart))?;
        }
        if !self.still.is_empty() {
            writeln!(f, "  slots {} stand still", listed(&self.still))?;
        }
        if let Some(columns) = self.columns {
            writeln!(f, "  read: columns as '{columns}'")?;
        }
        writeln!(f, "  stored in {}", self.storage)?;
        for one in &self.undetermined {
            writeln!(f, "  undetermined: {one}")?;
        }
        Ok(())
    }
}
