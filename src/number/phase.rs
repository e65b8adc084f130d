//! Phases: the arguments of sine and cosine, before any system has evaluated them.
//!
//! A [`Phase`] is Σ pᵢ·ωᵢ + r·2π, where each pᵢ is an integer combination of position symbols, each
//! ωᵢ is a [`Frequency`] and r is rational. Positions are symbols, so that the exact system speaks
//! of all positions, while the numeric systems put the positions of a case in their place.

use rug::Rational;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

/// An integer combination of position symbols plus an integer: `t + k`, `n − m`, `2·t + 1`.
///
/// ```
/// use posproof::number::Position;
/// let (t, k) = (Position::symbol("t"), Position::symbol("k"));
/// assert_eq!((t.clone() - k.clone().times(2) + Position::integer(1)).to_string(), "−2k + t + 1");
/// assert_eq!(t.clone() + k.clone() - t, k);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// In the order of their names: few, and made anew for every angle.
    terms: Vec<(&'static str, i64)>,
    constant: i64,
}

impl Position {
    /// The position called `name`: any real number.
    pub fn symbol(name: &'static str) -> Self {
        Self { terms: vec![(name, 1)], constant: 0 }
    }

    /// A position that is a known integer.
    pub fn integer(value: i64) -> Self {
        Self { terms: Vec::new(), constant: value }
    }

    /// The symbols with their coefficients, none of which is zero.
    pub fn terms(&self) -> impl Iterator<Item = (&'static str, i64)> + '_ {
        self.terms.iter().copied()
    }

    /// The integer that stands without a symbol.
    pub fn constant(&self) -> i64 {
        self.constant
    }

    /// The product with an integer.
    pub fn times(mut self, factor: i64) -> Self {
        self.terms.iter_mut().for_each(|(_, coefficient)| *coefficient *= factor);
        self.terms.retain(|(_, coefficient)| *coefficient != 0);
        self.constant *= factor;
        self
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_first = true;
        let mut write = |f: &mut fmt::Formatter<'_>, number: i64, name: &str| {
            let sign = match (number < 0, is_first) {
                (true, true) => "−",
                (true, false) => " − ",
                (false, true) => "",
                (false, false) => " + ",
            };
            is_first = false;
            match number.unsigned_abs() {
                1 if !name.is_empty() => write!(f, "{sign}{name}"),
                magnitude => write!(f, "{sign}{magnitude}{name}"),
            }
        };
        for (name, coefficient) in self.terms() {
            write(f, coefficient, name)?;
        }
        if self.constant != 0 || self.terms.is_empty() {
            write(f, self.constant, "")?;
        }
        Ok(())
    }
}

impl Add for Position {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        for (name, coefficient) in other.terms {
            match self.terms.binary_search_by_key(&name, |(known, _)| known) {
                Ok(place) => self.terms[place].1 += coefficient,
                Err(place) => self.terms.insert(place, (name, coefficient)),
            }
        }
        self.terms.retain(|(_, coefficient)| *coefficient != 0);
        self.constant += other.constant;
        self
    }
}

impl Neg for Position {
    type Output = Self;
    fn neg(self) -> Self {
        self.times(-1)
    }
}

impl Sub for Position {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

/// An angular frequency, in radians per position.
///
/// In the exact system every frequency is a real variable of its own, so that what holds there
/// holds for arbitrary frequencies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Frequency {
    /// base^(−2·index/dim): frequency `index` of the encoding of dimension `dim`
    /// (Linear Relationships, equation 2; Transformer: positional embedding, "Solution").
    Power {
        /// The base, 10000 in the documents.
        base: u32,
        /// The dimension d of the encoding.
        dim: usize,
        /// The index of the pair, counted from 0 in the paper's form.
        index: usize,
    },
    /// A real variable, such as the θ of a two-dimensional rotation.
    Free(&'static str),
}

/// Σ position·frequency + turns·2π.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Phase {
    /// In the order of their frequencies.
    terms: Vec<(Frequency, Position)>,
    turns: Rational,
}

impl Phase {
    /// The phase zero.
    pub fn zero() -> Self {
        Self::default()
    }

    /// A real angle that is a variable of its own: α, β, θ.
    pub fn angle(name: &'static str) -> Self {
        Position::integer(1) * Frequency::Free(name)
    }

    /// `numerator/denominator` of a full turn of 2π. A denominator of zero counts as one.
    pub fn turns(numerator: i64, denominator: i64) -> Self {
        let denominator = if denominator == 0 { 1 } else { denominator };
        Self { terms: Vec::new(), turns: Rational::from((numerator, denominator)) }
    }

    /// The frequencies, each with the position that multiplies it.
    pub fn terms(&self) -> impl Iterator<Item = (&Frequency, &Position)> {
        self.terms.iter().map(|(frequency, position)| (frequency, position))
    }

    /// The rational multiple of a full turn.
    pub fn turn_count(&self) -> &Rational {
        &self.turns
    }

    /// The product with an integer.
    pub fn times(self, factor: i64) -> Self {
        let terms = self.terms.into_iter().map(|(f, p)| (f, p.times(factor)));
        Self { terms: without_zeros(terms), turns: self.turns * factor }
    }
}

fn without_zeros(terms: impl Iterator<Item = (Frequency, Position)>) -> Vec<(Frequency, Position)> {
    terms.filter(|(_, p)| p.constant != 0 || !p.terms.is_empty()).collect()
}

impl Mul<Frequency> for Position {
    type Output = Phase;
    fn mul(self, frequency: Frequency) -> Phase {
        Phase { terms: without_zeros([(frequency, self)].into_iter()), turns: Rational::new() }
    }
}

impl Add for Phase {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        for (frequency, position) in other.terms {
            match self.terms.binary_search_by(|(known, _)| known.cmp(&frequency)) {
                Ok(place) => {
                    let (frequency, mine) = self.terms.remove(place);
                    self.terms.insert(place, (frequency, mine + position));
                }
                Err(place) => self.terms.insert(place, (frequency, position)),
            }
        }
        Self { terms: without_zeros(self.terms.into_iter()), turns: self.turns + other.turns }
    }
}

impl Neg for Phase {
    type Output = Self;
    fn neg(self) -> Self {
        self.times(-1)
    }
}

impl Sub for Phase {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}
