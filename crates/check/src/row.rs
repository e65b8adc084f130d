//! One row of entries beside its reference and its bounds: the loop that every entry goes through, in plain arithmetic that
//! the compiler makes vector instructions of, for each set of them. What is counted does not depend on them: numbers are
//! added up in eight lanes, in one order.

use posproof_numerics::format::{Format, binade};
use posproof_table::{Instructions, Loop, vectorized};

/// Lanes that errors are added up in.
const LANES: usize = 8;

/// True if an error is beyond its bound, or no number at all.
#[inline(always)]
pub(super) fn exceeds(error: f64, bound: f64) -> bool {
    error.is_nan() || error > bound
}

/// √(a² + b²), the length of a pair, to within one unit in the last place: two roundings and half of a third. In plain operations it
/// is the same on every processor, where the squares are normal numbers.
#[inline]
pub(super) fn pair_length(a: f64, b: f64) -> f64 {
    /// 2^−900 and 2^1000.
    const SAFE: std::ops::Range<f64> = f64::from_bits(123 << 52)..f64::from_bits(2023 << 52);
    let square = a * a + b * b;
    if SAFE.contains(&square) || a == 0.0 && b == 0.0 { square.sqrt() } else { a.hypot(b) }
}

/// The extremes of each column of a grid, over rows of one decade.
#[derive(Default)]
pub(super) struct Extremes {
    decade: usize,
    error: Vec<f64>,
    ratio: Vec<f64>,
    exceeding: Vec<u64>,
    not_finite: Vec<u64>,
    /// Errors of the last row in units in the last place; 0 where they are not asked for.
    weights: Vec<f64>,
    /// 1 where a quotient of the last row may be larger than those before in its column; whole groups of eight.
    improves: Vec<u8>,
}

impl Extremes {
    /// For the next rows of a decade, with so many columns. What is largest stays if the rows before were of the same one: it is
    /// looked for in all of them together.
    pub fn begin(&mut self, decade: usize, width: usize) {
        if (self.decade, self.error.len()) != (decade, width) {
            for extremes in [&mut self.error, &mut self.ratio] {
                extremes.clear();
                extremes.resize(width, 0.0);
            }
        }
        self.decade = decade;
        self.weights.resize(width, 0.0);
        self.improves.clear();
        self.improves.resize(width.next_multiple_of(8), 0);
        for counts in [&mut self.exceeding, &mut self.not_finite] {
            counts.clear();
            counts.resize(width, 0);
        }
    }

    /// Counts an entry of a column that is not finite.
    pub fn add_not_finite(&mut self, column: usize) {
        self.not_finite[column] += 1;
    }

    /// The columns with an entry that is finite and beyond its bound.
    pub fn beyond(&self) -> impl Iterator<Item = usize> + '_ {
        let counts = self.exceeding.iter().zip(&self.not_finite).enumerate();
        counts.filter(|(_, (exceeding, not_finite))| exceeding > not_finite).map(|(column, _)| column)
    }

    /// Largest error, largest quotient of error and bound, and entries beyond the bound, by column.
    pub fn columns(&self) -> impl Iterator<Item = (f64, f64, u64)> + '_ {
        let largest = self.error.iter().zip(&self.ratio);
        largest.zip(&self.exceeding).map(|((error, ratio), exceeding)| (*error, *ratio, *exceeding))
    }
}

/// Sums and extremes over a row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct RowCounts {
    /// Entries that are not the rounding of the reference.
    pub incorrect: u64,
    /// Entries beyond their bound, those that are not a number included.
    pub exceeding: u64,
    /// True if an entry is exactly half a unit from its reference, which binary64 may have rounded onto a tie.
    pub close: bool,
    /// True if an entry is not finite.
    pub not_finite: bool,
    /// True if the quotient of an error and its bound is above the threshold.
    pub above: bool,
    /// True if an entry is 0, of either sign.
    pub zero: bool,
    /// Of the entries whose exact values are not near zero: how many, and their errors in units in the last place.
    pub weighed: u64,
    pub max_ulps: f64,
    pub sum_ulps: f64,
}

