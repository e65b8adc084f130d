//! The judgement.

use super::Invalid;
use super::batch::{self, Groups};
use super::cache;
use super::compare::TableComparison;
use super::diagnose::{Symptoms, diagnose, rest};
use super::duplication::Duplication;
use super::expectation::{Expectation, not_held};
use super::faults::{Cause, Explained, Finding, OTHER_PATH, Status};
use super::information::{self, Information};
use super::judged::{Judged, Outcome};
use super::kept::Kept;
use super::levels::{Quantised, Statement, restated};
use super::mend::{Mend, mend};
use super::narrower;
use super::rates::omega;
use super::recognise;
use super::report::{ArrayRead, DecadePart, EntryStatistics, Grade, PairPart, Report, WorstEntry};
use super::rounding;
use super::sequence::RowsAsTables;
use super::subject::Subject;
use super::totals::{EntryTotals, Seen};
use super::view::StatedGrids;
use posproof_bound::Path;
use posproof_encoding::axes::POSITION;
use posproof_encoding::convention::{Convention, Encoding};
use posproof_numerics::format::Format;
use posproof_table::Positions;
use std::cell::OnceCell;

/// Positions that increase.
pub(super) fn increasing(positions: Option<&Positions>, rows: usize) -> Result<Positions, Invalid> {
    let Some(positions) = positions else { return Ok(Positions::range(0..rows as u64)?) };
    let mut before: Option<u64> = None;
    for (row, found) in positions.iter().enumerate().take(rows.saturating_add(1)) {
        match before {
            Some(before) if found <= before => return Err(Invalid::Order { row, found, before }),
            _ => before = Some(found),
        }
    }
    Ok(positions.clone())
}

/// Judges what another implementation computed.
///
/// Reads a few rows at a time, so that memory does not grow with the files. The bound that decides
/// between *within-bound* and *degraded* is that of [`posproof_bound::Allowance`].
pub fn check(subject: Subject<'_>, expectation: &Expectation) -> Result<Report, Invalid> {
    let statement = Statement::of(&expectation.convention, expectation.storage);
    let quantised = Quantised::new(subject, statement)?;
    let subject = quantised.as_ref().map_or(subject, Quantised::subject);
    if !matches!(subject, Subject::Rope { cos: None, sin: None }) && subject.check_size().is_ok() {
        increasing(expectation.positions.as_ref(), subject.judged().rows())?;
    }
    let report = judge(subject, expectation, Depth::Mends)?;
    if report.conforms {
        return Ok(report);
    }
    if let Some(other) = Quantised::otherwise(subject, statement)? {
        let same = Mend::same(expectation);
        return restated(report, (subject, other), same, |subject| judge(subject, expectation, Depth::Mends));
    }
    if expectation.positions.is_some() {
        return Ok(report);
    }
    let Some(tables) = RowsAsTables::of(subject) else { return Ok(report) };
    match judge(tables.subject(), expectation, Depth::Mends) {
        Ok(other) if other.conforms => Ok(other),
        // Rows at one position may be heads.
        _ if report
            .findings
            .iter()
            .any(|found| matches!(found.cause, Cause::OnePosition { .. } | Cause::NotRotated)) =>
        {
            Err(tables.refusal().into())
        }
        _ => Ok(report),
    }
}

/// Depth of a judgement, where entries are beyond their bounds.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Depth {
    /// A cause of all of them together.
    Together,
    /// Causes of tables by themselves too, where nothing explains all of them.
    Tables,
    /// The convention that the subject follows with no expectation, and a mend, too.
    Mends,
}

