//! Causes of frequencies beyond their bounds: what the cache shows that they make, as far as they bear it out, and those
//! that depart by themselves. What a finding explains is counted in frequencies.

use super::{AllVectors, FrequencyTotals, LAST, compare};
use crate::check::check;
use crate::expectation::Expectation;
use crate::faults::{
    ArrayCause, Cause, Entry, Explained, FREQUENCIES, Finding, LOCAL, NOT_FINITE, Region, Shape, Span, Status, ZERO,
    is_most,
};
use crate::report::{Grade, Report};
use crate::subject::Subject;
use crate::{Invalid, probe};
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;

/// A frequency: the number of its vector, and its pair.
type Place = (usize, usize);

/// Causes, the grade, and the convention that the frequencies follow but for that.
pub struct Explanation {
    pub findings: Vec<Finding>,
    pub grade: Grade,
    pub found: Option<Convention>,
}

/// Frequencies that are not finite are a finding of their own. Of the others it is asked what the cache shows that the first
/// wrong vector makes: another convention is kept if all of them are within its bound, a fault of frequencies for all vectors
/// that are the same. What is left departs by itself, where it is not most of them.
pub fn explain(
    vectors: &AllVectors<'_>,
    expectation: &Expectation,
    convention: &Convention,
    seen: &FrequencyTotals,
) -> Result<Explanation, Invalid> {
    let is_finite = |&(vector, pair): &Place| vectors.of(vector)[pair].is_finite();
    let (finite, strange): (Vec<Place>, Vec<Place>) = seen.beyond.iter().partition(|place| is_finite(place));
    let of = seen.beyond.len() as u64;
    let about = |fault, cause, places: &[Place]| Finding {
        explains: Explained { entries: places.len() as u64, of },
        region: region(vectors, places),
        confined: true,
        ..Finding::new(fault, cause)
    };
    let mut findings = Vec::new();
    if let Some(&(vector, pair)) = strange.first() {
        let first = Entry { position: 1, slab: vector, column: pair };
        let (count, entries) = (strange.len() as u64, vectors.entries.len() as u64);
        findings.push(about(&NOT_FINITE, Cause::NotFinite { count, entries, first }, &strange));
    }
    let Some(&(first, _)) = finite.first() else {
        // The others follow what is stated, as far as they are there.
        let found = (!is_most(strange.len() as u64, vectors.entries.len() as u64)).then(|| convention.clone());
        return Ok(Explanation { findings, grade: Grade::Wrong, found });
    };
    if vectors.entries.iter().all(|frequency| *frequency == 0.0) {
        findings.push(Finding { confined: false, ..about(&ZERO, Cause::Zero, &finite) });
        return Ok(Explanation { findings, grade: Grade::Wrong, found: None });
    }
    let report = of_cache(vectors, first, expectation, convention)?;
    let told: Vec<Finding> =
        report.findings.iter().filter(|finding| is_of_frequencies(&finding.cause)).cloned().collect();
    let counted = |finding: &Finding, places: &[Place]| Finding {
        status: if places.len() == finite.len() { Status::Confirmed } else { Status::Partial },
        confined: false,
        ..about(finding.fault, finding.cause.clone(), places)
    };
    if let Some((grade, found)) = followed(vectors, expectation, convention, &report, (seen, strange.len()))? {
        findings.extend(told.iter().map(|finding| counted(finding, &finite)));
        let grade = if strange.is_empty() { grade } else { Grade::Wrong };
        return Ok(Explanation { findings, grade, found: Some(found) });
    }
    // What no convention says was compared with the cache of one vector: it holds of those that are the same.
    let confirmed = report.findings.iter().all(|finding| finding.status == Status::Confirmed);
    if confirmed && !told.is_empty() && told.len() == report.findings.len() {
        let same = |place: &&Place| vectors.of(place.0) == vectors.of(first);
        let same: Vec<Place> = finite.iter().filter(same).copied().collect();
        findings.extend(told.iter().map(|finding| counted(finding, &same)));
        return Ok(Explanation { findings, grade: Grade::Wrong, found: None });
    }
    if is_most(finite.len() as u64, vectors.entries.len() as u64) {
        let cause = ArrayCause::Frequencies { departing: finite.len() as u64, of: vectors.entries.len() as u64 };
        let nothing = Explained { entries: 0, of };
        findings.push(Finding {
            explains: nothing,
            status: Status::Unexplained,
            confined: false,
            ..about(&FREQUENCIES, cause.into(), &finite)
        });
        return Ok(Explanation { findings, grade: Grade::Wrong, found: None });
    }
    let cause = match finite[..] {
        [(vector, pair)] if vectors.count() == 1 => {
            Cause::PairFrequency { pair, expected: seen.omega[pair], found: vectors.of(vector)[pair] }
        }
        _ => {
            let entries = finite.len() as u64;
            Cause::Apart { entries, others: vectors.entries.len() as u64 - of, silent: 0 }
        }
    };
    findings.push(about(&LOCAL, cause, &finite));
    Ok(Explanation { findings, grade: Grade::Wrong, found: Some(convention.clone()) })
}

