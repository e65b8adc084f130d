//! One row of entries beside its reference and its bounds: the loop that every entry goes through,
//! eight columns at a time so that the compiler makes vector instructions of it.

use posproof_numerics::format::Format;

/// Columns that are taken at a time.
pub(super) const LANES: usize = 8;

/// The extremes of each column over the rows of a block, padded to whole groups of [`LANES`].
#[derive(Default)]
pub(super) struct Extremes {
    groups: Vec<Group>,
}

#[derive(Clone, Copy, Default)]
struct Group {
    error: [f64; LANES],
    ratio: [f64; LANES],
    exceeding: [u64; LANES],
}

impl Extremes {
    /// For rows of so many columns, none of which has been seen.
    pub fn reset(&mut self, width: usize) {
        self.groups.clear();
        self.groups.resize(width.div_ceil(LANES), Group::default());
    }

    /// Largest error, largest quotient of error and bound, and entries beyond the bound, by column.
    pub fn columns(&self) -> impl Iterator<Item = (f64, f64, u64)> + '_ {
        self.groups.iter().flat_map(|group| (0..LANES).map(|i| (group.error[i], group.ratio[i], group.exceeding[i])))
    }
}

/// Sums and extremes over a row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Counts {
    /// Entries that are not the rounding of the reference.
    pub incorrect: u64,
    /// Entries beyond their bound, those that are not a number included.
    pub exceeding: u64,
    /// Whether an entry is exactly half a unit from its reference, which binary64 may have rounded onto a tie.
    pub close: bool,
    /// Whether an entry is not finite.
    pub not_finite: bool,
    /// Whether the quotient of an error and its bound is above the threshold.
    pub above: bool,
    /// Of the entries whose exact values are not near zero: how many, and their errors in units in the last place.
    pub weighed: u64,
    pub max_ulps: f64,
    pub sum_ulps: f64,
}

/// What an entry is measured by.
#[derive(Clone, Copy)]
pub(super) struct Gauge {
    /// Exact values below it are near zero: units in the last place say nothing of them.
    pub near_zero: f64,
    /// The largest quotient of error and bound so far.
    pub threshold: f64,
}

/// Compares the entries of a row, which are numbers of `format`.
pub(super) fn compare(
    format: Format,
    gauge: Gauge,
    (got, exact, bound): (&[f64], &[f64], &[f64]),
    columns: &mut Extremes,
) -> Counts {
    let scale = Scale::new(format, gauge);
    match format {
        Format::F64 => run(|x| x, scale, got, exact, bound, columns),
        Format::F32 => run(|x| f64::from(x as f32), scale, got, exact, bound, columns),
        Format::F16 | Format::Bf16 => {
            let (least, largest) = (least_normal(format), format.max_finite());
            let shift = 1.5 * f64::from(1u32 << 26) * f64::from(1u32 << (27 - format.precision()));
            let round = move |x: f64| {
                // As `Format::round`, without branches.
                let shift = larger(binade(x), least) * shift;
                let rounded = (x + shift) - shift;
                if rounded.abs() > largest { f64::INFINITY.copysign(x) } else { rounded }
            };
            run(round, scale, got, exact, bound, columns)
        }
    }
}

fn least_normal(format: Format) -> f64 {
    format.min_positive() / (2.0 * format.unit_roundoff())
}

/// The power of two at or below |x|; 0 for numbers below 2^−1022.
#[inline(always)]
fn binade(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & (0x7ff << 52))
}

/// The larger of two; the second if the first is not a number.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// What turns an error into units in the last place.
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

#[derive(Default)]
struct Lanes {
    incorrect: [u64; LANES],
    exceeding: [u64; LANES],
    close: [u64; LANES],
    above: [u64; LANES],
    weighed: [u64; LANES],
    ulps: [f64; LANES],
    sum: [f64; LANES],
    /// Not finite where an entry is not.
    total: [f64; LANES],
}

