//! Which convention a table, a cache or a rotation follows, with no expectation given; or of which one a known fault
//! makes it.

use super::Invalid;
use super::check::{explained, increasing};
use super::compare::TableComparison;
use super::expectation::Expectation;
use super::faults::{Finding, Status};
use super::rates::{BASES, omega};
use super::recognise::{Confidence, Identification, MeasuredFrequency, recognise, starting_points};
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
    let mut result = recognise(subject, &positions)?;
    if let Some(convention) = &result.convention
        && let Some((compute, path)) = computed(subject, convention, &positions, result.storage)?
    {
        (result.compute, result.path) = (Some(compute), Some(path));
    }
    if result.convention.is_none() {
        faulty(&mut result, subject, &positions)?;
    }
    Ok(result)
}

/// The convention of which a known fault makes the entries, and that fault.
fn faulty(result: &mut Identification, subject: Subject<'_>, positions: &Positions) -> Result<(), Invalid> {
    let mut best: Option<(Vec<Finding>, Option<Convention>)> = None;
    for start in guesses(subject, &result.measured) {
        if subject.check_shape(&start, positions.len()).is_err() || start.validate().is_err() {
            continue;
        }
        let expectation = Expectation::new(start).at(positions.clone());
        let (findings, found) = explained(subject, &expectation)?;
        let known = !findings.is_empty() && findings.iter().all(|finding| finding.status == Status::Confirmed);
        if known && best.as_ref().is_none_or(|(before, _)| findings.len() < before.len()) {
            let one = findings.len() == 1;
            best = Some((findings, found));
            if one {
                break;
            }
        }
    }
    if let Some((findings, found)) = best {
        result.remaining = found.iter().cloned().collect();
        result.confidence = if found.is_some() { Confidence::Established } else { Confidence::Unexplained };
        (result.convention, result.findings) = (found, findings);
    }
    Ok(())
}

/// Conventions in use that a faulty program may have started from: those nearest to what was measured first.
fn guesses(subject: Subject<'_>, measured: &[MeasuredFrequency]) -> Vec<Convention> {
    let bases = BASES.into_iter().map(Real::from);
    let of = |base: Real| {
        starting_points(subject, 0).into_iter().map(move |start| Convention { base: base.clone(), ..start })
    };
    let distance = |convention: &Convention| {
        let rates = omega(convention).unwrap_or_default();
        let off =
            |(found, omega): (&MeasuredFrequency, &f64)| (found.frequency.abs().max(1e-12) / omega).ln().abs().min(1.0);
        measured.iter().zip(&rates).map(off).sum::<f64>()
    };
    let mut all: Vec<(f64, Convention)> =
        bases.flat_map(of).map(|convention| (distance(&convention), convention)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all.into_iter().map(|(_, convention)| convention).take(GUESSES).collect()
}

/// Conventions that are tried with a fault.
const GUESSES: usize = 3;

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
