//! The least distance of two encodings, over all pairs of positions below a length.
//!
//! ‖PE(s) − PE(t)‖² = Σ_i 2 − 2·cos(ω_i·n) depends on n = s − t alone (`sinusoid.separation`), so
//! that one [pass](super::pass) over the distances n looks at all pairs.
//!
//! With u = 2^−53, m frequencies and k steps since the last start, |computed − exact| is
//!
//! - at most 4·u·(k + 1) for each point e^(iω_i·n) of the pass;
//! - at most m²·u more for the sum of the real parts, in any order (Jeannerod and Rump 2013), and
//!   4·m·u for 2·m less twice the sum:
//!
//! altogether 2·m·u·(4·(k + 1) + m + 2). The distances that this cannot tell from the least are
//! then enclosed at 256 bits, and so the least is certain.

use super::pass::{Pass, Rates, STEPS};
use super::sinusoid;
use crate::number::format::power_of_two;
use crate::number::interval::{Enclosing, Interval};
use crate::number::{Frequency, Position};
use rayon::prelude::*;
use std::ops::Range;

/// The least squared distance over a range of distances.
#[derive(Clone, Debug)]
pub struct Least {
    /// The distance n of the positions at which it is attained.
    pub distance: u32,
    /// ‖PE(s) − PE(s + n)‖².
    pub squared: Interval,
    /// Number of distances that the fast pass could not tell from the least.
    pub candidates: usize,
}

/// The least ‖PE(s) − PE(t)‖² over all integers s ≠ t with 0 ≤ s, t < `length`; none for a length
/// below 2.
pub fn least_distance(frequencies: &[Frequency], length: u32) -> Option<Least> {
    let starts: Vec<u32> = (1..length).step_by(STEPS as usize).collect();
    let rates = Rates::new(frequencies);
    let of_pass =
        |start: &u32| candidates(&mut rates.pass(*start), frequencies.len(), *start..length.min(start + STEPS));
    let passes = starts.par_iter().map(of_pass);
    let near: Vec<(u32, f64)> = passes.flatten_iter().collect();
    let slack = 2.0 * radius(frequencies.len());
    let limit = near.iter().map(|(_, squared)| *squared).fold(f64::INFINITY, f64::min) + slack;
    let system = Enclosing::default();
    let enclosed = near.iter().filter(|(_, squared)| *squared <= limit).map(|(distance, _)| {
        (*distance, sinusoid::squared_chords(&system, frequencies, &Position::integer((*distance).into())))
    });
    let enclosed: Vec<(u32, Interval)> = enclosed.collect();
    let candidates = enclosed.len();
    let least = enclosed.into_iter().min_by(|(_, a), (_, b)| a.upper().total_cmp(b.upper()));
    least.map(|(distance, squared)| Least { distance, squared, candidates })
}

/// The bound of the module's documentation at the end of a pass over m frequencies, doubled for the
/// rounding of its own computation and of comparisons with it.
fn radius(frequencies: usize) -> f64 {
    let m = frequencies as f64;
    2.0 * (2.0 * m * power_of_two(-53) * (4.0 * f64::from(STEPS + 1) + m + 2.0))
}

/// The distances that may attain the least squared distance of the range, with what was computed.
fn candidates(pass: &mut Pass, frequencies: usize, distances: Range<u32>) -> Vec<(u32, f64)> {
    let slack = 2.0 * radius(frequencies);
    let (mut limit, mut near) = (f64::INFINITY, Vec::new());
    for distance in distances {
        let squared = squared_distance(pass, frequencies);
        if squared <= limit {
            limit = limit.min(squared + slack);
            near.push((distance, squared));
        }
    }
    near.retain(|(_, squared)| *squared <= limit);
    near
}

/// Σ 2 − 2·cos(ω_i·n) at the distance of the pass, which moves on.
fn squared_distance(pass: &mut Pass, frequencies: usize) -> f64 {
    2.0 * frequencies as f64 - 2.0 * pass.cosine_sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ‖PE(s) − PE(s + n)‖² for one n, in intervals.
    fn enclosed(frequencies: &[Frequency], distance: u32) -> Interval {
        sinusoid::squared_chords(&Enclosing::default(), frequencies, &Position::integer(distance.into()))
    }

    #[test]
    fn every_distance_of_a_pass_is_within_its_radius() {
        for dim in [2, 6, 64] {
            let frequencies = sinusoid::frequencies(10_000, dim);
            let mut pass = Rates::new(&frequencies).pass(100_001);
            for distance in 100_001..100_001 + STEPS {
                let squared = Interval::exactly(squared_distance(&mut pass, frequencies.len()));
                if distance % 61 == 0 {
                    let error = (squared - enclosed(&frequencies, distance)).abs();
                    assert!(error.upper().to_f64() <= radius(frequencies.len()), "d = {dim}, n = {distance}");
                }
            }
        }
    }

    #[test]
    fn the_least_is_found_wherever_it_is() {
        // At d = 2 the encoding nearly repeats after 25, 44 = 7·2π + 0.018, 333 and 710 positions.
        let frequencies = sinusoid::frequencies(10_000, 2);
        let least = |length| least_distance(&frequencies, length).map(|least| least.distance);
        assert_eq!([2, 7, 44, 45, 710, 711, 10_000].map(least), [1, 6, 25, 44, 333, 710, 710].map(Some));
        assert_eq!(least(1), None);
    }
}
