//! Running error: every number carries a rigorous bound on its own error.
//!
//! A [`Running<A>`] holds the value x̂ that the arithmetic `A` computes and a bound e with
//! |x̂ − x| ≤ e, where x is what exact arithmetic would have computed from the same leaves
//! (Wilkinson's running error analysis; Higham 2002, section 3.3). With h = half a unit in the
//! last place of the result (0 where the operation is exact):
//!
//! | operation | bound on the result's error |
//! | --- | --- |
//! | x ± y | e_x + e_y + h |
//! | x·y | \|x̂\|·e_y + \|ŷ\|·e_x + e_x·e_y + h |
//! | x/y | (\|x̂/ŷ\|·e_y + e_x) / (\|ŷ\| − e_y) + h |
//! | e^x | (ẑ + h)·(e^(e_x) − 1) + h |
//! | √x | e_x / √x̂ + h |
//! | cos, sin | min(e_x, 2) + h |
//!
//! The bound is computed in binary64 and inflated at every step by more than its own rounding.

mod product;

use super::Number;
use super::cache::Cache;
use super::float::Arithmetic;
use super::format::power_of_two;
use super::interval::Interval;
use super::phase::{Frequency, Phase, Position};
use super::system::{Decision, Measure, Relation, Side, System, Values};
use crate::bound::running::up;
use nalgebra::DMatrix;
use num_complex::Complex;
use rug::Rational;
use std::sync::Arc;

/// A computed value with a bound on its error. Two are equal when value and bound are.
#[derive(Clone, Debug, PartialEq)]
pub struct Running<A> {
    value: A,
    bound: f64,
}

impl<A: Arithmetic> Running<A> {
    /// A value that is exact, such as an input of the computation.
    pub fn exactly(value: A) -> Self {
        let bound = if value.is_finite() { 0.0 } else { f64::INFINITY };
        Self { value, bound }
    }

    /// A value with a bound on its error that the caller has proved. A negative or undefined
    /// bound counts as infinite.
    pub fn with_bound(value: A, bound: f64) -> Self {
        let known = value.is_finite() && bound >= 0.0;
        Self { value, bound: if known { bound } else { f64::INFINITY } }
    }

    /// The computed value.
    pub fn value(&self) -> &A {
        &self.value
    }

    /// A bound on |value − exact value|.
    pub fn bound(&self) -> f64 {
        self.bound
    }

    /// The result of an operation with the error inherited from its operands.
    // With this and the two below inlined there, sums of products take 0.7 of the time.
    #[inline(always)]
    fn result((value, exact): (A, bool), inherited: f64) -> Self {
        if !value.is_finite() {
            return Self { value, bound: f64::INFINITY };
        }
        if exact && inherited == 0.0 {
            return Self { value, bound: 0.0 };
        }
        let local = if exact { 0.0 } else { value.half_ulp() };
        Self { bound: up(inherited + local), value }
    }

    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        Self::result(self.value.sum(&other.value), self.bound + other.bound)
    }
    fn minus(&self, other: &Self) -> Self {
        Self::result(self.value.sum(&-other.value.clone()), self.bound + other.bound)
    }
    #[inline(always)]
    fn times(&self, other: &Self) -> Self {
        // Matrix products multiply every term by the constants 1 of their general form.
        if other.is_unit() {
            return self.clone();
        }
        if self.is_unit() {
            return other.clone();
        }
        let inherited = match (self.bound, other.bound) {
            (0.0, 0.0) => 0.0,
            (mine, 0.0) => up(other.value.magnitude() * mine),
            (0.0, theirs) => up(self.value.magnitude() * theirs),
            (mine, theirs) => up(self.value.magnitude() * theirs + other.value.magnitude() * mine + mine * theirs),
        };
        Self::result(self.value.product(&other.value), inherited)
    }
    fn over(&self, other: &Self) -> Self {
        let (quotient, exact) = self.value.quotient(&other.value);
        let mut inherited = 0.0;
        if self.bound != 0.0 || other.bound != 0.0 {
            let room = (other.value.magnitude() - other.bound) * (1.0 - power_of_two(-48));
            let ratio = quotient.magnitude() + quotient.half_ulp();
            inherited = if room > 0.0 { up((ratio * other.bound + self.bound) / room) } else { f64::INFINITY };
        }
        Self::result((quotient, exact), inherited)
    }
    fn negated(&self) -> Self {
        Self { value: -self.value.clone(), bound: self.bound }
    }
    #[inline]
    fn is_unit(&self) -> bool {
        self.bound == 0.0 && self.value.is_constant_one()
    }
    fn nought() -> Self {
        Self::exactly(A::zero())
    }
    fn unit() -> Self {
        Self::exactly(A::one())
    }

    /// Cosine and sine of the angle, correctly rounded.
    fn cis(&self) -> Complex<Self> {
        let (cos, sin) = self.value.cos_sin();
        let inherited = self.bound.min(2.0);
        // cos 0 = 1 and sin 0 = 0 are the only exact values at floating-point arguments.
        let exact = self.value.magnitude() == 0.0;
        Complex::new(Self::result((cos, exact), inherited), Self::result((sin, exact), inherited))
    }
}

