//! Formats of at most eight bits: those of the Open Compute Project, for values (E4M3, E5M2, E2M1) and for scales of
//! blocks (E8M0).
//!
//! Sources: *OCP 8-bit Floating Point Specification (OFP8)*, revision 1.0, 2023; *OCP Microscaling Formats (MX)
//! Specification*, version 1.0, 2023.

use crate::binary64::{exponent_of, power_of_two};
use std::fmt;

/// A format of at most eight bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Narrow {
    /// 4 bits of exponent, 3 of fraction, no infinity, largest number 448.
    E4m3,
    /// 5 bits of exponent, 2 of fraction, infinities, largest number 57344.
    E5m2,
    /// 2 bits of exponent, 1 of fraction, nothing but numbers, largest number 6.
    E2m1,
    /// Powers of two from 2^−127 to 2^127, and NaN: the scale of a block. It has neither zero nor sign.
    E8m0,
}

/// The direction of a rounding to a narrow format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Towards {
    /// The nearest number; of two, the one whose code is even.
    Nearest,
    /// The next number that is no larger in magnitude.
    Zero,
}

/// The result of rounding a number that lies beyond the largest one of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// The largest number.
    Saturate,
    /// Infinity, or NaN where the format has none; the largest number where it has neither.
    Special,
}

impl Narrow {
    /// All of them.
    pub const ALL: [Narrow; 4] = [Narrow::E4m3, Narrow::E5m2, Narrow::E2m1, Narrow::E8m0];

