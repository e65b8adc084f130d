//! Bounds of what is computed from tables: dot products, rotated pairs, scores, residuals of the shift.

use super::entry::{Model, Rate};
use super::origin::{Bound, Origin};
use super::path::half;
use super::program::Impossible;
use super::upward::{Upper, sharp_unit, smallest, spacing, unit};
use posproof_numerics::format::Format;
use serde::Serialize;
use std::ops::Range;

/// Orders in which a dot product is summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Summation {
    /// Rounded products in any order, for instance one after the other.
    AnyOrder,
    /// Rounded products along a balanced tree.
    Pairwise,
    /// Fused multiply-adds, one after the other.
    Fused,
    /// Products and sums in this format, in any order, the result rounded to the format of the dot product.
    Wide(Format),
}

/// Multiplications and additions of complex numbers and pairs: with or without fusing one product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Arithmetic {
    /// The format.
    pub format: Format,
    /// True if the first product is fused into the addition.
    pub fused: bool,
}

impl Arithmetic {
    /// Rounded products and sums in a format.
    pub fn plain(format: Format) -> Self {
        Self { format, fused: false }
    }
}

/// A program of scores: how query and key are rotated, and the format of the products of their components and of the sum of
/// these, in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Scoring {
    /// The rotation.
    pub rotation: Arithmetic,
    /// The format of products and sums.
    pub sums: Format,
}

pub(super) fn root_two() -> Upper {
    // The binary64 number next to √2 is above it.
    Upper::of(std::f64::consts::SQRT_2)
}

fn count(n: u32) -> Upper {
    Upper::of(f64::from(n))
}

pub(super) fn plus_one(x: Upper) -> Upper {
    Upper::of(1.0) + x
}

/// A dot product of n terms with Σ|x_i·y_i| ≤ mass that does not overflow: |computed − exact|.
///
/// | summation | bound | theorem |
/// | --- | --- | --- |
/// | any order | n·u·S + n(1 + (n−1)u)η/2 | `rounding_dot` |
/// | pairwise, depth h = ⌈log₂ n⌉ | ((1+v)^(h+1) − 1)S + (1+v)^h·nη/2 | `rounding_dot_depth` |
/// | fused | n·v·S + n(1+v)^n·η/2 | `rounding_dot_fused` |
/// | wide G | v·S + (1+v)·(any order in G) + η/2 | `rounding_dot_wide` |
pub fn dot(format: Format, n: u32, mass: f64, summation: Summation) -> Bound {
    let mass = Upper::of(mass);
    let (v, tiny) = (sharp_unit(format), half(smallest(format)));
    let (error, theorem) = match summation {
        Summation::AnyOrder => (any_order(format, n, mass), "rounding_dot"),
        Summation::Pairwise => {
            let depth = n.max(1).next_power_of_two().trailing_zeros();
            let absolute = plus_one(v.repeat(depth)) * count(n) * tiny;
            (v.repeat(depth + 1) * mass + absolute, "rounding_dot_depth")
        }
        Summation::Fused => {
            let absolute = count(n) * plus_one(v.repeat(n)) * tiny;
            (count(n) * v * mass + absolute, "rounding_dot_fused")
        }
        Summation::Wide(wide) => (v * mass + plus_one(v) * any_order(wide, n, mass) + tiny, "rounding_dot_wide"),
    };
    Bound::of(error, Origin::Theorem(theorem))
}

pub(super) fn any_order(format: Format, n: u32, mass: Upper) -> Upper {
    let u = unit(format);
    count(n) * u * mass + count(n) * plus_one(count(n.saturating_sub(1)) * u) * half(smallest(format))
}

/// A dot product of n ≤ 2^p terms with |x_i·y_i| ≤ 1, products rounded and summed one after the other:
/// n·u/2 + Σ_(k=2)^n spacing(k)/2 (`rounding_dot_bounded`). `None` for longer ones.
pub fn dot_of_small_products(format: Format, n: u32) -> Option<Bound> {
    if n == 0 || u64::from(n) > 1 << format.precision() {
        return None;
    }
    let sums = (2..=n).map(|k| half(spacing(format, count(k)))).fold(Upper::ZERO, |sum, term| sum + term);
    Some(Bound::of(count(n) * half(unit(format)) + sums, Origin::Theorem("rounding_dot_bounded")))
}

