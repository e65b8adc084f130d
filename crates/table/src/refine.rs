//! Fate of the entries that the fast test does not accept.

use super::double;
use super::eight_bits::Factors;
use super::plan::Plan;
use super::{Element, InvalidTable};
use posproof_encoding::Law;
use posproof_encoding::convention::Component;
use posproof_numerics::rounding::{nearest, nearest_rational, round_double};

/// Which arithmetic settled an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// The angle is exactly 0, or the amplitude is.
    Exact,
    /// Binary64 or double-double arithmetic on the plan's factors.
    Refined,
    /// Enclosures in arbitrary precision.
    Multiprecision,
}

/// The entries whose value is known without arithmetic.
pub struct Rest<K> {
    /// The position where every angle is 0.
    position: Option<u64>,
    /// The correct rounding of X.
    cos: K,
    /// True if X = 0.
    pub vanishes: bool,
}

impl<K: Element> Rest<K> {
    pub fn new(convention: &posproof_encoding::convention::Convention) -> Result<Self, InvalidTable> {
        let gain = convention.gain();
        let cos = match gain.exact() {
            Some(value) => nearest_rational(K::FORMAT, &value),
            None => nearest(K::FORMAT, |bits| Some(gain.enclose(bits))),
        };
        Ok(Self {
            position: Law::new(convention).origin(),
            cos: K::from_exact(cos.ok_or(InvalidTable::Precision)?),
            vanishes: gain.exact().is_some_and(|value| value.is_zero()),
        })
    }

    /// The entry, if θ = 0 or X = 0.
    pub fn entry(&self, position: u64, still: bool, component: Component) -> Option<K> {
        let rests = self.vanishes || still || self.position == Some(position);
        rests.then(|| if component == Component::Cos { self.cos } else { K::default() })
    }
}

/// A rejected entry: pair `pair` of the row at `n` = position − origin, under this anchor.
pub struct Query<'a> {
    pub anchor: &'a [double::Pairs],
    pub n: u64,
    pub pair: usize,
    pub component: Component,
}

/// The correct rounding of an entry, by the cheapest arithmetic that is sure of it.
pub fn refine<K: Element>(plan: &Plan<K>, rest: &Rest<K>, query: &Query<'_>) -> Result<(K, Settled), InvalidTable> {
    let Query { anchor, n, pair, component } = *query;
    let position = plan.origin + n;
    if let Some(entry) = rest.entry(position, plan.still[pair], component) {
        return Ok((entry, Settled::Exact));
    }
    let factors = Factors::new(plan, anchor, n);
    let (value, error) = factors.value(plan, pair, component);
    if let Some(entry) = K::round_within(value, error) {
        return Ok((entry, Settled::Refined));
    }
    let (eight, lane) = (pair / 8, pair % 8);
    let z = double::single(&double::single(&anchor[eight], &factors.coarse[eight], lane), &factors.fine[eight], lane);
    let (sine_error, cosine_error) = plan.full_errors(pair, n);
    let rounded = match component {
        Component::Sin => round_double(K::FORMAT, z.s[lane], z.s_low[lane], sine_error),
        Component::Cos => round_double(K::FORMAT, z.c[lane], z.c_low[lane], cosine_error),
    };
    match rounded {
        Some(value) => Ok((K::from_exact(value), Settled::Refined)),
        None => Ok((multiprecision(plan, position, pair, component)?, Settled::Multiprecision)),
    }
}

fn multiprecision<K: Element>(
    plan: &Plan<K>,
    position: u64,
    pair: usize,
    component: Component,
) -> Result<K, InvalidTable> {
    nearest(K::FORMAT, |bits| plan.entries.enclose(position, pair, component, bits))
        .map(K::from_exact)
        .ok_or(InvalidTable::Undecided { position, pair })
}