/// The judgement of rows whose positions do not fall.
fn judge(subject: Subject<'_>, expectation: &Expectation, depth: Depth) -> Result<Report, Invalid> {
    let encoding = expectation.convention.encoding;
    if encoding != subject.encoding() {
        return Err(Invalid::Subject { subject: subject.name(), expected: subject.encoding(), found: encoding });
    }
    let dim = (expectation.convention.encoding == Encoding::Sinusoid).then_some(expectation.convention.dim);
    let kept = Kept::new(subject, dim)?;
    let given = kept.as_ref().map_or(subject, |kept| kept.subject(subject));
    let stated = StatedGrids::new(given, expectation.storage);
    let subject = stated.as_ref().map_or(given, StatedGrids::subject);
    subject.check_size()?;
    let positions = match subject {
        Subject::Rope { cos: None, sin: None } => Positions::range(0..1)?,
        _ => match &expectation.positions {
            Some(positions) => positions.clone(),
            None => Positions::range(0..subject.judged().rows() as u64)?,
        },
    };
    if !expectation.holds(&positions) {
        return Err(not_held("the largest", positions.max() as f64, expectation.compute));
    }
    let convention = expectation.convention.clone().for_length(positions.max() + 1);
    convention.validate()?;
    subject.check_shape(&convention, positions.len())?;
    cache::refuse_side_by_side(subject, &convention)?;
    let storage = subject.format();
    let omega = omega(&convention).unwrap_or_default();
    let judged = Judged::new(subject, &convention, &positions, (&omega, expectation.computes()));
    let stated_path = expectation.path;
    let mut seen = match stated_path {
        Some(_) => judged.compare(stated_path)?,
        None => judged.settled()?,
    };
    let wide = matches!(seen.path, None | Some(Path::Exp | Path::Repeated));
    if stated_path.is_none()
        && seen.tally.exceeding == 0
        && seen.tally.unfaithful
        && wide
        && judged.departs_from_every_path()?
    {
        // The rest departs from the path whose frequencies are computed one by one.
        seen = judged.compare(Some(Path::Pow))?;
    }
    let path = seen.path;
    let expectation = &Expectation { path, ..expectation.clone() };
    let allowance = judged.allowance(path);
    let comparison = judged.comparison(&allowance)?;

    // Correctly rounded, or faithful.
    let exact = seen.tally.incorrect == 0 && !seen.tally.undecided || !seen.tally.unfaithful;
    let information = information::measure(&judged, &allowance, exact)?;
    let narrow = expectation.storage.filter(|stated| storage.precision() < stated.precision());
    let (mut findings, mut found) = (Vec::new(), None);
    // What leaves the convention as it is: frequencies along another path, entries rounded by another rule.
    let departs = seen.tally.exceeding > 0 && seen.tally.unfaithful;
    let other_path = match stated_path.filter(|_| departs) {
        Some(stated) => judged.another(stated, &seen)?,
        None => None,
    };
    let Outcome { tally, region, strange, .. } = seen;
    let as_stated = match other_path.zip(stated_path) {
        Some((found, stated)) => {
            Some(Finding::new(&OTHER_PATH, Cause::Path { stated, found, compute: expectation.compute }))
        }
        None if departs => {
            let case = (expectation.compute, tally.exceeding);
            rounding::explain(&judged, &allowance, case)?
        }
        None => None,
    };
    let mut grade = match () {
        () if tally.incorrect == 0 && !tally.undecided => Grade::CorrectlyRounded,
        // Neighbours of the exact values are that whatever the bound for rounding to nearest is.
        () if !tally.unfaithful => Grade::Faithful,
        () if let Some(finding) = as_stated => {
            let explains = Explained { entries: tally.exceeding, of: tally.exceeding };
            findings.push(Finding { explains, region: region.clone(), ..finding });
            found = Some(convention.clone());
            Grade::Degraded
        }
        () if let (true, Some((inner, finding))) =
            (tally.exceeding > 0, cache::half_as_many(subject, &convention)?) =>
        {
            let other = Expectation { convention: inner.clone(), ..expectation.clone() };
            let conforms = judge(subject, &other, Depth::Together).is_ok_and(|report| report.conforms);
            findings.push(finding);
            if conforms {
                found = Some(inner);
                Grade::OtherConvention
            } else {
                Grade::Wrong
            }
        }
        () if tally.exceeding > 0 => {
            let (convention, positions) = (&convention, &positions);
            let known = OnceCell::new();
            let identified = || match known.get() {
                Some(found) => Ok(Option::clone(found)),
                None if depth < Depth::Mends => Ok(None),
                None => {
                    let found = recognise::convention(subject, positions, convention)?;
                    Ok::<_, Invalid>(known.get_or_init(|| found).clone())
                }
            };
            let case = Symptoms {
                subject,
                compute: (expectation.computes(), path),
                convention,
                positions,
                comparison: &comparison,
                tally: &tally,
                silent: information.uninformative,
                region: region.as_ref(),
                strange: strange.as_ref(),
                identified: &identified,
            };
            let diagnosis = diagnose(&case)?;
            (findings, found) = (diagnosis.findings, diagnosis.found);
            if depth >= Depth::Tables && findings.iter().any(is_unexplained) {
                let rest = |entries| rest(&tally, information.uninformative, entries);
                let group = |group: Subject<'_>, _| {
                    let report = judge(group, expectation, Depth::Together)?;
                    Ok((report.findings, report.found))
                };
                if let Some(groups) = Groups::of_tables(subject, 1)
                    && let Some(each) = batch::each(subject, (groups, tally.exceeding), &findings, &rest, &group)?
                {
                    (findings, found) = each;
                }
            }
            // A fault that no convention says may make what another one does.
            let other = if found.is_none() && tally.not_finite == 0 { identified()? } else { None };
            let is_other = other.as_ref().is_some_and(|other| other != convention);
            found = found.or(other);
            if is_other { Grade::OtherConvention } else { diagnosis.grade }
        }
        () => Grade::WithinBound,
    };
    if let (true, Some(finding)) = (grade.conforms(), information.finding(tally.entries)) {
        grade = Grade::NotJudged;
        findings.push(finding);
    }
    if grade.conforms() {
        found = Some(convention.clone());
        if let Some(stated) = narrow {
            grade = Grade::Degraded;
            findings.push(Finding::stored_narrowly(storage, stated));
        }
    }
    if let Some(finding) = cache::judge(subject, convention.pairs(), expectation.duplication)? {
        grade = grade.max(Grade::OtherConvention);
        findings.insert(0, finding);
    }
    let conforms = |mended: &Expectation| {
        let fits =
            subject.check_shape(&mended.convention.clone().for_length(positions.max() + 1), positions.len()).is_ok();
        Ok(fits && mended.holds(&positions) && judge(given, mended, Depth::Together)?.conforms)
    };
    let mend = match found.as_ref().filter(|_| depth == Depth::Mends && !grade.conforms()) {
        Some(found) => {
            let as_stated = Expectation { path: stated_path, ..expectation.clone() };
            mend(&as_stated, found, &findings, &conforms)?
        }
        None => None,
    };
    let mut decided = None;
    let whole = findings.iter().all(|finding| !finding.confined);
    let is_read_otherwise = grade == Grade::OtherConvention || whole && narrower::is_exchanged(subject, &findings);
    if let (Some(other), None, true) = (&found, &mend, depth == Depth::Mends && is_read_otherwise) {
        let other = other.clone().for_length(positions.max() + 1);
        if other.validate().is_ok() && subject.check_shape(&other, positions.len()).is_ok() {
            let read = narrower::as_found(given, &findings);
            let report =
                judge(read, &Expectation { convention: other.clone(), ..expectation.clone() }, Depth::Together)?;
            decided = narrower::beside(&mut findings, &judged, (&other, report))?;
        }
    }
    let (path, tally) = match decided {
        Some(Outcome { path, tally, .. }) => {
            grade = Grade::Wrong;
            (path, tally)
        }
        None => (path, tally),
    };
    let expectation = &Expectation { path, ..expectation.clone() };
    let allowance = judged.allowance(path);
    let comparison = judged.comparison(&allowance)?;
    report(
        ReportParts {
            mend,
            subject,
            expectation,
            convention: &convention,
            storage,
            inputs: ArrayRead::all(given, expectation.storage)?,
            columns: cache::found(subject, convention.pairs())?.map(Duplication::columns),
            information,
            grade,
        },
        &comparison,
        tally,
        findings,
        found,
    )
}

