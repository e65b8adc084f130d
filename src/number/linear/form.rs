//! Values with their first order, and the bounds of both over a domain.
//!
//! A sum of hundreds of products is kept in parts, each at least four times as large as the next. Parts are merged
//! once they are nearer in size, so that no sum copies all that it has summed. Magnitudes of parts are
//! added: a bound as well, and that of the whole where nothing cancels between parts.

use super::domain::Domain;
use crate::bound::running::up;
use crate::number::exact::{Bounds, Exact};
use crate::number::phase::{Frequency, Position};
use rug::Rational;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::sync::Arc;

/// One rounding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// Of position and product.
    Angle(Frequency, Position),
    Cosine(Frequency, Position),
    Sine(Frequency, Position),
    Constant(Rational),
    /// Of a sum or product, by what is computed.
    Operation(u128),
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |frequency: &Frequency| match frequency {
            Frequency::Power { index, .. } => format!("ω{index}"),
            Frequency::Free(name) => (*name).to_owned(),
        };
        match self {
            Self::Angle(frequency, position) => write!(f, "angle {}·({position})", name(frequency)),
            Self::Cosine(frequency, position) => write!(f, "cosine of {}·({position})", name(frequency)),
            Self::Sine(frequency, position) => write!(f, "sine of {}·({position})", name(frequency)),
            Self::Constant(value) => write!(f, "constant {value}"),
            Self::Operation(_) => f.write_str("a sum or product"),
        }
    }
}

/// A coefficient, the bound of its event, and a bound of their product.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Term {
    pub(super) coefficient: Exact,
    pub(super) bound: f64,
    pub(super) size: f64,
}

impl Term {
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
    pub(super) terms: BTreeMap<Event, Term>,
}

/// Parts of fewer terms than this in all are merged whatever their sizes.
const SMALL: usize = 64;
/// Parts that differ by less than this factor are merged.
const APART: usize = 4;

impl Part {
    fn new(value: Exact, terms: BTreeMap<Event, Term>, atoms: &dyn Bounds) -> Option<Self> {
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

    /// The events that cost most, with what each costs.
    pub(super) fn largest(&self, count: usize) -> Vec<(String, f64)> {
        let mut sizes: Vec<(&Event, f64)> = self.terms.iter().map(|(event, term)| (event, term.size)).collect();
        sizes.sort_by(|(one, a), (other, b)| b.total_cmp(a).then_with(|| one.cmp(other)));
        sizes.into_iter().take(count).map(|(event, size)| (event.to_string(), size)).collect()
    }

    fn merged(&self, other: &Self, atoms: &dyn Bounds) -> Option<Self> {
        let (large, small) = if self.terms.len() < other.terms.len() { (other, self) } else { (self, other) };
        let mut terms = large.terms.clone();
        for (event, term) in &small.terms {
            add(&mut terms, event.clone(), &term.coefficient, term.bound, atoms)?;
        }
        Self::new(self.value.clone() + other.value.clone(), terms, atoms)
    }
}

/// Adds `coefficient` times an event; none where it has no bound.
fn add(
    terms: &mut BTreeMap<Event, Term>,
    event: Event,
    coefficient: &Exact,
    bound: f64,
    atoms: &dyn Bounds,
) -> Option<()> {
    match terms.entry(event) {
        _ if bound == 0.0 => {}
        Entry::Vacant(place) => {
            place.insert(Term::new(coefficient.clone(), bound, atoms)?);
        }
        Entry::Occupied(mut place) => {
            let sum = place.get().coefficient.clone() + coefficient.clone();
            if sum == Exact::from(0) {
                place.remove();
            } else {
                let bound = place.get().bound;
                place.insert(Term::new(sum, bound, atoms)?);
            }
        }
    }
    Some(())
}

/// A computation, up to its sign: equal ones are the same floating-point number, because + and × are commutative, and odd
/// where both signs change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// FNV-1a (Fowler, Noll, Vo): two computations of one claim have the same with a probability below 2^−90.
    hash: u128,
    is_negative: bool,
}

impl Key {
    fn of(bytes: &[u8]) -> Self {
        const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        let hash = bytes.iter().fold(START, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME));
        Self { hash, is_negative: false }
    }

    fn joined(sign: u8, one: u128, other: u128) -> Self {
        let (less, greater) = (one.min(other), one.max(other));
        Self::of(&[&[sign][..], &less.to_le_bytes(), &greater.to_le_bytes()].concat())
    }

    fn sum(self, other: Self) -> Self {
        let first = if self.hash <= other.hash { self } else { other };
        let sign = if self.is_negative == other.is_negative { b'+' } else { b'-' };
        Self { is_negative: first.is_negative, ..Self::joined(sign, self.hash, other.hash) }
    }

    fn product(self, other: Self) -> Self {
        let is_negative = self.is_negative != other.is_negative;
        Self { is_negative, ..Self::joined(b'*', self.hash, other.hash) }
    }
}

