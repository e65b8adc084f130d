//! Meanings of colours, marks and dashes: one thing each, in every figure.
//!
//! A colour stands for a number format or for a way to compute frequencies, and for nothing else. Whatever else has
//! several lines is told apart without colour, by shade where it has an order and by dashes where it has none.

use crate::bound::Path;
use crate::number::format::Format;

/// Meaning of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A number format.
    Format(Format),
    /// A way to compute the frequencies. Correctly rounded ones, with which the others are compared, have no colour.
    Path(Path),
    /// One of several things that have an order, from the darkest.
    Shade(usize),
    /// One of several things that have none.
    Pattern(usize),
}

/// Outlines of marks, told apart without colour.
const MARKS: [&str; 6] = [
    "m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0z",
    "m0 -3.9l3.7 6.6h-7.4z",
    "m-2.8 -2.8h5.6v5.6h-5.6z",
    "m0 -4l4 4l-4 4l-4 -4z",
    "m-3 -3l6 6m0 -6l-6 6",
    "m-4 0h8m-4 -4v8",
];

impl Meaning {
    /// The class by which the page's style sheet knows it.
    ///
    /// ```
    /// use posproof::{number::format::Format, report::plot::meaning::Meaning};
    /// assert_eq!(Meaning::Format(Format::Bf16).class(), "format-bf16");
    /// ```
    pub fn class(self) -> String {
        match self {
            Self::Format(format) => format!("format-{format}"),
            Self::Path(Path::Rounded) => Self::Shade(0).class(),
            Self::Path(path) => format!("path-{path}"),
            Self::Shade(place) => format!("shade-{place}"),
            Self::Pattern(place) => format!("pattern-{place}"),
        }
    }

    /// The outline of its mark, from the place that it marks.
    pub fn mark(self) -> &'static str {
        let place = match self {
            Self::Format(format) => Format::ALL.into_iter().position(|other| other == format),
            Self::Path(path) => Path::ALL.into_iter().position(|other| other == path),
            Self::Shade(place) | Self::Pattern(place) => Some(place),
        };
        MARKS[place.unwrap_or(0) % MARKS.len()]
    }
}