impl<A: Arithmetic> From<i32> for Running<A> {
    fn from(integer: i32) -> Self {
        Self::exactly(A::from(integer))
    }
}

number_operators!(Running<A>, [A: Arithmetic]);

impl<A: Arithmetic> Number for Running<A> {
    fn exp(&self) -> Self {
        let value = self.value.exp();
        let growth = match self.bound {
            0.0 => 0.0,
            e if e <= 1.0 => up(e + e * e), // e^x − 1 ≤ x + x² on [0, 1]
            e => up(core_math::exp(e)),
        };
        let inherited = if growth == 0.0 { 0.0 } else { up((value.magnitude() + value.half_ulp()) * growth) };
        let exact = self.value.magnitude() == 0.0;
        Self::result((value, exact), inherited)
    }

    #[inline]
    fn add_product(&mut self, a: &Self, b: &Self) {
        *self = self.plus(&a.times(b));
    }

    fn matrix_product(a: &DMatrix<Self>, b: &DMatrix<Self>) -> Option<DMatrix<Self>> {
        product::product(a, b)
    }

    fn sqrt(&self) -> Self {
        let value = self.value.sqrt();
        let root = value.magnitude();
        let inherited = match self.bound {
            0.0 => 0.0,
            // |√x̂ − √x| = |x̂ − x| / (√x̂ + √x) ≤ e/√x̂, and √x̂ ≥ (1 − 2^−8)·(its rounding) in every format.
            e if root > 0.0 => up(e / (root * (1.0 - power_of_two(-7)))),
            e => up(e.sqrt()),
        };
        Self::result((value, false), inherited)
    }
}

/// A floating-point system: leaves rounded along the code path *frequency correctly rounded,
/// position rounded, their product rounded, sine and cosine correctly rounded*.
///
/// The rounded frequency is taken as given, because the identities of the ledger hold for
/// arbitrary frequencies (`sinusoid.any-base`); [`Rounding::charging_frequencies`] charges the
/// frequency's own rounding as well, for comparisons with certified values. Named reals are rounded
/// to the format first and then exact.
pub struct Rounding<A: Arithmetic> {
    format: A::Format,
    values: Arc<Values>,
    charge_frequencies: bool,
    frequencies: Arc<Cache<Frequency, Running<A>>>,
}

impl<A: Arithmetic> Rounding<A> {
    /// The system that rounds to a format and takes the rounded frequencies as given.
    pub fn new(format: A::Format) -> Self {
        Self { format, values: Arc::default(), charge_frequencies: false, frequencies: Arc::default() }
    }

    /// The system whose leaves are bounded against the exact frequencies base^(−2i/dim).
    pub fn charging_frequencies(format: A::Format) -> Self {
        Self { charge_frequencies: true, ..Self::new(format) }
    }

