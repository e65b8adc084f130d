//! Bounds on normal forms over a domain.

use super::errors::{Errors, extent, without_errors};
use super::normal_form::{Atom, Gaussian, Monomial, Sum};
use super::{Bounds, Exact};
use crate::bound::running::up;
use crate::number::phase::Position;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Terms of a form at most whose phases are told apart for its bound.
const SHORT: usize = 16;

/// Above √(re² + im²): `hypot` of one part is that part, of two it is within a unit in the last place.
fn length([re, im]: [f64; 2]) -> f64 {
    if re == 0.0 || im == 0.0 { re.max(im) } else { up(re.hypot(im)) }
}

/// Variables, at most, whose ends are all tried.
const MOST_VARIABLES: usize = 8;

/// A bound on the magnitude of a polynomial with complex coefficients. Linear in each of a few variables, it is largest where
/// each is at an end of its range, because a modulus is convex.
pub(super) fn largest(sum: &Sum, atoms: &dyn Bounds) -> Option<f64> {
    let triangle = || {
        let parts = sum.0.iter().try_fold([0.0, 0.0], |[re, im], (monomial, coefficient)| {
            let (size, [a, b]) = (monomial.magnitude(atoms)?, parts(coefficient));
            Some([up(re + up(a * size)), up(im + up(b * size))])
        })?;
        Some(length(parts))
    };
    at_the_ends(sum, atoms).or_else(triangle)
}

