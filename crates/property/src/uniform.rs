//! Bounds for all positions up to the last one.
//!
//! An angle p·ω is computed with an error of at most A = ω·h(p) + h(p·ω), where h is half a unit in the last place, at most, of
//! numbers up to its argument; that of pair 0, whose frequency is 1, with none. With the cosine and the sine of the angle *as
//! computed*, the identities of the claims hold but for the three errors of the angles: for Δ = A₁ + A₂ + A₃ a component is
//! wrong by at most Δ, because 2·sin(Δ/2) ≤ Δ. Each cosine and sine is wrong by at most ℓ besides, so that a component of
//! T(k)PE(t) − PE(t + k) is within 3A + (2√2 + 1)ℓ + 2ℓ², and a pair of PE(s)·PE(t) − Σ cos((s − t)ω) within the same.

use super::setup::Model;
use posproof_bound::running::up;
use posproof_numerics::format::{Format, exponent_of, power_of_two};

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

/// (2√2 + 1)ℓ + 2ℓ², ℓ the error of a cosine or sine of the angle as computed.
fn local(model: &Model) -> f64 {
    let local = model.local();
    // The last term is what the products and sums here lose in binary64.
    up(3.83 * local + 2.0 * local * local + 4.0 * f64::EPSILON)
}

/// A component of T(k)PE(t) − PE(t + k).
pub(crate) fn shift(model: &Model, pair: usize) -> f64 {
    up(3.0 * angle(model, pair) + local(model))
}

/// PE(s)·PE(t) − Σ cos((s − t)ω), with what the sums of 3d/2 terms here lose in binary64.
pub(crate) fn dot_product(model: &Model) -> f64 {
    let pairs = model.setup.dim() / 2;
    let sums = (0..pairs).fold(0.0, |sum, pair| up(sum + shift(model, pair)));
    let lost = 3.0 * (pairs * pairs) as f64 * f64::EPSILON;
    up(sums + lost)
}
