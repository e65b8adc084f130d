//! At which coordinates rows were rotated that are not those stated, and what that looks like.
//!
//! Each axis is decoded by itself, from its slowest slot to its fastest: the angle of a slot of rate r shows the coordinate modulo 2π/r, and
//! the slots before leave no doubt which turn is meant. The turns of the slowest slot are tried one by one, from the stated coordinate on. What
//! is decoded is a hypothesis like any other: every entry has to be within its bound under it.

use super::alterations::Alteration;
use super::changes::{Changes, stated as stated_of};
use super::decoded_coordinate::{DecodedCoordinate, Hand, coordinate, hands, simplest};
use super::moved::moved;
use super::slot_angles::SlotAngles;
use super::symptoms::{AxialSymptoms, OUTLYING};
use crate::Invalid;
use crate::faults::*;
use posproof_encoding::axes::{Coefficient, Coordinates};
use posproof_encoding::real::Real;
use posproof_numerics::Rational;

/// Rows that are decoded, at most.
const MOST_ROWS: usize = 1 << 18;

/// Rows that are decoded before all are.
const SAMPLE: usize = 256;

/// Units of roundoff of the storage format that an angle may be off.
const STORED: f64 = 8.0;

/// Conventions or coordinates under which the rows would be what they are, the simplest first.
pub(super) fn decoded(case: &AxialSymptoms<'_>) -> Result<Vec<Alteration<'static>>, Invalid> {
    let (law, coordinates) = (case.law, case.coordinates);
    let several = (0..law.slots()).any(|slot| law.claims(slot).len() > 1);
    if several || case.subject.is_half() || coordinates.rows() > MOST_ROWS || !law.is_rotation() {
        return Ok(Vec::new());
    }
    let mut found: Vec<Option<Vec<DecodedCoordinate>>> = Vec::new();
    let hands: Vec<Vec<Hand>> = law.axes().iter().map(|axis| hands(axis, case.head())).collect();
    let reading = SlotAngles::new(case)?;
    let unit = STORED * case.storage.unit_roundoff();
    let decode = |row: usize| {
        let Some(angles) = reading.angles(row)? else { return Ok(None) };
        let at = |(axis, hands): (usize, &Vec<Hand>)| {
            let stated = coordinates.get(row, axis)?.to_f64();
            coordinate(hands, &angles, unit, stated)
        };
        Ok::<_, Invalid>(hands.iter().enumerate().map(at).collect::<Option<Vec<DecodedCoordinate>>>())
    };
    let rows = coordinates.rows();
    for some in [SAMPLE.min(rows), rows] {
        let mut silent = 0;
        found.clear();
        for row in (0..some).map(|i| (i as u128 * rows as u128 / some as u128) as usize) {
            let placed = coordinates.place(row, 0).is_some();
            let here = if placed { decode(row)? } else { None };
            silent += usize::from(placed && here.is_none());
            if silent * OUTLYING > some {
                return Ok(Vec::new());
            }
            found.push(here);
        }
    }
    // A wrong entry may show a coordinate of its own.
    let smooth = among_neighbours(coordinates, &found);
    let lone = smooth.iter().flatten().count() < found.iter().flatten().count();
    let both = [Some(smooth).filter(|_| lone), Some(found)].into_iter().flatten();
    let of = |found| {
        let found = carried(coordinates, found);
        [affine(case, &found), moved(case, &found)]
    };
    Ok(both.flat_map(of).flatten().collect())
}

/// Coordinates without those that are off from their rows as neither neighbour is, and are not a neighbour's own.
fn among_neighbours(
    stated: &Coordinates,
    found: &[Option<Vec<DecodedCoordinate>>],
) -> Vec<Option<Vec<DecodedCoordinate>>> {
    let like = |row: usize, other: usize| {
        let (Some(Some(here)), Some(Some(there))) = (found.get(row), found.get(other)) else { return false };
        (0..stated.axes()).all(|axis| {
            let (here, there) = (here[axis], there[axis]);
            let apart = |from: f64| (here.x - there.x - from).abs() <= 2.0 * (here.error + there.error);
            let step = stated.get(row, axis).zip(stated.get(other, axis)).map(|(row, other)| (row - other).to_f64());
            apart(0.0) || step.is_some_and(apart)
        })
    };
    let alone = |row: usize| !(like(row, row + 1) || row > 0 && like(row, row - 1));
    (0..found.len()).map(|row| found[row].clone().filter(|_| !alone(row))).collect()
}

/// Coordinates of every row with a position: one with a wrong entry shows none, and is taken to be where the row before it is, if that is
/// where the one before that is; as far off as it otherwise.
fn carried(stated: &Coordinates, found: Vec<Option<Vec<DecodedCoordinate>>>) -> Vec<Option<Vec<DecodedCoordinate>>> {
    let known: Vec<usize> = (0..found.len()).filter(|row| found[*row].is_some()).collect();
    let at = |row: usize, axis: usize| {
        let last = known.partition_point(|known| *known < row).saturating_sub(1);
        let like = *known.get(last)?;
        let x = stated.get(row, axis)?.to_f64();
        let of = |row: usize| Some(*found[row].as_ref()?.get(axis)?);
        let found = of(like)?;
        let still = last
            .checked_sub(1)
            .and_then(|before| of(known[before]))
            .is_some_and(|before| (before.x - found.x).abs() <= before.error + found.error);
        let x = if still { found.x } else { x + found.x - stated.get(like, axis)?.to_f64() };
        Some(DecodedCoordinate { x, ..found })
    };
    let row = |row: usize| found[row].clone().or_else(|| (0..stated.axes()).map(|axis| at(row, axis)).collect());
    (0..found.len()).map(row).collect()
}

/// Coordinates x of some axes that are taken as αx + β: another offset, or another scale.
fn affine(case: &AxialSymptoms<'_>, found: &[Option<Vec<DecodedCoordinate>>]) -> Option<Alteration<'static>> {
    let stated = case.law.convention();
    if stated.axes.is_empty() {
        return None;
    }
    let mut convention = stated.clone();
    let mut changes = Changes::default();
    let mut scales = false;
    for (axis, law) in case.law.axes().iter().enumerate() {
        let rows = || {
            let at = move |(row, found): (usize, &Option<Vec<DecodedCoordinate>>)| {
                Some((case.coordinates.get(row, axis)?, found.as_ref()?[axis]))
            };
            found.iter().enumerate().filter_map(at)
        };
        let (first, last) = (rows().min_by_key(|(x, _)| *x)?, rows().max_by_key(|(x, _)| *x)?);
        let (low, high) = (first.0.to_f64(), last.0.to_f64());
        let slope = if first.0 == last.0 {
            Rational::ONE
        } else {
            let d = high - low;
            simplest(
                DecodedCoordinate { x: (last.1.x - first.1.x) / d, error: (last.1.error + first.1.error) / d },
                &Rational::ONE,
            )?
        };
        let start = DecodedCoordinate { x: first.1.x - slope.to_f64() * low, error: first.1.error };
        let shift = simplest(start, &Rational::ZERO)?;
        let (alpha, beta) = (slope.to_f64(), shift.to_f64());
        if slope.is_zero() || !rows().all(|(x, found)| (found.x - alpha * x.to_f64() - beta).abs() <= 4.0 * found.error)
        {
            return None;
        }
        if slope == Rational::ONE && shift.is_zero() {
            continue;
        }
        scales |= slope != Rational::ONE;
        // (αx + β + o)·s = (x + (β + o)/α)·αs.
        let (offset, scale) = (law.offset().rational()?, law.scale());
        let own = &mut convention.axes[axis].parameters;
        own.position_offset = Some(Coefficient::from(Real::from((offset + &shift) / &slope)));
        own.position_scale = Some(Coefficient { value: Real::from(scale.value.value() * &slope), ..scale.clone() });
        for (field, before) in [("position_scale", scale), ("position_offset", law.offset())] {
            let before = serde_json::to_value(before).unwrap_or_default();
            changes.add(field, Some(law.name()), before, stated_of(&convention, &convention.axes[axis], field));
        }
    }
    let cause = changes.cause()?;
    let fault = if scales { &AXIS_SCALE } else { &FIRST_POSITION };
    Some(Alteration::of_law(fault, cause, convention, case.coordinates))
}
