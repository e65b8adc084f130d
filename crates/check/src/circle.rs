//! Cosines and sines of many angles, for what programs are compared with: in plain binary64 arithmetic without fused
//! operations, so that they are the same on every processor, and off by at most [`ERROR`]. References of conventions are
//! certified elsewhere.
//!
//! The angle is reduced by the nearest multiple n of π/2, |n| < 2^20, which is taken from it in two parts: the first has 33
//! bits, so that its product with n is exact, and both together are within 2^−86 of π/2. The polynomials are those of
//! fdlibm's kernels, within 2^−57 of sine and cosine to π/4.

use posproof_table::{Instructions, Loop, vectorized};
use std::f64::consts::FRAC_2_PI;

/// Error of a cosine or sine of the angle, at most. The kernels are within one unit in the last place, which is 2^−53 below
/// 1; what the reduction adds, n·2^−86 and the rounding of n times the second part, 2^−68, is far below another.
pub(super) const ERROR: f64 = f64::EPSILON;

/// Angles that are reduced: 2^19·π/2.
const LARGEST: f64 = 823_549.0;

/// π/2: its first 33 bits, and the rest.
const HALF_TURN: [f64; 2] = [f64::from_bits(0x3ff9_21fb_5440_0000), f64::from_bits(0x3dd0_b461_1a62_6331)];

/// 3·2^51: adding it rounds to whole numbers, which stand in the last bits.
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// (sin r − r)/r³ and (cos r − 1 + r²/2)/r⁴, in powers of r²: fdlibm's k_sin.c and k_cos.c.
const SINE: [f64; 6] = coefficients([
    0xbfc5_5555_5555_5549,
    0x3f81_1111_1110_f8a6,
    0xbf2a_01a0_19c1_61d5,
    0x3ec7_1de3_57b1_fe7d,
    0xbe5a_e5e6_8a2b_9ceb,
    0x3de5_d93a_5acf_d57c,
]);
const COSINE: [f64; 6] = coefficients([
    0x3fa5_5555_5555_554c,
    0xbf56_c16c_16c1_5177,
    0x3efa_01a0_19cb_1590,
    0xbe92_7e4f_809c_52ad,
    0x3e21_ee9e_bdb4_b1c4,
    0xbda8_fae9_be88_38d4,
]);

/// Numbers by their bits, as the compiler and not the loop reads them.
const fn coefficients(bits: [u64; 6]) -> [f64; 6] {
    let mut numbers = [0.0; 6];
    let mut i = 0;
    while i < 6 {
        numbers[i] = f64::from_bits(bits[i]);
        i += 1;
    }
    numbers
}

/// Turns angles into their cosines, and writes their sines.
pub(super) fn turn(angles: &mut [f64], sines: &mut [f64]) {
    let mut far = false;
    for angle in &*angles {
        far |= angle.is_nan() | (angle.abs() > LARGEST);
    }
    if far {
        for (angle, sin) in angles.iter_mut().zip(sines) {
            (*angle, *sin) = (core_math::cos(*angle), core_math::sin(*angle));
        }
    } else {
        vectorized(Instructions::detect(), Turn { angles, sines });
    }
}

struct Turn<'a> {
    angles: &'a mut [f64],
    sines: &'a mut [f64],
}

impl Loop for Turn<'_> {
    #[inline(always)]
    fn run(self) {
        for (angle, sin) in self.angles.iter_mut().zip(self.sines) {
            (*angle, *sin) = turned(*angle);
        }
    }
}

/// Horner's rule.
#[inline(always)]
fn polynomial(z: f64, [a, b, c, d, e, f]: [f64; 6]) -> f64 {
    a + z * (b + z * (c + z * (d + z * (e + z * f))))
}

#[inline(always)]
fn turned(angle: f64) -> (f64, f64) {
    let shifted = angle * FRAC_2_PI + WHOLE;
    let (n, quadrant) = (shifted - WHOLE, shifted.to_bits());
    let (high, low) = (angle - n * HALF_TURN[0], n * HALF_TURN[1]);
    // The reduced angle and what its rounding leaves.
    let r = high - low;
    let rest = (high - r) - low;
    let z = r * r;
    let sin = r + (r * z * polynomial(z, SINE) + rest);
    let half = 0.5 * z;
    let near = 1.0 - half;
    let cos = near + (((1.0 - near) - half) + (z * z * polynomial(z, COSINE) - r * rest));
    let (cos, sin) = if quadrant & 1 == 1 { (sin, cos) } else { (cos, sin) };
    let signed = |x: f64, negative: u64| f64::from_bits(x.to_bits() ^ negative << 62);
    (signed(cos, quadrant.wrapping_add(1) & 2), signed(sin, quadrant & 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_within_the_stated_error_on_every_set_of_instructions() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
        };
        let quarters = (-40..40).map(|n| f64::from(n) * std::f64::consts::FRAC_PI_4);
        let near = quarters.flat_map(|x| [x.next_down(), x, x.next_up()]);
        let mut angles: Vec<f64> = near.chain([0.0, LARGEST, -LARGEST, LARGEST.next_up(), 1e15]).collect();
        angles.extend((0..100_000).map(|i| next() * [1.0, 100.0, LARGEST][i % 3]));
        for chunk in angles.chunks(64) {
            let (mut cosines, mut sines) = (chunk.to_vec(), vec![0.0; chunk.len()]);
            turn(&mut cosines, &mut sines);
            for ((angle, cos), sin) in chunk.iter().zip(&cosines).zip(&sines) {
                let off = (cos - core_math::cos(*angle)).abs().max((sin - core_math::sin(*angle)).abs());
                // The right ones are rounded themselves.
                assert!(off <= ERROR - f64::EPSILON / 4.0, "{angle:e}: off by {off:e}");
            }
            if chunk.iter().all(|angle| angle.abs() <= LARGEST) {
                for instructions in Instructions::ALL {
                    let (mut again, mut also) = (chunk.to_vec(), vec![0.0; chunk.len()]);
                    vectorized(instructions, Turn { angles: &mut again, sines: &mut also });
                    assert_eq!((&again, &also), (&cosines, &sines), "{instructions:?}");
                }
            }
        }
    }
}