    /// The name used on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Narrow::E4m3 => "e4m3",
            Narrow::E5m2 => "e5m2",
            Narrow::E2m1 => "e2m1",
            Narrow::E8m0 => "e8m0",
        }
    }

    /// Bits of a code.
    pub const fn bits(self) -> u32 {
        match self {
            Narrow::E2m1 => 4,
            _ => 8,
        }
    }

    /// Bits of the significand, the leading bit included.
    pub const fn precision(self) -> u32 {
        match self {
            Narrow::E4m3 => 4,
            Narrow::E5m2 => 3,
            Narrow::E2m1 => 2,
            Narrow::E8m0 => 1,
        }
    }

    /// The exponent e of the smallest normal number 2^e.
    pub const fn min_exponent(self) -> i32 {
        match self {
            Narrow::E4m3 => -6,
            Narrow::E5m2 => -14,
            Narrow::E2m1 => 0,
            Narrow::E8m0 => -127,
        }
    }

    /// The largest number.
    pub fn max_finite(self) -> f64 {
        match self {
            Narrow::E4m3 => 448.0,
            Narrow::E5m2 => 57344.0,
            Narrow::E2m1 => 6.0,
            Narrow::E8m0 => power_of_two(127),
        }
    }

    /// The smallest positive number.
    pub fn min_positive(self) -> f64 {
        power_of_two(self.min_exponent() + 1 - self.precision() as i32)
    }

    /// The number of a code, of which only the lowest [`bits`](Self::bits) count.
    ///
    /// ```
    /// use posproof_numerics::narrow::Narrow;
    /// assert_eq!(Narrow::E4m3.decode(0x7e), 448.0);
    /// assert_eq!(Narrow::E2m1.decode(0b1011), -1.5);
    /// assert_eq!(Narrow::E8m0.decode(127), 1.0);
    /// ```
    pub fn decode(self, code: u8) -> f64 {
        if self == Narrow::E8m0 {
            return if code == 0xff { f64::NAN } else { power_of_two(i32::from(code) - 127) };
        }
        let fraction_bits = self.precision() - 1;
        let magnitude = u32::from(code) & ((1 << (self.bits() - 1)) - 1);
        let sign = if u32::from(code) >> (self.bits() - 1) & 1 == 1 { -1.0 } else { 1.0 };
        let (exponent, fraction) = (magnitude >> fraction_bits, magnitude & ((1 << fraction_bits) - 1));
        let value = match (self, exponent, fraction) {
            (Narrow::E4m3, 15, 7) => f64::NAN,
            (Narrow::E5m2, 31, 0) => f64::INFINITY,
            (Narrow::E5m2, 31, _) => f64::NAN,
            (_, 0, _) => f64::from(fraction) * self.min_positive(),
            _ => {
                let significand = f64::from(fraction | 1 << fraction_bits);
                significand * self.min_positive() * power_of_two(exponent as i32 - 1)
            }
        };
        sign * value
    }

    /// The code of a number of the format; none for another number. NaN has the code of the format's positive one.
    pub fn encode(self, x: f64) -> Option<u8> {
        let (sign, fraction_bits) = (1u32 << (self.bits() - 1), self.precision() - 1);
        let is_coded = |code: &u8| {
            let value = self.decode(*code);
            value.to_bits() == x.to_bits() || (value.is_nan() && x.is_nan())
        };
        let code = match self {
            _ if !x.is_finite() => (0..=u8::MAX >> (8 - self.bits())).find(is_coded).map(u32::from)?,
            Narrow::E8m0 => u32::try_from(exponent_of(x) + 127).ok()?,
            _ => {
                let exponent = exponent_of(x).max(self.min_exponent());
                // Whole where x is a number of the format; the first binade above the subnormal numbers has exponent field 1.
                let steps = x.abs() / power_of_two(exponent + 1 - self.precision() as i32);
                let field = (exponent - self.min_exponent()) as u32;
                let magnitude = (field << fraction_bits).checked_add(steps.min(256.0) as u32)?;
                if x.is_sign_negative() { magnitude | sign } else { magnitude }
            }
        };
        u8::try_from(code).ok().filter(is_coded)
    }

    /// The number rounded to the format. What underflows keeps its sign; NaN stays NaN where the format has it, as does
    /// infinity unless it saturates. A scale rounds to a positive power of two: what is not positive has none, and is NaN.
    ///
    /// ```
    /// use posproof_numerics::narrow::{Narrow, Overflow, Towards};
    /// let nearest = |x| Narrow::E4m3.round(x, Towards::Nearest, Overflow::Saturate);
    /// assert_eq!(nearest(17.0), 16.0);
    /// assert_eq!(nearest(1e6), 448.0);
    /// assert_eq!(Narrow::E4m3.round(17.9, Towards::Zero, Overflow::Special), 16.0);
    /// ```
    pub fn round(self, x: f64, towards: Towards, overflow: Overflow) -> f64 {
        if x.is_nan() || (self == Narrow::E8m0 && x <= 0.0) {
            return f64::NAN;
        }
        if x == 0.0 {
            return x;
        }
        let exponent = exponent_of(x).max(self.min_exponent());
        let quantum = power_of_two(exponent + 1 - self.precision() as i32);
        // Exact: a quotient by a power of two, of a number that is no smaller than 2^−1074.
        let steps = x.abs() / quantum;
        let whole = match towards {
            Towards::Zero => steps.floor(),
            // A scale's codes are its exponents: those of whole numbers of quanta, 1 and 2, tell nothing of them.
            Towards::Nearest if self == Narrow::E8m0 && steps == 1.5 => {
                if exponent.rem_euclid(2) == 1 {
                    1.0
                } else {
                    2.0
                }
            }
            Towards::Nearest => steps.round_ties_even(),
        };
        let rounded = if self == Narrow::E8m0 { whole.max(1.0) } else { whole } * quantum;
        let kept = if rounded <= self.max_finite() { rounded } else { self.beyond(x, towards, overflow) };
        kept.copysign(x)
    }

    /// The magnitude of the result beyond the largest number.
    fn beyond(self, x: f64, towards: Towards, overflow: Overflow) -> f64 {
        match (self, overflow, towards) {
            (Narrow::E2m1, ..) | (_, Overflow::Saturate, _) => self.max_finite(),
            // Truncation ends at the largest number, unless there is none that is larger.
            (_, _, Towards::Zero) if x.is_finite() => self.max_finite(),
            (Narrow::E5m2, ..) => f64::INFINITY,
            (Narrow::E4m3 | Narrow::E8m0, ..) => f64::NAN,
        }
    }
}

