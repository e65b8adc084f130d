//! Roundings, and the computations whose results they round.

use crate::number::phase::{Frequency, Position};
use rug::Rational;
use std::fmt;

/// One rounding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// Of position and product.
    Angle(Frequency, Position),
    /// Of an angle of several terms, by what is added so far.
    Phase(Name),
    Cosine(Name),
    Sine(Name),
    Constant(Rational),
    /// Of an operation, by what is computed.
    Operation(u128),
    /// Of an operation, as a share of its result.
    Share(u128),
}

/// A phase in words. Frequencies of two bases have the same ones, and are told apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    words: String,
    identity: String,
}

impl Name {
    pub(super) fn new(words: String, identity: String) -> Self {
        Self { words, identity }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Angle(frequency, position) => match frequency {
                Frequency::Power { index, .. } => write!(f, "angle ω{index}·({position})"),
                Frequency::Free(name) => write!(f, "angle {name}·({position})"),
            },
            Self::Phase(terms) => write!(f, "angle {terms}"),
            Self::Cosine(angle) => write!(f, "cosine of {angle}"),
            Self::Sine(angle) => write!(f, "sine of {angle}"),
            Self::Constant(value) => write!(f, "constant {value}"),
            Self::Operation(_) | Self::Share(_) => f.write_str("an operation"),
        }
    }
}

/// A computation, up to its sign: equal ones are the same floating-point number, because + and × are commutative, and odd
/// where both signs change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// FNV-1a (Fowler, Noll, Vo): two computations of one claim have the same with a probability below 2^−90.
    pub(super) hash: u128,
    pub(super) is_negative: bool,
}

impl Key {
    pub(super) fn of(bytes: &[u8]) -> Self {
        const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        let hash = bytes.iter().fold(START, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME));
        Self { hash, is_negative: false }
    }

    fn joined(sign: u8, one: u128, other: u128) -> Self {
        Self::of(&[&[sign][..], &one.to_le_bytes(), &other.to_le_bytes()].concat())
    }

    pub(super) fn negated(self) -> Self {
        Self { is_negative: !self.is_negative, ..self }
    }

    /// The sign as a factor.
    pub(super) fn sign(self) -> i32 {
        if self.is_negative { -1 } else { 1 }
    }

    pub(super) fn sum(self, other: Self) -> Self {
        let (first, second) = if self.hash <= other.hash { (self, other) } else { (other, self) };
        let sign = if self.is_negative == other.is_negative { b'+' } else { b'-' };
        Self { is_negative: first.is_negative, ..Self::joined(sign, first.hash, second.hash) }
    }

    pub(super) fn product(self, other: Self) -> Self {
        let is_negative = self.is_negative != other.is_negative;
        Self { is_negative, ..Self::joined(b'*', self.hash.min(other.hash), self.hash.max(other.hash)) }
    }

    pub(super) fn quotient(self, other: Self) -> Self {
        let is_negative = self.is_negative != other.is_negative;
        Self { is_negative, ..Self::joined(b'/', self.hash, other.hash) }
    }

    /// A function that is neither odd nor even.
    pub(super) fn function(self, name: u8) -> Self {
        Self::joined(name, self.hash, u128::from(self.is_negative))
    }
}
