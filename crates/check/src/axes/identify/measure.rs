//! Along which axis each slot turns, and by how much for a unit of its coordinate.
//!
//! A slot that one axis claims has one angle wherever the coordinate of that axis is the same. Where rows are equal along an axis and their
//! angles are not, that axis does not claim the slot alone. The rate r of a slot, in radians for a unit of the coordinate, follows from
//! differences of angles, which are known modulo a turn: the smallest difference of coordinates gives candidates, and each larger one,
//! as long as the error so far leaves no doubt about the number of turns, makes them more precise or refutes them. Coordinates that are
//! multiples of g apart show r modulo 2π/g only: the smallest is taken.

use super::arrangement::Angles;
use posproof_encoding::axes::Coordinates;
use std::f64::consts::{PI, TAU};

/// Candidates for the number of turns between the two nearest coordinates.
const MOST_TURNS: u32 = 256;

/// Coordinates of an axis whose differences are looked at: the nearest ones, and some far away.
const MOST_COORDINATES: usize = 48;

/// Pairs of rows that differ along one axis only, at most.
const MOST_PAIRS: usize = 2048;

/// Angles of binary32 are off by so many units of roundoff of the coordinates' magnitude: normalised grids need 8 (measured), and both ends
/// of a difference have one.
pub(super) const ROUNDINGS: f64 = 16.0;

/// Errors of angles that are admitted, one after the other, where none of the usual size explains a slot: 2^−14, 2^−10 and 2^−6 of a radian. An
/// angle of binary32 is off by the last where it is a hundred thousand radians.
const LOOSER: [f64; 3] = [1.0 / 16384.0, 1.0 / 1024.0, LOOSEST];
const LOOSEST: f64 = 1.0 / 64.0;

/// Distinct coordinates from which on a fit with a larger error says something even if no two rows have equal ones: each beyond the second
/// agrees by chance with a probability of 2·LOOSEST/π, a hundredth.
const MANY: usize = 6;

/// Bits by which rows of which no two have equal coordinates have to agree with a rate: twice those of the candidates that are tried.
const BITS: f64 = 18.0;

/// Parts of the smallest difference of coordinates that their step may be.
const MOST_PARTS: u32 = 64;

/// Units of roundoff of the largest coordinate by which coordinates that were computed in binary32 (`linspace`) may miss their grid.
const OFF_GRID: f64 = 4.0;

/// 2^−24, the unit roundoff of binary32.
pub(super) const UNIT: f64 = 1.0 / (1u64 << 24) as f64;

/// A measured number, and how far off it may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MeasuredNumber {
    pub value: f64,
    pub error: f64,
}

impl MeasuredNumber {
    /// The error as a share of the value.
    pub fn relative(self) -> f64 {
        self.error / self.value.abs()
    }
}

/// Measurement of a slot.
#[derive(Clone, Debug)]
pub(super) struct MeasuredSlot {
    /// The axes that it turns by, each with the rate; none where it stands still.
    pub rates: Vec<(usize, MeasuredNumber)>,
    /// Axes that would explain its angles as well.
    pub rivals: Vec<usize>,
    /// The angle at the origin.
    pub origin: MeasuredNumber,
}

/// An angle between −π and π.
pub(super) fn wrap(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}

/// Two coordinates d apart, with the difference of the angles there.
pub(super) struct AngleDifference {
    pub d: f64,
    pub angle: f64,
    /// Noise of storage.
    pub noise: f64,
    /// By how much the error grows with the rate.
    pub reach: f64,
}

/// The coordinates of the sampled rows in binary64.
pub(super) struct Places<'a> {
    coordinates: &'a Coordinates,
    /// Row by row of the sample: the row, and its coordinates.
    rows: Vec<(usize, Vec<f64>)>,
    /// For each axis, pairs of sampled rows that differ along it alone.
    alone: Vec<Vec<(usize, usize)>>,
    /// For each axis π/g.
    limits: Vec<f64>,
    /// For each axis the largest magnitude of a coordinate.
    largest: Vec<f64>,
}

