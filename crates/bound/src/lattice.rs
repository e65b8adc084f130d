//! The largest error of the angle over a stretch of integer positions, without enumerating them.
//!
//! Where the products t·ω′ lie in one binade with spacing U, the rounded product is U·y(t) with
//! y(t) = ⌊(P·t + h)/2^k⌋, P the integer significand of ω′. The error U·y(t) − t·ω is therefore a linear
//! function of the lattice points (t, y(t)) below a line, and its maximum is attained at a vertex of
//! their convex hull: Euclid's algorithm visits these in as many steps as the quotient 2^k/P has partial
//! quotients. Ties are taken upward for the largest error and downward for the smallest, which only
//! enlarges the bound.

use super::upward::Upper;
use posproof_numerics::format::{Format, exponent_of};
use posproof_numerics::{Float, Interval, Round};

/// The maximum of a·x + b·⌊(c·x + d)/m⌋ over the integers 0 ≤ x < n, for n, m ≥ 1 and c, d ≥ 0.
///
/// If a and b have the same sign the maximum is at an end. Otherwise only the first (a < 0) or the last
/// (a > 0) x of each value y of the floor matters; as a function of y it is again such an expression, in
/// which c and m change places: Euclid's algorithm. `None` where 127 bits do not suffice.
pub(super) fn max_weighted_floor(n: i128, m: i128, a: i128, b: i128, c: i128, d: i128) -> Option<i128> {
    let (mut n, mut m, mut a, mut b, mut c, mut d) = (n, m, a, b, c, d);
    let mut base = 0i128;
    let mut best = i128::MIN;
    loop {
        a = a.checked_add(b.checked_mul(c / m)?)?;
        base = base.checked_add(b.checked_mul(d / m)?)?;
        (c, d) = (c % m, d % m);
        let highest = c.checked_mul(n - 1)?.checked_add(d)? / m;
        let last = a.checked_mul(n - 1)?.checked_add(b.checked_mul(highest)?)?;
        best = best.max(base).max(base.checked_add(last)?);
        if highest == 0 || (a >= 0) == (b >= 0) {
            return Some(best);
        }
        if a < 0 {
            base = base.checked_add(a.checked_add(b)?)?;
        }
        (n, m, a, b, c, d) = (highest, c, b, a, m, m - d - 1);
    }
}

/// Positions whose products with a computed frequency lie in one binade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub first: u64,
    pub last: u64,
    /// The products are at most 2^exponent, and above its half.
    pub exponent: i32,
}

impl Stretch {
    /// Position 0 alone, whose product is 0.
    pub fn at_zero() -> Self {
        Self { first: 0, last: 0, exponent: 0 }
    }

    /// The stretch in `parts` parts of nearly equal length, or in as many as it has positions.
    pub fn cut(self, parts: u64) -> impl Iterator<Item = Self> {
        let count = self.last - self.first + 1;
        let parts = parts.min(count);
        let start = move |part: u64| self.first + (u128::from(count) * u128::from(part) / u128::from(parts)) as u64;
        (0..parts).map(move |part| Self { first: start(part), last: start(part + 1) - 1, ..self })
    }
}

/// A positive computed frequency as an integer times a power of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct DyadicFrequency {
    significand: u64,
    exponent: i32,
    pub value: f64,
}

impl DyadicFrequency {
    /// `None` unless the number is positive and finite.
    pub fn new(value: f64) -> Option<Self> {
        if !(value > 0.0 && value.is_finite()) {
            return None;
        }
        let exponent = exponent_of(value).max(-1022) - 52;
        let fraction = value.to_bits() & ((1 << 52) - 1);
        let significand = if value < f64::MIN_POSITIVE { fraction } else { fraction | 1 << 52 };
        let zeros = significand.trailing_zeros();
        Some(Self { significand: significand >> zeros, exponent: exponent + zeros as i32, value })
    }

