//! Amplitudes, measured: the lengths of phasors are those of the stated convention, times a number.

use super::alterations::Alteration;
use super::changes::{Changes, stated};
use super::slot_angles::SlotAngles;
use super::symptoms::AxialSymptoms;
use crate::Invalid;
use crate::faults::AMPLITUDE;
use crate::measure::candidates;
use posproof_encoding::amplitude::Amplitude;
use posproof_encoding::axes::AxialConvention;
use posproof_encoding::real::Real;

/// Rows that lengths are measured in.
const ROWS: usize = 256;

/// Numbers that a measured one may stand for.
const NUMBERS: usize = 3;

/// The convention with other amplitudes: of all axes where all lengths are off by one factor, of each axis its own otherwise.
pub(super) fn amplitudes(case: &AxialSymptoms<'_>) -> Result<Vec<Alteration<'static>>, Invalid> {
    let law = case.law;
    if case.subject.is_half() {
        return Ok(Vec::new());
    }
    let Some(ratios) = ratios(case)? else { return Ok(Vec::new()) };
    // A rounding of each entry leaves no more than this of a mean.
    let spread = (1.5 * case.storage.unit_roundoff().max(case.compute.0.format.unit_roundoff())).max(1e-9);
    let mut of_axes = Vec::new();
    for axis in law.axes() {
        let own: Vec<f64> = axis.slots().iter().filter_map(|&slot| ratios.get(slot).copied()).collect();
        let mean = own.iter().sum::<f64>() / own.len() as f64;
        if own.is_empty() || own.iter().any(|ratio| (ratio / mean - 1.0).abs() > 2.0 * spread) {
            return Ok(Vec::new());
        }
        of_axes.push(mean);
    }
    let (low, high) = of_axes.iter().fold((f64::INFINITY, 0f64), |(low, high), of| (low.min(*of), high.max(*of)));
    if high / low - 1.0 <= 2.0 * spread {
        let mean = of_axes.iter().sum::<f64>() / of_axes.len() as f64;
        of_axes.fill(mean);
    }
    let mut all = Vec::new();
    for sign in [1.0, -1.0] {
        for number in 0..NUMBERS {
            all.extend(altered(case, &of_axes, (sign, number, spread)));
        }
    }
    Ok(all)
}

/// Lengths of the phasors of each slot relative to the stated gain: the mean over some rows. None where a row is not finite.
fn ratios(case: &AxialSymptoms<'_>) -> Result<Option<Vec<f64>>, Invalid> {
    let reading = SlotAngles::new(case)?;
    let placed: Vec<usize> = case.scope.rows.clone().filter(|&row| case.coordinates.place(row, 0).is_some()).collect();
    let mut sums = vec![0.0; case.law.slots()];
    let mut count = 0.0;
    for &row in placed.iter().step_by(placed.len().div_ceil(ROWS).max(1)) {
        let Some(phasors) = reading.phasors(row)? else { return Ok(None) };
        sums.iter_mut().zip(phasors).for_each(|(sum, (cos, sin))| *sum += cos.hypot(sin));
        count += 1.0;
    }
    let gain = |slot: usize| case.law.gain(slot).enclose(64).approximate().abs();
    let of = |(slot, sum): (usize, f64)| sum / (count * gain(slot));
    let ratios: Vec<f64> = sums.into_iter().enumerate().map(of).collect();
    Ok(ratios.iter().all(|ratio| ratio.is_finite() && *ratio > 0.0).then_some(ratios))
}

/// The convention whose axes have amplitudes that are so many times the stated ones; none where that is the stated convention.
fn altered(
    case: &AxialSymptoms<'_>,
    ratios: &[f64],
    (sign, number, spread): (f64, usize, f64),
) -> Option<Alteration<'static>> {
    let before = case.law.convention();
    let mut after: AxialConvention = before.clone();
    let mut changes = Changes::default();
    for (axis, ratio) in ratios.iter().enumerate() {
        let own = before.axes.get(axis).and_then(|axis| axis.parameters.amplitude.clone());
        let amplitude = match own.or_else(|| before.parameters.amplitude.clone()).unwrap_or_default() {
            Amplitude::Rational(number) => number.value().clone(),
            // The root of a number has no simple multiple.
            Amplitude::Root(_) => return None,
        };
        let measured = sign * ratio * amplitude.to_f64();
        if sign > 0.0 && (ratio - 1.0).abs() <= spread {
            continue;
        }
        let found = if (ratio - 1.0).abs() <= spread {
            Real::from(-amplitude)
        } else {
            candidates(measured, measured * spread).into_iter().nth(number)?
        };
        let found = Some(Amplitude::Rational(found));
        match after.axes.get_mut(axis) {
            Some(axis) => axis.parameters.amplitude = found,
            None => after.parameters.amplitude = found,
        }
        match (before.axes.get(axis), after.axes.get(axis)) {
            (Some(was), Some(is)) => {
                let [was, is] = [stated(before, was, "amplitude"), stated(&after, is, "amplitude")];
                changes.add("amplitude", Some(&before.axes[axis].name), was, is);
            }
            _ => {
                let whole = |convention: &AxialConvention| {
                    serde_json::to_value(convention.parameters.amplitude.clone().unwrap_or_default())
                        .unwrap_or_default()
                };
                changes.add("amplitude", None, whole(before), whole(&after));
            }
        }
    }
    let cause = changes.cause()?;
    Some(Alteration::of_law(&AMPLITUDE, cause, after, case.coordinates))
}
