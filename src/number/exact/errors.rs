//! Angles with errors: normal forms in which each angle stands as it is computed.
//!
//! An angle φ is computed as φ + Σ ±ε, with a variable for each rounding. Identities hold of any angles, so that those of computed ones
//! leave differences Σ A·(e^(iE) − e^(iE′)) alone, E and E′ sums of errors: at most Σ |A|·|E − E′|, without a second order.

use super::magnitude::largest;
use super::normal_form::{Atom, Gaussian, Monomial, Sum};
use super::{Bounds, Exact, radians};
use crate::bound::running::up;
use crate::number::phase::Phase;
use num_complex::Complex;
use rug::Rational;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of errors of angles.
pub(in crate::number) const ERROR: &str = "ε";

/// Σ n·ε, by the places of the errors.
pub(in crate::number) type Errors = BTreeMap<usize, i32>;

/// Σ weight·|Σ n·ε|: a bound on a difference that vanishes where angles have no errors.
#[derive(Clone, Debug, Default)]
pub(in crate::number) struct Residual(pub(in crate::number) Vec<AngleDisplacement>);

/// A difference A·(e^(iE) − e^(iE′)).
#[derive(Clone, Debug)]
pub(in crate::number) struct AngleDisplacement {
    /// A bound on |A|.
    pub(in crate::number) weight: f64,
    /// E − E′.
    pub(in crate::number) errors: Errors,
    /// A bound on what the first order i·A·(E − E′) leaves: |A|·|E − E′|·max(|E|, |E′|).
    pub(in crate::number) beyond: f64,
}

impl Exact {
    /// Cosine and sine of a phase whose angle has errors, each with its sign.
    pub(in crate::number) fn cis_with_errors(phase: &Phase, errors: &[(usize, i32)]) -> Complex<Self> {
        let mut angle = radians(phase);
        for (place, sign) in errors {
            let coefficient = Gaussian::new(Rational::from(*sign), Rational::new());
            angle = angle.plus(&Sum::atom(Atom::Real(ERROR, *place)).scaled(&coefficient));
        }
        Self::cis(&angle)
    }

    /// The difference from what it is without errors of angles, if that is 0; none of others.
    pub(in crate::number) fn residual(&self, atoms: &dyn Bounds) -> Option<Residual> {
        let (numerator, _) = self.0.as_ref()?;
        if numerator.0.is_empty() {
            return Some(Residual::default());
        }
        let sum = self.as_sum()?;
        // By phase: by errors: what stands beside them.
        let mut phases: BTreeMap<Option<Arc<Sum>>, BTreeMap<Errors, Sum>> = BTreeMap::new();
        for (monomial, coefficient) in &sum.0 {
            let (phase, errors) = without_errors(monomial.exponent.as_ref())?;
            let beside = phases.entry(phase).or_default().entry(errors).or_default();
            beside.add_term(Monomial { powers: monomial.powers.clone(), exponent: None }, coefficient.clone());
        }
        let mut all = Vec::new();
        for (_, beside) in phases {
            let total = beside.values().fold(Sum::default(), |total, part| total.plus(part));
            if !total.0.is_empty() {
                return None;
            }
            // The largest is the one that the others are compared with.
            let mut sizes = Vec::new();
            for (errors, part) in beside {
                sizes.push((largest(&part, atoms)?, errors, part));
            }
            sizes.sort_by(|(one, ..), (other, ..)| other.total_cmp(one));
            let Some((_, reference, _)) = sizes.first().cloned() else { continue };
            let mut apart: Vec<(AngleDisplacement, Sum)> = Vec::new();
            for (weight, mut errors, part) in sizes.into_iter().skip(1) {
                let reach = extent(&errors, atoms)?.max(extent(&reference, atoms)?);
                for (place, count) in &reference {
                    *errors.entry(*place).or_default() -= count;
                }
                errors.retain(|_, count| *count != 0);
                let opposite: Errors = errors.iter().map(|(place, count)| (*place, -count)).collect();
                let extent = extent(&errors, atoms)?;
                match apart.iter().position(|(known, other)| known.errors == opposite && *other == part) {
                    // A·(e^(iE) − 1) + A·(e^(−iE) − 1) = −A·(2 − 2 cos E) ≤ A·E².
                    Some(place) => {
                        let (AngleDisplacement { weight, errors, .. }, _) = apart.swap_remove(place);
                        let weight = up(weight * extent.min(2.0));
                        all.push(AngleDisplacement { weight, errors, beyond: up(weight * extent) });
                    }
                    None => {
                        let beyond = up(weight * up(extent * reach));
                        apart.push((AngleDisplacement { weight, errors, beyond }, part));
                    }
                }
            }
            all.extend(apart.into_iter().map(|(displacement, _)| displacement));
        }
        Some(Residual(all))
    }

    /// The derivatives by the errors of angles where there are none, by their places.
    pub(in crate::number) fn slopes(&self) -> Option<BTreeMap<usize, Exact>> {
        let mut slopes: BTreeMap<usize, Sum> = BTreeMap::new();
        for (monomial, coefficient) in &self.as_sum()?.0 {
            let (exponent, errors) = without_errors(monomial.exponent.as_ref())?;
            for (place, count) in errors {
                let factor = Gaussian::new(Rational::new(), Rational::from(count));
                let term = Monomial { powers: monomial.powers.clone(), exponent: exponent.clone() };
                slopes.entry(place).or_default().add_term(term, coefficient.times(&factor));
            }
        }
        Some(slopes.into_iter().map(|(place, sum)| (place, Self::whole(sum))).collect())
    }

    /// The value where angles have no errors; none of quotients.
    pub(in crate::number) fn at_no_errors(&self) -> Option<Self> {
        let mut sum = Sum::default();
        for (monomial, coefficient) in &self.as_sum()?.0 {
            let (exponent, _) = without_errors(monomial.exponent.as_ref())?;
            sum.add_term(Monomial { powers: monomial.powers.clone(), exponent }, coefficient.clone());
        }
        Some(Self::whole(sum))
    }

    /// The sum that this is, if it is no quotient.
    pub(super) fn as_sum(&self) -> Option<&Sum> {
        let (numerator, denominator) = self.0.as_ref()?;
        denominator.as_rational().is_some_and(|one| one == 1).then_some(&**numerator)
    }
}

/// An exponent without its errors, and the errors; none where they stand deeper.
pub(super) fn without_errors(exponent: Option<&Arc<Sum>>) -> Option<(Option<Arc<Sum>>, Errors)> {
    let Some(exponent) = exponent else { return Some((None, Errors::new())) };
    let (mut rest, mut errors) = (Sum::default(), Errors::new());
    for (monomial, coefficient) in &exponent.0 {
        match &monomial.powers[..] {
            [(Atom::Real(ERROR, place), 1)] if coefficient.re == 0 && monomial.exponent.is_none() => {
                errors.insert(*place, coefficient.im.to_f64() as i32);
            }
            _ if monomial.exponent.is_some() => return None,
            _ => rest.add_term(monomial.clone(), coefficient.clone()),
        }
    }
    Some(((!rest.0.is_empty()).then(|| Arc::new(rest)), errors))
}

/// A bound on Σ |n|·|ε|.
pub(super) fn extent(errors: &Errors, atoms: &dyn Bounds) -> Option<f64> {
    errors.iter().try_fold(0.0, |sum, (place, count)| {
        let [low, high] = atoms.real(ERROR, *place)?;
        Some(up(sum + f64::from(count.unsigned_abs()) * low.abs().max(high.abs())))
    })
}