impl<'a> Places<'a> {
    /// The sampled rows, each with a position.
    pub fn new(coordinates: &'a Coordinates, rows: &[usize]) -> Self {
        let axes = coordinates.axes();
        let of = |&row: &usize| {
            let here: Option<Vec<f64>> = (0..axes).map(|a| coordinates.get(row, a).map(|x| x.to_f64())).collect();
            (row, here.unwrap_or_default())
        };
        let rows: Vec<(usize, Vec<f64>)> = rows.iter().map(of).collect();
        let mut alone = vec![Vec::new(); axes];
        for (i, (_, left)) in rows.iter().enumerate() {
            for (j, (_, right)) in rows.iter().enumerate().skip(i + 1) {
                let mut differing = (0..axes).filter(|&axis| left[axis] != right[axis]);
                if let (Some(axis), None) = (differing.next(), differing.next())
                    && alone[axis].len() < MOST_PAIRS
                {
                    alone[axis].push((i, j));
                }
            }
        }
        let largest: Vec<f64> =
            (0..axes).map(|axis| rows.iter().map(|(_, row)| row[axis].abs()).fold(0.0, f64::max)).collect();
        let limit = |axis: usize| {
            let exact = coordinates.step(axis).to_f64().abs();
            let along: Vec<f64> = rows.iter().map(|(_, row)| row[axis]).collect();
            PI / near_step(&along, OFF_GRID * UNIT * largest[axis]).unwrap_or(exact)
        };
        let limits = (0..axes).map(limit).collect();
        Self { limits, largest, coordinates, rows, alone }
    }

    /// π/g: rates of this magnitude are not told from smaller ones.
    pub fn limit(&self, axis: usize) -> f64 {
        self.limits[axis]
    }

    /// The number of axes.
    pub fn axes(&self) -> usize {
        self.coordinates.axes()
    }

    /// A coordinate of a sampled row.
    pub fn coordinate(&self, row: usize, axis: usize) -> f64 {
        self.rows[row].1[axis]
    }

    /// The largest magnitude of a coordinate of the sampled rows.
    pub fn largest(&self, axis: usize) -> f64 {
        self.largest[axis]
    }

    /// Axes by the angles of a slot, one for each sampled row; none where no axes explain them.
    pub fn slot(&self, angles: &Angles) -> Option<MeasuredSlot> {
        let Angles { angle, noise } = angles;
        let best = (0..angle.len()).min_by(|&i, &j| noise[i].total_cmp(&noise[j]))?;
        let still = (0..angle.len()).all(|i| wrap(angle[i] - angle[best]).abs() <= noise[i] + noise[best]);
        if still {
            let origin = MeasuredNumber { value: angle[best], error: noise[best] };
            return Some(MeasuredSlot { rates: Vec::new(), rivals: Vec::new(), origin });
        }
        let explaining = |extra: &[f64]| {
            let along = |axis| Some((axis, self.along(axis, angles, extra)?));
            (0..self.coordinates.axes()).filter_map(along).collect::<Vec<_>>()
        };
        let mut explained = explaining(&[0.0]);
        if explained.is_empty()
            && let Some(slot) = self.sum(angles, 0.0)
        {
            return Some(slot);
        }
        if explained.is_empty() {
            explained = explaining(&LOOSER);
        }
        if explained.is_empty() {
            // The rates of a sum are known modulo a turn for a step, so that its errors may be those of larger ones.
            return self.sum(angles, LOOSER[0]);
        }
        let (axis, rate) = explained.remove(0);
        let rivals = explained.into_iter().map(|(axis, _)| axis).collect();
        let origin = self.origin(&[(axis, rate)], angles)?;
        Some(MeasuredSlot { rates: vec![(axis, rate)], rivals, origin })
    }

    /// The axes that turn a slot together, if their rates, which rows show that differ along one of them alone, explain every row
    /// to within this error besides.
    fn sum(&self, angles: &Angles, extra: f64) -> Option<MeasuredSlot> {
        let alone = |axis: usize| Some((axis, self.apart(axis, angles, extra)?));
        let rates: Vec<(usize, MeasuredNumber)> =
            (0..self.axes()).filter_map(alone).filter(|(_, rate)| rate.value.abs() > rate.error).collect();
        // As for one axis: rows that say something of each.
        if extra > 0.0 && self.rows.len() < MANY * rates.len() {
            return None;
        }
        let origin = self.origin(&rates, angles)?;
        self.explains(&rates, origin, angles, extra).then_some(MeasuredSlot { rates, rivals: Vec::new(), origin })
    }

