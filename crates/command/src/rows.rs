//! Positions of rows: whole numbers that increase, or numbers of any kind in any order.

use super::specification::positions;
use super::{Failure, input};
use posproof_check::read;
use posproof_check::request::RowPositions;
use posproof_encoding::axes::{Coordinates, InvalidCoordinates, PositionAxes};
use posproof_table::Positions;
use std::path::Path;

/// Bytes of coordinates as text: more is refused before it is in memory.
const MAX_TEXT: u64 = 1 << 30;

/// Positions that something is judged at: ranges, a list, text with a row a line, or an array in a file.
///
/// # Errors
///
/// For files that cannot be read, and rows with several coordinates or none.
pub fn read(text: &str) -> Result<RowPositions, Failure> {
    let whole = if is_text_file(text) { None } else { positions(text).ok().filter(increase) };
    match whole {
        Some(positions) => Ok(RowPositions::Whole(positions)),
        None => of_one_axis(text).map(RowPositions::once),
    }
}

/// The positions of a table's rows, in the same forms: whole ones in any order.
///
/// # Errors
///
/// As of [`read`].
pub fn stated(text: &str) -> Result<RowPositions, Failure> {
    let whole = if is_text_file(text) { None } else { positions(text).ok() };
    whole.map_or_else(|| of_one_axis(text), |positions| Ok(RowPositions::Whole(positions)))
}

fn of_one_axis(text: &str) -> Result<RowPositions, Failure> {
    let coordinates = coordinates(text, PositionAxes::One)?;
    if let Some(positions) = coordinates.increasing() {
        return Ok(RowPositions::Whole(positions));
    }
    let unplaced = (0..coordinates.rows()).find(|row| coordinates.place(*row, 0).is_none());
    match (coordinates.axes(), unplaced) {
        (1, None) => Ok(RowPositions::Any(coordinates)),
        (1, Some(row)) => Err(Failure::Usage(format!(
            "--positions {text}: row {row}: expected a number; found NaN, a row without a position; state it with --axis if it is meant"
        ))),
        (axes, _) => Err(Failure::Usage(format!(
            "--positions {text}: {axes} coordinates in each row; expected one, or the axes: --axis, --sections or --convention"
        ))),
    }
}

/// Coordinates of rows: an array, a text file, or ranges and a list of one number for all axes.
pub fn coordinates(text: &str, axes: PositionAxes) -> Result<Coordinates, Failure> {
    let about = |error: InvalidCoordinates| Failure::Usage(format!("{text}: {error}"));
    if read::names_a_file(text) {
        return Ok(read::open(text)?.coordinates(axes)?);
    }
    if is_text_file(text) {
        return input::text(Path::new(text), MAX_TEXT, "positions, a row a line")?.parse().map_err(about);
    }
    if let Ok(positions) = text.parse::<Positions>() {
        return Coordinates::try_from(&positions).map_err(about);
    }
    Coordinates::along(text).map_err(|error| Failure::Usage(error.to_string()))
}

fn is_text_file(text: &str) -> bool {
    Path::new(text).extension().is_some_and(|extension| extension == "txt")
}

fn increase(positions: &Positions) -> bool {
    let mut before = None;
    positions.iter().all(|p| before.replace(p).is_none_or(|before| before < p))
}