    fn frequency(&self, frequency: &Frequency) -> Running<A> {
        match frequency {
            Frequency::Free(name) => Running::exactly(A::from_f64(self.values.real(name, 0), self.format).0),
            Frequency::Power { .. } => self.frequencies.get(frequency, || {
                let value: A = nearest(self.format, |bits| Interval::frequency(frequency, bits));
                let bound = if self.charge_frequencies { up(value.half_ulp()) } else { 0.0 };
                Running::with_bound(value, bound)
            }),
        }
    }

    fn position(&self, position: &Position) -> Running<A> {
        let exact = self.values.position(position);
        let (value, kept) = A::from_f64(exact, self.format);
        Running::result((value, kept), 0.0)
    }
}

/// The correct rounding of an irrational number, or of one on which the enclosures agree.
fn nearest<A: Arithmetic>(format: A::Format, enclose: impl Fn(u32) -> Interval) -> A {
    let mut bits = Interval::PRECISION + 64;
    loop {
        let enclosure = enclose(bits);
        let (below, above): (A, A) = (A::round(enclosure.lower(), format), A::round(enclosure.upper(), format));
        // Undefined enclosures stay so at every precision.
        if below == above || !enclosure.is_defined() {
            return below;
        }
        bits *= 2;
    }
}

impl<A: Arithmetic> System for Rounding<A> {
    type Number = Running<A>;

    fn at(&self, values: &Arc<Values>) -> Self {
        Self { values: Arc::clone(values), frequencies: Arc::clone(&self.frequencies), ..*self }
    }

    fn cis(&self, phase: &Phase) -> Complex<Running<A>> {
        self.angle(phase).cis()
    }

    fn angle(&self, phase: &Phase) -> Running<A> {
        let mut angle = Running::nought();
        for (frequency, position) in phase.terms() {
            angle += self.position(position) * self.frequency(frequency);
        }
        if *phase.turn_count() != 0 {
            let value: A = nearest(self.format, |bits| Interval::full_turns(phase.turn_count(), bits));
            angle += Running::result((value, false), 0.0);
        }
        angle
    }

    fn real(&self, name: &'static str, index: usize) -> Running<A> {
        Running::exactly(A::from_f64(self.values.real(name, index), self.format).0)
    }

    fn rational(&self, value: &Rational) -> Running<A> {
        Running::result(A::from_rational(value, self.format), 0.0)
    }

    fn decide(&self, relation: &Relation<Running<A>>) -> Decision {
        let (left, right) = relation.sides();
        let measure = Measure { error: left.value.distance(&right.value), bound: up(left.bound + right.bound) };
        if !left.value.is_finite() || !right.value.is_finite() {
            return Decision::unable(
                "overflow: a value, such as a position above 65504 in binary16, is beyond the largest number of the format",
            );
        }
        if measure.bound.is_infinite() {
            return Decision::unable("the error bound is infinite: division by what may be zero");
        }
        // `distance` is within 2^−52 of the truth: only a clear excess counts as one.
        let apart = measure.error * (1.0 - power_of_two(-50)) > measure.bound;
        let below = left.value.is_below(&right.value);
        match relation {
            Relation::Equal(..) if apart => Decision::Refuted(measure),
            Relation::Equal(..) => Decision::Held(measure),
            Relation::AtMost(..) if apart && !below => Decision::Refuted(measure),
            Relation::AtMost(..) if below => Decision::Held(Measure { error: 0.0, ..measure }),
            Relation::AtMost(..) => Decision::Held(measure),
            _ if !apart => Decision::unable("the two sides lie within each other's error bounds"),
            Relation::Distinct(..) => Decision::Held(Measure { error: 0.0, ..measure }),
            Relation::Less(..) if below => Decision::Held(Measure { error: 0.0, ..measure }),
            Relation::Less(..) => Decision::Refuted(measure),
        }
    }

    fn side(&self, number: &Running<A>) -> Side {
        Side { decimal: number.value.decimal(self.format), hex: Some(number.value.hex()), bound: Some(number.bound) }
    }
}
