//! Running error analysis of matrix products: every entry carries a bound on its own error.
//!
//! An entry x̂ with the bound e stands for a real x with |x̂ − x| ≤ e. With h = half a unit in the last place of the result (0
//! where the operation is exact), a sum has the bound e_x + e_y + h and a product |x̂|·e_y + |ŷ|·e_x + e_x·e_y + h (Wilkinson;
//! Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.3), evaluated upward.
//!
//! All entries of a column are taken at once, without branches, so that the compiler makes vector instructions of them.

use posproof_numerics::format::{Format, binade};
use posproof_table::{Instructions, Loop, vectorized};

/// An upper bound on a sum of at most ten products of non-negative numbers that was computed in
/// binary64 as `x`: each operation loses at most 2^−53 relatively or 2^−1074 absolutely. x·(1 + 2^−48) + 2^−1069, which is more
/// than ten of these losses and its own; infinite where x is no number.
///
/// ```
/// assert!(posproof_bound::running::up(0.1 + 0.2) > 0.3);
/// ```
#[inline]
pub fn up(x: f64) -> f64 {
    const TINY: f64 = 32.0 * f64::from_bits(1);
    const INFLATION: f64 = 1.0 + 1.0 / (1u64 << 48) as f64;
    if x.is_nan() { f64::INFINITY } else { x * INFLATION + TINY }
}

/// The entries of a matrix with their bounds, column after column.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    values: Vec<f64>,
    bounds: Vec<f64>,
    /// Those that are the constant 1: with it nothing is multiplied.
    ones: Vec<bool>,
    has_ones: bool,
}

impl Entries {
    /// Appends an entry, a number of the format of the product, with its bound: infinite where that is negative or no number.
    /// With `is_one` the entry is the constant 1, not a number of a format that happens to equal it; other numbers, and 1 with
    /// an error, are no constants whatever it says.
    pub fn push(&mut self, value: f64, bound: f64, is_one: bool) {
        let bound = if bound >= 0.0 { bound } else { f64::INFINITY };
        let is_one = is_one && value == 1.0 && bound == 0.0;
        self.values.push(value);
        self.bounds.push(bound);
        self.ones.push(is_one);
        self.has_ones |= is_one;
    }
}

/// The values and the bounds of A·B, column after column, in the arithmetic of a format: terms are added in the order of the
/// inner dimension, of which there are `inner`. Entries and bounds are those of single operations, to the last bit, whatever
/// the instructions.
///
/// None where the entries are not those of matrices with this inner dimension, and where both have constants 1: sums of
/// constants have no format.
///
/// ```
/// use posproof_bound::running::{Entries, product};
/// use posproof_numerics::format::Format;
/// use posproof_table::Instructions;
///
/// let (mut row, mut column) = (Entries::default(), Entries::default());
/// for (x, y) in [(1.0078125, 1.0078125), (3.0, 1.0)] {
///     row.push(x, 0.0, false);
///     column.push(y, 0.0, false);
/// }
/// let (values, bounds) = product(Instructions::detect(), Format::Bf16, &row, &column, 2).expect("a row by a column");
/// assert_eq!(values, [4.0]);
/// assert!(1.0078125 * 1.0078125 + 3.0 - values[0] <= bounds[0] && bounds[0] < 0.02);
/// ```
pub fn product(
    instructions: Instructions,
    format: Format,
    left: &Entries,
    right: &Entries,
    inner: usize,
) -> Option<(Vec<f64>, Vec<f64>)> {
    let whole = inner > 0 && left.values.len().is_multiple_of(inner) && right.values.len().is_multiple_of(inner);
    if !whole || left.has_ones && right.has_ones {
        return None;
    }
    let (rows, columns) = (left.values.len() / inner, right.values.len() / inner);
    let (mut values, mut bounds) = (vec![0.0; rows * columns], vec![0.0; rows * columns]);
    // No rows are no chunks either.
    if rows > 0 {
        let work = Product { format, left, right, rows, values: &mut values, bounds: &mut bounds };
        vectorized(instructions, work);
    }
    Some((values, bounds))
}

