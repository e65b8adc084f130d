//! Frequencies, positions and factors, measured.

use super::sample::{Phasors, wrap};
use posproof_encoding::real::Real;

/// A phase that may be anywhere is this near to a given one, on either side, with a chance of hardly one in ten (0.3/π): so far
/// off it may be where a number of pairs have to agree, and every entry is compared afterwards.
pub(super) const OF_TEN: f64 = 0.3;

/// A shift is a whole number if it is this near to one, as far as noise asks for more than the first and no more than the second:
/// shifts by hundredths and less are not made on purpose, by a quarter or a fifth they are.
const WHOLE: [f64; 2] = [0.02, 0.15];

/// A measurement may be off by so many of its standard errors.
pub(super) const STANDARD_ERRORS: f64 = 6.0;

/// Sums over entries y = a·u + b·v, for the factors a and b that are nearest to all.
#[derive(Clone, Copy, Default)]
pub(super) struct LeastSquares {
    pub uu: f64,
    uv: f64,
    pub vv: f64,
    uy: f64,
    vy: f64,
    yy: f64,
    count: f64,
}

impl LeastSquares {
    /// One entry more.
    pub fn add(&mut self, (u, v): (f64, f64), y: f64) {
        let Self { uu, uv, vv, uy, vy, yy, count } = self;
        (*uu, *uv, *vv, *uy, *vy) = (*uu + u * u, *uv + u * v, *vv + v * v, *uy + u * y, *vy + v * y);
        (*yy, *count) = (*yy + y * y, *count + 1.0);
    }

    /// The factors. A direction whose squares are no more than `least` shows none: 1. `None` where the two directions differ by less
    /// than a thousandth.
    pub fn factors(&self, least: f64) -> Option<[f64; 2]> {
        let Self { uu, uv, vv, uy, vy, .. } = *self;
        match (uu > least, vv > least) {
            (true, true) if uv == 0.0 => Some([uy / uu, vy / vv]),
            (true, true) => {
                let determinant = uu * vv - uv * uv;
                (determinant > 1e-6 * uu * vv)
                    .then(|| [(uy * vv - vy * uv) / determinant, (vy * uu - uy * uv) / determinant])
            }
            (true, false) => Some([(uy - uv) / uu, 1.0]),
            (false, true) => Some([1.0, (vy - uv) / vv]),
            (false, false) => Some([1.0; 2]),
        }
    }

    /// The part of Σ y² that the factors explain.
    pub fn explained(&self, [a, b]: [f64; 2]) -> f64 {
        (a * self.uy + b * self.vy) / self.yy.max(f64::MIN_POSITIVE)
    }

    /// The standard errors of the factors, by what they leave; of that, the difference of sums shows a part of 2^−46.
    pub fn standard_errors(&self, factors: [f64; 2]) -> [f64; 2] {
        let left = self.yy * (1.0 - self.explained(factors)).max(64.0 * f64::EPSILON) / (self.count - 2.0).max(1.0);
        [self.uu, self.vv].map(|squares| (left / squares.max(f64::MIN_POSITIVE)).sqrt())
    }
}

/// A measured frequency, in radians per position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    pub value: f64,
    /// Its error, at most.
    pub error: f64,
    /// The angle at position 0.
    pub start: f64,
}

impl Estimate {
    /// Of a pair none of whose entries is a number: it may be anything.
    pub const UNKNOWN: Self = Self { value: 0.0, error: f64::INFINITY, start: 0.0 };

    /// True if it says anything.
    pub fn is_known(&self) -> bool {
        self.error.is_finite()
    }
}

/// The least distance of two positions that follow each other; 1 where there is none.
pub(super) fn gap(positions: &[u64]) -> f64 {
    positions.windows(2).map(|two| two[1] - two[0]).filter(|gap| *gap > 0).min().unwrap_or(1) as f64
}

/// The frequency of a pair, by unwrapping its phase over greater and greater distances: each
/// estimate predicts the phase at the next distance to within less than half a turn, or the
/// measurement ends there. `noise` bounds the error of a phase at short distances.
pub(super) fn frequency(phasors: &Phasors, pair: usize, noise: f64) -> Option<Estimate> {
    frequency_within(phasors, pair, noise, 0.0)
}

