//! Which convention a table, a cache or a rotation follows, with no expectation given; or of which one a known fault
//! makes it.

use super::Invalid;
use super::check::{explained, increasing};
use super::expectation::Expectation;
use super::faults::{Cause, Code, Finding, Status, is_most};
use super::guess::{guesses, of_halves};
use super::kept::Kept;
use super::levels::{Quantised, Statement};
use super::picked::PickedRows;
use super::rates::BASES;
use super::recognise::{
    Confidence, Identification, Recognised, Undetermined, both_directions, complexity, computed, is_in_use, order_of,
    recognise, respects,
};
use super::sample::choose;
use super::sequence::RowsAsTables;
use super::subject::Subject;
use posproof_encoding::convention::Convention;
use posproof_encoding::real::Real;
use posproof_numerics::Rational;
use posproof_numerics::format::Format;
use posproof_table::Positions;

/// Says which convention the entries follow. Positions are 0, 1, 2, … if none are given.
///
/// # Errors
///
/// For shapes and positions that do not fit; and where the rows may be heads at one position, nothing says so, and no convention is
/// established that moves with them.
pub fn identify(subject: Subject<'_>, positions: Option<&Positions>) -> Result<Identification, Invalid> {
    let quantised = Quantised::new(subject, Statement::default())?;
    let subject = quantised.as_ref().map_or(subject, Quantised::subject);
    let mut found = recognised_as(subject, positions)?;
    // Numbers that follow no convention may follow one as multiples of a step.
    if found.convention.is_none()
        && let Some(steps) = Quantised::in_steps(subject)?
    {
        let on_steps = recognised_as(steps.subject(), positions)?;
        found = if on_steps.convention.is_some() { on_steps } else { found };
    }
    let moves =
        found.confidence == Confidence::Established && found.measured().iter().any(|pair| pair.frequency != 0.0);
    match RowsAsTables::of(subject).filter(|_| positions.is_none() && !moves) {
        Some(tables) => Err(tables.refusal().into()),
        None => Ok(found),
    }
}

fn recognised_as(subject: Subject<'_>, positions: Option<&Positions>) -> Result<Identification, Invalid> {
    subject.check_size()?;
    let kept = Kept::new(subject, None)?;
    let subject = kept.as_ref().map_or(subject, |kept| kept.subject(subject));
    let positions = match subject {
        Subject::Rope { cos: None, sin: None } => Positions::range(0..1)?,
        _ => increasing(positions, subject.judged().rows())?,
    };
    let recognised = recognise(subject, &positions)?;
    if recognised.answer.convention.is_none() {
        return faulty(recognised, subject, &positions);
    }
    let Recognised { answer: mut result, simplest, .. } = recognised;
    if let Some(convention) = result.convention.clone()
        && let Some(base) = as_judged(subject, &positions, &convention)?
    {
        let judged = Convention { base: base.clone(), ..convention.clone() };
        let before = |other: &&mut Convention| other.base == convention.base;
        match simplest {
            Some(simplest) if is_as_narrow(subject, &positions, result.storage, [&simplest, &judged])? => {
                let base = as_judged(subject, &positions, &simplest)?.unwrap_or_else(|| simplest.base.clone());
                let all = result.convention.iter_mut().chain(&mut result.remaining);
                all.filter(before).for_each(|other| {
                    *other = Convention { base: base.clone(), direction: other.direction, ..simplest.clone() };
                });
                result.remaining.dedup();
                if result.remaining.len() == 1 {
                    result.confidence = Confidence::Established;
                }
                result.separating_position = None;
            }
            _ => {
                let all = result.convention.iter_mut().chain(&mut result.remaining);
                all.filter(before).for_each(|other| other.base = base.clone());
            }
        }
    }
    if let Some(convention) = &result.convention {
        let found = computed(subject, convention, &positions, result.storage)?;
        // Judged by the path of its frequencies an entry may depart that a wider one leaves open. Entries that are not finite are
        // left out by recognition.
        let findings = match found {
            Some((compute, _)) if compute.precision() < Format::F32.precision() => None,
            _ => known(subject, &positions, convention)?.map(|known| known.0),
        };
        match (findings.filter(|findings| !findings.is_empty()), found) {
            (Some(findings), _) => result.findings = findings,
            (None, Some((compute, path))) => {
                (result.compute, result.path) = (Some(compute), Some(path));
                if result.remaining.iter().all(|other| other.base == convention.base) {
                    let respects = |subject: Subject<'_>, convention: &Convention, positions: &Positions| {
                        respects(subject, convention, positions, (compute, Some(path)), result.storage)
                    };
                    result.bases = open_bases(subject, &positions, convention, &respects)?;
                }
            }
            (None, None) => {}
        }
    }
    Ok(result)
}

