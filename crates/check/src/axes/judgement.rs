//! The judgement of encodings of several axes.

use super::AxialReport;
use super::alone::{self, JudgedOrder, JudgedWhole};
use super::cells::unlike;
use super::comparison::{AxialComparison, AxialScope};
use super::findings::{AxialDiagnosis, Diagnosing};
use super::grouped;
use super::mend::AxialMend;
use super::narrower;
use super::paths::settled;
use super::rows::AxialRows;
use super::symptoms::AxialSymptoms;
use crate::compared::ComparedRows;
use crate::document::SCHEMA;
use crate::expectation::not_held;
use crate::faults::{Finding, Status};
use crate::information::Information;
use crate::joined::JoinedSequences;
use crate::levels::{Quantised, Statement, restated};
use crate::report::{ArrayRead, EntryStatistics, Grade, PairPart, WorstEntry};
use crate::subject::Subject;
use crate::totals::Seen;
use crate::{Duplication, Invalid, cache};
use posproof_bound::{AxialAllowance, Compute, Libraries, Path};
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_numerics::format::Format;

/// Convention, coordinates and program that an implementation of several axes is held to.
#[derive(Clone, Copy, Debug)]
pub struct AxialExpectation<'a> {
    /// The convention.
    pub law: &'a AxialLaw,
    /// The coordinates of each row, one for each axis.
    pub coordinates: &'a Coordinates,
    /// The precision that it computes its angles in.
    pub compute: Format,
    /// Accuracies of its sines, cosines, exponentials, logarithms and powers.
    pub libraries: Libraries,
    /// Path of its frequencies; the narrowest that explains its entries if none is given.
    pub path: Option<Path>,
    /// The format that the entries should have, whatever format holds them; that of the arrays if none is given.
    pub storage: Option<Format>,
    /// Repetition of the columns in a cache of full width; as found if none is given.
    pub duplication: Option<Duplication>,
}

impl<'a> AxialExpectation<'a> {
    /// The convention at these coordinates, computed in binary32 along any path.
    pub fn new(law: &'a AxialLaw, coordinates: &'a Coordinates) -> Self {
        let (compute, libraries) = (Format::F32, Libraries::default());
        Self { law, coordinates, compute, libraries, path: None, storage: None, duplication: None }
    }
}

/// Judges what another implementation computed. The rows of [several sequences](Coordinates::sequences), which the first leading axis of each array
/// numbers, are judged as those of one, one sequence after the other.
///
/// # Errors
///
/// For arrays and positions that do not belong to the convention, and vectors that are not finite.
pub fn check_axes(subject: Subject<'_>, expectation: &AxialExpectation<'_>) -> Result<AxialReport, Invalid> {
    let joined = JoinedSequences::of(subject, expectation.coordinates)?;
    let subject = joined.as_ref().map_or(subject, JoinedSequences::subject);
    let statement = Statement::only(expectation.storage);
    let quantised = Quantised::new(subject, statement)?;
    let subject = quantised.as_ref().map_or(subject, Quantised::subject);
    let report = grouped::told(judge(subject, expectation)?, subject, expectation)?;
    let Some(other) = Quantised::otherwise(subject, statement)?.filter(|_| !report.conforms) else {
        return narrower::beside(report, (subject, expectation), &|mended| judge(subject, mended));
    };
    restated(report, (subject, other), AxialMend::same(expectation), |subject| judge(subject, expectation))
}

