//! Angle of a pair by its entries, with the error that an honest implementation may have made.
//!
//! Let w = e^(iθ) be the exact phasor of a pair and z the measured one, divided by the gain g: (cos + i·sin)/g for a cache,
//! (y₀ + i·y₁)/((x₀ + i·x₁)·g) for a rotation. Each component of the entries is within the bound B of
//! [`posproof_bound::Allowance`], so that |z − w| ≤ ε with
//!
//! ε = √2·B/|g| for a cache, √2·B/(|g|·r) for a rotated pair of length r.
//!
//! A position is excluded where |z − w|² = (|z| − 1)² + 4·|z|·sin²(Δ/2) is certainly above ε², Δ being the difference of
//! the angles. For ε < 1 that needs no length where |Δ| > asin ε, as z is at least sin Δ away from the ray of w, and
//! asin ε ≤ ε + (π/2 − 1)·ε³ (the power series has positive terms, and both sides are π/2 at 1).

use super::bounds::Bounds;
use super::clock::Clock;
use super::sieve::{MeasuredAngle, UNKNOWN};
use crate::levels::Levels;
use posproof_encoding::amplitude::Gain;
use posproof_numerics::format::Format;
use std::f64::consts::{FRAC_PI_2, PI, SQRT_2};

/// Half a turn.
const HALF_TURN: f64 = (1u64 << 63) as f64;

/// 2^600 and 2^−600: they bring lengths of extreme magnitude to some whose squares are normal numbers, without an error.
const LARGE: f64 = {
    let x = (1u128 << 120) as f64;
    x * x * x * x * x
};
const SMALL: f64 = 1.0 / LARGE;

/// More than the relative roundings of a dozen operations in binary64, upward.
const UPWARD: f64 = 1.0 + 1.0 / (1u64 << 48) as f64;

/// The error of a measured angle in units of 2^−64 of a turn: 2^−55 of a turn for the rounding of the arctangent, and for that of
/// the products in its arguments, √2·2^−52 rad or less than 2^−54 of a turn.
const ANGLE_ERROR: u64 = 1 << 12;

/// The same where the arctangent is [`rough`]: 2^−41 of a turn, far below what entries of 24 bits leave open.
const ROUGH_ERROR: u64 = 1 << 23;

/// More than the error of |z| relative to 1 + |z|, and of what is computed from it.
const LENGTH_ERROR: f64 = 1.0 / (1u64 << 47) as f64;

/// 2^−10: the length of the vectors' pairs from which on positions are told apart. Of shorter ones underflow may take more.
pub(super) const SHORT: f64 = 1.0 / 1024.0;

/// One pair of one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Phasor {
    /// The angle of z in units of 2^−64 of a turn.
    pub angle: u64,
    /// |z|.
    pub length: f64,
    /// For a rotation, the length r of the vector's pair; 0 for one that says nothing.
    pub vector: f64,
}

/// The bounds, as distances of phasors.
#[derive(Clone, Debug)]
pub(super) struct Tolerance {
    bounds: Bounds,
    rotation: bool,
    /// |g|, rounded down and up.
    gain: (f64, f64),
    /// True if entries deserve a correctly rounded arctangent.
    precise: bool,
    /// The largest number of a format that saturates: an entry of it may have been any number beyond.
    largest: f64,
    /// The integer grid that entries are on.
    levels: Option<Levels>,
    /// Error of the fixed-point angles, at most, those of the clocks included.
    margin: u64,
}

/// At most how far a pair's phasor is from the exact one within a distance of the origin: [`Tolerance::distance`] as a function of the vector's length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Distance {
    relative: f64,
    absolute: f64,
}

impl Distance {
    /// For a vector's pair of this length.
    pub fn of(self, vector: f64) -> f64 {
        (self.relative + self.absolute / vector) * UPWARD
    }
}

impl Tolerance {
    /// For entries of a format, and clocks of so many indices.
    pub fn new(gain: &Gain, bounds: Bounds, (rotation, format): (bool, Format), indices: u64) -> Self {
        let gain = gain.enclose(64).abs();
        let gain = (gain.lower_f64(), gain.upper_f64());
        let precise = format == Format::F64;
        let error = if precise { ANGLE_ERROR } else { ROUGH_ERROR };
        let largest = format.narrow().map_or(f64::INFINITY, |_| format.max_finite());
        Self { bounds, rotation, gain, precise, largest, levels: None, margin: error + indices + 1 }
    }

