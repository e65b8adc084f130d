//! The setup of somebody's code, and the errors that its answers may have.

use super::ball::Ball;
use super::invalid::Invalid;
use posproof_bound::running::up;
use posproof_bound::{Accumulation, Allowance, Products, Softmax};
use posproof_encoding::Law;
use posproof_encoding::convention::{Convention, Direction, Layout};
use posproof_encoding::frequency::Entries;
use posproof_numerics::format::Format;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Encoding, precision and size, as stated of the code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// Dimension, base, layout and order. Rows of attention and layers have its dimension.
    pub convention: Convention,
    /// The last position that the code is asked for.
    pub last: u64,
    /// Rows of q, k, v or x in one call.
    pub tokens: usize,
    /// The precision in which it computes.
    pub compute: Format,
    /// The format of the vectors that it is given.
    pub dtype: Format,
    /// The absolute error that one entry of a layer's output may have: its weights are not known here.
    pub error: Option<f64>,
    /// The seed of the inputs that are drawn.
    pub seed: u64,
}

/// Bits of an angle below its leading one: enough for a position of 2^24 and a cosine in binary64.
const ANGLE_BITS: u32 = 96;

/// Dimensions at most.
const MOST_DIM: usize = 8192;

impl Setup {
    /// The last position that is asked for unless stated.
    pub const LAST: u64 = 4095;

    /// Tokens in a call unless stated.
    pub const TOKENS: usize = 8;

    /// Positions to [`LAST`](Self::LAST), [`TOKENS`](Self::TOKENS) rows, binary32.
    pub fn new(convention: Convention) -> Self {
        let (compute, dtype) = (Format::F32, Format::F32);
        Self { convention, last: Self::LAST, tokens: Self::TOKENS, compute, dtype, error: None, seed: 1 }
    }

    /// The dimension.
    pub fn dim(&self) -> usize {
        self.convention.dim
    }

    pub(crate) fn validate(&self) -> Result<(), Invalid> {
        let refuse = |option: &str, expected: String, found: String| {
            Err(Invalid::Setup(format!("{option}: expected {expected}; found {found}")))
        };
        self.convention.validate().map_err(|error| Invalid::Setup(error.to_string()))?;
        if self.dim() > MOST_DIM {
            return refuse("dim", format!("at most {MOST_DIM}"), self.dim().to_string());
        }
        if self.convention.rotary_dim.is_some_and(|rotary| rotary != self.dim()) {
            return refuse(
                "rotary_dim",
                "none: claims are of rows that are rotated as a whole".to_owned(),
                "one".to_owned(),
            );
        }
        if !(3..=1 << 24).contains(&self.last) {
            return refuse("positions", "a last position from 3 to 2^24".to_owned(), self.last.to_string());
        }
        if self.tokens < 2 || self.tokens > 1024 {
            return refuse("tokens", "2 to 1024".to_owned(), self.tokens.to_string());
        }
        if self.error.is_some_and(|error| !(error >= 0.0 && error.is_finite())) {
            return refuse("error", "a number from 0 on".to_owned(), format!("{:?}", self.error.unwrap_or(0.0)));
        }
        Ok(())
    }
}

/// Errors that answers may have: the bounds of any honest implementation with frequencies of its own, which are shared by all that
/// it computes.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// The setup, with the length of a sequence where a scaling rule needs one.
    pub setup: Setup,
    /// Of answers whose frequencies are taken as they are.
    own: Allowance,
    /// Of answers whose frequencies are to be those of the convention.
    any: Allowance,
    omega: Vec<f64>,
    law: Law,
    /// Counter-clockwise angles, exactly.
    angles: Arc<Entries>,
    /// The coarser of the formats of computing and of answers.
    coarse: Format,
}

impl Model {
    /// Of answers in a format.
    pub fn new(setup: &Setup, storage: Format) -> Result<Self, Invalid> {
        let convention = setup.convention.clone().for_length(setup.last + 1);
        let frequencies = convention.frequencies(64);
        let frequencies = frequencies.ok_or_else(|| Invalid::Setup("the frequencies cannot be enclosed".to_owned()))?;
        let omega: Vec<f64> = frequencies.iter().map(|omega| omega.approximate()).collect();
        let own = Allowance::of_own_frequencies(&convention, &omega, setup.last, setup.compute, storage);
        let any = Allowance::new(&convention, &omega, setup.last, (setup.compute, None), storage);
        let law = Law::new(&convention);
        let coarse = if storage.precision() < setup.compute.precision() { storage } else { setup.compute };
        let counter_clockwise = Convention { direction: Direction::CounterClockwise, ..convention.clone() };
        let angles = Arc::new(Entries::new(&counter_clockwise));
        let setup = Setup { convention, ..setup.clone() };
        Ok(Self { setup, own, any, omega, law, angles, coarse })
    }

