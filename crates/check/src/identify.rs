//! Which convention a table, a cache or a rotation follows, with no expectation given; or of which one a known fault
//! makes it.

use super::Invalid;
use super::check::{explained, increasing};
use super::compare::TableComparison;
use super::expectation::Expectation;
use super::faults::{Cause, Finding, Status};
use super::rates::{BASES, omega};
use super::recognise::{Confidence, Identification, MeasuredFrequency, Recognised, recognise, starting_points};
use super::subject::Subject;
use posproof_bound::{Allowance, Path};
use posproof_encoding::convention::Convention;
use posproof_encoding::real::Real;
use posproof_numerics::format::Format;
use posproof_table::Positions;

/// Says which convention the entries follow. Positions are 0, 1, 2, … if none are given.
pub fn identify(subject: Subject<'_>, positions: Option<&Positions>) -> Result<Identification, Invalid> {
    subject.check_size()?;
    let positions = match subject {
        Subject::Rope { cos: None, sin: None } => Positions::range(0..1)?,
        _ => increasing(positions, subject.judged().rows())?,
    };
    let recognised = recognise(subject, &positions)?;
    if recognised.answer.convention.is_none() {
        return faulty(recognised, subject, &positions);
    }
    let mut result = recognised.answer;
    if let Some(convention) = &result.convention {
        match computed(subject, convention, &positions, result.storage)? {
            Some((compute, path)) => (result.compute, result.path) = (Some(compute), Some(path)),
            // Entries that are not finite, which recognition leaves out.
            None => result.findings = known(subject, &positions, convention)?.map_or(Vec::new(), |known| known.0),
        }
    }
    Ok(result)
}

/// What explains entries, and the convention that they follow but for that.
type Known = (Vec<Finding>, Option<Convention>);

/// The known faults with which the entries follow a convention, if they explain everything.
fn known(subject: Subject<'_>, positions: &Positions, start: &Convention) -> Result<Option<Known>, Invalid> {
    if subject.check_shape(start, positions.len()).is_err() || start.validate().is_err() {
        return Ok(None);
    }
    let (findings, found) = explained(subject, &Expectation::new(start.clone()).at(positions.clone()))?;
    let confirmed = |finding: &Finding| match finding.cause {
        Cause::Apart { entries, others } => entries <= others / APART,
        _ => finding.status == Status::Confirmed,
    };
    Ok((!findings.is_empty() && findings.iter().all(confirmed)).then_some((findings, found)))
}

/// As many entries as this have to be right for each that departs by itself, or the others establish nothing.
const APART: u64 = 8;

/// The convention of which a known fault makes the entries, and that fault.
fn faulty(recognised: Recognised, subject: Subject<'_>, positions: &Positions) -> Result<Identification, Invalid> {
    let mut best: Option<(Convention, Known)> = None;
    for start in guesses(subject, &recognised) {
        let Some(known) = known(subject, positions, &start)? else { continue };
        let one = known.0.len() == 1;
        if best.as_ref().is_none_or(|(_, (before, _))| known.0.len() < before.len()) {
            best = Some((start, known));
        }
        if one {
            break;
        }
    }
    let mut result = recognised.answer;
    let Some((start, (findings, found))) = best else { return Ok(result) };
    if found.is_some() {
        // What holds of other frequencies as well does not tell these.
        let other = BASES.into_iter().map(Real::from).find(|base| *base != start.base);
        let rival = Convention { base: other.unwrap_or_else(|| start.base.clone()), ..start };
        if known(subject, positions, &rival)?
            .is_some_and(|(more, rival)| more.len() <= findings.len() && rival != found)
        {
            return Ok(result);
        }
    }
    result.remaining = found.iter().cloned().collect();
    result.confidence = if found.is_some() { Confidence::Established } else { Confidence::Unexplained };
    (result.convention, result.findings) = (found, findings);
    Ok(result)
}

/// Conventions that a faulty program may have started from: those that the measurement suggests, and those in use that are
/// nearest to what was measured.
fn guesses(subject: Subject<'_>, recognised: &Recognised) -> Vec<Convention> {
    let Recognised { answer, suggested, offset } = recognised;
    let of =
        |base: i64| starting_points(subject, 0).into_iter().map(move |start| Convention { base: base.into(), ..start });
    let distance = |convention: &Convention| {
        let rates = omega(convention).unwrap_or_default();
        let off =
            |(found, omega): (&MeasuredFrequency, &f64)| (found.frequency.abs().max(1e-12) / omega).ln().abs().min(1.0);
        answer.measured.iter().zip(&rates).map(off).sum::<f64>()
    };
    let mut near: Vec<(f64, Convention)> =
        BASES.into_iter().flat_map(of).map(|convention| (distance(&convention), convention)).collect();
    near.sort_by(|a, b| a.0.total_cmp(&b.0));
    let near = near.into_iter().take(GUESSES).map(|(_, start)| Convention { position_offset: offset.clone(), ..start });
    let mut all: Vec<Convention> = suggested.iter().take(GUESSES).cloned().collect();
    for start in near {
        let counted_from_0 = Convention { position_offset: 0.into(), ..start.clone() };
        for start in [start, counted_from_0] {
            if !all.contains(&start) {
                all.push(start);
            }
        }
    }
    all
}

/// Conventions of each kind that are tried with a fault.
const GUESSES: usize = 2;

/// The highest precision, and the code path with the tightest bound, that every entry respects.
fn computed(
    subject: Subject<'_>,
    convention: &Convention,
    positions: &Positions,
    storage: Format,
) -> Result<Option<(Format, Path)>, Invalid> {
    let omega = omega(convention).unwrap_or_default();
    for compute in [Format::F64, Format::F32] {
        for path in [None, Some(Path::Rounded), Some(Path::Pow), Some(Path::Exp)] {
            let allowance = Allowance::new(convention, &omega, positions.max(), (compute, path), storage);
            let fits = TableComparison::new(subject, convention, positions, &allowance)?.run()?.exceeding == 0;
            match (path, fits) {
                // The widest bound: nothing narrower holds where it does not.
                (None, false) => break,
                (None, true) | (_, false) => {}
                (Some(path), true) => return Ok(Some((compute, path))),
            }
            if path == Some(Path::Exp) {
                return Ok(Some((compute, Path::Repeated)));
            }
        }
    }
    Ok(None)
}
