//! Bounds for all inputs of a domain: normal forms with rounding events.
//!
//! A [`Linear`] number stands for every value x̂ that a program in a binary format computes, over a
//! whole domain of positions and reals:
//!
//! x̂ = v + Σ_e c_e·δ_e + r, with |δ_e| ≤ h_e and |r| ≤ R.
//!
//! v and the coefficients c_e are normal forms of the [`exact`](super::exact) system, in the
//! frequencies and reals *as rounded*: the system speaks of the same program as
//! [`Rounding`](super::running::Rounding) with functions that are correctly rounded. An *event* e is one
//! rounding. Angles, cosines and sines are events of their frequency and position, shared by all that
//! computes with them, and odd in the position where the function is.
//!
//! | operation | events and rest |
//! | --- | --- |
//! | φ̂ = fl(fl(p)·ω) | δ with \|δ\| ≤ ω·h(p) + h(φ), 0 where the product is exact |
//! | cos φ̂ | −sin φ·δ + ρ, \|ρ\| ≤ h(1), R = δ²/2 |
//! | sin φ̂ | cos φ·δ + ρ, \|ρ\| ≤ h(1), R = δ²/2 |
//! | x ± y | those of x and y, R = R_x + R_y; one rounding |
//! | x·y | v_x·c_y + v_y·c_x, R = \|v_x\|·R_y + \|v_y\|·R_x + r_x·r_y, r = Σ\|c_e\|·h_e + R; one rounding |
//!
//! h(z) bounds the rounding error of all numbers up to the magnitude z, *with the errors of what is rounded*:
//! for 2^k < z ≤ 2^(k+1) it is the half unit below 2^k or min(half unit above, z − 2^k), the larger. The
//! difference of two sides with equal normal forms is at most Σ_e |c_e − c′_e|·h_e + R + R′. Coefficients are
//! bounded by the triangle inequality on their normal forms, phases being anywhere.
//!
//! Positions are integers. Quotients, square roots, exponentials and angles of several frequencies are undefined here;
//! of claims with permutations or choices a bound is for one of them.

mod domain;
mod form;

use super::Number;
use super::exact::{Bounds, Exact, Formal};
use super::format::{Format, exponent_of, power_of_two};
use super::phase::{Frequency, Phase};
use super::system::{Decision, Measure, Relation, Side, System, Values};
use crate::bound::running::up;
use crate::claim::Inputs;
use domain::Domain;
use form::{Event, Form, Part};
use num_complex::Complex;
use rug::Rational;
use std::sync::Arc;

/// A computed number over a domain, or undefined.
#[derive(Clone, Debug)]
pub struct Linear(Option<Form>);

/// Equality of exact values whose events are the same.
impl PartialEq for Linear {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_some() && self.0 == other.0
    }
}

impl Linear {
    fn with(&self, other: &Self, rule: impl FnOnce(&Form, &Form) -> Option<Form>) -> Self {
        Self(self.0.as_ref().zip(other.0.as_ref()).and_then(|(a, b)| rule(a, b)))
    }

    fn plus(&self, other: &Self) -> Self {
        self.with(other, |a, b| {
            if a.is_exactly(0) {
                return Some(b.clone());
            }
            if b.is_exactly(0) {
                return Some(a.clone());
            }
            a.clone().plus(b)?.rounded()
        })
    }

    fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negated())
    }

    fn times(&self, other: &Self) -> Self {
        self.with(other, |a, b| {
            if a.is_exactly(1) {
                return Some(b.clone());
            }
            if b.is_exactly(1) {
                return Some(a.clone());
            }
            a.times(b)?.rounded()
        })
    }

    fn over(&self, _: &Self) -> Self {
        Self(None)
    }

    fn negated(&self) -> Self {
        Self(self.0.as_ref().map(Form::negated))
    }

    /// A bound on the exact value over the domain; none where it is undefined.
    pub fn magnitude(&self) -> Option<f64> {
        self.0.as_ref()?.whole().map(|whole| whole.magnitude)
    }

    fn nought() -> Self {
        Self::from(0)
    }

    fn unit() -> Self {
        Self::from(1)
    }
}

/// The integer as a constant, which every format is taken to hold up to 256.
impl From<i32> for Linear {
    fn from(integer: i32) -> Self {
        Self((integer.unsigned_abs() <= 256).then(|| Form::exact(Exact::from(integer), None)).flatten())
    }
}

number_operators!(Linear);

impl Number for Linear {
    fn exp(&self) -> Self {
        Self(None)
    }

    fn sqrt(&self) -> Self {
        Self(None)
    }
}

/// The system of bounds for all inputs of a domain.
#[derive(Clone, Debug)]
pub struct Uniform(Arc<Domain>);

impl Uniform {
    /// The system of a program in `format`, over all `inputs`; of positions those from −`last` to `last` alone, and those up to
    /// `last` where a range ends with [`Inputs::LAST_POSITION`].
    pub fn new(inputs: &Inputs, last: i64, format: Format) -> Self {
        let positions = inputs.positions_to(last).map(|(name, range)| (name, range.map(|end| end as f64)));
        let reals = inputs.reals.iter().map(|(name, _, low, high)| (*name, format.round(low.abs().max(high.abs()))));
        Self(Arc::new(Domain { format, positions: positions.collect(), reals: reals.collect() }))
    }

