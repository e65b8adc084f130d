//! Coordinates that stand in an array of some shape, and those of the sequences of a batch.

use super::{Coordinates, InvalidCoordinates, shape};
use std::cmp::Ordering;
use std::ops::Range;

/// Place of the axes of an encoding among those of an array of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionAxes {
    /// Nowhere: \[rows\] or \[sequences, rows\] along the one axis that there is.
    One,
    /// The last one: \[rows, axes\] or \[sequences, rows, axes\]; \[rows\] is a column for every axis.
    Last,
    /// The first one: \[axes, rows\] or \[axes, sequences, rows\].
    First,
}

impl PositionAxes {
    /// Shapes that are read, in words.
    pub(crate) fn shapes(self) -> &'static str {
        match self {
            Self::One => "[rows] or [sequences, rows]",
            Self::Last => "[rows, axes], [sequences, rows, axes] or [rows]",
            Self::First => "[axes, rows] or [axes, sequences, rows]",
        }
    }
}

/// Axes that a configuration states, at most: those of a video's token, and one more.
const MOST_AXES: usize = 4;

impl Coordinates {
    /// True if positions of this shape have a coordinate for each axis of a model, and are not those of sequences: \[rows, axes\] of a few axes, or
    /// more dimensions.
    pub fn are_of_axes(shape: &[usize]) -> bool {
        match *shape {
            [] | [_] | [.., 1] => false,
            [_, last] => last <= MOST_AXES,
            _ => true,
        }
    }

    /// The numbers of an array, its last axis fastest, each exactly as it is: `position_ids` of transformers. A row of NaN has no position. Axes of
    /// one place are left out.
    ///
    /// # Errors
    ///
    /// For other shapes, and for what [`from_floats`](Self::from_floats) refuses.
    pub fn of_array(numbers: &[f64], of: &[usize], axes: PositionAxes) -> Result<Self, InvalidCoordinates> {
        let (count, rows) = match (axes, of) {
            (PositionAxes::One, rows) => (1, rows),
            (_, []) => (0, of),
            (PositionAxes::Last, [_]) => (1, of),
            (PositionAxes::Last, [rows @ .., axes]) | (PositionAxes::First, [axes, rows @ ..]) => (*axes, rows),
        };
        let long: Vec<usize> = rows.iter().copied().filter(|n| *n != 1).collect();
        let sequences = match long[..] {
            [] | [_] => 1,
            [sequences, _] => sequences,
            _ => 0,
        };
        if count == 0 || sequences == 0 {
            return Err(shape(format!("an array of shape {of:?}"), axes.shapes()));
        }
        let read = if axes == PositionAxes::First { Self::from_floats_axes_first } else { Self::from_floats };
        read(numbers, count)?.in_sequences(sequences)
    }

    /// These rows as so many sequences of a batch, one after the other.
    ///
    /// # Errors
    ///
    /// For a number of sequences that does not divide that of the rows.
    pub fn in_sequences(self, sequences: usize) -> Result<Self, InvalidCoordinates> {
        if sequences == 0 || !self.rows.is_multiple_of(sequences) {
            let expected = format!("as many rows in each of {sequences} sequences");
            return Err(shape(format!("{} rows", self.rows), expected));
        }
        Ok(Self { sequences, ..self })
    }

    /// The rows of one sequence, where all are at the same positions.
    pub fn once(self) -> Self {
        let length = self.length();
        let alike = |column: &[u32]| column.iter().zip(&column[length..]).all(|(one, next)| one == next);
        if self.sequences > 1 && self.columns.iter().all(|column| alike(&column.of_row)) {
            return Self { sequences: 1, ..self }.with_rows(&(0..length).map(Some).collect::<Vec<_>>());
        }
        self
    }

    /// The rows of each sequence of the batch.
    pub fn by_sequence(&self) -> Vec<Range<usize>> {
        (0..self.sequences).map(|sequence| sequence * self.length()..(sequence + 1) * self.length()).collect()
    }