#[inline(always)]
fn run(
    round: impl Fn(f64) -> f64 + Copy,
    scale: Scale,
    got: &[f64],
    exact: &[f64],
    bound: &[f64],
    columns: &mut Extremes,
) -> Counts {
    let mut lanes = Lanes::default();
    let ((got, got_rest), (exact, exact_rest)) = (got.as_chunks::<LANES>(), exact.as_chunks::<LANES>());
    let (bound, bound_rest) = bound.as_chunks::<LANES>();
    for (((got, exact), bound), group) in got.iter().zip(exact).zip(bound).zip(&mut columns.groups) {
        add(round, scale, (got, exact, bound), group, &mut lanes);
    }
    if let (Some(group), false) = (columns.groups.get_mut(got.len()), got_rest.is_empty()) {
        // Padded with entries that are right.
        let pad = |rest: &[f64]| std::array::from_fn(|i| rest.get(i).copied().unwrap_or(0.0));
        let bound = std::array::from_fn(|i| bound_rest.get(i).copied().unwrap_or(1.0));
        add(round, scale, (&pad(got_rest), &pad(exact_rest), &bound), group, &mut lanes);
    }
    let largest = |lanes: [f64; LANES]| lanes.into_iter().fold(0.0, f64::max);
    Counts {
        incorrect: lanes.incorrect.iter().sum(),
        exceeding: lanes.exceeding.iter().sum(),
        close: lanes.close.iter().any(|&n| n > 0),
        not_finite: !lanes.total.iter().sum::<f64>().is_finite(),
        above: lanes.above.iter().any(|&n| n > 0),
        weighed: lanes.weighed.iter().sum(),
        max_ulps: largest(lanes.ulps),
        sum_ulps: lanes.sum.iter().sum(),
    }
}

type Row<'a> = (&'a [f64; LANES], &'a [f64; LANES], &'a [f64; LANES]);

#[inline(always)]
fn add(round: impl Fn(f64) -> f64, scale: Scale, (got, exact, bound): Row<'_>, group: &mut Group, lanes: &mut Lanes) {
    let mut improves = 0;
    for i in 0..LANES {
        let error = (got[i] - exact[i]).abs();
        let ulps = error * scale.per_unit(exact[i]);
        let exceeds = u64::from((error > bound[i]) | error.is_nan());
        lanes.incorrect[i] += u64::from(round(exact[i]) != got[i]);
        lanes.close[i] |= u64::from(ulps == 0.5);
        lanes.exceeding[i] += exceeds;
        lanes.above[i] |= u64::from(error > scale.gauge.threshold * bound[i]);
        let weighs = exact[i].abs() >= scale.gauge.near_zero;
        let weight = if weighs { ulps } else { 0.0 };
        lanes.weighed[i] += u64::from(weighs);
        lanes.ulps[i] = larger(weight, lanes.ulps[i]);
        lanes.sum[i] += weight;
        lanes.total[i] += error * 0.0;
        group.error[i] = larger(error, group.error[i]);
        group.exceeding[i] += exceeds;
        // Somewhat below the largest quotient so far: quotients are rarely larger, and divisions take long.
        improves |= u64::from(error > group.ratio[i] * bound[i] * (1.0 - 4.0 * f64::EPSILON));
    }
    if improves != 0 {
        for i in 0..LANES {
            group.ratio[i] = larger((got[i] - exact[i]).abs() / bound[i], group.ratio[i]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entry by entry, as it is said: against the loop, at widths that are no multiple of its groups.
    #[test]
    fn the_loop_counts_what_single_entries_say() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
        };
        for format in Format::ALL {
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
                    columns.reset(got.len());
                    let gauge = Gauge { near_zero: 2f64.powi(-8), threshold: 1.0 };
                    let counts = compare(format, gauge, (&got, &exact, &bound), &mut columns);
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
                    let found: Vec<(f64, f64, u64)> = columns.columns().take(got.len()).collect();
                    let largest = |x: f64| if x.is_nan() { 0.0 } else { x };
                    let expected = |i: usize| (largest(error(i)), largest(error(i) / bound[i]), u64::from(beyond(i)));
                    assert_eq!(found, all.map(expected).collect::<Vec<_>>(), "{format} {width}");
                }
            }
        }
    }

    #[test]
    fn the_rounding_of_the_loop_is_that_of_the_format() {
        for format in [Format::F16, Format::Bf16] {
            let mut bits = 0x3fe0_0000_0000_0001u64;
            for _ in 0..100_000 {
                bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let x = f64::from_bits((bits & !(0x7ff << 52)) | (1023 - 30 + (bits >> 17) % 50) << 52);
                let mut columns = Extremes::default();
                columns.reset(1);
                let gauge = Gauge { near_zero: 2f64.powi(-8), threshold: 1.0 };
                let counts = compare(format, gauge, (&[format.round(x)], &[x], &[1.0]), &mut columns);
                assert_eq!(counts.incorrect, 0, "{format} {x:e}");
            }
        }
    }
}