/// |computed − z·w| ≤ √5·u·|z·w| for a product of complex numbers without underflow and overflow (Brent,
/// Percival and Zimmermann 2007, theorem 2), 2u with a fused product (Jeannerod, Kornerup, Louvet and Muller 2017).
pub fn complex_product(arithmetic: Arithmetic, magnitude: f64) -> Bound {
    let Arithmetic { format, fused } = arithmetic;
    let (constant, origin) = match fused {
        // The binary64 number above √5.
        false => (5f64.sqrt().next_up(), Origin::Cited("Brent, Percival, Zimmermann 2007, theorem 2")),
        true => (2.0, Origin::Cited("Jeannerod, Kornerup, Louvet, Muller 2017")),
    };
    Bound::of(Upper::of(constant) * unit(format) * Upper::of(magnitude), origin)
}

/// `rotation_relative` and `rotation_absolute` of `RoundingRope.v`: c·u with c = 1 + √2, or 2 if fused, and √2(1 + v)η.
pub(super) fn rotation(arithmetic: Arithmetic) -> (Upper, Upper) {
    let Arithmetic { format, fused } = arithmetic;
    let constant = if fused { Upper::of(2.0) } else { plus_one(root_two()) };
    (constant * unit(format), root_two() * plus_one(sharp_unit(format)) * smallest(format))
}

/// (τ + rotation_relative·(1 + τ))·r + rotation_absolute.
fn pair_bound(arithmetic: Arithmetic, table: Upper, length: Upper) -> Upper {
    let (relative, absolute) = rotation(arithmetic);
    (table + relative * plus_one(table)) * length + absolute
}

/// The distance of a rotated pair from the exact one: a pair of this length, turned by tabulated values
/// within `table` of (cos θ, sin θ) (`rounding_rotated_pair_length`).
pub fn rotated_pair(arithmetic: Arithmetic, table: Bound, length: f64) -> Bound {
    let error = pair_bound(arithmetic, Upper::of(table.value()), Upper::of(length));
    Bound::of(error, Origin::Theorem("rounding_rotated_pair_length"))
}

/// The residual of T(k) in one pair, ‖T(k)PE(t) − PE(t+k)‖ as computed, from the errors of the table's
/// pairs at t, k and t + k (`rounding_shift_residual`).
pub fn shift_residual(arithmetic: Arithmetic, at_t: Bound, at_k: Bound, at_sum: Bound) -> Bound {
    let [t, k, sum] = [at_t, at_k, at_sum].map(|bound| Upper::of(bound.value()));
    let error = pair_bound(arithmetic, k, plus_one(t)) + t + sum;
    Bound::of(error, Origin::Theorem("rounding_shift_residual"))
}

/// |PE(t)·PE(s) − Σ_j cos((t−s)ω_j)| as computed in any order, from the errors of each pair at t and at s
/// (`rounding_toeplitz`).
pub fn toeplitz(format: Format, tables: &[(Bound, Bound)]) -> Bound {
    let pairs =
        tables.iter().map(|(t, s)| Turned { error: t.value(), length: 1.0, other_error: s.value(), other_length: 1.0 });
    Bound::of(product(format, pairs), Origin::Theorem("rounding_toeplitz"))
}

/// Two pairs, each known to within an error.
struct Turned {
    error: f64,
    length: f64,
    other_error: f64,
    other_length: f64,
}

/// M − Σ‖q_j‖‖k_j‖ + dot_bound(2h, M) with M = Σ(‖q_j‖ + a_j)(‖k_j‖ + b_j), without the cancellation.
fn product(format: Format, pairs: impl ExactSizeIterator<Item = Turned>) -> Upper {
    let terms = 2 * pairs.len() as u32;
    let (mut defect, mut mass) = (Upper::ZERO, Upper::ZERO);
    for Turned { error, length, other_error, other_length } in pairs {
        let [a, q, b, k] = [error, length, other_error, other_length].map(Upper::of);
        defect = defect + q * b + a * k + a * b;
        mass = mass + (q + a) * (k + b);
    }
    defect + any_order(format, terms, mass)
}

