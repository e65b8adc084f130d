//! Normal forms: sums of products of variables and exponentials.

use crate::number::phase::Frequency;
use rug::Rational;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A real variable of the exact system.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Atom {
    Pi,
    Position(&'static str),
    Frequency(Frequency),
    Real(&'static str, usize),
    /// The square root of a prime, whose square is reduced.
    Root(u32),
}

/// A product of powers of variables and one exponential.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Monomial {
    /// Variables in order, each with its exponent ≥ 1.
    pub(super) powers: Vec<(Atom, u32)>,
    /// The exponent of e, `None` standing for 0.
    pub(super) exponent: Option<Arc<Sum>>,
}

/// A Gaussian rational.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Gaussian {
    pub(super) re: Rational,
    pub(super) im: Rational,
}

/// A finite sum of terms; no coefficient is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sum(pub(super) BTreeMap<Monomial, Gaussian>);

impl Gaussian {
    pub(super) fn new(re: Rational, im: Rational) -> Self {
        Self { re, im }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.re == 0 && self.im == 0
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        if self.im == 0 && other.im == 0 {
            return Self::new(Rational::from(&self.re * &other.re), Rational::new());
        }
        let re = Rational::from(&self.re * &other.re) - Rational::from(&self.im * &other.im);
        let im = Rational::from(&self.re * &other.im) + Rational::from(&self.im * &other.re);
        Self::new(re, im)
    }

    pub(super) fn reciprocal(&self) -> Self {
        let norm = Rational::from(self.re.square_ref()) + Rational::from(self.im.square_ref());
        Self::new(Rational::from(&self.re / &norm), -Rational::from(&self.im / &norm))
    }

    /// i^quarters.
    pub(super) fn quarter_turns(quarters: u32) -> Self {
        let (re, im) = [(1, 0), (0, 1), (-1, 0), (0, -1)][(quarters % 4) as usize];
        Self::new(Rational::from(re), Rational::from(im))
    }
}

impl Monomial {
    /// The product, and the factor other than 1 that comes out of its roots and its exponential.
    pub(super) fn times(&self, other: &Self) -> (Self, Option<Gaussian>) {
        let (powers, square) = match (self.powers.is_empty(), other.powers.is_empty()) {
            (_, true) => (self.powers.clone(), 1),
            (true, _) => (other.powers.clone(), 1),
            _ => merged(&self.powers, &other.powers),
        };
        let (exponent, mut factor) = match (&self.exponent, &other.exponent) {
            (None, None) => (None, None),
            (Some(one), None) | (None, Some(one)) => (Some(Arc::clone(one)), None),
            (Some(a), Some(b)) => a.plus(b).into_exponent(),
        };
        if square != 1 {
            let square = Gaussian::new(Rational::from(square), Rational::new());
            factor = Some(match factor {
                Some(factor) => factor.times(&square),
                None => square,
            });
        }
        (Self { powers, exponent }, factor)
    }
}

/// Two ordered products of powers as one, and the integer that the squares of roots leave.
fn merged(a: &[(Atom, u32)], b: &[(Atom, u32)]) -> (Vec<(Atom, u32)>, u64) {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let (mut all, mut square) = (Vec::with_capacity(a.len() + b.len()), 1);
    while let (Some(one), Some(other)) = (a.peek(), b.peek()) {
        match one.0.cmp(&other.0) {
            Ordering::Less => all.extend(a.next().cloned()),
            Ordering::Greater => all.extend(b.next().cloned()),
            Ordering::Equal => {
                match (&one.0, one.1 + other.1) {
                    (Atom::Root(prime), 2) => square *= u64::from(*prime),
                    (atom, power) => all.push((atom.clone(), power)),
                }
                a.next();
                b.next();
            }
        }
    }
    all.extend(a.chain(b).cloned());
    (all, square)
}

