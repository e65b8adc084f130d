//! Identities over all reals and all positions: normal forms of exponential polynomials.
//!
//! An [`Exact`] number is a quotient of two finite sums
//!
//! Σ c · v₁^a₁ ⋯ vₙ^aₙ · e^E
//!
//! with Gaussian rational coefficients c, real variables v and exponents E that are such sums
//! themselves. Cosine and sine enter through Euler's formula, cos φ = (e^(iφ) + e^(−iφ))/2, with
//! φ = Σ position·frequency a polynomial in formal positions and frequencies; softmax enters
//! through e^(score). Exponents add, so that the addition theorems are arithmetic, and a sum is
//! the zero function exactly when it has no terms: exponentials of polynomials that do not differ
//! by a constant are linearly independent over the rational functions, and those that differ by a
//! constant are so by the theorem of Lindemann and Weierstrass. Square roots of rationals are
//! products of square roots of primes, which are independent too. There are two exceptions, where a
//! normal form that is not empty is *unable*, not refuted: one with e^(iπr), r rational (quarter
//! turns are reduced to powers of i), and one with both π and exponentials.

mod coq;
mod errors;
mod magnitude;
mod normal_form;
mod terms;

use super::Number;
use super::phase::{Frequency, Phase, Position};
use super::system::{Decision, Measure, Relation, Side, System, Values};
pub(crate) use coq::{Variables, constant};
pub(in crate::number) use errors::{AngleDisplacement, ERROR, Errors, Residual};
pub(in crate::number) use magnitude::Wave;
use normal_form::{Atom, Gaussian, Sum};
use num_complex::Complex;
use rug::Rational;
use std::fmt;
use std::sync::Arc;
pub(crate) use terms::{Real, Term};

/// Bounds on the magnitudes of variables over a domain; none for variables that it does not have.
pub(super) trait Bounds {
    /// Of an integer combination of positions.
    fn position(&self, position: &Position) -> Option<f64>;
    /// Of a frequency, in radians per position.
    fn frequency(&self, frequency: &Frequency) -> Option<f64>;
    /// The ends of a real variable.
    fn real(&self, name: &str, index: usize) -> Option<[f64; 2]>;
}

/// A quotient of sums, or undefined. Two are equal when they are the same function.
#[derive(Clone, Debug)]
pub struct Exact(Option<(Arc<Sum>, Arc<Sum>)>);

impl Exact {
    /// The rational number that this is, if it is one.
    pub(super) fn constant(&self) -> Option<Rational> {
        let (a, b) = self.0.as_ref()?;
        Some(a.as_rational()? / b.as_rational()?)
    }
}

impl Exact {
    fn whole(sum: Sum) -> Self {
        Self(Some((Arc::new(sum), Arc::new(Sum::constant(1.into())))))
    }

    /// A rational constant.
    pub fn rational(value: &Rational) -> Self {
        Self::whole(Sum::constant(value.clone()))
    }

    /// The result of an operation that has no value.
    pub fn undefined() -> Self {
        Self(None)
    }

    /// True if the number has a value.
    pub fn is_defined(&self) -> bool {
        self.0.is_some()
    }

    fn quotient(numerator: Sum, denominator: Sum) -> Self {
        if denominator.0.is_empty() {
            return Self::undefined();
        }
        if numerator.0.is_empty() {
            return Self::nought();
        }
        match denominator.reciprocal() {
            Some(reciprocal) => Self::whole(numerator.times(&reciprocal)),
            None => Self(Some((Arc::new(numerator), Arc::new(denominator)))),
        }
    }

    fn combine(&self, other: &Self, rule: impl FnOnce(&(Arc<Sum>, Arc<Sum>), &(Arc<Sum>, Arc<Sum>)) -> Self) -> Self {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => rule(a, b),
            _ => Self::undefined(),
        }
    }

    fn plus(&self, other: &Self) -> Self {
        self.combine(other, |(a, b), (c, d)| {
            if b == d {
                return Self::quotient(a.plus(c), (**b).clone());
            }
            Self::quotient(a.times(d).plus(&c.times(b)), b.times(d))
        })
    }

    fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negated())
    }

    fn times(&self, other: &Self) -> Self {
        self.combine(other, |(a, b), (c, d)| Self::quotient(a.times(c), b.times(d)))
    }

    fn over(&self, other: &Self) -> Self {
        self.combine(other, |(a, b), (c, d)| {
            if b == d { Self::quotient((**a).clone(), (**c).clone()) } else { Self::quotient(a.times(d), b.times(c)) }
        })
    }

    fn negated(&self) -> Self {
        Self(self.0.as_ref().map(|(a, b)| (Arc::new(a.negated()), Arc::clone(b))))
    }

    fn nought() -> Self {
        Self::whole(Sum::default())
    }

    fn unit() -> Self {
        Self::whole(Sum::constant(1.into()))
    }

    /// The number of its terms.
    pub(super) fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |(numerator, denominator)| numerator.0.len() + denominator.0.len())
    }

    /// True if both are the same function, and false if they are not; none where that is not known.
    pub(super) fn agrees(&self, other: &Self) -> Option<bool> {
        let difference = self.cross_difference(other)?;
        match difference.0.is_empty() {
            true => Some(true),
            false => difference.dependence().is_none().then_some(false),
        }
    }

    /// Cosine and sine of an angle.
    fn cis(angle: &Sum) -> Complex<Self> {
        let forward = angle.scaled(&Gaussian::quarter_turns(1)).exponential();
        let backward = angle.scaled(&Gaussian::quarter_turns(3)).exponential();
        let half = Gaussian::new(Rational::from((1, 2)), Rational::new());
        let half_over_i = half.times(&Gaussian::quarter_turns(3));
        let cos = forward.plus(&backward).scaled(&half);
        let sin = forward.plus(&backward.negated()).scaled(&half_over_i);
        Complex::new(Self::whole(cos), Self::whole(sin))
    }

    /// Numerator of the difference of two quotients; `None` where one is undefined.
    fn cross_difference(&self, other: &Self) -> Option<Sum> {
        let ((a, b), (c, d)) = (self.0.as_ref()?, other.0.as_ref()?);
        if b == d {
            return Some(a.plus(&c.negated()));
        }
        Some(a.times(d).plus(&c.times(b).negated()))
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            _ => self.cross_difference(other).is_some_and(|difference| difference.0.is_empty()),
        }
    }
}

