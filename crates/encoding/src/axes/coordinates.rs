//! Positions with a coordinate for each axis.

mod altered;
mod shaped;

use super::radical::gcd;
use crate::real::Real;
use posproof_numerics::Rational;
use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Arc;

pub use shaped::PositionAxes;

const NOWHERE: u32 = Coordinates::NOWHERE;

/// The exact coordinates of rows, one for each axis, in any order, repeated, negative or fractional; or no position at all.
///
/// ```
/// use posproof_encoding::axes::Coordinates;
/// let rows: Coordinates = "0 1/2\nnan nan\n3 -0.1".parse().unwrap();
/// assert_eq!((rows.rows(), rows.axes()), (3, 2));
/// assert_eq!(rows.get(2, 1).unwrap().to_string(), "-1/10");
/// assert!(rows.row(1).is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coordinates {
    rows: usize,
    /// Sequences of a batch, one after the other, that these rows are.
    sequences: usize,
    /// Shared, so that rows that differ along one axis only have the others in common.
    columns: Vec<Arc<Column>>,
}

/// The coordinates along an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Column {
    /// Every one that occurs, in increasing order.
    distinct: Vec<Rational>,
    /// For each row the number of its coordinate, or `NOWHERE`.
    of_row: Vec<u32>,
}

/// Why coordinates were not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCoordinates {
    /// The shape.
    #[error("positions: {found}; expected {expected}")]
    Shape {
        /// Value found.
        found: String,
        /// Values that are allowed.
        expected: String,
    },
    /// A coordinate.
    #[error("positions, row {row}, axis {axis}: {found}; expected {expected}")]
    Coordinate {
        /// Its row.
        row: usize,
        /// Its axis.
        axis: usize,
        /// Value found.
        found: String,
        /// Values that are allowed.
        expected: &'static str,
    },
}

fn shape(found: impl Into<String>, expected: impl Into<String>) -> InvalidCoordinates {
    InvalidCoordinates::Shape { found: found.into(), expected: expected.into() }
}

impl Column {
    /// The distinct values of keys that stand for them.
    fn new(keys: &[Option<u64>], value: impl Fn(u64) -> Option<Rational>) -> Option<Self> {
        let mut known: Vec<u64> = keys.iter().flatten().copied().collect();
        known.sort_unstable();
        known.dedup();
        let values: Option<Vec<(Rational, u64)>> = known.into_iter().map(|key| Some((value(key)?, key))).collect();
        let mut values = values?;
        values.sort();
        let numbers: HashMap<u64, u32> = values.iter().enumerate().map(|(i, (_, key))| (*key, i as u32)).collect();
        let of_row = keys.iter().map(|key| key.and_then(|key| numbers.get(&key).copied()).unwrap_or(NOWHERE)).collect();
        Some(Self { distinct: values.into_iter().map(|(value, _)| value).collect(), of_row })
    }
}

impl Coordinates {
    /// Rows that are accepted.
    pub const MOST_ROWS: usize = 1 << 24;

    /// The number of a row that has no position.
    pub const NOWHERE: u32 = u32::MAX;

