//! The least distance of two encodings, over all pairs of positions below a length.
//!
//! ‖PE(s) − PE(t)‖² = Σ_i 2 − 2·cos(ω_i·n) depends on n = s − t alone (`sinusoid.separation`), so
//! that one pass over the distances n looks at all pairs. The pass keeps e^(iω_i·n) for every i in
//! binary64 and moves to n + 1 by one complex multiplication with e^(iω_i), the shift theorem.
//!
//! With u = 2^−53, m frequencies and k steps since the last start, |computed − exact| is
//!
//! - at most u for a start and for the factor e^(iω), whose parts are within half a unit in the
//!   last place, 2^−54, of the exact ones, and the width of an enclosure of 128 bits;
//! - at most e′ = e + (1 + e)·(√5·u·(1 + u) + u) ≤ e + 3.5·u after a step from an error e ≤ 2^−30
//!   (a complex product has relative error below √5·u: Brent, Percival, Zimmermann 2007), hence at
//!   most 3.5·u·(k + 1) after k;
//! - at most m²·u more for the sum of the real parts, in any order (Jeannerod and Rump 2013), and
//!   4·m·u for 2·m less twice the sum:
//!
//! altogether 2·m·u·(4·(k + 1) + m + 2). The distances that this cannot tell from the least are
//! then enclosed at 256 bits, and so the least is certain.

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
    /// How many distances the fast pass could not tell from the least.
    pub candidates: usize,
}

/// Steps between two starts from MPFR.
pub const STEPS: u32 = 4096;

/// Bits of the enclosures from which a pass starts.
const BITS: u32 = 128;

/// The least ‖PE(s) − PE(t)‖² over all integers s ≠ t with 0 ≤ s, t < `length`; none for a length
/// below 2.
pub fn least_distance(frequencies: &[Frequency], length: u32) -> Option<Least> {
    let starts: Vec<u32> = (1..length).step_by(STEPS as usize).collect();
    let rates: Vec<Interval> = frequencies.iter().map(|frequency| Interval::frequency(frequency, BITS)).collect();
    let turns: Vec<Point> = rates.iter().map(|rate| Point::at(rate.clone())).collect();
    let passes = starts.par_iter().map(|start| {
        let mut pass = Pass::new(&rates, &turns, *start);
        pass.candidates(*start..length.min(start + STEPS))
    });
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

/// A point of the unit circle, each part rounded to nearest.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    re: f64,
    im: f64,
}

impl Point {
    fn at(angle: Interval) -> Self {
        let (cos, sin) = angle.cos_sin();
        Self { re: cos.midpoint().to_f64(), im: sin.midpoint().to_f64() }
    }
}

/// As many frequencies as are moved on together.
const LANES: usize = 8;

/// Points and the factors by which they move on. Lanes without a frequency stay at 0.
#[derive(Clone, Debug, Default)]
struct Lanes {
    re: [f64; LANES],
    im: [f64; LANES],
    cos: [f64; LANES],
    sin: [f64; LANES],
}

impl Lanes {
    /// Adds the real parts to `sums` and moves on by one position.
    fn advance(&mut self, sums: &mut [f64; LANES]) {
        for (lane, sum) in sums.iter_mut().enumerate() {
            let (re, im, cos, sin) = (self.re[lane], self.im[lane], self.cos[lane], self.sin[lane]);
            *sum += re;
            self.re[lane] = re * cos - im * sin;
            self.im[lane] = re * sin + im * cos;
        }
    }
}

/// A pass over distances, at most [`STEPS`] of them.
struct Pass {
    lanes: Vec<Lanes>,
    frequencies: usize,
}

impl Pass {
    fn new(rates: &[Interval], turns: &[Point], start: u32) -> Self {
        let start = Interval::exactly(f64::from(start));
        let groups = rates.chunks(LANES).zip(turns.chunks(LANES));
        let lanes = groups.map(|(rates, turns)| {
            let mut lanes = Lanes::default();
            for (lane, (rate, turn)) in rates.iter().zip(turns).enumerate() {
                let point = Point::at(rate.clone() * start.clone());
                (lanes.re[lane], lanes.im[lane]) = (point.re, point.im);
                (lanes.cos[lane], lanes.sin[lane]) = (turn.re, turn.im);
            }
            lanes
        });
        Self { lanes: lanes.collect(), frequencies: rates.len() }
    }

    /// The distances that may attain the least squared distance of the range, with what was computed.
    fn candidates(&mut self, distances: Range<u32>) -> Vec<(u32, f64)> {
        let (slack, all) = (2.0 * radius(self.frequencies), 2.0 * self.frequencies as f64);
        let (mut limit, mut near) = (f64::INFINITY, Vec::new());
        for distance in distances {
            let mut sums = [0.0; LANES];
            self.lanes.iter_mut().for_each(|lanes| lanes.advance(&mut sums));
            let squared = all - 2.0 * sums.iter().sum::<f64>();
            if squared <= limit {
                limit = limit.min(squared + slack);
                near.push((distance, squared));
            }
        }
        near.retain(|(_, squared)| *squared <= limit);
        near
    }
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
            let rates: Vec<Interval> = frequencies.iter().map(|f| Interval::frequency(f, BITS)).collect();
            let turns: Vec<Point> = rates.iter().map(|rate| Point::at(rate.clone())).collect();
            let mut pass = Pass::new(&rates, &turns, 100_001);
            for distance in 100_001..100_001 + STEPS {
                let mut sums = [0.0; LANES];
                pass.lanes.iter_mut().for_each(|lanes| lanes.advance(&mut sums));
                let squared = Interval::exactly(2.0 * frequencies.len() as f64 - 2.0 * sums.iter().sum::<f64>());
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