/// True if every entry of a subject is within its bound for a convention.
type Respects<'a> = dyn Fn(Subject<'_>, &Convention, &Positions) -> Result<bool, Invalid> + 'a;

/// Whole bases as far below and above that of a convention with which every entry is within its bound too; none where there are no others. Sampled
/// rows say how far to go, up to half and twice the base; all entries are compared with the two that are named.
fn open_bases(
    subject: Subject<'_>,
    positions: &Positions,
    convention: &Convention,
    respects: &Respects<'_>,
) -> Result<Option<[i64; 2]>, Invalid> {
    let base = convention.base.value().to_i64().filter(|base| (2..1 << 53).contains(base));
    let Some(base) = base.filter(|_| convention.pairs() > 1) else { return Ok(None) };
    let rows = choose(positions.len(), None);
    let picked = PickedRows::new(subject, &rows);
    let sampled = Positions::list(rows.iter().filter_map(|&row| positions.get(row)))?;
    let with = |base: i64| Convention { base: base.into(), ..convention.clone() };
    let on_a_sample = |base| respects(picked.subject(), &with(base), &sampled);
    let reach = |sense: i64| -> Result<i64, Invalid> {
        let limit = if sense < 0 { (base / 2).min(base - 2) } else { base };
        // All that are nearer are taken to hold too.
        let (mut held, mut failed) = (0, 1);
        while failed <= limit && on_a_sample(base + sense * failed)? {
            (held, failed) = (failed, 2 * failed);
        }
        failed = failed.min(limit + 1);
        while failed - held > 1 {
            let middle = held + (failed - held) / 2;
            if on_a_sample(base + sense * middle)? { held = middle } else { failed = middle }
        }
        while held > 0 && !respects(subject, &with(base + sense * held), positions)? {
            held /= 2;
        }
        Ok(base + sense * held)
    };
    let open = [reach(-1)?, reach(1)?];
    Ok((open != [base; 2]).then_some(open))
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

/// True if the first of two conventions says less than the other, and every entry respects as narrow a bound for it: what a
/// narrower bound spoke for, with another base, it need not speak for with the one that a judgement finds.
fn is_as_narrow(
    subject: Subject<'_>,
    positions: &Positions,
    storage: Format,
    [one, other]: [&Convention; 2],
) -> Result<bool, Invalid> {
    let rank = |convention: &Convention| {
        let found = computed(subject, convention, positions, storage)?;
        Ok::<_, Invalid>(found.map_or(usize::MAX, order_of))
    };
    Ok(complexity(one) < complexity(other) && rank(one)? <= rank(other)?)
}

/// The base that is the nearest to that of a convention.
fn nearest(convention: &Convention, bases: impl Iterator<Item = i64>) -> Option<Real> {
    let distance = |base: &i64| (*base as f64 / convention.base.value().to_f64()).ln().abs();
    bases.min_by(|one, other| distance(one).total_cmp(&distance(other))).map(Real::from)
}

/// Known causes of entries, nothing if they are right, and the convention that they follow but for that.
type Known = (Vec<Finding>, Option<Convention>);

/// Numbers that a finding has for entries or rows one by one: a convention is established by more entries than these.
pub(super) fn free(finding: &Finding) -> u64 {
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
    // Cosines and sines are as many each: where these are at most half of either, most of both follow the convention.
    let parts = if subject.is_half() { 1 } else { 2 };
    let confirmed = |finding: &Finding| {
        finding.status == Status::Confirmed
            && finding.code() != Code::NotJudged
            && !is_most(parts * free(finding), entries as u64)
            && !hides_the_base(finding, positions)
    };
    Ok(findings.iter().all(confirmed).then_some((findings, found)))
}

/// True if single entries depart in all pairs but the first, and in most rows that are not at position 0: the others say nothing of a base.
fn hides_the_base(finding: &Finding, positions: &Positions) -> bool {
    let (Cause::Apart { .. }, Some(region)) = (&finding.cause, &finding.region) else { return false };
    let turning = positions.len() - usize::from(positions.get(0) == Some(0)).min(positions.len() - 1);
    let all = region.pairs.is_some_and(|pairs| pairs.count + 1 >= region.of.pairs && region.of.pairs > 1);
    all && is_most(region.rows.count as u64, turning as u64)
}

/// Judgements of a subject under conventions, each made once.
struct Judgements<'a> {
    subject: Subject<'a>,
    positions: &'a Positions,
    known: Vec<(Convention, Option<Known>)>,
}