/// Addend of the entries of a column of a product.
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
            Format::F16 | Format::Bf16 | Format::E4m3 | Format::E5m2 => {
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

/// The product of two numbers with bounds.
#[inline(always)]
fn times<R: Rounded>(rounded: R, half: HalfUnit, (a, mine): (f64, f64), (b, theirs): (f64, f64)) -> (f64, f64) {
    let inherited = up(a.abs() * theirs + b.abs() * mine + mine * theirs);
    let inherited = if mine == 0.0 && theirs == 0.0 { 0.0 } else { inherited };
    let wide = a * b;
    let value = rounded.round(wide);
    with_bound(half, value, rounded.is_exact_product(a, b, wide) & (value == wide), inherited)
}

/// The sum of two numbers with bounds.
#[inline(always)]
fn plus<R: Rounded>(rounded: R, half: HalfUnit, (a, mine): (f64, f64), (b, theirs): (f64, f64)) -> (f64, f64) {
    let wide = a + b;
    let shadow = wide - a;
    let residual = (a - (wide - shadow)) + (b - shadow);
    let value = rounded.round(wide);
    with_bound(half, value, (residual == 0.0) & (value == wide), mine + theirs)
}

/// A result with its bound: infinite where it is not finite.
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
    /// True if a·b = `product` before it is rounded; may be false although it is.
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
    use posproof_numerics::Rational;

    /// Numbers of a format from −1 to 1, each by half its last place at most from a number of more digits, which it stands for.
    fn numbers(format: Format, count: usize, state: &mut u64) -> Vec<(f64, f64)> {
        let mut next = || {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*state >> 11) as f64 / f64::from(1u32 << 26) / f64::from(1u32 << 26) - 1.0
        };
        (0..count).map(|_| next()).map(|x| (format.round(x), x)).collect()
    }

    /// Against exact arithmetic on what the entries stand for, with their errors and without.
    #[test]
    fn bounds_hold_and_are_those_of_theory() {
        const INNER: usize = 9;
        let state = &mut 1;
        let exact = |x: f64| Rational::from_f64(x).expect("finite");
        for (format, charged) in Format::ALL.into_iter().flat_map(|format| [(format, false), (format, true)]) {
            for _ in 0..40 {
                let [a, b] = [numbers(format, INNER, state), numbers(format, INNER, state)];
                let entries = |numbers: &[(f64, f64)]| {
                    let mut entries = Entries::default();
                    numbers.iter().for_each(|(x, of)| {
                        entries.push(*x, if charged { up((x - of).abs()) } else { 0.0 }, false);
                    });
                    entries
                };
                let product = product(Instructions::detect(), format, &entries(&a), &entries(&b), INNER);
                let (values, bounds) = product.expect("a row by a column");
                let stands = |(x, of): (f64, f64)| exact(if charged { of } else { x });
                let terms = || a.iter().zip(&b).map(|(x, y)| (stands(*x), stands(*y)));
                let sum = terms().fold(Rational::ZERO, |sum, (x, y)| sum + x * y);
                let magnitude = terms().fold(Rational::ZERO, |sum, (x, y)| sum + (x * y).abs());
                let error = (exact(values[0]) - sum).abs();
                assert!(error <= exact(bounds[0]), "{format}: {error} is above {}", bounds[0]);
                // The theory's (1 + u)^n − 1 is below 2·n·u here; each factor adds u, and what has a last place below the
                // least normal number half of that.
                let roundings = 2.0 * (INNER + 2 * usize::from(charged)) as f64 * format.unit_roundoff();
                let small = 4.0 * INNER as f64 * format.unit_roundoff() * format.unit_roundoff();
                let most = exact(roundings) * magnitude + exact(small) + exact(INNER as f64 * format.min_positive());
                assert!(exact(bounds[0]) <= most, "{format}: {} is above theory", bounds[0]);
            }
        }
    }

    #[test]
    fn what_is_no_product_is_none() {
        let of = |numbers: &[f64]| {
            let mut entries = Entries::default();
            numbers.iter().for_each(|x| entries.push(*x, 0.0, *x == 1.0));
            entries
        };
        let product = |left: &Entries, right: &Entries, inner| {
            product(Instructions::detect(), Format::F32, left, right, inner).map(|(values, _)| values)
        };
        let (pair, three, one) = (of(&[2.0, 3.0]), of(&[2.0, 3.0, 5.0]), of(&[1.0, 2.0]));
        assert_eq!(product(&pair, &pair, 2), Some(vec![13.0]));
        assert_eq!(product(&pair, &of(&[]), 2), Some(vec![]));
        assert_eq!(product(&of(&[]), &pair, 2), Some(vec![]));
        assert_eq!((product(&pair, &three, 2), product(&pair, &pair, 0), product(&one, &one, 2)), (None, None, None));
        // An error that is none, and a constant that is not 1, are not believed.
        let mut doubtful = Entries::default();
        doubtful.push(2.0, -1.0, false);
        doubtful.push(3.0, f64::NAN, true);
        assert_eq!((doubtful.bounds, doubtful.has_ones), (vec![f64::INFINITY; 2], false));
    }
}
