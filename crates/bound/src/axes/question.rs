//! Questions about a program of several axes, or of one at positions of any kind, and their answers.

use super::bounds::{axial_bounds, axial_rotations};
use super::worst::axial_worst;
use super::{AxialExtreme, SlotBounds};
use crate::document::{Document, SlotCase};
use crate::libraries::Compute;
use crate::program::{Impossible, Path};
use posproof_encoding::axes::{AxialConvention, AxialLaw, Coordinates};
use posproof_encoding::convention::Component;
use posproof_numerics::format::Format;
use rayon::prelude::*;

/// Numbers that are bounded at most: a minute.
const MOST: usize = 1 << 26;

/// Entries that are enclosed at most, for their worst case: some minutes.
const MOST_ENCLOSED: usize = 1 << 23;

/// Bounds that are asked for, of a program.
#[derive(Clone, Debug)]
pub struct AxialQuestion {
    /// Path of its frequencies.
    pub path: Path,
    /// The precision of its angles, and the accuracies of its functions.
    pub compute: Compute,
    /// The format of the entries.
    pub storage: Format,
    /// The slots asked for; all if there are none.
    pub slots: Vec<usize>,
    /// The components whose exact worst case is asked for, with correctly rounded functions.
    pub worst: Vec<Component>,
    /// True if the entries are those of rotated pairs of length 1, and not those of a table or a cache.
    pub rotation: bool,
}

/// The bounds of a slot over all rows, and the largest errors of its components, where they were asked for.
type SlotAnswer = (SlotBounds, Option<Vec<AxialExtreme>>);

impl AxialQuestion {
    /// The bounds of every slot that is asked for, over all rows.
    ///
    /// # Errors
    ///
    /// For frequencies of several heads, slots that are not there, more rows and slots than some minutes take, the worst case of a program that is
    /// not enumerated, and where coordinates, frequencies, angles or entries may overflow.
    pub fn answer(&self, law: &AxialLaw, coordinates: &Coordinates) -> Result<Vec<SlotAnswer>, Impossible> {
        let (rows, slots) = (coordinates.rows(), law.slots());
        if slots.saturating_mul(rows) > MOST {
            let expected = format!("at most {MOST} entries to bound");
            return Err(Impossible::new("rows", format!("{rows} rows of {slots} slots"), expected));
        }
        if let Some(slot) = self.slots.iter().find(|&&slot| slot >= slots) {
            return Err(Impossible::new("pair", slot, format!("slots below {slots}")));
        }
        if law.heads() > 1 {
            return Err(Impossible::new(
                "frequencies",
                format!("those of {} heads", law.heads()),
                "a list for one head",
            ));
        }
        let asked: Vec<usize> = (0..slots).filter(|slot| self.slots.is_empty() || self.slots.contains(slot)).collect();
        if !self.worst.is_empty() {
            self.require_worst(law, coordinates, &asked)?;
        }
        let bounds = if self.rotation { axial_rotations } else { axial_bounds };
        let all = bounds(law, coordinates, (self.compute, Some(self.path)), self.storage, (0, &asked))?;
        let worst = |bounds: SlotBounds| {
            let program = (self.compute.format, self.storage);
            let found = axial_worst(law, coordinates, program, (0, bounds.slot)).into_iter().flatten();
            let found = found.filter(|extreme| self.worst.contains(&extreme.component)).collect();
            (bounds, Some(found))
        };
        match self.worst.is_empty() {
            true => Ok(all.into_iter().map(|bounds| (bounds, None)).collect()),
            false => Ok(all.into_par_iter().map(worst).collect()),
        }
    }

    /// The document of an answer.
    pub fn document(
        &self,
        at: (&AxialLaw, &Coordinates),
        answer: &[SlotAnswer],
    ) -> Document<AxialConvention, SlotCase> {
        let subject = if self.rotation { "rotation" } else { "table" };
        Document::of_axes(subject, at, (self.path, self.compute, self.storage), answer)
    }

    /// Refuses a worst case of programs that are not enumerated.
    fn require_worst(&self, law: &AxialLaw, coordinates: &Coordinates, asked: &[usize]) -> Result<(), Impossible> {
        if self.rotation {
            let expected = "tables and caches with axes: a rotated pair has real inputs";
            return Err(Impossible::new("worst case", "a rotation", expected));
        }
        if self.path != Path::Rounded {
            let expected = "the path rounded, whose worst case is known with axes; of others the bound";
            return Err(Impossible::new("worst case", format!("path {}", self.path.name()), expected));
        }
        let distinct = |slot: &usize| -> usize {
            law.claims(*slot).iter().map(|claim| coordinates.distinct(claim.axis).len()).sum()
        };
        let count = 2 * asked.iter().map(distinct).sum::<usize>();
        if count > MOST_ENCLOSED {
            let expected = format!("at most {MOST_ENCLOSED}: fewer pairs");
            return Err(Impossible::new("worst case", format!("{count} entries"), expected));
        }
        Ok(())
    }
}
