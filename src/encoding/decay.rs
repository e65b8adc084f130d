//! Scores as functions of the distance: the sums that "long-term decay" is about, one by one and over whole ranges.
//!
//! For the frequencies θ_i, B(m) = Σ_i cos(m·θ_i) is the score of q = k = (1, 0, 1, 0, …) at distance m, and
//! A(s) = Σ_{j=1}^{d/2} |S_j| with S_j = Σ_{i<j} e^(isθ_i) is the sum in the bound by Abel's summation (RoFormer,
//! equation (37)).
//!
//! Over a range both are computed in binary64 by [passes](super::pass). With u = 2^−53, n frequencies and points off by
//! at most e = 4·u·(k + 1), |computed − exact| is at most
//!
//! - for B: n·e + n²·u, the points and the sum (Jeannerod and Rump 2013, in any order);
//! - for A: Σ_j (j·e + √2·j²·u + 4·u·j) + n·u·Σ_j j ≤ n²·(e + u·(3·n + 4)), the points of S_j, the sums of its two
//!   parts, the squares, sum and root of its modulus, and the sum of the moduli, as Σ_j j ≤ n² and √2·Σ_j j² ≤ 2·n³;
//!
//! both doubled for the rounding of the bound itself and of comparisons with it. What these cannot decide is enclosed
//! at 256 bits.

use super::pass::{Pass, Rates, STEPS, point_radius};
use crate::number::format::power_of_two;
use crate::number::interval::{Enclosing, Interval};
use crate::number::{Frequency, Number, Position, System};
use num_traits::Zero;
use rayon::prelude::*;
use std::ops::Range;

/// B(m) = Σ_i cos(m·θ_i).
pub fn cosine_sum<S: System>(system: &S, frequencies: &[Frequency], position: &Position) -> S::Number {
    let cosine = |frequency: &Frequency| system.cis(&(position.clone() * frequency.clone())).re;
    frequencies.iter().fold(S::Number::zero(), |sum, frequency| sum + cosine(frequency))
}

/// A(s) = Σ_{j=1}^{d/2} |Σ_{i<j} e^(isθ_i)|.
pub fn partial_sums<S: System>(system: &S, frequencies: &[Frequency], position: &Position) -> S::Number {
    let (mut re, mut im, mut total) = (S::Number::zero(), S::Number::zero(), S::Number::zero());
    for frequency in frequencies {
        let point = system.cis(&(position.clone() * frequency.clone()));
        re += point.re;
        im += point.im;
        total += (re.clone() * re.clone() + im.clone() * im.clone()).sqrt();
    }
    total
}

/// A quantity at consecutive positions.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The position of the first value.
    pub first: u32,
    /// The values as computed.
    pub values: Vec<f64>,
    /// A bound on the error of each.
    pub radius: f64,
}

impl Profile {
    /// Makes the values of `positions` by passes; `value` is that of the position of a pass, which it moves on.
    fn new(frequencies: &[Frequency], positions: Range<u32>, radius: f64, value: fn(&mut Pass) -> f64) -> Self {
        let rates = Rates::new(frequencies);
        let starts: Vec<u32> = positions.clone().step_by(STEPS as usize).collect();
        let of_pass = |start: &u32| {
            let mut pass = rates.pass(*start);
            let count = STEPS.min(positions.end - start);
            (0..count).map(|_| value(&mut pass)).collect::<Vec<f64>>()
        };
        let values = starts.par_iter().flat_map_iter(of_pass).collect();
        Self { first: positions.start, values, radius }
    }

    /// B at the positions.
    pub fn of_cosine_sums(frequencies: &[Frequency], positions: Range<u32>) -> Self {
        let n = frequencies.len() as f64;
        let radius = 2.0 * (n * point_radius() + n * n * power_of_two(-53));
        Self::new(frequencies, positions, radius, Pass::cosine_sum)
    }

    /// A at the positions.
    pub fn of_partial_sums(frequencies: &[Frequency], positions: Range<u32>) -> Self {
        let n = frequencies.len() as f64;
        let radius = 2.0 * n * n * (point_radius() + (3.0 * n + 4.0) * power_of_two(-53));
        Self::new(frequencies, positions, radius, Pass::partial_sums)
    }

    /// The positions with their values.
    pub fn iter(&self) -> impl Iterator<Item = (u32, f64)> {
        (self.first..).zip(self.values.iter().copied())
    }

    /// The position with the least computed value, and that value; none of no positions.
    pub fn least(&self) -> Option<(u32, f64)> {
        self.iter().min_by(|(_, a), (_, b)| a.total_cmp(b))
    }
}

/// Knowledge of the sign of B over positions.
#[derive(Clone, Debug)]
pub enum Sign {
    /// B ≥ 0 at all of them.
    NonNegative,
    /// B ≥ 0 at all before this position, and the enclosure of B there is below 0.
    NegativeAt(u32, Interval),
    /// B ≥ 0 at all before this position, where 256 bits do not tell.
    Undecided(u32),
}

/// The sign of B(m; base) over positions.
pub fn sign_of_cosine_sums(frequencies: &[Frequency], positions: Range<u32>) -> Sign {
    let profile = Profile::of_cosine_sums(frequencies, positions);
    for (position, _) in profile.iter().filter(|(_, value)| *value <= profile.radius) {
        let enclosed = cosine_sum(&Enclosing::default(), frequencies, &Position::integer(position.into()));
        let zero = Interval::from(0);
        if enclosed.is_below(&zero) {
            return Sign::NegativeAt(position, enclosed);
        }
        if !zero.is_below(&enclosed) {
            return Sign::Undecided(position);
        }
    }
    Sign::NonNegative
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::sinusoid::frequencies;

    #[test]
    fn every_value_of_a_profile_is_within_its_radius() {
        let system = Enclosing::default();
        for dim in [2, 6, 128] {
            let rates = frequencies(10_000, dim);
            let range = 100_001..100_001 + 2 * STEPS;
            let (sums, partial) =
                (Profile::of_cosine_sums(&rates, range.clone()), Profile::of_partial_sums(&rates, range.clone()));
            assert_eq!((sums.values.len(), partial.values.len()), (range.len(), range.len()));
            for place in (0..range.len()).step_by(977) {
                let position = Position::integer(i64::from(range.start) + place as i64);
                for (profile, exact) in [
                    (&sums, cosine_sum(&system, &rates, &position)),
                    (&partial, partial_sums(&system, &rates, &position)),
                ] {
                    let error = (Interval::exactly(profile.values[place]) - exact).abs().upper().to_f64();
                    assert!(error <= profile.radius && profile.radius < 1e-7, "d = {dim}: {error} {}", profile.radius);
                }
            }
        }
    }

    #[test]
    fn the_first_negative_sum_is_found() {
        // cos m is first negative at 2; base 84000 serves 8192 positions at d = 128, base 85000 does not.
        let sign = |base, dim, last| sign_of_cosine_sums(&frequencies(base, dim), 0..last);
        assert!(matches!(sign(10_000, 2, 10), Sign::NegativeAt(2, _)));
        assert!(matches!(sign(10_000, 2, 2), Sign::NonNegative));
        assert!(matches!(sign(84_000, 128, 8193), Sign::NonNegative));
        assert!(matches!(sign(85_000, 128, 8193), Sign::NegativeAt(..)));
    }
}
