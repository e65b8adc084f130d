//! Axes and coordinates under which a subject conforms that does not conform to the stated ones.

use super::expectation::AxialExpectation;
use crate::faults::Finding;
use crate::levels::Levels;
use crate::mend::{Mend, MendDocument, Restatement};
use posproof_bound::Libraries;
use posproof_encoding::axes::{AxialConvention, Coordinates, WithAxes};
use posproof_numerics::format::Format;
use serde::{Serialize, Serializer};
use std::fmt;

/// Statement in place of the one that was made, under which the subject conforms: every entry was compared under it. The path
/// stays as it was stated.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AxialMend {
    /// The convention.
    pub convention: AxialConvention,
    /// The coordinates of the rows, where they are not the stated ones.
    #[serde(rename = "positions", serialize_with = "rows")]
    pub coordinates: Option<Coordinates>,
    /// The precision of the angles.
    pub compute: Format,
    /// The format that the entries should have, where it is not the stated one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage: Option<Format>,
    /// The grid of integers, where it is not the stated one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Levels>,
}

impl AxialMend {
    /// Another convention of the same program, at the stated coordinates.
    pub(super) fn of(convention: AxialConvention, compute: Format, storage: Option<Format>) -> Self {
        Self { convention, coordinates: None, compute, storage, levels: None }
    }

    /// The statement as it was made.
    pub(super) fn same(stated: &AxialExpectation<'_>) -> Self {
        Self::of(stated.law.convention().clone(), stated.compute, stated.storage)
    }

    /// The arguments of the command line that state it, in place of those that specify the encoding, where it has one axis.
    pub fn arguments(&self) -> Option<Vec<String>> {
        let &Self { compute, storage, levels, .. } = self;
        let convention = self.convention.of_one_axis()?;
        Some(Mend { convention, compute, libraries: Libraries::default(), path: None, storage, levels }.arguments())
    }
}

/// Findings that explain most entries.
pub(super) struct MostExplained {
    pub findings: Vec<Finding>,
    /// The statement that they amount to.
    pub mend: AxialMend,
    /// Entries that are beyond their bounds under it.
    pub left: u64,
}

/// Rows that are written: of more coordinates no mend is made.
pub(super) const MOST_ROWS: usize = 1 << 12;

impl Restatement for AxialMend {
    type Convention = AxialConvention;

    fn on(self, levels: Option<Levels>) -> Self {
        Self { levels, storage: self.storage.or(levels.and_then(Levels::stated_before)), ..self }
    }

    fn document(&self) -> impl Serialize {
        MendDocument {
            arguments: self.arguments(),
            compute: Some(self.compute),
            convention: Some(WithAxes(&self.convention)),
            levels: self.levels,
            positions: self.coordinates.as_ref().map(listed),
            storage: self.storage,
        }
    }
}

/// Row after row the coordinates as text; null for a row without a position.
fn listed(all: &Coordinates) -> Vec<Option<Vec<String>>> {
    (0..all.rows()).map(|row| Some(all.row(row)?.iter().map(ToString::to_string).collect())).collect()
}

fn rows<S: Serializer>(coordinates: &Option<Coordinates>, serializer: S) -> Result<S::Ok, S::Error> {
    coordinates.as_ref().map(listed).serialize(serializer)
}

impl fmt::Display for AxialMend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.arguments() {
            Some(arguments) => f.write_str(&arguments.join(" "))?,
            None => {
                write!(f, "--convention FILE --compute {}", self.compute)?;
                if let Some(storage) = self.storage {
                    write!(f, " --dtype {storage}")?;
                }
                if let Some(levels) = self.levels {
                    write!(f, " --step {} --zero-point {}", levels.step(), levels.zero_point())?;
                }
                write!(f, " with {}", serde_json::to_string(&self.convention).unwrap_or_default())?;
            }
        }
        if self.coordinates.is_some() {
            write!(f, " and the positions that --json lists under mend")?;
        }
        Ok(())
    }
}
