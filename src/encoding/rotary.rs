//! Rotary encoding: rotating pairs of coordinates by angles that grow with the position.

use super::shift::BlockDiagonal;
use crate::number::{Frequency, Phase, Position, System};
use nalgebra::{DVector, Matrix2, Vector2};

/// R(φ) = [[cos φ, −sin φ], [sin φ, cos φ]], the counter-clockwise rotation (Transformer:
/// positional embedding, "Mathematical Derivation of RoPE"; Why Are Sines and Cosines, "From
/// Exponentials to Sinusoidal Functions").
pub fn rotation<S: System>(system: &S, angle: &Phase) -> Matrix2<S::Number> {
    let point = system.cis(angle);
    Matrix2::new(point.re.clone(), -point.im.clone(), point.im, point.re)
}

/// The d-dimensional rotation at a position: block i is R(ω_i·m), on the pairs (2i, 2i + 1).
pub fn rotary<S: System>(system: &S, frequencies: &[Frequency], position: &Position) -> BlockDiagonal<S::Number> {
    let blocks = frequencies.iter().map(|frequency| rotation(system, &(position.clone() * frequency.clone())));
    BlockDiagonal(blocks.collect())
}

/// A pair of real variables `name[2i]`, `name[2i + 1]` as a column.
pub fn pair<S: System>(system: &S, name: &'static str, index: usize) -> Vector2<S::Number> {
    Vector2::new(system.real(name, 2 * index), system.real(name, 2 * index + 1))
}

/// The real variables `name[0]` … `name[dim − 1]` as a column.
pub fn vector<S: System>(system: &S, name: &'static str, dim: usize) -> DVector<S::Number> {
    DVector::from_fn(dim, |index, _| system.real(name, index))
}