/// Measure of an entry.
#[derive(Clone, Copy)]
pub(super) struct Gauge {
    /// Exact values below it are near zero: units in the last place say nothing of them.
    pub near_zero: f64,
    /// The largest quotient of error and bound so far, of all columns: no less than the extremes. None before the first row.
    pub threshold: Option<f64>,
}

/// Compares the entries of a row, which are numbers of `format`.
pub(super) fn compare(
    format: Format,
    gauge: Gauge,
    (got, exact, bound): (&[f64], &[f64], &[f64]),
    columns: &mut Extremes,
) -> RowCounts {
    let mut counts = RowCounts::default();
    let row = RowComparison { format, gauge, got, exact, bound, columns, counts: &mut counts };
    vectorized(Instructions::detect(), row);
    counts
}

struct RowComparison<'a> {
    format: Format,
    gauge: Gauge,
    got: &'a [f64],
    exact: &'a [f64],
    bound: &'a [f64],
    columns: &'a mut Extremes,
    counts: &'a mut RowCounts,
}

impl Loop for RowComparison<'_> {
    #[inline(always)]
    fn run(self) {
        let format = self.format;
        match format {
            Format::F64 => self.run_with(|x| x),
            Format::F32 => self.run_with(|x| f64::from(x as f32)),
            Format::F16 | Format::Bf16 | Format::E4m3 | Format::E5m2 => {
                let (least, largest) = (least_normal(format), format.max_finite());
                let beyond = if format.narrow().is_some() { largest } else { f64::INFINITY };
                let shift = 1.5 * f64::from(1u32 << 26) * f64::from(1u32 << (27 - format.precision()));
                self.run_with(move |x: f64| {
                    // As `Format::round`, without branches.
                    let shift = larger(binade(x), least) * shift;
                    let rounded = (x + shift) - shift;
                    if rounded.abs() > largest { beyond.copysign(x) } else { rounded }
                });
            }
        }
    }
}

fn least_normal(format: Format) -> f64 {
    format.min_positive() / (2.0 * format.unit_roundoff())
}

/// The larger of two; the second if the first is not a number.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Factor that turns an error into units in the last place.
#[derive(Clone, Copy)]
struct Scale {
    /// One over the unit in the last place of 1, and of the smallest numbers.
    inverse: f64,
    most: f64,
    gauge: Gauge,
}

impl Scale {
    fn new(format: Format, gauge: Gauge) -> Self {
        Self { inverse: 0.5 / format.unit_roundoff(), most: (1.0 / format.min_positive()).min(f64::MAX), gauge }
    }

    /// One over the unit in the last place of x: powers of two, so that products with it are exact.
    #[inline(always)]
    fn per_unit(self, x: f64) -> f64 {
        // 2^−e has the exponent field 2046 − (e + 1023); an infinite x has none, and never occurs as a reference.
        let field = x.to_bits() & (0x7ff << 52);
        let inverse = f64::from_bits((0x7feu64 << 52).wrapping_sub(field)) * self.inverse;
        if inverse < self.most { inverse } else { self.most }
    }
}

impl RowComparison<'_> {
    #[inline(always)]
    fn run_with(self, round: impl Fn(f64) -> f64) {
        let Self { format, gauge, got, exact, bound, columns, counts } = self;
        let Extremes { error, ratio, exceeding, weights, improves, .. } = columns;
        let scale = Scale::new(format, gauge);
        count(round, scale, got, exact, bound, weights, counts);
        (counts.sum_ulps, counts.max_ulps) = sum_and_largest(weights);
        if counts.exceeding > 0 {
            add_exceeding(got, exact, bound, exceeding);
        }
        // Before anything was seen every entry is above. No quotient is above the threshold without being above those before.
        counts.above = gauge.threshold.is_none();
        grow(got, exact, bound, error, ratio, improves);
        let threshold = gauge.threshold.unwrap_or(0.0);
        for (group, flags) in improves.as_chunks::<8>().0.iter().enumerate() {
            let mut left = u64::from_le_bytes(*flags);
            // Few of them improve, and divisions take long.
            while left != 0 {
                let i = 8 * group + left.trailing_zeros() as usize / 8;
                let error = (got[i] - exact[i]).abs();
                ratio[i] = larger(error / bound[i], ratio[i]);
                counts.above |= error > threshold * bound[i];
                left &= left - 1;
            }
        }
    }
}

