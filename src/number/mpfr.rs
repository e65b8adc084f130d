//! Between MPFR's numbers and those of [`posproof_numerics`].

use super::format::Format;
use rug::Float;

/// The number rounded to nearest in a format, ties to even, from any precision in one step.
pub fn round(format: Format, x: &Float) -> f64 {
    let Some(exponent) = x.get_exp() else {
        return x.to_f64();
    };
    if exponent - 1 > format.max_exponent() {
        return if x.is_sign_negative() { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    let quantum = (exponent - 1).max(format.min_exponent()) - (format.precision() as i32 - 1);
    format.from_quanta((x.clone() >> quantum).round_even().to_f64(), quantum)
}

/// The same number in MPFR, exactly; NaN for what is undefined.
pub fn exactly(x: &posproof_numerics::Float) -> Float {
    let Some(value) = x.to_rational().and_then(|value| value.to_string().parse::<rug::Rational>().ok()) else {
        return Float::with_val(53, rug::float::Special::Nan);
    };
    // Dyadic: the numerator's bits hold it.
    Float::with_val(value.numer().significant_bits().max(2), value)
}
