//! Plane vectors as complex numbers.

use crate::number::{Number, Phase, System};
use nalgebra::Vector2;
use num_complex::Complex;

/// The complex number `name[0] + i·name[1]` of two real variables.
pub fn complex<S: System>(system: &S, name: &'static str) -> Complex<S::Number> {
    Complex::new(system.real(name, 0), system.real(name, 1))
}

/// f(x) = x·e^(iφ) (Why Are Sines and Cosines, "Exponentials").
pub fn turned<S: System>(system: &S, x: Complex<S::Number>, angle: &Phase) -> Complex<S::Number> {
    x * system.cis(angle)
}

/// (Re, Im) as a column.
pub fn as_column<N: Number>(z: Complex<N>) -> Vector2<N> {
    Vector2::new(z.re, z.im)
}
