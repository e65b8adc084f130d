//! Cosine and sine of a number, enclosed.
//!
//! Evaluated in integers that count units of 2^−W. The angle is reduced to r = x − k·π/2 with |r| < 0.8, halved
//! h times, and the power series are summed; doubling the angle h times leads back. Errors, in units:
//!
//! | what | at most |
//! | --- | --- |
//! | r: cutting x, and k·π/2 from an enclosure of π to k's bits more | 2 |
//! | r/2^h: cutting | 1 more, hence 2 in all for h ≥ 1 |
//! | a series of n terms: each term is cut twice and inherits half of its predecessor's error | 3n |
//! | doubling, (c, s) ↦ (c² − s², 2cs), from e: 2·(abs c + abs s)·e + 2e² + 3 | 3e + 3 |
//! | after h of them, from 3n + 2 | 3^h·(3n + 4) |
//!
//! With n ≤ 2^12 and h ≤ 32 that is below 2^(1.6·h + 14): so many guard bits are kept. (c² + s² = 1 up to e bounds abs c + abs s
//! by √2 and a little, and 2√2 + 2e < 3.)

use crate::cache::Cache;
use crate::{Float, Interval, Round};
use dashu_base::{BitTest, DivEuclid};
use dashu_float::{Context, round::mode};
use dashu_int::IBig;
use std::sync::LazyLock;

/// The beyond-which-not of the working precision: angles that are larger or smaller than 2^±this are not enclosed.
const MAX_BITS: i64 = 1 << 22;

/// Enclosures of the cosine and the sine of a number, each of relative width at most 2^(2−bits) where it is
/// not zero; undefined for numbers of extreme magnitude.
pub(crate) fn cos_sin(x: &Float, bits: u32) -> [Interval; 2] {
    let Some(exponent) = x.exponent() else {
        return match x.is_defined() {
            true => [Interval::from(1), Interval::from(0)],
            false => [Interval::undefined(), Interval::undefined()],
        };
    };
    // Beyond the relative precision that a sine below 2^exponent asks for, and enough for most of those that turn out
    // smaller: seven bits are cheaper than another round.
    let mut fraction = i64::from(bits) + 9 + (-exponent).max(0);
    loop {
        if fraction + exponent.max(0) > MAX_BITS {
            return [Interval::undefined(), Interval::undefined()];
        }
        let both = enclosed(x, exponent, fraction);
        let least = both.iter().map(|part| part.lower().exponent().min(part.upper().exponent()).unwrap_or(-fraction));
        let least = least.min().unwrap_or(0);
        let lacking = i64::from(bits) - (fraction + least.min(0));
        let apart = both.iter().all(|part| part.excludes_zero());
        if apart && lacking <= 0 {
            return both;
        }
        // How small a part is, is known once it is told from zero.
        fraction += if apart { lacking + 1 } else { i64::from(bits).max(-least) };
    }
}

/// Both to within 2^−fraction, absolutely.
fn enclosed(x: &Float, exponent: i64, fraction: i64) -> [Interval; 2] {
    let halvings = 2 + (fraction as f64).sqrt() as i64 / 3;
    let halvings = halvings.min(32);
    let units = fraction + 8 * halvings / 5 + 16;
    let cut = |value: &Float, units: i64| value.quanta(-units, Round::Down).unwrap_or(IBig::ZERO);
    // k·π/2 is cut to one unit: π has as many more bits as k.
    let spare = exponent.max(0) + 4;
    let half_pi: IBig = pi_units(units + spare - 1);
    let (quadrant, reduced) = match exponent <= -1 {
        true => (IBig::ZERO, cut(x, units)),
        false => {
            let fine = cut(x, units + spare);
            let quadrant: IBig = (&fine * IBig::from(2) + &half_pi).div_euclid(&half_pi * IBig::from(2));
            let reduced = fine - &quadrant * &half_pi;
            (quadrant, reduced >> spare as usize)
        }
    };
    let (cos, sin) = series(&(reduced >> halvings as usize), units as usize);
    let (cos, sin) = doubled(cos, sin, halvings, units as usize);
    let (cos, sin) = match i32::try_from(&(&quadrant & IBig::from(3))).unwrap_or(0) {
        0 => (cos, sin),
        1 => (-sin, cos),
        2 => (-cos, -sin),
        _ => (sin, -cos),
    };
    let radius = IBig::ONE << (units - fraction) as usize;
    [cos, sin].map(|value| {
        let end = |value: IBig| Float::from_parts(value, -units as isize);
        Interval::new(end(&value - &radius), end(value + &radius))
    })
}

/// ⌊π·2^bits⌋, to within one unit.
fn pi_units(bits: i64) -> IBig {
    static KNOWN: LazyLock<Cache<i64, IBig>> = LazyLock::new(Cache::default);
    KNOWN.get(&bits, || {
        let pi = Context::<mode::Down>::new(bits as usize + 2).pi::<2>(None).value().into_repr();
        Float::from_parts(pi.significand().clone(), pi.exponent()).quanta(-bits, Round::Down).unwrap_or(IBig::ZERO)
    })
}

/// Σ (−1)^j r^(2j)/(2j)! and Σ (−1)^j r^(2j+1)/(2j+1)!, for |r| < 1 in units of 2^−units.
fn series(r: &IBig, units: usize) -> (IBig, IBig) {
    let one = IBig::ONE << units;
    let (mut cos, mut sin, mut term) = (one.clone(), IBig::ZERO, one);
    for n in 1u32.. {
        term = ((&term * r) >> units) / IBig::from(n);
        if term.bit_len() <= 1 {
            break;
        }
        let sum = if n % 2 == 0 { &mut cos } else { &mut sin };
        if n % 4 < 2 { *sum += &term } else { *sum -= &term }
    }
    (cos, sin)
}

fn doubled(mut cos: IBig, mut sin: IBig, times: i64, units: usize) -> (IBig, IBig) {
    for _ in 0..times {
        let both: IBig = (&cos * &sin) >> (units - 1);
        cos = ((&cos + &sin) * (&cos - &sin)) >> units;
        sin = both;
    }
    (cos, sin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        let [cos, sin] = cos_sin(&Float::from(1), 200);
        assert_eq!(cos.decimal_with(40).0, "0.5403023058681397174009366074429766037323");
        assert_eq!(sin.decimal_with(40).0, "0.8414709848078965066525023216302989996225");
        let [cos, sin] = cos_sin(&Float::from(0), 100);
        assert!(cos.is_point() && sin.is_point() && *cos.lower() == 1.0 && sin.lower().is_zero());
    }

    #[test]
    fn a_sine_is_relatively_narrow_however_small() {
        // 355/113 is within 2^−21 of π; 2^−900 is tiny.
        for x in
            [Float::from(355), Float::from_f64(2f64.powi(-900)), Float::from_f64(6381956970095103.0 * 2f64.powi(797))]
        {
            let [cos, sin] = cos_sin(&x, 128);
            for part in [cos, sin] {
                let width = part.width_up();
                assert!(
                    width <= part.midpoint().abs().to_f64(Round::Up) * 2f64.powi(-126) || width < f64::MIN_POSITIVE,
                    "{width}"
                );
                assert!(part.excludes_zero());
            }
        }
    }
}
