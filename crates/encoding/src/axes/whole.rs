//! Whole positions as coordinates along one axis.

use super::{Coordinates, InvalidCoordinates};
use crate::Positions;
use posproof_numerics::Rational;

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

impl Coordinates {
    /// Positions that these coordinates are: whole numbers along one axis, from 0 to 2^53 − 1, which increase from row to row of one sequence. None of
    /// others.
    pub fn increasing(&self) -> Option<Positions> {
        let (places, whole) = (self.places(0), self.axes() == 1 && self.sequences() == 1);
        if !whole || places.contains(&Self::NOWHERE) || places.windows(2).any(|two| two[0] >= two[1]) {
            return None;
        }
        let positions: Option<Vec<u64>> = self.distinct(0).iter().map(Rational::to_u64).collect();
        Positions::list(positions?).ok()
    }

    /// The distinct positions that the coordinates of a single axis are, all of them whole numbers from 0 on, in whatever order, however often and in
    /// how many sequences they occur. None of others, and where a row has no position.
    pub fn whole(&self) -> Option<Positions> {
        if self.axes() != 1 || self.places(0).contains(&Self::NOWHERE) {
            return None;
        }
        let positions: Option<Vec<u64>> = self.distinct(0).iter().map(Rational::to_u64).collect();
        Positions::list(positions?).ok()
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
        let increasing = |text: &str| text.parse::<Coordinates>().expect(text).increasing();
        assert_eq!(increasing("3\n4\n9").map(|all| all.iter().collect::<Vec<_>>()), Some(vec![3, 4, 9]));
        for other in ["3\n3", "4\n3", "-1\n3", "1/2\n3", "nan\n3", "3\nnan", "1 2"] {
            assert_eq!(increasing(other), None, "{other}");
        }
        let whole = |text: &str| Some(text.parse::<Coordinates>().expect(text).whole()?.distinct().to_string());
        assert_eq!((whole("4\n2\n3\n3"), whole("7\n4\n7")), (Some("2..5".into()), Some("4,7".into())));
        for other in ["-1\n0", "1/2\n1", "nan\n0", "0 1"] {
            assert_eq!(whole(other), None, "{other}");
        }
        let packed = Coordinates::from_floats(&[0.0, 1.0, 2.0, 0.0], 1)
            .and_then(|rows| rows.in_sequences(2))
            .expect("two sequences");
        assert_eq!(
            (packed.whole().map(|all| all.distinct().to_string()), packed.increasing()),
            (Some("0..3".into()), None)
        );
        // As many as this would not fit into any memory: nothing is made of them.
        let refused = of("0..9007199254740991").expect_err("too many");
        assert_eq!(refused.to_string(), "positions: 9007199254740991 rows; expected at most 16777216");
    }
}
