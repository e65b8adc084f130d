//! One axis at positions of any kind: falling, repeated, negative and fractional ones.

use super::{AxialConvention, AxialLaw, Coordinates, InvalidAxes, InvalidCoordinates};
use crate::convention::Convention;
use crate::positions::{InvalidPositions, Positions};
use std::fmt::Write;

impl AxialLaw {
    /// The law of a convention of one axis at positions of any kind. A rule that depends on the length of the sequence takes that
    /// up to the largest position, as [`Convention::for_length`] does.
    ///
    /// ```
    /// use posproof_encoding::axes::{AxialLaw, Coordinates};
    /// use posproof_encoding::convention::Convention;
    /// let steps = Coordinates::along("999.5,500,-3..0")?;
    /// let law = AxialLaw::along(&Convention::rope(64), &steps)?;
    /// assert_eq!((steps.rows(), law.slots()), (5, 32));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidAxes`] where the convention defines no encoding.
    pub fn along(convention: &Convention, positions: &Coordinates) -> Result<Self, InvalidAxes> {
        let last = positions.distinct(0).last().map_or(0.0, |last| last.to_f64());
        let length = (last.max(0.0).floor() as u64).saturating_add(1);
        let convention = AxialConvention::from(&convention.clone().for_length(length));
        convention.law(|_| Err("a convention of one axis has no stored frequencies".to_owned()))
    }
}

impl Coordinates {
    /// One coordinate a row, from ranges A..B of whole numbers and from numbers, between commas: `-8..8`, `999.5,500,1/3`.
    ///
    /// # Errors
    ///
    /// [`InvalidPositions::Syntax`] for other text, empty ranges, and more than [`MOST_ROWS`](Self::MOST_ROWS) rows.
    pub fn along(text: &str) -> Result<Self, InvalidPositions> {
        let of_whole = |positions: &Positions| Self::try_from(positions).map_err(|_| syntax(text));
        match text.parse::<Positions>() {
            Ok(positions) => of_whole(&positions),
            Err(InvalidPositions::Syntax(_)) => {
                let lines = lines(text).ok_or_else(|| syntax(text))?;
                lines.parse().map_err(|_: InvalidCoordinates| syntax(text))
            }
            Err(error) => Err(error),
        }
    }
}

fn syntax(text: &str) -> InvalidPositions {
    InvalidPositions::Syntax(text.to_owned())
}

/// A number a line.
fn lines(text: &str) -> Option<String> {
    let (mut lines, mut left) = (String::new(), Coordinates::MOST_ROWS as u64);
    for part in text.split(',').map(str::trim) {
        match part.split_once("..") {
            Some((start, end)) => {
                let (start, end): (i64, i64) = (start.trim().parse().ok()?, end.trim().parse().ok()?);
                let rows = u64::try_from(end.checked_sub(start)?).ok().filter(|rows| *rows > 0)?;
                left = left.checked_sub(rows)?;
                for x in start..end {
                    writeln!(lines, "{x}").ok()?;
                }
            }
            None if part.is_empty() || part.contains(char::is_whitespace) => return None,
            None => {
                left = left.checked_sub(1)?;
                writeln!(lines, "{part}").ok()?;
            }
        }
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_of_any_kind_are_read_or_refused() {
        let read = |text: &str| {
            let rows = Coordinates::along(text).ok()?;
            let row = |row| rows.get(row, 0).map(ToString::to_string);
            Some((0..rows.rows()).filter_map(row).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(read("5,3,1").as_deref(), Some("5 3 1"));
        assert_eq!(read("-2..2").as_deref(), Some("-2 -1 0 1"));
        assert_eq!(read("0.5, 7/2,-1, 4..6").as_deref(), Some("1/2 7/2 -1 4 5"));
        assert_eq!(read("3,3,0..2").as_deref(), Some("3 3 0 1"));
        for text in [
            "",
            ",",
            "a",
            "1..",
            "2..-2",
            "0.5..3",
            "1 2",
            "1,,2",
            "1/0",
            "#",
            "-9223372036854775808..9223372036854775807",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
