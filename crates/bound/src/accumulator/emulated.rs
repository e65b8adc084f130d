//! Instructions of matrix units, emulated exactly.

use super::repeated::repeated;
use super::{Accumulator, Adder};
use posproof_numerics::format::{exponent_of, power_of_two};
use posproof_numerics::narrow::Narrow;
use posproof_numerics::{Element, format::Format};

/// No exponent that terms are aligned to is lower: an accumulator of zero has that of the smallest normal result.
pub(super) const LOWEST: i32 = -126;

/// A term of an aligned sum: significand·2^quantum, aligned by an exponent of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    significand: i64,
    quantum: i32,
    exponent: i32,
}

impl Term {
    /// The product of two numbers of the elements, not normalised: its exponent is the sum of theirs.
    pub fn product([a, b]: [f64; 2], elements: [Element; 2]) -> Self {
        let [a, b] = [parts(a, elements[0]), parts(b, elements[1])];
        Self {
            significand: a.significand * b.significand,
            quantum: a.quantum + b.quantum,
            exponent: a.exponent + b.exponent,
        }
    }

    /// The sum of the products of a block, times a scale of each side: the exponent is that of the scales, numbers of a format.
    pub fn scaled(products: &[Term], scales: [f64; 2], format: Narrow) -> Self {
        let [one, other] = scales.map(|scale| parts(scale, Element::Narrow(format)));
        let least = products.iter().map(|term| term.quantum).min().unwrap_or(0);
        let sum: i64 = products.iter().map(|term| term.significand << (term.quantum - least)).sum();
        Self {
            significand: sum * one.significand * other.significand,
            quantum: least + one.quantum + other.quantum,
            exponent: one.exponent + other.exponent,
        }
    }

    fn value(&self) -> f64 {
        self.significand as f64 * power_of_two(self.quantum)
    }

    /// The number itself, as a term of an accumulator with `fraction` bits.
    fn accumulated(c: f64) -> Self {
        let exponent = exponent_of(c).max(LOWEST);
        let quantum = exponent - 23;
        Self { significand: (c / power_of_two(quantum)) as i64, quantum, exponent }
    }
}

/// A number as a whole significand; subnormal numbers have the exponent of the smallest normal one.
fn parts(x: f64, element: Element) -> Term {
    let exponent = exponent_of(x).max(element.min_exponent());
    let quantum = exponent + 1 - element.precision() as i32;
    // Exact: x is a number of the element.
    Term { significand: (x / power_of_two(quantum)) as i64, quantum, exponent }
}

impl Accumulator {
    /// One instruction: the terms and the accumulator, aligned, truncated, added, and truncated to the result's fraction.
    ///
    /// ```
    /// use posproof_bound::{Accumulator, Term};
    /// use posproof_numerics::{Element, narrow::Narrow};
    /// let hopper = Accumulator::named("hopper-fp8").expect("a row");
    /// let e4m3 = [Element::Narrow(Narrow::E4m3); 2];
    /// // Products of 15/16 of a unit of 2⁻¹¹ beside an accumulator of 4 are lost whole.
    /// let lost = Term::product([2f64.powi(-6), 1.875 * 2f64.powi(-6)], e4m3);
    /// assert_eq!(hopper.instruction(&[lost; 32], 4.0), 4.0);
    /// assert_eq!(hopper.instruction(&[lost; 32], 0.0), 60.0 * 2f64.powi(-12));
    /// ```
    pub fn instruction(&self, terms: &[Term], c: f64) -> f64 {
        let grouped = self.group > 1;
        let c = (c != 0.0).then(|| Term::accumulated(c));
        let present = |term: &&Term| grouped || term.significand != 0;
        let largest = terms.iter().filter(present).chain(&c).map(|term| term.exponent).max();
        let Some(largest) = largest else { return 0.0 };
        let unit = largest.max(LOWEST) - self.fraction as i32;
        let sum: i64 = terms.iter().chain(&c).map(|term| aligned(term, unit)).sum();
        self.result(sum, unit)
    }

    /// sum·2^unit truncated to the fraction of the result.
    fn result(&self, sum: i64, unit: i32) -> f64 {
        let magnitude = sum.unsigned_abs();
        if magnitude == 0 {
            return 0.0;
        }
        let exponent = unit + 63 - magnitude.leading_zeros() as i32;
        let drop = (exponent.max(LOWEST) - self.result as i32 - unit).clamp(0, 63);
        let kept = (magnitude >> drop) << drop;
        let value = kept as f64 * power_of_two(unit);
        let value = if value > Format::F32.max_finite() { f64::INFINITY } else { value };
        if sum < 0 { -value } else { value }
    }

