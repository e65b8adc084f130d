//! The judgement.

use super::Invalid;
use super::compare::TableComparison;
use super::diagnose::{Symptoms, diagnose};
use super::duplication::{self, Duplication};
use super::faults::Finding;
use super::mend::{Mend, mend};
use super::rates::omega;
use super::recognise;
use super::report::{ArrayRead, DecadePart, EntryStatistics, Grade, PairPart, Report, WorstEntry};
use super::subject::Subject;
use super::totals::{EntryTotals, Seen};
use super::view::StatedGrids;
use posproof_bound::{Allowance, Path};
use posproof_encoding::convention::Convention;
use posproof_numerics::format::{Format, hex};
use posproof_table::Positions;

/// What an implementation should have computed.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// The convention.
    pub convention: Convention,
    /// The position of each row; 0, 1, 2, … if none are given.
    pub positions: Option<Positions>,
    /// The precision that it computes its angles in.
    pub compute: Format,
    /// How it computes its frequencies; along any of the paths if none is given.
    pub path: Option<Path>,
    /// The format that the entries should have, whatever format holds them; that of the arrays if none is given.
    pub storage: Option<Format>,
    /// How a cache of full width should repeat its columns; in any way if none is given.
    pub duplication: Option<Duplication>,
}

impl Expectation {
    /// The convention at positions 0, 1, 2, …, computed in binary32 along any path.
    pub fn new(convention: Convention) -> Self {
        Self { convention, positions: None, compute: Format::F32, path: None, storage: None, duplication: None }
    }

    /// The same for other positions, which must increase.
    pub fn at(self, positions: Positions) -> Self {
        Self { positions: Some(positions), ..self }
    }

    /// The same for another precision of the computation.
    pub fn computed_in(self, compute: Format) -> Self {
        Self { compute, ..self }
    }

    /// The same for entries that should have a format, whatever format holds them.
    pub fn stored_in(self, storage: Format) -> Self {
        Self { storage: Some(storage), ..self }
    }

    /// The same for a cache that should repeat its columns so.
    pub fn duplicated(self, duplication: Duplication) -> Self {
        Self { duplication: Some(duplication), ..self }
    }

    /// The same for one path only.
    pub fn along(self, path: Path) -> Self {
        Self { path: Some(path), ..self }
    }
}

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
/// between *within-bound* and *degraded* is that of [`Allowance`].
pub fn check(subject: Subject<'_>, expectation: &Expectation) -> Result<Report, Invalid> {
    let encoding = expectation.convention.encoding;
    if encoding != subject.encoding() {
        return Err(Invalid::Subject { subject: subject.name(), expected: subject.encoding(), found: encoding });
    }
    let given = subject;
    let stated = StatedGrids::new(given, expectation.storage);
    let subject = stated.as_ref().map_or(given, StatedGrids::subject);
    subject.check_size()?;
    let positions = match subject {
        Subject::Rope { cos: None, sin: None } => Positions::range(0..1)?,
        _ => increasing(expectation.positions.as_ref(), subject.judged().rows())?,
    };
    let convention = expectation.convention.clone().for_length(positions.max() + 1);
    convention.validate()?;
    subject.check_shape(&convention, positions.len())?;
    duplication::refuse_side_by_side(subject, convention.pairs())?;
    let storage = subject.format();
    let omega = omega(&convention).unwrap_or_default();
    let computed = (expectation.compute, expectation.path);
    let allowance = Allowance::new(&convention, &omega, positions.max(), computed, storage);
    let comparison = TableComparison::new(subject, &convention, &positions, &allowance)?;
    let tally = comparison.run()?;

    let narrow = expectation.storage.filter(|stated| storage.precision() < stated.precision());
    let (mut findings, mut found) = (Vec::new(), None);
    let mut grade = match () {
        () if let (true, Some((inner, finding))) =
            (tally.exceeding > 0, duplication::half_as_many(subject, &convention)?) =>
        {
            let other = Expectation { convention: inner.clone(), ..expectation.clone() };
            let conforms = check(subject, &other).is_ok_and(|report| report.conforms);
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
            let identified = || recognise::convention(subject, positions, convention);
            let case = Symptoms {
                subject,
                compute: computed,
                convention,
                positions,
                comparison: &comparison,
                tally: &tally,
                identified: &identified,
            };
            let diagnosis = diagnose(&case)?;
            (findings, found) = (diagnosis.findings, diagnosis.found);
            diagnosis.grade
        }
        () if tally.incorrect == 0 && !tally.undecided => Grade::CorrectlyRounded,
        () if !tally.unfaithful => Grade::Faithful,
        () => Grade::WithinBound,
    };
    if let (Some(stated), true) = (narrow, grade.conforms()) {
        grade = Grade::Degraded;
        findings.push(Finding::stored_narrowly(storage, stated));
    }
    if grade.conforms() {
        found = Some(convention.clone());
    }
    if let Some(finding) = duplication::judge(subject, convention.pairs(), expectation.duplication)? {
        grade = grade.max(Grade::OtherConvention);
        findings.insert(0, finding);
    }
    let mend = if grade.conforms() { None } else { mend(subject, expectation, &positions, found.as_ref(), &findings)? };
    report(
        Parts {
            mend,
            subject,
            expectation,
            convention: &convention,
            storage,
            inputs: ArrayRead::all(given, expectation.storage)?,
            duplication: duplication::found(subject, convention.pairs())?,
            grade,
        },
        &comparison,
        tally,
        findings,
        found,
    )
}