/// True if a finding is what was measured, and no cause.
pub(super) fn is_unexplained(finding: &Finding) -> bool {
    finding.status == Status::Unexplained
}

/// The judgement of rows whose positions do not fall; they may repeat.
#[cfg(feature = "axes")]
pub(super) fn judge_repeated(subject: Subject<'_>, expectation: &Expectation) -> Result<Report, Invalid> {
    judge(subject, expectation, Depth::Mends)
}

/// Findings of a judgement, without its report.
pub(super) fn explained(
    subject: Subject<'_>,
    expectation: &Expectation,
) -> Result<(Vec<Finding>, Option<Convention>), Invalid> {
    let report = judge(subject, expectation, Depth::Tables)?;
    Ok((report.findings, report.found))
}

/// [`check`] for a test: returns if the subject conforms.
///
/// # Panics
///
/// With the report if it does not, and with the reason if it cannot be judged: what a test prints
/// is then the convention's place, the worst entry and what is wrong.
#[track_caller]
pub fn assert_conforms(subject: Subject<'_>, expectation: &Expectation) {
    match check(subject, expectation) {
        Ok(report) => assert!(report.conforms, "{report}"),
        Err(error) => panic!("{} cannot be judged: {error}", subject.name()),
    }
}

/// Parts that go into a report as they are.
struct ReportParts<'a> {
    subject: Subject<'a>,
    expectation: &'a Expectation,
    convention: &'a Convention,
    storage: Format,
    inputs: Vec<ArrayRead>,
    columns: Option<&'static str>,
    information: Information,
    grade: Grade,
    mend: Option<Mend>,
}