    /// Numbers \[rows, axes\], row after row, each exactly as it is; a row of NaN has no position.
    ///
    /// # Errors
    ///
    /// For a length that is no multiple of `axes`, no row, too many, an infinite number, and a row of which only a part is NaN.
    pub fn from_floats(numbers: &[f64], axes: usize) -> Result<Self, InvalidCoordinates> {
        if axes == 0
            || numbers.is_empty()
            || !numbers.len().is_multiple_of(axes)
            || numbers.len() / axes > Self::MOST_ROWS
        {
            let found = format!("{} numbers for {axes} axes", numbers.len());
            return Err(shape(found, format!("whole rows, from 1 to {}", Self::MOST_ROWS)));
        }
        for (row, coordinates) in numbers.chunks_exact(axes).enumerate() {
            let missing = coordinates.iter().filter(|x| x.is_nan()).count();
            let wrong = coordinates.iter().position(|x| x.is_infinite() || x.is_nan() && missing < axes);
            if let Some(axis) = wrong {
                let expected = "a finite number, or NaN on every axis for a row without a position";
                return Err(InvalidCoordinates::Coordinate {
                    row,
                    axis,
                    found: coordinates[axis].to_string(),
                    expected,
                });
            }
        }
        let column = |axis| {
            // Both zeros are one coordinate.
            let key = |x: &f64| (!x.is_nan()).then(|| (x + 0.0).to_bits());
            let keys: Vec<Option<u64>> = numbers.iter().skip(axis).step_by(axes).map(key).collect();
            Column::new(&keys, |key| Rational::from_f64(f64::from_bits(key)))
        };
        let columns: Option<Vec<Arc<Column>>> = (0..axes).map(|axis| column(axis).map(Arc::new)).collect();
        let columns = columns.ok_or_else(|| shape("what is no number", "finite numbers"))?;
        Ok(Self { rows: numbers.len() / axes, sequences: 1, columns })
    }

    /// The same of numbers \[axes, rows\], axis after axis: `position_ids` of transformers.
    ///
    /// # Errors
    ///
    /// As [`from_floats`](Self::from_floats).
    fn from_floats_axes_first(numbers: &[f64], axes: usize) -> Result<Self, InvalidCoordinates> {
        let rows = numbers.len() / axes.max(1);
        if axes == 0 || !numbers.len().is_multiple_of(axes) {
            return Err(shape(format!("{} numbers for {axes} axes", numbers.len()), "as many for every axis"));
        }
        let turned: Vec<f64> = (0..numbers.len()).map(|i| numbers[i % axes * rows + i / axes]).collect();
        Self::from_floats(&turned, axes)
    }