    fn point(&self, phase: &Phase) -> Option<[Form; 2]> {
        let exact = Formal.cis(phase);
        let form = |value: &Exact| Form::exact(value.clone(), Some(Arc::clone(&self.0)));
        let [cos, sin] = [form(&exact.re)?, form(&exact.im)?];
        let mut terms = phase.terms();
        if *phase.turn_count() != 0 {
            return None;
        }
        let Some((frequency, position)) = terms.next() else { return Some([cos, sin]) };
        if terms.next().is_some() {
            return None;
        }
        let (omega, far) = (self.0.frequency(frequency)?, self.0.position(position)?);
        let whole = power_of_two(self.0.format.precision() as i32);
        let displaced = if far <= whole { 0.0 } else { self.0.rounding(far)? };
        let largest = up(up(far + displaced) * omega);
        let is_power = matches!(frequency, Frequency::Power { .. }) && omega == power_of_two(exponent_of(omega));
        // A product by 1 is exact, and by a power of two where nothing underflows.
        let is_exact = far == 1.0 && position.terms().next().is_none() || is_power && omega >= power_of_two(-12);
        let product = if is_exact { 0.0 } else { self.0.rounding(largest)? };
        let delta = if displaced == 0.0 { product } else { up(up(omega * displaced) + product) };

        let leading = position.terms().next().map_or(position.constant(), |(_, coefficient)| coefficient);
        let sign = if leading < 0 { -1 } else { 1 };
        let (key, odd) = (position.clone().times(sign), Exact::from(sign as i32));
        let angle = Event::Angle(frequency.clone(), key.clone());
        let local = self.0.rounding(1.0)?;
        let cosine = Event::Cosine(frequency.clone(), key.clone());
        let sine = Event::Sine(frequency.clone(), key);
        let mut cos = cos.with_event(angle.clone(), &(-exact.im.clone() * odd.clone()), delta)?;
        let mut sin = sin.with_event(angle, &(exact.re * odd.clone()), delta)?;
        [cos.rest, sin.rest] = [up(delta * delta / 2.0); 2];
        cos = cos.with_event(cosine, &Exact::from(1), local)?;
        sin = sin.with_event(sine, &odd, local)?;
        Some([cos, sin])
    }

    /// The difference of the sides of an equality, and what is beyond its first order.
    fn difference(&self, left: &Linear, right: &Linear) -> Option<(Arc<Part>, f64)> {
        let difference = left.0.clone()?.plus(&right.0.as_ref()?.negated())?;
        Some((difference.whole()?, difference.rest))
    }
}

impl System for Uniform {
    type Number = Linear;

    /// The domain is that of all values.
    fn at(&self, _: &Arc<Values>) -> Self {
        self.clone()
    }

    fn angle(&self, _: &Phase) -> Linear {
        Linear(None)
    }

    fn cis(&self, phase: &Phase) -> Complex<Linear> {
        match self.point(phase) {
            Some([cos, sin]) => Complex::new(Linear(Some(cos)), Linear(Some(sin))),
            None => Complex::new(Linear(None), Linear(None)),
        }
    }

    fn real(&self, name: &'static str, index: usize) -> Linear {
        Linear(Form::exact(Formal.real(name, index), Some(Arc::clone(&self.0))))
    }

    fn rational(&self, value: &Rational) -> Linear {
        let form = Form::exact(Exact::rational(value), Some(Arc::clone(&self.0)));
        if self.0.format.round(value.to_f64()) == *value {
            return Linear(form);
        }
        let bound = self.0.rounding(up(value.to_f64().abs()));
        let event = || Event::Constant(value.clone());
        Linear(form.zip(bound).and_then(|(form, bound)| form.with_event(event(), &Exact::from(1), bound)))
    }

    /// `Held` says that the normal forms of the sides are equal, and bounds how far apart they are computed; `error` is 0,
    /// because nothing is measured.
    fn decide(&self, relation: &Relation<Linear>) -> Decision {
        let Relation::Equal(left, right) = relation else {
            return Decision::unable("a bound for all inputs is one of equalities");
        };
        if left.0.is_none() || right.0.is_none() {
            return Decision::unable("an operation whose errors are not linearised, or that may overflow");
        }
        let Some((difference, rest)) = self.difference(left, right) else {
            return Decision::unable("a coefficient without a bound");
        };
        let measure = Measure { error: 0.0, bound: up(difference.first_order() + rest) };
        if difference.value == Exact::from(0) { Decision::Held(measure) } else { Decision::Refuted(measure) }
    }

    fn side(&self, number: &Linear) -> Side {
        let whole = number.0.as_ref().and_then(|form| Some((form.whole()?, form.rest)));
        let decimal = whole.as_ref().map_or_else(|| "undefined".to_owned(), |(whole, _)| whole.value.to_string());
        let bound = whole.map(|(whole, rest)| up(whole.first_order() + rest));
        Side { decimal, hex: None, bound }
    }
}