fn report(
    parts: ReportParts<'_>,
    comparison: &TableComparison<'_>,
    tally: EntryTotals,
    findings: Vec<Finding>,
    found: Option<Convention>,
) -> Result<Report, Invalid> {
    let decade = |(index, part): (usize, _)| DecadePart {
        first: if index == 0 { 0 } else { 10u64.pow(index as u32 - 1) },
        last: 10u64.pow(index as u32) - 1,
        part,
    };
    let worst = tally.worst.map(|seen| worst(comparison, &seen)).transpose()?;
    Ok(Report {
        schema: super::document::SCHEMA,
        subject: parts.subject.name(),
        grade: parts.grade,
        conforms: parts.grade.conforms(),
        expected: parts.convention.clone(),
        found,
        entries: tally.entries,
        worst,
        findings,
        mend: parts.mend,
        compute: parts.expectation.compute,
        libraries: parts.expectation.libraries,
        path: parts.expectation.path,
        storage: parts.storage,
        inputs: parts.inputs,
        columns: parts.columns,
        rotation: true,
        undetermined: Vec::new(),
        alike: Vec::new(),
        information: parts.information,
        statistics: EntryStatistics::of(&tally, parts.subject),
        pairs: tally.pairs.into_iter().enumerate().map(|(pair, part)| PairPart::of_one_axis(pair, part)).collect(),
        decades: tally.decades.into_iter().enumerate().filter(|(_, part)| part.entries > 0).map(decade).collect(),
    })
}

/// The worst entry.
fn worst(comparison: &TableComparison<'_>, seen: &Seen) -> Result<WorstEntry, Invalid> {
    let coordinates = Some(vec![comparison.position(seen.place.row).to_string()]);
    WorstEntry::of(comparison, seen, (coordinates, vec![POSITION.to_owned()]), comparison.origin())
}
