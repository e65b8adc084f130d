//! The implementation that is expected.

use super::Invalid;
use super::duplication::Duplication;
use super::input::About;
use posproof_bound::{Compute, Libraries, Path};
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use posproof_table::Positions;

/// The implementation that is expected.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// The convention.
    pub convention: Convention,
    /// The position of each row; 0, 1, 2, … if none are given.
    pub positions: Option<Positions>,
    /// The precision that it computes its angles in.
    pub compute: Format,
    /// Accuracies of its sines, cosines, exponentials, logarithms and powers.
    pub libraries: Libraries,
    /// Path of its frequencies; the narrowest that explains its entries if none is given.
    pub path: Option<Path>,
    /// The format that the entries should have, whatever format holds them; that of the arrays if none is given.
    pub storage: Option<Format>,
    /// Repetition of the columns in a cache of full width; any if none is given.
    pub duplication: Option<Duplication>,
}

impl Expectation {
    /// The convention at positions 0, 1, 2, …, computed in binary32 along any path.
    pub fn new(convention: Convention) -> Self {
        Self {
            convention,
            positions: None,
            compute: Format::F32,
            libraries: Libraries::default(),
            path: None,
            storage: None,
            duplication: None,
        }
    }

    /// The same for other positions, which must increase.
    pub fn at(self, positions: Positions) -> Self {
        Self { positions: Some(positions), ..self }
    }

    /// The same for another precision of the computation.
    pub fn computed_in(self, compute: Format) -> Self {
        Self { compute, ..self }
    }

    /// The same for libraries of other accuracies.
    pub fn with_libraries(self, libraries: Libraries) -> Self {
        Self { libraries, ..self }
    }

    /// True if the format that angles are computed in holds these positions: of others it makes infinity.
    pub(super) fn holds(&self, positions: &Positions) -> bool {
        positions.max() as f64 <= self.compute.max_finite()
    }

    /// Format that angles are computed in.
    pub(super) fn computes(&self) -> Compute {
        Compute { format: self.compute, libraries: self.libraries }
    }

    /// The same for entries that should have a format, whatever format holds them.
    pub fn stored_in(self, storage: Format) -> Self {
        Self { storage: Some(storage), ..self }
    }

    /// The same for a cache that should repeat its columns so.
    pub fn duplicated(self, duplication: Duplication) -> Self {
        Self { duplication: Some(duplication), ..self }
    }

    /// The same for one path only.
    pub fn along(self, path: Path) -> Self {
        Self { path: Some(path), ..self }
    }
}

/// The refusal of a position beyond the largest number of the format that angles are computed in: nothing is known of such a row.
pub(super) fn not_held(place: &str, position: f64, compute: Format) -> Invalid {
    let expected = format!("numbers of at most {:e} in magnitude, which {compute} holds", compute.max_finite());
    let advice = "check the positions, or --compute";
    About("positions").error(place, expected, format!("{position:e}"), advice).into()
}