/// A computed number over a domain, of which constants have none.
#[derive(Clone, Debug)]
pub(super) struct Form {
    key: Key,
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
    fn real(&self, _: &str) -> Option<f64> {
        None
    }
}

fn atoms(domain: &Option<Arc<Domain>>) -> &dyn Bounds {
    match domain {
        Some(domain) => &**domain,
        None => &NoVariable,
    }
}

impl Form {
    /// A value without errors; none where it has no bound.
    pub(super) fn exact(value: Exact, domain: Option<Arc<Domain>>) -> Option<Self> {
        let key = Key::of(format!("{value:?}").as_bytes());
        let part = Part::new(value, BTreeMap::new(), atoms(&domain))?;
        Some(Self { key, parts: vec![Arc::new(part)], rest: 0.0, domain })
    }

    /// This number, known as what an event computes, or as its negative.
    pub(super) fn computed_by(self, event: &Event, is_negative: bool) -> Self {
        Self { key: Key { is_negative, ..Key::of(format!("{event:?}").as_bytes()) }, ..self }
    }

    /// True if both are one computation.
    pub(super) fn is_the_same_as(&self, other: &Self) -> bool {
        self.key == other.key
    }

    pub(super) fn is_exactly(&self, integer: i32) -> bool {
        let [only] = &self.parts[..] else { return false };
        only.terms.is_empty() && self.rest == 0.0 && only.value == Exact::from(integer)
    }

    /// All parts as one.
    pub(super) fn whole(&self) -> Option<Arc<Part>> {
        let mut parts = self.parts.iter().rev().cloned();
        let smallest = parts.next()?;
        parts.try_fold(smallest, |sum, part| Some(Arc::new(part.merged(&sum, atoms(&self.domain))?)))
    }

    /// Σ |c_e|·h_e + R, part by part.
    fn radius(&self) -> f64 {
        self.parts.iter().fold(self.rest, |sum, part| up(sum + part.first_order()))
    }

    /// A bound on what is computed.
    fn largest(&self) -> f64 {
        self.parts.iter().fold(self.radius(), |sum, part| up(sum + part.magnitude))
    }

    /// This number with `coefficient` times an event more.
    pub(super) fn with_event(self, event: Event, coefficient: &Exact, bound: f64) -> Option<Self> {
        let mut terms = BTreeMap::new();
        add(&mut terms, event, coefficient, bound, atoms(&self.domain))?;
        let part = Part { value: Exact::from(0), magnitude: 0.0, terms };
        let (key, rest, domain) = (self.key, 0.0, self.domain.clone());
        self.plus(&Self { key, parts: vec![Arc::new(part)], rest, domain })
    }

    /// The rounded sum.
    pub(super) fn sum(self, other: &Self) -> Option<Self> {
        let key = self.key.sum(other.key);
        Self { key, ..self.plus(other)? }.rounded()
    }

    /// The rounded product.
    pub(super) fn product(&self, other: &Self) -> Option<Self> {
        let key = self.key.product(other.key);
        Self { key, ..self.times(other)? }.rounded()
    }

    /// The sum without a rounding, under the key of the first.
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
                .map(|(event, term)| (event.clone(), Term { coefficient: -term.coefficient.clone(), ..*term }));
            Arc::new(Part { value: -part.value.clone(), magnitude: part.magnitude, terms: terms.collect() })
        };
        let key = Key { is_negative: !self.key.is_negative, ..self.key };
        Self { key, parts: self.parts.iter().map(negated).collect(), ..self.clone() }
    }

    fn times(&self, other: &Self) -> Option<Self> {
        let domain = self.domain.clone().or_else(|| other.domain.clone());
        let (one, two) = (self.whole()?, other.whole()?);
        let mut terms = BTreeMap::new();
        for (factor, errors) in [(&one, &two), (&two, &one)] {
            for (event, Term { coefficient, bound, .. }) in &errors.terms {
                let coefficient = factor.value.clone() * coefficient.clone();
                add(&mut terms, event.clone(), &coefficient, *bound, atoms(&domain))?;
            }
        }
        let [r, s] = [(&one, self.rest), (&two, other.rest)].map(|(part, rest)| up(part.first_order() + rest));
        let rest = up(up(one.magnitude * other.rest) + up(two.magnitude * self.rest) + up(r * s));
        let part = Part::new(one.value.clone() * two.value.clone(), terms, atoms(&domain))?;
        Some(Self { key: self.key, parts: vec![Arc::new(part)], rest, domain })
    }

    /// The rounding of what is computed from numbers of the format; constants are not rounded.
    fn rounded(self) -> Option<Self> {
        let Some(domain) = &self.domain else { return Some(self) };
        let bound = domain.rounding(self.largest())?;
        let Key { hash, is_negative } = self.key;
        self.with_event(Event::Operation(hash), &Exact::from(if is_negative { -1 } else { 1 }), bound)
    }
}

/// Equality of exact values whose events are the same.
impl PartialEq for Form {
    fn eq(&self, other: &Self) -> bool {
        self.rest == other.rest && self.whole().is_some_and(|whole| other.whole().as_ref() == Some(&whole))
    }
}
