//! Computations as graphs: each number knows the operation that makes it, its values, and, where they are asked for, its
//! normal form and its first order.

use super::domain::Domain;
use super::event::{Event, Key};
use super::form::LinearForm;
use super::majorant::error_of_root;
use super::span::Span;
use crate::number::Number;
use crate::number::exact::Exact;
use crate::number::format::{exponent_of, power_of_two};
use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, OnceLock};

/// A computed number over a domain, of which constants have none.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) key: Key,
    pub(super) operation: Operation,
    pub(super) domain: Option<Arc<Domain>>,
    pub(super) span: Span,
    form: OnceLock<Option<LinearForm>>,
    value: OnceLock<Option<Exact>>,
}

#[derive(Debug)]
pub(super) enum Operation {
    /// Of some positions and reals, by name.
    Leaf(Vec<&'static str>),
    Negative(Arc<Node>),
    Sum(Arc<Node>, Arc<Node>),
    Product(Arc<Node>, Arc<Node>),
    Quotient(Arc<Node>, Arc<Node>),
    Exponential(Arc<Node>),
    Root(Arc<Node>),
}

impl Operation {
    fn operands(&self) -> [Option<&Arc<Node>>; 2] {
        match self {
            Self::Leaf(_) => [None, None],
            Self::Negative(a) | Self::Exponential(a) | Self::Root(a) => [Some(a), None],
            Self::Sum(a, b) | Self::Product(a, b) | Self::Quotient(a, b) => [Some(a), Some(b)],
        }
    }
}

/// Integers that every format is taken to hold.
const HELD: f64 = 256.0;

/// Terms of the factors of a product of normal forms, at most, multiplied.
const LONGEST: usize = 1 << 13;

impl Node {
    pub(super) fn leaf(
        key: Key,
        domain: Option<Arc<Domain>>,
        span: Span,
        value: Option<Exact>,
        form: Option<LinearForm>,
    ) -> Arc<Self> {
        Self::leaf_of(Vec::new(), key, domain, span, value, form)
    }

    /// A leaf that depends on some positions and reals.
    pub(super) fn leaf_of(
        names: Vec<&'static str>,
        key: Key,
        domain: Option<Arc<Domain>>,
        span: Span,
        value: Option<Exact>,
        form: Option<LinearForm>,
    ) -> Arc<Self> {
        let operation = Operation::Leaf(names);
        let node = Self { key, operation, domain, span, form: OnceLock::new(), value: OnceLock::new() };
        let (_, _) = (node.form.set(form), node.value.set(value));
        Arc::new(node)
    }

    /// An integer that every format holds.
    pub(super) fn integer(integer: i32) -> Option<Arc<Self>> {
        let value = Exact::from(integer);
        let size = f64::from(integer);
        let form = LinearForm::exact(value.clone(), None);
        let key = Key::of(format!("{}", integer.unsigned_abs()).as_bytes());
        let key = Key { is_negative: integer < 0, ..key };
        (size.abs() <= HELD).then(|| Self::leaf(key, None, Span::exact(size, size), Some(value), form))
    }

    fn new(key: Key, operation: Operation, span: Span) -> Arc<Self> {
        let domain = operation.operands().into_iter().flatten().find_map(|operand| operand.domain.clone());
        Arc::new(Self { key, operation, domain, span, form: OnceLock::new(), value: OnceLock::new() })
    }

    /// The number, where it is known without an error.
    fn constant(&self) -> Option<f64> {
        (self.span.radius == 0.0 && self.span.low == self.span.high).then_some(self.span.low)
    }

    pub(super) fn is_exactly(&self, number: f64) -> bool {
        matches!(self.operation, Operation::Leaf(_)) && self.constant() == Some(number)
    }

    /// An operation on integers whose result is one.
    fn of_integers(&self, other: &Self, rule: impl Fn(f64, f64) -> f64) -> Option<Arc<Self>> {
        let result = rule(self.constant()?, other.constant()?);
        (result.fract() == 0.0 && result.abs() <= HELD).then(|| Self::integer(result as i32)).flatten()
    }

    pub(super) fn negative(self: &Arc<Self>) -> Arc<Self> {
        if let Operation::Negative(positive) = &self.operation {
            return Arc::clone(positive);
        }
        Self::new(self.key.negated(), Operation::Negative(Arc::clone(self)), self.span.negated())
    }

    pub(super) fn sum(self: &Arc<Self>, other: &Arc<Self>) -> Option<Arc<Self>> {
        match () {
            () if self.is_exactly(0.0) => return Some(Arc::clone(other)),
            () if other.is_exactly(0.0) => return Some(Arc::clone(self)),
            () => {}
        }
        let Some(domain) = self.domain.as_ref().or(other.domain.as_ref()) else {
            return self.of_integers(other, |a, b| a + b);
        };
        let span = self.span.sum(&other.span).rounded(domain)?;
        let operation = Operation::Sum(Arc::clone(self), Arc::clone(other));
        Some(Self::new(self.key.sum(other.key), operation, span))
    }

