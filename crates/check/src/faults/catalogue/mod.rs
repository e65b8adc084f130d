//! The rows, simple ones before those that leave more open.

mod alternatives;
mod arrangement;
mod arrays;
mod axes;
mod frequencies;
mod numbers;
mod omitted;
mod padding;
mod positions;
mod precision;
mod products;
mod promised;
mod remainder;
mod rounded;
mod rules;
mod units;

pub(crate) use arrangement::*;
pub(crate) use arrays::*;
#[cfg(feature = "axes")]
pub(crate) use axes::*;
pub(crate) use frequencies::*;
pub(crate) use numbers::*;
pub(crate) use omitted::*;
pub(crate) use padding::*;
pub(crate) use positions::*;
pub(crate) use precision::*;
pub(crate) use products::*;
pub(crate) use remainder::*;
pub(crate) use rounded::*;
pub(crate) use rules::*;
pub(crate) use units::*;

use super::Fault;

/// Every fault: the rows of the catalogue, first to last.
pub fn catalogue() -> impl Iterator<Item = &'static Fault> {
    catalogue_by_subject().into_iter().flat_map(|(_, rows)| rows)
}

/// The rows by what they are about, and what that is called: a code may have a row of each.
pub fn catalogue_by_subject() -> [(&'static str, Vec<&'static Fault>); 3] {
    let simple = [
        arrangement::ROWS,
        precision::ROWS,
        rules::ROWS,
        numbers::ROWS,
        frequencies::ROWS,
        positions::ROWS,
        padding::ROWS,
    ];
    let last = [remainder::ROWS, products::ROWS, units::ROWS, rounded::ROWS, omitted::ROWS];
    let laws = [simple.concat(), last.concat()];
    [
        ("tables, caches and rotations", laws.concat()),
        ("arrays as they are stored, and vectors of frequencies", arrays::ROWS.to_vec()),
        ("encodings of several axes", axes::ROWS.to_vec()),
    ]
}

/// Names rows, and lists them.
macro_rules! rows {
    ($($name:ident: $row:expr;)*) => {
        $(pub(crate) static $name: Fault = $row;)*
        pub(super) static ROWS: &[&Fault] = &[$(&$name),*];
    };
}
use rows;
