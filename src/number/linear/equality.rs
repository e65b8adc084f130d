//! Equalities of two computations: how far apart the sides are.

use super::Uniform;
use super::form::Part;
use super::node::Node;
use crate::bound::running::up;
use crate::number::exact::{Exact, Residual};
use std::sync::{Arc, OnceLock, PoisonError};

/// A difference of equal sides.
#[derive(Debug)]
pub(super) struct Difference {
    /// The roundings of operations and functions.
    pub(super) part: Arc<Part>,
    /// A bound beyond their first order.
    pub(super) rest: f64,
    /// The errors of angles.
    pub(super) angles: Residual,
    /// The bound, once it was asked for.
    bound: OnceLock<Option<f64>>,
}

/// A bound of an equality.
#[derive(Clone, Debug)]
pub(super) enum Equality {
    /// Both sides are one computation.
    Same,
    /// By the first order.
    Linear(Arc<Difference>),
    /// By each side's own error.
    Apart(f64),
    /// The normal forms differ.
    Refuted(f64),
}

impl Uniform {
    /// An equality, which is asked for its bound, its largest roundings and its angles, one after the other.
    pub(super) fn equality(&self, left: &Arc<Node>, right: &Arc<Node>) -> Option<Equality> {
        let keys = [left.key, right.key];
        if keys[0] == keys[1] {
            return Some(Equality::Same);
        }
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = last().as_ref().filter(|(asked, _)| *asked == keys) {
            return known.clone();
        }
        let found = self.found_equality(left, right);
        *last() = Some((keys, found.clone()));
        found
    }

    fn found_equality(&self, left: &Arc<Node>, right: &Arc<Node>) -> Option<Equality> {
        let own = up(left.span.radius + right.span.radius);
        let mut apart = f64::INFINITY;
        let cuts: [&dyn Fn() -> Option<[Arc<Node>; 2]>; 2] = [&|| left.cut(right), &|| left.cut_by_operands(right)];
        for [one, two] in cuts.iter().filter_map(|cut| cut()) {
            let both = up(one.span.radius + two.span.radius).min(own);
            if let Some(Ok(found)) = self.difference(&one, &two) {
                return Some(self.smaller(found, both.min(apart)));
            }
            if one.has_the_value_of(&two) == Some(true) {
                apart = apart.min(both);
            }
        }
        match self.difference(left, right) {
            Some(Ok(found)) if apart.is_infinite() => Some(Equality::Linear(Arc::new(found))),
            Some(Ok(found)) => Some(self.smaller(found, apart)),
            _ if self.trusts => Some(Equality::Apart(apart.min(own))),
            Some(Err(bound)) => Some(Equality::Refuted(bound)),
            None => match left.has_the_value_of(right) {
                Some(true) => Some(Equality::Apart(apart.min(own))),
                Some(false) => Some(Equality::Refuted(own)),
                None => apart.is_finite().then_some(Equality::Apart(apart)),
            },
        }
    }

    /// A difference, or where that is smaller by more than a hundredth, what both sides err by themselves.
    fn smaller(&self, difference: Difference, apart: f64) -> Equality {
        let is_enough = self.bound(&difference).is_some_and(|bound| bound <= apart * 1.01);
        if is_enough { Equality::Linear(Arc::new(difference)) } else { Equality::Apart(apart) }
    }

    /// The difference of two numbers in normal form, or how large its roundings may be where it does not vanish; none where that is not
    /// known.
    fn difference(&self, left: &Arc<Node>, right: &Arc<Node>) -> Option<Result<Difference, f64>> {
        let difference = left.form()?.clone().plus(&right.form()?.negated())?;
        let (part, rest) = (difference.whole()?, difference.rest);
        if let Some(angles) = part.value.residual(&*self.domain) {
            return Some(Ok(Difference { part, rest, angles, bound: OnceLock::new() }));
        }
        (part.value.at_no_errors()?.agrees(&Exact::from(0)) == Some(false)).then(|| Err(up(part.first_order() + rest)))
    }

    /// A bound on a difference.
    pub(super) fn bound(&self, difference: &Difference) -> Option<f64> {
        let Difference { part, rest, angles, bound } = difference;
        let computed = || {
            let rounding = up(part.joint_first_order(&*self.domain) + rest);
            let over_pairs = self.largest_over_pairs(angles, &part.value).unwrap_or(f64::INFINITY);
            let angles = self.domain.largest_of_angles(angles)?.min(over_pairs);
            Some(if angles == 0.0 { rounding } else { up(rounding + angles) })
        };
        *bound.get_or_init(computed)
    }
}
