//! Measured errors and their bounds in decimal.

use rug::Float;
use rug::float::Round;

/// A non-negative number with three significant digits, rounded up: what a bound is printed as.
pub fn rounded_up(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    let (_, digits, exponent) = Float::with_val(53, x).to_sign_string_exp_round(10, Some(3), Round::Up);
    let (lead, rest) = digits.split_at(1);
    format!("{lead}.{rest}e{}", exponent.unwrap_or(0) - 1)
}

/// A measured error with three significant digits, rounded to nearest.
pub fn short(error: f64) -> String {
    if error == 0.0 { "0".to_owned() } else { format!("{error:.2e}") }
}

/// error / bound; 0 where the bound is.
pub fn ratio(error: f64, bound: f64) -> f64 {
    if bound > 0.0 { error / bound } else { 0.0 }
}
