//! The errors of many angles at once.
//!
//! The angles p·ω of one position p are all computed from the same integer. Their errors are known for each p, and rarely large together:
//! Σ_ω w_ω·|ε_ω(p)| is computed for every integer, and its maxima over parts of the domain are added up for positions that are in
//! reach of each other, such as m, n and m − n.

use super::domain::Domain;
use super::event::Event;
use super::lattice::largest_of_three;
use crate::bound::running::up;
use crate::number::exact::{AngleDisplacement, Errors, Residual};
use crate::number::format::{Format, power_of_two};
use crate::number::phase::{Frequency, Position};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The error of an angle, fl(fl(p)·ω) − p·ω, in binary64 and up to its rounding.
pub(crate) fn angle_error(format: Format, position: f64, omega: f64) -> f64 {
    let kept = format.round(position);
    let product = kept * omega;
    let rounding = format.round(product) - product - kept.mul_add(omega, -product);
    rounding + (kept - position) * omega
}

/// Integers in all whose errors are computed for one bound, at most, times frequencies.
const MOST: usize = 1 << 25;

/// Frequencies beyond those that make up this share of the whole are bounded one by one.
const SHARE: f64 = 0.98;

/// Integers of a part: a power of two.
const PART: usize = 1 << 9;

/// Frequencies of which each error is rarely as large as its bound: of fewer the bounds are as good.
const FEW: usize = 3;

/// Maxima of Σ w·|ε(p)|.
#[derive(Clone)]
enum Maxima {
    /// Over parts of the integers from 0.
    Computed(Arc<Vec<f64>>),
    /// Of frequencies with their weights, by the bound of each.
    Bounded(Vec<(f64, f64)>),
}

/// The largest sums over parts of the integers up to `last`, for frequencies with their weights.
fn largest_sums(format: Format, frequencies: &[(f64, f64)], last: usize) -> Vec<f64> {
    let part = |first: usize| {
        let mut sums = [0.0f64; PART];
        for (omega, weight) in frequencies {
            add_errors(format, first, *omega, *weight, &mut sums);
        }
        let count = PART.min(last + 1 - first);
        // Sums of less than 2^12 terms, each within a few units in the last place.
        sums[..count].iter().copied().fold(0.0, f64::max) * (1.0 + 1e-11)
    };
    (0..=last / PART).into_par_iter().map(|place| part(place * PART)).collect()
}

fn add_errors(format: Format, first: usize, omega: f64, weight: f64, sums: &mut [f64]) {
    let positions = (first..).map(|p| p as f64);
    match format {
        // Products of 24 and 24 bits are exact.
        Format::F32 if first + PART < 1 << 24 => {
            for (sum, p) in sums.iter_mut().zip(positions) {
                let product = p * omega;
                *sum += weight * (f64::from(product as f32) - product).abs();
            }
        }
        _ => {
            for (sum, p) in sums.iter_mut().zip(positions) {
                *sum += weight * angle_error(format, p, omega).abs();
            }
        }
    }
}

/// A position of angles, and what its errors cost.
struct Place {
    position: Position,
    maxima: Maxima,
    last: f64,
}

impl Domain {
    /// A bound on Σ weight·|Σ n·ε| over the domain.
    pub(super) fn largest_of_angles(&self, residual: &Residual) -> Option<f64> {
        // Of each position and frequency: the frequency as rounded, the weight, and the bound.
        let mut positions: BTreeMap<Position, BTreeMap<Frequency, (f64, f64, f64)>> = BTreeMap::new();
        let (mut plain, mut sum_by_sum) = (0.0, 0.0);
        for AngleDisplacement { weight, errors, .. } in &residual.0 {
            sum_by_sum = up(sum_by_sum + up(weight * self.largest_sum(errors)?));
            for (place, n) in errors {
                let (event, bound) = self.error_at(*place)?;
                let weight = up(weight * f64::from(n.unsigned_abs()));
                let omega = match &event {
                    Event::Angle(frequency @ Frequency::Power { .. }, _) => self.rounded(frequency),
                    _ => None,
                };
                let (Event::Angle(frequency, position), Some(omega)) = (event, omega) else {
                    plain = up(plain + up(weight * bound));
                    continue;
                };
                let known = positions.entry(position).or_default().entry(frequency).or_insert((omega, 0.0, bound));
                known.1 = up(known.1 + weight);
            }
        }
        let bound_alone = |all: &BTreeMap<Frequency, (f64, f64, f64)>| {
            all.values().fold(0.0, |sum, (_, weight, bound)| up(sum + up(weight * bound)))
        };
        let alone = positions.values().fold(plain, |sum, all| up(sum + bound_alone(all))).min(sum_by_sum);
        if positions.is_empty() {
            return Some(plain);
        }
        let mut places: Vec<(Place, Vec<(f64, f64)>)> = Vec::new();
        for (position, frequencies) in positions {
            let whole = bound_alone(&frequencies);
            let mut all: Vec<(f64, f64, f64)> = frequencies.into_values().collect();
            all.sort_by(|one, other| (other.1 * other.2).total_cmp(&(one.1 * one.2)));
            let (mut sum, mut kept) = (0.0, Vec::new());
            for (omega, weight, bound) in all {
                if sum >= SHARE * whole {
                    plain = up(plain + up(weight * bound));
                } else {
                    kept.push((omega, weight));
                }
                sum += weight * bound;
            }
            let [low, high] = self.ends(&position)?;
            let last = low.abs().max(high.abs());
            // Positions of equal weights, such as m and n, have equal errors.
            let same = places.iter().find(|(place, known)| *known == kept && place.last >= last);
            let maxima = match same {
                Some((place, _)) => place.maxima.clone(),
                None if kept.len() < FEW => Maxima::Bounded(kept.clone()),
                None if last * kept.len() as f64 > MOST as f64 => return Some(alone),
                None => Maxima::Computed(Arc::new(largest_sums(self.format, &kept, last as usize))),
            };
            places.push((Place { position, maxima, last }, kept));
        }
        let places: Vec<Place> = places.into_iter().map(|(place, _)| place).collect();
        Some(alone.min(up(plain + self.in_reach(&places)?)))
    }

