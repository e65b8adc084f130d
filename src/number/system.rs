//! Systems: the contexts in which a claim is evaluated, and what a comparison in them establishes.

use super::Number;
use super::phase::{Phase, Position};
use num_complex::Complex;
use rug::Rational;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// Relation of two numbers that a claim states.
///
/// The free variables of `Equal`, `Less` and `AtMost` are universally quantified, those of
/// `Distinct` existentially in the exact system (the two sides differ as functions); the numeric
/// systems decide each at the values of the case.
#[derive(Clone, Debug, PartialEq)]
pub enum Relation<N> {
    /// left = right.
    Equal(N, N),
    /// left ≠ right.
    Distinct(N, N),
    /// left < right.
    Less(N, N),
    /// left ≤ right.
    AtMost(N, N),
}

impl<N> Relation<N> {
    /// The left and the right side.
    pub fn sides(&self) -> (&N, &N) {
        match self {
            Self::Equal(l, r) | Self::Distinct(l, r) | Self::Less(l, r) | Self::AtMost(l, r) => (l, r),
        }
    }

    /// The sign between the sides: `=`, `≠`, `<` or `≤`.
    pub fn sign(&self) -> &'static str {
        match self {
            Self::Equal(..) => "=",
            Self::Distinct(..) => "≠",
            Self::Less(..) => "<",
            Self::AtMost(..) => "≤",
        }
    }
}

/// Distance of two sides, and the distance that they may have.
///
/// In the exact system both are 0; in the interval system `error` is the width of the wider side;
/// in a float system it is the measured |left − right| and `bound` the sum of the running bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// The measured difference, or width.
    pub error: f64,
    /// The rigorous bound on the difference.
    pub bound: f64,
}

/// Decision of a system on one relation: three values, never a `bool`.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// The relation is an identity, is separated, or is consistent with every bound.
    Held(Measure),
    /// The system cannot tell, for the reason given.
    Unable(Cow<'static, str>),
    /// The relation is definitely false.
    Refuted(Measure),
}

impl Decision {
    /// Unable, with a fixed reason.
    pub fn unable(reason: &'static str) -> Self {
        Self::Unable(Cow::Borrowed(reason))
    }
}

/// One side of a comparison, for people.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Side {
    /// The value in decimal: an enclosure `[lower, upper]`, or a normal form.
    pub decimal: String,
    /// The same floating-point value in hexadecimal, exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hex: Option<String>,
    /// The running bound on its error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
}

/// The context of an evaluation: it makes the leaves and decides the comparisons.
pub trait System: Sync {
    /// Numbers that the system computes with.
    type Number: Number;

    /// The same system with the values of another case.
    fn at(&self, values: &Arc<Values>) -> Self
    where
        Self: Sized;

    /// The phase φ itself, in radians: `turns(1, 1)` gives 2π, and one position of a frequency gives
    /// ω. In the exact system the frequencies stay formal.
    fn angle(&self, phase: &Phase) -> Self::Number;

    /// cos φ + i·sin φ.
    fn cis(&self, phase: &Phase) -> Complex<Self::Number>;

    /// Element `index` of the real variables called `name`.
    fn real(&self, name: &'static str, index: usize) -> Self::Number;

    /// A rational constant.
    fn rational(&self, value: &Rational) -> Self::Number;

    /// True if the relation holds.
    fn decide(&self, relation: &Relation<Self::Number>) -> Decision;

    /// The number in the form in which a witness shows it.
    fn side(&self, number: &Self::Number) -> Side;

    /// An integer constant.
    fn integer(&self, value: i64) -> Self::Number {
        self.rational(&Rational::from(value))
    }
}

/// The values of the position symbols and real variables of one case. Each is a binary64 number,
/// taken exactly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// Position symbols.
    pub positions: BTreeMap<&'static str, f64>,
    /// Real variables, by name and index.
    pub reals: BTreeMap<&'static str, Vec<f64>>,
    /// The first input that was asked for and is not there.
    missing: OnceLock<Missing>,
    /// True of a case that was drawn: those of the exact system have no values.
    drawn: bool,
}

/// An input that a claim's code asks for, and its inputs do not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missing {
    /// A position.
    Position(&'static str),
    /// A real, or one of its elements.
    Real(&'static str),
}

impl Values {
    /// Values of positions and reals.
    pub fn new(positions: BTreeMap<&'static str, f64>, reals: BTreeMap<&'static str, Vec<f64>>) -> Self {
        Self { positions, reals, missing: OnceLock::new(), drawn: true }
    }

    /// The first input that was asked for and is not there; none of the exact system, whose inputs are symbols.
    pub fn missing(&self) -> Option<Missing> {
        self.missing.get().copied().filter(|_| self.drawn)
    }

    /// The value of an integer combination of positions; NaN where a symbol has no value.
    ///
    /// Exact while the positions are multiples of 2^−20 and the result stays below 2^32.
    pub fn position(&self, position: &Position) -> f64 {
        let value = |name| match self.positions.get(name) {
            Some(value) => *value,
            None => {
                let _ = self.missing.set(Missing::Position(name));
                f64::NAN
            }
        };
        position.terms().map(|(name, coefficient)| coefficient as f64 * value(name)).sum::<f64>()
            + position.constant() as f64
    }

    /// Element `index` of the variables called `name`; NaN where it has no value.
    pub fn real(&self, name: &'static str, index: usize) -> f64 {
        match self.reals.get(name).and_then(|all| all.get(index)) {
            Some(value) => *value,
            None => {
                let _ = self.missing.set(Missing::Real(name));
                f64::NAN
            }
        }
    }
}