/// The judgement of entries as they are stored, its mend not yet tried.
pub(super) fn judge(subject: Subject<'_>, expectation: &AxialExpectation<'_>) -> Result<AxialReport, Invalid> {
    let AxialExpectation { law, coordinates, compute, libraries, path, storage, duplication } = *expectation;
    let computes = Compute { format: compute, libraries };
    let encoding = law.convention().encoding;
    if encoding != subject.encoding() {
        return Err(Invalid::Subject { subject: subject.name(), expected: subject.encoding(), found: encoding });
    }
    subject.check_axes(law.convention().dim)?;
    require_held(law, coordinates, compute)?;
    let mut whole = match alone::whole(subject, expectation, JudgedOrder::AsTheyStand)? {
        Some(JudgedWhole { report, open: false }) => return Ok(report),
        whole => whole,
    };
    let format = storage.unwrap_or_else(|| subject.format());
    let comparison = AxialComparison::new(subject, law, coordinates, format)?;
    let allowance = |path| AxialAllowance::new(law, coordinates, (computes, path), format);
    let along = |path: Option<Path>| {
        let rows = comparison.along(allowance(path));
        Ok::<_, Invalid>((path, rows.run()?, rows))
    };
    let (path, totals, rows) = match path {
        Some(_) => along(path)?,
        None => {
            let seen = settled(&comparison, expectation, format)?;
            let wide = matches!(seen.0, None | Some(Path::Exp | Path::Repeated));
            let may_depart = wide && seen.1.exceeding == 0 && seen.1.unfaithful;
            // The rest departs from the path whose frequencies are computed one by one.
            match may_depart && alone::departs_from_every_path(subject, (law, coordinates), computes)? {
                true => along(Some(Path::Pow))?,
                false => seen,
            }
        }
    };
    let mut diagnosis = AxialDiagnosis::default();
    let mut grade = match () {
        () if totals.incorrect == 0 && !totals.undecided => Grade::CorrectlyRounded,
        () if !totals.unfaithful => Grade::Faithful,
        () if totals.exceeding == 0 => Grade::WithinBound,
        () => {
            let scope = AxialScope { slabs: rows.beyond.slabs.list(), ..comparison.all() };
            let beyond = rows.beyond.rows.list();
            if whole.is_none() {
                whole = match alone::whole(subject, expectation, JudgedOrder::OfPositions(&beyond))? {
                    Some(JudgedWhole { report, open: false }) if !report.conforms => return Ok(report),
                    whole => whole.filter(|whole| !whole.report.conforms),
                };
            }
            let compute = (computes, path);
            let slots = rows.slots();
            let slot = slots.filter(|slots| slots.count == 1).map(|slots| slots.first);
            let (exceeding, finite, comparison, storage) = (totals.exceeding, totals.beyond(), &comparison, format);
            let case = AxialSymptoms {
                comparison,
                subject,
                law,
                coordinates,
                storage,
                compute,
                exceeding,
                finite,
                beyond,
                slot,
                scope,
            };
            let [region, strange] = rows.regions();
            let totals = &totals;
            let diagnosing = Diagnosing { case: &case, totals, region, strange, slots };
            diagnosis = diagnosing.diagnosis(expectation.path)?;
            diagnosis.grade.unwrap_or(Grade::Wrong)
        }
    };
    // What several axes leave unexplained, or do not name, is told as one axis tells it.
    if let Some(whole) = whole.filter(|whole| whole.says_more(&diagnosis.findings)) {
        return Ok(whole.report);
    }
    let information = Information::of_axes(&totals, grade <= Grade::Faithful);
    if let (true, Some(finding)) = (grade.conforms(), information.finding(totals.entries)) {
        grade = Grade::NotJudged;
        diagnosis.findings.push(finding);
    }
    let unlike_stated = cache::judge(subject, law.slots(), duplication)?;
    if let Some(finding) = unlike_stated.map_or_else(|| unlike(subject, law), |finding| Ok(Some(finding)))? {
        grade = grade.max(Grade::OtherConvention);
        diagnosis.findings.insert(0, finding);
    }
    // Where a fault is of a part, the rest follows what was asked for.
    let confined = |finding: &Finding| finding.confined && finding.status == Status::Confirmed;
    let speak = totals.entries.saturating_sub(totals.uninformative);
    let rest = 4 * totals.exceeding < speak && diagnosis.findings.iter().all(confined);
    let found = diagnosis.found.or_else(|| (grade.conforms() || rest).then(|| law.convention().clone()));
    let worst = totals.worst.map(|seen| worst(&rows, (law, coordinates), &seen)).transpose()?;
    let constant = |axis: &usize| coordinates.distinct(*axis).len() < 2;
    let part = |(pair, part)| PairPart { pair, axes: claimants(law, pair), part };
    Ok(AxialReport {
        schema: SCHEMA,
        subject: subject.name(),
        grade,
        conforms: grade.conforms(),
        expected: law.convention().clone(),
        found,
        entries: totals.entries,
        worst,
        findings: diagnosis.findings,
        mend: diagnosis.mend,
        compute,
        libraries,
        path,
        storage: format,
        inputs: ArrayRead::all(subject, storage)?,
        columns: comparison.columns,
        rotation: law.is_rotation(),
        undetermined: (0..law.axes().len()).filter(constant).map(|axis| law.axes()[axis].name().to_owned()).collect(),
        alike: alike(law, coordinates),
        statistics: EntryStatistics::of(&totals, subject),
        information,
        decades: Vec::new(),
        pairs: totals.pairs.into_iter().enumerate().map(part).collect(),
    })
}

/// Refuses coordinates beyond the largest number of the format that angles are computed in.
fn require_held(law: &AxialLaw, coordinates: &Coordinates, compute: Format) -> Result<(), Invalid> {
    let largest = compute.max_finite();
    for (number, axis) in law.axes().iter().enumerate().take(coordinates.axes()) {
        let distinct = coordinates.distinct(number);
        if let Some(x) = distinct.iter().find(|x| x.to_f64().abs() > largest) {
            return Err(not_held(&format!("axis {}", axis.name()), x.to_f64(), compute));
        }
    }
    Ok(())
}

/// Axes that have the same coordinates in every row, where these are not one and the same in all.
pub(super) fn alike(law: &AxialLaw, coordinates: &Coordinates) -> Vec<Vec<String>> {
    let same = |one: usize, other: usize| {
        coordinates.places(one) == coordinates.places(other) && coordinates.distinct(one) == coordinates.distinct(other)
    };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for axis in (0..law.axes().len()).filter(|axis| coordinates.distinct(*axis).len() > 1) {
        match groups.iter_mut().find(|group| same(group[0], axis)) {
            Some(group) => group.push(axis),
            None => groups.push(vec![axis]),
        }
    }
    let names = |group: Vec<usize>| group.into_iter().map(|axis| law.axes()[axis].name().to_owned()).collect();
    groups.into_iter().filter(|group| group.len() > 1).map(names).collect()
}

/// Names of the axes that turn a slot.
pub(super) fn claimants(law: &AxialLaw, slot: usize) -> Vec<String> {
    law.claims(slot).iter().map(|claim| law.axes()[claim.axis].name().to_owned()).collect()
}

fn worst(
    rows: &AxialRows<'_>,
    (law, coordinates): (&AxialLaw, &Coordinates),
    seen: &Seen,
) -> Result<WorstEntry, Invalid> {
    let position = coordinates.row(seen.place.row);
    let axes = rows.comparison.cell(seen.place).slot().map_or_else(Vec::new, |slot| claimants(law, slot));
    let place = (position.map(|row| row.iter().map(ToString::to_string).collect()), axes);
    WorstEntry::of(rows, seen, place, rows.origin())
}
