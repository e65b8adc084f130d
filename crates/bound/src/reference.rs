//! Exact sines and cosines of one frequency at consecutive positions, fast and with a proven error.
//!
//! The shift theorem of the ledger: e^(i(a+b)ω) = e^(iaω)·e^(ibω). Each part of a factor is a head, a
//! multiple of 2^−26 of its scale, and a tail below 2^−27 of it. Products of heads are then exact, and so
//! is their sum; what is left out is of the order of the tails' rounding. With X·e^(iaω) for an amplitude
//! X ≤ 2^q, the tails are known to within 2^(q−80); each of the four products of a head and a tail adds at
//! most 2^(q−80), each of the sums of them 2^(q−78), so that a part is known to within [`ERROR`]·2^q.

use super::steps::turned;
use super::upward::binade;
use posproof_numerics::format::power_of_two;
use posproof_numerics::{Float, Interval, Round};

/// Positions that are computed at once.
pub(super) const BLOCK: usize = 256;

/// 2^−75.
pub(super) const ERROR: f64 = 1.0 / (1u128 << 75) as f64;

/// Bits of the factors, and beyond the binary point of their angles.
const BITS: u32 = 192;

/// Bits of an angle: those of an enclosed frequency beyond the binary point, and of a position.
const ANGLE_BITS: u32 = 257 + 64;

/// One part, the cosine or the sine, of consecutive positions.
#[derive(Clone)]
pub(super) struct Part {
    pub head: [f64; BLOCK],
    pub tail: [f64; BLOCK],
}

impl Part {
    const ZERO: Self = Self { head: [0.0; BLOCK], tail: [0.0; BLOCK] };
}

/// cos and sin of one angle, to 192 bits.
#[derive(Clone)]
struct ReferencePoint {
    cos: Float,
    sin: Float,
}

impl ReferencePoint {
    /// Of tω, to within 2^−190.
    fn of(omega: &Float, t: u64) -> Self {
        let whole = omega.exponent().unwrap_or(0).max(0) as u32;
        let angle = omega.mul(&Float::from(t), ANGLE_BITS + whole, Round::Nearest);
        let (cos, sin) = Interval::point(angle).at(BITS).cos_sin();
        Self { cos: cos.midpoint(), sin: sin.midpoint() }
    }

    /// Of the sum of two angles. Each part is rounded once; with a second factor from [`of`](Self::of) the error
    /// grows by less than 2^−188.
    fn turned(&self, by: &Self) -> Self {
        Self {
            cos: product(&self.cos, &by.cos).sub(&product(&self.sin, &by.sin), BITS, Round::Nearest),
            sin: product(&self.sin, &by.cos).add(&product(&self.cos, &by.sin), BITS, Round::Nearest),
        }
    }
}

fn product(x: &Float, y: &Float) -> Float {
    x.mul(y, BITS, Round::Nearest)
}

/// X·cos(tω) and X·sin(tω) of consecutive positions.
pub(super) struct Reference {
    omega: Float,
    gain: Float,
    /// The angle of a whole block.
    stride: ReferencePoint,
    /// The first position that was turned to last, and its angle. From block to block the angle is turned by
    /// the stride: after at most 2^45 of them, for positions are below 2^53, it is within 2^−120.
    last: Option<(u64, ReferencePoint)>,
    grid: f64,
    low: Box<[Part; 2]>,
    pub values: Box<[Part; 2]>,
}

/// The head, a multiple of `grid`·2^−26, and the tail.
fn split(x: &Float, grid: f64) -> [f64; 2] {
    let shift = 1.5 * grid * power_of_two(26);
    let head = (x.to_f64(Round::Nearest) + shift) - shift;
    [head, x.sub(&Float::from_f64(head), BITS, Round::Nearest).to_f64(Round::Nearest)]
}

impl Reference {
    /// The reference for a frequency and an amplitude, both known to some 200 bits beyond the binary point.
    pub fn new(omega: &Interval, gain: &Interval) -> Self {
        let (omega, gain) = (omega.midpoint(), gain.midpoint());
        let mut low = Box::new([Part::ZERO; 2]);
        let (one, mut angle) = (ReferencePoint::of(&omega, 1), ReferencePoint::of(&omega, 0));
        for b in 0..BLOCK {
            for (part, value) in low.iter_mut().zip([&angle.cos, &angle.sin]) {
                [part.head[b], part.tail[b]] = split(value, 1.0);
            }
            angle = angle.turned(&one);
        }
        let stride = ReferencePoint::of(&omega, BLOCK as u64);
        let grid = power_of_two(Self::scale_of(&gain));
        Self { omega, gain, stride, last: None, grid, low, values: Box::new([Part::ZERO; 2]) }
    }

    fn scale_of(gain: &Float) -> i32 {
        let magnitude = gain.to_f64(Round::Nearest).abs();
        if magnitude > 0.0 { binade(magnitude) } else { 0 }
    }

    /// Error of each part's head + tail, at most.
    pub fn error(&self) -> f64 {
        self.grid * ERROR
    }

    /// Computes the values of the `BLOCK` positions from t on.
    pub fn turn_to(&mut self, t: u64) {
        let angle = match &self.last {
            Some((last, angle)) if last + BLOCK as u64 == t => angle.turned(&self.stride),
            _ => ReferencePoint::of(&self.omega, t),
        };
        let amplified = |value: &Float| split(&product(value, &self.gain), self.grid);
        let [high_cos, high_sin] = [&angle.cos, &angle.sin].map(amplified);
        self.last = Some((t, angle));
        let [low_cos, low_sin] = &*self.low;
        let [cos, sin] = &mut *self.values;
        for b in 0..BLOCK {
            let by = ([low_cos.head[b], low_cos.tail[b]], [low_sin.head[b], low_sin.tail[b]]);
            let [turned_cos, turned_sin] = turned(high_cos, high_sin, by.0, by.1);
            [cos.head[b], cos.tail[b]] = turned_cos;
            [sin.head[b], sin.tail[b]] = turned_sin;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_within_their_error() {
        let omega = posproof_encoding::convention::Convention::sinusoid(512).frequencies(256).unwrap()[3].clone();
        for gain in [1.0, 0.044, 5.7] {
            let mut reference = Reference::new(&omega, &Interval::exactly(gain));
            let consecutive = (0u64..300).map(|block| block * BLOCK as u64);
            for t in consecutive.chain([255, 131072 - 256, 9_000_000_000]) {
                reference.turn_to(t);
                for b in [0usize, 1, 100, 255] {
                    let (cos, sin) = (omega.clone() * Interval::point((t + b as u64).into()).at(400)).cos_sin();
                    for (part, exact) in reference.values.iter().zip([cos, sin]) {
                        let found = Interval::exactly(part.head[b]) + Interval::exactly(part.tail[b]);
                        let error = (exact * Interval::exactly(gain) - found).abs().upper_f64();
                        assert!(error <= reference.error(), "{gain} {t} {b}: {error}");
                    }
                }
            }
        }
    }
}
