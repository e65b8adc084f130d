//! Normal forms as functions in binary64, for searches: what they give is tried, not trusted.

use super::Exact;
use super::normal_form::{Atom, Gaussian, Sum};
use crate::number::phase::Frequency;

/// A real variable, by its name and index.
pub(crate) type Real = (&'static str, usize);

/// c·Π reals·e^(iφ), with φ = Σ rate·position.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Term {
    /// Real and imaginary part of c.
    pub coefficient: [f64; 2],
    /// Real variables, as often as their powers say.
    pub reals: Vec<Real>,
    /// Position symbols with their rates; that of 1 has no name.
    pub phase: Vec<(Option<&'static str>, f64)>,
}

impl Exact {
    /// The terms at the frequencies that `omega` gives; none for quotients, and for what is no polynomial in reals, cosines and
    /// sines.
    pub(crate) fn terms(&self, omega: &dyn Fn(&Frequency) -> Option<f64>) -> Option<Vec<Term>> {
        let (numerator, denominator) = self.0.as_ref()?;
        if denominator.as_rational()? != 1 {
            return None;
        }
        let term = |(monomial, coefficient): (&super::normal_form::Monomial, &Gaussian)| {
            let (mut scale, mut reals) = (1.0, Vec::new());
            for (atom, power) in &monomial.powers {
                match atom {
                    Atom::Real(name, index) => reals.extend(std::iter::repeat_n((*name, *index), *power as usize)),
                    Atom::Root(prime) => scale *= f64::from(*prime).sqrt().powi(*power as i32),
                    _ => return None,
                }
            }
            let phase =
                monomial.exponent.as_ref().map_or_else(|| Some(Vec::new()), |exponent| rates(exponent, omega))?;
            let coefficient = [&coefficient.re, &coefficient.im].map(|part| scale * part.to_f64());
            Some(Term { coefficient, reals, phase })
        };
        numerator.0.iter().map(term).collect()
    }
}

/// The rates of an exponent i·Σ rate·position.
fn rates(exponent: &Sum, omega: &dyn Fn(&Frequency) -> Option<f64>) -> Option<Vec<(Option<&'static str>, f64)>> {
    let rate = |(monomial, coefficient): (&super::normal_form::Monomial, &Gaussian)| {
        if coefficient.re != 0 || monomial.exponent.is_some() {
            return None;
        }
        let (mut rate, mut position) = (coefficient.im.to_f64(), None);
        for (atom, power) in &monomial.powers {
            match (atom, power) {
                (Atom::Frequency(frequency), 1) => rate *= omega(frequency)?,
                (Atom::Position(name), 1) if position.is_none() => position = Some(*name),
                (Atom::Pi, 1) => rate *= std::f64::consts::PI,
                _ => return None,
            }
        }
        Some((position, rate))
    };
    exponent.0.iter().map(rate).collect()
}
