//! Symptoms of a judgement: entries beyond their bounds, and all that is known of them.

use super::comparison::{AxialComparison, AxialScope};
use crate::Invalid;
use crate::compare::{ComparedScopes, EVIDENCE, LeftEntries};
use crate::subject::Subject;
use posproof_bound::{AxialAllowance, Compute, Path};
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_numerics::format::Format;

/// One row of so many may depart from an alteration that explains most.
pub(super) const OUTLYING: usize = 8;

/// Entries that are left beyond their bounds are few if they are less than one of so many that are to be explained.
const FEW: u64 = 4;

/// Symptoms to be explained, and the bounds that they are judged by.
pub(super) struct AxialSymptoms<'a> {
    /// The entries beside those that are stated.
    pub comparison: &'a AxialComparison<'a>,
    pub subject: Subject<'a>,
    pub law: &'a AxialLaw,
    pub coordinates: &'a Coordinates,
    pub storage: Format,
    pub compute: (Compute, Option<Path>),
    /// Number of entries beyond their bounds, those that are not finite included, and of those that are.
    pub exceeding: u64,
    pub finite: u64,
    /// Rows with a finite entry beyond its bound, in increasing order.
    pub beyond: Vec<usize>,
    /// The slot of these entries, where it is one.
    pub slot: Option<usize>,
    /// Scope of the symptoms: the tables with a finite entry beyond its bound, in all of their rows. Other tables are right as stated.
    pub scope: AxialScope,
}

impl AxialSymptoms<'_> {
    /// The first of the tables that are explained.
    pub fn slab(&self) -> usize {
        self.scope.slabs.first().copied().unwrap_or(0)
    }

    /// The head of the first table.
    pub fn head(&self) -> usize {
        self.slab() % self.law.heads()
    }

    /// Entries that a hypothesis may leave, at most.
    pub fn few(&self) -> u64 {
        self.finite / FEW
    }

    /// Finite entries of the scope that another convention leaves beyond their bounds at other coordinates. None where these are not few,
    /// and where its bounds say nothing of nearly all entries that are to be explained.
    pub fn left_under(
        &self,
        (law, coordinates): (&AxialLaw, &Coordinates),
        compute: (Compute, Option<Path>),
        storage: Format,
    ) -> Result<Option<u64>, Invalid> {
        let Ok(other) = AxialComparison::new(self.subject, law, coordinates, storage) else { return Ok(None) };
        let other = other.along(AxialAllowance::new(law, coordinates, compute, storage));
        let stated = AxialAllowance::new(self.law, self.coordinates, self.compute, self.storage);
        let part = (&self.scope.slabs[..], self.scope.rows.clone());
        let Some(left) = self.comparison.along(stated).left_by(&other, part, self.few())? else {
            return Ok(None);
        };
        let LeftEntries { beyond, silent } = left;
        // An entry that no bound says anything of is not explained: few are left of those that speak.
        let speak = self.finite.saturating_sub(silent);
        let speaks = EVIDENCE * speak >= self.finite && (beyond == 0 || FEW * beyond < speak);
        Ok(speaks.then_some(beyond))
    }

    /// Symptoms of the stretch of rows that depart, where that is not all of them; rows outside are right as stated.
    pub fn within_rows(&self) -> Option<Self> {
        let (first, last) = (*self.beyond.first()?, *self.beyond.last()?);
        let part = last - first + 1 < self.coordinates.rows() && last > first;
        part.then(|| Self {
            scope: AxialScope { rows: first..last + 1, slabs: self.scope.slabs.clone() },
            beyond: self.beyond.clone(),
            ..*self
        })
    }
}
