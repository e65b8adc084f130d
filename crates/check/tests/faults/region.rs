//! Parts of a subject: heads, rows with a stride, pairs and a component.

use crate::specimen::{Place, Specimen};
use posproof_encoding::convention::Component;

/// Rows `from`, `from` + `stride`, … up to `to`, which is not one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    pub from: usize,
    pub to: usize,
    pub stride: usize,
}

/// The entries of some heads, rows and pairs, of one component or both; all where none are given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    pub heads: Option<Vec<usize>>,
    pub rows: Option<Rows>,
    pub pairs: Option<Vec<usize>>,
    pub component: Option<Component>,
}

impl Region {
    pub fn contains(&self, place: &Place) -> bool {
        let Self { heads, rows, pairs, component } = self;
        let row = |rows: &Rows| {
            (rows.from..rows.to).contains(&place.row) && (place.row - rows.from).is_multiple_of(rows.stride)
        };
        let pair = |pairs: &Vec<usize>| place.pair.is_some_and(|pair| pairs.contains(&pair));
        heads.as_ref().is_none_or(|heads| heads.contains(&place.head))
            && rows.as_ref().is_none_or(row)
            && pairs.as_ref().is_none_or(pair)
            && component.is_none_or(|component| component == place.component)
    }
}

/// Regions of every shape that a local fault has, with their names. `number` moves them about.
pub fn regions(specimen: &Specimen, number: usize) -> Vec<(&'static str, Region)> {
    let (rows, pairs) = (specimen.setting.positions.len(), specimen.promised.pairs());
    let heads = specimen.setting.heads;
    let row = (number * 7919 + 1) % rows;
    let pair = (number * 31) % pairs;
    let component = Some(if number.is_multiple_of(2) { Component::Cos } else { Component::Sin });
    // In one head, where there are several.
    let everywhere = Region { heads: (heads > 1).then(|| vec![number % heads]), ..Region::default() };
    let of_row = |row: usize| Some(Rows { from: row, to: row + 1, stride: 1 });
    let of_pair = Some(vec![pair]);
    let from = rows / 4 + number % (rows / 4);
    let block = Rows { from, to: from + rows / 5, stride: 1 };
    let mut all = vec![
        ("one entry", Region { rows: of_row(row), pairs: of_pair.clone(), component, ..everywhere.clone() }),
        ("half a row", Region { rows: of_row(row), component, ..everywhere.clone() }),
        ("one row", Region { rows: of_row(row), ..everywhere.clone() }),
        ("one column", Region { pairs: of_pair.clone(), component, ..everywhere.clone() }),
        ("one pair", Region { pairs: of_pair.clone(), ..everywhere.clone() }),
        ("a block of rows", Region { rows: Some(block), ..everywhere.clone() }),
        ("rows to the end", Region { rows: Some(Rows { to: rows, ..block }), ..everywhere.clone() }),
        (
            "a stride of rows",
            Region { rows: Some(Rows { from: number % 5, to: rows, stride: 8 }), ..everywhere.clone() },
        ),
        ("a column of a block", Region { rows: Some(block), pairs: of_pair.clone(), component, ..everywhere.clone() }),
    ];
    if heads > 1 {
        all.push(("one head", everywhere));
        all.push(("one row of every head", Region { rows: of_row(row), ..Region::default() }));
    }
    all
}