impl Judgements<'_> {
    fn known(&mut self, start: &Convention) -> Result<Option<Known>, Invalid> {
        if let Some((_, known)) = self.known.iter().find(|(before, _)| before == start) {
            return Ok(known.clone());
        }
        let found = known(self.subject, self.positions, start)?;
        self.known.push((start.clone(), found.clone()));
        Ok(found)
    }

    /// The known faults of some rows under a convention, if they explain everything: these rows are judged in no time, and what holds of
    /// all holds of them.
    fn sampled(&self, start: &Convention) -> Result<Option<Known>, Invalid> {
        let (subject, positions) = (self.subject, self.positions);
        let rows = choose(positions.len(), None);
        let picked = PickedRows::new(subject, &rows);
        let some = Positions::list(rows.iter().filter_map(|&row| positions.get(row)))?;
        if subject.check_shape(start, positions.len()).is_err() || start.validate().is_err() {
            return Ok(None);
        }
        let start = start.clone().for_length(positions.max() + 1);
        let (findings, found) = explained(picked.subject(), &Expectation::new(start).at(some))?;
        let known = findings.iter().all(|finding| finding.status == Status::Confirmed);
        Ok(known.then_some((findings, found)))
    }
}

/// Of so many entries one may depart from numbers that no model has.
const FEW: u64 = 64;

/// Amount that is said: findings, those with numbers for single entries or rows twice, and once more where these rows are below 0, of which
/// another offset says less.
fn weight(findings: &[Finding]) -> usize {
    let is_below = |rows: &[(f64, f64)]| rows.iter().any(|row| row.1 < 0.0);
    let below = |finding: &&Finding| matches!(&finding.cause, Cause::Earlier { rows, .. } if is_below(rows));
    let counted = findings.iter().filter(|finding| free(finding) > 0).count();
    findings.len() + counted + findings.iter().filter(below).count()
}

