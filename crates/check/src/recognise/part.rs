//! Frequencies and amplitude from one part of a cache: the cosines alone, or the sines alone.
//!
//! At equally spaced positions p − h, p and p + h both x(p) = X·cos(ωp + φ) and x(p) = X·sin(ωp + φ) satisfy
//!
//! x(p − h) + x(p + h) = 2·cos(hω)·x(p),
//!
//! which gives cos(hω) whatever X and φ are. With entries known to within δ, the quotient is known to within
//! δ(1 + |cos hω|)/(|x(p)| − δ), and hω lies in one of the intervals 2πm ± arccos. Of these only those count that
//! meet what shorter strides have left of [0, π/h₀], h₀ the shortest stride; where they are one interval, it is kept.
//!
//! X and φ then are those of the linear least-squares fit of A·cos ω(p − p₀) + B·sin ω(p − p₀), p₀ the first
//! position. The phases give the sign and the offset o of the positions, and with them every entry narrows its
//! frequency further: ω(p + o) is an arccosine or an arcsine of x/X, give or take turns. That is what tells
//! the frequencies of pairs that turn too little for a fit.

use super::measurement::Measurement;
use crate::measure::{Estimate, OF_TEN, shift};
use crate::sample::{Phasors, wrap};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Roundings of an angle: of the position, of its sum with an offset, of two products with a scale, of the last
/// product ([`posproof_bound::Allowance`]).
const ROUNDINGS: f64 = 5.0;

/// Radians that the angle of a fitted wave may be off by at its farthest row: cos 0.1 leaves half a percent of the amplitude.
const AHEAD: f64 = 0.1;

/// The share of the largest determinant that a fit needs: it multiplies errors by no more than 1/√0.01 = 10.
const APART: f64 = 0.01;

/// Measures the part that there is; the amplitude is taken to be positive. `noise` bounds the error of an entry at short
/// distances relative to X, and `unit` the relative error of one rounding of an angle. `None` where no three
/// positions are equally spaced, or where nothing tells X.
pub fn measure(phasors: &Phasors, noise: f64, unit: f64) -> Option<Measurement> {
    let (entries, sine) = match (&phasors.cos, &phasors.sin) {
        (Some(cos), None) => (cos, false),
        (None, Some(sin)) => (sin, true),
        _ => return None,
    };
    let largest = entries.iter().fold(0f64, |largest, x| largest.max(x.abs()));
    let strides = strides(&phasors.positions);
    let highest = PI / strides.first()?.stride as f64;
    let mut part = HalfCache { phasors, entries, sine, noise, unit, amplitude: largest };
    let ranges: Vec<Range> = (0..phasors.pairs)
        .map(|pair| {
            let mut range = Range { low: 0.0, high: highest };
            part.narrow_by_strides(pair, &strides, &mut range);
            range
        })
        .collect();
    let waves: Vec<Option<Wave>> = ranges.iter().enumerate().map(|(pair, range)| part.fit(pair, range)).collect();
    let mut amplitudes: Vec<f64> = waves.iter().flatten().map(|wave| wave.amplitude).collect();
    amplitudes.sort_by(f64::total_cmp);
    // Cosines that hardly turn are X; sines that hardly turn do not tell it.
    let amplitude = amplitudes.get(amplitudes.len() / 2).copied().or((!sine).then_some(largest))?;
    if amplitude <= 0.0 {
        return None;
    }
    part.amplitude = amplitude;
    let rates: Vec<f64> =
        ranges.iter().zip(&waves).map(|(range, wave)| if wave.is_some() { range.middle() } else { 0.0 }).collect();
    let explained = [false, true].into_iter().filter(|clockwise| sine || !clockwise).filter_map(|clockwise| {
        let found = part.offset(&rates, &waves, clockwise)?;
        Some((clockwise, found))
    });
    // Few pairs may explain either sign, one of them by a long way round.
    let explained = explained.min_by(|(_, one), (_, other)| one.abs().total_cmp(&other.abs()));
    let (clockwise, offset) = explained.map_or((false, 0.0), |(clockwise, found)| (clockwise, found.round()));
    let frequencies = ranges.into_iter().enumerate().map(|(pair, mut range)| {
        if sine && range.high == highest {
            range = part.slowest(pair, offset, clockwise, highest).unwrap_or(range);
        } else if explained.is_some() {
            part.narrow_by_entries(pair, offset, clockwise, &mut range);
        }
        let value = range.middle();
        let error = (0.5 * (range.high - range.low)).max(f64::EPSILON * value);
        Estimate { value, error, start: wrap(value * offset) }
    });
    let frequencies = frequencies.collect();
    Some(Measurement { amplitude, frequencies, clockwise, offset })
}

