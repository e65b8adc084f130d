//! Kernels that theorems speak of, over numbers of binary64 or symbols of a trace.
//!
//! Every operation is made in binary64 and rounded to its format: for the formats that are allowed this rounds as the format's own
//! operation does (`RoundingTraced.v`).

use posproof_numerics::{Scalar, format::Format};

/// (x·c − y·s, x·s + y·c), each operation rounded.
#[inline(always)]
pub(super) fn rotated<T: Scalar>(format: Format, [x, y]: [T; 2], [c, s]: [T; 2]) -> [T; 2] {
    let product = |a: T, b: T| (a * b).rounded(format);
    [(product(x, c) - product(y, s)).rounded(format), (product(x, s) + product(y, c)).rounded(format)]
}

/// One more term of a dot product.
#[inline(always)]
pub(super) fn accumulated<T: Scalar>(format: Format, sum: T, [x, y]: [T; 2]) -> T {
    (sum + (x * y).rounded(format)).rounded(format)
}

/// A dot product, one term after the other.
#[inline(always)]
pub(super) fn summed<T: Scalar>(format: Format, terms: impl Iterator<Item = [T; 2]>) -> T {
    terms.fold(T::constant(0.0), |sum, term| accumulated(format, sum, term))
}

/// A product of numbers of any formats, rounded to one.
#[inline(always)]
pub(super) fn multiplied<T: Scalar>(format: Format, x: T, y: T) -> T {
    (x * y).rounded(format)
}

/// The angle of a position t and a frequency.
#[inline(always)]
pub(super) fn angle<T: Scalar>([position, angle]: [Format; 2], t: T, frequency: T) -> T {
    multiplied(angle, t.rounded(position), frequency)
}

/// An entry of a table: the wave times the amplitude, where there is one, and stored.
#[inline(always)]
pub(super) fn stored<T: Scalar>([angle, storage]: [Format; 2], gain: Option<T>, wave: T) -> T {
    gain.map_or(wave, |gain| multiplied(angle, gain, wave)).rounded(storage)
}

/// A score less the largest one.
#[inline(always)]
pub(super) fn shifted<T: Scalar>(format: Format, score: T, largest: T) -> T {
    (score - largest).rounded(format)
}

/// Exponentials by their sum, one after the other, each quotient stored.
#[inline(always)]
pub(super) fn shares<T: Scalar>([format, weights]: [Format; 2], exps: &[T]) -> Vec<T> {
    let sum = exps.iter().fold(T::constant(0.0), |sum, exp| (sum + *exp).rounded(format));
    exps.iter().map(|exp| (*exp / sum).rounded(format).rounded(weights)).collect()
}

/// Figures of the rule of llama3, numbers of the format: factor, low, high − low, length, and 2π as rounded.
#[derive(Clone, Copy)]
pub(super) struct Llama3<T> {
    pub factor: T,
    pub low: T,
    pub range: T,
    pub length: T,
    pub turn: T,
}

/// The wavelength, and the blend of a frequency and its quotient by the factor.
#[inline(always)]
pub(super) fn blended<T: Scalar>(format: Format, figures: Llama3<T>, omega: T) -> [T; 2] {
    let rounded = |x: T| x.rounded(format);
    let Llama3 { factor, low, range, length, turn } = figures;
    let wave = rounded(turn / omega);
    let periods = rounded(length / wave);
    let weight = rounded(rounded(periods - low) / range).max(T::constant(0.0)).min(T::constant(1.0));
    let slow = rounded(rounded(T::constant(1.0) - weight) * rounded(omega / factor));
    [wave, rounded(slow + rounded(weight * omega))]
}

/// Heads and tails of a product of points of circles, cosine first: products of heads and their sums are exact.
#[inline(always)]
pub(super) fn turned<T: Scalar>(cos: [T; 2], sin: [T; 2], by_cos: [T; 2], by_sin: [T; 2]) -> [[T; 2]; 2] {
    let ([ch, cl], [sh, sl], [c, c_low], [s, s_low]) = (cos, sin, by_cos, by_sin);
    [
        [ch * c - sh * s, ((ch * c_low + cl * c) - (sh * s_low + sl * s)) + (cl * c_low - sl * s_low)],
        [sh * c + ch * s, ((sh * c_low + sl * c) + (ch * s_low + cl * s)) + (sl * c_low + cl * s_low)],
    ]
}