/// The convention of which a known fault makes the entries, and that fault; or a usual one that they follow although their
/// frequencies cannot be measured.
fn faulty(recognised: Recognised, subject: Subject<'_>, positions: &Positions) -> Result<Identification, Invalid> {
    // Entries depart from numbers in use: numbers that are fitted to some of them, or one frequency for each pair that all of
    // them follow, leave that open.
    let entries: usize = subject.grids().iter().map(|(_, grid)| grid.slabs() * grid.rows() * grid.width()).sum();
    let told = |start: &Convention, (findings, found): &Known| {
        let few = |finding: &Finding| FEW.saturating_mul(free(finding)) < entries as u64;
        let leaves_open = |finding: &Finding| matches!(finding.cause, Cause::Apart { .. } | Cause::Inaccurate { .. });
        let open: Vec<&Finding> = findings.iter().filter(|finding| leaves_open(finding)).collect();
        let all_few = open.iter().all(|finding| matches!(finding.cause, Cause::Apart { .. }) && few(finding));
        let is_told = || all_few || is_in_use(found.as_ref().unwrap_or(start));
        open.is_empty() || recognised.answer.measured_law.is_none() && is_told()
    };
    let mut judged = Judgements { subject, positions, known: Vec::new() };
    let mut best: Option<Known> = None;
    let mut least = usize::MAX;
    let starts: [&dyn Fn() -> Result<Vec<Convention>, Invalid>; 2] =
        [&|| guesses(subject, positions, &recognised), &|| of_halves(subject, positions)];
    for starts in starts {
        for start in starts()? {
            let Some((sampled, _)) = judged.sampled(&start)? else { continue };
            // All entries have no fewer faults than those of some rows, and what lies elsewhere departs from each.
            let said = best.as_ref().is_some_and(|(findings, _)| weight(findings) <= weight(&sampled));
            if said || weight(&sampled) > least {
                continue;
            }
            let Some(known) = judged.known(&start)?.filter(|known| told(&start, known)) else { continue };
            if best.as_ref().is_none_or(|(before, _)| weight(&known.0) < weight(before)) {
                (best, least) = (Some(known), weight(&sampled));
            }
            if best.as_ref().is_some_and(|(findings, _)| weight(findings) <= 1) {
                break;
            }
        }
        if best.is_some() {
            break;
        }
    }
    let mut result = recognised.answer;
    let Some((mut findings, found)) = best else { return Ok(result) };
    let Some(mut convention) = found else {
        result.findings = findings;
        return Ok(result);
    };
    let say = |findings: &[Finding], convention: &Convention| (weight(findings), place_of(&convention.base));
    for other in restatements(&convention, &findings) {
        let Some((less, found)) = judged.known(&other)? else { continue };
        if say(&less, found.as_ref().unwrap_or(&other)) >= say(&findings, &convention) {
            continue;
        }
        findings = less;
        // A fault that no convention says, of a convention that is more usual than the other.
        let Some(found) = found else {
            result.findings = findings;
            return Ok(result);
        };
        convention = found;
    }
    // What holds of the nearest base in use as well does not tell this one.
    let other = nearest(&convention, BASES.into_iter().filter(|base| Real::from(*base) != convention.base));
    let rival = Convention { base: other.unwrap_or_else(|| convention.base.clone()), ..convention.clone() };
    let another = |found: &Option<Convention>| found.as_ref() != Some(&convention);
    let open = judged.sampled(&rival)?.is_some_and(|(_, found)| another(&found));
    let rival = if open { judged.known(&rival)? } else { None };
    if rival.is_some_and(|(more, rival)| more.len() <= findings.len() && another(&rival)) {
        return Ok(result);
    }
    // Faults are those of the convention that was found, not of the one that was tried.
    let Some((findings, found)) = judged.known(&convention)? else { return Ok(result) };
    if found.is_none() {
        result.findings = findings;
        return Ok(result);
    }
    result.remaining = if result.undetermined.contains(&Undetermined::Direction) {
        both_directions(convention.clone()).to_vec()
    } else {
        vec![convention.clone()]
    };
    result.measured_law = None;
    result.confidence = if result.remaining.len() == 1 { Confidence::Established } else { Confidence::Ambiguous };
    (result.convention, result.findings) = (found, findings);
    Ok(result)
}

/// Which of the bases in use a base is, the most usual first.
fn place_of(base: &Real) -> usize {
    BASES.iter().position(|known| Real::from(*known) == *base).unwrap_or(BASES.len())
}

/// Conventions of which the findings would say less, or the same of a more usual base: the one that was found, in place of the
/// one that was tried; those of the offset by which rows are shifted, or those of other positions off from rounded ones; and
/// those of the base in use with which other exponents, or fewer dimensions, are the same numbers.
fn restatements(convention: &Convention, findings: &[Finding]) -> Vec<Convention> {
    let offset = |by: f64| {
        let by = Rational::from_f64(by)?;
        let position_offset = Real::from(convention.position_offset.value() + &by);
        Some(Convention { position_offset, ..convention.clone() })
    };
    // base^(numerator/denominator), if it is in use.
    let power = |(numerator, denominator): (usize, usize)| {
        let ln = convention.base.value().to_f64().ln() * numerator as f64;
        let same = |base: &i64| ((*base as f64).ln() * denominator as f64 - ln).abs() <= 1e-12 * ln.abs();
        let base = BASES.into_iter().find(same)?;
        Some(Convention { base: base.into(), ..convention.clone() })
    };
    let of = |finding: &Finding| -> Vec<Option<Convention>> {
        match &finding.cause {
            Cause::Shifted { by } => vec![offset(*by)],
            Cause::Earlier { rows, .. } => {
                let off = |format: Format| {
                    let mut all = rows.iter().map(|(position, found)| found - format.round(*position));
                    let first = all.next()?;
                    all.all(|off| off == first).then_some(first)
                };
                [Format::Bf16, Format::F16].into_iter().filter_map(off).map(offset).collect()
            }
            Cause::OwnExponents { .. } => vec![power((1, 2)), power((2, 1))],
            Cause::AtRest { rotated, pairs } => {
                let part = |other| Convention { rotary_dim: Some(2 * rotated), ..other };
                vec![power((*rotated, *pairs)).map(part)]
            }
            _ => Vec::new(),
        }
    };
    std::iter::once(convention.clone()).chain(findings.iter().flat_map(of).flatten()).collect()
}
