//! Parts that are taken as they are computed.
//!
//! Two computations of one number are the same floating-point number. Beyond it nothing depends on how it was computed, so that it may
//! stand as a variable, without an error, for anything that it is computed as. An equality that holds with the variable in its
//! place keeps its bound. Where it does not hold any more, nothing is said.

use super::form::LinearForm;
use super::node::{Node, Operation};
use super::span::Span;
use crate::number::exact::Exact;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

type Hashes = HashSet<u128>;

impl Node {
    /// Both numbers with what both are made of taken as it is computed; none where they have nothing in common.
    pub(super) fn cut(self: &Arc<Self>, other: &Arc<Self>) -> Option<[Arc<Self>; 2]> {
        self.cut_at(other, &[self.computations(), other.computations()])
    }

    /// Both numbers with what two operands of their last sums are made of taken as it is computed: of (x + A) − A′ = x, what A and A′
    /// are made of. None where no two have anything in common.
    pub(super) fn cut_by_operands(self: &Arc<Self>, other: &Arc<Self>) -> Option<[Arc<Self>; 2]> {
        let operands = |node: &Arc<Self>| match &node.operation {
            Operation::Sum(a, b) => vec![a.computations(), b.computations()],
            _ => vec![node.computations()],
        };
        self.cut_at(other, &[operands(self), operands(other)].concat())
    }

    /// All of which this number is made, itself included, but for leaves.
    fn computations(self: &Arc<Self>) -> Hashes {
        let parts = self.parts(&|_| false);
        parts.iter().filter(|part| !matches!(part.operation, Operation::Leaf(_))).map(|part| part.key.hash).collect()
    }

    /// Both numbers with what occurs twice among `all` taken as it is computed.
    fn cut_at(self: &Arc<Self>, other: &Arc<Self>, all: &[Hashes]) -> Option<[Arc<Self>; 2]> {
        let (mut seen, mut shared) = (Hashes::new(), Hashes::new());
        for hash in all.iter().flatten() {
            if !seen.insert(*hash) {
                shared.insert(*hash);
            }
        }
        if shared.is_empty() {
            return None;
        }
        Some([self.without(&shared)?, other.without(&shared)?])
    }

    fn without(self: &Arc<Self>, shared: &Hashes) -> Option<Arc<Self>> {
        let is_shared = |node: &Self| shared.contains(&node.key.hash) && !matches!(node.operation, Operation::Leaf(_));
        let mut made: HashMap<*const Self, Arc<Self>> = HashMap::new();
        let mut last = None;
        for part in self.parts(&is_shared) {
            let of = |node: &Arc<Self>| made.get(&Arc::as_ptr(node)).cloned();
            let new = match &part.operation {
                Operation::Leaf(_) => Arc::clone(&part),
                _ if is_shared(&part) => part.as_computed()?,
                Operation::Negative(a) => of(a)?.negative(),
                Operation::Sum(a, b) => of(a)?.sum(&of(b)?)?,
                Operation::Product(a, b) => of(a)?.product(&of(b)?)?,
                Operation::Quotient(a, b) => of(a)?.quotient(&of(b)?)?,
                Operation::Exponential(a) => of(a)?.exponential()?,
                Operation::Root(a) => of(a)?.root()?,
            };
            made.insert(Arc::as_ptr(&part), Arc::clone(&new));
            last = Some(new);
        }
        last
    }

    /// A number without an error that may be anything this one is computed as.
    fn as_computed(self: &Arc<Self>) -> Option<Arc<Self>> {
        let domain = self.domain.clone()?;
        let largest = self.form().map_or(f64::INFINITY, LinearForm::largest);
        let [low, high] = self.span.computed();
        let [low, high] = [low.max(-largest), high.min(largest)];
        let ends = if self.key.is_negative { [-high, -low] } else { [low, high] };
        let atom: Exact = domain.computed(self.key.hash, ends);
        let value = if self.key.is_negative { -atom } else { atom };
        let form = LinearForm::exact(value.clone(), Some(Arc::clone(&domain)));
        Some(Self::leaf(self.key, Some(domain), Span::exact(low, high), Some(value), form))
    }
}