    /// The rate along an axis, if the angles are a function of its coordinate alone; with the first of these errors that explains them.
    fn along(&self, axis: usize, angles: &Angles, extra: &[f64]) -> Option<MeasuredNumber> {
        let count = self.coordinates.distinct(axis).len();
        let mut first: Vec<Option<usize>> = vec![None; count];
        for i in 0..self.rows.len() {
            let place = self.coordinates.place(self.rows[i].0, axis)?;
            match first[place] {
                None => first[place] = Some(i),
                Some(j) if wrap(angles.angle[i] - angles.angle[j]).abs() > angles.noise[i] + angles.noise[j] => {
                    return None;
                }
                // The more precise one of two.
                Some(j) if angles.noise[i] < angles.noise[j] => first[place] = Some(i),
                Some(_) => {}
            }
        }
        let mut rows: Vec<usize> = first.into_iter().flatten().collect();
        // Rows of equal coordinates show that the angle follows from them.
        let several = rows.len() < self.rows.len();
        if extra != [0.0] && rows.len() == self.rows.len() && rows.len() < MANY {
            return None;
        }
        if rows.len() > MOST_COORDINATES {
            let (near, far) = (MOST_COORDINATES / 2, rows.len());
            rows = (0..near)
                .chain((near..MOST_COORDINATES).map(|i| near + (i - near) * (far - near) / near))
                .map(|i| rows[i])
                .collect();
        }
        let pairs = (0..rows.len()).flat_map(|i| (i + 1..rows.len()).map(move |j| (i, j)));
        let rate = self.rate(axis, pairs.map(|(i, j)| (rows[i], rows[j])), angles, extra)?;
        (several || self.is_no_chance(axis, rate, &rows, angles)).then_some(rate)
    }

    /// True if so many rows have angles by a rate by chance once in 2^BITS, or less often.
    fn is_no_chance(&self, axis: usize, rate: MeasuredNumber, rows: &[usize], angles: &Angles) -> bool {
        let Some(&first) = rows.first() else { return false };
        let bits = |&row: &usize| {
            let (x, near) = (self.rows[row].1[axis], self.rows[first].1[axis]);
            let reach = ROUNDINGS * UNIT * (x.abs() + near.abs() + self.largest[axis]);
            let off =
                rate.error * (x - near).abs() + angles.noise[row] + angles.noise[first] + reach * rate.value.abs();
            (PI / off).log2().max(0.0)
        };
        // One row is where the others are counted from, and another gives the rate.
        let all: Vec<f64> = rows.iter().skip(1).map(bits).collect();
        all.iter().sum::<f64>() - all.iter().copied().fold(0.0, f64::max) >= BITS
    }

    /// The rate along an axis, from rows that differ along it alone.
    fn apart(&self, axis: usize, angles: &Angles, extra: f64) -> Option<MeasuredNumber> {
        self.rate(axis, self.alone[axis].iter().copied(), angles, &[extra])
    }

    fn rate(
        &self,
        axis: usize,
        pairs: impl Iterator<Item = (usize, usize)>,
        angles: &Angles,
        extra: &[f64],
    ) -> Option<MeasuredNumber> {
        let difference = |(i, j): (usize, usize)| {
            let (left, right) = (self.rows[i].1[axis], self.rows[j].1[axis]);
            let (i, j) = if left < right { (i, j) } else { (j, i) };
            let noise = angles.noise[i] + angles.noise[j];
            let reach = ROUNDINGS * UNIT * (left.abs() + right.abs() + self.largest[axis]);
            AngleDifference { d: (right - left).abs(), angle: wrap(angles.angle[j] - angles.angle[i]), noise, reach }
        };
        let mut differences: Vec<AngleDifference> = pairs.map(difference).collect();
        differences.sort_by(|a, b| a.d.total_cmp(&b.d));
        let nearest = differences.first()?;
        let turns = (1..=MOST_TURNS).flat_map(|m| [f64::from(m), -f64::from(m)]);
        let mut candidates: Vec<f64> =
            std::iter::once(0.0).chain(turns).map(|m| (nearest.angle + TAU * m) / nearest.d).collect();
        candidates.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
        let limit = self.limits[axis] * (1.0 + 1e-9) + nearest.noise / nearest.d;
        candidates.retain(|rate| rate.abs() <= limit);
        extra.iter().find_map(|&extra| candidates.iter().find_map(|&rate| refined(rate, &differences, extra)))
    }

