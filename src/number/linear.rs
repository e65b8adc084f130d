//! Bounds for all inputs of a domain: normal forms with rounding events.
//!
//! A [`Linear`] number stands for every value x̂ that a program in a binary format computes, over a
//! whole domain of positions and reals:
//!
//! x̂ = v + Σ_e c_e·δ_e + r, with |δ_e| ≤ h_e and |r| ≤ R.
//!
//! v and the coefficients c_e are normal forms of the [`exact`](super::exact) system, in the
//! frequencies and reals *as rounded*: the system speaks of the same program as
//! [`Rounding`] with functions that are correctly rounded. An *event* e is one
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

use super::exact::{Bounds, Exact, Formal};
use super::format::{Format, exponent_of, power_of_two};
use super::phase::{Frequency, Phase, Position};
use super::running::Rounding;
use super::system::{Decision, Measure, Relation, Side, System, Values};
use super::{Number, float::Float};
use crate::bound::running::up;
use crate::claim::Inputs;
use num_complex::Complex;
use rug::Rational;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The positions and reals of which a bound speaks, and the format of the program.
#[derive(Clone, Debug)]
struct Domain {
    format: Format,
    positions: BTreeMap<&'static str, [f64; 2]>,
    reals: BTreeMap<&'static str, f64>,
}

impl Domain {
    /// h(z): a bound on |fl(x) − x| for all |x| ≤ z; none where x may overflow.
    fn rounding(&self, z: f64) -> Option<f64> {
        let least = self.format.min_positive() / 2.0;
        if z.is_nan() || z > self.format.max_finite() {
            return None;
        }
        if z < power_of_two(self.format.min_exponent()) {
            return Some(least);
        }
        let binade = power_of_two(exponent_of(z));
        let unit = binade * self.format.unit_roundoff();
        Some((unit / 2.0).max(unit.min(up(z - binade))).max(least))
    }

    /// A frequency as the format has it.
    fn rounded(&self, frequency: &Frequency) -> Option<f64> {
        let system = Rounding::<Float>::new(self.format);
        let angle = system.angle(&(Position::integer(1) * frequency.clone()));
        Some(angle.value().get()).filter(|omega| omega.is_finite())
    }
}

impl Bounds for Domain {
    fn position(&self, position: &Position) -> Option<f64> {
        let [mut low, mut high] = [position.constant() as f64; 2];
        for (name, coefficient) in position.terms() {
            let [a, b] = self.positions.get(name)?.map(|end| end * coefficient as f64);
            low += a.min(b);
            high += a.max(b);
        }
        // Integers below 2^53, hence exact.
        Some(low.abs().max(high.abs())).filter(|largest| *largest < power_of_two(53))
    }

    fn frequency(&self, frequency: &Frequency) -> Option<f64> {
        match frequency {
            Frequency::Free(name) => self.real(name),
            Frequency::Power { .. } => self.rounded(frequency),
        }
    }

    fn real(&self, name: &str) -> Option<f64> {
        self.reals.get(name).copied()
    }
}

/// One rounding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// Of position and product.
    Angle(Frequency, Position),
    Cosine(Frequency, Position),
    Sine(Frequency, Position),
    Constant(Rational),
    /// Of a sum or product, which are numbered: no two are shared.
    Operation(u64),
}

/// A coefficient, and the bound of its event.
type Terms = BTreeMap<Event, (Exact, f64)>;

#[derive(Clone, Debug)]
struct Form {
    value: Exact,
    terms: Terms,
    rest: f64,
    /// None of constants.
    domain: Option<Arc<Domain>>,
}

/// A computed number over a domain, or undefined.
#[derive(Clone, Debug)]
pub struct Linear(Option<Form>);

/// Equality of exact values whose events are the same.
impl PartialEq for Linear {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => a.value == b.value && a.terms == b.terms && a.rest == b.rest,
            _ => false,
        }
    }
}

impl Form {
    fn exact(value: Exact, domain: Option<Arc<Domain>>) -> Self {
        Self { value, terms: Terms::new(), rest: 0.0, domain }
    }

    fn is_exactly(&self, integer: i32) -> bool {
        self.terms.is_empty() && self.rest == 0.0 && self.value == Exact::from(integer)
    }

    /// Σ |c_e|·h_e + R.
    fn radius(&self, domain: &Domain) -> Option<f64> {
        let mut sum = self.rest;
        for (coefficient, bound) in self.terms.values() {
            sum = up(sum + up(coefficient.magnitude(domain)? * bound));
        }
        Some(sum)
    }

    fn add(&mut self, event: Event, coefficient: Exact, bound: f64) {
        if bound == 0.0 {
            return;
        }
        let entry = self.terms.entry(event).or_insert_with(|| (Exact::from(0), bound));
        entry.0 += coefficient;
    }

    fn plus(mut self, other: &Self) -> Self {
        self.value += other.value.clone();
        for (event, (coefficient, bound)) in &other.terms {
            self.add(event.clone(), coefficient.clone(), *bound);
        }
        self.rest = if other.rest == 0.0 { self.rest } else { up(self.rest + other.rest) };
        self
    }