    /// The rows of each sequence that is packed into one of the batch, which begins wherever coordinates go back along some axis and on along none.
    pub fn packed(&self) -> Vec<Range<usize>> {
        let order = |row: usize, axis: usize| self.place(row - 1, axis).cmp(&self.place(row, axis));
        let goes_back = |row: &usize| {
            let orders = || (0..self.axes()).map(|axis| order(*row, axis));
            row.is_multiple_of(self.length()) || orders().any(Ordering::is_gt) && orders().all(Ordering::is_ge)
        };
        let starts: Vec<usize> = std::iter::once(0).chain((1..self.rows).filter(goes_back)).collect();
        let ends = starts.iter().skip(1).copied().chain([self.rows]);
        starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
    }

    /// Rows of each sequence.
    pub fn length(&self) -> usize {
        self.rows / self.sequences
    }

    /// Number of sequences whose rows these are, one sequence after the other.
    pub fn sequences(&self) -> usize {
        self.sequences
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_sequences_begin_where_coordinates_go_back() {
        let of = |numbers: &[f64], axes| Coordinates::from_floats(numbers, axes).unwrap();
        let rows = of(&[0.0, 1.0, 2.0, 0.0, 0.0, 1.0, 5.0, 4.0], 1);
        assert_eq!((rows.by_sequence().len(), rows.packed()), (1, vec![0..3, 3..7, 7..8]));
        // A sequence of a batch begins by itself, and rows of an image go back along one axis and on along another.
        let batch = rows.in_sequences(2).unwrap();
        assert_eq!((batch.by_sequence(), batch.packed()), (vec![0..4, 4..8], vec![0..3, 3..4, 4..7, 7..8]));
        let image = of(&[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0], 2);
        assert_eq!(image.packed(), [0..4, 4..5]);
    }

    #[test]
    fn sequences_of_a_batch_are_rows_one_after_the_other() {
        let of = |shape: &[usize], axes| {
            let numbers: Vec<f64> = (0..shape.iter().product()).map(|i: usize| i as f64).collect();
            Coordinates::of_array(&numbers, shape, axes).map(|read| (read.rows(), read.axes(), read.sequences()))
        };
        for shape in [&[6][..], &[1, 6], &[6, 1], &[1, 6, 1]] {
            assert_eq!(of(shape, PositionAxes::One), Ok((6, 1, 1)), "{shape:?}");
        }
        assert_eq!(of(&[], PositionAxes::One), Ok((1, 1, 1)));
        assert_eq!(of(&[2, 6], PositionAxes::One), Ok((12, 1, 2)));
        assert_eq!(of(&[2, 6], PositionAxes::Last), Ok((2, 6, 1)));
        assert_eq!(of(&[5, 2, 6], PositionAxes::Last), Ok((10, 6, 5)));
        assert_eq!(of(&[3, 2, 6], PositionAxes::First), Ok((12, 3, 2)));
        assert_eq!(of(&[3, 1, 6], PositionAxes::First), Ok((6, 3, 1)));
        for (shape, axes) in
            [(&[2, 3, 4][..], PositionAxes::One), (&[2, 3, 4, 5], PositionAxes::First), (&[], PositionAxes::Last)]
        {
            assert!(of(shape, axes).is_err_and(|error| error.to_string().contains(axes.shapes())), "{shape:?}");
        }
        assert!(of(&[2, 0], PositionAxes::One).is_err());
    }

    #[test]
    fn a_few_columns_are_those_of_axes() {
        let shapes: [&[usize]; 4] = [&[9, 3], &[2, 9, 3], &[3, 2, 9], &[3, 1, 9]];
        assert!(shapes.iter().all(|shape| Coordinates::are_of_axes(shape)));
        let shapes: [&[usize]; 5] = [&[], &[9], &[1, 9], &[9, 1], &[3, 9]];
        assert!(!shapes.iter().any(|shape| Coordinates::are_of_axes(shape)));
    }

    #[test]
    fn sequences_at_the_same_positions_are_one() {
        let twice = Coordinates::of_array(&[3.0, 5.0, 3.0, 5.0], &[2, 2], PositionAxes::One).unwrap();
        assert_eq!((twice.sequences(), twice.rows(), twice.increasing()), (2, 4, None));
        assert_eq!(twice.once(), "3\n5".parse().unwrap());
        let others = Coordinates::of_array(&[3.0, 5.0, 3.0, 6.0], &[2, 2], PositionAxes::One).unwrap().once();
        assert_eq!((others.sequences(), others.rows(), others.increasing()), (2, 4, None));
        assert!(others.in_sequences(3).is_err());
    }
}
