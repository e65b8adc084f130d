//! `posproof bound` for encodings of several axes.

use super::{Failure, Outcome, print, print_json};
use crate::bound::{AxialBound, Path, SlotBounds, axial_bounds};
use crate::number::format::Format;
use posproof_encoding::axes::{AxialLaw, Coordinates};
use serde_json::{Value, json};
use std::fmt::Write;

/// Numbers that are bounded at most: a minute.
const MOST: usize = 1 << 26;

/// The program whose bounds are asked for.
pub struct AxialProgram {
    /// How it computes its frequencies.
    pub path: Path,
    /// The precision of its angles.
    pub compute: Format,
    /// The format of the entries.
    pub storage: Format,
    /// The slots asked for; all if there are none.
    pub slots: Vec<usize>,
    /// Whether to print JSON.
    pub json: bool,
}

impl AxialProgram {
    /// Prints the bounds of every slot over all rows.
    pub fn bound(&self, (law, coordinates): &(AxialLaw, Coordinates)) -> Result<Outcome, Failure> {
        let count = law.slots().saturating_mul(coordinates.rows());
        if count > MOST {
            let found = format!("{} rows of {} slots", coordinates.rows(), law.slots());
            return Err(Failure::Usage(format!("--positions: {found}; expected at most {MOST} entries to bound")));
        }
        if let Some(slot) = self.slots.iter().find(|&&slot| slot >= law.slots()) {
            return Err(Failure::Usage(format!("--pairs {slot}: expected slots below {}", law.slots())));
        }
        if law.heads() > 1 {
            return Err(Failure::Usage("frequencies for several heads: expected [slots], a list for one head".into()));
        }
        let all = axial_bounds(law, coordinates, (self.compute, Some(self.path)), self.storage, 0);
        let asked = |bounds: &SlotBounds| self.slots.is_empty() || self.slots.contains(&bounds.slot);
        let rows: Vec<SlotBounds> = all.into_iter().filter(asked).collect();
        let at = |row: usize| coordinates.row(row).map(|row| row.iter().map(ToString::to_string).collect::<Vec<_>>());
        let axes = |slot: usize| law.claims(slot).iter().map(|claim| law.axes()[claim.axis].name()).collect::<Vec<_>>();
        if self.json {
            let told = |bound: &AxialBound| json!({ "bound": bound.value, "row": bound.row, "coordinates": at(bound.row), "origin": bound.origin });
            let case = |bounds: &SlotBounds| {
                let instance = bounds.instance.as_ref().map_or(Value::Null, told);
                json!({ "slot": bounds.slot, "axes": axes(bounds.slot), "a_priori": told(&bounds.a_priori), "instance": instance })
            };
            print_json(&json!({
                "schema": "posproof.bound-axes/1", "convention": law.convention(), "path": self.path.name(),
                "compute": self.compute, "storage": self.storage, "rows": coordinates.rows(),
                "cases": rows.iter().map(case).collect::<Vec<_>>(),
            }))?;
            return Ok(Outcome::Good);
        }
        let Self { path, compute, storage, .. } = self;
        let mut text = format!(
            "Error of the entries at {} rows: frequencies '{}', angles in {compute}, stored as {storage}\n\n  slot axes        a priori   instance   at\n",
            coordinates.rows(),
            path.name()
        );
        for bounds in &rows {
            let here =
                at(bounds.a_priori.row).map_or("no position".to_owned(), |here| format!("({})", here.join(", ")));
            let instance = bounds.instance.map_or("       –".to_owned(), |bound| format!("{:.3e}", bound.value));
            let axes = axes(bounds.slot).join("+");
            let _ = writeln!(text, "  {:4} {axes:10} {:.3e}  {instance}   {here}", bounds.slot, bounds.a_priori.value);
        }
        if let Some(first) = rows.first() {
            let _ = writeln!(text, "\n  a priori: {}", first.a_priori.origin);
            if let Some(instance) = rows.iter().find_map(|bounds| bounds.instance) {
                let _ = writeln!(text, "  instance: {}", instance.origin);
            }
        }
        print(&text)?;
        Ok(Outcome::Good)
    }
}