    /// This tolerance for entries on an integer grid, if they are on one.
    pub fn on(self, levels: Option<Levels>) -> Self {
        let largest = levels.map_or(self.largest, |levels| levels.nearer_end());
        Self { levels, largest, ..self }
    }

    /// The grid's part of the bound of an entry of a magnitude at most.
    fn room(&self, exact: f64) -> f64 {
        self.levels.map_or(0.0, |levels| levels.room(exact))
    }

    /// The phasor of a cosine and a sine.
    pub fn entries(&self, cos: f64, sin: f64) -> Phasor {
        Phasor { angle: self.angle(sin, cos), length: length(cos, sin) / self.gain.1, vector: 1.0 }
    }

    /// The phasor that turns a pair x into y.
    pub fn rotation(&self, x: (f64, f64), y: (f64, f64)) -> Phasor {
        if y.0.abs().max(y.1.abs()) >= self.largest {
            return Phasor { angle: 0, length: 0.0, vector: 0.0 };
        }
        let vector = length(x.0, x.1);
        if vector == 0.0 {
            return Phasor { angle: 0, length: length(y.0, y.1), vector };
        }
        // Away from overflow and from subnormal products; a power of two changes no quotient.
        let scale = match vector {
            ..=1e-100 => LARGE,
            1e100.. => SMALL,
            _ => 1.0,
        };
        let ((a, b), (c, d)) = ((x.0 * scale, x.1 * scale), (y.0 * scale, y.1 * scale));
        let quotient = length(c, d) / length(a, b);
        Phasor { angle: self.angle(a * d - b * c, a * c + b * d), length: quotient / self.gain.1, vector }
    }

    /// The angle of (x, y).
    fn angle(&self, y: f64, x: f64) -> u64 {
        if self.precise { angle(y, x) } else { rough(y, x) }
    }

    /// At least ε for a pair at effective position ±`t` or nearer.
    pub fn farthest(&self, pair: usize, t: f64) -> Distance {
        if !self.rotation {
            return Distance { relative: self.distance(pair, t, 1.0), absolute: 0.0 };
        }
        // The bound is linear in r: at 1 it has both parts, at 0 the second.
        let absolute = SQRT_2.next_up() * UPWARD * (self.bounds.rotated(pair, t, 0.0) + self.room(0.0)) / self.gain.0;
        Distance { relative: self.distance(pair, t, 1.0), absolute }
    }

    /// ε for a pair at effective position ±`t`.
    pub fn distance(&self, pair: usize, t: f64, vector: f64) -> f64 {
        let (below, above) = self.gain;
        let root = SQRT_2.next_up() * UPWARD;
        match self.rotation {
            true => {
                // Saturated entries say nothing.
                let room = self.room(0.0) + self.levels.map_or(0.0, |levels| levels.relative() * above * vector);
                root * (self.bounds.rotated(pair, t, vector) + room) / (below * vector)
            }
            false => root * (self.bounds.entry(pair, t, above) + self.room(above)) / below,
        }
    }

    /// Angle of a phasor, if it is within a distance of the exact one.
    pub fn measured(&self, phasor: Phasor, distance: f64) -> MeasuredAngle {
        MeasuredAngle { angle: phasor.angle, width: self.width(distance, 1) }
    }

    /// The same for the differences of the angles of two positions that the same entries may belong to, each within asin ε
    /// of theirs; of a rotation, where the pair is at least [`SHORT`].
    pub fn confused(&self, pair: usize, t: f64) -> MeasuredAngle {
        // As far as `excludes` lets a phasor be, whose length is then at most 1 + ε.
        let distance = self.distance(pair, t, SHORT);
        MeasuredAngle { angle: 0, width: self.width(distance * UPWARD + (2.0 + distance) * 2.0 * LENGTH_ERROR, 2) }
    }

    /// `times`·asin ε, rounded up, with the margin.
    fn width(&self, distance: f64, times: u64) -> u64 {
        // An ε that is not a number bounds nothing.
        if distance.is_nan() || distance >= 1.0 {
            return UNKNOWN;
        }
        let arcsine = distance * (1.0 + (FRAC_PI_2 - 1.0).next_up() * distance * distance) * UPWARD;
        // At most 2^62 units: a quarter of a turn.
        let units = (arcsine / (2.0 * PI) * UPWARD * (2.0 * HALF_TURN)).ceil() as u64;
        units.saturating_add(self.margin).saturating_mul(times).min(UNKNOWN)
    }

