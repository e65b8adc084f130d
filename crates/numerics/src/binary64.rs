//! Exponents of binary64 numbers, and powers of two.

/// ⌊log2 |x|⌋ of a finite normal binary64 number; −1023 for zero and subnormal numbers.
#[inline]
pub fn exponent_of(x: f64) -> i32 {
    ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

/// 2^⌊log2 |x|⌋ of a normal binary64 number, without branches; 0 for zero and subnormal numbers, infinity for infinities and
/// what is not a number.
#[inline(always)]
pub fn binade(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & (0x7ff << 52))
}

/// 2^e, subnormal results included; zero below 2^−1074 and infinity above 2^1023.
#[inline]
pub fn power_of_two(e: i32) -> f64 {
    match e {
        1024.. => f64::INFINITY,
        -1022..=1023 => f64::from_bits(((e + 1023) as u64) << 52),
        -1074..=-1023 => f64::from_bits(1 << (e + 1074)),
        _ => 0.0,
    }
}