impl fmt::Display for Narrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of a format, from the smallest positive one on.
    fn positive(format: Narrow) -> Vec<f64> {
        let mut all: Vec<f64> = (0..=u8::MAX >> (8 - format.bits()))
            .map(|code| format.decode(code))
            .filter(|x| x.is_finite() && *x > 0.0)
            .collect();
        all.sort_by(f64::total_cmp);
        all
    }

    #[test]
    fn formats_have_the_numbers_of_their_specifications() {
        let ends = |format| {
            let all = positive(format);
            (all.len(), all[0], all[all.len() - 1])
        };
        assert_eq!(ends(Narrow::E4m3), (126, 2f64.powi(-9), 448.0));
        assert_eq!(ends(Narrow::E5m2), (123, 2f64.powi(-16), 57344.0));
        assert_eq!(positive(Narrow::E2m1), [0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]);
        assert_eq!(ends(Narrow::E8m0), (255, 2f64.powi(-127), 2f64.powi(127)));
        for format in Narrow::ALL {
            let all = positive(format);
            assert_eq!((all[0], all[all.len() - 1]), (format.min_positive(), format.max_finite()), "{format}");
            assert!(all.contains(&power_of_two(format.min_exponent())), "{format}");
        }
        assert!(Narrow::E4m3.decode(0xff).is_nan() && Narrow::E8m0.decode(0xff).is_nan());
        assert_eq!((Narrow::E5m2.decode(0x7c), Narrow::E5m2.decode(0xfc)), (f64::INFINITY, f64::NEG_INFINITY));
    }

    #[test]
    fn codes_come_back() {
        for format in Narrow::ALL {
            for code in 0..=u8::MAX >> (8 - format.bits()) {
                let value = format.decode(code);
                let back = format.encode(value).expect("a code");
                assert!(value.is_nan() || back == code, "{format} {code}");
                assert!(value.is_nan() == format.decode(back).is_nan());
            }
            assert_eq!(format.encode(1.0 + 2f64.powi(-20)), None);
        }
    }

    /// Every number, every midpoint, and both neighbours of each in binary64, by search among all numbers of the format.
    #[test]
    fn rounding_is_to_the_nearest_number_and_truncation_to_the_next_below() {
        for format in Narrow::ALL {
            let all = positive(format);
            let mut tried = 0;
            for (place, pair) in all.windows(2).enumerate() {
                let middle = 0.5 * (pair[0] + pair[1]);
                for x in [pair[0], middle, pair[1]].into_iter().flat_map(|x| [x.next_down(), x, x.next_up()]) {
                    if x < pair[0] || x > pair[1] {
                        continue;
                    }
                    let even = format.encode(pair[0]).expect("a code").is_multiple_of(2);
                    let nearest = if x < middle || (x == middle && even) { pair[0] } else { pair[1] };
                    let below = if x == pair[1] { pair[1] } else { pair[0] };
                    for overflow in [Overflow::Saturate, Overflow::Special] {
                        for sign in if format == Narrow::E8m0 { vec![1.0] } else { vec![1.0, -1.0] } {
                            assert_eq!(
                                format.round(sign * x, Towards::Nearest, overflow),
                                sign * nearest,
                                "{format} {x}"
                            );
                            assert_eq!(format.round(sign * x, Towards::Zero, overflow), sign * below, "{format} {x}");
                            tried += 1;
                        }
                    }
                }
                assert!(place < all.len());
            }
            assert!(tried > 10 * all.len(), "{format}: {tried}");
        }
    }

    #[test]
    fn the_ends_underflow_saturate_or_overflow() {
        let half = Narrow::E4m3.min_positive() / 2.0;
        let nearest = |x| Narrow::E4m3.round(x, Towards::Nearest, Overflow::Special);
        assert!(nearest(-half) == 0.0 && nearest(-half).is_sign_negative());
        assert_eq!(nearest(half.next_up()), Narrow::E4m3.min_positive());
        // Half a unit beyond the largest number is a tie, and 448 has the even code of the two.
        assert_eq!(nearest(464.0), 448.0);
        assert!(nearest(464.0f64.next_up()).is_nan() && nearest(f64::INFINITY).is_nan());
        let e5m2 = |x, overflow| Narrow::E5m2.round(x, Towards::Nearest, overflow);
        assert_eq!(e5m2(-61440.0, Overflow::Special), f64::NEG_INFINITY);
        assert_eq!(e5m2(-61440.0, Overflow::Saturate), -57344.0);
        assert_eq!(e5m2(61440.0f64.next_down(), Overflow::Special), 57344.0);
        for format in [Narrow::E4m3, Narrow::E5m2, Narrow::E2m1] {
            assert_eq!(format.round(1e9, Towards::Zero, Overflow::Special), format.max_finite());
            assert!(format.round(f64::NAN, Towards::Nearest, Overflow::Saturate).is_nan());
        }
        assert_eq!(Narrow::E2m1.round(f64::INFINITY, Towards::Nearest, Overflow::Special), 6.0);
        for none in [0.0, -1.0] {
            assert!(Narrow::E8m0.round(none, Towards::Zero, Overflow::Saturate).is_nan());
        }
        assert_eq!(Narrow::E8m0.round(1e-300, Towards::Zero, Overflow::Saturate), 2f64.powi(-127));
    }
}
