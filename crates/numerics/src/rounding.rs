//! Correct rounding of a real number that is only known through enclosures.

use crate::format::Format;
use crate::{Float, Interval, Rational, Round};

/// The first precision that is tried, and the one beyond which the attempt is given up.
const FIRST: u32 = 128;
const LAST: u32 = 1 << 17;

/// The number of the format that every number of the enclosure rounds to, if there is one.
pub(crate) fn round_interval(format: Format, enclosure: &Interval) -> Option<f64> {
    if !enclosure.is_defined() {
        return None;
    }
    agree(format.round_float(enclosure.lower()), format.round_float(enclosure.upper()))
}

/// Either of two numbers with the same bits.
fn agree(low: f64, high: f64) -> Option<f64> {
    (low.to_bits() == high.to_bits()).then_some(low)
}

/// The correct rounding (to nearest, ties to even) of the number that `enclose` encloses at any
/// precision it is asked for: enclosures are narrowed until both ends round alike (Ziv 1991).
///
/// Ends for every number that is neither a tie nor zero; `None` for those, and for numbers within
/// about 2^−131072 of a tie.
pub fn nearest(format: Format, enclose: impl Fn(u32) -> Option<Interval>) -> Option<f64> {
    let precisions = std::iter::successors(Some(FIRST), |bits| (*bits < LAST).then_some(bits * 2));
    precisions.map_while(enclose).find_map(|enclosure| round_interval(format, &enclosure))
}

/// The correct rounding of a rational number.
pub fn nearest_rational(format: Format, value: &Rational) -> Option<f64> {
    if value.is_dyadic() {
        // Representable, and perhaps a tie: rounded in one step.
        let bits = value.numerator_bits().max(2);
        return Some(format.round_float(&Float::from_rational(value, bits, Round::Nearest)));
    }
    nearest(format, |bits| Some(Interval::rational(value, bits)))
}

/// The rounding of every number within `error` of high + low, where |low| is at most an ulp of high.
///
/// The sums are rounded to binary64 first. For a narrower format that would be a double rounding:
/// the ends are therefore moved outward by one binary64 number before they are rounded again.
pub fn round_double(format: Format, high: f64, low: f64, error: f64) -> Option<f64> {
    let (below, above) = (high + (low - error), high + (low + error));
    match format {
        Format::F64 => agree(below, above),
        _ => agree(format.round(below.next_down()), format.round(above.next_up())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_double_rounding_is_not_accepted() {
        // One half ulp of binary32 above 1, plus and minus what binary64 cannot hold.
        let tie = 1.0 + 2f64.powi(-24);
        let tiny = 2f64.powi(-80);
        assert_eq!(round_double(Format::F32, tie, 2f64.powi(-70), tiny), None);
        assert_eq!(round_double(Format::F32, tie + 2f64.powi(-50), 0.0, tiny), Some(1.0 + 2f64.powi(-23)));
        assert_eq!(round_double(Format::F64, tie, 2f64.powi(-70), tiny), Some(tie));
    }

    #[test]
    fn rationals_round_exactly_ties_included() {
        let tie = Rational::from(((1u64 << 24) + 1, 1u64 << 24));
        assert_eq!(nearest_rational(Format::F32, &tie), Some(1.0));
        assert_eq!(nearest_rational(Format::F64, &tie), Some(1.0 + 2f64.powi(-24)));
        assert_eq!(nearest_rational(Format::Bf16, &(1, 3).into()), Some(0.333984375));
        assert_eq!(nearest_rational(Format::F16, &Rational::ZERO), Some(0.0));
        assert_eq!(nearest_rational(Format::F16, &100000.into()), Some(f64::INFINITY));
    }

    #[test]
    fn enclosures_narrow_until_they_agree() {
        // 1 + 2^−24 + 2^−300: only some 330 bits tell it from the tie.
        let close = Rational::from(1) + Rational::from((1, 1u64 << 24)) + Rational::power_of_two(-300);
        assert_eq!(nearest(Format::F32, |bits| Some(Interval::rational(&close, bits))), Some(1.0 + 2f64.powi(-23)));
        let tie = Rational::from(1) + Rational::from((1, 1u64 << 24));
        let never = nearest(Format::F32, |bits| {
            let away = Rational::power_of_two(-i64::from(bits));
            Some(Interval::new(
                Float::from_rational(&(&tie - &away), bits + 30, Round::Nearest),
                Float::from_rational(&(&tie + &away), bits + 30, Round::Nearest),
            ))
        });
        assert_eq!(never, None);
    }
}
