//! Faults as data: the catalogue of what goes wrong in positional encodings.
//!
//! Vocabulary. A [`Fault`] is a row of the [`catalogue`]: the [`Code`] under which it is reported, what causes
//! it, what to do, the public [`Thread`]s that resemble it, the [`FaultyProgram`]s that have it, and the hypotheses
//! that recognise it. A [`Finding`] is a fault that the diagnosis has found in one subject, with its figures, its
//! [`Cause`]. The diagnosis tries the rows from first to last, so that simple ones come first; tests inject the
//! faulty programs; the documentation's table and the negative vectors are made from the rows.
//!
//! To add a fault, add a row: an alternative convention, other frequencies, or a program of lower precision is
//! recognised by what the row says; anything else brings a function of its own.

mod array;
mod catalogue;
mod cause;
mod code;
mod detail;
mod inject;
mod message;
mod program;
mod wiring;

pub use array::{ArrayCause, RoundingMode};
pub use catalogue::catalogue;
pub(super) use catalogue::*;
pub use cause::{Cause, Deviation, Entry, Finding, Lengths};
pub use code::Code;
pub use inject::{EntryFault, FrequencyFault, Injection, PlacementFault};
pub use program::{AngleOf, Arithmetic, CosinesAndSines, EncodingProgram, EntryOf};
pub use wiring::{PairRotation, turn};

use super::diagnose::{Context, Explanation, Placed};
use super::measure::Estimate;
use super::sample::Phasors;
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use std::fmt;

/// A public issue or pull request, and what is said there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thread {
    /// `owner/repository#number`.
    pub name: &'static str,
    /// What it says of the fault.
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
    /// What it is reported as.
    pub code: Code,
    /// What goes wrong where it is made.
    pub cause: &'static str,
    /// What to do.
    pub advice: &'static str,
    /// Public threads that resemble it, the closest first.
    pub threads: &'static [Thread],
    /// Programs with the fault, for tests.
    pub cases: &'static [FaultyProgram],
    /// The negative vectors that show it.
    pub vectors: Option<Vectors>,
    /// How it is recognised.
    pub(super) hypotheses: &'static [Hypothesis],
}

/// What a faulty program has in common with a right one, and what it does in place of that.
#[non_exhaustive]
pub struct FaultyProgram {
    /// What it is called in messages of tests.
    pub name: &'static str,
    /// What the program promises.
    pub promised: Promised,
    /// What it does instead.
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
    /// What the program does.
    pub description: &'static str,
    /// What that does to the entries.
    pub effect: &'static str,
    /// The convention that it promises.
    pub promised: fn() -> Convention,
    /// What it delivers.
    pub injection: Injection,
}

/// The angle that a program of a narrower format forms of an effective position and a frequency.
pub(super) type Simulation = fn(Format, f64, f64) -> f64;

/// How a fault is recognised. The diagnosis goes through the kinds in the order of their listing, and
/// within a kind through the rows in the order of the catalogue.
pub(super) enum Hypothesis {
    /// By cosines and sines that belong to no common angle.
    Components(fn(&'static Fault, &Context<'_>, &Phasors) -> Option<Explanation>),
    /// By comparison with another convention.
    Convention {
        /// Those that the mistake makes of the promised one.
        made: fn(&Convention) -> Vec<Convention>,
        /// What is wrong, given the promised convention and the one that the entries follow.
        sentence: fn(&Convention, &Convention) -> String,
    },
    /// By comparison with frequencies that no convention has.
    Frequencies {
        /// Those that the mistake makes of the promised convention's.
        made: fn(&Convention) -> Option<Vec<f64>>,
        /// The figures.
        cause: fn(&Convention, Vec<f64>) -> Cause,
    },
    /// By the positions that the rows belong to.
    Positions(fn(&'static Fault, &Context<'_>, &Phasors, &[Placed]) -> Option<Explanation>),
    /// By simulation in a narrower format: angles of a position and a frequency.
    Simulation(&'static [Simulation]),
    /// By the measured frequencies of all pairs.
    Measurement(fn(&'static Fault, &Context<'_>, &Phasors, &[Estimate]) -> Option<Explanation>),
    /// By a step of the diagnosis that looks for it alone.
    Step,
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