impl Sum {
    pub(super) fn term(coefficient: Gaussian, monomial: Monomial) -> Self {
        let mut sum = Self::default();
        sum.add_term(monomial, coefficient);
        sum
    }

    pub(super) fn constant(value: Rational) -> Self {
        Self::term(Gaussian::new(value, Rational::new()), Monomial::default())
    }

    pub(super) fn atom(atom: Atom) -> Self {
        let monomial = Monomial { powers: vec![(atom, 1)], exponent: None };
        Self::term(Gaussian::quarter_turns(0), monomial)
    }

    /// √n, as a product of roots of primes.
    pub(super) fn root(n: u32) -> Self {
        let (mut rest, mut outside, mut primes) = (n, 1u32, Vec::new());
        let mut p = 2;
        while u64::from(p) * u64::from(p) <= u64::from(rest) {
            let mut power = 0;
            while rest % p == 0 {
                rest /= p;
                power += 1;
            }
            outside *= p.pow(power / 2);
            if power % 2 == 1 {
                primes.push((Atom::Root(p), 1));
            }
            p += 1;
        }
        match rest {
            0 => return Self::default(),
            1 => {}
            prime => primes.push((Atom::Root(prime), 1)),
        }
        let monomial = Monomial { powers: primes, exponent: None };
        Self::term(Gaussian::new(Rational::from(outside), Rational::new()), monomial)
    }

    pub(super) fn add_term(&mut self, monomial: Monomial, coefficient: Gaussian) {
        if coefficient.is_zero() {
            return;
        }
        match self.0.entry(monomial) {
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(coefficient);
            }
            std::collections::btree_map::Entry::Occupied(mut place) => {
                place.get_mut().re += coefficient.re;
                place.get_mut().im += coefficient.im;
                if place.get().is_zero() {
                    place.remove();
                }
            }
        }
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        let (mut sum, smaller) =
            if self.0.len() < other.0.len() { (other.clone(), self) } else { (self.clone(), other) };
        for (monomial, coefficient) in &smaller.0 {
            sum.add_term(monomial.clone(), coefficient.clone());
        }
        sum
    }

    pub(super) fn scaled(&self, factor: &Gaussian) -> Self {
        Self(self.0.iter().map(|(monomial, c)| (monomial.clone(), c.times(factor))).collect())
    }

    pub(super) fn negated(&self) -> Self {
        self.scaled(&Gaussian::quarter_turns(2))
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for (one, c) in &self.0 {
            for (two, d) in &other.0 {
                let ((monomial, factor), coefficient) = (one.times(two), c.times(d));
                let coefficient = match factor {
                    Some(factor) => coefficient.times(&factor),
                    None => coefficient,
                };
                product.add_term(monomial, coefficient);
            }
        }
        product
    }

    /// e^self as an exponent and a factor, if it is not 1: the part iπr of the exponent is reduced modulo a full
    /// turn, and quarter turns become powers of i.
    pub(super) fn into_exponent(mut self) -> (Option<Arc<Sum>>, Option<Gaussian>) {
        let mut factor = None;
        let half_turn = Monomial { powers: vec![(Atom::Pi, 1)], exponent: None };
        if let Some(coefficient) = self.0.remove(&half_turn) {
            let (_, whole) = Rational::from(&coefficient.im / 2).fract_floor(rug::Integer::new());
            let mut remaining = coefficient.im - Rational::from(whole * 2);
            let quarters = Rational::from(&remaining * 2);
            if let (true, Some(count)) = (quarters.is_integer(), quarters.numer().to_u32()) {
                factor = Some(Gaussian::quarter_turns(count));
                remaining = Rational::new();
            }
            self.add_term(half_turn, Gaussian::new(coefficient.re, remaining));
        }
        (if self.0.is_empty() { None } else { Some(Arc::new(self)) }, factor)
    }

    pub(super) fn exponential(self) -> Self {
        let (exponent, factor) = self.into_exponent();
        Self::term(factor.unwrap_or_else(|| Gaussian::quarter_turns(0)), Monomial { powers: Vec::new(), exponent })
    }

    /// 1/self where self is a single term whose only atoms are roots, with 1/√p = √p/p.
    pub(super) fn reciprocal(&self) -> Option<Self> {
        let (monomial, coefficient) = self.0.first_key_value()?;
        let mut factor = coefficient.reciprocal();
        for (atom, _) in &monomial.powers {
            match atom {
                Atom::Root(prime) => {
                    factor = factor.times(&Gaussian::new(Rational::from((1, *prime)), Rational::new()))
                }
                _ => return None,
            }
        }
        if self.0.len() != 1 {
            return None;
        }
        let roots = Monomial { powers: monomial.powers.clone(), exponent: None };
        let exponent =
            monomial.exponent.as_ref().map_or_else(|| Self::constant(1.into()), |e| e.negated().exponential());
        Some(exponent.times(&Self::term(factor, roots)))
    }

    /// The rational that this sum is, if it is one.
    pub(super) fn as_rational(&self) -> Option<Rational> {
        match self.0.first_key_value() {
            None => Some(Rational::new()),
            Some((monomial, c)) if self.0.len() == 1 && *monomial == Monomial::default() && c.im == 0 => {
                Some(c.re.clone())
            }
            _ => None,
        }
    }

    /// Why the terms need not be independent, if so: some exponential has the exponent iπr with r
    /// not a multiple of 1/2, or π stands beside exponentials (of π and e it is not known).
    pub(super) fn dependence(&self) -> Option<&'static str> {
        let has_pi = |monomial: &Monomial| monomial.powers.iter().any(|(atom, _)| *atom == Atom::Pi);
        let mut exponents = self.0.keys().filter_map(|monomial| monomial.exponent.as_ref());
        if exponents.any(|exponent| exponent.0.keys().any(has_pi)) {
            return Some("the normal form contains a fraction of a turn, whose powers are not independent");
        }
        let has_exponential = self.0.keys().any(|monomial| monomial.exponent.is_some());
        (has_exponential && self.0.keys().any(has_pi))
            .then_some("the normal form contains both π and exponentials, which are not known to be independent")
    }
}

