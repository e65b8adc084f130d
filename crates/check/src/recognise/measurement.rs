//! Measurements of the phasors of one arrangement, before any law is considered.

use super::answer::MeasuredAxis;
use super::part;
use crate::measure::{Estimate, OF_TEN, frequencies, shift};
use crate::rates::omega;
use crate::sample::{Phasors, wrap};
use posproof_bound::Allowance;
use posproof_encoding::Law;
use posproof_encoding::axes::POSITION;
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use std::f64::consts::PI;

/// Lengths that vary by less are those of one amplitude, whatever computed them: fast approximations of sine and cosine are
/// within 2⁻¹⁴ of them, and entries are compared afterwards.
const ALIKE: f64 = 1e-4;

/// Amplitude, frequencies and what they imply.
pub struct Measurement {
    /// The factor of every entry, taken to be positive.
    pub amplitude: f64,
    /// The frequency of each pair, as a counter-clockwise rotation has it.
    pub frequencies: Vec<Estimate>,
    /// True if the rotation is clockwise instead.
    pub clockwise: bool,
    /// Number to be added to the positions.
    pub offset: f64,
}

impl Measurement {
    /// The axis, with the frequencies that were measured; none without one.
    pub fn axes(&self) -> Vec<MeasuredAxis> {
        let (slots, known): (Vec<usize>, Vec<&Estimate>) =
            self.frequencies.iter().enumerate().filter(|(_, found)| found.is_known()).unzip();
        let axis = || MeasuredAxis {
            name: POSITION.to_owned(),
            rates: known.iter().map(|found| found.value).collect(),
            errors: known.iter().map(|found| found.error).collect(),
            ratio: None,
            slots: slots.clone(),
        };
        (!slots.is_empty()).then(axis).into_iter().collect()
    }

    /// The frequencies that all phasors, of length 1 and counter-clockwise, allow by the bounds of their entries: near where it
    /// is 0 a sine is known to far less than noise. Half a cache has been measured in this way.
    pub fn allowed(&self, phasors: &Phasors, allowance: &Allowance) -> Vec<Estimate> {
        let narrowed = |(pair, found): (usize, &Estimate)| self.narrowed(phasors, allowance, (pair, found));
        self.frequencies.iter().enumerate().map(|of| narrowed(of).unwrap_or(*of.1)).collect()
    }

    /// The middle of those of one pair. A row that contradicts the others is left out: every entry is compared afterwards.
    fn narrowed(
        &self,
        phasors: &Phasors,
        allowance: &Allowance,
        (pair, found): (usize, &Estimate),
    ) -> Option<Estimate> {
        found.is_known().then_some(())?;
        let (mut low, mut high) = (found.value - found.error, found.value + found.error);
        for (row, &position) in phasors.positions.iter().enumerate() {
            let t = position as f64 + self.offset;
            let (cos, sin) = (phasors.cos(row, pair)?, phasors.sin(row, pair)?);
            // The product of the exact phasor and this one's normal is that of the errors and the normal.
            let off = |entry| phasors.tolerance_of(allowance, (pair, t.abs()), entry);
            let sine = (cos.abs() * off(sin) + sin.abs() * off(cos)) / cos.hypot(sin);
            if t <= 0.0 || (high - low) * t > PI || sine >= 1.0 {
                continue;
            }
            let middle = 0.5 * (low + high);
            let nearest = middle + wrap(sin.atan2(cos) - middle * t) / t;
            let (least, most) = (low.max(nearest - sine.asin() / t), high.min(nearest + sine.asin() / t));
            if least <= most {
                (low, high) = (least, most);
            }
        }
        let value = 0.5 * (low + high);
        Some(Estimate { value, error: (0.5 * (high - low)).max(f64::EPSILON * value.abs()), ..*found })
    }
}

/// Measures phasors that were computed in `compute`, from both parts or from the one that there is. `noise` bounds
/// the error of an entry at short distances, relative to the amplitude.
pub fn measure(phasors: &Phasors, noise: f64, compute: Format) -> Option<Measurement> {
    if phasors.cos.is_some() && phasors.sin.is_some() {
        whole(phasors, noise, compute.unit_roundoff())
    } else {
        part::measure(phasors, noise, compute.unit_roundoff())
    }
}

/// Number to be added to the first position, if the frequencies are these.
fn first_shift(phasors: &Phasors, rates: &[f64]) -> Option<f64> {
    shift(phasors, 0, rates, *phasors.positions.first()? as f64, |_| OF_TEN)
}

/// Number to be added to the positions of a law, in its counter-clockwise form: frequencies that are measured from row to row
/// are known modulo a turn between them, those of a law are not.
pub fn offset(convention: &Convention, phasors: &Phasors) -> Option<f64> {
    let scale = Law::new(convention).scale();
    let rates: Vec<f64> = omega(convention)?.into_iter().map(|omega| omega * scale).collect();
    (phasors.cos.is_some() && phasors.sin.is_some() && rates.len() == phasors.pairs)
        .then(|| first_shift(phasors, &rates).map(f64::round))?
}

/// From the lengths of the phasors and their phases, of angles that are right to `unit`, relative to them.
fn whole(phasors: &Phasors, noise: f64, unit: f64) -> Option<Measurement> {
    let mut norms: Vec<f64> = Vec::new();
    for row in 0..phasors.positions.len() {
        for pair in 0..phasors.pairs {
            norms.extend(Some(phasors.norm(row, pair)?).filter(|norm| norm.is_finite()));
        }
    }
    norms.sort_by(f64::total_cmp);
    let (low, median, high) = (*norms.first()?, norms[norms.len() / 2], *norms.last()?);
    if !(median > 0.0 && (high - low) <= (8.0 * noise).max(ALIKE) * median) {
        return None;
    }
    let mut phasors = phasors.divided(median);
    let mut measured = frequencies(&phasors, noise, unit)?;
    let sign: f64 = measured
        .iter()
        .map(|found| found.value.signum() * f64::from(u8::from(found.value.abs() > 4.0 * found.error)))
        .sum();
    let clockwise = sign < 0.0;
    if clockwise {
        phasors.sin.iter_mut().flatten().for_each(|sin| *sin = -*sin);
        measured.iter_mut().for_each(|found| found.value = -found.value);
    }
    let rates: Vec<f64> =
        measured.iter().map(|found| if found.value > 4.0 * found.error { found.value } else { 0.0 }).collect();
    let offset = first_shift(&phasors, &rates).map_or(0.0, f64::round);
    Some(Measurement { amplitude: median, frequencies: measured, clockwise, offset })
}
