//! Rows that are made of the rows before: sums of angles, and rotations one after the other.

use super::super::compare::{EVIDENCE, VACUOUS};
use super::super::faults::{Explained, Finding, PrecisionCause, Region, SUMMED};
use super::super::row::exceeds;
use super::super::sample::Sample;
use super::super::subject::Subject;
use super::super::{Grade, Invalid};
use super::hypothesis::{Context, unit};
use super::readings;
use super::symptoms::{Diagnosis, Symptoms};
use posproof_encoding::Law;

/// Rows, at least: errors of fewer do not add up.
const FEWEST: usize = 16;

/// Entries that are read at a time.
const READ: usize = 1 << 15;

/// Roundings of a step: of two products and their sum, of a cosine and a sine.
const ROUNDINGS: f64 = 4.0;

/// Every row as the one before it, turned by one step, within what an honest angle of each may be off; the first row is right. None for vectors,
/// for positions that do not count up by one, and for entries of 8 bits, which leave any step open.
pub(super) fn explain(case: &Symptoms<'_>, at: &Context<'_>, region: &Region) -> Result<Option<Diagnosis>, Invalid> {
    let of = region.of;
    let counts = || at.positions.iter().zip(at.positions.iter().skip(1)).all(|(one, next)| one + 1 == next);
    let alone = region.rows.count < FEWEST || at.storage.narrow().is_some();
    if alone || matches!(case.subject, Subject::Rotation { .. }) || !counts() {
        return Ok(None);
    }
    let (allowance, honest, law) = (at.bounds(&at.itself()), at.honest(), Law::new(&at.expected));
    let step = law.effective(1.0) - law.effective(0.0);
    let turns: Vec<(f64, f64)> =
        at.omega.iter().map(|omega| (core_math::cos(step * omega), core_math::sin(step * omega))).collect();
    let rounding = ROUNDINGS * at.compute.0.format.unit_roundoff();
    let rows = (READ / at.expected.pairs().max(1)).max(1);
    let (mut all, mut silent) = (0, 0);
    for (slab, first) in (0..of.heads).flat_map(|slab| (0..of.rows - 1).step_by(rows).map(move |first| (slab, first))) {
        let part: Vec<usize> = (first..(first + rows + 1).min(of.rows)).collect();
        let sample = Sample::read(case.subject, slab, &part, at.positions)?;
        let Some(phasors) = readings::phasors(at, &sample).filter(|_| sample.rows == part) else { return Ok(None) };
        let phasors = unit(at, &phasors);
        for (row, &position) in phasors.positions.iter().enumerate() {
            // The first row of a table is right; that of a part is the last one of the part before.
            if row == 0 && first > 0 {
                continue;
            }
            let reach = law.reach(position as f64);
            for (pair, turn) in turns.iter().enumerate() {
                let own = |row| phasors.cos(row, pair).zip(phasors.sin(row, pair));
                let before = match row.checked_sub(1) {
                    Some(before) => own(before),
                    None => {
                        let angle = honest.angle(slab, position, pair, 0);
                        Some((core_math::cos(angle), core_math::sin(angle)))
                    }
                };
                let Some(((cos, sin), (a, b))) = own(row).zip(before) else { return Ok(None) };
                let (c, s) = if row == 0 { (1.0, 0.0) } else { *turn };
                let tolerance = 2.0 * phasors.noise(&allowance, (row, pair), (reach, 1.0)) + rounding;
                if exceeds((cos - (a * c - b * s)).abs(), tolerance)
                    || exceeds((sin - (a * s + b * c)).abs(), tolerance)
                {
                    return Ok(None);
                }
                (all, silent) = (all + 1, silent + u64::from(tolerance >= VACUOUS));
            }
        }
    }
    if EVIDENCE * (all - silent) < all {
        return Ok(None);
    }
    let (entries, of) = (case.tally.exceeding - case.tally.not_finite, case.tally.exceeding);
    let finding = Finding::new(&SUMMED, PrecisionCause::Summed.into());
    let (explains, region) = (Explained { entries, of }, Some(region.clone()));
    let findings = vec![Finding { explains, region, ..finding }];
    Ok(Some(Diagnosis { findings, found: Some(case.convention.clone()), grade: Grade::Degraded }))
}