    pub(super) fn product(self: &Arc<Self>, other: &Arc<Self>) -> Option<Arc<Self>> {
        match () {
            () if self.is_exactly(1.0) || other.is_exactly(0.0) => return Some(Arc::clone(other)),
            () if other.is_exactly(1.0) || self.is_exactly(0.0) => return Some(Arc::clone(self)),
            () => {}
        }
        let Some(domain) = self.domain.as_ref().or(other.domain.as_ref()) else {
            return self.of_integers(other, |a, b| a * b);
        };
        let span = self.span.product(&other.span, self.key == other.key);
        let scales = self.scales() || other.scales();
        let span = if scales { span.scaled_exactly(domain)? } else { span.rounded(domain)? };
        let operation = Operation::Product(Arc::clone(self), Arc::clone(other));
        Some(Self::new(self.key.product(other.key), operation, span))
    }

    /// True of powers of two, by which a product is exact but for underflow.
    fn scales(&self) -> bool {
        self.constant().is_some_and(|c| c != 0.0 && c.abs() == power_of_two(exponent_of(c.abs())))
    }

    pub(super) fn quotient(self: &Arc<Self>, other: &Arc<Self>) -> Option<Arc<Self>> {
        if other.is_exactly(1.0) {
            return Some(Arc::clone(self));
        }
        let Some(domain) = self.domain.as_ref().or(other.domain.as_ref()) else {
            return self.of_integers(other, |a, b| a / b);
        };
        let divisor = other.known_span();
        let mut span = self.span.quotient(&divisor)?;
        if self.is_part_of(other) {
            span = span.between(0.0, 1.0);
        }
        let span = if other.scales() { span.scaled_exactly(domain)? } else { span.rounded(domain)? };
        let operation = Operation::Quotient(Arc::clone(self), Arc::clone(other));
        Some(Self::new(self.key.quotient(other.key), operation, span))
    }

    /// The span, narrowed where the normal form is a constant.
    fn known_span(self: &Arc<Self>) -> Span {
        let narrow = || {
            let form = self.form()?;
            let whole = form.whole()?;
            let radius = self.span.radius.min(form.radius());
            if let Some(constant) = whole.value.constant() {
                let constant = constant.to_f64();
                return Some(Span::within(constant.next_down(), constant.next_up(), radius));
            }
            let least = whole.value.least(&**self.domain.as_ref()?)?;
            Some(Span::within(least, self.span.high, radius))
        };
        if self.span.least() > 0.0 { self.span } else { narrow().unwrap_or(self.span) }
    }

    /// True if the other number is a sum of this one and others, none of which is negative.
    fn is_part_of(&self, other: &Self) -> bool {
        let (mut whole, mut is_part) = (other, false);
        while let Operation::Sum(a, b) = &whole.operation {
            if a.span.low < 0.0 || b.span.low < 0.0 {
                return false;
            }
            is_part = is_part || b.key == self.key || a.key == self.key;
            whole = a;
        }
        is_part
    }

    pub(super) fn exponential(self: &Arc<Self>) -> Option<Arc<Self>> {
        if self.is_exactly(0.0) {
            return Self::integer(1);
        }
        let span = self.span.exponential().rounded(self.domain.as_ref()?)?;
        Some(Self::new(self.key.function(b'e'), Operation::Exponential(Arc::clone(self)), span))
    }

    pub(super) fn root(self: &Arc<Self>) -> Option<Arc<Self>> {
        if let Some(constant) = self.constant() {
            let root = constant.sqrt();
            if root * root == constant && root.fract() == 0.0 && root <= HELD {
                return Self::integer(root as i32);
            }
        }
        let mut span = self.known_span().root()?;
        if self.span.least() <= 0.0 {
            span.radius = span.radius.min(error_of_root(self).unwrap_or(f64::INFINITY));
        }
        let span = span.rounded(self.domain.as_ref()?)?;
        Some(Self::new(self.key.function(b'r'), Operation::Root(Arc::clone(self)), span))
    }

    /// The numbers of which this one is made, and itself last, each once, without those that are made of numbers at which
    /// `ends` is true.
    pub(super) fn parts(self: &Arc<Self>, ends: &dyn Fn(&Self) -> bool) -> Vec<Arc<Self>> {
        let (mut seen, mut ordered, mut stack) = (HashSet::new(), Vec::new(), vec![(Arc::clone(self), false)]);
        while let Some((node, is_ready)) = stack.pop() {
            if is_ready {
                ordered.push(node);
                continue;
            }
            if !seen.insert(Arc::as_ptr(&node)) {
                continue;
            }
            stack.push((Arc::clone(&node), true));
            if !ends(&node) {
                stack.extend(
                    node.operation.operands().into_iter().flatten().map(|operand| (Arc::clone(operand), false)),
                );
            }
        }
        ordered
    }

