//! Coordinates of rows as a mistake makes them.

use posproof_encoding::axes::Coordinates;
use std::borrow::Cow;
use std::rc::Rc;

/// Coordinates of some rows.
type Making<'a> = dyn Fn(&[usize]) -> Option<Coordinates> + 'a;

/// Coordinates of all rows. Most mistakes are refuted by a few rows, so that others are made for the rows that are asked for.
#[derive(Clone)]
pub(super) enum RowCoordinates<'a> {
    /// Those of all rows.
    Whole(Coordinates),
    /// Others than are stated, for so many rows, made for some of them; none where they cannot be.
    Made(usize, Rc<Making<'a>>),
}

impl<'a> RowCoordinates<'a> {
    /// For every row the coordinates that another row has; none for a row without a position.
    pub fn of_rows(stated: &'a Coordinates, from: impl Fn(usize) -> Option<usize> + 'a) -> Self {
        let made = move |rows: &[usize]| {
            Some(stated.with_rows(&rows.iter().map(|&row| from(row)).collect::<Vec<Option<usize>>>()))
        };
        Self::Made(stated.rows(), Rc::new(made))
    }

    /// Those of some rows.
    pub fn of(&self, rows: &[usize]) -> Option<Coordinates> {
        match self {
            Self::Whole(all) => Some(all.with_rows(&rows.iter().copied().map(Some).collect::<Vec<Option<usize>>>())),
            Self::Made(_, made) => made(rows),
        }
    }

    /// Those of all rows.
    pub fn all(&self) -> Option<Cow<'_, Coordinates>> {
        match self {
            Self::Whole(all) => Some(Cow::Borrowed(all)),
            Self::Made(rows, made) => made(&(0..*rows).collect::<Vec<usize>>()).map(Cow::Owned),
        }
    }

    /// True of others than the stated ones.
    pub fn is_moved(&self, stated: &Coordinates) -> bool {
        match self {
            Self::Whole(all) => all != stated,
            Self::Made(..) => true,
        }
    }
}