fn at_the_ends(sum: &Sum, atoms: &dyn Bounds) -> Option<f64> {
    let mut variables: Vec<(&'static str, usize)> = Vec::new();
    let mut terms = Vec::new();
    for (monomial, coefficient) in &sum.0 {
        let (mut scale, mut places) = (1.0, 0u32);
        for (atom, power) in &monomial.powers {
            match (atom, power) {
                (Atom::Real(name, index), 1) => {
                    let place = variables.iter().position(|known| known == &(*name, *index)).unwrap_or_else(|| {
                        variables.push((*name, *index));
                        variables.len() - 1
                    });
                    places |= 1u32.checked_shl(place as u32).unwrap_or(0);
                }
                (Atom::Root(prime), 1) => scale *= f64::from(*prime).sqrt(),
                _ => return None,
            }
        }
        if variables.len() > MOST_VARIABLES {
            return None;
        }
        terms.push(([coefficient.re.to_f64() * scale, coefficient.im.to_f64() * scale], places));
    }
    let ends: Option<Vec<[f64; 2]>> = variables.iter().map(|(name, index)| atoms.real(name, *index)).collect();
    let ends = ends?;
    let mut found = 0.0f64;
    for corner in 0..1u32 << variables.len() {
        let (mut re, mut im, mut sum) = (0.0, 0.0, 0.0);
        for ([a, b], places) in &terms {
            let chosen = ends.iter().enumerate().filter(|(place, _)| places >> place & 1 == 1);
            let product: f64 = chosen.map(|(place, ends)| ends[(corner >> place & 1) as usize]).product();
            (re, im) = (re + a * product, im + b * product);
            sum += (a.abs() + b.abs()) * product.abs();
        }
        // Rounding here loses less than this share of what is summed.
        found = found.max(length([f64::abs(re), f64::abs(im)]) + 64.0 * f64::EPSILON * sum);
    }
    Some(up(found))
}

fn parts(coefficient: &Gaussian) -> [f64; 2] {
    [&coefficient.re, &coefficient.im].map(|part| up(part.to_f64().abs()))
}

impl Exact {
    /// A bound on the magnitude for all phases, by the triangle inequality on the normal form, of which `atoms` bounds
    /// the variables; none where a divisor may be 0.
    ///
    /// Of a short form the terms with one phase are taken together: |Σ (aₖ + i·bₖ)·xₖ| ≤ √((Σ|aₖxₖ|)² + (Σ|bₖxₖ|)²).
    /// Where the divisor is a sum of positive terms, a numerator of the same terms is an average: |Σ aₖTₖ / Σ bₖTₖ| ≤ max |aₖ|/bₖ.
    pub(in crate::number) fn magnitude(&self, atoms: &dyn Bounds) -> Option<f64> {
        let (numerator, denominator) = self.0.as_ref()?;
        let plain = numerator.magnitude(atoms);
        if denominator.as_rational().is_some_and(|one| one == 1) {
            return plain;
        }
        let least = denominator.least(atoms)?;
        let quotient = plain.map(|plain| up(plain / least));
        let average = average(numerator, denominator, least, atoms);
        quotient.into_iter().chain(average).min_by(f64::total_cmp)
    }
}

/// A product without its coefficient, its exponent up to a sign.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::number) struct Wave(Monomial);

impl Exact {
    /// Bounds on the cosine's and the sine's factor of each wave of a real number: |self| ≤ Σ a·|cos θ| + b·|sin θ|. None of
    /// quotients, and where an exponent is not imaginary.
    pub(in crate::number) fn quadratures(&self, atoms: &dyn Bounds) -> Option<Vec<(Wave, [f64; 2])>> {
        let part = |(monomial, coefficient): (&Monomial, &Gaussian)| {
            let alone = Monomial { powers: monomial.powers.clone(), exponent: None };
            let size = alone.magnitude(atoms)?;
            let exponent = match &monomial.exponent {
                Some(exponent) if !exponent.is_imaginary() => return None,
                Some(exponent) => Some(Arc::clone(exponent).min(Arc::new(exponent.negated()))),
                None => None,
            };
            // The real part of (α + iβ)·e^(iθ) is α·cos θ − β·sin θ, the exponents ±iθ taken together.
            Some((Wave(Monomial { exponent, ..alone }), parts(coefficient).map(|part| up(part * size))))
        };
        self.as_sum()?.0.iter().map(part).collect()
    }
}

impl Exact {
    /// A positive number below a sum of positive terms; none where one may not be positive.
    pub(in crate::number) fn least(&self, atoms: &dyn Bounds) -> Option<f64> {
        self.as_sum()?.least(atoms)
    }
}

impl Sum {
    fn magnitude(&self, atoms: &dyn Bounds) -> Option<f64> {
        if self.0.len() > SHORT {
            return self.0.iter().try_fold(0.0, |total, (monomial, coefficient)| {
                Some(up(total + up(length(parts(coefficient)) * monomial.magnitude(atoms)?)))
            });
        }
        let mut phases: BTreeMap<Option<Arc<Sum>>, (Sum, f64)> = BTreeMap::new();
        for (monomial, coefficient) in &self.0 {
            let size = up(length(parts(coefficient)) * monomial.magnitude(atoms)?);
            // |e^(iE)·A + e^(iF)·B| ≤ |A + B| + |E|·|A| + |F|·|B|.
            let (phase, errors) = match without_errors(monomial.exponent.as_ref()) {
                Some((phase, errors)) if phase.as_ref().is_none_or(|phase| phase.is_imaginary()) => (phase, errors),
                _ => (monomial.exponent.clone(), Errors::new()),
            };
            let moved = up(size * extent(&errors, atoms)?);
            let (beside, apart) = phases.entry(phase).or_default();
            beside.add_term(Monomial { powers: monomial.powers.clone(), exponent: None }, coefficient.clone());
            *apart = up(*apart + moved);
        }
        phases.into_iter().try_fold(0.0, |total, (phase, (beside, apart))| {
            let power = Monomial { powers: Vec::new(), exponent: phase.filter(|phase| !phase.is_imaginary()) };
            let apart = if apart <= f64::MIN_POSITIVE { 0.0 } else { apart };
            let size = up(largest(&beside, atoms)? * power.magnitude(atoms)?);
            Some(up(total + size + apart))
        })
    }

    /// A positive number below a sum of positive terms; none where one may not be positive.
    fn least(&self, atoms: &dyn Bounds) -> Option<f64> {
        let least = self.0.iter().try_fold(0.0, |sum, (monomial, coefficient)| {
            let [low, _] = monomial.positive(atoms)?;
            let factor = coefficient.re.to_f64().next_down();
            (coefficient.im == 0 && factor > 0.0).then_some(sum + low * factor * (1.0 - 1e-12))
        })?;
        let least: f64 = least * (1.0 - 1e-12);
        (least > 0.0 && least.is_finite()).then_some(least)
    }
}

fn average(numerator: &Sum, denominator: &Sum, least: f64, atoms: &dyn Bounds) -> Option<f64> {
    // Of each positive product of the numerator: the sum of what stands beside it.
    let mut beside: BTreeMap<Monomial, f64> = BTreeMap::new();
    for (monomial, coefficient) in &numerator.0 {
        let (positive, rest) = monomial.split(atoms);
        let size = up(length(parts(coefficient)) * rest.magnitude(atoms)?);
        let known = beside.entry(positive).or_default();
        *known = up(*known + size);
    }
    let (mut largest, mut apart) = (0.0f64, 0.0);
    for (positive, size) in beside {
        match denominator.0.get(&positive) {
            Some(coefficient) => largest = largest.max(up(size / coefficient.re.to_f64())),
            None => apart = up(apart + up(size * positive.magnitude(atoms)?) / least),
        }
    }
    Some(up(largest + apart))
}

impl Monomial {
    fn magnitude(&self, atoms: &dyn Bounds) -> Option<f64> {
        let mut size = 1.0;
        for (atom, power) in &self.powers {
            let bound = atom.magnitude(atoms)?;
            for _ in 0..*power {
                size = up(size * bound);
            }
        }
        match &self.exponent {
            Some(exponent) => Some(up(size * up(core_math::exp(exponent.real_part(atoms)?)))),
            None => Some(size),
        }
    }

    /// The ends of a positive product; none where it may not be one.
    fn positive(&self, atoms: &dyn Bounds) -> Option<[f64; 2]> {
        let (mut low, mut high) = (1.0, self.magnitude(atoms)?);
        for (atom, power) in &self.powers {
            let least = atom.positive(atoms)?;
            for _ in 0..*power {
                low = (low * least).next_down();
            }
        }
        if let Some(exponent) = &self.exponent {
            if !exponent.is_real() {
                return None;
            }
            low *= core_math::exp(-exponent.real_part(atoms)?) * (1.0 - f64::EPSILON);
        }
        (low > 0.0).then(|| {
            high = high.max(low);
            [low, high]
        })
    }

    /// The factors that are positive, and the others.
    fn split(&self, atoms: &dyn Bounds) -> (Self, Self) {
        let (positive, others) = self.powers.iter().cloned().partition(|(atom, _)| atom.positive(atoms).is_some());
        let is_real = self.exponent.as_ref().is_some_and(|exponent| exponent.is_real());
        let (real, phase) = if is_real { (self.exponent.clone(), None) } else { (None, self.exponent.clone()) };
        (Self { powers: positive, exponent: real }, Self { powers: others, exponent: phase })
    }
}

impl Sum {
    fn is_imaginary(&self) -> bool {
        self.0.iter().all(|(monomial, coefficient)| coefficient.re == 0 && monomial.exponent.is_none())
    }

    fn is_real(&self) -> bool {
        self.0.iter().all(|(monomial, coefficient)| coefficient.im == 0 && monomial.exponent.is_none())
    }

    /// A bound on the real part of an exponent.
    fn real_part(&self, atoms: &dyn Bounds) -> Option<f64> {
        self.0.iter().filter(|(_, coefficient)| coefficient.re != 0).try_fold(0.0, |sum, (monomial, coefficient)| {
            let size = if monomial.exponent.is_none() { monomial.magnitude(atoms)? } else { return None };
            Some(up(sum + up(parts(coefficient)[0] * size)))
        })
    }
}

impl Atom {
    fn magnitude(&self, atoms: &dyn Bounds) -> Option<f64> {
        match self {
            Self::Pi => Some(std::f64::consts::PI.next_up()),
            Self::Position(name) => atoms.position(&Position::symbol(name)),
            Self::Frequency(frequency) => atoms.frequency(frequency),
            Self::Real(name, index) => atoms.real(name, *index).map(|[low, high]| low.abs().max(high.abs())),
            Self::Root(prime) => Some(up(f64::from(*prime).sqrt())),
        }
    }

    /// The least value of what is positive.
    fn positive(&self, atoms: &dyn Bounds) -> Option<f64> {
        let least = match self {
            Self::Pi => std::f64::consts::PI.next_down(),
            Self::Root(prime) => f64::from(*prime).sqrt().next_down(),
            Self::Real(name, index) => atoms.real(name, *index)?[0],
            Self::Position(_) | Self::Frequency(_) => return None,
        };
        (least > 0.0).then_some(least)
    }
}
