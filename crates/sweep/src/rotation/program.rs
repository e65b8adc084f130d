//! Programs that rotate a pair of bfloat16 numbers, with exponents that have no ends.

use crate::circle::{Point, point_in};
use posproof_encoding::frequency::Entries;
use posproof_numerics::format::Format;
use serde::{Deserialize, Serialize};

/// The order of a program's roundings. All compute (x₀·c − x₁·s, x₁·c + x₀·s).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Program {
    /// c and s rounded to bf16; each product and each sum rounded to bf16.
    Bf16,
    /// c and s rounded to bf16; the product with s rounded to bf16, the one with c and the sum rounded once (fused).
    Bf16Fused,
    /// c and s rounded to bf16; products and sums in binary32, the result rounded to bf16.
    F32Bf16Table,
    /// c and s rounded to binary32; products and sums in binary32, the result rounded to bf16.
    F32,
}

impl Program {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Bf16, Self::Bf16Fused, Self::F32Bf16Table, Self::F32];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bf16 => "bf16",
            Self::Bf16Fused => "bf16-fused",
            Self::F32Bf16Table => "f32-bf16-table",
            Self::F32 => "f32",
        }
    }

    /// Its c and s.
    pub(crate) fn table(self, entries: &Entries, position: u64, pair: usize) -> Option<Point> {
        let format = if self == Self::F32 { Format::F32 } else { Format::Bf16 };
        point_in(format, entries, position, pair)
    }

    /// Its result.
    #[inline(always)]
    pub(crate) fn rotate(self, x: Point, table: Point) -> Point {
        match self {
            Self::Bf16 => rotate::<BF16>(x, table),
            Self::Bf16Fused => rotate::<FUSED>(x, table),
            Self::F32Bf16Table | Self::F32 => rotate::<F32>(x, table),
        }
    }
}

const BF16: u32 = 0;
const FUSED: u32 = 1;
const F32: u32 = 2;

/// One of the three arithmetics.
///
/// Products of an 8-bit and a 24-bit significand are exact in binary64. Sums of two numbers of p bits that are rounded to binary64 first
/// and then to p bits are rounded correctly if 53 ≥ 2p + 2 (Figueroa 1995): p = 8 and p = 24. The fused sum, of 16 and 8 bits, is rounded to odd first.
#[inline(always)]
pub(crate) fn rotate<const ARITHMETIC: u32>([x0, x1]: Point, [c, s]: Point) -> Point {
    match ARITHMETIC {
        BF16 => {
            let [a, b, d, e] = [x0 * c, x1 * s, x1 * c, x0 * s].map(round::<8>);
            [round::<8>(a - b), round::<8>(d + e)]
        }
        FUSED => [round::<8>(odd_sum(x0 * c, -round::<8>(x1 * s))), round::<8>(odd_sum(x1 * c, round::<8>(x0 * s)))],
        _ => {
            let [a, b, d, e] = [x0 * c, x1 * s, x1 * c, x0 * s].map(round::<24>);
            [round::<8>(round::<24>(a - b)), round::<8>(round::<24>(d + e))]
        }
    }
}

/// A normal number or zero rounded to so many bits, to nearest, ties to even.
#[inline(always)]
fn round<const BITS: u32>(x: f64) -> f64 {
    let cut = 53 - BITS;
    let bits = x.to_bits();
    let half = (1u64 << (cut - 1)) - 1 + (bits >> cut & 1);
    f64::from_bits((bits + half) & !((1 << cut) - 1))
}

/// a + b rounded to odd: exact, or the neighbour with an odd significand (Boldo and Melquiond 2008). The error of the nearest is exact
/// (Knuth's sum of two).
#[inline(always)]
fn odd_sum(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let part = sum - a;
    let error = (a - (sum - part)) + (b - part);
    let bits = sum.to_bits();
    let outward = (error > 0.0) == (sum > 0.0);
    let moved = if outward { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
    f64::from_bits(if error != 0.0 && bits & 1 == 0 { moved } else { bits })
}

#[cfg(test)]
mod tests {
    use super::*;
    use posproof_numerics::{Float, Rational, Round};

    /// Rounding of exact rationals.
    fn rounded(x: &Rational, bits: u32) -> f64 {
        Float::from_rational(x, bits, Round::Nearest).to_f64(Round::Nearest)
    }

    /// A generator of numbers with 8 bits over many binades (Lehmer's).
    fn numbers() -> impl Iterator<Item = f64> {
        let mut state = 12345u64;
        std::iter::repeat_with(move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let [mantissa, exponent] = [128 + (state >> 33) % 128, (state >> 45) % 140];
            let sign = if state >> 63 == 1 { -1.0 } else { 1.0 };
            sign * mantissa as f64 * 2f64.powi(exponent as i32 - 70)
        })
    }

    #[test]
    fn programs_round_as_exact_arithmetic_does() {
        let q = |x: f64| Rational::from_f64(x).unwrap();
        let mut all = numbers();
        for _ in 0..20000 {
            let mut next = || all.next().unwrap();
            let [x0, x1, c, s] = [next(), next(), next(), next()];
            let products = [q(x0) * q(c), q(x1) * q(s), q(x1) * q(c), q(x0) * q(s)];
            let by = |bits: u32| products.each_ref().map(|product| q(rounded(product, bits)));
            let [a, b, d, e] = by(8);
            let expected = [rounded(&(&a - &b), 8), rounded(&(&d + &e), 8)];
            assert_eq!(Program::Bf16.rotate([x0, x1], [c, s]), expected);
            let expected = [rounded(&(&products[0] - &b), 8), rounded(&(&products[2] + &e), 8)];
            assert_eq!(Program::Bf16Fused.rotate([x0, x1], [c, s]), expected);
            let [a, b, d, e] = by(24);
            let expected = [&a - &b, &d + &e].map(|sum| rounded(&q(rounded(&sum, 24)), 8));
            assert_eq!(Program::F32.rotate([x0, x1], [c, s]), expected);
        }
    }

    /// A product that is a tie of bf16, and something tiny that decides it.
    #[test]
    fn a_fused_sum_is_rounded_once() {
        let (x0, c) = (2f64.powi(-7).mul_add(129.0, 0.0), 1.5);
        let tie = x0 * c;
        assert!(round::<8>(tie) != tie);
        let tiny = 2f64.powi(-120);
        let down = Program::Bf16Fused.rotate([x0, tiny], [c, 1.0])[0];
        let up = Program::Bf16Fused.rotate([x0, -tiny], [c, 1.0])[0];
        assert!(down < tie && tie < up, "{down} {tie} {up}");
    }
}
