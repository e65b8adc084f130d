//! Conventions that a faulty program may have started from.

use super::Invalid;
use super::measure::shift;
use super::picked::PickedRows;
use super::rates::{BASES, omega};
use super::recognise::{Confidence, MeasuredFrequency, Recognised, recognise, starting_points};
use super::sample::Sample;
use super::subject::{Subject, Wiring};
use posproof_encoding::convention::Convention;
use posproof_encoding::real::Real;
use posproof_numerics::Rational;
use posproof_table::Positions;

/// Conventions of each kind that are tried with a fault.
const GUESSES: usize = 2;

/// Those in use that the first rows follow, those that are nearest to the measured frequencies, and those that the
/// measurement suggests.
pub(super) fn guesses(
    subject: Subject<'_>,
    positions: &Positions,
    recognised: &Recognised,
) -> Result<Vec<Convention>, Invalid> {
    let of =
        |base: i64| starting_points(subject, 0).into_iter().map(move |start| Convention { base: base.into(), ..start });
    let usual: Vec<Convention> = BASES.into_iter().flat_map(of).collect();
    let rows: Vec<usize> = (0..FIRST.min(positions.len())).collect();
    let first = Sample::read(subject, 0, &rows, positions)?;
    let measured = recognised.answer.measured();
    let distance = |convention: &Convention| {
        let rates = omega(convention).unwrap_or_default();
        let off =
            |(found, omega): (&MeasuredFrequency, &f64)| (found.frequency.abs().max(1e-12) / omega).ln().abs().min(1.0);
        measured.iter().zip(&rates).map(off).sum::<f64>()
    };
    let mut near: Vec<(f64, &Convention)> = usual.iter().map(|convention| (distance(convention), convention)).collect();
    near.sort_by(|a, b| a.0.total_cmp(&b.0));
    let counted =
        usual.iter().filter(|_| rows.len() > 1).filter_map(|start| offset(subject, &first, start)).take(GUESSES);
    // Where nothing was measured, no arrangement is nearer than another.
    let each = if measured.is_empty() { starting_points(subject, 0).len() } else { GUESSES };
    let near = near.into_iter().take(each).map(|(_, start)| start.clone());
    // Later rows may be at wrong positions.
    let alone = Sample::read(subject, 0, &rows[..rows.len().min(1)], positions)?;
    let at_first = usual.iter().filter_map(|start| offset(subject, &alone, start)).take(GUESSES);
    let elsewhere = usual.iter().filter(|start| rows.len() > 1 && is_elsewhere(subject, &first, start)).take(GUESSES);
    let mut all: Vec<Convention> = Vec::new();
    let suggested = recognised.suggested.iter().cloned();
    for start in counted.chain(near).chain(suggested).chain(at_first).chain(elsewhere.cloned()) {
        if !all.contains(&start) {
            all.push(start);
        }
    }
    Ok(all)
}

/// Conventions that half of the rows establish: what departs in the other half hides them from a measurement of all.
pub(super) fn of_halves(subject: Subject<'_>, positions: &Positions) -> Result<Vec<Convention>, Invalid> {
    if positions.len() > MOST_ROWS {
        return Ok(Vec::new());
    }
    let rows: Vec<usize> = (0..positions.len()).collect();
    let (first, last) = rows.split_at(rows.len() / 2);
    let mut all = Vec::new();
    for half in [first, last].into_iter().filter(|half| half.len() > FIRST) {
        let picked = PickedRows::new(subject, half);
        let some = Positions::list(half.iter().filter_map(|&row| positions.get(row)))?;
        let answer = recognise(picked.subject(), &some)?.answer;
        all.extend(answer.convention.filter(|_| answer.confidence == Confidence::Established));
    }
    all.dedup();
    Ok(all)
}

/// Rows that are listed to be halved, at most.
const MOST_ROWS: usize = 1 << 22;

/// Rows of which the first are asked for their offset: few, because most faults grow with the position.
const FIRST: usize = 4;

/// Error of a phase of the first rows, at most, in radians: more than any format of 16 bits leaves of an entry.
const OFF: f64 = 0.1;

/// True if each of these rows is one of a convention's first, whatever its own position.
fn is_elsewhere(subject: Subject<'_>, first: &Sample, start: &Convention) -> bool {
    let Some(rates) = omega(start) else { return false };
    let wiring = matches!(subject, Subject::Rotation { .. }).then(|| Wiring::new(start));
    let Some(phasors) = first.phasors(start, wiring.as_ref()) else { return false };
    let whole = |t: f64| t > -OFF && (t - t.round()).abs() < OFF;
    let found = |row: usize| shift(&phasors, row, &rates, 0.0, |_| OFF).is_some_and(whole);
    (0..phasors.positions.len()).all(found)
}

/// The convention with the offset that all of these rows have.
fn offset(subject: Subject<'_>, first: &Sample, start: &Convention) -> Option<Convention> {
    let rates = omega(start)?;
    let wiring = matches!(subject, Subject::Rotation { .. }).then(|| Wiring::new(start));
    let phasors = first.phasors(start, wiring.as_ref())?;
    let shifts: Option<Vec<f64>> = phasors
        .positions
        .iter()
        .enumerate()
        .map(|(row, &position)| shift(&phasors, row, &rates, position as f64, |_| OFF))
        .collect();
    let shifts = shifts?;
    let offset = shifts.first()?.round();
    let same = shifts.iter().all(|shift| (shift - offset).abs() < OFF);
    same.then(|| Convention {
        position_offset: Real::from(Rational::from_f64(offset).unwrap_or_default()),
        ..start.clone()
    })
}
