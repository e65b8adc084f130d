//! Rows that tell encodings of several axes apart.

use posproof_encoding::axes::Coordinates;
use posproof_numerics::Rational;

/// The sides of the grid: no two have a common divisor, so that no axis is a function of another.
const SIDES: [i64; 4] = [7, 5, 11, 13];

/// Beyond what bfloat16 and binary16 count to: 2^8 and 2^11.
const FAR: [i64; 2] = [258, 2051];

/// Rows for so many axes: the origin, rows of equal coordinates as text has them, a grid whose sides have no common divisor, and coordinates beyond 257
/// and 2049 on each axis alone; with `fractional` a negative and a fractional one on each too.
///
/// ```
/// let rows = posproof_check::axes::probe_coordinates(3, false);
/// assert_eq!(rows.row(0), Some(vec![0.into(), 0.into(), 0.into()]));
/// assert!((0..3).all(|axis| rows.distinct(axis).last().is_some_and(|x| *x == 2051)));
/// ```
pub fn probe_coordinates(axes: usize, fractional: bool) -> Coordinates {
    let axes = axes.max(1);
    let mut rows: Vec<Vec<Rational>> = (0..4).map(|i| vec![Rational::from(i); axes]).collect();
    let side = |axis: usize| SIDES[axis % SIDES.len()];
    // Row by row of the first two axes; the others go round at their own pace.
    rows.extend((0..SIDES[0] * SIDES[1]).map(|i| {
        let along = |axis: usize| match axis {
            0 => i % side(0),
            1 => i / side(0),
            _ => (3 * i + 2) % side(axis),
        };
        (0..axes).map(|axis| Rational::from(along(axis))).collect()
    }));
    let mut apart: Vec<Rational> = FAR.into_iter().map(Rational::from).collect();
    if fractional {
        apart.extend([Rational::from(-3), Rational::from((5, 2))]);
    }
    for axis in 0..axes {
        let alone = |x: &Rational| {
            (0..axes).map(|other| if other == axis { x.clone() } else { Rational::from(1 + other as i64) }).collect()
        };
        rows.extend(apart.iter().map(alone));
    }
    let rows: Vec<Option<Vec<Rational>>> = rows.into_iter().map(Some).collect();
    Coordinates::exact(&rows, axes).unwrap_or_else(|error| unreachable!("the rows of a probe: {error}"))
}
