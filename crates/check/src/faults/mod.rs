//! Faults as data: the catalogue of what goes wrong in positional encodings.
//!
//! Vocabulary. A [`Fault`] is a row of the [`catalogue`]: the [`Code`] under which it is reported, what causes
//! it, what to do, the public [`Thread`]s that resemble it, the [`FaultyProgram`]s that have it, and the alternatives
//! that it makes of a convention. A [`Finding`] is a fault that the diagnosis has found in one subject: its figures
//! (its [`Cause`]), where it is ([`Region`]), and how much of what is wrong it explains. The diagnosis tries the rows
//! from first to last, so that simple ones come first; tests inject the faulty programs; the documentation's table and
//! the negative vectors are made from the rows. Nothing here depends on the diagnosis.
//!
//! To add a fault, add a row: an alternative convention or other frequencies are recognised by what the row says;
//! what has to be measured is looked for by the diagnosis, which names the row.

mod array;
mod axes;
mod catalogue;
pub(super) mod cause;
pub(super) mod code;
mod detail;
mod entry_faults;
mod figures;
mod inject;
mod message;
mod parts;
mod products;
mod program;
pub(super) mod region;
mod steps;
mod wiring;

pub(super) use array::silence;
pub use array::{ArrayCause, RoundingMode};
pub use axes::AxesCause;
pub(super) use axes::{AT_THE_END, MOST_ROWS};
pub(super) use catalogue::*;
pub use catalogue::{catalogue, catalogue_by_subject};
pub(super) use cause::{Cause, Finding};
pub(super) use code::Code;
pub(super) use detail::detail;
pub use entry_faults::EntryFault;
pub use figures::{Deviation, Entry, Lengths};
pub use inject::{FrequencyFault, Injection, PlacementFault};
pub use parts::PartCause;
pub use products::ProductsCause;
pub use program::{Arithmetic, CosinesAndSines, EncodingProgram};
pub(crate) use region::is_most;
pub(super) use region::{Explained, Region, Shape, Span, Status};
#[cfg(feature = "axes")]
pub(crate) use steps::BEHIND;
pub use steps::{PositionRule, PrecisionCause};
pub use wiring::{CacheRead, PairRotation, turn};

use posproof_encoding::convention::Convention;
use std::fmt;

/// A public issue or pull request, and what is said there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thread {
    /// `owner/repository#number`.
    pub name: &'static str,
    /// Its sentence on the fault.
    pub says: &'static str,
}

impl Thread {
    /// Its address. GitHub leads from there to the pull request, if it is one.
    pub fn address(&self) -> String {
        format!("https://github.com/{}", self.name.replace('#', "/issues/"))
    }
}

/// A row of the catalogue.
#[non_exhaustive]
pub struct Fault {
    /// Its name, and the flag of its negative vectors.
    pub name: &'static str,
    /// Code of its report.
    pub code: Code,
    /// The mistake where it is made.
    pub cause: &'static str,
    /// Advice.
    pub advice: &'static str,
    /// Public threads that resemble it, the closest first.
    pub threads: &'static [Thread],
    /// Programs with the fault, for tests.
    pub cases: &'static [FaultyProgram],
    /// The negative vectors that show it.
    pub vectors: Option<Vectors>,
    /// Conventions that it makes, where that can be written down: anything else is measured.
    pub(super) alternatives: &'static [Alternative],
}

/// A faulty program's promise, and what it does in place of that.
#[non_exhaustive]
pub struct FaultyProgram {
    /// Its name in messages of tests.
    pub name: &'static str,
    /// Promise of the program.
    pub promised: Promised,
    /// Its change.
    pub injection: Injection,
    /// The first position that is wrong, where rows before it are right.
    pub from: Option<u64>,
    /// Other codes that say the same of some conventions.
    pub also: &'static [Code],
}

impl FaultyProgram {
    const fn new(name: &'static str, promised: Promised, injection: Injection) -> Self {
        Self { name, promised, injection, from: None, also: &[] }
    }

    const fn from(self, position: u64) -> Self {
        Self { from: Some(position), ..self }
    }

    const fn also(self, also: &'static [Code]) -> Self {
        Self { also, ..self }
    }
}

/// Which conventions a faulty program promises.
#[non_exhaustive]
pub enum Promised {
    /// Any.
    Any,
    /// Sinusoidal tables.
    Sinusoid,
    /// Rotations.
    Rotation,
    /// This one.
    Stated(fn() -> Convention),
}

/// A group of `vectors/negative.json`.
#[non_exhaustive]
pub struct Vectors {
    /// Its place in the file: groups are added, never moved, because tests are known by their number.
    pub place: usize,
    /// The program's action.
    pub description: &'static str,
    /// Effect of that on the entries.
    pub effect: &'static str,
    /// The convention that it promises.
    pub promised: fn() -> Convention,
    /// Change that it delivers.
    pub injection: Injection,
}

/// Convention that a mistake makes of a promised one.
pub(super) enum Alternative {
    /// Other conventions.
    Convention {
        /// Those that the mistake makes of the promised one.
        made: fn(&Convention) -> Vec<Convention>,
        /// Sentence on the mistake, given the promised convention and the one that the entries follow.
        sentence: fn(&Convention, &Convention) -> String,
    },
    /// Frequencies that no convention has.
    Frequencies {
        /// Those that the mistake makes of the promised convention's.
        made: fn(&Convention) -> Option<Vec<f64>>,
        /// The figures.
        cause: fn(&Convention, Vec<f64>) -> Cause,
    },
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fault").field("name", &self.name).field("code", &self.code).finish_non_exhaustive()
    }
}

impl PartialEq for Fault {
    /// Rows are known by their names.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