/// Three rows at equal distances.
struct Stride {
    rows: [usize; 3],
    stride: u64,
}

/// All of them, the shortest first. Positions increase.
fn strides(positions: &[u64]) -> Vec<Stride> {
    let mut all = Vec::new();
    for middle in 0..positions.len() {
        for first in 0..middle {
            let stride = positions[middle] - positions[first];
            if let Ok(last) = positions.binary_search(&(positions[middle] + stride)) {
                all.push(Stride { rows: [first, middle, last], stride });
            }
        }
    }
    all.sort_by_key(|stride| (stride.stride, stride.rows));
    all
}

/// Where a frequency is.
struct Range {
    low: f64,
    high: f64,
}

impl Range {
    fn middle(&self) -> f64 {
        0.5 * (self.low + self.high)
    }

    /// Keeps what x = cos(hω − `phase`), known to within `off`, leaves; false where it leaves nothing.
    fn narrow(&mut self, h: f64, phase: f64, x: f64, off: f64) -> bool {
        if x.is_nan() || x.abs() > 1.0 + off {
            return false;
        }
        let (near, far) = ((x + off).min(1.0).acos(), (x - off).max(-1.0).acos());
        match meeting(near, far, (self.low * h - phase, self.high * h - phase)) {
            Meeting::None => return false,
            Meeting::One(low, high) => *self = Self { low: (low + phase) / h, high: (high + phase) / h },
            Meeting::Several => {}
        }
        true
    }
}

/// X and φ of a pair, the phase at the first position.
struct Wave {
    amplitude: f64,
    phase: f64,
}

struct HalfCache<'a> {
    phasors: &'a Phasors,
    entries: &'a [f64],
    sine: bool,
    noise: f64,
    unit: f64,
    /// X, or the largest entry before it is known.
    amplitude: f64,
}

