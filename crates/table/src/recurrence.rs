//! The kernel for bf16 and f16: one multiplication and one subtraction for an entry.
//!
//! Sines and cosines of equally spaced angles, times any amplitude, satisfy
//!
//! x(n + 1) = K·x(n) − x(n − 1), K = 2·cos σω,
//!
//! so that a column of a table follows from two of its entries. 32 consecutive rows form a *strip*: position
//! t = a + 32·b + r with 0 ≤ r < 32. The *seeds* of a strip are its rows r = 16 and r = 15, products of z₁ = X·e^(i·aω) (the
//! *anchor* of a block of rows) and z₂ = e^(i·(32b + r)ω) (a *middle* row) by the shift theorem. From the seeds the
//! recurrence goes 15 rows up and 15 rows down, in all columns alike: here nothing knows a sine from a cosine, or how a table
//! is laid out.
//!
//! Below, u is 2^−53, P is the least power of two ≥ X, and E bounds the errors of the factors of a seed together, and that of
//! K/2, relative to the modulus ([`super::plan`]).
//!
//! # Error of a value
//!
//! Let a seed be off by at most e₀, and let each step add at most ρ to what the recurrence makes of its operands. The error j
//! steps from a seed is at most (j + 1)·e₀ + j·e₀ + Σᵢ(j − i + 1)·ρ, because the errors themselves follow the recurrence, whose
//! fundamental solutions are Chebyshev polynomials of the second kind, |Uᵢ(cos ω)| ≤ i + 1. With j = 15 that is 31·e₀ + 120·ρ.
//!
//! | what | at most |
//! | --- | --- |
//! | e₀: rounding the parts of z₁ and z₂, u each; the products, where they are not fused; their sum | 4u·X |
//! | e₀: the factors' own error | E·X |
//! | ρ: rounding K | u·X |
//! | ρ: rounding K·x, where it is not fused, of magnitude at most 2X | 2u·X |
//! | ρ: rounding the difference | u·X |
//! | ρ: the own error of K | 2E·X |
//!
//! (For a seed the magnitudes of both terms add up to at most X, by Cauchy and Schwarz.) Together 604u·X + 271E·X; the kernel
//! adds a thousandth for terms of order u², and an allowance for underflow to E·X. So e < 2^−43.7·P.
//!
//! # No tie near the value
//!
//! The value v is rounded to binary32, to w, and w to the format. Let x be the exact entry and T = 2^−19·P.
//!
//! If |w| ≥ T and the 12 lowest bits of w (15 for bf16) are not all zero, then w rounds as x does. For if it did not, a tie t of
//! the format would lie between x and w, or be w. Ties are odd multiples of half a unit in the last place of the format,
//! among subnormal numbers too: as binary32 numbers their 12 (15) lowest bits are zero, and so w ≠ t. Between t and w there is
//! at least one unit in the last place of w, 2^−42·P or more: the number below a power of two, which is closer to it, has no zeros
//! at its end. But |x − w| is at most half that unit plus e, and e is less than the other half.
//!
//! An entry that this leaves in doubt (some 2^−12 of the entries in f16, 2^−15 in bf16, and those below T) is looked at more
//! closely: if v − e and v + e, rounded outward, round to the same number of the format, so does what lies between.

use super::Element;
use super::isa::{Arithmetic, Isa};
use super::line::{Eight, Line};
use super::scale::Scale;

/// Rows of a strip, 2^STRIP_BITS.
pub const STRIP_BITS: u32 = 5;
pub const STRIP: usize = 1 << STRIP_BITS;

/// Vectors of eight columns in a chunk, which fills a cache line.
pub const EIGHTS: usize = 4;

/// u.
const UNIT: f64 = 1.0 / (1u64 << 53) as f64;

/// T/P.
const LEAST: f64 = 1.0 / (1 << 19) as f64;

/// Bounds that a value is tested with.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// e.
    pub error: f64,
    /// T.
    pub least: f32,
}

impl Bounds {
    pub fn new(scale: &Scale<'_>) -> Self {
        let error = 1.001 * (604.0 * UNIT * scale.gain + 271.0 * scale.factors);
        // A power of two within the range of binary32: exact.
        Self { error, least: (LEAST * scale.power) as f32 }
    }
}

