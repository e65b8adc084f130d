//! Which convention a table, a cache or a rotation follows, with no expectation given; or of which one a known fault
//! makes it.

use super::Invalid;
use super::check::{explained, increasing};
use super::diagnose::is_most;
use super::expectation::Expectation;
use super::faults::{Cause, Code, Finding, Status};
use super::guess::guesses;
use super::picked::PickedRows;
use super::rates::BASES;
use super::recognise::{
    Confidence, Identification, Recognised, Undetermined, both_directions, computed, is_in_use, recognise,
};
use super::sample::choose;
use super::subject::Subject;
use posproof_encoding::convention::Convention;
use posproof_encoding::real::Real;
use posproof_numerics::Rational;
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
    if let Some(convention) = &result.convention
        && let Some(base) = as_judged(subject, &positions, convention)?
    {
        let before = convention.base.clone();
        let all = result.convention.iter_mut().chain(&mut result.remaining);
        all.filter(|other| other.base == before).for_each(|other| other.base = base.clone());
    }
    if let Some(convention) = &result.convention {
        match computed(subject, convention, &positions, result.storage)? {
            Some((compute, path)) => (result.compute, result.path) = (Some(compute), Some(path)),
            // Entries that are not finite, which recognition leaves out.
            None => result.findings = known(subject, &positions, convention)?.map_or(Vec::new(), |known| known.0),
        }
    }
    Ok(result)
}

/// The base that a judgement by the nearest one in use finds, where the one that was recognised is not in use: of several that
/// all entries leave open, both name the same.
fn as_judged(subject: Subject<'_>, positions: &Positions, found: &Convention) -> Result<Option<Real>, Invalid> {
    if found.scaling.is_some() || BASES.iter().any(|base| Real::from(*base) == found.base) {
        return Ok(None);
    }
    let base = nearest(found, BASES.into_iter()).unwrap_or_else(|| found.base.clone());
    let Some((findings, Some(judged))) = known(subject, positions, &Convention { base, ..found.clone() })? else {
        return Ok(None);
    };
    let one = findings.len() == 1 && judged == Convention { base: judged.base.clone(), ..found.clone() };
    Ok(one.then_some(judged.base))
}

/// The base that is the nearest to that of a convention.
fn nearest(convention: &Convention, bases: impl Iterator<Item = i64>) -> Option<Real> {
    let distance = |base: &i64| (*base as f64 / convention.base.value().to_f64()).ln().abs();
    bases.min_by(|one, other| distance(one).total_cmp(&distance(other))).map(Real::from)
}

/// What explains entries, nothing if they are right, and the convention that they follow but for that.
type Known = (Vec<Finding>, Option<Convention>);

/// Numbers that a finding has for entries or rows one by one: a convention is established by more entries than these.
fn free(finding: &Finding) -> u64 {
    match &finding.cause {
        Cause::Apart { entries, .. } => *entries,
        Cause::Earlier { rows, .. } => rows.len() as u64,
        _ => 0,
    }
}

/// The known faults with which the entries follow a convention, if they explain everything.
fn known(subject: Subject<'_>, positions: &Positions, start: &Convention) -> Result<Option<Known>, Invalid> {
    if subject.check_shape(start, positions.len()).is_err() || start.validate().is_err() {
        return Ok(None);
    }
    let (findings, found) = explained(subject, &Expectation::new(start.clone()).at(positions.clone()))?;
    let entries: usize = subject.grids().iter().map(|(_, grid)| grid.slabs() * grid.rows() * grid.width()).sum();
    let confirmed = |finding: &Finding| {
        finding.status == Status::Confirmed
            && finding.code() != Code::NotJudged
            && !is_most(free(finding), entries as u64)
    };
    Ok(findings.iter().all(confirmed).then_some((findings, found)))
}

/// Whether some rows leave that open: what holds of all of them holds of these, which are judged in no time.
fn is_likely(subject: Subject<'_>, positions: &Positions, start: &Convention) -> Result<bool, Invalid> {
    let rows = choose(positions.len(), None);
    let picked = PickedRows::new(subject, &rows);
    let some = Positions::list(rows.iter().filter_map(|&row| positions.get(row)))?;
    if subject.check_shape(start, positions.len()).is_err() || start.validate().is_err() {
        return Ok(false);
    }
    let start = start.clone().for_length(positions.max() + 1);
    let (findings, _) = explained(picked.subject(), &Expectation::new(start).at(some))?;
    Ok(findings.iter().all(|finding| finding.status == Status::Confirmed))
}

