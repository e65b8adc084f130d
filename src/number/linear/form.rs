//! Values with their first order, and the bounds of both over a domain.
//!
//! A sum of hundreds of products is kept in parts, each at least four times as large as the next. Parts are merged
//! once they are nearer in size, so that no sum copies all that it has summed. Magnitudes of parts are
//! added: a bound as well, and that of the whole where nothing cancels between parts.

use super::domain::Domain;
use super::event::Event;
use super::span::Span;
use crate::bound::running::up;
use crate::number::Number;
use crate::number::exact::{Bounds, Exact, Wave};
use crate::number::phase::{Frequency, Position};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

/// A coefficient, the bound of its event, and a bound of their product.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct EventTerm {
    pub(super) coefficient: Exact,
    pub(super) bound: f64,
    pub(super) size: f64,
}

impl EventTerm {
    fn new(coefficient: Exact, bound: f64, atoms: &dyn Bounds) -> Option<Self> {
        let size = up(coefficient.magnitude(atoms)? * bound);
        Some(Self { coefficient, bound, size })
    }
}

/// A part of a sum.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) value: Exact,
    /// Bounds the value.
    pub(super) magnitude: f64,
    pub(super) terms: BTreeMap<Event, EventTerm>,
}

/// Parts of fewer terms than this in all are merged whatever their sizes.
const SMALL: usize = 64;
/// Parts that differ by less than this factor are merged.
const APART: usize = 4;

impl Part {
    fn new(value: Exact, terms: BTreeMap<Event, EventTerm>, atoms: &dyn Bounds) -> Option<Self> {
        let magnitude = value.magnitude(atoms)?;
        Some(Self { value, magnitude, terms })
    }

    fn len(&self) -> usize {
        self.value.len() + self.terms.len()
    }

    /// Σ |c_e|·h_e.
    pub(super) fn first_order(&self) -> f64 {
        self.terms.values().fold(0.0, |sum, term| up(sum + term.size))
    }

    /// A bound on Σ c_e·δ_e, with a·|cos θ| + b·|sin θ| ≤ √(a² + b²) for what stands beside the cosine and the sine of one angle.
    pub(super) fn joint_first_order(&self, atoms: &dyn Bounds) -> f64 {
        let mut waves: BTreeMap<Wave, [f64; 2]> = BTreeMap::new();
        let mut alone = 0.0;
        for term in self.terms.values() {
            let found = term.coefficient.quadratures(atoms).unwrap_or_default();
            let sum = found.iter().fold(0.0, |sum, (_, [a, b])| sum + a + b) * term.bound;
            // What cancels within a coefficient is not known wave by wave.
            if found.is_empty() || sum > 1.5 * term.size {
                alone = up(alone + term.size);
                continue;
            }
            for (wave, sizes) in found {
                let known = waves.entry(wave).or_default();
                for (known, size) in known.iter_mut().zip(sizes) {
                    *known = up(*known + up(size * term.bound));
                }
            }
        }
        let joint = waves.values().fold(alone, |sum, [a, b]| up(sum + if *b == 0.0 { *a } else { up(a.hypot(*b)) }));
        joint.min(self.first_order())
    }

    fn merged(&self, other: &Self, atoms: &dyn Bounds) -> Option<Self> {
        let (large, small) = if self.terms.len() < other.terms.len() { (other, self) } else { (self, other) };
        let mut terms = large.terms.clone();
        for (event, term) in &small.terms {
            add(&mut terms, event.clone(), &term.coefficient, term.bound, atoms)?;
        }
        let sum = Self::new(self.value.clone() + other.value.clone(), terms, atoms)?;
        // What bounds short forms well is lost on long ones.
        let magnitude = sum.magnitude.min(up(self.magnitude + other.magnitude));
        Some(Self { magnitude, ..sum })
    }
}

/// Adds `coefficient` times an event; none where it has no bound.
fn add(
    terms: &mut BTreeMap<Event, EventTerm>,
    event: Event,
    coefficient: &Exact,
    bound: f64,
    atoms: &dyn Bounds,
) -> Option<()> {
    match terms.entry(event) {
        _ if bound == 0.0 => {}
        Entry::Vacant(place) => {
            place.insert(EventTerm::new(coefficient.clone(), bound, atoms)?);
        }
        Entry::Occupied(mut place) => {
            let sum = place.get().coefficient.clone() + coefficient.clone();
            if sum == Exact::from(0) {
                place.remove();
            } else {
                let bound = place.get().bound.max(bound);
                place.insert(EventTerm::new(sum, bound, atoms)?);
            }
        }
    }
    Some(())
}

