//! The positions and reals of which a bound speaks, and what a rounding may cost there.

use crate::bound::running::up;
use crate::number::exact::Bounds;
use crate::number::float::Float;
use crate::number::format::{Format, exponent_of, power_of_two};
use crate::number::phase::{Frequency, Position};
use crate::number::running::Rounding;
use crate::number::system::System;
use std::collections::BTreeMap;

/// A domain, and the format of the program that computes over it.
#[derive(Clone, Debug)]
pub(super) struct Domain {
    pub(super) format: Format,
    pub(super) positions: BTreeMap<&'static str, [f64; 2]>,
    pub(super) reals: BTreeMap<&'static str, f64>,
}

impl Domain {
    /// h(z): a bound on |fl(x) − x| for all |x| ≤ z; none where x may overflow.
    pub(super) fn rounding(&self, z: f64) -> Option<f64> {
        let least = self.format.min_positive() / 2.0;
        if z.is_nan() || z > self.format.max_finite() {
            return None;
        }
        if z < power_of_two(self.format.min_exponent()) {
            return Some(least);
        }
        let binade = power_of_two(exponent_of(z));
        let unit = binade * self.format.unit_roundoff();
        Some((unit / 2.0).max(unit.min(up(z - binade))).max(least))
    }

    /// A frequency as the format has it.
    pub(super) fn rounded(&self, frequency: &Frequency) -> Option<f64> {
        let system = Rounding::<Float>::new(self.format);
        let angle = system.angle(&(Position::integer(1) * frequency.clone()));
        Some(angle.value().get()).filter(|omega| omega.is_finite())
    }
}

impl Bounds for Domain {
    fn position(&self, position: &Position) -> Option<f64> {
        let [mut low, mut high] = [position.constant() as f64; 2];
        for (name, coefficient) in position.terms() {
            let [a, b] = self.positions.get(name)?.map(|end| end * coefficient as f64);
            low += a.min(b);
            high += a.max(b);
        }
        // Integers below 2^53, hence exact.
        Some(low.abs().max(high.abs())).filter(|largest| *largest < power_of_two(53))
    }

    fn frequency(&self, frequency: &Frequency) -> Option<f64> {
        match frequency {
            Frequency::Free(name) => self.real(name),
            Frequency::Power { .. } => self.rounded(frequency),
        }
    }

    fn real(&self, name: &str) -> Option<f64> {
        self.reals.get(name).copied()
    }
}