/// How much is said: findings, those with numbers for single entries or rows twice.
fn weight(findings: &[Finding]) -> usize {
    findings.len() + findings.iter().filter(|finding| free(finding) > 0).count()
}

/// The convention of which a known fault makes the entries, and that fault; or a usual one that they follow although their
/// frequencies cannot be measured.
fn faulty(recognised: Recognised, subject: Subject<'_>, positions: &Positions) -> Result<Identification, Invalid> {
    // Entries depart from numbers in use: numbers that are fitted to some of them, or one frequency for each pair that all of
    // them follow, leave that open.
    let told = |start: &Convention, (findings, found): &Known| {
        let departs = findings.iter().any(|finding| matches!(finding.cause, Cause::Apart { .. }));
        !departs || !recognised.steady && is_in_use(found.as_ref().unwrap_or(start))
    };
    let mut best: Option<Known> = None;
    for start in guesses(subject, positions, &recognised)? {
        if !is_likely(subject, positions, &start)? {
            continue;
        }
        let Some(known) = known(subject, positions, &start)?.filter(|known| told(&start, known)) else { continue };
        if best.as_ref().is_none_or(|(before, _)| weight(&known.0) < weight(before)) {
            best = Some(known);
        }
        if best.as_ref().is_some_and(|(findings, _)| weight(findings) <= 1) {
            break;
        }
    }
    let mut result = recognised.answer;
    let Some((mut findings, found)) = best else { return Ok(result) };
    let Some(mut convention) = found else {
        result.findings = findings;
        return Ok(result);
    };
    for other in counted_otherwise(&convention, &findings) {
        if let Some((fewer, Some(found))) = known(subject, positions, &other)?
            && weight(&fewer) < weight(&findings)
        {
            (findings, convention) = (fewer, found);
        }
    }
    // What holds of the nearest base in use as well does not tell this one.
    let other = nearest(&convention, BASES.into_iter().filter(|base| Real::from(*base) != convention.base));
    let rival = Convention { base: other.unwrap_or_else(|| convention.base.clone()), ..convention.clone() };
    let rival = known(subject, positions, &rival)?;
    if rival.is_some_and(|(more, rival)| more.len() <= findings.len() && rival.as_ref() != Some(&convention)) {
        return Ok(result);
    }
    // Faults are those of the convention that was found, not of the one that was tried.
    let Some((findings, found)) = known(subject, positions, &convention)? else { return Ok(result) };
    if found.is_none() {
        result.findings = findings;
        return Ok(result);
    }
    result.remaining = if result.undetermined.contains(&Undetermined::Direction) {
        both_directions(convention.clone()).to_vec()
    } else {
        vec![convention.clone()]
    };
    result.confidence = if result.remaining.len() == 1 { Confidence::Established } else { Confidence::Ambiguous };
    (result.convention, result.findings) = (found, findings);
    Ok(result)
}

/// The convention with offsets of which the findings would say less: that by which rows are shifted; or that by which those of
/// other positions are off from rounded ones.
fn counted_otherwise(convention: &Convention, findings: &[Finding]) -> Vec<Convention> {
    let by = |finding: &Finding| -> Vec<f64> {
        match &finding.cause {
            Cause::Shifted { by } => vec![*by],
            Cause::Earlier { rows, .. } => {
                let off = |format: Format| {
                    let mut all = rows.iter().map(|(position, found)| found - format.round(*position));
                    let first = all.next()?;
                    all.all(|off| off == first).then_some(first)
                };
                [Format::Bf16, Format::F16].into_iter().filter_map(off).collect()
            }
            _ => Vec::new(),
        }
    };
    let offset = |by: f64| {
        let by = Rational::from_f64(by)?;
        let position_offset = Real::from(convention.position_offset.value() + &by);
        Some(Convention { position_offset, ..convention.clone() })
    };
    findings.iter().flat_map(by).filter_map(offset).collect()
}
