//! An axis alone, by the judge of one axis.
//!
//! An encoding of one axis is judged as that. Of several axes the slots of one, at its coordinates, are an encoding of one axis: where no
//! hypothesis about several explains the entries, each axis is asked by itself.

use super::AxialReport;
use super::cells::{Cell, cells};
use super::diagnosis::AxialSymptoms;
use super::judgement::AxialExpectation;
use super::mend::AxialMend;
use crate::Invalid;
use crate::check::judge_repeated;
use crate::document::SCHEMA;
use crate::expectation::Expectation;
use crate::faults::{Cause, Explained, Finding, Region, Shape, Span, Status};
use crate::grid::Grid;
use crate::identify::identify;
use crate::picked::{PickedColumns, PickedRows};
use crate::recognise::{Confidence, Identification};
use crate::report::{Grade, PairPart, Report, WorstEntry};
use crate::subject::Subject;
use posproof_bound::Compute;
use posproof_encoding::axes::{AxialConvention, AxialLaw, AxialLayout, Axis, AxisParameters, Coordinates, Ranges};
use posproof_encoding::convention::{Component, Convention, Encoding, Layout, Order};
use posproof_numerics::Rational;
use posproof_table::Positions;

/// Entries of an axis that are judged alone.
const MOST_ENTRIES: usize = 1 << 24;

/// The rows at an axis's coordinates, these increasing, and the coordinates; none where one is no whole number from 0 on, or a row has none.
fn positions(coordinates: &Coordinates, axis: usize) -> Option<(Vec<usize>, Positions)> {
    let distinct: Vec<u64> = coordinates.distinct(axis).iter().map(Rational::to_u64).collect::<Option<_>>()?;
    let all = (0..coordinates.rows()).map(|row| Some((*distinct.get(coordinates.place(row, axis)?)?, row)));
    let mut all: Vec<(u64, usize)> = all.collect::<Option<_>>()?;
    all.sort_unstable();
    let positions = Positions::list(all.iter().map(|(position, _)| *position)).ok()?;
    Some((all.into_iter().map(|(_, row)| row).collect(), positions))
}

/// The judgement of an encoding of one axis whose rows are at increasing whole coordinates; none of any other, or where it is left open.
pub(super) fn whole(subject: Subject<'_>, expectation: &AxialExpectation<'_>) -> Result<Option<AxialReport>, Invalid> {
    let AxialExpectation { law, coordinates, compute, libraries, path, storage } = *expectation;
    let Some(convention) = law.convention().of_one_axis() else { return Ok(None) };
    let Some((rows, positions)) = positions(coordinates, 0) else { return Ok(None) };
    let distinct = coordinates.distinct(0).len() == coordinates.rows();
    // A base below 1 is one of axes alone.
    let as_it_is = convention.validate().is_ok() && convention.clone().for_length(positions.max() + 1) == convention;
    if !distinct || !as_it_is || !rows.is_sorted() || rows.len() != subject.judged().rows() {
        return Ok(None);
    }
    let positions = Some(positions);
    let plain = Expectation { convention, positions, compute, libraries, path, storage, duplication: None };
    let report = judge_repeated(subject, &plain)?;
    let open = report.findings.first().is_some_and(|finding| finding.status == Status::Unexplained);
    Ok(if open { None } else { Some(in_words_of_axes(subject, expectation, (report, &rows))?) })
}

/// The identification of an encoding of one axis whose rows are at increasing whole coordinates, and its convention as one of axes; none
/// where nothing is established, or what is depends on the length.
pub(super) fn identified(
    subject: Subject<'_>,
    coordinates: &Coordinates,
    name: &str,
) -> Result<Option<(Identification, AxialConvention)>, Invalid> {
    let (1, Some((rows, positions))) = (coordinates.axes(), positions(coordinates, 0)) else { return Ok(None) };
    let in_order = rows.is_sorted() && rows.len() == subject.judged().rows();
    if !in_order || coordinates.distinct(0).len() != rows.len() {
        return Ok(None);
    }
    // Rows that may be heads have no axis of their own.
    let Ok(mut found) = identify(subject, Some(&positions)) else { return Ok(None) };
    let established = found.convention.clone().filter(|_| found.confidence == Confidence::Established);
    let Some(one) = established.filter(|one| one.clone().for_length(positions.max() + 1) == *one) else {
        return Ok(None);
    };
    let axes = whole_axis(name, &one).into_iter().collect();
    let convention = AxialConvention { axes, ..AxialConvention::from(&one) };
    let Ok(law) = convention.law(|_| Err("none are stored".into())) else { return Ok(None) };
    let tables = subject.judged().slabs();
    found.findings.iter_mut().for_each(|finding| *finding = placed(finding, (&law, coordinates), (0, &rows, tables)));
    Ok(Some((found, convention)))
}

