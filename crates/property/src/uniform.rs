//! Bounds for all positions up to the last one.
//!
//! An angle p·ω is computed with an error of at most A = ω·h(p) + h(p·ω), where h is half a unit in the last place, at most, of
//! numbers up to its argument; that of pair 0, whose frequency is 1, with none. With the cosine and the sine of the angle *as
//! computed*, the identities of the claims hold but for the errors of their three or four angles: for Δ = A₁ + A₂ + A₃ a component is
//! wrong by at most Δ, because 2·sin(Δ/2) ≤ Δ, and a score of vectors of lengths r and s by r·s·Δ. Norms, inverses and sums of
//! vectors have one angle on both sides: Δ = 0.
//!
//! Besides, each cosine and sine is wrong by at most ℓ, and each component of a rotated pair of length r by ℓ_r, products and storage
//! included: a pair by √2·ℓ. Terms of the second order are kept.

use super::setup::Model;
use posproof_bound::running::up;
use posproof_numerics::format::{Format, exponent_of, power_of_two};

/// The number of binary64 next to √2, which is above it.
const ROOT_2: f64 = std::f64::consts::SQRT_2;

/// h(z): the largest rounding error of numbers up to z.
fn rounding(format: Format, z: f64) -> f64 {
    power_of_two(exponent_of(z).max(format.min_exponent()) - format.precision() as i32)
}

/// A of a pair at positions up to the last one; infinite for a convention whose angles are no products of positions and
/// frequencies.
fn angle(model: &Model, pair: usize) -> f64 {
    let setup = &model.setup;
    let (convention, format) = (&setup.convention, setup.compute);
    let plain = *convention.position_scale.value() == 1 && convention.position_offset.is_zero();
    let Some(omega) = model.frequency(pair).filter(|_| plain && convention.scaling.is_none()) else {
        return f64::INFINITY;
    };
    let last = setup.last as f64;
    let moved = if last <= 1.0 / format.unit_roundoff() { 0.0 } else { rounding(format, last) };
    if omega == 1.0 {
        return moved;
    }
    // Frequencies of any path are within a hundred units of the convention's.
    let omega = omega * (1.0 + 100.0 * format.unit_roundoff());
    up(omega * moved + rounding(format, up((last + moved) * omega)))
}

/// The loss of sums and products here, in binary64, for `terms` of them up to `size`.
fn lost(terms: usize, size: f64) -> f64 {
    4.0 * ((terms + 4) * (terms + 4)) as f64 * size * f64::EPSILON
}

/// The share of one pair in the loss of sums over all pairs in binary64, of terms up to `size`.
fn summed(model: &Model, size: f64) -> f64 {
    8.0 * (model.setup.dim() + 16) as f64 * size * f64::EPSILON
}

/// Σ of a bound over all pairs.
fn over_pairs(model: &Model, of: impl Fn(usize) -> f64) -> f64 {
    let pairs = model.setup.dim() / 2;
    up((0..pairs).fold(0.0, |sum, pair| up(sum + of(pair))) + lost(pairs, 2.0))
}

/// c² + s² − 1, or 1 − c² − s²: 2√2·ℓ + 2ℓ².
pub(crate) fn square(model: &Model) -> f64 {
    let local = model.local();
    up(2.0 * ROOT_2 * local + 2.0 * local * local + lost(2, 1.0))
}

/// ‖PE(t)‖² − d/2.
pub(crate) fn norm(model: &Model) -> f64 {
    over_pairs(model, |_| square(model))
}

/// A component of T(k)PE(t) − PE(t + k): Δ of three angles, 2√2·ℓ + 2ℓ² and ℓ.
pub(crate) fn shift(model: &Model, pair: usize) -> f64 {
    let local = model.local();
    up(3.0 * angle(model, pair) + (2.0 * ROOT_2 + 1.0) * local + 2.0 * local * local + lost(2, 1.0))
}

/// A component of PE(0), whose angle is exact.
pub(crate) fn start(model: &Model) -> f64 {
    up(model.local() + lost(0, 1.0))
}

/// PE(s)·PE(t) − Σ cos((s − t)ω): of each pair what a shifted component is off by.
pub(crate) fn dot_product(model: &Model) -> f64 {
    over_pairs(model, |pair| shift(model, pair))
}

