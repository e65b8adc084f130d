//! Products of matrices of numbers that are held in binary64, all entries of a column at once: the operations of
//! [`Running`], in their order, without branches, so that the compiler makes vector instructions of them. Entries and
//! bounds are those that the operations give one by one, to the last bit.

use super::{Running, up};
use crate::number::float::Arithmetic;
use crate::number::format::{Format, binade};
use nalgebra::DMatrix;
use posproof_table::{Instructions, Loop, vectorized};

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
    let (left, right) = (Entries::of(a)?, Entries::of(b)?);
    let format = left.format.or(right.format)?;
    if right.format.is_some_and(|other| other != format) || left.has_ones && right.has_ones {
        return None;
    }
    let (rows, columns) = (a.nrows(), b.ncols());
    let (mut values, mut bounds) = (vec![0.0; rows * columns], vec![0.0; rows * columns]);
    let work = Product { format, left: &left, right: &right, rows, values: &mut values, bounds: &mut bounds };
    vectorized(instructions, work);
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
    Some(DMatrix::from_vec(rows, columns, entries.collect::<Option<Vec<_>>>()?))
}

/// The entries of a matrix, column after column.
struct Entries {
    /// Of all that are no constants.
    format: Option<Format>,
    values: Vec<f64>,
    bounds: Vec<f64>,
    /// Those that are the constant 1: with it nothing is multiplied.
    ones: Vec<bool>,
    has_ones: bool,
}

impl Entries {
    fn of<A: Arithmetic>(matrix: &DMatrix<Running<A>>) -> Option<Self> {
        let (mut format, mut has_ones) = (None, false);
        let (mut values, mut bounds, mut ones) = (Vec::new(), Vec::new(), Vec::new());
        for entry in matrix.iter() {
            let (value, own) = entry.value.in_binary64()?;
            let is_one = entry.is_unit();
            match (own, format) {
                (None, _) if is_one || value == 0.0 && entry.bound == 0.0 => {}
                (Some(own), None) => format = Some(own),
                (Some(own), Some(format)) if own == format => {}
                _ => return None,
            }
            has_ones |= is_one;
            values.push(value);
            bounds.push(entry.bound);
            ones.push(is_one);
        }
        Some(Self { format, values, bounds, ones, has_ones })
    }
}

/// What is added to the entries of a column of a product.
struct Product<'a> {
    format: Format,
    left: &'a Entries,
    right: &'a Entries,
    rows: usize,
    values: &'a mut [f64],
    bounds: &'a mut [f64],
}

impl Loop for Product<'_> {
    #[inline(always)]
    fn run(self) {
        match self.format {
            Format::F64 => self.run_in(Binary64),
            Format::F32 => self.run_in(Binary32),
            Format::F16 | Format::Bf16 => {
                let grid = Grid::new(self.format);
                self.run_in(grid);
            }
        }
    }
}

impl Product<'_> {
    #[inline(always)]
    fn run_in<R: Rounded>(self, rounded: R) {
        let Self { format, left, right, rows, values, bounds } = self;
        let half = HalfUnit::new(format);
        let inner = left.values.len() / rows;
        for (column, (values, bounds)) in values.chunks_exact_mut(rows).zip(bounds.chunks_exact_mut(rows)).enumerate() {
            for k in 0..inner {
                let factor = column * inner + k;
                let (factor, is_one) = ((right.values[factor], right.bounds[factor]), right.ones[factor]);
                let part = k * rows..(k + 1) * rows;
                let (entries, errors) = (&left.values[part.clone()], &left.bounds[part.clone()]);
                let ones = &left.ones[part];
                for i in 0..rows {
                    let entry = (entries[i], errors[i]);
                    let mut term = times(rounded, half, entry, factor);
                    term = if ones[i] { factor } else { term };
                    term = if is_one { entry } else { term };
                    let sum = plus(rounded, half, (values[i], bounds[i]), term);
                    (values[i], bounds[i]) = if k == 0 { term } else { sum };
                }
            }
        }
    }
}

/// The product of two numbers with bounds, as [`Running`] multiplies.
#[inline(always)]
fn times<R: Rounded>(rounded: R, half: HalfUnit, (a, mine): (f64, f64), (b, theirs): (f64, f64)) -> (f64, f64) {
    let inherited = up(a.abs() * theirs + b.abs() * mine + mine * theirs);
    let inherited = if mine == 0.0 && theirs == 0.0 { 0.0 } else { inherited };
    let wide = a * b;
    let value = rounded.round(wide);
    with_bound(half, value, rounded.is_exact_product(a, b, wide) & (value == wide), inherited)
}