impl From<i32> for Exact {
    fn from(integer: i32) -> Self {
        Self::rational(&Rational::from(integer))
    }
}

number_operators!(Exact);

impl Number for Exact {
    fn exp(&self) -> Self {
        match &self.0 {
            Some((a, b)) => match b.as_rational() {
                Some(one) if one == 1 => Self::whole((**a).clone().exponential()),
                _ => Self::undefined(),
            },
            None => Self::undefined(),
        }
    }

    fn sqrt(&self) -> Self {
        let root = self.constant().and_then(|square| {
            // √(a/b) = √(a·b)/b
            let (numerator, denominator) = square.into_numer_denom();
            let product = rug::Integer::from(&numerator * &denominator).to_u32()?;
            Some(Sum::root(product).scaled(&Gaussian::new(Rational::from((1, denominator)), Rational::new())))
        });
        root.map_or_else(Self::undefined, Self::whole)
    }
}

/// The exact system: positions, frequencies and reals are formal variables.
#[derive(Clone, Copy, Debug, Default)]
pub struct Formal;

/// Σ position·frequency + 2π·turns as a polynomial.
fn radians(phase: &Phase) -> Sum {
    let mut angle = Sum::default();
    for (frequency, position) in phase.terms() {
        let mut place = Sum::constant(Rational::from(position.constant()));
        for (name, coefficient) in position.terms() {
            place = place
                .plus(&Sum::atom(Atom::Position(name)).scaled(&Gaussian::new(coefficient.into(), Rational::new())));
        }
        angle = angle.plus(&place.times(&Sum::atom(Atom::Frequency(frequency.clone()))));
    }
    let turn = Gaussian::new(Rational::from(phase.turn_count() * 2), Rational::new());
    angle.plus(&Sum::atom(Atom::Pi).scaled(&turn).without_zeros())
}

impl System for Formal {
    type Number = Exact;

    /// Variables are formal: values change nothing.
    fn at(&self, _: &Arc<Values>) -> Self {
        *self
    }

    fn cis(&self, phase: &Phase) -> Complex<Exact> {
        Exact::cis(&radians(phase))
    }

    fn angle(&self, phase: &Phase) -> Exact {
        Exact::whole(radians(phase))
    }

    fn real(&self, name: &'static str, index: usize) -> Exact {
        Exact::whole(Sum::atom(Atom::Real(name, index)))
    }

    fn rational(&self, value: &Rational) -> Exact {
        Exact::rational(value)
    }

    fn decide(&self, relation: &Relation<Exact>) -> Decision {
        let measure = Measure { error: 0.0, bound: 0.0 };
        let (left, right) = relation.sides();
        let Some(difference) = left.cross_difference(right) else {
            return Decision::unable("a side has no exact value: a quotient by zero, or an irrational root");
        };
        let same = difference.0.is_empty();
        let order = match (left.constant(), right.constant()) {
            (Some(l), Some(r)) => Some(l.cmp(&r)),
            _ => None,
        };
        if let (Relation::Equal(..) | Relation::Distinct(..), Some(reason)) = (relation, difference.dependence()) {
            return Decision::unable(reason);
        }
        match (relation, order) {
            (Relation::Equal(..), _) if same => Decision::Held(measure),
            (Relation::Distinct(..), _) if same => Decision::Refuted(measure),
            (Relation::Equal(..), _) => Decision::Refuted(measure),
            (Relation::Distinct(..), _) => Decision::Held(measure),
            (Relation::AtMost(..), _) if same => Decision::Held(measure),
            (Relation::Less(..), _) if same => Decision::Refuted(measure),
            (_, Some(std::cmp::Ordering::Less)) => Decision::Held(measure),
            (_, Some(_)) => Decision::Refuted(measure),
            (_, None) => Decision::unable("normal forms have no order: the exact system compares only constants"),
        }
    }

    fn side(&self, number: &Exact) -> Side {
        Side { decimal: number.to_string(), hex: None, bound: None }
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            None => f.write_str("undefined"),
            Some((a, b)) if b.as_rational().is_some_and(|one| one == 1) => write!(f, "{a}"),
            Some((a, b)) => write!(f, "({a}) / ({b})"),
        }
    }
}
