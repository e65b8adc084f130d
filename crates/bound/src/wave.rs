//! The values of sin and cos over a stretch of angles: the largest magnitudes, and between which ends they lie.

use super::upward::Upper;
use posproof_encoding::convention::Component;
use posproof_numerics::Interval;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Upper bounds of |sin x| and |cos x| for x = tω, first ≤ t ≤ last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wave {
    sin: Upper,
    cos: Upper,
}

impl Wave {
    /// The angles are rounded to binary64 and then widened by 2^−49 of their magnitude, more than this
    /// rounding and that of all operations on them.
    pub fn over(omega: &Interval, first: u64, last: u64) -> Self {
        let low = first as f64 * omega.lower_f64();
        let high = last as f64 * omega.upper_f64();
        let margin = high * 2f64.powi(-49);
        let (low, high) = ((low - margin).max(0.0), high + margin);
        let largest = |function: fn(f64) -> f64, peak: f64| {
            // A peak at `peak` + a multiple of π lies between the ends, or one of them is the largest.
            let turns = |x: f64| ((x - peak) / PI).floor();
            if high - low >= 3.0 || turns(high) > turns(low) || ((low - peak) / PI).fract() == 0.0 {
                return Upper::of(1.0);
            }
            let ends = Upper::of(function(low).abs()).max(Upper::of(function(high).abs()));
            Upper::of(1.0).min(ends + Upper::of(f64::EPSILON) * ends)
        };
        Self { sin: largest(core_math::sin, FRAC_PI_2), cos: largest(core_math::cos, 0.0) }
    }

    /// |wave| and the magnitude of its derivative.
    pub fn value_and_slope(self, component: Component) -> (Upper, Upper) {
        match component {
            Component::Sin => (self.sin, self.cos),
            Component::Cos => (self.cos, self.sin),
        }
    }
}

/// The smallest and the largest sine or cosine over the angles low..=high ≥ 0, each within half a unit in the last
/// place of binary64.
pub(super) fn extremes(component: Component, low: f64, high: f64) -> (f64, f64) {
    let (function, top): (fn(f64) -> f64, f64) = match component {
        Component::Sin => (core_math::sin, FRAC_PI_2),
        Component::Cos => (core_math::cos, 0.0),
    };
    let (one, other) = (function(low), function(high));
    // More than the error of the quotient, which counts the peaks up to an angle.
    let margin = high * 2f64.powi(-49);
    let passes = |peak: f64| {
        let turns = |x: f64| ((x - peak) / TAU).floor();
        high - low >= 6.0 || turns(high + margin) > turns(low - margin)
    };
    let least = if low < high && passes(top + PI) { -1.0 } else { one.min(other) };
    let most = if low < high && passes(top) { 1.0 } else { one.max(other) };
    (least, most)
}

/// The smallest and the largest 1 − cos over the angles low..=high ≥ 0, rounded outward: 2·sin²(x/2), without the
/// cancellation.
pub(super) fn versine(low: f64, high: f64) -> (f64, f64) {
    let (least, most) = extremes(Component::Sin, low / 2.0, high / 2.0);
    let square = |x: f64| 2.0 * x * x;
    let smaller = least.next_down().max(0.0);
    let larger = least.abs().max(most.abs()).next_up().min(1.0);
    (square(smaller).next_down().max(0.0), square(larger).next_up())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_are_those_of_an_enumeration() {
        for (low, high) in [(0.0, 0.1), (0.0, 2.0), (1.0, 4.0), (4.0, 7.0), (6.0, 6.5), (100.0, 101.5), (0.0, 9.0)] {
            for (component, function) in [(Component::Sin, f64::sin as fn(f64) -> f64), (Component::Cos, f64::cos)] {
                let (least, most) = extremes(component, low, high);
                let values = (0..=10000).map(|i| function(low + (high - low) * f64::from(i) / 10000.0));
                let (smallest, largest) = values.fold((1.0, -1.0), |(a, b): (f64, f64), x| (a.min(x), b.max(x)));
                assert!(least <= smallest + 1e-15 && smallest <= least + 1e-6, "{component:?} {low} {high}");
                assert!(most >= largest - 1e-15 && largest >= most - 1e-6, "{component:?} {low} {high}");
            }
            let (least, most) = versine(low, high);
            let (cos_least, cos_most) = extremes(Component::Cos, low, high);
            assert!(least <= 1.0 - cos_most + 1e-15 && most >= 1.0 - cos_least - 1e-15, "{low} {high}");
        }
        let (least, most) = versine(1e-9, 1e-8);
        assert!((least / 5e-19 - 1.0).abs() < 1e-12 && (most / 5e-17 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn bounds_hold_and_are_attained_between_peaks() {
        let omega = Interval::exactly(1e-3);
        for (first, last) in
            [(0, 10), (100, 1500), (1500, 1600), (1600, 3100), (3100, 3200), (5000, 6200), (6200, 6300)]
        {
            let wave = Wave::over(&omega, first, last);
            for (component, function) in [(Component::Sin, f64::sin as fn(f64) -> f64), (Component::Cos, f64::cos)] {
                let most = (first..=last).map(|t| function(t as f64 * 1e-3).abs()).fold(0.0, f64::max);
                let (value, _) = wave.value_and_slope(component);
                assert!(value.get() >= most && value.get() <= most + 1e-5, "{first} {last} {component:?}");
            }
        }
    }
}
