//! Decimal notation of numbers of any precision.

use crate::{Float, Rational, Round};
use dashu_base::UnsignedAbs;

/// The number rounded to `digits` significant decimal digits in the stated direction.
pub(crate) fn plain(value: &Float, digits: usize, round: Round) -> String {
    let Some(exact) = value.to_rational() else { return "NaN".into() };
    let Some(exponent) = value.exponent() else { return "0".into() };
    let negative = value.is_negative();
    let digits = digits.max(1) as i64;
    // 10^(place − 1) ≤ |x| < 10^place, or one less.
    let mut place = ((exponent as f64) * std::f64::consts::LOG10_2).ceil() as i64;
    let magnitude = exact.abs();
    if magnitude < Rational::power_of_ten((place - 1) as i32) {
        place -= 1;
    }
    let scaled = magnitude * Rational::power_of_ten((digits - place) as i32);
    let outward = (round == Round::Up) != negative;
    let whole = match round {
        Round::Nearest => (scaled + Rational::from((1, 2))).floor(),
        _ if outward => scaled.ceil(),
        _ => scaled.floor(),
    };
    let text = whole.numerator().unsigned_abs().to_string();
    let place = place + (text.len() as i64 - digits);
    notation(negative, &text, place)
}

/// ±0.digits·10^place, without an exponent where that is short, in the manner of `249.10209…`.
pub fn notation(negative: bool, digits: &str, place: i64) -> String {
    let sign = if negative { "-" } else { "" };
    let trimmed = digits.trim_end_matches('0');
    if trimmed.is_empty() {
        return format!("{sign}0");
    }
    match place {
        place if place > 0 && (place as usize) < digits.len() => {
            let (whole, fraction) = digits.split_at(place as usize);
            let fraction = fraction.trim_end_matches('0');
            let point = if fraction.is_empty() { "" } else { "." };
            format!("{sign}{whole}{point}{fraction}")
        }
        -4..=0 => format!("{sign}0.{}{trimmed}", "0".repeat(place.unsigned_abs() as usize)),
        _ => {
            let (lead, rest) = trimmed.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            format!("{sign}{lead}{point}{rest}e{:+}", place - 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_rounded_outward() {
        let third = |round| Float::from_rational(&Rational::from((-1, 3)), 100, round);
        assert_eq!(plain(&third(Round::Down), 5, Round::Down), "-0.33334");
        assert_eq!(plain(&third(Round::Up), 5, Round::Up), "-0.33333");
        assert_eq!(plain(&Float::from_f64(249.10209), 6, Round::Nearest), "249.102");
        assert_eq!(plain(&Float::from_f64(999.9), 3, Round::Up), "1e+3");
        assert_eq!(plain(&Float::from_f64(1e-9), 3, Round::Nearest), "1e-9");
        assert_eq!(plain(&Float::ZERO, 3, Round::Up), "0");
    }
}
