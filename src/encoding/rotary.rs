//! Rotary encoding: rotating pairs of coordinates by angles that grow with the position.

use super::shift::BlockDiagonal;
use crate::number::{Frequency, Number, Phase, Position, System};
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

/// The same rotation in the half-split layout: it turns the pairs (i, i + d/2), where [`rotary`]
/// turns the pairs (2i, 2i + 1). With h = d/2, y_i = cos(ω_i·m)·x_i − sin(ω_i·m)·x_(i+h) and
/// y_(i+h) = sin(ω_i·m)·x_i + cos(ω_i·m)·x_(i+h).
///
/// `x` has twice as many entries as there are frequencies; where it has not, the result is empty.
pub fn rotated_halves<S: System>(
    system: &S,
    frequencies: &[Frequency],
    position: &Position,
    x: &DVector<S::Number>,
) -> DVector<S::Number> {
    let half = frequencies.len();
    if x.len() != 2 * half {
        return DVector::from_vec(Vec::new());
    }
    let (mut first, mut second) = (Vec::with_capacity(2 * half), Vec::with_capacity(half));
    for (index, frequency) in frequencies.iter().enumerate() {
        let point = system.cis(&(position.clone() * frequency.clone()));
        let (a, b) = (x[index].clone(), x[index + half].clone());
        first.push(point.re.clone() * a.clone() - point.im.clone() * b.clone());
        second.push(point.im * a + point.re * b);
    }
    first.append(&mut second);
    DVector::from_vec(first)
}

/// The permutation of coordinates from the interleaved to the half-split layout: coordinate 2i goes
/// to place i and coordinate 2i + 1 to place i + dim/2. `dim` is even.
fn halves_from_pairs(dim: usize) -> Vec<usize> {
    (0..dim).map(|coordinate| coordinate / 2 + coordinate % 2 * (dim / 2)).collect()
}

/// The column in the half-split layout, of one whose pairs are interleaved.
pub fn in_halves<N: Number>(x: &DVector<N>) -> DVector<N> {
    let mut moved = x.clone();
    halves_from_pairs(x.len()).into_iter().enumerate().for_each(|(from, to)| moved[to] = x[from].clone());
    moved
}

/// The column whose pair i is r_i·(cos α_i, sin α_i), with lengths from the real variables `r`.
pub fn arrows<S: System>(system: &S, angles: &[Phase]) -> DVector<S::Number> {
    let components = angles.iter().enumerate().flat_map(|(index, angle)| {
        let (length, point) = (system.real("r", index), system.cis(angle));
        [length.clone() * point.re, length * point.im]
    });
    DVector::from_iterator(2 * angles.len(), components)
}

/// A pair of real variables `name[2i]`, `name[2i + 1]` as a column.
pub fn pair<S: System>(system: &S, name: &'static str, index: usize) -> Vector2<S::Number> {
    Vector2::new(system.real(name, 2 * index), system.real(name, 2 * index + 1))
}

/// The real variables `name[0]` … `name[dim − 1]` as a column.
pub fn vector<S: System>(system: &S, name: &'static str, dim: usize) -> DVector<S::Number> {
    DVector::from_fn(dim, |index, _| system.real(name, index))
}
