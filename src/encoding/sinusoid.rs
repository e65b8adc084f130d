//! The sinusoidal encoding PE(t).

use crate::number::{Frequency, Position, System};
use nalgebra::DVector;

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
