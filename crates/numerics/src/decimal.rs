//! Decimal notation of numbers of any precision.

use crate::{Float, Rational, Round};
use dashu_base::UnsignedAbs;

/// A count and what is counted, which takes an s in the plural.
///
/// ```
/// use posproof_numerics::decimal::counted;
/// assert_eq!((counted(1, "file"), counted(2, "file")), ("1 file".to_owned(), "2 files".to_owned()));
/// ```
pub fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

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

/// A number with `digits` significant digits in the manner of C's `%e`, rounded as told (to nearest: ties to even).
///
/// ```
/// use posproof_numerics::{Round, decimal::scientific};
/// assert_eq!(scientific(2.50461e-5, 5, Round::Up), "2.5047e-05");
/// assert_eq!(scientific(0.125, 2, Round::Nearest), "1.2e-01");
/// assert_eq!(scientific(-999.9, 3, Round::Down), "-1.00e+03");
/// assert_eq!(scientific(0.0, 5, Round::Up), "0");
/// ```
pub fn scientific(x: f64, digits: usize, round: Round) -> String {
    if !x.is_finite() || x == 0.0 {
        return format!("{x}");
    }
    // No binary64 number has more significant decimal digits than these: the expansion is exact.
    let exact = format!("{:.766e}", x.abs());
    let (mantissa, exponent) = exact.split_once('e').unwrap_or((&exact, "0"));
    let mut exponent: i32 = exponent.parse().unwrap_or(0);
    let mut kept: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).collect();
    let rest = kept.split_off(digits.clamp(1, kept.len()));
    let some = rest.iter().any(|&digit| digit != b'0');
    let half = rest.first().map_or(b'0', |&first| first);
    let beyond_half = rest.iter().skip(1).any(|&digit| digit != b'0');
    let odd = kept.last().is_some_and(|last| last % 2 == 1);
    let away = match round {
        Round::Nearest => half > b'5' || half == b'5' && (beyond_half || odd),
        Round::Up => some && x > 0.0,
        Round::Down => some && x < 0.0,
    };
    if away {
        let nines = kept.iter().rev().take_while(|&&digit| digit == b'9').count();
        let last = kept.len() - nines;
        kept[last..].fill(b'0');
        match last.checked_sub(1) {
            Some(place) => kept[place] += 1,
            None => (kept[0], exponent) = (b'1', exponent + 1),
        }
    }
    let sign = if x < 0.0 { "-" } else { "" };
    let text: String = kept.into_iter().map(char::from).collect();
    let (lead, rest) = text.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    let mark = if exponent < 0 { '-' } else { '+' };
    format!("{sign}{lead}{point}{rest}e{mark}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scientific_notation_is_rounded_as_told() {
        assert_eq!(scientific(9.9999e-1, 3, Round::Up), "1.00e+00");
        assert_eq!(scientific(9.9999e-1, 3, Round::Down), "9.99e-01");
        assert_eq!(scientific(0.375, 2, Round::Nearest), "3.8e-01");
        assert_eq!(scientific(-0.1, 3, Round::Up), "-1.00e-01");
        assert_eq!(scientific(-0.1, 3, Round::Down), "-1.01e-01");
        // 0.1 is a little above a tenth in binary64, and the smallest number is 4.94…·10^−324.
        assert_eq!(scientific(0.1, 5, Round::Up), "1.0001e-01");
        assert_eq!(scientific(f64::from_bits(1), 1, Round::Down), "4e-324");
        assert_eq!(scientific(f64::NAN, 3, Round::Up), "NaN");
    }

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
