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

/// The share error ÷ bound; 0 where the bound is.
pub fn share(error: f64, bound: f64) -> f64 {
    if bound > 0.0 { error / bound } else { 0.0 }
}

/// The ratio bound ÷ error with three significant digits, rounded up; a dash where there is no error.
pub fn ratio(error: f64, bound: f64) -> String {
    match bound / error {
        ratio if !ratio.is_finite() => "–".to_owned(),
        ratio if (1.0..1000.0).contains(&ratio) => {
            let digits = if ratio < 10.0 {
                2
            } else if ratio < 100.0 {
                1
            } else {
                0
            };
            let unit = 10f64.powi(digits);
            format!("{:.*}", digits as usize, (ratio * unit).ceil() / unit)
        }
        ratio => rounded_up(ratio),
    }
}
