//! The positions and reals of which a bound speaks, and what a rounding may cost there.

use super::event::Event;
use crate::bound::running::up;
use crate::number::System;
use crate::number::cache::Cache;
use crate::number::exact::{Bounds, ERROR, Exact, Formal};
use crate::number::float::Float;
use crate::number::format::{Format, exponent_of, power_of_two};
use crate::number::inputs::Inputs;
use crate::number::phase::{Frequency, Position};
use crate::number::running::Rounding;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// A domain, and the format of the program that computes over it.
#[derive(Debug)]
pub(super) struct Domain {
    pub(super) format: Format,
    pub(super) positions: BTreeMap<&'static str, [f64; 2]>,
    pub(super) reals: BTreeMap<&'static str, [f64; 2]>,
    /// True if the rounding of a frequency counts as an error.
    pub(super) charges_frequencies: bool,
    /// Those that were asked for, as rounded.
    frequencies: Cache<Frequency, f64>,
    /// The numbers that are taken as they are computed, with their ends.
    computed: Mutex<Listed<u128, [f64; 2]>>,
    /// The errors of angles, with their bounds.
    errors: Mutex<Listed<Event, f64>>,
}

/// Things met, in order, each with a place.
#[derive(Debug)]
struct Listed<K, V> {
    places: BTreeMap<K, usize>,
    all: Vec<(K, V)>,
}

impl<K, V> Default for Listed<K, V> {
    fn default() -> Self {
        Self { places: BTreeMap::new(), all: Vec::new() }
    }
}

impl<K: Clone + Ord, V> Listed<K, V> {
    /// The place of a key, whose value is `first` or, if it was met before, `joined` of what is known.
    fn place(&mut self, key: &K, first: V, joined: impl FnOnce(&V, &V) -> V) -> usize {
        if let Some(place) = self.places.get(key) {
            self.all[*place].1 = joined(&self.all[*place].1, &first);
            return *place;
        }
        self.places.insert(key.clone(), self.all.len());
        self.all.push((key.clone(), first));
        self.all.len() - 1
    }
}

/// The name of numbers that are taken as they are computed.
const COMPUTED: &str = "computed";

impl Domain {
    /// Of a program in `format`, with the positions of the inputs up to `last`.
    pub(super) fn new(inputs: &Inputs, last: i64, format: Format, charges_frequencies: bool) -> Self {
        let positions = inputs.positions_to(last).map(|(name, range)| (name, range.map(|end| end as f64)));
        let reals = inputs.reals.iter().map(|(name, _, low, high)| (*name, [*low, *high].map(|end| format.round(end))));
        let (positions, reals) = (positions.collect(), reals.collect());
        let (frequencies, computed, errors) = (Cache::default(), Mutex::default(), Mutex::default());
        Self { format, positions, reals, charges_frequencies, frequencies, computed, errors }
    }

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
        let rounded = || {
            let system = Rounding::<Float>::new(self.format);
            system.angle(&(Position::integer(1) * frequency.clone())).value().get()
        };
        Some(self.frequencies.get(frequency, rounded)).filter(|omega| omega.is_finite())
    }

    /// The ends of an integer combination of positions.
    pub(super) fn ends(&self, position: &Position) -> Option<[f64; 2]> {
        let [mut low, mut high] = [position.constant() as f64; 2];
        for (name, coefficient) in position.terms() {
            let [a, b] = self.positions.get(name)?.map(|end| end * coefficient as f64);
            low += a.min(b);
            high += a.max(b);
        }
        // Integers below 2^53, hence exact.
        Some([low, high]).filter(|ends| ends.iter().all(|end| end.abs() < power_of_two(53)))
    }

    /// The place of an error of angles.
    pub(super) fn error(&self, event: &Event, bound: f64) -> usize {
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        errors.place(event, bound, |known, bound| known.max(*bound))
    }

    /// The error at a place, with its bound.
    pub(super) fn error_at(&self, place: usize) -> Option<(Event, f64)> {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).all.get(place).cloned()
    }

    /// A variable for the result of a computation.
    pub(super) fn computed(&self, hash: u128, ends: [f64; 2]) -> Exact {
        let mut computed = self.computed.lock().unwrap_or_else(PoisonError::into_inner);
        let index = computed.place(&hash, ends, |known, ends| [known[0].min(ends[0]), known[1].max(ends[1])]);
        Formal.real(COMPUTED, index)
    }
}

impl Bounds for Domain {
    fn position(&self, position: &Position) -> Option<f64> {
        self.ends(position).map(|[low, high]| low.abs().max(high.abs()))
    }

    fn frequency(&self, frequency: &Frequency) -> Option<f64> {
        match frequency {
            Frequency::Free(name) => self.real(name, 0).map(|[low, high]| low.abs().max(high.abs())),
            Frequency::Power { .. } => self.rounded(frequency),
        }
    }

    fn real(&self, name: &str, index: usize) -> Option<[f64; 2]> {
        if name == ERROR {
            let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
            return errors.all.get(index).map(|(_, bound)| [-bound, *bound]);
        }
        if name == COMPUTED {
            let computed = self.computed.lock().unwrap_or_else(PoisonError::into_inner);
            return computed.all.get(index).map(|(_, ends)| *ends);
        }
        self.reals.get(name).copied()
    }
}