/// One pair of a query and of a key: lengths, and the errors of the table's pairs that turn them.
#[derive(Clone, Copy, Debug)]
pub struct ScorePair {
    /// ‖q_j‖.
    pub query: f64,
    /// ‖k_j‖.
    pub key: f64,
    /// The error of (cos mω_j, sin mω_j).
    pub query_table: Bound,
    /// The error of (cos nω_j, sin nω_j).
    pub key_table: Bound,
}

/// |computed score − exact score| of a query and a key, rotated in one format and multiplied in another in
/// any order (`rounding_rope_score`).
pub fn score(rotation: Arithmetic, format: Format, pairs: &[ScorePair]) -> Bound {
    let turned = pairs.iter().map(|pair| Turned {
        error: rotated_pair(rotation, pair.query_table, pair.query).value(),
        length: pair.query,
        other_error: rotated_pair(rotation, pair.key_table, pair.key).value(),
        other_length: pair.key,
    });
    Bound::of(product(format, turned), Origin::Theorem("rounding_rope_score"))
}

/// The same for a query and a key of length 1 each, of h rotated pairs and `dim` components in all, where
/// every pair of the table is within `table`: with a_j = A‖q_j‖ + c the defect is at most
/// 2A + A² + 2c(1 + A)√h + h·c² (`rounding_unit_score`, by Cauchy and Schwarz).
pub(super) fn unit_score(rotation: Arithmetic, format: Format, h: u32, dim: u32, table: Bound) -> Bound {
    let table = Upper::of(table.value());
    let relative = pair_bound(rotation, table, Upper::of(1.0));
    let absolute = pair_bound(rotation, table, Upper::ZERO);
    let root = Upper::of(f64::from(h).sqrt().next_up());
    let two = Upper::of(2.0);
    let linear = two * relative + relative * relative;
    let defect = linear + two * absolute * plus_one(relative) * root + count(h) * absolute * absolute;
    Bound::of(defect + any_order(format, dim, plus_one(defect)), Origin::Theorem("rounding_unit_score"))
}

/// The difference of two computed scores at the same distance (`rounding_relative_position`).
pub fn relative_position(one: Bound, other: Bound) -> Bound {
    let error = Upper::of(one.value()) + Upper::of(other.value());
    Bound::of(error, Origin::Theorem("rounding_relative_position"))
}

impl Model {
    /// The same with the error of the frequency that the theorem of the path allows.
    pub(crate) fn pair_a_priori(&self, rate: &Rate, positions: Range<u64>) -> Result<Bound, Impossible> {
        if !self.is_plain() {
            return Err(turned());
        }
        let range = self.effective(&positions, rate)?;
        let error =
            self.a_priori_angle_error(rate, range.end - 1).min(Upper::of(2.0)) + root_two() * self.function_error();
        Ok(Bound::of(error, self.applied_a_priori(self.pair_theorem())))
    }

    /// ‖(cos, sin) − (cos θ, sin θ)‖ of the entries of one pair, over a range of positions: min(2, α) + √2(κu + e)
    /// (`rounding_table_pair`; `rounding_table_phasor` for values beyond 1), with the frequency as computed. Only for amplitude 1.
    pub fn pair(&self, rate: &Rate, positions: Range<u64>) -> Result<Bound, Impossible> {
        if !self.is_plain() {
            return Err(turned());
        }
        let range = self.effective(&positions, rate)?;
        let angles = self.angle_theorem(rate, &range);
        let error = self.angle_error(rate, range).min(Upper::of(2.0)) + root_two() * self.function_error();
        Ok(Bound::of(error, Origin::Lattice { theorem: self.pair_theorem(), angles }))
    }

    /// The theorem on a pair of entries: of values in [−1, 1], or of any.
    fn pair_theorem(&self) -> &'static str {
        if self.within_one() { "rounding_table_pair" } else { "rounding_table_phasor" }
    }
}

fn turned() -> Impossible {
    Impossible::new("amplitude", "another than 1", "1: only then is a pair of the table a rotation")
}