/// The report of one axis as that of a convention of axes.
fn in_words_of_axes(
    subject: Subject<'_>,
    stated: &AxialExpectation<'_>,
    (report, rows): (Report, &[usize]),
) -> Result<AxialReport, Invalid> {
    let (law, coordinates) = (stated.law, stated.coordinates);
    let names = || law.axes().iter().map(|axis| axis.name().to_owned()).collect::<Vec<_>>();
    let tables = subject.judged().slabs();
    let worst = report.worst.clone().map(|worst| WorstEntry {
        row: rows.get(worst.row).copied().unwrap_or_default(),
        axes: worst.pair.map_or_else(Vec::new, |_| names()),
        ..worst
    });
    Ok(AxialReport {
        schema: SCHEMA,
        subject: report.subject,
        grade: report.grade,
        conforms: report.conforms,
        expected: law.convention().clone(),
        found: match &report.found {
            Some(found) if *found != report.expected => Some(in_axes(law.convention(), found)),
            found => found.as_ref().map(|_| law.convention().clone()),
        },
        entries: report.entries,
        worst,
        findings: report
            .findings
            .iter()
            .map(|finding| placed(finding, (law, coordinates), (0, rows, tables)))
            .collect(),
        mend: mend(stated, &report),
        compute: report.compute,
        libraries: report.libraries,
        path: report.path,
        storage: report.storage,
        columns: cells(subject, law)?.1,
        rotation: law.is_rotation(),
        undetermined: if rows.len() < 2 { names() } else { Vec::new() },
        pairs: report.pairs.iter().map(|part| PairPart { axes: names(), ..part.clone() }).collect(),
        statistics: report.statistics,
        information: report.information,
        decades: report.decades,
        inputs: report.inputs,
    })
}

/// The stated convention of one axis with what another one has.
fn in_axes(stated: &AxialConvention, found: &Convention) -> AxialConvention {
    let axes = stated.axes.iter().filter_map(|axis| whole_axis(&axis.name, found)).collect();
    AxialConvention { axes, ..AxialConvention::from(found) }
}

/// An axis that claims every pair of a convention.
fn whole_axis(name: &str, of: &Convention) -> Option<Axis> {
    Some(Axis::new(name, Ranges::of(&(0..of.pairs()).collect::<Vec<_>>())?))
}

/// Mend of the judgement of one axis, as a statement of axes; none where it is another path.
fn mend(stated: &AxialExpectation<'_>, report: &Report) -> Option<AxialMend> {
    let mend = report.mend.as_ref().filter(|mend| mend.path == stated.path)?;
    Some(AxialMend::of(in_axes(stated.law.convention(), &mend.convention), mend.compute, mend.storage))
}

/// A finding of one axis, with its place among several: the slots of the axis, and the rows as they were before they were put in order.
fn placed(
    finding: &Finding,
    (law, coordinates): (&AxialLaw, &Coordinates),
    (axis, rows, heads): (usize, &[usize], usize),
) -> Finding {
    let slots = law.axes()[axis].slots();
    let region = finding.region.as_ref().and_then(|region| {
        let mut all: Vec<usize> = region.rows.iter().filter_map(|row| rows.get(row).copied()).collect();
        all.sort_unstable();
        let rows = Span::of(all)?;
        let text = |row: usize| coordinates.row(row).map(|row| row.iter().map(ToString::to_string).collect());
        let pairs = region.pairs.and_then(|pairs| Span::of(pairs.iter().filter_map(|pair| slots.get(pair).copied())));
        Some(Region {
            positions: region.positions,
            before: region.before,
            has_axes: true,
            coordinates: [text(rows.first), text(rows.last)],
            rows,
            heads: region.heads,
            pairs,
            axes: vec![law.axes()[axis].name().to_owned()],
            component: region.component,
            of: Shape { rows: coordinates.rows(), heads, pairs: law.slots() },
        })
    });
    let several = law.axes().len() > 1;
    Finding { region, confined: finding.confined || several, ..finding.clone() }
}