    /// Exact coordinates, row by row; `None` is a row without a position.
    ///
    /// # Errors
    ///
    /// For no row, too many, and rows of another number of coordinates than `axes`.
    pub fn exact(rows: &[Option<Vec<Rational>>], axes: usize) -> Result<Self, InvalidCoordinates> {
        let right = rows.iter().flatten().all(|row| row.len() == axes);
        if axes == 0 || rows.is_empty() || rows.len() > Self::MOST_ROWS || !right {
            return Err(shape(
                format!("{} rows for {axes} axes", rows.len()),
                format!("1 to {} rows of {axes} coordinates", Self::MOST_ROWS),
            ));
        }
        let column = |axis: usize| {
            let mut distinct: Vec<Rational> = rows.iter().flatten().map(|row| row[axis].clone()).collect();
            distinct.sort();
            distinct.dedup();
            let number = |x: &Rational| distinct.binary_search(x).map_or(NOWHERE, |i| i as u32);
            let of_row = rows.iter().map(|row| row.as_ref().map_or(NOWHERE, |row| number(&row[axis]))).collect();
            Column { distinct, of_row }
        };
        let columns = (0..axes).map(|axis| Arc::new(column(axis))).collect();
        Ok(Self { rows: rows.len(), sequences: 1, columns })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of axes.
    pub fn axes(&self) -> usize {
        self.columns.len()
    }

    /// Every coordinate that occurs along an axis, in increasing order.
    pub fn distinct(&self, axis: usize) -> &[Rational] {
        self.columns.get(axis).map_or(&[], |column| &column.distinct)
    }

    /// The largest number that goes a whole number of times into every difference of an axis's coordinates; 0 where they are all equal.
    pub fn step(&self, axis: usize) -> Rational {
        let mut distinct = self.distinct(axis).iter();
        let Some(first) = distinct.next() else { return Rational::ZERO };
        distinct.map(|x| x - first).fold(Rational::ZERO, common)
    }

    /// By how many steps each coordinate of an axis lies beyond the first, and the [`step`](Self::step), which is 1 for a single one. None
    /// without a coordinate, and for 2^64 steps and more.
    pub fn steps(&self, axis: usize) -> Option<(Rational, Vec<u64>)> {
        let distinct = self.distinct(axis);
        let first = distinct.first()?;
        // Integers, as most are, in the machine's arithmetic. The first is the least.
        if let Some(integers) = distinct.iter().map(Rational::to_i64).collect::<Option<Vec<i64>>>() {
            let beyond = integers.iter().map(|x| x.abs_diff(integers[0]));
            let step = beyond.clone().skip(1).fold(0, gcd).max(1);
            return Some((step.into(), beyond.map(|x| x / step).collect()));
        }
        let step = self.step(axis);
        let step = if step.is_zero() { Rational::ONE } else { step };
        let beyond: Option<Vec<u64>> = distinct.iter().map(|x| ((x - first) / &step).to_u64()).collect();
        Some((step, beyond?))
    }

    /// For each row the number of its coordinate among the distinct ones of an axis, [`NOWHERE`](Self::NOWHERE) for a row without a position.
    pub fn places(&self, axis: usize) -> &[u32] {
        self.columns.get(axis).map_or(&[], |column| &column.of_row)
    }

    /// The number of a row's coordinate among the distinct ones of an axis; none for a row without a position.
    pub fn place(&self, row: usize, axis: usize) -> Option<usize> {
        self.columns.get(axis)?.of_row.get(row).filter(|&&place| place != NOWHERE).map(|&place| place as usize)
    }

    /// The coordinate of a row along an axis; none for a row without a position.
    pub fn get(&self, row: usize, axis: usize) -> Option<&Rational> {
        self.columns.get(axis)?.distinct.get(self.place(row, axis)?)
    }

    /// The coordinates of a row; none for a row without a position.
    pub fn row(&self, row: usize) -> Option<Vec<Rational>> {
        (0..self.axes()).map(|axis| self.get(row, axis).cloned()).collect()
    }

    /// The same for so many axes: a single column is that of every axis.
    ///
    /// # Errors
    ///
    /// For another number of columns.
    pub fn broadcast(&self, axes: usize) -> Result<Self, InvalidCoordinates> {
        match self.columns.as_slice() {
            [one] => Ok(Self { columns: vec![one.clone(); axes], ..self.clone() }),
            columns if columns.len() == axes => Ok(self.clone()),
            columns => {
                let found = format!("{} coordinates in a row", columns.len());
                Err(shape(found, format!("{axes}, one for each axis, or one for all of them")))
            }
        }
    }
}

/// The largest rational number that goes a whole number of times into both, by Euclid's algorithm.
fn common(mut a: Rational, mut b: Rational) -> Rational {
    while !b.is_zero() {
        let rest = &a - &((&a / &b).floor() * &b);
        (a, b) = (b, rest);
    }
    a
}

impl FromStr for Coordinates {
    type Err = InvalidCoordinates;
    /// A row a line: decimals and fractions between spaces or commas, or `nan` on every axis. Lines that are empty, or begin with
    /// `#`, are no rows.
    fn from_str(text: &str) -> Result<Self, InvalidCoordinates> {
        let mut rows: Vec<Option<Vec<Rational>>> = Vec::new();
        let mut axes = None;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let row = rows.len();
            let words: Vec<&str> = line.split([' ', '\t', ',']).filter(|word| !word.is_empty()).collect();
            if *axes.get_or_insert(words.len()) != words.len() {
                let expected = format!("{} coordinates, as in row 0", axes.unwrap_or(0));
                return Err(shape(format!("{} coordinates in row {row}", words.len()), expected));
            }
            if words.iter().all(|word| word.eq_ignore_ascii_case("nan")) {
                rows.push(None);
                continue;
            }
            let read = |(axis, word): (usize, &&str)| {
                let expected = "a decimal such as 2 or -0.5, a fraction such as 7/2, or nan on every axis";
                let wrong = || InvalidCoordinates::Coordinate { row, axis, found: format!("'{word}'"), expected };
                word.parse::<Real>().map(|x| x.value().clone()).map_err(|_| wrong())
            };
            rows.push(Some(words.iter().enumerate().map(read).collect::<Result<_, _>>()?));
        }
        let axes = axes.ok_or_else(|| shape("no row", "a row a line, with a decimal or a fraction for each axis"))?;
        Self::exact(&rows, axes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_gives_the_same_rows() {
        let text: Coordinates = "# h w\n3 1/2\n0, -2\nnan nan\n3 0.5".parse().unwrap();
        let nan = f64::NAN;
        let floats = [3.0, 0.5, 0.0, -2.0, nan, nan, 3.0, 0.5];
        assert_eq!(Coordinates::from_floats(&floats, 2).unwrap(), text);
        let first = [3.0, 0.0, nan, 3.0, 0.5, -2.0, nan, 0.5];
        assert_eq!(Coordinates::from_floats_axes_first(&first, 2).unwrap(), text);
        assert_eq!(text.distinct(0), [Rational::from(0), Rational::from(3)]);
        assert_eq!((text.place(0, 0), text.place(1, 1), text.place(2, 0)), (Some(1), Some(0), None));
        assert_eq!((text.step(0), text.step(1), text.step(2)), (3.into(), Rational::from((5, 2)), 0.into()));
    }

    #[test]
    fn coordinates_are_counted_in_steps() {
        let rows: Coordinates = "-3 1/2 7 -9e18\n3 5 7 0\nnan nan nan nan\n15 -1 7 9e18".parse().unwrap();
        let expected: [(Rational, &[u64]); 4] = [
            (6.into(), &[0, 1, 3]),
            ((3, 2).into(), &[0, 1, 4]),
            (1.into(), &[0]),
            (Rational::from(9_000_000_000_000_000_000_u64), &[0, 1, 2]),
        ];
        for (axis, (step, counts)) in expected.into_iter().enumerate() {
            assert_eq!(rows.steps(axis), Some((step, counts.to_vec())), "axis {axis}");
        }
        assert_eq!(rows.places(0), [0, 1, Coordinates::NOWHERE, 2]);
        // A step of 2^-70 of the largest difference.
        let fine: Coordinates = "0\n1/1180591620717411303424\n1".parse().unwrap();
        assert_eq!((fine.steps(0), rows.steps(4)), (None, None));
        assert_eq!("nan".parse::<Coordinates>().unwrap().steps(0), None);
    }

    #[test]
    fn what_is_no_position_is_refused() {
        assert!(Coordinates::from_floats(&[1.0, f64::NAN], 2).is_err());
        assert!(Coordinates::from_floats(&[f64::INFINITY], 1).is_err());
        assert!(Coordinates::from_floats(&[], 1).is_err() && Coordinates::from_floats(&[1.0], 0).is_err());
        for text in ["", "# nothing", "1 2\n3", "1 nan", "1 x", "1/0 2"] {
            assert!(text.parse::<Coordinates>().is_err(), "{text}");
        }
    }

    #[test]
    fn rows_and_axes_are_altered_exactly() {
        let rows: Coordinates = "0 5\n1 7\n2 5".parse().unwrap();
        let exchanged = rows.with_columns(&[1, 0]).unwrap();
        assert_eq!(exchanged.row(1), Some(vec![7.into(), 1.into()]));
        let mirrored = rows.clone().with_axis(0, &Rational::from(-1), &Rational::from((1, 2)));
        assert_eq!(mirrored, "1/2 5\n-1/2 7\n-3/2 5".parse().unwrap());
        let later = rows.with_rows(&[None, Some(0), Some(1)]);
        assert_eq!((later.row(0), later.row(2)), (None, rows.row(1)));
        assert_eq!(later.distinct(0), [Rational::from(0), Rational::from(1)]);
        assert_eq!(later.filled(&[Rational::from((1, 2)), 5.into()]), "1/2 5\n0 5\n1 7".parse().unwrap());
        assert_eq!(
            "1\n4".parse::<Coordinates>().unwrap().broadcast(3).unwrap().row(1),
            Some(vec![4.into(), 4.into(), 4.into()])
        );
        assert!(rows.broadcast(3).is_err());
    }
}
