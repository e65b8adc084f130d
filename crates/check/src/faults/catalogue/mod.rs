//! The rows, simple ones before those that leave more open.

mod alternatives;
mod arrangement;
mod arrays;
mod axes;
mod frequencies;
mod positions;
mod precision;
mod promised;
mod remainder;
mod rules;

pub(crate) use arrangement::*;
pub(crate) use arrays::*;
pub(crate) use axes::*;
pub(crate) use frequencies::*;
pub(crate) use positions::*;
pub(crate) use precision::*;
pub(crate) use remainder::*;
pub(crate) use rules::*;

use super::Fault;

/// Every fault: the rows of the catalogue, first to last.
pub fn catalogue() -> impl Iterator<Item = &'static Fault> {
    let law = [arrangement::ROWS, precision::ROWS, rules::ROWS, frequencies::ROWS, positions::ROWS, remainder::ROWS];
    law.into_iter().chain([arrays::ROWS, axes::ROWS]).flatten().copied()
}

/// Names rows, and lists them.
macro_rules! rows {
    ($($name:ident: $row:expr;)*) => {
        $(pub(crate) static $name: Fault = $row;)*
        pub(super) static ROWS: &[&Fault] = &[$(&$name),*];
    };
}
use rows;