    /// A bound on |Σ n·ε|.
    fn largest_sum(&self, errors: &Errors) -> Option<f64> {
        let mut alone = 0.0;
        let (mut frequencies, mut sum, mut last) = (BTreeSet::new(), Position::integer(0), Vec::new());
        for (place, n) in errors {
            let (event, bound) = self.error_at(*place)?;
            alone = up(alone + up(f64::from(n.unsigned_abs()) * bound));
            if let (Event::Angle(frequency @ Frequency::Power { .. }, position), 1 | -1) = (event, *n) {
                let [low, high] = self.ends(&position)?;
                last.push(low.abs().max(high.abs()));
                sum = sum + position.times(i64::from(*n));
                frequencies.insert(frequency);
            }
        }
        let are_three = errors.len() == 3 && frequencies.len() == 1 && sum == Position::integer(0);
        let three = <[f64; 3]>::try_from(last).ok().filter(|_| are_three);
        let joint = three
            .zip(frequencies.first())
            .and_then(|(last, frequency)| largest_of_three(self.format, self.rounded(frequency)?, last));
        Some(joint.map_or(alone, |joint| joint.min(alone)))
    }

    /// A bound on the error of an angle with a position up to `far`.
    pub(super) fn angle_bound(&self, omega: f64, far: f64) -> Option<f64> {
        let whole = power_of_two(self.format.precision() as i32);
        let displaced = if far <= whole { 0.0 } else { self.rounding(far)? };
        let product = self.rounding(up(up(far + displaced) * omega))?;
        Some(if displaced == 0.0 { product } else { up(up(omega * displaced) + product) })
    }

    /// The largest Σ w·|ε(p)| over integers whose magnitudes lie between two ends.
    fn largest_between(&self, maxima: &Maxima, [low, high]: [f64; 2]) -> Option<f64> {
        match maxima {
            Maxima::Computed(sums) => {
                let last = (high as usize / PART).min(sums.len() - 1);
                let first = (low as usize / PART).min(last);
                Some(sums[first..=last].iter().copied().fold(0.0, f64::max))
            }
            Maxima::Bounded(frequencies) => frequencies
                .iter()
                .try_fold(0.0, |sum, (omega, weight)| Some(up(sum + up(weight * self.angle_bound(*omega, high)?)))),
        }
    }

    /// The largest sum of maxima of positions that are in reach of each other.
    fn in_reach(&self, places: &[Place]) -> Option<f64> {
        let mut symbols: Vec<&'static str> =
            places.iter().flat_map(|place| place.position.terms().map(|(name, _)| name)).collect();
        symbols.sort_unstable();
        symbols.dedup();
        // Of bounds frequency by frequency those of large parts are as good.
        let is_bounded = places.iter().all(|place| matches!(place.maxima, Maxima::Bounded(_)));
        let parts: usize = match (symbols.len(), is_bounded) {
            (2, true) => 4,
            (3, true) => 2,
            (2, false) => 32,
            (3, false) => 8,
            _ => 1,
        };
        let mut largest = 0.0f64;
        for choice in 0..parts.pow(symbols.len() as u32) {
            let end = |name: &str| -> Option<[f64; 2]> {
                let place = symbols.iter().position(|known| *known == name)?;
                let part = (choice / parts.pow(place as u32) % parts) as f64;
                let [low, high] = *self.positions.get(name)?;
                let width = (high - low) / parts as f64;
                Some([(low + part * width).floor(), (low + (part + 1.0) * width).ceil().min(high)])
            };
            let mut sum = 0.0;
            for Place { position, maxima, last } in places {
                let [mut low, mut high] = [position.constant() as f64; 2];
                for (name, coefficient) in position.terms() {
                    let [a, b] = end(name)?.map(|end| end * coefficient as f64);
                    (low, high) = (low + a.min(b), high + a.max(b));
                }
                let nearest = if low > 0.0 { low } else { (-high).max(0.0) };
                let farthest = low.abs().max(high.abs()).min(*last);
                sum = up(sum + self.largest_between(maxima, [nearest, farthest])?);
            }
            largest = largest.max(sum);
        }
        Some(largest)
    }
}
