//! Products of matrices of numbers that are held in binary64, by [`posproof_bound::running`]: entries and bounds are those
//! that the operations of [`Running`] give one by one, to the last bit.

use super::Running;
use crate::bound::running::{self, Entries};
use crate::number::float::Arithmetic;
use crate::number::format::Format;
use nalgebra::DMatrix;
use posproof_table::Instructions;

/// Fewer terms than these are not worth the arrangement.
const FEWEST: usize = 256;

/// A·B; none where the numbers are not held in binary64, where they are of several formats or of none, and where constants
/// other than 0 and 1 are among them, or 1 in both: sums of constants have no format.
pub(super) fn product<A: Arithmetic>(a: &DMatrix<Running<A>>, b: &DMatrix<Running<A>>) -> Option<DMatrix<Running<A>>> {
    product_with(Instructions::detect(), a, b)
}

fn product_with<A: Arithmetic>(
    instructions: Instructions,
    a: &DMatrix<Running<A>>,
    b: &DMatrix<Running<A>>,
) -> Option<DMatrix<Running<A>>> {
    if a.len() * b.ncols() < FEWEST || a.ncols() != b.nrows() {
        return None;
    }
    let ((left, of_left), (right, of_right)) = (entries(a)?, entries(b)?);
    let format = of_left.or(of_right)?;
    if of_right.is_some_and(|other| other != format) {
        return None;
    }
    let rows = a.nrows();
    let (values, bounds) = running::product(instructions, format, &left, &right, a.ncols())?;
    // An entry has a format if a number that goes into it has one.
    let formats = |matrix: &DMatrix<Running<A>>, by_row: bool| -> Option<Vec<bool>> {
        let mut has = vec![false; if by_row { matrix.nrows() } else { matrix.ncols() }];
        for (column, entries) in matrix.column_iter().enumerate() {
            for (row, entry) in entries.iter().enumerate() {
                has[if by_row { row } else { column }] |= entry.value.in_binary64()?.1.is_some();
            }
        }
        Some(has)
    };
    let (of_rows, of_columns) = (formats(a, true)?, formats(b, false)?);
    let entries = values.iter().zip(&bounds).enumerate().map(|(place, (value, bound))| {
        let format = (of_rows[place % rows] || of_columns[place / rows]).then_some(format);
        Some(Running { value: A::of_binary64(*value, format)?, bound: *bound })
    });
    Some(DMatrix::from_vec(rows, b.ncols(), entries.collect::<Option<Vec<_>>>()?))
}

/// The entries of a matrix, column after column, and the format of all that are no constants.
fn entries<A: Arithmetic>(matrix: &DMatrix<Running<A>>) -> Option<(Entries, Option<Format>)> {
    let mut format = None;
    let mut entries = Entries::default();
    for entry in matrix.iter() {
        let (value, own) = entry.value.in_binary64()?;
        let is_one = entry.is_unit();
        match (own, format) {
            (None, _) if is_one || value == 0.0 && entry.bound == 0.0 => {}
            (Some(own), None) => format = Some(own),
            (Some(own), Some(format)) if own == format => {}
            _ => return None,
        }
        entries.push(value, entry.bound, is_one);
    }
    Some((entries, format))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::float::Float;
    use crate::number::matrix::one_by_one;

    /// Numbers of all sizes with bounds of all sizes, and what breaks arithmetic.
    fn entry(format: Format, state: &mut u64, special: bool) -> Running<Float> {
        let mut next = || {
            *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            *state >> 11
        };
        let (mantissa, kind) = (next() as f64 / (1u64 << 52) as f64 - 1.0, next() % 64);
        let exponent = if special { (next() % 2200) as i32 - 1100 } else { (next() % 20) as i32 - 10 };
        let value = mantissa * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
        let value = match kind {
            0..8 => 2f64.powi(exponent),
            8..12 => 0.0,
            12 if special => f64::INFINITY,
            13 if special => f64::NAN,
            14 => -0.0,
            _ => value,
        };
        let bound = [0.0, value.abs() * 2f64.powi(-9), f64::from_bits(next() % 3), f64::INFINITY];
        let bound = bound[if special { next() % 64 / 16 } else { next() % 3 } as usize];
        match kind {
            15..20 => Running::exactly(Float::from(0)),
            _ => Running::with_bound(Float::new(value, format), bound),
        }
    }

    #[test]
    fn entries_and_bounds_are_those_of_single_operations_to_the_last_bit() {
        let state = &mut 1u64;
        let bits = |matrix: &DMatrix<Running<Float>>| -> Vec<_> {
            let of = |entry: &Running<Float>| {
                let (value, format) = entry.value.in_binary64().unwrap();
                (if value.is_nan() { None } else { Some(value.to_bits()) }, entry.bound.to_bits(), format)
            };
            matrix.iter().map(of).collect()
        };
        let ones = |matrix: &mut DMatrix<Running<Float>>, state: &mut u64| {
            for _ in 0..matrix.len() / 4 {
                *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let place = (*state >> 11) as usize % matrix.len();
                matrix[place] = Running::exactly(Float::from(1));
            }
        };
        for format in Format::ALL {
            for round in 0..60 {
                let (rows, inner, columns) = (1 + round % 19, 1 + round * 7 % 23, 17 + round % 5);
                let special = round % 3 == 0;
                let mut a = DMatrix::from_fn(rows, inner, |_, _| entry(format, state, special));
                let mut b = DMatrix::from_fn(inner, columns, |_, _| entry(format, state, special));
                match round % 5 {
                    1 => ones(&mut a, state),
                    2 => ones(&mut b, state),
                    _ => {}
                }
                for instructions in Instructions::ALL {
                    let product = product_with(instructions, &a, &b);
                    assert_eq!(product.is_some(), rows * inner * columns >= FEWEST, "{format} {round}");
                    if let Some(product) = product {
                        assert_eq!(bits(&product), bits(&one_by_one(&a, &b)), "{format} {round} {instructions:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_has_no_format_of_its_own_is_left_to_single_operations() {
        let of = |entries: [Running<Float>; 2]| DMatrix::from_fn(16, 16, |i, j| entries[(i + j) % 2].clone());
        let [one, two] = [1, 2].map(|n| Running::exactly(Float::from(n)));
        let [single, double] = [Format::F32, Format::F64].map(|f| Running::exactly(Float::new(0.3, f)));
        let plain = of([single.clone(), single.clone()]);
        for (a, b) in [
            (of([one.clone(), one.clone()]), of([one.clone(), single.clone()])),
            (of([single.clone(), two]), plain.clone()),
            (of([single.clone(), double.clone()]), plain.clone()),
            (plain, of([double.clone(), double])),
        ] {
            assert_eq!(product(&a, &b), None);
        }
    }
}
