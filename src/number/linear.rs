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
//! computes with them, and odd in the position where the function is. Sums and products of the same numbers are one event on both
//! sides: + and × are commutative, and odd where both signs change. Sides that are one computation differ by 0.
//!
//! | operation | events and rest |
//! | --- | --- |
//! | φ̂ = fl(fl(p)·ω) | δ with \|δ\| ≤ ω·h(p) + h(φ), 0 where the product is exact |
//! | cos φ̂ | −sin φ·δ + ρ, \|ρ\| ≤ h(1), R = δ²/2 |
//! | sin φ̂ | cos φ·δ + ρ, \|ρ\| ≤ h(1), R = δ²/2 |
//! | x ± y | those of x and y, R = R_x + R_y; one rounding |
//! | x·y | v_x·c_y + v_y·c_x, R = \|v_x\|·R_y + \|v_y\|·R_x + r_x·r_y, r = Σ\|c_e\|·h_e + R; one rounding |
//! | x/y | (c_x − c_y·v_x/v_y)/v_y, R = (R_x + \|v_x/v_y\|·R_y)/m + (r_x + \|v_x/v_y\|·r_y)·r_y/(m·(m − r_y)), m = min \|v_y\|; one rounding |
//! | e^x | c_x·e^v, R = max e^v·(R_x + r_x²/2·e^(r_x)); one rounding, as a share |
//!
//! h(z) bounds the rounding error of all numbers up to the magnitude z, *with the errors of what is rounded*:
//! for 2^k < z ≤ 2^(k+1) it is the half unit below 2^k or min(half unit above, z − 2^k), the larger. The
//! difference of two sides with equal normal forms is at most Σ_e |c_e − c′_e|·h_e + R + R′. Coefficients are bounded by the triangle
//! inequality on their normal forms, phases being anywhere; those beside the cosine and the sine of one angle together, by √(a² + b²).
//!
//! Positions are integers. Three ways lead to a bound, and the first that can say something is taken:
//!
//! 1. *Cut.* Numbers that both sides compute are the same floating-point numbers: they are taken as they are, as variables with
//!    the ends of what is computed. Two softmaxes of one row in two orders differ in the order of the sums alone. Where that says
//!    nothing, so are numbers of which two operands of the last sums are made: of (x + A) − A = x, A.
//! 2. *Whole.* The normal forms of both sides, in positions and reals.
//! 3. *Apart.* Where normal forms are long, or have no room for an operation, each side's error is bounded by itself, and the bounds are
//!    added. The values over the domain are then enclosed, operation by operation. The identity must be known otherwise. After a
//!    cut such bounds are at times the smaller ones, because they know the errors of products and quotients as shares.

mod angle;
mod certificate;
mod cut;
mod domain;
mod equality;
mod event;
mod far;
mod form;
mod joint;
mod lattice;
mod majorant;
mod node;
mod pairs;
mod span;

use super::Number;
use super::exact::{AngleDisplacement, Bounds, Exact, Formal};
use super::format::Format;
use super::inputs::Inputs;
use super::phase::{Frequency, Phase, Position};
use super::system::{Decision, Measure, Relation, Side, System, Values};
use crate::bound::running::up;
use domain::Domain;
use equality::{Difference, Equality};
use event::{Event, Key};
use form::LinearForm;
pub(crate) use joint::angle_error;
use node::Node;
use num_complex::Complex;
use rug::Rational;
use span::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

/// A computed number over a domain, or undefined.
#[derive(Clone, Debug)]
pub struct Linear(Option<Arc<Node>>);

/// Equality of computations.
impl PartialEq for Linear {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_ref().zip(other.0.as_ref()).is_some_and(|(one, two)| one.key == two.key)
    }
}

impl Linear {
    fn with(&self, other: &Self, rule: impl FnOnce(&Arc<Node>, &Arc<Node>) -> Option<Arc<Node>>) -> Self {
        Self(self.0.as_ref().zip(other.0.as_ref()).and_then(|(a, b)| rule(a, b)))
    }

    fn plus(&self, other: &Self) -> Self {
        self.with(other, Node::sum)
    }

    fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negated())
    }

    fn times(&self, other: &Self) -> Self {
        self.with(other, Node::product)
    }

    fn over(&self, other: &Self) -> Self {
        self.with(other, Node::quotient)
    }

    fn negated(&self) -> Self {
        Self(self.0.as_ref().map(Node::negative))
    }

    /// A bound on the exact value over the domain, by its normal form where a bound has asked for that; none where it is
    /// undefined.
    pub fn magnitude(&self) -> Option<f64> {
        let node = self.0.as_ref()?;
        let enclosed = node.span.magnitude();
        Some(node.known_form().and_then(LinearForm::whole).map_or(enclosed, |whole| enclosed.min(whole.magnitude)))
    }

    /// The positions and reals of which it is made, by name; none where it is undefined.
    pub fn names(&self) -> Option<BTreeSet<&'static str>> {
        Some(self.0.as_ref()?.names())
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
        Self(Node::integer(integer))
    }
}

number_operators!(Linear);

impl Number for Linear {
    fn exp(&self) -> Self {
        Self(self.0.as_ref().and_then(Node::exponential))
    }

    fn sqrt(&self) -> Self {
        Self(self.0.as_ref().and_then(Node::root))
    }
}

/// The system of bounds for all inputs of a domain.
#[derive(Clone, Debug)]
pub struct Uniform {
    domain: Arc<Domain>,
    /// True if equalities whose normal forms are not known are bounded nevertheless.
    trusts: bool,
    /// The equality that was last asked: its bound, its largest roundings and its angles are asked one after the other.
    last: Arc<Mutex<Option<Asked>>>,
}

/// An equality of two computations, and what is known of it.
type Asked = ([Key; 2], Option<Equality>);

impl Uniform {
    /// The system of a program in `format`, over all `inputs`; of positions those from −`last` to `last` alone, and those up to
    /// `last` where a range ends with [`Inputs::LAST_POSITION`].
    pub fn new(inputs: &Inputs, last: i64, format: Format) -> Self {
        Self { domain: Arc::new(Domain::new(inputs, last, format, false)), trusts: false, last: Arc::default() }
    }

    /// The system for equalities that are known to hold, with the rounding of frequencies as an error or not.
    pub fn of_known_equalities(inputs: &Inputs, last: i64, format: Format, charges_frequencies: bool) -> Self {
        let domain = Arc::new(Domain::new(inputs, last, format, charges_frequencies));
        Self { domain, trusts: true, last: Arc::default() }
    }

    /// The roundings that cost most in the bound of an equality, each with a bound on what it costs.
    pub fn largest_events(&self, left: &Linear, right: &Linear, count: usize) -> Vec<(String, f64)> {
        let Some(difference) = self.first_order(left, right) else { return Vec::new() };
        let Difference { part, angles, .. } = &*difference;
        let mut sizes: BTreeMap<Event, f64> =
            part.terms.iter().map(|(event, term)| (event.clone(), term.size)).collect();
        for AngleDisplacement { weight, errors, .. } in &angles.0 {
            for (place, n) in errors {
                let Some((event, bound)) = self.domain.error_at(*place) else { continue };
                let size = sizes.entry(event).or_default();
                *size = up(*size + up(weight * f64::from(n.unsigned_abs()) * bound));
            }
        }
        let mut sizes: Vec<(Event, f64)> = sizes.into_iter().collect();
        sizes.sort_by(|(one, a), (other, b)| b.total_cmp(a).then_with(|| one.cmp(other)));
        sizes.into_iter().take(count).map(|(event, size)| (event.to_string(), size)).collect()
    }

    /// True if the bound of an equality is one of the first order of both sides together.
    pub fn is_linear(&self, left: &Linear, right: &Linear) -> bool {
        left == right || self.first_order(left, right).is_some()
    }

    /// The first order of a difference in the errors of angles: frequency and position of each angle, with its coefficient,
    /// odd ones for positions whose leading sign is kept.
    pub(crate) fn angles(&self, left: &Linear, right: &Linear) -> Option<Vec<(Frequency, Position, Exact)>> {
        let slopes = self.first_order(left, right)?.part.value.slopes()?;
        let angle = |(place, slope): (usize, Exact)| match self.domain.error_at(place)?.0 {
            Event::Angle(frequency, position) => Some((frequency, position, slope)),
            _ => None,
        };
        Some(slopes.into_iter().filter_map(angle).collect())
    }

    /// A frequency as the program has it.
    pub(crate) fn rounded(&self, frequency: &Frequency) -> Option<f64> {
        self.domain.frequency(frequency)
    }

    /// A bound on a normal form over the domain.
    pub(crate) fn magnitude(&self, form: &Exact) -> Option<f64> {
        form.magnitude(&*self.domain)
    }

