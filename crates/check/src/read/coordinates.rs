//! Arrays as positions with a coordinate for each axis, and as frequencies.

use super::{About, Array, InvalidInput};
use posproof_encoding::axes::{Coordinates, InvalidCoordinates, PositionAxes, StoredFrequencies};
use posproof_table::{Dtype, LIMIT};

/// Numbers that are read, so that they stay in memory.
const MOST: usize = 1 << 26;

impl Array {
    /// The array as [coordinates](Coordinates::of_array) of rows.
    ///
    /// # Errors
    ///
    /// For other shapes, complex numbers, integers that binary64 does not hold, infinities, and rows of which only a part is NaN.
    pub fn coordinates(&self, axes: PositionAxes) -> Result<Coordinates, InvalidInput> {
        let about = About(self.name());
        let advice = match axes {
            PositionAxes::One => "state axes for several coordinates in a row (--axis, --sections or --convention)",
            _ => "write an array [rows, axes], or state --positions-axes first for [axes, rows]",
        };
        Coordinates::of_array(&self.numbers()?, self.shape(), axes).map_err(|error| match error {
            InvalidCoordinates::Shape { found, expected } => about.error("the shape", expected, found, advice),
            error => about.error("the entries", "coordinates of rows", error.to_string(), advice),
        })
    }

    /// The array as frequencies, \[slots\] or \[heads, slots\].
    ///
    /// # Errors
    ///
    /// For other shapes, and for what [`coordinates`](Self::coordinates) refuses as numbers.
    pub fn frequencies(&self) -> Result<StoredFrequencies, InvalidInput> {
        let heads = match self.shape() {
            [_] => 1,
            [heads, _] => *heads,
            other => {
                let advice = "write the frequencies as one list, or one for each head";
                return Err(About(self.name()).error(
                    "the shape",
                    "[slots] or [heads, slots]",
                    format!("{other:?}"),
                    advice,
                ));
            }
        };
        Ok(StoredFrequencies { heads, omega: self.numbers()? })
    }

    /// Every entry, the last axis fastest.
    fn numbers(&self) -> Result<Vec<f64>, InvalidInput> {
        let about = About(self.name());
        let count = self.shape().iter().try_fold(1usize, |product, &n| product.checked_mul(n));
        if self.is_complex() || count.is_none_or(|count| count > MOST) {
            let expected = format!("at most {MOST} real numbers");
            return Err(about.error("the array", expected, self.described(), "check which array is meant"));
        }
        let (mut all, mut part) = (Vec::new(), Vec::new());
        for slab in 0..self.slabs() {
            self.read(slab, 0..self.rows(), &mut part)?;
            all.extend_from_slice(&part);
        }
        let integers = matches!(self.dtype(), Dtype::I64 | Dtype::U64);
        match all.iter().position(|x| integers && x.abs() >= LIMIT as f64) {
            Some(at) => {
                let found = all[at].to_string();
                Err(about.error(
                    format!("entry {at}"),
                    "an integer below 2^53 in magnitude",
                    found,
                    "check which array is meant",
                ))
            }
            None => Ok(all),
        }
    }
}