// Slices are parameters of their own, and few are written at a time: so the compiler sees that they do not overlap.

/// One more if it is so. Entries are not as many as such numbers; a check that they are not would keep the loops from vectors.
#[inline(always)]
fn more(count: u64, is_so: bool) -> u64 {
    count.wrapping_add(u64::from(is_so))
}

/// Counts what a row has, but for the sum of its errors, which are left in `weights`.
#[inline(always)]
fn count(
    round: impl Fn(f64) -> f64,
    scale: Scale,
    got: &[f64],
    exact: &[f64],
    bound: &[f64],
    weights: &mut [f64],
    counts: &mut RowCounts,
) {
    let width = got.len();
    let (exact, bound, weights) = (&exact[..width], &bound[..width], &mut weights[..width]);
    let (mut incorrect, mut exceeding, mut weighed) = (0, 0, 0);
    let (mut close, mut not_finite, mut zero) = (0, 0, 0);
    for i in 0..width {
        let error = (got[i] - exact[i]).abs();
        let ulps = error * scale.per_unit(exact[i]);
        let weighs = exact[i].abs() >= scale.gauge.near_zero;
        let weight = if weighs { ulps } else { 0.0 };
        weights[i] = weight;
        exceeding = more(exceeding, exceeds(error, bound[i]));
        incorrect = more(incorrect, round(exact[i]) != got[i]);
        weighed = more(weighed, weighs);
        close |= u64::from(ulps == 0.5);
        not_finite |= u64::from(!error.is_finite());
        zero |= u64::from(got[i] == 0.0);
    }
    *counts = RowCounts { incorrect, exceeding, weighed, ..*counts };
    (counts.close, counts.not_finite, counts.zero) = (close != 0, not_finite != 0, zero != 0);
}

/// Adds the entries beyond their bounds to those of their columns.
#[inline(always)]
fn add_exceeding(got: &[f64], exact: &[f64], bound: &[f64], exceeding: &mut [u64]) {
    let width = got.len();
    let (exact, bound, exceeding) = (&exact[..width], &bound[..width], &mut exceeding[..width]);
    for i in 0..width {
        exceeding[i] = more(exceeding[i], exceeds((got[i] - exact[i]).abs(), bound[i]));
    }
}

/// The largest errors of the columns with those of this row; and whether a quotient may be larger than those before.
#[inline(always)]
fn grow(got: &[f64], exact: &[f64], bound: &[f64], largest: &mut [f64], ratio: &[f64], improves: &mut [u8]) {
    let width = got.len();
    let (exact, bound) = (&exact[..width], &bound[..width]);
    let (largest, ratio, improves) = (&mut largest[..width], &ratio[..width], &mut improves[..width]);
    for i in 0..width {
        let error = (got[i] - exact[i]).abs();
        largest[i] = larger(error, largest[i]);
        // Somewhat below the largest quotient so far: a product is not the quotient.
        improves[i] = u8::from(error > ratio[i] * bound[i] * (1.0 - 4.0 * f64::EPSILON));
    }
}