/// The same where angles are right to `unit`, relative to them.
fn frequency_within(phasors: &Phasors, pair: usize, noise: f64, unit: f64) -> Option<Estimate> {
    let (mut positions, mut phases) = (Vec::new(), Vec::new());
    for (row, &position) in phasors.positions.iter().enumerate() {
        let phase = phasors.phase(row, pair)?;
        if phase.is_finite() {
            positions.push(position);
            phases.push(phase);
        }
    }
    if phases.is_empty() && !phasors.positions.is_empty() {
        return Some(Estimate::UNKNOWN);
    }
    // Rows at one position show no frequency.
    let gaps = positions.windows(2).map(|w| w[1] - w[0]).enumerate().filter(|&(_, gap)| gap > 0);
    let (at, gap) = gaps.min_by_key(|&(at, gap)| (gap, at))?;
    let mut estimate = wrap(phases[at + 1] - phases[at]) / gap as f64;
    let rate = estimate.abs();
    let noise_of = |row: usize| noise + unit * positions[row] as f64 * rate;
    let mut error = (noise_of(at) + noise_of(at + 1)) / gap as f64;
    let mut rows: Vec<usize> =
        (0..positions.len()).filter(|&row| positions[row].abs_diff(positions[at]) > gap).collect();
    rows.sort_by_key(|&row| positions[row].abs_diff(positions[at]));
    for row in rows {
        let distance = positions[row] as f64 - positions[at] as f64;
        if distance.abs() * error > 1.5 {
            break;
        }
        let off = wrap(phases[row] - phases[at] - estimate * distance);
        let both = noise_of(at) + noise_of(row);
        if off.abs() > 2.0 * (distance.abs() * error + both) {
            break;
        }
        estimate += off / distance;
        error = (both / distance.abs()).max(f64::EPSILON * estimate.abs());
    }
    let start = wrap(phases[at] - estimate * positions[at] as f64);
    Some(Estimate { value: estimate, error, start })
}

/// The frequencies of all pairs, where angles are right to `unit`, relative to them.
pub(super) fn frequencies(phasors: &Phasors, noise: f64, unit: f64) -> Option<Vec<Estimate>> {
    (0..phasors.pairs).map(|pair| frequency_within(phasors, pair, noise, unit)).collect()
}

/// Frequencies in increasing order, by which shifts are found.
pub(super) struct Ascending<'a> {
    omega: &'a [f64],
    order: Vec<usize>,
    /// True if a shift that is nearly a whole number is one.
    whole: bool,
}

impl<'a> Ascending<'a> {
    pub fn new(omega: &'a [f64]) -> Self {
        let mut order: Vec<usize> = (0..omega.len()).filter(|&k| omega[k] > 0.0).collect();
        order.sort_by(|&a, &b| omega[a].total_cmp(&omega[b]));
        Self { omega, order, whole: true }
    }

    /// These frequencies, for shifts that are any numbers: one that is nearly whole stays as it is.
    pub fn any(self) -> Self {
        Self { whole: false, ..self }
    }

    /// Number to be added to an expected position to explain the phases of a row, if the frequencies are right: found with the slowest
    /// pair first, whose phase is unambiguous over the greatest distance, and refined with each faster one. `None` where no number does.
    /// A phase that is no number says nothing.
    pub fn shift(&self, phases: &[f64], expected: f64, noise: impl Fn(usize) -> f64) -> Option<f64> {
        let omega = self.omega;
        let mut off = Vec::with_capacity(self.order.len());
        for &k in &self.order {
            let phase = *phases.get(k)?;
            if !phase.is_nan() {
                off.push((k, wrap(phase - expected * omega[k])));
            }
        }
        let mut shift = 0.0;
        for (k, off) in &off {
            shift += wrap(off - shift * omega[*k]) / omega[*k];
        }
        // A shift that is nearly a whole number, as far as the fastest pair can tell, is one.
        let whole = shift.round();
        let fastest = off.last().map_or(0.0, |(k, _)| 2.0 * noise(*k) / omega[*k]);
        if self.whole && (shift - whole).abs() < fastest.clamp(WHOLE[0], WHOLE[1]) {
            shift = whole;
        }
        // The noise is a bound: where the frequencies are right, it holds for all pairs.
        off.iter().all(|(k, off)| wrap(off - shift * omega[*k]).abs() <= noise(*k)).then_some(shift)
    }
}

/// The shift of a row that shows the phase of every pair, as [`Ascending::shift`] finds it.
pub(super) fn shift(
    phasors: &Phasors,
    row: usize,
    omega: &[f64],
    expected: f64,
    noise: impl Fn(usize) -> f64,
) -> Option<f64> {
    Ascending::new(omega).shift(&phasors.phases(row)?, expected, noise)
}

/// Numbers within the spread of a measured one, those with few digits first, the number itself last.
pub(super) fn candidates(value: f64, spread: f64) -> Vec<Real> {
    let mut all: Vec<Real> = Vec::new();
    for digits in 0..17 {
        let text = format!("{value:.digits$e}");
        let close = text.parse::<f64>().is_ok_and(|rounded| (rounded - value).abs() <= spread.abs());
        match text.parse::<Real>() {
            Ok(real) if close && !all.contains(&real) => all.push(real),
            _ => {}
        }
        if all.len() >= 4 {
            break;
        }
    }
    all
}
