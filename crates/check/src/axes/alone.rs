//! Axes that the judge of one axis is asked about.
//!
//! An encoding of one axis is judged as that, and so is one of several that have the same coordinates in every row. Of other encodings
//! the slots of each axis, at its coordinates, are one of one axis: where entries depart, each axis is asked by itself.

mod each;
mod judged;
mod lattice;
mod part_judgement;
mod parts;
mod placed;

use super::cells::cells;
use super::expectation::AxialExpectation;
use super::mend::AxialMend;
use super::precedence::patternless;
use super::report::{AxialReport, alike, claimants};
use crate::Invalid;
use crate::check::{is_unexplained, judge_repeated};
use crate::document::SCHEMA;
use crate::expectation::Expectation;
use crate::faults::{AxesCause, Cause, Code, Finding, NULL_ROW, Region, Status};
use crate::identify::identify;
use crate::picked::PickedRows;
use crate::recognise::{Confidence, Identification};
use crate::report::{PairPart, Report, WorstEntry};
use crate::subject::Subject;
use parts::positions;
use placed::JudgedPart;
use posproof_encoding::axes::{AxialConvention, Axis, Coordinates, Ranges};
use posproof_encoding::convention::Convention;

pub(super) use each::{Alone, JudgedAlone, departing, departs_from_every_path, each};

/// Codes of faults that are of the positions of rows.
const OF_POSITIONS: [Code; 4] = [Code::Positions, Code::PositionOffset, Code::StalePositions, Code::ClampedPositions];

/// The judgement of one axis, and whether it is left open: to hypotheses about several axes, that is.
pub(super) struct JudgedWhole {
    pub report: AxialReport,
    pub open: bool,
}

impl JudgedWhole {
    /// True if it says more than these findings of several axes do: fewer causes, another one than rows at coordinates of no pattern, or nothing
    /// less than they.
    pub fn says_more(&self, findings: &[Finding]) -> bool {
        let Some((own, other)) = self.report.findings.first().zip(findings.first()) else { return false };
        let fewer = self.report.findings.len() < findings.len();
        let loose = match own.code() {
            // Entries that depart by themselves show some coordinate.
            Code::Local => is_by_chance(other),
            code => code != other.code() && (fewer || patternless(other.fault) || other.fault == &NULL_ROW),
        };
        findings.iter().any(is_unexplained) || loose && own.status == Status::Confirmed
    }
}

/// True of other coordinates of single rows that follow no pattern, or of few slots of a row.
fn is_by_chance(finding: &Finding) -> bool {
    let Cause::Axes(AxesCause::Coordinates { runs, .. }) = &finding.cause else { return false };
    let single = runs.iter().all(|([first, last], _)| first == last);
    let few = |region: &Region| region.pairs.is_some_and(|pairs| 2 * pairs.count <= region.of.pairs);
    patternless(finding.fault) && single || finding.region.as_ref().is_some_and(few)
}

/// The order in which rows are judged.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum JudgedOrder<'a> {
    /// As they stand, at positions that increase.
    AsTheyStand,
    /// That of their positions; these rows have an entry beyond its bound.
    OfPositions(&'a [usize]),
}

/// The judgement of an encoding of one axis, or of several with the same coordinates, whose rows are at whole coordinates. None of any other.
pub(super) fn whole(
    subject: Subject<'_>,
    expectation: &AxialExpectation<'_>,
    order: JudgedOrder<'_>,
) -> Result<Option<JudgedWhole>, Invalid> {
    let AxialExpectation { law, coordinates, compute, libraries, path, storage, duplication } = *expectation;
    let Some(convention) = law.of_one_axis_at(coordinates) else { return Ok(None) };
    let Some((rows, positions)) = positions(coordinates, 0) else { return Ok(None) };
    let increase = rows.is_sorted() && coordinates.distinct(0).len() == coordinates.rows();
    // A base below 1 is one of axes alone.
    let as_it_is = convention.validate().is_ok() && convention.clone().for_length(positions.max() + 1) == convention;
    if increase != (order == JudgedOrder::AsTheyStand) || !as_it_is || rows.len() != subject.judged().rows() {
        return Ok(None);
    }
    let positions = Some(positions);
    let plain = Expectation { convention, positions, compute, libraries, path, storage, duplication };
    let (report, beyond) = match order {
        JudgedOrder::AsTheyStand => (judge_repeated(subject, &plain)?, [].as_slice()),
        JudgedOrder::OfPositions(beyond) => {
            (judge_repeated(PickedRows::new(subject, &rows).subject(), &plain)?, beyond)
        }
    };
    // Of several axes, of several sequences and of rows in another order more is known of where they are: sequences that are packed, an image's
    // delta, chunks.
    let several = !increase || law.axes().len() > 1 || coordinates.sequences() > 1;
    let of_rows = |code| OF_POSITIONS.contains(&code) || !increase && code == Code::Local;
    let placed = |finding: &Finding| several && of_rows(finding.code());
    let open = report.findings.first().is_some_and(|first| first.status == Status::Unexplained || placed(first));
    let report = in_words_of_axes(subject, expectation, report, (&rows, beyond))?;
    Ok(Some(JudgedWhole { report, open }))
}