    /// The positions first..=last cut at the binades of their products; first ≥ 1.
    pub fn stretches(self, first: u64, last: u64) -> impl Iterator<Item = Stretch> {
        let mut next = first.max(1);
        std::iter::from_fn(move || {
            if next > last {
                return None;
            }
            let product = u128::from(self.significand) * u128::from(next);
            let bits = 128 - (product - 1).leading_zeros();
            let end = ((1u128 << bits) / u128::from(self.significand)).min(u128::from(last)) as u64;
            let stretch = Stretch { first: next, last: end, exponent: bits as i32 + self.exponent };
            next = end + 1;
            Some(stretch)
        })
    }

    /// max |fl(t·ω′) − t·ω| over the positions of a stretch, each exact in the format of the product.
    /// `None` where the integers would be too large.
    pub fn largest_error(self, angle: Format, omega: &Interval, stretch: Stretch) -> Option<Upper> {
        let grid =
            (stretch.exponent - angle.precision() as i32).max(angle.min_exponent() - angle.precision() as i32 + 1);
        let dropped = grid - self.exponent;
        if dropped <= 0 {
            // The products are exact.
            return Some(deviation(omega, self.value) * Upper::of(stretch.last as f64));
        }
        let scale = 118 - stretch.exponent;
        let quantum = 1i128.checked_shl(u32::try_from(grid + scale).ok().filter(|shift| *shift < 120)?)?;
        let modulus = 1i128.checked_shl(u32::try_from(dropped).ok().filter(|shift| *shift < 120)?)?;
        let (first, count) = (i128::from(stretch.first), i128::from(stretch.last - stretch.first) + 1);
        let step = i128::from(self.significand);
        let start = step.checked_mul(first)?;
        let above = {
            let rate = omega.lower().to_integer(scale, Round::Down)?;
            let d = start.checked_add(modulus / 2)?;
            max_weighted_floor(count, modulus, -rate, quantum, step, d)?.checked_sub(rate.checked_mul(first)?)?
        };
        let below = {
            let rate = omega.upper().to_integer(scale, Round::Up)?;
            let d = start.checked_add(modulus / 2 - 1)?;
            max_weighted_floor(count, modulus, rate, -quantum, step, d)?.checked_add(rate.checked_mul(first)?)?
        };
        let most = above.max(below).max(0);
        Some(Upper::of((most as f64).next_up()).scaled(-scale))
    }
}

/// An upper bound of |ω′ − ω|.
pub(super) fn deviation(omega: &Interval, computed: f64) -> Upper {
    let computed = Float::from_f64(computed);
    let below = computed.sub(omega.lower(), 64, Round::Up);
    let above = omega.upper().sub(&computed, 64, Round::Up);
    Upper::of(if below > above { below } else { above }.to_f64(Round::Up).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_maximum_is_that_of_an_enumeration() {
        let mut state = 1u64;
        let mut draw = |limit: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            i128::from((state >> 33) % limit)
        };
        for _ in 0..20000 {
            let (n, m, c, d) = (1 + draw(60), 1 + draw(50), draw(120), draw(200));
            let (a, b) = (draw(81) - 40, draw(81) - 40);
            let best = (0..n).map(|x| a * x + b * ((c * x + d) / m)).max();
            assert_eq!(max_weighted_floor(n, m, a, b, c, d), best, "{n} {m} {a} {b} {c} {d}");
        }
    }

    #[test]
    fn the_largest_error_of_an_angle_is_that_of_an_enumeration() {
        let omega = Interval::rational(&posproof_numerics::Rational::from((965, 1000)), 256);
        for format in [Format::F32, Format::Bf16, Format::F16] {
            let computed = format.round(0.965);
            let integer = DyadicFrequency::new(computed).expect("positive");
            for stretch in integer.stretches(1, 250) {
                let error = |t: u64| {
                    let angle = format.round(t as f64 * computed);
                    (Interval::exactly(angle) - omega.clone() * Interval::exactly(t as f64)).abs().approximate()
                };
                let worst = (stretch.first..=stretch.last).map(error).fold(0.0, f64::max);
                let found = integer.largest_error(format, &omega, stretch).expect("small integers").get();
                assert!(found >= worst && found <= worst * (1.0 + 1e-9), "{format} {stretch:?}: {found} {worst}");
            }
        }
    }
}