/// Judgement of axes whose entries are beyond their bounds, each by the judge of one axis.
pub(super) struct Alone {
    pub findings: Vec<Finding>,
    pub grade: Grade,
    /// The convention with what mends each axis, where something does.
    pub mend: Option<AxialMend>,
}

impl Alone {
    /// True if no finding is a factor of all angles, a list of positions of single rows, or of entries by themselves: a hypothesis about
    /// several axes says more of these.
    pub fn is_of_a_law(&self) -> bool {
        let listed = |finding: &Finding| {
            use Cause::{Apart, Earlier, PairFrequency, Scaled};
            matches!(finding.cause, Scaled { .. } | Earlier { .. } | Apart { .. } | PairFrequency { .. })
        };
        !self.findings.iter().any(listed)
    }
}

/// Axes with entries beyond their bounds, and how many each has; `counts` has those of each slot.
pub(super) fn departing(law: &AxialLaw, counts: &[u64]) -> Vec<(usize, u64)> {
    let of = |axis: usize| law.axes()[axis].slots().iter().filter_map(|&slot| counts.get(slot)).sum();
    (0..law.axes().len()).map(|axis| (axis, of(axis))).filter(|(_, count)| *count > 0).collect()
}

/// The judgement of these axes, each alone; none where one of them is left open.
pub(super) fn each(case: &AxialSymptoms<'_>, departing: &[(usize, u64)]) -> Result<Option<Alone>, Invalid> {
    let stated = case.law.convention();
    if case.law.heads() > 1 || departing.is_empty() {
        return Ok(None);
    }
    let (mut findings, mut grade, mut mends) = (Vec::new(), Grade::Degraded, Some(stated.clone()));
    let (mut compute, mut storage) = (case.compute.0.format, None);
    for &(axis, count) in departing {
        let Some((report, found)) = alone(case, (axis, count))? else { return Ok(None) };
        findings.extend(found);
        grade = grade.max(report.grade);
        let mend = report.mend.filter(|mend| mend.path == case.compute.1 || mend.path.is_none());
        mends = mends.zip(mend).and_then(|(mut whole, mend)| {
            compute = mend.compute;
            storage = mend.storage.filter(|format| *format != case.storage);
            let kept = Convention { rotary_dim: None, ..report.expected.clone() };
            let alike = Convention { dim: kept.dim, layout: kept.layout, order: kept.order, ..mend.convention.clone() };
            if alike != mend.convention {
                return None;
            }
            let own = AxialConvention::from(&mend.convention).parameters;
            let parameters =
                if whole.axes.is_empty() { &mut whole.parameters } else { &mut whole.axes.get_mut(axis)?.parameters };
            // Parameters as they were stated are not said again.
            if mend.convention != report.expected {
                *parameters = AxisParameters { order: parameters.order, ..own };
            }
            Some(whole)
        });
    }
    let mend = mends.map(|convention| AxialMend::of(convention, compute, storage));
    Ok(Some(Alone { findings, grade, mend }))
}

/// Judgement of one axis, of which so many entries are beyond their bounds.
fn alone(case: &AxialSymptoms<'_>, (number, count): (usize, u64)) -> Result<Option<(Report, Vec<Finding>)>, Invalid> {
    let (law, coordinates, subject) = (case.law, case.coordinates, case.subject);
    let Some(convention) = convention(law, number) else { return Ok(None) };
    let Some((rows, positions)) = positions(coordinates, number) else { return Ok(None) };
    let grid = subject.judged();
    let entries = rows.len().saturating_mul(convention.dim).saturating_mul(grid.slabs());
    let as_it_is = convention.clone().for_length(positions.max() + 1) == convention;
    let whole = (0..grid.slabs()).eq(case.scope.slabs.iter().copied());
    if entries > MOST_ENTRIES || !as_it_is || !whole {
        return Ok(None);
    }
    let Some((written, read, times)) = columns(subject, law, number)? else { return Ok(None) };
    let judged: Vec<PickedColumns<'_>> = subject
        .grids()
        .into_iter()
        .zip(written)
        .map(|((_, grid), columns)| PickedColumns::new(grid, columns))
        .collect();
    let x = if let Subject::Rotation { x, .. } = subject { Some(PickedColumns::new(x, read)) } else { None };
    let part = match (subject.with(judged.iter().map(|grid| grid as &dyn Grid)), &x) {
        (Subject::Rotation { y, .. }, Some(x)) => Subject::Rotation { x, y },
        (part, _) => part,
    };
    let in_order = PickedRows::new(part, &rows);
    let (Compute { format: compute, libraries }, path) = case.compute;
    let (positions, storage) = (Some(positions), Some(case.storage));
    let expectation = Expectation { convention, positions, compute, libraries, path, storage, duplication: None };
    let report = judge_repeated(in_order.subject(), &expectation)?;
    let explained = |finding: &Finding| finding.status == Status::Confirmed;
    let all = report.statistics.exceeding * times == count && !report.findings.is_empty();
    if report.conforms || !all || !report.findings.iter().all(explained) {
        return Ok(None);
    }
    let of = case.exceeding;
    let told = |finding: &Finding| {
        let placed = placed(finding, (law, coordinates), (number, &rows, grid.slabs()));
        let entries = placed.explains.entries * times;
        Finding { explains: Explained { entries, of }, ..placed }
    };
    let findings = report.findings.iter().map(told).collect();
    Ok(Some((report, findings)))
}

