//! The largest values of |sin| and |cos| over a stretch of angles.

use super::upward::Upper;
use posproof_encoding::convention::Component;
use posproof_numerics::Interval;
use std::f64::consts::{FRAC_PI_2, PI};

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

#[cfg(test)]
mod tests {
    use super::*;

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