/// The sum of two numbers with bounds, as [`Running`] adds.
#[inline(always)]
fn plus<R: Rounded>(rounded: R, half: HalfUnit, (a, mine): (f64, f64), (b, theirs): (f64, f64)) -> (f64, f64) {
    let wide = a + b;
    let shadow = wide - a;
    let residual = (a - (wide - shadow)) + (b - shadow);
    let value = rounded.round(wide);
    with_bound(half, value, (residual == 0.0) & (value == wide), mine + theirs)
}

/// A result with its bound, as [`Running::result`] has it.
#[inline(always)]
fn with_bound(half: HalfUnit, value: f64, exact: bool, inherited: f64) -> (f64, f64) {
    let bound = up(inherited + if exact { 0.0 } else { half.of(value) });
    let bound = if exact & (inherited == 0.0) { 0.0 } else { bound };
    (value, if value.abs() < f64::INFINITY { bound } else { f64::INFINITY })
}

/// [`Format::half_ulp`] of finite numbers.
#[derive(Clone, Copy)]
struct HalfUnit {
    least_normal: f64,
    unit_roundoff: f64,
}

impl HalfUnit {
    fn new(format: Format) -> Self {
        let unit_roundoff = format.unit_roundoff();
        // In two steps, for binary64: twice the unit roundoff times it is below the smallest number.
        let least_normal = format.min_positive() / unit_roundoff * 0.5;
        Self { least_normal, unit_roundoff }
    }

    #[inline(always)]
    fn of(self, x: f64) -> f64 {
        (binade(x).max(self.least_normal) * self.unit_roundoff).max(f64::from_bits(1))
    }
}

/// Rounding of binary64 results to a format.
trait Rounded: Copy {
    /// [`Format::round`].
    fn round(self, x: f64) -> f64;
    /// Whether a·b = `product` before it is rounded; may be false although it is.
    fn is_exact_product(self, a: f64, b: f64, product: f64) -> bool;
}

#[derive(Clone, Copy)]
struct Binary64;

impl Rounded for Binary64 {
    #[inline(always)]
    fn round(self, x: f64) -> f64 {
        x
    }

    #[inline(always)]
    fn is_exact_product(self, a: f64, b: f64, product: f64) -> bool {
        let power_of_two = |x: f64| {
            let normal = (x.abs() >= f64::MIN_POSITIVE) & (x.abs() < f64::INFINITY);
            normal & (x.to_bits() & ((1 << 52) - 1) == 0)
        };
        // Above the exponent of the smallest normal numbers.
        let scaled = binade(product) > f64::MIN_POSITIVE;
        (a == 0.0) | (b == 0.0) | ((power_of_two(a) | power_of_two(b)) & scaled)
    }
}

#[derive(Clone, Copy)]
struct Binary32;

impl Rounded for Binary32 {
    #[inline(always)]
    fn round(self, x: f64) -> f64 {
        f64::from(x as f32)
    }

    #[inline(always)]
    fn is_exact_product(self, _: f64, _: f64, _: f64) -> bool {
        true
    }
}

/// binary16 or bfloat16.
#[derive(Clone, Copy)]
struct Grid {
    least_normal: f64,
    /// 1.5·2^52 quanta of 1.
    shift: f64,
    largest: f64,
    /// Numbers from here on are infinite.
    beyond: f64,
}

impl Grid {
    fn new(format: Format) -> Self {
        let shift = 1.5 * f64::from(1u32 << 26) * f64::from(1u32 << (27 - format.precision()));
        let unit = format.unit_roundoff();
        let beyond = format.max_finite() / (1.0 - unit);
        Self { least_normal: format.min_positive() / (2.0 * unit), shift, largest: format.max_finite(), beyond }
    }
}

impl Rounded for Grid {
    #[inline(always)]
    fn round(self, x: f64) -> f64 {
        let shift = binade(x).max(self.least_normal) * self.shift;
        let rounded = ((x + shift) - shift).copysign(x);
        let far = (rounded.abs() > self.largest) | (x.abs() >= self.beyond);
        let rounded = if far { f64::INFINITY.copysign(x) } else { rounded };
        if x.is_nan() { x } else { rounded }
    }

    #[inline(always)]
    fn is_exact_product(self, _: f64, _: f64, _: f64) -> bool {
        true
    }
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
