//! Random expressions that any system can evaluate.

use posproof::number::system::Values;
use posproof::number::{Frequency, Number, Phase, Position, System};
use quickcheck::{Arbitrary, Gen};
use rug::Rational;
use std::collections::BTreeMap;

/// An expression over two positions, two frequencies and three reals.
#[derive(Clone, Debug)]
pub enum Expression {
    Rational(i8, u8),
    Real(u8),
    /// Coefficients of t and k, which frequency, eighths of a turn (made even: quarters), sine or cosine.
    Wave([i8; 2], bool, u8, bool),
    /// e^(a·x + b·y) of two reals.
    Exponential([i8; 2]),
    Sum(Box<Expression>, Box<Expression>),
    Difference(Box<Expression>, Box<Expression>),
    Product(Box<Expression>, Box<Expression>),
}

impl Expression {
    fn leaf(g: &mut Gen) -> Self {
        let small = |g: &mut Gen| i8::arbitrary(g) % 3;
        match u8::arbitrary(g) % 4 {
            0 => Self::Rational(i8::arbitrary(g) % 9, 1 + u8::arbitrary(g) % 5),
            1 => Self::Real(u8::arbitrary(g) % 3),
            2 => Self::Wave([small(g), small(g)], bool::arbitrary(g), u8::arbitrary(g) % 4, bool::arbitrary(g)),
            _ => Self::Exponential([small(g), small(g)]),
        }
    }

    fn of_depth(g: &mut Gen, depth: usize) -> Self {
        if depth == 0 {
            return Self::leaf(g);
        }
        let parts = (Box::new(Self::of_depth(g, depth - 1)), Box::new(Self::of_depth(g, depth - 1)));
        match u8::arbitrary(g) % 4 {
            0 => Self::Sum(parts.0, parts.1),
            1 => Self::Difference(parts.0, parts.1),
            2 => Self::Product(parts.0, parts.1),
            _ => Self::leaf(g),
        }
    }

    pub fn evaluate<S: System>(&self, system: &S) -> S::Number {
        match self {
            Self::Rational(n, d) => system.rational(&Rational::from((*n, *d))),
            Self::Real(index) => system.real("x", usize::from(*index)),
            Self::Wave([t, k], which, quarters, sine) => {
                let place = Position::symbol("t").times((*t).into()) + Position::symbol("k").times((*k).into());
                let frequency = Frequency::Power { base: 10_000, dim: 8, index: 1 + usize::from(*which) };
                let point = system.cis(&(place * frequency + Phase::turns((*quarters).into(), 4)));
                if *sine { point.im } else { point.re }
            }
            Self::Exponential([a, b]) => {
                let term = |factor: &i8, index| system.integer((*factor).into()) * system.real("x", index);
                (term(a, 0) + term(b, 1)).exp()
            }
            Self::Sum(a, b) => a.evaluate(system) + b.evaluate(system),
            Self::Difference(a, b) => a.evaluate(system) - b.evaluate(system),
            Self::Product(a, b) => a.evaluate(system) * b.evaluate(system),
        }
    }
}

impl Arbitrary for Expression {
    fn arbitrary(g: &mut Gen) -> Self {
        let depth = usize::from(u8::arbitrary(g) % 4);
        Self::of_depth(g, depth)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        match self.clone() {
            Self::Sum(a, b) | Self::Difference(a, b) | Self::Product(a, b) => Box::new([*a, *b].into_iter()),
            _ => quickcheck::empty_shrinker(),
        }
    }
}

/// Values for the symbols of an expression, from three arbitrary integers.
pub fn values(seed: [i16; 3]) -> Values {
    let [t, k, x] = seed.map(f64::from);
    Values::new(
        BTreeMap::from([("t", t), ("k", k)]),
        BTreeMap::from([("x", vec![x / 16384.0 + 0.1, k / 16384.0 - 0.3, t / 32768.0 + 0.7])]),
    )
}
