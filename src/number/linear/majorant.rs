//! Roots of sums of squares: the errors of a norm, relative to the norm.
//!
//! A number x̂ that is computed from reals a₁, a₂, … by sums and products has |x| ≤ V and |x̂ − x| ≤ E + f with polynomials V and E in
//! |a₁|, |a₂|, …, and a floor f for underflow. Here x has cosines and sines of the angles as they are computed. A rounding
//! adds u·(V + E). Of a·cos φ ± b·sin φ, V is √(a² + b²), a variable like the others.
//!
//! Let x be S = Σ αⱼ·aⱼ² whatever the angles are, and E ≤ Σ Cⱼ·aⱼ² by 2·|aⱼ·aₖ| ≤ aⱼ² + aₖ², with ρ = max Cⱼ/αⱼ < 1. Then
//!
//! |√x̂ − √S| ≤ Σ Cⱼ·aⱼ² / (√S·(1 + √(1 − ρ))) + √f.
//!
//! For one value of S the numerator is largest where those with the largest Cⱼ/αⱼ are at the ends of their boxes before others are more
//! than 0. Between two such points it is linear in S, so that its quotient by √S is largest at one of them. Once it is what the first
//! order admits at most, it stays there, and the quotient falls.

use super::domain::Domain;
use super::event::Event;
use super::form::Part;
use super::node::{Node, Operation};
use crate::bound::running::up;
use crate::number::exact::{Bounds, Real};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A polynomial in absolute values of reals, by the products of at most two.
#[derive(Clone, Debug, Default)]
struct Polynomial(BTreeMap<Vec<Real>, f64>);

/// Bounds on a value and on its error.
#[derive(Clone, Debug, Default)]
struct Majorant {
    value: Polynomial,
    error: Polynomial,
    floor: f64,
}

/// The name of √(a² + b²), by the place of a and b among all pairs.
const LENGTH: &str = "√";

/// The pairs of reals whose lengths are variables.
#[derive(Debug)]
struct Lengths<'a> {
    domain: &'a Domain,
    pairs: Vec<[Real; 2]>,
}

impl Lengths<'_> {
    fn magnitude(&self, (name, index): &Real) -> Option<f64> {
        if *name == LENGTH {
            let [one, other] = self.pairs.get(*index)?;
            return Some(up(self.magnitude(one)?.hypot(self.magnitude(other)?)));
        }
        self.domain.real(name, *index).map(|[low, high]| low.abs().max(high.abs()))
    }

    /// The length of a pair that is turned, if a sum is a component of one.
    fn of_turned(&mut self, a: &Arc<Node>, b: &Arc<Node>) -> Option<Polynomial> {
        let ((one, first), (other, second)) = (turned(a)?, turned(b)?);
        let is_turned = match (one, other) {
            (Event::Cosine(one), Event::Sine(other)) | (Event::Sine(one), Event::Cosine(other)) => one == other,
            _ => false,
        };
        let pair = [first.min(second), first.max(second)];
        let place = self.pairs.iter().position(|known| *known == pair).unwrap_or(self.pairs.len());
        if is_turned && place == self.pairs.len() {
            self.pairs.push(pair);
        }
        is_turned.then(|| Polynomial(BTreeMap::from([(vec![(LENGTH, place)], 1.0)])))
    }
}

/// The function and the real of ± cos φ·a or ± sin φ·a.
fn turned(node: &Arc<Node>) -> Option<(Event, Real)> {
    match &node.operation {
        Operation::Negative(a) => turned(a),
        Operation::Product(a, b) => function(a).zip(real(b)).or_else(|| function(b).zip(real(a))),
        _ => None,
    }
}

/// The rounding of a leaf that is a cosine or a sine of an angle as it is computed.
fn function(node: &Arc<Node>) -> Option<Event> {
    if let Operation::Negative(a) = &node.operation {
        return function(a);
    }
    let form = node.form()?;
    let part = form.whole()?;
    let is_leaf = matches!(node.operation, Operation::Leaf(_)) && form.rest == 0.0 && part.terms.len() == 1;
    let event = part.terms.keys().next()?;
    (is_leaf && matches!(event, Event::Cosine(_) | Event::Sine(_))).then(|| event.clone())
}