    /// The positions and reals of which this number is made, by name.
    pub(super) fn names(self: &Arc<Self>) -> BTreeSet<&'static str> {
        let names = |part: &Arc<Self>| match &part.operation {
            Operation::Leaf(names) => names.clone(),
            _ => Vec::new(),
        };
        self.parts(&|_| false).iter().flat_map(names).collect()
    }

    /// The normal form with its first order; none where it has none, or a long one.
    pub(super) fn form(self: &Arc<Self>) -> Option<&LinearForm> {
        if self.form.get().is_none() {
            for part in self.parts(&|part| part.form.get().is_some()) {
                part.form.get_or_init(|| part.form_of_operands());
            }
        }
        self.form.get()?.as_ref()
    }

    /// The normal form with its first order, where it was asked for.
    pub(super) fn known_form(&self) -> Option<&LinearForm> {
        self.form.get()?.as_ref()
    }

    fn form_of_operands(&self) -> Option<LinearForm> {
        let of = |node: &Arc<Self>| node.form.get()?.clone();
        let (form, is_exact) = match &self.operation {
            Operation::Leaf(_) => return None,
            Operation::Negative(a) => return Some(of(a)?.negated()),
            Operation::Sum(a, b) => (of(a)?.plus(&of(b)?)?, false),
            Operation::Product(a, b) => {
                let (one, two) = (of(a)?, of(b)?);
                let is_short = one.len().saturating_mul(two.len()) <= LONGEST;
                (if is_short { one.times(&two)? } else { return None }, a.scales() || b.scales())
            }
            Operation::Quotient(a, b) => {
                let (one, two) = (of(a)?, of(b)?);
                let is_short = one.len().saturating_mul(two.len()) <= LONGEST;
                (if is_short { one.over(&two, &a.span, &b.known_span())? } else { return None }, b.scales())
            }
            Operation::Exponential(a) => (of(a)?.exponential(&a.span)?, false),
            Operation::Root(a) => (of(a)?.root()?, false),
        };
        let domain = self.domain.as_ref()?;
        if is_exact {
            let mut form = form;
            form.rest += domain.format.min_positive() / 2.0;
            return Some(form);
        }
        let Key { hash, .. } = self.key;
        let unit = domain.format.unit_roundoff();
        let is_wide = self.span.least() > 0.0 && self.span.magnitude() > 2.0 * self.span.least();
        if is_wide && self.span.least() > 2.0 * power_of_two(domain.format.min_exponent()) {
            // |x̂ − x| ≤ u·|x̂| ≤ u·|x|·(1 + r/|x|).
            let bound = unit * (1.0 + form.radius().min(self.span.radius) / self.span.least());
            let value = form.whole()?.value.clone();
            return form.with_event(Event::Share(hash), &value, bound * (1.0 + f64::EPSILON));
        }
        let bound = domain.rounding(form.largest().min(self.span.before_rounding()))?;
        form.with_event(Event::Operation(hash), &Exact::from(self.key.sign()), bound)
    }

    /// The normal form of the exact value; none where it has none, or a long one.
    pub(super) fn value(self: &Arc<Self>) -> Option<&Exact> {
        if self.value.get().is_none() {
            for part in self.parts(&|part| part.value.get().is_some()) {
                part.value.get_or_init(|| part.value_of_operands());
            }
        }
        self.value.get()?.as_ref()
    }

    fn value_of_operands(&self) -> Option<Exact> {
        let of = |node: &Arc<Self>| node.value.get()?.clone();
        let value = match &self.operation {
            Operation::Leaf(_) => return None,
            Operation::Negative(a) => -of(a)?,
            Operation::Sum(a, b) => of(a)? + of(b)?,
            Operation::Product(a, b) | Operation::Quotient(a, b) => {
                let (one, two) = (of(a)?, of(b)?);
                if one.len().saturating_mul(two.len()) > LONGEST {
                    return None;
                }
                if matches!(self.operation, Operation::Product(..)) { one * two } else { one / two }
            }
            Operation::Exponential(a) => of(a)?.exp(),
            Operation::Root(a) => of(a)?.sqrt(),
        };
        value.is_defined().then_some(value)
    }

    /// True if the exact values of both are known, and one; none where they are not known.
    pub(super) fn has_the_value_of(self: &Arc<Self>, other: &Arc<Self>) -> Option<bool> {
        let (one, two) = (self.value()?, other.value()?);
        one.agrees(two)
    }
}
