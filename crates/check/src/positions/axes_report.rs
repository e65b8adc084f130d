//! Report on rows with several coordinates.

use super::report::{Found, compared, heading};
use super::{Comparison, Decoded, DecodedAxis};
use crate::Invalid;
use crate::input::About;
use posproof_encoding::axes::{AxialConvention, Coordinates};
use posproof_numerics::Rational;
use std::fmt;

/// The coordinates of all rows.
pub type DecodedAxes = Decoded<AxialConvention>;

impl Decoded<AxialConvention> {
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
            axis.comparison = Some(Comparison::new(axis, self.rows, name, &multiples)?);
        }
        Ok(self)
    }

    /// The coordinate of a row, of all tables one after the other, along an axis, where it is certified.
    pub fn coordinate(&self, row: usize, axis: usize) -> Option<Rational> {
        let multiple = self.axes.get(axis)?.located.get(row)?.position()?;
        Some(Rational::from(multiple) * self.step.clone())
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
