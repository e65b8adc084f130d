//! Other coordinates, made of those that are there.

use super::{Column, Coordinates, NOWHERE};
use posproof_numerics::Rational;
use std::sync::Arc;

impl Coordinates {
    /// For each axis the coordinates of another: of axis `from[a]` for axis a. None for an axis that does not exist.
    pub fn with_columns(&self, from: &[usize]) -> Option<Self> {
        let columns: Option<Vec<Arc<Column>>> = from.iter().map(|&axis| self.columns.get(axis).cloned()).collect();
        Some(Self { columns: columns?, ..self.clone() })
    }

    /// Every coordinate x of an axis as x·scale + offset, for a scale other than 0.
    pub fn with_axis(mut self, axis: usize, scale: &Rational, offset: &Rational) -> Self {
        if let Some(column) = self.columns.get_mut(axis).map(Arc::make_mut) {
            column.distinct.iter_mut().for_each(|x| *x = &*x * scale + offset);
            if let (true, Some(last)) = (*scale < 0, column.distinct.len().checked_sub(1)) {
                // In increasing order again.
                let last = last as u32;
                column.distinct.reverse();
                column.of_row.iter_mut().filter(|place| **place != NOWHERE).for_each(|place| *place = last - *place);
            }
        }
        self
    }

    /// Every coordinate of an axis as the number that `to` makes of it; `None` where it makes none of one of them.
    pub fn mapped(&self, axis: usize, to: impl Fn(&Rational) -> Option<Rational>) -> Option<Self> {
        let mut columns = self.columns.clone();
        let column = columns.get_mut(axis)?;
        let images: Vec<Rational> = column.distinct.iter().map(to).collect::<Option<_>>()?;
        let mut distinct = images.clone();
        distinct.sort();
        distinct.dedup();
        let places: Vec<u32> = images.iter().map(|x| distinct.binary_search(x).map_or(NOWHERE, |i| i as u32)).collect();
        let of_row =
            column.of_row.iter().map(|&place| places.get(place as usize).copied().unwrap_or(NOWHERE)).collect();
        *column = Arc::new(Column { distinct, of_row });
        Some(Self { columns, ..self.clone() })
    }

    /// Other rows: row i is what row `from[i]` was, and has no position where that is none.
    pub fn with_rows(&self, from: &[Option<usize>]) -> Self {
        let column = |column: &Arc<Column>| {
            let place = |row: &Option<usize>| row.and_then(|row| column.of_row.get(row).copied()).unwrap_or(NOWHERE);
            let mut of_row: Vec<u32> = from.iter().map(place).collect();
            // The new number of each coordinate that is used.
            let mut numbers = vec![NOWHERE; column.distinct.len()];
            let used = |place: &&u32| **place != NOWHERE;
            of_row.iter().filter(used).for_each(|&place| numbers[place as usize] = 0);
            let mut distinct = Vec::new();
            for (number, x) in numbers.iter_mut().zip(&column.distinct).filter(|(number, _)| **number != NOWHERE) {
                *number = distinct.len() as u32;
                distinct.push(x.clone());
            }
            of_row.iter_mut().for_each(|place| *place = numbers.get(*place as usize).copied().unwrap_or(NOWHERE));
            Arc::new(Column { distinct, of_row })
        };
        let sequences = if from.len() == self.rows { self.sequences } else { 1 };
        Self { rows: from.len(), sequences, columns: self.columns.iter().map(column).collect() }
    }

    /// These coordinates, with others in every row without a position.
    pub fn filled(&self, coordinates: &[Rational]) -> Self {
        let mut filled = self.clone();
        for (column, x) in filled.columns.iter_mut().map(Arc::make_mut).zip(coordinates) {
            let place = match column.distinct.binary_search(x) {
                Ok(place) => place as u32,
                Err(place) => {
                    column.distinct.insert(place, x.clone());
                    let place = place as u32;
                    column.of_row.iter_mut().filter(|at| **at != NOWHERE && **at >= place).for_each(|at| *at += 1);
                    place
                }
            };
            column.of_row.iter_mut().filter(|at| **at == NOWHERE).for_each(|at| *at = place);
        }
        filled
    }
}