/// The real that a leaf is.
fn real(node: &Arc<Node>) -> Option<Real> {
    if !matches!(node.operation, Operation::Leaf(_)) {
        return None;
    }
    let form = node.form()?;
    let part = form.whole()?;
    let is_exact = part.terms.is_empty() && form.rest == 0.0;
    match &part.value.terms(&|_| None)?[..] {
        [term] if is_exact && term.phase.is_empty() && term.coefficient == [1.0, 0.0] => {
            <[Real; 1]>::try_from(term.reals.clone()).ok().map(|[real]| real)
        }
        _ => None,
    }
}

/// The largest degree.
const DEGREE: usize = 2;

/// The largest relative error of a square.
const LARGEST_SHARE: f64 = 0.5;

impl Polynomial {
    fn constant(size: f64) -> Self {
        Self(BTreeMap::from([(Vec::new(), size)]))
    }

    /// Of a value that is a polynomial in reals alone.
    fn of(part: &Part) -> Option<Self> {
        let mut all = Self::default();
        for term in part.value.terms(&|_| None)? {
            if !term.phase.is_empty() || term.reals.len() > DEGREE {
                return None;
            }
            let mut reals = term.reals;
            reals.sort_unstable();
            all.add(reals, up(term.coefficient[0].abs() + term.coefficient[1].abs()));
        }
        Some(all)
    }

    fn add(&mut self, product: Vec<Real>, size: f64) {
        let known = self.0.entry(product).or_default();
        *known = up(*known + size);
    }

    fn plus(mut self, other: &Self) -> Self {
        other.0.iter().for_each(|(product, size)| self.add(product.clone(), *size));
        self
    }

    fn scaled(&self, factor: f64) -> Self {
        Self(self.0.iter().map(|(product, size)| (product.clone(), up(size * factor))).collect())
    }

    fn times(&self, other: &Self) -> Option<Self> {
        let mut all = Self::default();
        for (one, size) in &self.0 {
            for (two, other) in &other.0 {
                let mut product = [&one[..], &two[..]].concat();
                if product.len() > DEGREE {
                    return None;
                }
                product.sort_unstable();
                all.add(product, up(size * other));
            }
        }
        Some(all)
    }

    /// A bound over the boxes of the reals.
    fn largest(&self, lengths: &Lengths<'_>) -> Option<f64> {
        self.0.iter().try_fold(0.0, |sum, (product, size)| {
            let size = product.iter().try_fold(*size, |size, real| Some(up(size * lengths.magnitude(real)?)))?;
            Some(up(sum + size))
        })
    }
}

impl Majorant {
    fn of_leaf(node: &Arc<Node>) -> Option<Self> {
        let form = node.form()?;
        let part = form.whole()?;
        if part.terms.is_empty() && form.rest == 0.0 {
            return Some(Self { value: Polynomial::of(&part)?, ..Self::default() });
        }
        let term = &part.terms[&function(node)?];
        let (value, error) = (Polynomial::constant(1.0), Polynomial::constant(term.bound));
        Some(Self { value, error, floor: 0.0 })
    }

    fn sum(&self, other: &Self) -> Self {
        let value = self.value.clone().plus(&other.value);
        Self { value, error: self.error.clone().plus(&other.error), floor: up(self.floor + other.floor) }
    }

    fn product(&self, other: &Self, lengths: &Lengths<'_>) -> Option<Self> {
        let most = |one: &Self| Some(up(one.value.largest(lengths)? + up(one.error.largest(lengths)? + one.floor)));
        let error = self.value.times(&other.error)?.plus(&self.error.times(&other.value)?);
        let error = error.plus(&self.error.times(&other.error)?);
        let floor = up(up(self.floor * most(other)?) + up(other.floor * most(self)?));
        // Underflow of the product.
        let floor = up(floor + lengths.domain.format.min_positive() / 2.0);
        Some(Self { value: self.value.times(&other.value)?, error, floor })
    }

