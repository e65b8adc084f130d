//! Rates of the pairs, as fixed-point numbers: angles count units of 2^−64 of a turn, so that their sums modulo a turn
//! are wrapping additions, which make no error.

use crate::Invalid;
use crate::input::{About, InvalidInput};
use posproof_encoding::Law;
use posproof_encoding::axes::AxisLaw;
use posproof_encoding::convention::{Convention, InvalidConvention};
use posproof_numerics::{Interval, Rational, Round};

/// Bits of the enclosures: angles of up to 2^62 turns leave 2^−190 of a turn.
const BITS: u32 = 256;

/// The angle of a pair at every position of a domain: start + j·step at the position with index j.
///
/// Both numbers are within one unit of the exact ones, so that the angle is within 1 + j units. A pair whose angle
/// decreases by less than half a turn is `mirrored`: both numbers are those of the opposite angle, and the step is at
/// most half a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    pub start: u64,
    pub step: u64,
    pub mirrored: bool,
}

impl Clock {
    fn new(start: u64, step: u64) -> Self {
        let mirrored = step > 1 << 63;
        let turned = |angle: u64| if mirrored { angle.wrapping_neg() } else { angle };
        Self { start: turned(start), step: turned(step), mirrored }
    }

    /// The angle at an index.
    pub fn at(self, index: u64) -> u64 {
        self.start.wrapping_add(index.wrapping_mul(self.step))
    }

    /// An angle as this clock counts it.
    pub fn seen(self, angle: u64) -> u64 {
        if self.mirrored { angle.wrapping_neg() } else { angle }
    }

    /// The clock of the differences of two positions: 1 at index 0.
    pub fn of_differences(self) -> Self {
        Self { start: self.step, ..self }
    }
}

/// The clock of every pair of a convention, from the position `first` on.
///
/// # Errors
///
/// A convention that defines no table, and one with angles beyond 2^62 turns.
pub(super) fn clocks(convention: &Convention, first: i64) -> Result<Vec<Clock>, Invalid> {
    convention.validate()?;
    let beyond = || InvalidConvention {
        field: "position_offset",
        found: format!("{}, with position_scale {}", convention.position_offset, convention.position_scale),
        expected: "angles below 2^62 turns in the domain of the positions".to_owned(),
    };
    let law = Law::new(convention);
    let (step, zero) = (law.step(), law.turned(0));
    let start = zero + Rational::from(first) * step.clone();
    let turn = Interval::from(2) * Interval::pi(BITS);
    // A negative amplitude is half a turn.
    let half = if convention.gain().enclose(BITS).upper().is_negative() { 1 << 63 } else { 0 };
    let omegas = convention.frequencies(BITS).ok_or_else(beyond)?;
    let clock = |omega: &Interval| {
        let units = |positions: &Rational| units(&(Interval::rational(positions, BITS) * omega.clone() / turn.clone()));
        Some(Clock::new(units(&start)?.wrapping_add(half), units(&step)?))
    };
    omegas.iter().map(|omega| clock(omega).ok_or_else(|| beyond().into())).collect()
}

/// The clock of every slot of an axis, with the number of the slot, from the multiple number `first` of a step on.
///
/// # Errors
///
/// Angles beyond 2^62 turns.
pub(super) fn axis_clocks(axis: &AxisLaw, step: &Rational, first: i64) -> Result<Vec<(usize, Clock)>, InvalidInput> {
    let at = |multiple: i64| Rational::from(multiple) * step.clone();
    let (start, next) = (at(first), at(first + 1));
    let turn = Interval::from(2) * Interval::pi(BITS);
    let half = if axis.gain().enclose(BITS).upper().is_negative() { 1 << 63 } else { 0 };
    let clock = |number: usize| {
        let angles = [axis.angle(0, number, &start, BITS)?, axis.angle(0, number, &next, BITS)?];
        let [start, next] = angles.map(|angle| angle / turn.clone());
        Some(Clock::new(units(&start)?.wrapping_add(half), units(&(next - start))?))
    };
    let beyond = || {
        let advice = "state a smaller domain, or a convention of fewer turns";
        let place = format!("axis {}", axis.name());
        About("convention").error(place, "angles below 2^62 turns in the domain", "more", advice)
    };
    let numbered = axis.slots().iter().enumerate();
    numbered.map(|(number, &slot)| clock(number).map(|clock| (slot, clock)).ok_or_else(beyond)).collect()
}

/// A number of turns without the whole ones, within one unit of every number of the enclosure: half a unit for the
/// rounding, and a quarter for the width.
fn units(turns: &Interval) -> Option<u64> {
    let narrow = turns.width_up() <= 2f64.powi(-66);
    let nearest = narrow.then(|| turns.midpoint().to_integer(64, Round::Nearest)).flatten()?;
    // The whole turns are the bits that the cast drops.
    (nearest.unsigned_abs() < 1 << 126).then_some(nearest as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use posproof_encoding::convention::{Component, Direction};
    use posproof_encoding::frequency::Entries;

    /// sin and cos of the fixed-point angle are those of the exact one, within the error that is stated.
    #[test]
    fn clocks_show_the_exact_angles() {
        let plain = Convention { base: 500_000.into(), ..Convention::rope(16) };
        let conventions = [
            plain.clone(),
            Convention { direction: Direction::Clockwise, ..plain.clone() },
            Convention { position_offset: "-3/7".parse().expect("a number"), ..plain.clone() },
            Convention { position_scale: (-1000).into(), position_offset: 5.into(), ..plain.clone() },
            Convention { amplitude: "-2".parse().expect("a number"), ..plain },
        ];
        for convention in conventions {
            let (entries, gain) = (Entries::new(&convention), convention.gain().enclose(64).approximate().abs());
            let first = 17;
            for (pair, clock) in clocks(&convention, first).expect("valid").into_iter().enumerate() {
                assert!(clock.step <= 1 << 63);
                for index in [0u64, 1, 1000, 1 << 20, (1 << 40) + 3] {
                    let angle = clock.seen(clock.at(index));
                    let turns = angle as f64 * 2f64.powi(-64);
                    let off = (1 + index) as f64 * 2f64.powi(-61) + 1e-14;
                    for (component, found) in [
                        (Component::Cos, core_math::cospi(2.0 * turns)),
                        (Component::Sin, core_math::sinpi(2.0 * turns)),
                    ] {
                        let exact = entries.enclose(first as u64 + index, pair, component, 64).expect("enclosed");
                        let exact = exact.approximate() / gain;
                        assert!((found - exact).abs() <= off, "{pair} {index} {component:?}: {found} {exact}");
                    }
                }
            }
        }
    }

    #[test]
    fn angles_beyond_the_fixed_point_are_refused() {
        let far = Convention { position_scale: "1e30".parse().expect("a number"), ..Convention::rope(4) };
        let message = clocks(&far, 0).expect_err("too fast").to_string();
        assert!(message.contains("2^62 turns"), "{message}");
        let still = Convention::rope(4);
        assert!(clocks(&still, -(1 << 53)).is_ok());
    }
}