/// A computed number over a domain, of which constants have none.
#[derive(Clone, Debug)]
pub(super) struct LinearForm {
    parts: Vec<Arc<Part>>,
    pub(super) rest: f64,
    pub(super) domain: Option<Arc<Domain>>,
}

/// The variables of constants.
struct NoVariable;

impl Bounds for NoVariable {
    fn position(&self, _: &Position) -> Option<f64> {
        None
    }
    fn frequency(&self, _: &Frequency) -> Option<f64> {
        None
    }
    fn real(&self, _: &str, _: usize) -> Option<[f64; 2]> {
        None
    }
}

fn atoms(domain: &Option<Arc<Domain>>) -> &dyn Bounds {
    match domain {
        Some(domain) => &**domain,
        None => &NoVariable,
    }
}

impl LinearForm {
    /// A value without errors; none where it has no bound.
    pub(super) fn exact(value: Exact, domain: Option<Arc<Domain>>) -> Option<Self> {
        let part = Part::new(value, BTreeMap::new(), atoms(&domain))?;
        Some(Self { parts: vec![Arc::new(part)], rest: 0.0, domain })
    }

    /// Terms in all.
    pub(super) fn len(&self) -> usize {
        let long =
            |part: &Arc<Part>| part.value.len() + part.terms.values().map(|term| term.coefficient.len()).sum::<usize>();
        self.parts.iter().map(long).sum()
    }

    /// All parts as one.
    pub(super) fn whole(&self) -> Option<Arc<Part>> {
        let mut parts = self.parts.iter().rev().cloned();
        let smallest = parts.next()?;
        parts.try_fold(smallest, |sum, part| Some(Arc::new(part.merged(&sum, atoms(&self.domain))?)))
    }

    /// Σ |c_e|·h_e + R, part by part.
    pub(super) fn radius(&self) -> f64 {
        self.parts.iter().fold(self.rest, |sum, part| up(sum + part.first_order()))
    }

    /// A bound on what is computed.
    pub(super) fn largest(&self) -> f64 {
        self.parts.iter().fold(self.radius(), |sum, part| up(sum + part.magnitude))
    }

    /// This number with `coefficient` times an event more.
    pub(super) fn with_event(self, event: Event, coefficient: &Exact, bound: f64) -> Option<Self> {
        let mut terms = BTreeMap::new();
        add(&mut terms, event, coefficient, bound, atoms(&self.domain))?;
        let part = Part { value: Exact::from(0), magnitude: 0.0, terms };
        let (rest, domain) = (0.0, self.domain.clone());
        self.plus(&Self { parts: vec![Arc::new(part)], rest, domain })
    }

    /// The sum without a rounding.
    pub(super) fn plus(mut self, other: &Self) -> Option<Self> {
        self.domain = self.domain.or_else(|| other.domain.clone());
        self.rest = if other.rest == 0.0 { self.rest } else { up(self.rest + other.rest) };
        self.parts.extend(other.parts.iter().cloned());
        self.parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
        while let [.., large, small] = &self.parts[..]
            && (large.len() + small.len() <= SMALL || small.len() * APART > large.len())
        {
            let merged = Arc::new(large.merged(small, atoms(&self.domain))?);
            self.parts.truncate(self.parts.len() - 2);
            self.parts.push(merged);
        }
        Some(self)
    }

    pub(super) fn negated(&self) -> Self {
        let negated = |part: &Arc<Part>| {
            let terms = part
                .terms
                .iter()
                .map(|(event, term)| (event.clone(), EventTerm { coefficient: -term.coefficient.clone(), ..*term }));
            Arc::new(Part { value: -part.value.clone(), magnitude: part.magnitude, terms: terms.collect() })
        };
        Self { parts: self.parts.iter().map(negated).collect(), ..self.clone() }
    }