/// The sum of numbers that are not negative, of those of each lane and then of the lanes; and the largest, 0 if none is larger.
#[inline(always)]
fn sum_and_largest(weights: &[f64]) -> (f64, f64) {
    let (mut sums, mut largest) = ([0.0; LANES], [0.0; LANES]);
    let (groups, rest) = weights.as_chunks::<LANES>();
    for group in groups {
        for i in 0..LANES {
            sums[i] += group[i];
            largest[i] = larger(group[i], largest[i]);
        }
    }
    for (i, weight) in rest.iter().enumerate() {
        sums[i] += weight;
        largest[i] = larger(*weight, largest[i]);
    }
    (sums.iter().sum(), largest.into_iter().fold(0.0, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_the_library_to_a_unit_in_the_last_place() {
        let numbers = [0.0, 1.0, -0.3, 4e-5, 7e-160, 3e-170, 5e-324, 2e149, 1e160, -1e308];
        for (a, b) in numbers.iter().flat_map(|a| numbers.iter().map(move |b| (*a, *b))) {
            let (found, right) = (pair_length(a, b), f64::hypot(a, b));
            assert!((found - right).abs() <= f64::EPSILON * right, "{a} {b}: {found} {right}");
        }
        assert!(pair_length(f64::NAN, 1.0).is_nan() && pair_length(f64::INFINITY, 1.0) == f64::INFINITY);
    }

    /// Entry by entry, as it is said: against the loop, at widths that are no multiple of its groups, the same for every set of instructions.
    #[test]
    fn the_loop_counts_what_single_entries_say() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
        };
        for format in Format::STORED {
            for width in [1, 7, 8, 9, 64] {
                let exact: Vec<f64> = (0..width).map(|i| next() * 2f64.powi(-(i % 30))).collect();
                let mut got: Vec<f64> =
                    exact.iter().map(|x| format.round(*x + 3.0 * next() * format.unit_roundoff() * x)).collect();
                let bound: Vec<f64> =
                    exact.iter().map(|x| 2.0 * format.unit_roundoff() * x.abs() + format.min_positive()).collect();
                for special in [None, Some(f64::NAN), Some(f64::INFINITY), Some(0.0)] {
                    if let Some(special) = special {
                        got[width as usize / 2] = special;
                    }
                    let mut columns = Extremes::default();
                    columns.begin(0, got.len());
                    let gauge = Gauge { near_zero: 2f64.powi(-8), threshold: Some(1.0) };
                    let counts = compare(format, gauge, (&got, &exact, &bound), &mut columns);
                    for instructions in Instructions::ALL {
                        let (mut again, mut extremes) = (RowCounts::default(), Extremes::default());
                        extremes.begin(0, got.len());
                        let (got, exact, bound) = (&got[..], &exact[..], &bound[..]);
                        let row = RowComparison {
                            format,
                            gauge,
                            got,
                            exact,
                            bound,
                            columns: &mut extremes,
                            counts: &mut again,
                        };
                        vectorized(instructions, row);
                        assert_eq!(format!("{again:?}"), format!("{counts:?}"), "{format} {width} {instructions:?}");
                        assert!(extremes.columns().eq(columns.columns()), "{format} {width} {instructions:?}");
                    }
                    let error = |i: usize| (got[i] - exact[i]).abs();
                    let all = 0..got.len();
                    assert_eq!(
                        counts.incorrect,
                        all.clone().filter(|&i| format.round(exact[i]) != got[i]).count() as u64
                    );
                    let beyond = |i: usize| error(i).is_nan() || error(i) > bound[i];
                    assert_eq!(counts.exceeding, all.clone().filter(|&i| beyond(i)).count() as u64);
                    assert_eq!(counts.above, all.clone().any(|i| error(i) / bound[i] > 1.0));
                    let ulp = super::super::ulp::Ulp::new(format);
                    let weighed = || all.clone().filter(|&i| exact[i].abs() >= gauge.near_zero);
                    assert_eq!(counts.weighed, weighed().count() as u64);
                    assert_eq!(counts.max_ulps, weighed().map(|i| error(i) / ulp.of(exact[i])).fold(0.0, f64::max));
                    assert_eq!(counts.not_finite, !got.iter().all(|x| x.is_finite()));
                    let found: Vec<(f64, f64, u64)> = columns.columns().collect();
                    let largest = |x: f64| if x.is_nan() { 0.0 } else { x };
                    let expected = |i: usize| (largest(error(i)), largest(error(i) / bound[i]), u64::from(beyond(i)));
                    assert_eq!(found, all.map(expected).collect::<Vec<_>>(), "{format} {width}");
                }
            }
        }
    }

    #[test]
    fn the_rounding_of_the_loop_is_that_of_the_format() {
        for format in [Format::F16, Format::Bf16, Format::E4m3, Format::E5m2] {
            let mut bits = 0x3fe0_0000_0000_0001u64;
            for _ in 0..100_000 {
                bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let x = f64::from_bits((bits & !(0x7ff << 52)) | (1023 - 30 + (bits >> 17) % 50) << 52);
                let mut columns = Extremes::default();
                columns.begin(0, 1);
                let gauge = Gauge { near_zero: 2f64.powi(-8), threshold: None };
                let counts = compare(format, gauge, (&[format.round(x)], &[x], &[1.0]), &mut columns);
                assert_eq!(counts.incorrect, 0, "{format} {x:e}");
            }
        }
    }
}