/// The judgement of the cache that one vector makes.
fn of_cache(
    vectors: &AllVectors<'_>,
    vector: usize,
    expectation: &Expectation,
    convention: &Convention,
) -> Result<Report, Invalid> {
    let positions = probe::positions(LAST)?;
    let [cos, sin] = vectors.cache(vector, &positions, convention);
    let expectation = Expectation { storage: None, duplication: None, ..expectation.clone() }.at(positions.clone());
    check(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &expectation)
}

/// Causes that frequencies may have: not those of a cache alone, nor what was measured.
fn is_of_frequencies(cause: &Cause) -> bool {
    matches!(
        cause,
        Cause::Convention { .. }
            | Cause::Base { .. }
            | Cause::Stretched { .. }
            | Cause::Denominator { .. }
            | Cause::Frequencies { .. }
            | Cause::Scaled { .. }
            | Cause::AtRest { .. }
            | Cause::Direction { .. }
            | Cause::Rounded { .. }
    )
}

/// The convention that all finite frequencies follow, of which the cache shows it: another one, or the stated one in a narrower
/// format whose numbers they are.
fn followed(
    vectors: &AllVectors<'_>,
    expectation: &Expectation,
    convention: &Convention,
    report: &Report,
    (seen, strange): (&FrequencyTotals, usize),
) -> Result<Option<(Grade, Convention)>, Invalid> {
    let Some(found) = &report.found else { return Ok(None) };
    if found != convention {
        let beyond = compare(vectors, found, expectation, seen.storage)?.beyond.len();
        return Ok((beyond == strange).then(|| (Grade::OtherConvention, found.clone())));
    }
    let narrow = |format: Format| {
        let is_number = |frequency: &&f64| frequency.is_finite() && format.round(**frequency) != **frequency;
        format.precision() < expectation.compute.precision() && !vectors.entries.iter().any(|x| is_number(&x))
    };
    let format = report.findings.iter().find_map(|finding| finding.cause.format());
    let degraded = report.findings.iter().any(|finding| matches!(finding.cause, Cause::Rounded { .. }));
    Ok((degraded && format.is_some_and(narrow)).then(|| (Grade::Degraded, found.clone())))
}

/// Where these frequencies are.
fn region(vectors: &AllVectors<'_>, places: &[Place]) -> Option<Region> {
    let mut pairs: Vec<usize> = places.iter().map(|(_, pair)| *pair).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut numbers: Vec<usize> = places.iter().map(|(vector, _)| *vector).collect();
    numbers.dedup();
    let of = Shape { rows: 1, heads: vectors.count(), pairs: vectors.width };
    Some(Region::of_one_axis((Span::all(1), [1, 1], None), Span::of(numbers)?, (Span::of(pairs), None), of))
}
