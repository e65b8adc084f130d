//! The positions that rows have beside those that they should have.

use super::{DecodedAxis, Located};
use crate::Invalid;
use crate::input::About;
use serde::Serialize;

/// A row that has another position than it should.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RowDifference {
    /// The table among the leading dimensions.
    pub table: usize,
    /// The row.
    pub row: usize,
    /// The position that it should have.
    pub expected: i64,
    /// Its position.
    pub found: Located,
}

/// Comparison of rows with the positions that they should have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Rows that have the expected position and no other.
    pub agree: u64,
    /// Rows for which the expected position is excluded, and those that are not finite.
    pub differ: u64,
    /// Rows that may have it, or another.
    pub undecided: u64,
    /// The first rows that differ.
    pub first: Vec<RowDifference>,
}

/// Rows that are listed.
const LISTED: usize = 8;

impl Comparison {
    /// Compares rows along an axis with one position for each row, the same for every table, or with one for each row of so many sequences, as many
    /// tables after each other being one; a row without an expected position is not compared. `name` is what the positions are called in messages.
    pub(super) fn new(axis: &DecodedAxis, rows: usize, name: &str, expected: &[Option<i64>]) -> Result<Self, Invalid> {
        let DecodedAxis { located, multiples: domain, .. } = axis;
        let (all, tables) = (located.len(), located.len() / rows.max(1));
        let sequences = expected.len() / rows.max(1);
        if sequences == 0 || sequences * rows != expected.len() || !tables.is_multiple_of(sequences) {
            let wanted = match rows == all {
                true => rows.to_string(),
                false => {
                    format!("{rows}, or as many for each of the sequences that {tables} tables are, at most {all}")
                }
            };
            let found = format!("{} positions", expected.len());
            let advice = "name one position for each row that was decoded";
            return Err(About(name).error("the length", wanted, found, advice).into());
        }
        let beyond = expected
            .iter()
            .enumerate()
            .find_map(|(at, position)| Some((at, position.filter(|p| !domain.contains(*p))?)));
        if let Some((at, position)) = beyond {
            let found = position.to_string();
            let advice = "state a domain that holds every expected position (--domain A..B)";
            return Err(About(name)
                .error(format!("entry {at}"), format!("a position in {domain}"), found, advice)
                .into());
        }
        let mut comparison = Self { agree: 0, differ: 0, undecided: 0, first: Vec::new() };
        for (at, found) in located.iter().enumerate() {
            let (table, row) = (at / rows, at % rows);
            let Some(expected) = expected[table / (tables / sequences) * rows + row] else { continue };
            match found.agrees(expected) {
                Some(true) => comparison.agree += 1,
                None => comparison.undecided += 1,
                Some(false) => {
                    comparison.differ += 1;
                    if comparison.first.len() < LISTED {
                        comparison.first.push(RowDifference { table, row, expected, found: found.clone() });
                    }
                }
            }
        }
        Ok(comparison)
    }
}

impl Located {
    /// True if a row has a position; `None` where it may.
    fn agrees(&self, expected: i64) -> Option<bool> {
        match self {
            Self::Certified { position } => Some(*position == expected),
            Self::Ambiguous(candidates) => candidates.contains(expected).filter(|within| !within),
            Self::Unexplained(_) | Self::NotFinite => Some(false),
            Self::Null => None,
        }
    }
}
