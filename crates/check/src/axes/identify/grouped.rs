//! What rows show whose positions are not known, and its JSON (schema `posproof.slot-groups/1`).

use super::answer::ranges;
use posproof_encoding::axes::Ranges;
use posproof_numerics::format::Format;
use serde::Serialize;
use std::fmt;

/// Slots whose angles are multiples of each other, plus a constant, modulo a turn, in every row that was read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SlotGroup {
    /// The slots.
    #[serde(serialize_with = "ranges")]
    pub slots: Vec<usize>,
    /// The slot whose angle the others are multiples of: the slowest.
    pub unit: usize,
    /// The multiple of each slot, the smallest in magnitude that explains the rows.
    pub multiples: Vec<f64>,
    /// How far off each of these may be.
    pub errors: Vec<f64>,
    /// What the multiples are known modulo, where the positions lie on a grid: a turn of the slot for a step of it.
    pub modulo: Option<f64>,
    /// The multiple of a slot divided by that of the next, base^(2/D), where they are in geometric progression.
    pub ratio: Option<f64>,
    /// One part in so many: to this part of their range the sequences of positions behind these slots are the same.
    pub agreement: f64,
    /// Whether the angle of the slowest slot stays within a turn, because a multiple of it that is no whole number explains another slot.
    pub within_a_turn: bool,
}

/// Which slots of a table, a cache or a rotation turn together, as far as rows show it whose positions are not known.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SlotGroups {
    /// `posproof.slot-groups/1`.
    pub schema: &'static str,
    /// `sinusoid`, `rope` or `rotation`.
    pub subject: &'static str,
    /// The entries of every slot, by the first layout that they allow: a pair of a row, or a column of a cache, twice.
    pub entries: Vec<(usize, usize)>,
    /// How the columns of a cache stand for its slots.
    pub columns: Option<&'static str>,
    /// The format of the entries; a narrower one if those that were read are numbers of it.
    pub storage: Format,
    /// How many rows were read.
    pub rows: usize,
    /// The groups, in the order of their first slots.
    pub groups: Vec<SlotGroup>,
    /// Slots that stand still in all rows that were read.
    #[serde(serialize_with = "ranges")]
    pub still: Vec<usize>,
    /// Slots that move, and that these rows do not assign to one group.
    #[serde(serialize_with = "ranges")]
    pub undecided: Vec<usize>,
    /// What these entries cannot tell.
    pub undetermined: Vec<String>,
}

impl SlotGroups {
    /// Whether every slot that moves is in a group.
    pub fn is_decided(&self) -> bool {
        !self.groups.is_empty() && self.undecided.is_empty()
    }
}

impl fmt::Display for SlotGroups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = |slots: &[usize]| Ranges::of(slots).map_or("none".to_owned(), |ranges| ranges.to_string());
        let (count, rows) = (self.groups.len(), self.rows);
        writeln!(
            f,
            "{} at positions that are not known: {count} groups of slots turn together in {rows} rows",
            self.subject
        )?;
        for group in &self.groups {
            let slots = &group.slots;
            let largest = group.multiples.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(1.0);
            let modulo = group.modulo.map_or(String::new(), |modulo| format!(", modulo {modulo:.6}"));
            let ratio = group.ratio.map_or(String::new(), |ratio| format!(", each {ratio:.6} times the next"));
            let number = slots.len();
            writeln!(
                f,
                "  slots {} ({number}): multiples 1 (slot {}) to {largest:.6}{modulo}{ratio}; the same positions to 1 part in {:.0}",
                said(slots),
                group.unit,
                group.agreement
            )?;
        }
        if !self.undecided.is_empty() {
            writeln!(f, "  undecided: slots {}", said(&self.undecided))?;
        }
        if !self.still.is_empty() {
            writeln!(f, "  slots {} stand still", said(&self.still))?;
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
