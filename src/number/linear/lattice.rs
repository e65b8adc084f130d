//! Three angles of one frequency whose positions add up to 0.
//!
//! With P₁ + P₂ + P₃ = 0 the errors ε(P) = fl(P·ω) − P·ω add up to Σ fl(P·ω), a multiple of the smallest of the three units in the
//! last place. By binades eⱼ of |Pⱼ·ω| that sum is at most half of all three units, rounded down to such a multiple. Halves of
//! units are all reached by ties alone, and so is a sum of them.
//!
//! A sum of three halves is a multiple of the smallest unit in the binades e, e and e + 1 alone, for none of three numbers with
//! the sum 0 is larger than both others together. Let ω = M·2^k with M odd, in p bits. A tie in the binade e is P = q·2^v with
//! v = e − p − k and an odd q with 2^p ≤ q·M < 2^(p+1). To even it is rounded away from 0 if q·M ≡ 3 modulo 4, towards 0
//! otherwise. P₁ and P₂ have one sign, and so have their errors: q₁ ≡ q₂ modulo 4. P₃ = −(q₁ + q₂)·2^v is a tie whose
//! error has that sign too if q₃ = (q₁ + q₂)/2 is odd and rounded in the other direction: q₃ ≢ q₁ modulo 4. Some q₁ and q₂ are
//! like that if and only if q and q + 4 are, with the least odd q.

use crate::number::format::{Format, exponent_of, power_of_two};

/// ω = M·2^k with M odd.
fn odd_part(omega: f64) -> (u64, i32) {
    let exponent = exponent_of(omega) - 52;
    let digits = (omega * power_of_two(-exponent)) as u64;
    (digits >> digits.trailing_zeros(), exponent + digits.trailing_zeros() as i32)
}

/// True if three ties in the binades e, e and e + 1, of positions up to `last`, have errors of one sign.
fn are_ties(format: Format, omega: f64, e: i32, mut last: [f64; 3]) -> bool {
    let bits = format.precision() as i32;
    let (odd, k) = odd_part(omega);
    let v = e - bits - k;
    if v < 0 {
        return false;
    }
    let least = (1u64 << bits).div_ceil(odd) | 1;
    // Any of the three may be the largest.
    last.sort_by(f64::total_cmp);
    let position = |q: u64, v: i32| q as f64 * power_of_two(v);
    let is_tie = u128::from(least + 4) * u128::from(odd) < 1u128 << (bits + 1);
    is_tie && position(least + 2, v + 1) <= last[2] && position(least, v) <= last[1]
}

/// A bound on |Σ ε(P)| for three integers with the sum 0, up to `last` in magnitude; none where one may be rounded, or its
/// product underflow.
pub(super) fn largest_of_three(format: Format, omega: f64, last: [f64; 3]) -> Option<f64> {
    let bits = format.precision() as i32;
    let low = exponent_of(omega);
    let is_held = last.iter().all(|last| *last >= 1.0 && *last <= power_of_two(bits));
    if !is_held || !omega.is_normal() || low < format.min_exponent() {
        return None;
    }
    // Heights of the largest binades above the smallest; a product that is rounded up to a power of two is charged its own.
    let top = last.map(|last| exponent_of((last * omega).next_up()) - low);
    if top.iter().any(|top| *top > 60) {
        return None;
    }
    let half = |height: i32| 1u64 << height;
    let mut largest = 0u64;
    for one in (0..=top[0]).rev() {
        for two in (0..=top[1]).rev() {
            if half(one) + half(two) + half(top[2]) <= largest {
                break;
            }
            for three in (0..=top[2]).rev() {
                let sum = half(one) + half(two) + half(three);
                if sum <= largest {
                    break;
                }
                let mut heights = [one, two, three];
                heights.sort_unstable();
                let [small, middle, large] = heights;
                if large > middle + 1 {
                    continue;
                }
                let unit = 2 * half(small);
                let mut multiple = sum / unit * unit;
                if multiple == sum && !are_ties(format, omega, small + low, last) {
                    multiple -= unit;
                }
                largest = largest.max(multiple);
            }
        }
    }
    // In halves of the unit of the smallest binade: exact, but for underflow, where the next number is no less.
    let half_unit = format.unit_roundoff() * power_of_two(low);
    Some((largest as f64).next_up() * half_unit + f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest sum of the errors of t, k and −(t + k), in binary32.
    fn found(omega: f64, last: i64) -> f64 {
        let rounded = |p: i64| f64::from((p as f64 * omega) as f32);
        let errors: Vec<f64> = (0..=2 * last).map(|p| rounded(p) - p as f64 * omega).collect();
        let error =
            |t: usize| (0..=last as usize).map(|k| (errors[t] + errors[k] - errors[t + k]).abs()).fold(0.0, f64::max);
        (0..=last as usize).map(error).fold(0.0, f64::max)
    }

    fn bound(omega: f64, last: i64) -> f64 {
        let last = last as f64;
        largest_of_three(Format::F32, omega, [last, last, 2.0 * last]).expect("integers that the format holds")
    }

    #[test]
    fn no_sum_of_three_errors_is_above_its_bound() {
        for step in 0..400u32 {
            // Digits from 2 to 24, so that some have ties.
            let kept = 2 + step % 23;
            let digits = f64::from(0x0080_0000 | (step.wrapping_mul(0x9e37_79b9) >> 9));
            let omega =
                (digits * power_of_two(kept as i32 - 24)).floor() * power_of_two(-(kept as i32) - (step % 3) as i32);
            for last in [40, 97] {
                let (found, bound) = (found(omega, last), bound(omega, last));
                assert!(found <= bound, "ω = {omega:e}, positions to {last}: {found:e} above {bound:e}");
            }
        }
    }

    #[test]
    fn bounds_of_three_errors_are_attained() {
        let mut tight = 0;
        for step in 1..=40u32 {
            let omega = f64::from((0x0080_0000 | (step.wrapping_mul(0x9e37_79b9) >> 9)) as f32) * power_of_two(-24);
            let (found, bound) = (found(omega, 1500), bound(omega, 1500));
            assert!(found <= bound, "ω = {omega:e}: {found:e} above {bound:e}");
            tight += u32::from(bound <= 1.01 * found);
        }
        assert!(tight >= 36, "{tight} of 40");
    }
}