/// The identification of an encoding of one axis whose rows are at whole coordinates that differ, and its convention as one of axes; none
/// where nothing is established, or what is depends on the length.
pub(super) fn identified(
    subject: Subject<'_>,
    coordinates: &Coordinates,
    name: &str,
) -> Result<Option<(Identification, AxialConvention)>, Invalid> {
    let (1, Some((rows, positions))) = (coordinates.axes(), positions(coordinates, 0)) else { return Ok(None) };
    if rows.len() != subject.judged().rows() || coordinates.distinct(0).len() != rows.len() {
        return Ok(None);
    }
    let picked = PickedRows::new(subject, &rows);
    let in_order = if rows.is_sorted() { subject } else { picked.subject() };
    // Rows that may be heads have no axis of their own.
    let Ok(mut found) = identify(in_order, Some(&positions)) else { return Ok(None) };
    let established = found.convention.clone().filter(|_| found.confidence == Confidence::Established);
    let Some(one) = established.filter(|one| one.clone().for_length(positions.max() + 1) == *one) else {
        return Ok(None);
    };
    let axes = whole_axis(name, &one).into_iter().collect();
    let convention = AxialConvention { axes, ..AxialConvention::from(&one) };
    let Ok(law) = convention.law(|_| Err("none are stored".into())) else { return Ok(None) };
    let slots: Vec<usize> = (0..law.slots()).collect();
    let tables = subject.judged().slabs();
    let part = JudgedPart { law: &law, coordinates, slots: &slots, rows: &rows, beyond: &[], tables };
    found.findings.iter_mut().for_each(|finding| *finding = part.placed(finding));
    Ok(Some((found, convention)))
}

/// The report of one axis as that of a convention of axes.
fn in_words_of_axes(
    subject: Subject<'_>,
    stated: &AxialExpectation<'_>,
    report: Report,
    (rows, beyond): (&[usize], &[usize]),
) -> Result<AxialReport, Invalid> {
    let (law, coordinates) = (stated.law, stated.coordinates);
    let slots: Vec<usize> = (0..law.slots()).collect();
    let part = JudgedPart { law, coordinates, slots: &slots, rows, beyond, tables: subject.judged().slabs() };
    let row = |row: usize| rows.get(row).copied().unwrap_or_default();
    let worst = report.worst.clone().map(|worst| WorstEntry {
        row: row(worst.row),
        coordinates: coordinates.row(row(worst.row)).map(|row| row.iter().map(ToString::to_string).collect()),
        axes: worst.pair.map_or_else(Vec::new, |pair| claimants(law, pair)),
        ..worst
    });
    let all = || law.axes().iter().map(|axis| axis.name().to_owned()).collect();
    Ok(AxialReport {
        schema: SCHEMA,
        subject: report.subject,
        grade: report.grade,
        conforms: report.conforms,
        expected: law.convention().clone(),
        found: match &report.found {
            Some(found) if *found != report.expected => in_axes(law.convention(), (&report.expected, found)),
            found => found.as_ref().map(|_| law.convention().clone()),
        },
        entries: report.entries,
        worst,
        findings: report.findings.iter().map(|finding| part.placed(finding)).collect(),
        mend: mend(stated, &report),
        compute: report.compute,
        libraries: report.libraries,
        path: report.path,
        storage: report.storage,
        columns: cells(subject, law)?.1,
        rotation: law.is_rotation(),
        undetermined: if rows.len() < 2 { all() } else { Vec::new() },
        alike: alike(law, coordinates),
        pairs: report.pairs.iter().map(|part| PairPart { axes: claimants(law, part.pair), ..part.clone() }).collect(),
        statistics: report.statistics,
        information: report.information,
        decades: report.decades,
        inputs: report.inputs,
    })
}

/// The stated convention with what another one of one axis has; none where axes cannot say it.
fn in_axes(stated: &AxialConvention, (expected, found): (&Convention, &Convention)) -> Option<AxialConvention> {
    if stated.of_one_axis().is_none() {
        let all: Vec<usize> = (0..stated.axes.len()).collect();
        return stated.restated(&all, (expected, found));
    }
    let axes = stated.axes.iter().filter_map(|axis| whole_axis(&axis.name, found)).collect();
    Some(AxialConvention { axes, ..AxialConvention::from(found) })
}

/// An axis that claims every pair of a convention.
fn whole_axis(name: &str, of: &Convention) -> Option<Axis> {
    Some(Axis::new(name, Ranges::of(&(0..of.pairs()).collect::<Vec<_>>())?))
}

/// Mend of the judgement of one axis, as a statement of axes; none where another path is stated. If none is, that of the mend is any.
fn mend(stated: &AxialExpectation<'_>, report: &Report) -> Option<AxialMend> {
    let mend = report.mend.as_ref().filter(|mend| stated.path.is_none() || mend.path == stated.path)?;
    let convention = in_axes(stated.law.convention(), (&report.expected, &mend.convention))?;
    Some(AxialMend::of(convention, mend.compute, mend.storage))
}