    fn times(&self, other: &Self, domain: &Domain) -> Option<Self> {
        let value = self.value.clone() * other.value.clone();
        let mut product = Self::exact(value, None);
        for (one, two) in [(self, other), (other, self)] {
            for (event, (coefficient, bound)) in &two.terms {
                product.add(event.clone(), one.value.clone() * coefficient.clone(), *bound);
            }
        }
        let [x, y] = [self.value.magnitude(domain)?, other.value.magnitude(domain)?];
        let second = up(self.radius(domain)? * other.radius(domain)?);
        product.rest = up(up(x * other.rest) + up(y * self.rest) + second);
        Some(product)
    }

    /// The rounding of what is computed from numbers of the format.
    fn rounded(mut self, domain: Arc<Domain>) -> Option<Self> {
        static OPERATIONS: AtomicU64 = AtomicU64::new(0);
        let largest = up(self.value.magnitude(&*domain)? + self.radius(&domain)?);
        let bound = domain.rounding(largest)?;
        self.add(Event::Operation(OPERATIONS.fetch_add(1, Ordering::Relaxed)), Exact::from(1), bound);
        self.domain = Some(domain);
        Some(self)
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
            let sum = a.clone().plus(b);
            match a.domain.as_ref().or(b.domain.as_ref()) {
                Some(domain) => sum.rounded(Arc::clone(domain)),
                None => Some(sum),
            }
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
            match a.domain.as_ref().or(b.domain.as_ref()) {
                Some(domain) => a.times(b, domain)?.rounded(Arc::clone(domain)),
                None => Some(Form::exact(a.value.clone() * b.value.clone(), None)),
            }
        })
    }

    fn over(&self, _: &Self) -> Self {
        Self(None)
    }

    fn negated(&self) -> Self {
        Self(self.0.clone().map(|mut form| {
            form.value = -form.value;
            form.terms.values_mut().for_each(|(coefficient, _)| *coefficient = -coefficient.clone());
            form
        }))
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
        Self((integer.unsigned_abs() <= 256).then(|| Form::exact(Exact::from(integer), None)))
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
    /// The system of a program in `format`, over all `inputs`, of whose positions those in 0..=`last` alone where their range
    /// goes beyond.
    pub fn new(inputs: &Inputs, last: i64, format: Format) -> Self {
        let end = |end: i64| end.clamp(-last, last) as f64;
        let positions = inputs.positions.iter().map(|(name, range)| (*name, [end(*range.start()), end(*range.end())]));
        let reals = inputs.reals.iter().map(|(name, _, low, high)| (*name, format.round(low.abs().max(high.abs()))));
        Self(Arc::new(Domain { format, positions: positions.collect(), reals: reals.collect() }))
    }

    fn point(&self, phase: &Phase) -> Option<[Form; 2]> {
        let exact = Formal.cis(phase);
        let domain = || Some(Arc::clone(&self.0));
        let [mut cos, mut sin] = [&exact.re, &exact.im].map(|value| Form::exact(value.clone(), domain()));
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
        cos.add(angle.clone(), -exact.im.clone() * odd.clone(), delta);
        sin.add(angle, exact.re * odd.clone(), delta);
        let local = self.0.rounding(1.0)?;
        cos.add(Event::Cosine(frequency.clone(), key.clone()), Exact::from(1), local);
        sin.add(Event::Sine(frequency.clone(), key), odd, local);
        [cos.rest, sin.rest] = [up(delta * delta / 2.0); 2];
        Some([cos, sin])
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
        Linear(Some(Form::exact(Formal.real(name, index), Some(Arc::clone(&self.0)))))
    }

    fn rational(&self, value: &Rational) -> Linear {
        let mut form = Form::exact(Exact::rational(value), Some(Arc::clone(&self.0)));
        if self.0.format.round(value.to_f64()) != *value {
            let Some(bound) = self.0.rounding(up(value.to_f64().abs())) else { return Linear(None) };
            form.add(Event::Constant(value.clone()), Exact::from(1), bound);
        }
        Linear(Some(form))
    }

    /// `Held` says that the normal forms of the sides are equal, and bounds how far apart they are computed; `error` is 0,
    /// because nothing is measured.
    fn decide(&self, relation: &Relation<Linear>) -> Decision {
        let Relation::Equal(left, right) = relation else {
            return Decision::unable("a bound for all inputs is one of equalities");
        };
        let Some(difference) = left.0.as_ref().zip(right.0.as_ref()).map(|(l, r)| {
            let Linear(negated) = Linear(Some(r.clone())).negated();
            negated.map(|negated| l.clone().plus(&negated))
        }) else {
            return Decision::unable("an operation whose errors are not linearised, or that may overflow");
        };
        let Some((value, bound)) = difference.and_then(|all| Some((all.value.clone(), all.radius(&self.0)?))) else {
            return Decision::unable("a coefficient without a bound");
        };
        let measure = Measure { error: 0.0, bound };
        if value == Exact::from(0) { Decision::Held(measure) } else { Decision::Refuted(measure) }
    }

    fn side(&self, number: &Linear) -> Side {
        let decimal = number.0.as_ref().map_or_else(|| "undefined".to_owned(), |form| form.value.to_string());
        let bound = number.0.as_ref().and_then(|form| form.radius(&self.0));
        Side { decimal, hex: None, bound }
    }
}