    /// True if a phasor is certainly farther than ε from the exact one of a pair whose clock shows `exact` (as the clock
    /// counts it) at effective position ±`t`.
    pub fn excludes(&self, phasor: Phasor, clock: Clock, exact: u64, pair: usize, t: f64) -> bool {
        if phasor.vector == 0.0 {
            return false;
        }
        let off = (clock.seen(phasor.angle).wrapping_sub(exact) as i64).unsigned_abs();
        let least = off.saturating_sub(self.margin) as f64 / HALF_TURN * (PI * (2.0 - UPWARD));
        // 2·sin(Δ/2) ≥ Δ − Δ³/24.
        let chord = least - least * least * least / 24.0;
        let (stretch, n) = (phasor.length - 1.0, phasor.length);
        let most = self.distance(pair, t, phasor.vector) * UPWARD + (1.0 + n) * LENGTH_ERROR;
        stretch * stretch + n * chord * chord > most * most * UPWARD
    }

    /// True if the length of a phasor contradicts every exact one within a distance.
    pub fn is_too_long_or_short(&self, phasor: Phasor, pair: usize, distance: f64) -> bool {
        if phasor.vector == 0.0 {
            // Of nothing comes nothing, up to what underflow adds at any position: `length` is that of y.
            return phasor.length > SQRT_2 * (self.bounds.rotated(pair, 0.0, 0.0) + self.room(0.0)) * UPWARD;
        }
        // A length beyond binary64 is beyond every bound below 1.
        (phasor.length == f64::INFINITY && distance < 1.0)
            || (phasor.length - 1.0).abs() > distance * UPWARD + (1.0 + phasor.length) * LENGTH_ERROR
    }
}

/// √(a² + b²) to within three roundings, whatever the exponents.
fn length(a: f64, b: f64) -> f64 {
    let largest = a.abs().max(b.abs());
    match largest {
        1e-100..=1e100 | 0.0 => (a * a + b * b).sqrt(),
        ..=1e-100 => {
            let (a, b) = (a * LARGE, b * LARGE);
            (a * a + b * b).sqrt() * SMALL
        }
        _ => {
            let (a, b) = (a * SMALL, b * SMALL);
            (a * a + b * b).sqrt() * LARGE
        }
    }
}

/// The angle of (x, y) in units of 2^−64 of a turn.
fn angle(y: f64, x: f64) -> u64 {
    // From −1 to 1 half turns; 1 saturates to one unit less.
    (core_math::atan2pi(y, x) * HALF_TURN) as i64 as u64
}

/// The terms of the series of the arctangent.
const TERMS: [f64; 13] = {
    let mut terms = [0.0; 13];
    let mut k = 0;
    while k < terms.len() {
        terms[k] = if k % 2 == 0 { 1.0 } else { -1.0 } / (2 * k + 1) as f64;
        k += 1;
    }
    terms
};

