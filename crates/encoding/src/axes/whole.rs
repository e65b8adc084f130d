//! Whole positions as coordinates along one axis.

use super::{Coordinates, InvalidCoordinates};
use crate::Positions;

impl TryFrom<&Positions> for Coordinates {
    type Error = InvalidCoordinates;

    fn try_from(positions: &Positions) -> Result<Self, InvalidCoordinates> {
        if positions.len() > Self::MOST_ROWS {
            let (found, expected) = (format!("{} rows", positions.len()), format!("at most {}", Self::MOST_ROWS));
            return Err(InvalidCoordinates::Shape { found, expected });
        }
        // Positions are below 2^53: binary64 holds them.
        let numbers: Vec<f64> = positions.iter().map(|position| position as f64).collect();
        Self::from_floats(&numbers, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_coordinates_up_to_a_length() {
        let of = |text: &str| Coordinates::try_from(&text.parse::<Positions>().expect(text));
        let rows = of("3,1..3,9007199254740991").expect("four rows");
        let all: Vec<String> = (0..4).filter_map(|row| Some(rows.get(row, 0)?.to_string())).collect();
        assert_eq!((all, rows.axes()), (["3", "1", "2", "9007199254740991"].map(str::to_owned).to_vec(), 1));
        // As many as this would not fit into any memory: nothing is made of them.
        let refused = of("0..9007199254740991").expect_err("too many");
        assert_eq!(refused.to_string(), "positions: 9007199254740991 rows; expected at most 16777216");
    }
}
