//! Passes over consecutive positions: e^(iω_j·n) for every frequency, moved on by the shift theorem.
//!
//! A pass keeps the points e^(iω_j·n) in binary64 and moves to n + 1 by one complex multiplication with e^(iω_j).
//! With u = 2^−53 and k steps since the last start from MPFR, a point is off by
//!
//! - at most u for a start and for the factor e^(iω), whose parts are within half a unit in the
//!   last place, 2^−54, of the exact ones, and the width of an enclosure of 128 bits;
//! - at most e′ = e + (1 + e)·(√5·u·(1 + u) + u) ≤ e + 3.5·u after a step from an error e ≤ 2^−30
//!   (a complex product has relative error below √5·u: Brent, Percival, Zimmermann 2007), hence at
//!   most 4·u·(k + 1) after k.

use crate::number::Frequency;
use crate::number::format::power_of_two;
use crate::number::interval::Interval;

/// Steps between two starts from MPFR.
pub const STEPS: u32 = 4096;

/// Bits of the enclosures from which a pass starts.
const BITS: u32 = 128;

/// The bound of the module's documentation on the error of a point, at the end of a pass.
pub fn point_radius() -> f64 {
    4.0 * power_of_two(-53) * f64::from(STEPS + 1)
}

/// A point of the unit circle, each part rounded to nearest.
#[derive(Clone, Copy, Debug, Default)]
struct CirclePoint {
    re: f64,
    im: f64,
}

impl CirclePoint {
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
    /// Adds the real parts to `sums`.
    fn add_real_parts(&self, sums: &mut [f64; LANES]) {
        sums.iter_mut().zip(&self.re).for_each(|(sum, re)| *sum += re);
    }

    /// Moves on by one position.
    fn advance(&mut self) {
        for lane in 0..LANES {
            let (re, im, cos, sin) = (self.re[lane], self.im[lane], self.cos[lane], self.sin[lane]);
            self.re[lane] = re * cos - im * sin;
            self.im[lane] = re * sin + im * cos;
        }
    }
}

/// The frequencies of passes, enclosed, with the factors by which their points move on.
#[derive(Clone, Debug)]
pub struct Rates {
    rates: Vec<Interval>,
    turns: Vec<CirclePoint>,
}

impl Rates {
    /// The frequencies, all of which have a value.
    pub fn new(frequencies: &[Frequency]) -> Self {
        let rates: Vec<Interval> = frequencies.iter().map(|frequency| Interval::frequency(frequency, BITS)).collect();
        let turns = rates.iter().map(|rate| CirclePoint::at(rate.clone())).collect();
        Self { rates, turns }
    }

    /// A pass that starts at a position; it is to make at most [`STEPS`] steps.
    pub fn pass(&self, start: u32) -> Pass {
        let start = Interval::exactly(f64::from(start));
        let groups = self.rates.chunks(LANES).zip(self.turns.chunks(LANES));
        let lanes = groups.map(|(rates, turns)| {
            let mut lanes = Lanes::default();
            for (lane, (rate, turn)) in rates.iter().zip(turns).enumerate() {
                let point = CirclePoint::at(rate.clone() * start.clone());
                (lanes.re[lane], lanes.im[lane]) = (point.re, point.im);
                (lanes.cos[lane], lanes.sin[lane]) = (turn.re, turn.im);
            }
            lanes
        });
        Pass { lanes: lanes.collect(), frequencies: self.rates.len() }
    }
}

/// A pass over positions.
#[derive(Clone, Debug)]
pub struct Pass {
    lanes: Vec<Lanes>,
    frequencies: usize,
}

impl Pass {
    /// Σ_j cos(ω_j·n), after which the pass is at n + 1.
    pub fn cosine_sum(&mut self) -> f64 {
        let mut sums = [0.0; LANES];
        for lanes in &mut self.lanes {
            lanes.add_real_parts(&mut sums);
            lanes.advance();
        }
        sums.iter().sum()
    }

    /// Σ_{j ≥ 1} |Σ_{i<j} e^(iω_i·n)| over all partial sums, after which the pass is at n + 1.
    pub fn partial_sums(&mut self) -> f64 {
        let (mut re, mut im, mut total) = (0.0_f64, 0.0_f64, 0.0);
        let points = self.lanes.iter().flat_map(|lanes| lanes.re.iter().zip(&lanes.im));
        for (x, y) in points.take(self.frequencies) {
            re += x;
            im += y;
            total += (re * re + im * im).sqrt();
        }
        self.lanes.iter_mut().for_each(Lanes::advance);
        total
    }
}