    /// The product without a rounding.
    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        let domain = self.domain.clone().or_else(|| other.domain.clone());
        let (one, two) = (self.whole()?, other.whole()?);
        let mut terms = BTreeMap::new();
        for (factor, errors) in [(&one, &two), (&two, &one)] {
            for (event, EventTerm { coefficient, bound, .. }) in &errors.terms {
                let coefficient = factor.value.clone() * coefficient.clone();
                add(&mut terms, event.clone(), &coefficient, *bound, atoms(&domain))?;
            }
        }
        let [r, s] = [(&one, self.rest), (&two, other.rest)].map(|(part, rest)| up(part.first_order() + rest));
        let rest = up(up(one.magnitude * other.rest) + up(two.magnitude * self.rest) + up(r * s));
        let part = Part::new(one.value.clone() * two.value.clone(), terms, atoms(&domain))?;
        Some(Self { parts: vec![Arc::new(part)], rest, domain })
    }

    /// The quotient without a rounding, of numbers with the values of `dividend` and `divisor`; none where that may be 0.
    pub(super) fn over(&self, other: &Self, dividend: &Span, divisor: &Span) -> Option<Self> {
        let domain = self.domain.clone().or_else(|| other.domain.clone());
        let atoms = atoms(&domain);
        let (one, two) = (self.whole()?, other.whole()?);
        let quotient = one.value.clone() / two.value.clone();
        let mut terms = BTreeMap::new();
        for (event, EventTerm { coefficient, bound, .. }) in &one.terms {
            add(&mut terms, event.clone(), &(coefficient.clone() / two.value.clone()), *bound, atoms)?;
        }
        for (event, EventTerm { coefficient, bound, .. }) in &two.terms {
            let coefficient = -(quotient.clone() * coefficient.clone()) / two.value.clone();
            add(&mut terms, event.clone(), &coefficient, *bound, atoms)?;
        }
        let part = Part::new(quotient, terms, atoms)?;
        let [r, s] = [(&one, self.rest), (&two, other.rest)].map(|(part, rest)| up(part.first_order() + rest));
        // (x + e)/(y + f) − x/y − (e − f·x/y)/y = −(e/y − f/y·x/y)·f/y/(1 + f/y).
        let least = divisor.least();
        let share = (s / least).min(divisor.share());
        if share.is_nan() || share >= 0.5 {
            return None;
        }
        let numerator = (r / least).min(up(part.magnitude * dividend.share()));
        let inherited = up(up(self.rest + up(part.magnitude * other.rest)) / least);
        let second = up(up(up(numerator + up(part.magnitude * share)) * share) / (1.0 - share));
        let rest = if s == 0.0 { inherited } else { up(inherited + up(second)) };
        Some(Self { parts: vec![Arc::new(part)], rest, domain })
    }

    /// e to this power without a rounding; the power has the values of `span`.
    pub(super) fn exponential(&self, span: &Span) -> Option<Self> {
        let atoms = atoms(&self.domain);
        let power = self.whole()?;
        let value = power.value.exp();
        let mut terms = BTreeMap::new();
        for (event, EventTerm { coefficient, bound, .. }) in &power.terms {
            add(&mut terms, event.clone(), &(coefficient.clone() * value.clone()), *bound, atoms)?;
        }
        let part = Part::new(value, terms, atoms)?;
        let r = self.radius();
        // e^(v + e) − e^v − e·e^v ≤ e^v·e²/2·e^|e|.
        let second = if r == 0.0 { 0.0 } else { up(up(r * r / 2.0) * up(core_math::exp(r))) };
        let largest = part.magnitude.min(up(core_math::exp(span.high)));
        let rest = if r == 0.0 { 0.0 } else { up(largest * up(self.rest + second)) };
        Some(Self { parts: vec![Arc::new(part)], rest, domain: self.domain.clone() })
    }

    /// The square root of a constant without a rounding; none of others.
    pub(super) fn root(&self) -> Option<Self> {
        let atoms = atoms(&self.domain);
        let square = self.whole()?;
        let constant = square.value.constant()?.to_f64();
        let r = self.radius();
        let least = (constant - r) * (1.0 - f64::EPSILON);
        if least <= 0.0 {
            return None;
        }
        let value = square.value.sqrt();
        let slope = Exact::from(1) / (value.clone() + value.clone());
        let mut terms = BTreeMap::new();
        for (event, EventTerm { coefficient, bound, .. }) in &square.terms {
            add(&mut terms, event.clone(), &(coefficient.clone() * slope.clone()), *bound, atoms)?;
        }
        let part = Part::new(value, terms, atoms)?;
        // √(c + e) − √c − e/(2√c) ≤ e²/(8·(c − |e|)^(3/2)).
        let second = up(up(r * r) / (8.0 * least * least.sqrt() * (1.0 - f64::EPSILON)));
        let rest = if r == 0.0 { 0.0 } else { up(up(self.rest / (2.0 * least.sqrt())) + up(second)) };
        Some(Self { parts: vec![Arc::new(part)], rest, domain: self.domain.clone() })
    }
}