impl Sum {
    pub(super) fn without_zeros(mut self) -> Self {
        self.0.retain(|_, coefficient| !coefficient.is_zero());
        self
    }
}

impl fmt::Display for Gaussian {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.re == 0, self.im == 0) {
            (_, true) => write!(f, "{}", self.re),
            (true, false) => write!(f, "{}i", self.im),
            (false, false) => write!(f, "({} + {}i)", self.re, self.im),
        }
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pi => f.write_str("π"),
            Self::Position(name) => f.write_str(name),
            Self::Frequency(Frequency::Power { index, .. }) => write!(f, "ω{index}"),
            Self::Frequency(Frequency::Free(name)) => f.write_str(name),
            Self::Real(name, index) => write!(f, "{name}[{index}]"),
            Self::Root(prime) => write!(f, "√{prime}"),
        }
    }
}

impl fmt::Display for Sum {
    /// At most eight terms; the number of those left out is said.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        if self.0.is_empty() {
            return f.write_str("0");
        }
        for (place, (monomial, coefficient)) in self.0.iter().take(SHOWN).enumerate() {
            let plus = if place == 0 { "" } else { " + " };
            write!(f, "{plus}{coefficient}")?;
            for (atom, power) in &monomial.powers {
                write!(f, "·{atom}")?;
                if *power > 1 {
                    write!(f, "^{power}")?;
                }
            }
            if let Some(exponent) = &monomial.exponent {
                write!(f, "·e^({exponent})")?;
            }
        }
        if self.0.len() > SHOWN {
            write!(f, " + … ({} more terms)", self.0.len() - SHOWN)?;
        }
        Ok(())
    }
}
