//! The judgement of encodings of several axes, at the coordinates and in the format that are stated.

use super::alone::{self, JudgedOrder, JudgedWhole};
use super::cells::unlike;
use super::comparison::{AxialComparison, AxialScope};
use super::expectation::AxialExpectation;
use super::findings::{AxialDiagnosis, Diagnosing};
use super::paths::settled;
use super::report::{AxialReport, alike, claimants};
use super::rows::AxialRows;
use super::symptoms::AxialSymptoms;
use crate::compared::ComparedRows;
use crate::document::SCHEMA;
use crate::expectation::not_held;
use crate::faults::{Finding, Status};
use crate::information::Information;
use crate::report::{ArrayRead, EntryStatistics, Grade, PairPart, WorstEntry};
use crate::subject::Subject;
use crate::totals::Seen;
use crate::{Invalid, cache};
use posproof_bound::{AxialAllowance, Compute, Path};
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_numerics::format::Format;

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