    fn rounded(self, domain: &Domain) -> Self {
        let unit = domain.format.unit_roundoff();
        let error = self.error.scaled(1.0 + unit).plus(&self.value.scaled(unit));
        Self { error, floor: up(self.floor * (1.0 + unit)), ..self }
    }
}

fn majorant(node: &Arc<Node>, lengths: &mut Lengths<'_>) -> Option<Majorant> {
    let domain = lengths.domain;
    let mut all: HashMap<*const Node, Majorant> = HashMap::new();
    for part in node.parts(&|_| false) {
        let of = |node: &Arc<Node>| all.get(&Arc::as_ptr(node));
        let found = match &part.operation {
            Operation::Leaf(_) => Majorant::of_leaf(&part)?,
            Operation::Negative(a) => of(a)?.clone(),
            Operation::Sum(a, b) => {
                let sum = of(a)?.sum(of(b)?);
                let value = lengths.of_turned(a, b).unwrap_or_else(|| sum.value.clone());
                Majorant { value, ..sum }.rounded(domain)
            }
            Operation::Product(a, b) => of(a)?.product(of(b)?, lengths)?.rounded(domain),
            _ => return None,
        };
        all.insert(Arc::as_ptr(&part), found);
    }
    all.remove(&Arc::as_ptr(node))
}

/// A bound on the error that the root of a sum of squares inherits from it; none of other numbers.
pub(super) fn error_of_root(node: &Arc<Node>) -> Option<f64> {
    let domain = node.domain.clone()?;
    let mut squares: BTreeMap<Real, f64> = BTreeMap::new();
    for term in node.form()?.whole()?.value.terms(&|_| None)? {
        match (&term.reals[..], &term.phase[..]) {
            ([one, two], []) if one == two && term.coefficient[0] > 0.0 && term.coefficient[1] == 0.0 => {
                squares.insert(*one, term.coefficient[0] * (1.0 - 1e-15));
            }
            _ => return None,
        }
    }
    let mut lengths = Lengths { domain: &domain, pairs: Vec::new() };
    let Majorant { error, floor, .. } = majorant(node, &mut lengths)?;
    let mut costs: BTreeMap<Real, f64> = BTreeMap::new();
    for (product, size) in error.0 {
        let [one, two] = <[Real; 2]>::try_from(product).ok()?;
        let of = |(name, index): Real| if name == LENGTH { lengths.pairs[index].to_vec() } else { vec![(name, index)] };
        for real in [one, two].into_iter().flat_map(of) {
            let cost = costs.entry(real).or_default();
            *cost = up(*cost + size / 2.0);
        }
    }
    // Cost and square at the end of the box.
    let at_end = |(real, cost): (Real, f64)| {
        let square = squares.get(&real)?;
        let end = lengths.magnitude(&real)?;
        Some((up(cost / square), up(cost * up(end * end)), square * (end * end) * (1.0 - 1e-15)))
    };
    let mut ends = costs.into_iter().map(at_end).collect::<Option<Vec<_>>>()?;
    ends.sort_by(|(one, ..), (other, ..)| other.total_cmp(one));
    let share = ends.first().map_or(0.0, |(share, ..)| *share);
    if share.is_nan() || share >= LARGEST_SHARE {
        return None;
    }
    // No error is above this one, whatever S is.
    let most = node.form()?.radius();
    let (mut cost, mut square, mut largest) = (0.0, 0.0, 0.0f64);
    for (_, more_cost, more) in ends {
        let next = up(cost + more_cost);
        if next >= most {
            // There the numerator ends to grow.
            let there = square + more * ((most - cost).max(0.0) / more_cost) * (1.0 - 1e-12);
            largest = largest.max(most / there.sqrt());
            break;
        }
        (cost, square) = (next, square + more);
        largest = largest.max(cost / square.sqrt());
    }
    // √(1 − ρ) ≥ 1 − ρ; a sum of positive numbers is off by less than 2^−52 of itself for each of them.
    let inherited = largest * (1.0 + 1e-12) / (2.0 - share);
    Some(up(inherited + if floor == 0.0 { 0.0 } else { up(floor.sqrt()) }))
}