/// The convention of an axis alone, where all of its frequencies are those of one, in order.
fn convention(law: &AxialLaw, number: usize) -> Option<Convention> {
    let axis = &law.axes()[number];
    let convention = axis.one_axis()?;
    let in_order = axis.index()?.iter().copied().eq(0..convention.pairs());
    let (offset, scale) = (axis.offset(), axis.scale());
    let alone = axis.slots().iter().all(|&slot| law.claims(slot).len() == 1);
    if !in_order || !alone || scale.of_pi || offset.of_pi {
        return None;
    }
    let sinusoid = law.convention().encoding == Encoding::Sinusoid;
    let interleaved = sinusoid || law.convention().layout == AxialLayout::Interleaved;
    Some(Convention {
        encoding: law.convention().encoding,
        layout: if interleaved { Layout::Interleaved } else { Layout::Halves },
        order: Order::SinCos,
        position_offset: offset.value.clone(),
        position_scale: scale.value.clone(),
        ..convention
    })
}

/// Columns of each grid, those of the vectors of a rotation, and how many columns stand for each slot.
type Picked = (Vec<Vec<usize>>, Vec<usize>, u64);

/// The columns in which an axis is written, as those of an encoding of one axis.
fn columns(subject: Subject<'_>, law: &AxialLaw, number: usize) -> Result<Option<Picked>, Invalid> {
    let slots = law.axes()[number].slots();
    let pairs = |of: &dyn Fn(usize) -> Option<(usize, usize)>| -> Option<Vec<usize>> {
        let all = slots.iter().map(|&slot| of(slot)).collect::<Option<Vec<_>>>()?;
        let interleaved = law.convention().layout == AxialLayout::Interleaved;
        Some(match interleaved {
            true => all.into_iter().flat_map(|(a, b)| [a, b]).collect(),
            false => all.iter().map(|(a, _)| *a).chain(all.iter().map(|(_, b)| *b)).collect(),
        })
    };
    if matches!(subject, Subject::Rotation { .. }) {
        let turn = |slot: usize| law.turns().iter().find(|turn| turn.slots == (slot, slot));
        let read = pairs(&|slot| turn(slot).map(|turn| turn.read));
        let written = pairs(&|slot| turn(slot).map(|turn| turn.write));
        return Ok(read.zip(written).map(|(read, written)| (vec![written], read, 1)));
    }
    let (mut all, mut times) = (Vec::new(), 1);
    for cells in cells(subject, law)?.0 {
        let at = |slot: usize, component| cells.iter().position(|&cell| cell == Cell::Part(slot, component));
        let component = cells.iter().find_map(|cell| cell.component());
        let both = subject.grids().iter().any(|(component, _)| component.is_none());
        let columns: Option<Vec<usize>> = if both {
            slots.iter().flat_map(|&slot| [at(slot, Component::Sin), at(slot, Component::Cos)]).collect()
        } else {
            slots.iter().map(|&slot| at(slot, component?)).collect()
        };
        let Some(columns) = columns else { return Ok(None) };
        if !both {
            times = (cells.len() / law.slots().max(1)).max(1) as u64;
        }
        all.push(columns);
    }
    Ok(Some((all, Vec::new(), times)))
}