    fn first_order(&self, left: &Linear, right: &Linear) -> Option<Arc<Difference>> {
        match self.equality(left.0.as_ref()?, right.0.as_ref()?)? {
            Equality::Linear(difference) => Some(difference),
            _ => None,
        }
    }
}

impl System for Uniform {
    type Number = Linear;

    /// The domain is that of all values.
    fn at(&self, _: &Arc<Values>) -> Self {
        self.clone()
    }

    fn angle(&self, phase: &Phase) -> Linear {
        let angle = || {
            let angle = self.angle_of(phase)?;
            let key = Key::of(format!("angle {phase:?}").as_bytes());
            let (low, high) = (angle.low, angle.high);
            let span = if angle.radius == 0.0 { Span::exact(low, high) } else { Span::within(low, high, angle.radius) };
            let domain = Some(Arc::clone(&self.domain));
            Some(Node::leaf_of(angle::names(phase), key, domain, span, Some(Formal.angle(phase)), None))
        };
        Linear(angle())
    }

    fn cis(&self, phase: &Phase) -> Complex<Linear> {
        match self.point(phase) {
            Some([cos, sin]) => Complex::new(Linear(Some(cos)), Linear(Some(sin))),
            None => Complex::new(Linear(None), Linear(None)),
        }
    }

    fn real(&self, name: &'static str, index: usize) -> Linear {
        let leaf = || {
            let [low, high] = self.domain.real(name, index)?;
            let (value, domain) = (Formal.real(name, index), Some(Arc::clone(&self.domain)));
            let form = LinearForm::exact(value.clone(), domain.clone());
            let key = Key::of(format!("{name}[{index}]").as_bytes());
            Some(Node::leaf_of(vec![name], key, domain, Span::exact(low, high), Some(value), form))
        };
        Linear(leaf())
    }

    fn rational(&self, value: &Rational) -> Linear {
        let leaf = || {
            let (exact, domain) = (Exact::rational(value), Some(Arc::clone(&self.domain)));
            let form = LinearForm::exact(exact.clone(), domain.clone());
            // −3 is the negative of 3: both signs of a number are one computation.
            let magnitude = value.clone().abs();
            let key = Key { is_negative: *value < 0, ..Key::of(format!("{magnitude}").as_bytes()) };
            let near = value.to_f64();
            if self.domain.format.round(near) == *value {
                return Some(Node::leaf(key, domain, Span::exact(near, near), Some(exact), form));
            }
            let bound = self.domain.rounding(up(near.abs()))?;
            let event = Event::Constant(magnitude);
            let form = form.and_then(|form| form.with_event(event, &Exact::from(key.sign()), bound));
            let span = Span::within(near.next_down(), near.next_up(), bound);
            Some(Node::leaf(key, domain, span, Some(exact), form))
        };
        Linear(leaf())
    }

    /// `Held` says that the sides are equal in exact arithmetic, and bounds how far apart they are computed; `error` is 0,
    /// because nothing is measured.
    fn decide(&self, relation: &Relation<Linear>) -> Decision {
        let Relation::Equal(left, right) = relation else {
            return Decision::unable("a bound for all inputs is one of equalities");
        };
        let (Some(left), Some(right)) = (&left.0, &right.0) else {
            return Decision::unable("a quotient or root of what may be 0, or a result that may overflow");
        };
        let measure = |bound| Measure { error: 0.0, bound };
        match self.equality(left, right) {
            Some(Equality::Same) => Decision::Held(measure(0.0)),
            Some(Equality::Linear(difference)) => {
                let apart = up(left.span.radius + right.span.radius);
                Decision::Held(measure(self.bound(&difference).map_or(apart, |bound| bound.min(apart))))
            }
            Some(Equality::Apart(bound)) if bound.is_finite() => Decision::Held(measure(bound)),
            Some(Equality::Refuted(bound)) => Decision::Refuted(measure(bound)),
            Some(Equality::Apart(_)) | None => Decision::unable("normal forms that are long, or unknown"),
        }
    }

    fn side(&self, number: &Linear) -> Side {
        let node = number.0.as_ref();
        let decimal = node.map_or_else(
            || "undefined".to_owned(),
            |node| {
                node.value().map_or_else(|| format!("{:e} to {:e}", node.span.low, node.span.high), Exact::to_string)
            },
        );
        Side { decimal, hex: None, bound: node.map(|node| node.span.radius) }
    }
}
