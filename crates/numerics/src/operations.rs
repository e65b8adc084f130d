//! The operations of arithmetic on numbers m·2^e, each the exact result, rounded once.
//!
//! They are here because the library's estimate logarithms of their operands to find out how many digits to keep, which takes
//! longer than the operation itself at the precisions of enclosures, and its sums of operands of unequal lengths may keep more.

use crate::{Float, Round};
use dashu_base::{BitTest, DivRem, UnsignedAbs};
use dashu_int::{IBig, UBig};

/// significand·2^exponent rounded to `bits` bits.
pub fn rounded(significand: IBig, exponent: isize, bits: u32, round: Round) -> Float {
    match significand.bit_len().checked_sub(bits as usize) {
        None | Some(0) => Float::from_parts(significand, exponent),
        Some(shift) => Float::from_parts(shifted(&significand, shift as u64, round), exponent + shift as isize),
    }
}

/// The sum of a·2^e and b·2^f, rounded.
pub fn sum((a, e): (&IBig, isize), (b, f): (&IBig, isize), bits: u32, round: Round) -> Float {
    if e < f {
        return sum((b, f), (a, e), bits, round);
    }
    let (shift, enough) = (e.abs_diff(f), bits as usize + 3);
    if a.is_zero() || b.is_zero() || shift <= enough + b.bit_len() {
        return match a.is_zero() {
            true => rounded(b.clone(), f, bits, round),
            false if b.is_zero() => rounded(a.clone(), e, bits, round),
            false => rounded((a << shift) + b, f, bits, round),
        };
    }
    // b·2^f is less than one unit of a's last place but bits + 3: which side of a the sum lies on is all that it decides.
    let side = if *b < IBig::ZERO { IBig::NEG_ONE } else { IBig::ONE };
    rounded((a << enough) + side, e - enough as isize, bits, round)
}

/// The quotient of a·2^e and b·2^f, b ≠ 0, rounded.
pub fn quotient((a, e): (&IBig, isize), (b, f): (&IBig, isize), bits: u32, round: Round) -> Float {
    // Two bits more than are kept, and one that is set where there is a rest: which side of it the quotient lies on, and of
    // the middle between two numbers, is then seen from these.
    let shift = (bits as usize + 2 + b.bit_len()).saturating_sub(a.bit_len());
    let (whole, rest) = (a << shift).unsigned_abs().div_rem(b.unsigned_abs());
    let magnitude = (whole << 1) | UBig::from(!rest.is_zero());
    let negative = (*a < IBig::ZERO) != (*b < IBig::ZERO);
    let significand = if negative { -IBig::from(magnitude) } else { magnitude.into() };
    rounded(significand, e - f - shift as isize - 1, bits, round)
}

/// x/2^shift rounded to an integer, for a shift of at least one.
pub fn shifted(x: &IBig, shift: u64, round: Round) -> IBig {
    let (floor, zeros) = (x >> shift as usize, x.trailing_zeros().map_or(u64::MAX, |zeros| zeros as u64));
    // What is cut off is less than one, and not less than zero: two's complement is rounded down.
    let away = match round {
        Round::Down => false,
        Round::Up => zeros < shift,
        Round::Nearest => zeros < shift && x.bit(shift as usize - 1) && (zeros < shift - 1 || floor.bit(0)),
    };
    if away { floor + IBig::ONE } else { floor }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rational;

    const ROUNDS: [Round; 3] = [Round::Nearest, Round::Down, Round::Up];

    /// Numbers of one to three words, often with few bits set, so that ties and exact results occur.
    fn operands() -> Vec<Float> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut all = vec![Float::ZERO, 1.into(), (-3).into(), Float::from_parts(1.into(), -9000)];
        for _ in 0..60 {
            let words = next() % 3;
            let head = IBig::from(next() >> (next() % 64)) << (64 * words) as usize;
            let tail = if next() % 2 == 0 { IBig::from(next()) } else { IBig::ZERO };
            let sign = if next() % 2 == 0 { 1 } else { -1 };
            all.push(Float::from_parts((head + tail) * sign, (next() % 200) as isize - 100));
        }
        all
    }

    /// The multiple of 2^(e − bits) next to x in the direction, for 2^(e−1) ≤ |x| < 2^e.
    fn defined(x: &Rational, bits: u32, round: Round) -> Rational {
        let two = Rational::power_of_two;
        let length = |integer: &IBig| integer.bit_len() as i64;
        let mut exponent = length(x.numerator()) - length(&x.denominator().clone().into()) + 1;
        while x.abs() < two(exponent - 1) {
            exponent -= 1;
        }
        let unit = two(exponent - i64::from(bits));
        let units = x / &unit;
        let below = units.floor();
        let rest = &units - &below;
        let odd = (&below / &Rational::from(2)).floor() * Rational::from(2) != below;
        let up = match round {
            Round::Nearest => rest > Rational::from((1, 2)) || rest == Rational::from((1, 2)) && odd,
            Round::Down => false,
            Round::Up => rest > 0,
        };
        (below + Rational::from(i32::from(up))) * unit
    }

    #[test]
    fn sums_products_and_quotients_are_correctly_rounded() {
        let operands = operands();
        for (a, b) in operands.iter().flat_map(|a| operands.iter().map(move |b| (a, b))) {
            let (x, y) = (a.to_rational().expect("a number"), b.to_rational().expect("a number"));
            for (bits, round) in [1, 2, 24, 53, 100].into_iter().flat_map(|bits| ROUNDS.map(|round| (bits, round))) {
                let quotient = (!b.is_zero()).then(|| (a.div(b, bits, round), &x / &y));
                assert!(quotient.is_some() || !a.div(b, bits, round).is_defined());
                let results = [
                    (a.add(b, bits, round), &x + &y),
                    (a.sub(b, bits, round), &x - &y),
                    (a.mul(b, bits, round), &x * &y),
                ];
                for (found, exact) in results.into_iter().chain(quotient) {
                    let expected = if exact == 0 { Rational::ZERO } else { defined(&exact, bits, round) };
                    assert_eq!(found.to_rational(), Some(expected), "{a:?} {b:?} to {bits} bits, {round:?}");
                }
                assert_eq!(Float::from_rational(&x, bits, round), a.round_to(bits, round));
            }
        }
    }
}
