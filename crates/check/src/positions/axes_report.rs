//! Report on rows with several coordinates, and its JSON (schema `posproof.positions-axes/1`).

use super::report::{Found, compared, heading, open, patterns};
use super::{Comparison, Counts, Domain, Located, OpenRow, TablePattern};
use crate::Invalid;
use crate::input::About;
use crate::report::{ArrayRead, any_or_one};
use posproof_bound::Path;
use posproof_encoding::axes::{AxialConvention, Coordinates};
use posproof_numerics::Rational;
use posproof_numerics::format::Format;
use serde::{Serialize, Serializer};
use std::fmt;

/// The coordinates of all rows. Positions are counted in steps: number k is the coordinate k·step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecodedAxes {
    /// `posproof.positions-axes/1`.
    pub schema: &'static str,
    /// `sinusoid`, `rope` or `rotation`.
    pub subject: &'static str,
    /// The convention that was stated.
    pub convention: AxialConvention,
    /// The coordinates that were considered along each axis that has none of its own, of which those that are multiples of the step.
    pub domain: Domain,
    /// Step of the positions.
    #[serde(serialize_with = "as_text")]
    pub step: Rational,
    /// The numbers of these multiples.
    pub multiples: Domain,
    /// The precision of the angles that was stated.
    pub compute: Format,
    /// The path of the frequencies that was stated; any if there is none.
    #[serde(serialize_with = "any_or_one")]
    pub path: Option<Path>,
    /// The format of the entries.
    pub storage: Format,
    /// The arrays, as they were read.
    pub inputs: Vec<ArrayRead>,
    /// Number of tables that the leading dimensions make.
    pub tables: usize,
    /// Rows of a table.
    pub rows: usize,
    /// Every axis, in the order of the convention.
    pub axes: Vec<DecodedAxis>,
}

fn as_text<S: Serializer>(number: &Rational, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

/// The positions of all rows along an axis, counted in steps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecodedAxis {
    /// The axis.
    pub name: String,
    /// The coordinates that were considered along it.
    pub domain: Domain,
    /// The numbers of the multiples of the step among them.
    pub multiples: Domain,
    /// As [`Decoded::told_apart`](super::Decoded::told_apart).
    pub told_apart: Domain,
    /// Number of rows of each kind, of all tables.
    pub counts: Counts,
    /// The patterns of the tables: the first that differ.
    pub patterns: Vec<TablePattern>,
    /// The first rows that are not certified.
    pub open: Vec<OpenRow>,
    /// Comparison of rows with expected positions, where those were stated.
    pub comparison: Option<Comparison>,
    /// Every row of every table, table after table.
    #[serde(skip)]
    pub located: Vec<Located>,
}

impl DecodedAxis {
    pub(super) fn new(
        name: &str,
        (domain, multiples, told_apart): (Domain, Domain, Domain),
        located: Vec<Located>,
        rows: usize,
    ) -> Self {
        Self {
            name: name.to_owned(),
            domain,
            multiples,
            told_apart,
            counts: Counts::of(&located),
            patterns: patterns(&located, rows),
            open: open(&located, rows),
            comparison: None,
            located,
        }
    }
}

impl DecodedAxes {
    /// The same, compared with the coordinates that the rows of each table, or of all, should have; a row of them without a position is not
    /// compared. `name` is what they are called in messages.
    ///
    /// # Errors
    ///
    /// Where they are those of other rows or axes, no multiples of the step, or outside the domain.
    pub fn compared(mut self, name: &str, expected: &Coordinates) -> Result<Self, Invalid> {
        let refused = |error: posproof_encoding::axes::InvalidCoordinates| {
            let advice = "write an array [rows, axes], in the order of the axes of the convention";
            About(name).error("the shape", "a coordinate for each axis", error.to_string(), advice)
        };
        let expected = expected.broadcast(self.axes.len()).map_err(refused)?;
        for (number, axis) in self.axes.iter_mut().enumerate() {
            let multiple = |row: usize| -> Result<Option<i64>, Invalid> {
                let Some(x) = expected.get(row, number) else { return Ok(None) };
                let multiple = x / &self.step;
                let whole = multiple.is_integer().then(|| multiple.to_i64()).flatten();
                whole.map(Some).ok_or_else(|| {
                    let wanted = format!("a multiple of {}", self.step);
                    let advice = "state what positions are multiples of (--step p/q)";
                    About(name).error(format!("row {row}, axis {}", axis.name), wanted, x.to_string(), advice).into()
                })
            };
            let multiples = (0..expected.rows()).map(multiple).collect::<Result<Vec<_>, _>>()?;
            axis.comparison = Some(Comparison::of(&axis.located, self.rows, axis.multiples, name, &multiples)?);
        }
        Ok(self)
    }

    /// The coordinate of a row, of all tables one after the other, along an axis, where it is certified.
    pub fn coordinate(&self, row: usize, axis: usize) -> Option<Rational> {
        let multiple = self.axes.get(axis)?.located.get(row)?.position()?;
        Some(Rational::from(multiple) * self.step.clone())
    }

    /// True if every row has one coordinate along every axis.
    pub fn is_certified(&self) -> bool {
        self.axes.iter().all(|axis| axis.counts.is_certified())
    }

    /// True if some rows are such that no honest implementation makes them, or have not the expected coordinates.
    pub fn falls_short(&self) -> bool {
        self.axes.iter().any(|axis| axis.counts.falls_short(axis.comparison.as_ref()))
    }
}

impl fmt::Display for DecodedAxes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, tables, domain, step, multiples, .. } = self;
        writeln!(f, "{}", heading((*tables, *rows), self.storage, (self.compute, self.path)))?;
        match *step == 1 {
            true => writeln!(f, "positions considered along each axis: the integers {domain}")?,
            false => writeln!(
                f,
                "positions considered along each axis: the multiples of {step} in {domain}; below, position k is k*{step}, k in {multiples}"
            )?,
        }
        for axis in &self.axes {
            let DecodedAxis { name, told_apart, counts, patterns, open, comparison, .. } = axis;
            let without = counts.without();
            if axis.domain != *domain {
                writeln!(f, "axis {name}: of its own domain, {}", axis.domain)?;
            }
            match *told_apart == axis.multiples {
                true => writeln!(f, "axis {name}: these formats tell all of them apart{without}")?,
                false => writeln!(
                    f,
                    "axis {name}: these formats tell all of {told_apart} apart, whatever a row holds{without}"
                )?,
            }
            Found { tables: *tables, rows: *rows, counts, patterns, open }.fmt(f)?;
            comparison.as_ref().map_or(Ok(()), |comparison| compared(comparison, *tables, f))?;
        }
        Ok(())
    }
}