/// The columns of a chunk at a row and at the row before, and their rates K.
#[derive(Clone, Copy)]
pub struct Values<D> {
    rate: [D; EIGHTS],
    pub now: [D; EIGHTS],
    before: [D; EIGHTS],
}

impl<D: Copy> Values<D> {
    #[inline(always)]
    pub fn new<I: Isa<D = D>>(isa: I, rate: &[Eight], now: &[Eight], before: &[Eight]) -> Self {
        let none = [isa.none_d(); EIGHTS];
        let mut values = Self { rate: none, now: none, before: none };
        for i in 0..EIGHTS {
            values.rate[i] = isa.load_d(&rate[i].0);
            values.now[i] = isa.load_d(&now[i].0);
            values.before[i] = isa.load_d(&before[i].0);
        }
        values
    }

    /// x(n + 1) = K·x(n) − x(n − 1).
    #[inline(always)]
    pub fn step<A: Arithmetic<D = D>>(arithmetic: A, rate: D, now: D, before: D) -> D {
        arithmetic.fms_d(rate, now, before)
    }

    /// The next row, in the direction that leads away from the row before.
    #[inline(always)]
    pub fn next<I: Isa<D = D>>(self, isa: I) -> Self {
        let mut next = self.before;
        for ((next, rate), now) in next.iter_mut().zip(self.rate).zip(self.now) {
            *next = Self::step(isa, rate, now, *next);
        }
        Self { now: next, before: self.now, ..self }
    }

    /// The row's values.
    #[inline(always)]
    pub fn values<I: Isa<D = D>>(&self, isa: I) -> [f64; 8 * EIGHTS] {
        let mut values = [0.0; 8 * EIGHTS];
        for (to, now) in values.as_chunks_mut().0.iter_mut().zip(self.now) {
            isa.store_d::<false>(to, now);
        }
        values
    }
}

/// A format whose columns follow the recurrence.
pub trait Recurrence: Element {
    /// Writes the entries of a row to a line, and says whether any of them is in doubt.
    fn put<I: Isa>(isa: I, values: &Values<I::D>, bounds: &Bounds, line: &mut Line) -> bool;
    /// Which are: bit i for column i.
    fn doubts<I: Isa>(isa: I, values: &Values<I::D>, bounds: &Bounds) -> u32;
}

#[cfg(test)]
mod tests {
    use super::super::isa::Portable;
    use super::*;
    use posproof_numerics::{Interval, Rational};

    /// Fifteen steps from seeds that are off as far as they may be stay within e, and come near enough for e to mean something.
    #[test]
    fn values_stay_within_their_bound() {
        let scale = Scale { gain: 1.0, power: 1.0, factors: 0.0, still: &[], exact: true };
        let bound = Bounds::new(&scale).error;
        let mut worst = 0f64;
        for n in 0..20_000u32 {
            let omega = 2f64.powf(-f64::from(n % 97) / 3.0) + f64::from(n) * 1e-9;
            let exactly = |x: f64| Rational::from_f64(x).expect("finite");
            let start = exactly(omega) * Rational::from(17 * n) + exactly(f64::from(n % 89));
            let sine = |angle: Rational| Interval::rational(&angle, 160).cos_sin().1;
            let exact = |step: i32| sine(exactly(omega) * Rational::from(step) + start.clone());
            let off = |x: Interval, sign: f64| x.approximate() + sign * 3.5 * UNIT;
            let cosine = Interval::exactly(omega).cos_sin().0;
            let rate = [Eight([2.0 * cosine.approximate(); 8]); EIGHTS];
            let seed = |x| [Eight([x; 8]); EIGHTS];
            let (now, before) = (seed(off(exact(0), 1.0)), seed(off(exact(-1), -1.0)));
            let mut values = Values::new(Portable, &rate, &now, &before);
            for step in 0..16 {
                let error = (exact(step) - Interval::exactly(values.values(Portable)[0])).abs().upper_f64();
                assert!(error <= bound, "n = {n}, step {step}: {error:e} exceeds {bound:e}");
                worst = worst.max(error);
                values = values.next(Portable);
            }
        }
        assert!(worst > bound / 8.0, "the worst error is {worst:e}, far below {bound:e}");
    }
}