    /// A frequency of the convention.
    pub fn frequency(&self, pair: usize) -> Option<f64> {
        self.omega.get(pair).copied()
    }

    /// The error of a cosine or sine at the angle as computed, storage included.
    pub fn local(&self) -> f64 {
        self.own.of(0, 0.0, 1.0)
    }

    /// The effective position, of which the errors of angles are multiples.
    pub fn reach(&self, position: u64) -> f64 {
        self.law.reach(position as f64)
    }

    /// An entry of an encoding at an effective position.
    pub fn entry(&self, pair: usize, t: f64, value: f64) -> Ball {
        // The exact value is within twice what computing costs of the answer.
        let exact = (value.abs() + 2.0 * self.own.computed(pair, t)) * (1.0 + 4.0 * self.own.unit());
        Ball { value, radius: self.own.of(pair, t, exact.min(2.0 * self.own.gain())) }
    }

    /// A component of a rotated pair of a length at an effective position.
    pub fn rotated(&self, pair: usize, t: f64, length: f64, value: f64) -> Ball {
        Ball { value, radius: self.own.rotated(pair, t, length) }
    }

    /// Cosine and sine of the convention's own angle; anything where it cannot be enclosed.
    pub fn angle(&self, pair: usize, position: u64) -> [Ball; 2] {
        let Some(angle) = self.angles.angle(position, pair, ANGLE_BITS) else {
            return [Ball { value: 0.0, radius: f64::INFINITY }; 2];
        };
        let (cos, sin) = angle.cos_sin();
        [cos, sin].map(|part| {
            let (lower, upper) = (part.lower_f64(), part.upper_f64());
            Ball { value: f64::midpoint(lower, upper), radius: up(upper - lower) }
        })
    }

    /// A component that is compared with the convention's own angles.
    pub fn rotated_by_convention(&self, pair: usize, t: f64, length: f64, value: f64) -> Ball {
        Ball { value, radius: self.any.rotated(pair, t, length) }
    }

    /// The error of the scores of a row of q with each key, divided by √d: products and sums in any order in the
    /// precision of computing, one rounding in the coarser format, and the scale.
    fn score_error(&self, query: &[f64], keys: &[Vec<f64>]) -> f64 {
        let (u, d) = (self.setup.compute.unit_roundoff(), query.len() as f64);
        let gamma = (d + 4.0) * u / (1.0 - (d + 4.0) * u).max(f64::MIN_POSITIVE);
        let magnitude = |key: &Vec<f64>| query.iter().zip(key).map(|(x, y)| (x * y).abs()).sum::<f64>() / d.sqrt();
        let largest = keys.iter().map(magnitude).fold(0.0, f64::max);
        largest * (gamma + 2.0 * self.coarse.unit_roundoff()) * (1.0 + 1e-9)
    }

    fn softmax(&self, query: &[f64], keys: &[Vec<f64>]) -> Softmax {
        let score_error = self.score_error(query, keys);
        Softmax { format: self.setup.compute, kappa: 2.0, terms: keys.len() as u32, score_error }
    }

    /// The radius of the outputs for a row of q, column by column.
    pub fn output(&self, query: &[f64], keys: &[Vec<f64>], values: &[Vec<f64>]) -> Vec<f64> {
        let softmax = self.softmax(query, keys);
        let summed = Accumulation { format: self.setup.compute, products: Products::Rounded };
        let cast = (self.coarse != self.setup.compute).then_some(self.coarse);
        // The bound is that of values up to 1 times the largest value, but for what underflows.
        let unit = softmax.output_of(cast, summed, 1.0).value();
        let lost = 8.0 * (keys.len() + 1) as f64 * self.coarse.min_positive();
        let columns = values.first().map_or(0, Vec::len);
        let radius = |column: usize| {
            let largest = values.iter().map(|row| row[column].abs()).fold(0.0, f64::max);
            let error = unit * largest + lost;
            (error + self.coarse.unit_roundoff() * (largest + error)) * (1.0 + 1e-9)
        };
        (0..columns).map(radius).collect()
    }

    /// The entries of a vector that form a pair: of the input, or of the rotated one.
    pub fn slots(&self, pair: usize, rotated: bool) -> [usize; 2] {
        let halves = match self.setup.convention.layout {
            Layout::Interleaved => false,
            Layout::Halves => true,
            Layout::InterleavedToHalves => rotated,
        };
        if halves { [pair, pair + self.setup.dim() / 2] } else { [2 * pair, 2 * pair + 1] }
    }
}