/// What a judgement finds, without its report.
pub(super) fn explained(
    subject: Subject<'_>,
    expectation: &Expectation,
) -> Result<(Vec<Finding>, Option<Convention>), Invalid> {
    let report = check(subject, expectation)?;
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

/// What goes into a report as it is.
struct Parts<'a> {
    subject: Subject<'a>,
    expectation: &'a Expectation,
    convention: &'a Convention,
    storage: Format,
    inputs: Vec<ArrayRead>,
    duplication: Option<Duplication>,
    grade: Grade,
    mend: Option<Mend>,
}

fn report(
    parts: Parts<'_>,
    comparison: &TableComparison<'_>,
    tally: EntryTotals,
    findings: Vec<Finding>,
    found: Option<Convention>,
) -> Result<Report, Invalid> {
    let weighed = tally.weighed.max(1) as f64;
    let decade = |(index, part): (usize, _)| DecadePart {
        first: if index == 0 { 0 } else { 10u64.pow(index as u32 - 1) },
        last: 10u64.pow(index as u32) - 1,
        part,
    };
    let worst = tally.worst.map(|seen| worst(comparison, &seen)).transpose()?;
    Ok(Report {
        schema: "posproof.check/1",
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
        path: parts.expectation.path,
        storage: parts.storage,
        inputs: parts.inputs,
        duplication: parts.duplication,
        statistics: EntryStatistics {
            correctly_rounded: (!tally.undecided).then_some(tally.entries - tally.incorrect),
            exceeding: tally.exceeding,
            not_finite: tally.not_finite,
            max_ulps: tally.max_ulps,
            mean_ulps: tally.sum_ulps / weighed,
        },
        pairs: tally.pairs.into_iter().enumerate().map(|(pair, part)| PairPart { pair, part }).collect(),
        decades: tally.decades.into_iter().enumerate().filter(|(_, part)| part.entries > 0).map(decade).collect(),
    })
}

/// Digits of an enclosure that is shown.
const DIGITS: usize = 20;

fn worst(comparison: &TableComparison<'_>, seen: &Seen) -> Result<WorstEntry, Invalid> {
    let meaning = comparison.meaning(seen.place);
    let vector = comparison.vector(seen.place)?;
    let exact = comparison.enclose(seen.place, &vector, 128);
    let value = exact.as_ref().map(|exact| exact.approximate());
    let (lower, upper) = exact.map_or_else(<(String, String)>::default, |exact| exact.decimal_with(DIGITS));
    // Units in the last place of a number near zero say nothing.
    let unit = value.filter(|value| comparison.is_weighed(*value)).map(|value| comparison.unit(seen.place, value));
    Ok(WorstEntry {
        position: comparison.position(seen.place.row),
        pair: meaning.map(|(pair, _)| pair),
        component: meaning.map(|(_, component)| component),
        slab: seen.place.slab,
        got: hex(seen.got),
        value: seen.got,
        lower,
        upper,
        error: seen.error,
        ulps: unit.map(|unit| seen.error / unit),
        bound: seen.bound,
        origin: comparison.origin(),
    })
}
