//! Entries of encodings, and their dot products.

use super::Unavailable;
use crate::encoding::convention::{Component, Convention};
use crate::encoding::frequency::Entries;
use crate::table::{Positions, Table};
use posproof_numerics::{Float, Interval, Rational};

/// PE(t) for t = 0 … rows − 1, row by row: correctly rounded to binary32. Shape: rows × dim.
pub fn entries(convention: &Convention, rows: u64) -> Result<Vec<f32>, Unavailable> {
    let table = Table::<f32>::new(convention, &Positions::range(0..rows)?)?;
    let mut entries = vec![0.0; table.rows() * table.width()];
    table.fill(0..table.rows(), &mut entries)?;
    Ok(entries)
}

/// PE(t)·PE(t + n) for n = 0 … count − 1, the same at every t (`toeplitz.dot-product`).
///
/// Each is the sum, in binary64 and in the order of the pairs, of m = dim/2 correctly rounded cosines, and wrong by
/// less than m²·2⁻⁵³ (Jeannerod and Rump 2013: (m − 1)·u·Σ|cos| for the sum, u for each cosine).
pub fn dot_products(convention: &Convention, count: u64) -> Result<Vec<f64>, Unavailable> {
    let table = Table::<f64>::new(convention, &Positions::range(0..count)?)?;
    let (rows, pairs) = (table.rows(), table.pairs());
    let (mut cosines, mut sines) = (vec![0.0; rows * pairs], vec![0.0; rows * pairs]);
    table.fill_apart(0..rows, &mut cosines, &mut sines)?;
    Ok(cosines.chunks_exact(pairs).map(|row| row.iter().sum()).collect())
}

/// Error of [`dot_products`], at most: m²·2⁻⁵³.
pub fn dot_product_error(convention: &Convention) -> f64 {
    let pairs = convention.pairs() as f64;
    pairs * pairs * crate::number::format::power_of_two(-53)
}

/// The same as [`dot_products`], enclosed at 128 bits.
pub fn enclosed_dot_products(convention: &Convention, count: u64) -> Result<Vec<Interval>, Unavailable> {
    let entries = Entries::new(convention);
    let cosine = |n: u64, pair: usize| {
        let place = || Unavailable::Enclosure(format!("the cosine of pair {pair} at position {n}"));
        entries.enclose(n, pair, Component::Cos, 128).ok_or_else(place)
    };
    let sum = |n: u64| {
        (0..convention.pairs())
            .try_fold(Interval::exactly(0.0), |sum, pair| Ok::<_, Unavailable>(sum + cosine(n, pair)?))
    };
    (0..count).map(sum).collect()
}

/// An enclosure in decimal with `decimals` digits after the point, where both ends round to the same.
pub fn certain_decimal(value: &Interval, decimals: usize) -> Option<String> {
    let round = |end: &Float| {
        let scaled = end.to_rational()? * Rational::power_of_ten(decimals as i32);
        Some((scaled + Rational::from((1, 2))).floor())
    };
    let (lower, upper) = (round(value.lower())?, round(value.upper())?);
    let digits = format!("{:0>width$}", lower.abs().to_string(), width = decimals + 1);
    let (whole, rest) = digits.split_at(digits.len() - decimals);
    let (sign, point) = (if lower < 0 { "−" } else { "" }, if decimals == 0 { "" } else { "." });
    (lower == upper).then(|| format!("{sign}{whole}{point}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rows_are_the_paper_s() {
        let rows = entries(&Convention::sinusoid(4), 2).unwrap();
        // sin 1, cos 1, sin 0.01 and cos 0.01 to more digits than binary32 has.
        let exact = [0.0, 1.0, 0.0, 1.0, 0.841470984808, 0.540302305868, 0.00999983333417, 0.999950000417];
        assert_eq!(rows, exact.map(|x: f64| x as f32));
    }

    #[test]
    fn sums_are_within_their_error_of_the_enclosures() {
        let convention = Convention::sinusoid(512);
        let sums = dot_products(&convention, 64).unwrap();
        let enclosures = enclosed_dot_products(&convention, 64).unwrap();
        let error = Interval::exactly(dot_product_error(&convention));
        for (sum, exact) in sums.iter().zip(&enclosures) {
            let distance = (Interval::exactly(*sum) - exact.clone()).abs();
            assert!(distance.upper() <= error.upper(), "{sum}");
        }
        assert_eq!(sums[0], 256.0);
        // The Hidden Beauty prints 249.10211181640625 for distance 1, to binary32.
        assert_eq!(certain_decimal(&enclosures[1], 5).as_deref(), Some("249.10210"));
        assert_eq!(certain_decimal(&Interval::exactly(-0.0625), 2).as_deref(), Some("−0.06"));
        assert_eq!(certain_decimal(&Interval::new(Float::from_f64(1.4), Float::from_f64(1.6)), 0), None);
    }

    #[test]
    fn a_dot_product_of_tables_depends_on_the_distance_alone() {
        let convention = Convention::sinusoid(8);
        let rows = entries(&convention, 20).unwrap();
        let row = |t: usize| &rows[8 * t..8 * t + 8];
        let dot = |s, t| row(s).iter().zip(row(t)).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum::<f64>();
        let sums = dot_products(&convention, 20).unwrap();
        for (s, t) in [(0, 7), (5, 12), (12, 19), (3, 3)] {
            // Eight products of entries that are within 2^−25 of the exact ones.
            assert!((dot(s, t) - sums[t - s]).abs() <= 16.0 * 2f64.powi(-25), "{s} {t}");
        }
    }
}