    /// True if the axes with these rates turn a slot as it was turned in every row, to within `extra` besides.
    fn explains(&self, rates: &[(usize, MeasuredNumber)], origin: MeasuredNumber, angles: &Angles, extra: f64) -> bool {
        !rates.is_empty()
            && (0..self.rows.len()).all(|i| {
                let x = |axis: usize| self.rows[i].1[axis];
                let turned: f64 = rates.iter().map(|(axis, rate)| rate.value * x(*axis)).sum();
                let error = |(axis, rate): &(usize, MeasuredNumber)| {
                    let rounded = ROUNDINGS * UNIT * (x(*axis).abs() + self.largest[*axis]);
                    rate.error * x(*axis).abs() + rate.value.abs() * rounded
                };
                let error = extra + angles.noise[i] + origin.error + rates.iter().map(error).sum::<f64>();
                wrap(angles.angle[i] - origin.value - turned).abs() <= error
            })
    }

    /// The angle at the origin, from the row where the rates say most.
    fn origin(&self, rates: &[(usize, MeasuredNumber)], angles: &Angles) -> Option<MeasuredNumber> {
        let turned = |i: usize| rates.iter().map(|(axis, rate)| rate.value * self.rows[i].1[*axis]).sum::<f64>();
        let error = |i: usize| {
            let of = |(axis, rate): &(usize, MeasuredNumber)| {
                let rounded = ROUNDINGS * UNIT * (self.rows[i].1[*axis].abs() + self.largest[*axis]);
                rate.error * self.rows[i].1[*axis].abs() + rate.value.abs() * rounded
            };
            angles.noise[i] + rates.iter().map(of).sum::<f64>()
        };
        let best = (0..self.rows.len()).min_by(|&i, &j| error(i).total_cmp(&error(j)))?;
        Some(MeasuredNumber { value: wrap(angles.angle[best] - turned(best)), error: error(best) })
    }
}

/// The step of the grid on which coordinates lie that may be off by so much: the largest part of their smallest difference of which all
/// differences are multiples.
pub(super) fn near_step(coordinates: &[f64], off: f64) -> Option<f64> {
    let mut sorted = coordinates.to_vec();
    sorted.sort_by(f64::total_cmp);
    let first = *sorted.first()?;
    let smallest = sorted.windows(2).map(|pair| pair[1] - pair[0]).filter(|&d| d > off).min_by(f64::total_cmp)?;
    // A whole number of steps fits the largest difference, which is the most precise.
    let fits = |step: f64| {
        let span = sorted[sorted.len() - 1] - first;
        let step = span / (span / step).round();
        let all = sorted.iter().all(|&x| (x - first - step * ((x - first) / step).round()).abs() <= 2.0 * off);
        (all && step > 8.0 * off).then_some(step)
    };
    (1..=MOST_PARTS).find_map(|parts| fits(smallest / f64::from(parts)))
}

/// A candidate made more precise by every difference in turn, each of which may be wrong by `extra` besides; none where one refutes it.
pub(super) fn refined(candidate: f64, differences: &[AngleDifference], extra: f64) -> Option<MeasuredNumber> {
    let first = differences.first()?;
    let noise = |difference: &AngleDifference, rate: f64| difference.noise + extra + difference.reach * rate.abs();
    let mut rate = MeasuredNumber { value: candidate, error: noise(first, candidate) / first.d };
    for difference in differences {
        let left = wrap(difference.angle - rate.value * difference.d);
        let (grown, own) = (rate.error * difference.d, noise(difference, rate.value));
        if grown > 1.0 {
            // More than one number of turns is possible.
            continue;
        }
        if left.abs() > grown + own {
            return None;
        }
        if own / difference.d < rate.error {
            rate = MeasuredNumber { value: rate.value + left / difference.d, error: own / difference.d };
        }
    }
    Some(rate)
}
