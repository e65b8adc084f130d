//! The sinusoidal encoding PE(t).

use crate::number::{Frequency, Phase, Position, System};
use nalgebra::{DVector, Vector2};
use num_traits::Zero;

/// The frequencies ω_i = base^(−2i/dim), i = 0 … dim/2 − 1 (Transformer: positional embedding,
/// "Solution"; The Hidden Beauty, "Sinusoidal Positional Encodings").
pub fn frequencies(base: u32, dim: usize) -> Vec<Frequency> {
    frequencies_from(0, base, dim)
}

/// The frequencies base^(−2i/dim) for i = first … first + dim/2 − 1. Linear Relationships
/// (equation 2) and the proof in The Hidden Beauty count from 1.
pub fn frequencies_from(first: usize, base: u32, dim: usize) -> Vec<Frequency> {
    (first..first + dim / 2).map(|index| Frequency::Power { base, dim, index }).collect()
}

/// PE(t): component 2i is sin(ω_i·t), component 2i + 1 is cos(ω_i·t) (Linear Relationships, equation 1).
///
/// Shape: 2·len(ω). Each component lies in [−1, 1].
pub fn encode<S: System>(system: &S, frequencies: &[Frequency], position: &Position) -> DVector<S::Number> {
    let components = frequencies.iter().flat_map(|frequency| {
        let point = system.cis(&(position.clone() * frequency.clone()));
        [point.im, point.re]
    });
    DVector::from_iterator(2 * frequencies.len(), components)
}

/// The encoding without its cosines: component j is sin(ω_j·t) (Linear Relationships, reader comments).
///
/// Shape: len(ω).
pub fn encode_sines<S: System>(system: &S, frequencies: &[Frequency], position: &Position) -> DVector<S::Number> {
    let components = frequencies.iter().map(|frequency| system.cis(&(position.clone() * frequency.clone())).im);
    DVector::from_iterator(frequencies.len(), components)
}

/// ‖PE(s) − PE(t)‖², from the components of both.
pub fn squared_distance<S: System>(system: &S, frequencies: &[Frequency], [s, t]: [&Position; 2]) -> S::Number {
    let difference = encode(system, frequencies, s) - encode(system, frequencies, t);
    difference.dot(&difference)
}

/// Σ_i 2 − 2·cos(ω_i·n), the squared distance of two encodings n positions apart
/// (`sinusoid.separation`).
pub fn squared_chords<S: System>(system: &S, frequencies: &[Frequency], distance: &Position) -> S::Number {
    let two = system.integer(2);
    let chord =
        |frequency: &Frequency| two.clone() - two.clone() * system.cis(&(distance.clone() * frequency.clone())).re;
    frequencies.iter().fold(S::Number::zero(), |sum, frequency| sum + chord(frequency))
}

/// (sin φ, cos φ): the pair of components of one frequency, φ = ω·t (Linear Relationships, equation 6).
pub fn pair<S: System>(system: &S, angle: &Phase) -> Vector2<S::Number> {
    let point = system.cis(angle);
    Vector2::new(point.im, point.re)
}