impl HalfCache<'_> {
    fn entry(&self, row: usize, pair: usize) -> f64 {
        self.entries[row * self.phasors.pairs + pair]
    }

    /// Error of an entry, at most, whose angle is at most `angle`.
    fn error(&self, angle: f64) -> f64 {
        self.amplitude * (self.noise + ROUNDINGS * self.unit * angle)
    }

    /// Narrows the range of a frequency, as far as longer strides agree with shorter ones.
    fn narrow_by_strides(&self, pair: usize, strides: &[Stride], range: &mut Range) {
        for Stride { rows: [first, middle, last], stride } in strides {
            let h = *stride as f64;
            if (range.high - range.low) * h > TAU {
                continue;
            }
            let delta = self.error(self.phasors.positions[*last] as f64 * range.high);
            let (sum, centre) = (self.entry(*first, pair) + self.entry(*last, pair), self.entry(*middle, pair));
            if centre.abs() <= 4.0 * delta {
                continue;
            }
            let cosine = sum / (2.0 * centre);
            let off = delta * (1.0 + cosine.abs()) / (centre.abs() - delta);
            if !range.narrow(h, 0.0, cosine, off) {
                return;
            }
        }
    }

    /// Narrows it further, with amplitude and phase known; false where nothing is left.
    fn narrow_by_entries(&self, pair: usize, offset: f64, clockwise: bool, range: &mut Range) -> bool {
        let phase = if self.sine { FRAC_PI_2 } else { 0.0 };
        let sign = if clockwise { -1.0 } else { 1.0 };
        self.phasors.positions.iter().enumerate().all(|(row, &position)| {
            let t = position as f64 + offset;
            if t <= 0.0 || (range.high - range.low) * t > TAU {
                return true;
            }
            // The amplitude is as uncertain as an entry.
            let off = self.error(t * range.high) / self.amplitude + self.noise;
            range.narrow(t, phase, sign * self.entry(row, pair) / self.amplitude, off)
        })
    }

    /// The slowest frequency that explains sines of which strides tell nothing, because they are too small near
    /// position 0: a fast one close to half a turn per position would look the same but for the alternating sign.
    fn slowest(&self, pair: usize, offset: f64, clockwise: bool, highest: f64) -> Option<Range> {
        let last = *self.phasors.positions.last()? as f64;
        // Up to there all sines are noise; then twice as far, until they are explained.
        let limits = std::iter::successors(Some(self.noise / last.max(1.0)), |limit| Some(2.0 * limit));
        limits.take_while(|limit| *limit < highest).find_map(|limit| {
            let mut range = Range { low: 0.0, high: limit };
            self.narrow_by_entries(pair, offset, clockwise, &mut range).then_some(range)
        })
    }

    /// The least-squares fit, over as many rows as the frequency is good for; `None` unless both waves
    /// can be told apart well.
    fn fit(&self, pair: usize, range: &Range) -> Option<Wave> {
        let positions = &self.phasors.positions;
        let start = *positions.first()?;
        let (value, half) = (range.middle(), 0.5 * (range.high - range.low));
        let [mut cc, mut cs, mut ss, mut cx, mut sx] = [0f64; 5];
        let mut count = 0usize;
        for (row, &position) in positions.iter().enumerate() {
            let distance = (position - start) as f64;
            if distance * half > AHEAD {
                break;
            }
            let ((sin, cos), x) = ((distance * value).sin_cos(), self.entry(row, pair));
            cc += cos * cos;
            cs += cos * sin;
            ss += sin * sin;
            cx += cos * x;
            sx += sin * x;
            count += 1;
        }
        // At most count²/4, where both waves are orthogonal and of equal weight.
        let determinant = cc * ss - cs * cs;
        let apart = determinant > APART * 0.25 * (count as f64).powi(2);
        if count < 4 || value <= 4.0 * half || !apart {
            return None;
        }
        let (a, b) = ((ss * cx - cs * sx) / determinant, (cc * sx - cs * cx) / determinant);
        Some(Wave { amplitude: a.hypot(b), phase: if self.sine { a.atan2(b) } else { (-b).atan2(a) } })
    }

    /// Number to be added to the positions to explain the phases; `None` where no number does.
    fn offset(&self, rates: &[f64], waves: &[Option<Wave>], clockwise: bool) -> Option<f64> {
        let turned =
            |wave: &Option<Wave>| wave.as_ref().map_or(0.0, |wave| wave.phase - if clockwise { PI } else { 0.0 });
        let first = *self.phasors.positions.first()?;
        let origin = Phasors {
            positions: vec![first],
            pairs: self.phasors.pairs,
            cos: Some(waves.iter().map(|wave| turned(wave).cos()).collect()),
            sin: Some(waves.iter().map(|wave| turned(wave).sin()).collect()),
            rotation: false,
            lengths: Vec::new(),
            off_grid: 0.0,
        };
        shift(&origin, 0, rates, first as f64, |_| OF_TEN)
    }
}

/// Meeting of a range with the intervals 2πm ± [near, far].
enum Meeting {
    None,
    One(f64, f64),
    Several,
}

fn meeting(near: f64, far: f64, (low, high): (f64, f64)) -> Meeting {
    let mut found = Meeting::None;
    let first = (low / TAU).floor() as i64;
    let last = (high / TAU).ceil() as i64;
    for turn in first..=last {
        let whole = turn as f64 * TAU;
        for (from, to) in [(whole - far, whole - near), (whole + near, whole + far)] {
            let (from, to) = (from.max(low), to.min(high));
            if from > to {
                continue;
            }
            found = match found {
                Meeting::None => Meeting::One(from, to),
                // Intervals that touch are one.
                Meeting::One(start, end) if from <= end => Meeting::One(start, to.max(end)),
                _ => return Meeting::Several,
            };
        }
    }
    found
}
