//! The interval system: claims evaluated in rigorous enclosures.

use super::{Interval, outward};
use crate::number::cache::Cache;
use crate::number::phase::{Frequency, Phase};
use crate::number::system::{Decision, Measure, Relation, Side, System, Values};
use num_complex::Complex;
use rug::{Float, Rational};
use std::sync::Arc;

/// The interval system: exact frequencies, positions and reals, enclosed at a given precision.
#[derive(Clone)]
pub struct Enclosing {
    values: Arc<Values>,
    bits: u32,
    frequencies: Arc<Cache<Frequency, Interval>>,
}

impl Default for Enclosing {
    /// The system at [`Interval::PRECISION`] bits.
    fn default() -> Self {
        Self { values: Arc::default(), bits: Interval::PRECISION, frequencies: Arc::default() }
    }
}

impl Enclosing {
    fn value(&self, x: f64) -> Interval {
        Interval::point(Float::with_val(self.bits.max(53), x))
    }

    /// The angle with 32 more bits, which absorb the loss of absolute precision at angles up to 2^32.
    fn radians(&self, phase: &Phase) -> Interval {
        let bits = self.bits + 32;
        let mut angle = Interval::point(Float::new(bits));
        for (frequency, position) in phase.terms() {
            let rate = match frequency {
                Frequency::Free(name) => self.value(self.values.real(name, 0)),
                Frequency::Power { .. } => self.frequencies.get(frequency, || Interval::frequency(frequency, bits)),
            };
            angle += rate * self.value(self.values.position(position));
        }
        if *phase.turn_count() != 0 {
            angle += Interval::full_turns(phase.turn_count(), bits);
        }
        angle
    }

    fn narrow(&self, wide: Interval) -> Interval {
        outward(self.bits, &wide.lower, &wide.upper)
    }
}

impl System for Enclosing {
    type Number = Interval;

    fn at(&self, values: &Arc<Values>) -> Self {
        Self { values: Arc::clone(values), ..self.clone() }
    }

    fn cis(&self, phase: &Phase) -> Complex<Interval> {
        let (cos, sin) = self.radians(phase).cos_sin();
        Complex::new(self.narrow(cos), self.narrow(sin))
    }

    fn angle(&self, phase: &Phase) -> Interval {
        self.narrow(self.radians(phase))
    }

    fn real(&self, name: &'static str, index: usize) -> Interval {
        self.value(self.values.real(name, index))
    }

    fn rational(&self, value: &Rational) -> Interval {
        Interval::rational(value, self.bits)
    }

    fn decide(&self, relation: &Relation<Interval>) -> Decision {
        let (left, right) = relation.sides();
        if !left.is_defined() || !right.is_defined() {
            return Decision::unable(
                "a side is undefined: a quotient by an interval that contains 0, or the root of one that reaches below it",
            );
        }
        let measure = Measure { error: left.width_up().max(right.width_up()), bound: 0.0 };
        let overlap = "the enclosures overlap, so that the sides cannot be told apart";
        match relation {
            Relation::Equal(..) if left.is_separate_from(right) => Decision::Refuted(measure),
            Relation::Equal(..) => Decision::Held(measure),
            Relation::Distinct(..) if left.is_separate_from(right) => Decision::Held(measure),
            Relation::Distinct(..) if left.is_point() && left == right => Decision::Refuted(measure),
            Relation::Less(..) if left.is_below(right) => Decision::Held(measure),
            Relation::Less(..) if left.lower >= right.upper => Decision::Refuted(measure),
            Relation::Distinct(..) | Relation::Less(..) => Decision::unable(overlap),
            Relation::AtMost(..) if right.is_below(left) => Decision::Refuted(measure),
            Relation::AtMost(..) => Decision::Held(measure),
        }
    }

    fn side(&self, number: &Interval) -> Side {
        let (lower, upper) = number.decimal_with(Some(30));
        Side { decimal: format!("[{lower}, {upper}]"), hex: None, bound: None }
    }
}