/// ‖PE(s) − PE(t)‖² − Σ 2 − 2·cos((s − t)ω): of each pair 2Δ, 8√2·ℓ + 8ℓ² and 2ℓ.
pub(crate) fn chords(model: &Model) -> f64 {
    let local = model.local();
    over_pairs(model, |pair| {
        up(6.0 * angle(model, pair) + (8.0 * ROOT_2 + 2.0) * local + 8.0 * local * local + lost(2, 4.0))
    })
}

/// Two dot products at one distance: of each pair Δ of four angles and twice 2√2·ℓ + 2ℓ².
pub(crate) fn two_dot_products(model: &Model) -> f64 {
    over_pairs(model, |pair| up(4.0 * angle(model, pair) + 2.0 * square(model)))
}

/// ℓ_r of a pair of a vector of length r.
fn turned(model: &Model, pair: usize, length: f64) -> f64 {
    model.rotated(pair, 0.0, length, 0.0).radius
}

/// An entry of R(θ)ᵀR(θ) − I: 2√2·ℓ₁ + 2ℓ₁².
pub(crate) fn inverse(model: &Model, pair: usize) -> f64 {
    let local = turned(model, pair, 1.0);
    up(2.0 * ROOT_2 * local + 2.0 * local * local + lost(2, 1.0))
}

/// A component of R(a)R(b)x − R(a + b)x for |x| = r: rΔ, √2·ℓ₁·(r + √2·ℓ_r), √2·ℓ_r and ℓ_r.
pub(crate) fn composition(model: &Model, pair: usize, length: f64) -> f64 {
    let (unit, local) = (turned(model, pair, 1.0), turned(model, pair, length));
    let matrix = ROOT_2 * unit * (length + ROOT_2 * local);
    up(3.0 * angle(model, pair) * length + matrix + (ROOT_2 + 1.0) * local + lost(2, length))
}

/// A score of a pair of lengths r and s, and its other side: rsΔ, √2·(ℓ_r·s + ℓ_s·r) + 2ℓ_r·ℓ_s and √2·ℓ_s·r.
pub(crate) fn score(model: &Model, pair: usize, [r, s]: [f64; 2]) -> f64 {
    let [one, other] = [r, s].map(|length| turned(model, pair, length));
    // The other side is a turned vector of either length, or both lengths times a turned unit vector.
    let relative = ROOT_2 * (one * s).max(other * r).max(turned(model, pair, 1.0) * r * s);
    let rotated = ROOT_2 * (one * s + other * r) + 2.0 * one * other;
    up(3.0 * angle(model, pair) * r * s + rotated + relative + summed(model, r * s))
}

/// Two programs' scores of a pair of lengths r and s at two positions: Δ of four angles, and twice what one score is off by.
pub(crate) fn two_scores(model: &Model, pair: usize, [r, s]: [f64; 2]) -> f64 {
    let [one, other] = [r, s].map(|length| turned(model, pair, length));
    let rotated = ROOT_2 * (one * s + other * r) + 2.0 * one * other;
    up(4.0 * angle(model, pair) * r * s + 2.0 * rotated + summed(model, r * s))
}

/// ‖f(x, m)‖² − ‖x‖² of a pair of length r: 2√2·ℓ_r·r + 2ℓ_r².
pub(crate) fn isometry(model: &Model, pair: usize, length: f64) -> f64 {
    let local = turned(model, pair, length);
    up(2.0 * ROOT_2 * local * length + 2.0 * local * local + summed(model, length * length))
}

/// A component of f(a·x + b·y) − a·f(x) − b·f(y), for the lengths of the three with |a| and |b|.
pub(crate) fn combination(model: &Model, pair: usize, lengths: [(f64, f64); 3]) -> f64 {
    let sum = lengths.iter().fold(0.0, |sum, (factor, length)| sum + factor * turned(model, pair, *length));
    up(sum + lost(4, lengths.iter().map(|(_, length)| length).sum()))
}

/// A component of f(x) − R x for the matrix of the same angle: ℓ_r and √2·ℓ₁·r.
pub(crate) fn layout(model: &Model, pair: usize, length: f64) -> f64 {
    up(turned(model, pair, length) + ROOT_2 * turned(model, pair, 1.0) * length + lost(2, length))
}

/// A component of two programs' rotations of a pair of length r: 2rA and 2ℓ_r.
pub(crate) fn two_programs(model: &Model, pair: usize, length: f64) -> f64 {
    up(2.0 * (angle(model, pair) * length + turned(model, pair, length)) + lost(0, length))
}
