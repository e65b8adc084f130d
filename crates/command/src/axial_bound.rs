//! `posproof bound` for encodings of several axes.

use super::documents::JsonArguments;
use super::{Failure, Outcome, print};
use posproof_bound::document::Document;
use posproof_bound::{AxialExtreme, Path, SlotBounds, axial_bounds, axial_rotations, axial_worst};
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_encoding::convention::Component;
use posproof_numerics::format::{Format, hex};
use rayon::prelude::*;
use std::fmt::Write;

/// Numbers that are bounded at most: a minute.
const MOST: usize = 1 << 26;

/// Entries that are enclosed at most, for their worst case: some minutes.
const MOST_ENCLOSED: usize = 1 << 23;

/// The program whose bounds are asked for.
pub struct AxialProgram {
    /// Path of its frequencies.
    pub path: Path,
    /// The precision of its angles.
    pub compute: Format,
    /// The format of the entries.
    pub storage: Format,
    /// The slots asked for; all if there are none.
    pub slots: Vec<usize>,
    /// The components whose exact worst case is asked for.
    pub worst: Vec<Component>,
    /// True if the entries are those of rotated pairs of length 1, and not those of a table or a cache.
    pub rotation: bool,
    /// True if to print JSON.
    pub json: JsonArguments,
}

/// The bounds of a slot, and its worst cases where they were asked for.
type SlotCase = (SlotBounds, Vec<AxialExtreme>);

impl AxialProgram {
    /// Refuses a worst case of programs that are not enumerated.
    fn require_worst(&self, law: &AxialLaw, coordinates: &Coordinates) -> Result<(), Failure> {
        if self.path != Path::Rounded {
            let expected = "expected rounded; with axes its worst case is known, and of other paths the bound";
            return Err(Failure::Usage(format!("--worst with --path {}: {expected}", self.path.name())));
        }
        let distinct =
            |slot: usize| law.claims(slot).iter().map(|claim| coordinates.distinct(claim.axis).len()).sum::<usize>();
        let asked = |slot: &usize| self.slots.is_empty() || self.slots.contains(slot);
        let count = 2 * (0..law.slots()).filter(asked).map(distinct).sum::<usize>();
        if count > MOST_ENCLOSED {
            let expected = format!("expected at most {MOST_ENCLOSED}; name some slots with --pairs");
            return Err(Failure::Usage(format!("--worst over {count} entries: {expected}")));
        }
        Ok(())
    }

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
        if !self.worst.is_empty() {
            self.require_worst(law, coordinates)?;
        }
        let bounds = if self.rotation { axial_rotations } else { axial_bounds };
        let asked: Vec<usize> =
            (0..law.slots()).filter(|slot| self.slots.is_empty() || self.slots.contains(slot)).collect();
        let all = bounds(law, coordinates, (self.compute, Some(self.path)), self.storage, (0, &asked))?;
        let worst = |bounds: SlotBounds| -> SlotCase {
            let found = (!self.worst.is_empty())
                .then(|| axial_worst(law, coordinates, (self.compute, self.storage), (0, bounds.slot)))
                .flatten();
            let asked = |extreme: &AxialExtreme| self.worst.contains(&extreme.component);
            (bounds, found.into_iter().flatten().filter(asked).collect())
        };
        let rows: Vec<SlotCase> = all.into_par_iter().map(worst).collect();
        let at = |row: usize| coordinates.row(row).map(|row| row.iter().map(ToString::to_string).collect::<Vec<_>>());
        let axes = |slot: usize| law.claims(slot).iter().map(|claim| law.axes()[claim.axis].name()).collect::<Vec<_>>();
        if self.json.is_asked() {
            let asked = |worst| if self.worst.is_empty() { None } else { Some(worst) };
            let slots: Vec<_> = rows.into_iter().map(|(bounds, worst)| (bounds, asked(worst))).collect();
            let subject = if self.rotation { "rotation" } else { "table" };
            let program = (self.path, self.compute, self.storage);
            self.json.print(&Document::of_axes(subject, (law, coordinates), program, &slots))?;
            return Ok(Outcome::Good);
        }
        let Self { path, compute, storage, .. } = self;
        let mut text = format!(
            "Error of {} at {} rows: frequencies '{}', angles in {compute}, stored as {storage}\n\n  slot axes        a priori   instance   at\n",
            if self.rotation { "each entry of a rotated unit pair" } else { "the entries" },
            coordinates.rows(),
            path.name()
        );
        for (bounds, worst) in &rows {
            let here =
                at(bounds.a_priori.row).map_or("no position".to_owned(), |here| format!("({})", here.join(", ")));
            let instance = bounds.instance.map_or("       –".to_owned(), |bound| format!("{:.3e}", bound.value));
            let axes = axes(bounds.slot).join("+");
            let _ = writeln!(text, "  {:4} {axes:10} {:.3e}  {instance}   {here}", bounds.slot, bounds.a_priori.value);
            for extreme in worst {
                let here = at(extreme.row).map_or("no position".to_owned(), |here| format!("({})", here.join(", ")));
                let name = if extreme.component == Component::Sin { "sin" } else { "cos" };
                let _ = writeln!(text, "       worst {name}  {:.4e} at {here}: {}", extreme.error, hex(extreme.got));
            }
            if worst.is_empty() && !self.worst.is_empty() {
                let why = "no worst case: a scale, or several axes, leave the program's operations open";
                let _ = writeln!(text, "       {why}");
            }
        }
        if let Some((first, _)) = rows.first() {
            let _ = writeln!(text, "\n  a priori: {}", first.a_priori.origin);
            if let Some(instance) = rows.iter().find_map(|(bounds, _)| bounds.instance) {
                let _ = writeln!(text, "  instance: {}", instance.origin);
            }
        }
        print(&text)?;
        Ok(Outcome::Good)
    }
}