    /// Instructions one after the other, from an accumulator on.
    pub(crate) fn continued(&self, c: f64, terms: &[Term]) -> f64 {
        self.continued_by(c, terms, |terms, c| self.instruction(terms, c))
    }

    /// Instructions of so many terms one after the other, equal ones at once.
    pub(super) fn continued_by<T: PartialEq>(
        &self,
        c: f64,
        terms: &[T],
        instruction: impl Fn(&[T], f64) -> f64,
    ) -> f64 {
        let (mut c, mut rest) = (c, terms);
        while !rest.is_empty() {
            let (first, others) = rest.split_at((self.terms as usize).min(rest.len()));
            let equal = others.chunks(first.len()).take_while(|next| *next == first).count();
            c = repeated(c, 1 + equal as u64, |c| instruction(first, c));
            rest = others.get(equal * first.len()..).unwrap_or(&[]);
        }
        c
    }

    /// A sum of products: instructions one after the other, the accumulator added to a binary32 register and cleared after
    /// each `flush` products.
    pub fn sum(&self, products: &[Term], flush: Option<u64>) -> f64 {
        let groups = products.chunks(flush.map_or(usize::MAX, |flush| flush as usize));
        let mut sums = groups.map(|terms| self.continued(0.0, terms));
        let first = sums.next().unwrap_or(0.0);
        sums.fold(first, |register, sum| Format::F32.round(register + sum))
    }
}

/// A term as a whole number of units 2^unit, truncated.
fn aligned(term: &Term, unit: i32) -> i64 {
    match term.quantum - unit {
        left @ 0.. => term.significand << left,
        // An arithmetic shift would round down.
        right => {
            let magnitude = term.significand.unsigned_abs().checked_shr(right.unsigned_abs()).unwrap_or(0) as i64;
            if term.significand < 0 { -magnitude } else { magnitude }
        }
    }
}

impl Adder {
    /// The sum of products.
    pub fn sum(&self, products: &[Term], flush: Option<u64>) -> f64 {
        match self {
            Self::Truncated(accumulator) => accumulator.sum(products, flush),
            Self::Rounded(_) => self.continued(0.0, products),
        }
    }

    /// The sum of products, from an accumulator on.
    pub(crate) fn continued(&self, c: f64, products: &[Term]) -> f64 {
        match self {
            Self::Truncated(accumulator) => accumulator.continued(c, products),
            Self::Rounded(format) => products.iter().fold(c, |sum, term| format.round(sum + term.value())),
        }
    }

    /// The sum of the products of kinds of keys, from an accumulator on.
    pub(crate) fn continued_kinds(&self, c: f64, members: &[u8], of_kinds: &[Term]) -> f64 {
        let product = |member: &u8| of_kinds.get(usize::from(*member)).copied();
        match self {
            Self::Truncated(accumulator) => accumulator.continued_by(c, members, |members, c| {
                accumulator.instruction(&members.iter().filter_map(product).collect::<Vec<Term>>(), c)
            }),
            Self::Rounded(format) => members.chunk_by(|one, next| one == next).fold(c, |sum, run| {
                let term = run.first().and_then(product).map_or(0.0, |term| term.value());
                repeated(sum, run.len() as u64, |sum| format.round(sum + term))
            }),
        }
    }
}

/// The exact sum of products and of other numbers, a whole number of quanta 2^q and q; none where it has more than 127 bits.
pub fn exact_sum(products: &[Term], others: &[f64]) -> Option<(i128, i32)> {
    let others: Vec<Term> = others.iter().map(|x| parts(*x, Element::Wide(Format::F64))).collect();
    let terms = || products.iter().chain(&others).filter(|term| term.significand != 0);
    // Trailing zeros of a significand are no digits.
    let least = |term: &Term| term.quantum + term.significand.trailing_zeros() as i32;
    let quantum = terms().map(least).min().unwrap_or(0);
    terms()
        .try_fold(0i128, |sum, term| {
            let shift = term.quantum - quantum;
            let significand = i128::from(term.significand);
            let shifted = if shift < 0 {
                Some(significand >> -shift)
            } else {
                significand.checked_mul(1i128.checked_shl(shift.unsigned_abs()).filter(|power| *power > 0)?)
            };
            sum.checked_add(shifted?)
        })
        .map(|sum| (sum, quantum))
}