/// The same within 2^23 units, in less time. Within an eighth of a turn, and with an eighth subtracted where that is nearer, the tangent is at most
/// √2 − 1, so that 13 terms of the alternating series are within (√2 − 1)^27/27 < 2^−39 rad of its sum, and their roundings within 2^−50 rad.
fn rough(y: f64, x: f64) -> u64 {
    let (a, b) = (x.abs(), y.abs());
    let (short, long) = if a < b { (a, b) } else { (b, a) };
    if long == 0.0 {
        return 0;
    }
    let near = short > (SQRT_2 - 1.0) * long;
    // tan(α − π/4) for a tangent that is the quotient of two numbers.
    let tangent = if near { (short - long) / (short + long) } else { short / long };
    let square = tangent * tangent;
    let series = TERMS.iter().rev().fold(0.0, |sum, term| term + sum * square);
    let units = (tangent * series * (HALF_TURN / PI)) as i64 as u64;
    let octant = if near { units.wrapping_add(1 << 61) } else { units };
    let quadrant = if a < b { (1u64 << 62).wrapping_sub(octant) } else { octant };
    let half = if x < 0.0 { (1u64 << 63).wrapping_sub(quadrant) } else { quadrant };
    if y < 0.0 { half.wrapping_neg() } else { half }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_turns() {
        assert_eq!(angle(0.0, 1.0), 0);
        assert_eq!(angle(1.0, 0.0), 1 << 62);
        assert_eq!(angle(-1.0, 0.0), 3 << 62);
        assert_eq!(angle(0.0, -1.0), (1 << 63) - 1);
        assert_eq!(angle(1.0, 1.0), 1 << 61);
    }

    /// All around, at lengths of any magnitude, and where octants meet.
    #[test]
    fn rough_angles_are_within_their_error() {
        let mut largest = 0;
        for step in 0..40_000u32 {
            let turn = f64::from(step) / 40_000.0;
            let (x, y) = (core_math::cospi(2.0 * turn), core_math::sinpi(2.0 * turn));
            let scale = [1.0, 1e-30, 1e30][step as usize % 3];
            let off = (rough(y * scale, x * scale).wrapping_sub(angle(y, x)) as i64).unsigned_abs();
            assert!(off <= ROUGH_ERROR, "{turn}: {off}");
            largest = largest.max(off);
        }
        assert!(largest > ROUGH_ERROR / 16, "{largest}");
        for (y, x) in
            [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (1.0, -1.0), (0.0, -1.0), (-1.0, -1.0), (-1.0, 0.0), (-0.5, 1.0)]
        {
            assert!((rough(y, x).wrapping_sub(angle(y, x)) as i64).unsigned_abs() <= ROUGH_ERROR, "{y} {x}");
        }
        assert_eq!((rough(0.0, 0.0), rough(f64::NAN, 1.0)), (0, 0));
    }

    #[test]
    fn lengths_of_every_magnitude() {
        for scale in [0.0, 5e-324, 1e-310, 1e-200, 1e-99, 1.0, 1e99, 1e200, 3e307] {
            let (found, exact) = (length(3.0 * scale, -4.0 * scale), 5.0 * scale);
            assert!((found - exact).abs() <= 4.0 * f64::EPSILON * exact + 5e-324, "{scale:e}: {found:e}");
        }
        assert_eq!(length(f64::MAX, f64::MAX), f64::INFINITY);
    }

    /// z is in the disc of radius ε around w, wherever on it: never excluded. Twice as far out: always.
    #[test]
    fn phasors_within_the_distance_are_never_excluded() {
        use posproof_bound::Allowance;
        use posproof_encoding::convention::Convention;
        let convention = Convention::rope(8);
        for (compute, storage) in [(Format::F32, Format::Bf16), (Format::F32, Format::F32), (Format::F64, Format::F64)]
        {
            let omega = [1.0, 0.1, 0.01, 0.001];
            let allowance = Allowance::new(&convention, &omega, 4096, (compute, None), storage);
            let tolerance = Tolerance::new(&convention.gain(), Bounds::Position(allowance), (false, storage), 4096);
            for pair in 0..4 {
                let t = 4000.0;
                let epsilon = tolerance.distance(pair, t, 1.0);
                assert!(epsilon < 1.0, "{epsilon}");
                for step in 0..200 {
                    let turn = f64::from(step) / 200.0;
                    let exact = (turn * (2.0 * HALF_TURN)) as u64;
                    let clock = Clock { start: exact, step: 1, mirrored: false };
                    for around in 0..16 {
                        let at = |radius: f64| {
                            let (x, y) = (core_math::cospi(2.0 * turn), core_math::sinpi(2.0 * turn));
                            let out = f64::from(around) / 8.0;
                            let (dx, dy) = (radius * core_math::cospi(out), radius * core_math::sinpi(out));
                            tolerance.entries(x + dx, y + dy)
                        };
                        let inside = at(epsilon * (1.0 - 1e-9));
                        assert!(!tolerance.excludes(inside, clock, exact, pair, t), "{pair} {step} {around}");
                        let measured = tolerance.measured(inside, epsilon);
                        assert!((inside.angle.wrapping_sub(exact) as i64).unsigned_abs() <= measured.width);
                        let outside = at(epsilon * 2.0 + 1e-11);
                        assert!(tolerance.excludes(outside, clock, exact, pair, t), "{pair} {step} {around}");
                    }
                }
            }
        }
    }
}
