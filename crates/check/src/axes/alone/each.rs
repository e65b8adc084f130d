//! Each axis of several, by the judge of one axis.

use super::placed::{JudgedPart, together};
use super::positions;
use crate::Invalid;
use crate::axes::cells::{Cell, cells};
use crate::axes::diagnosis::AxialSymptoms;
use crate::axes::mend::AxialMend;
use crate::check::judge_repeated;
use crate::expectation::Expectation;
use crate::faults::{Cause, Explained, Finding, Status};
use crate::grid::Grid;
use crate::picked::{PickedColumns, PickedRows};
use crate::report::{Grade, Report};
use crate::subject::Subject;
use posproof_bound::Compute;
use posproof_encoding::axes::{AxialConvention, AxialLaw, AxialLayout};
use posproof_encoding::convention::{Component, Convention, Encoding, Layout, Order};

/// Entries of an axis that are judged alone.
const MOST_ENTRIES: usize = 1 << 24;

/// Judgement of axes whose entries are beyond their bounds, each by the judge of one axis.
pub(in crate::axes) struct Alone {
    pub findings: Vec<Finding>,
    pub grade: Grade,
    /// The convention with what mends each axis, where something does.
    pub mend: Option<AxialMend>,
    /// True if the findings of one axis mend all of them: their places are those of all.
    pub is_of_all: bool,
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
pub(in crate::axes) fn departing(law: &AxialLaw, counts: &[u64]) -> Vec<(usize, u64)> {
    let of = |axis: usize| law.axes()[axis].slots().iter().filter_map(|&slot| counts.get(slot)).sum();
    (0..law.axes().len()).map(|axis| (axis, of(axis))).filter(|(_, count)| *count > 0).collect()
}

/// The judgement of these axes, each alone; none where one of them is left open. Where they do not say the same, what one of them says of
/// itself is asked of all: they have one cause before they have several.
pub(in crate::axes) fn each(
    case: &AxialSymptoms<'_>,
    departing: &[(usize, u64)],
    conforms: &dyn Fn(&AxialMend) -> bool,
) -> Result<Option<Alone>, Invalid> {
    if case.law.heads() > 1 || departing.is_empty() {
        return Ok(None);
    }
    let (law, axes) = (case.law, case.law.axes().len());
    let parts: Vec<AlonePart> = match law.of_one_axis_at(case.coordinates) {
        // Of several axes with one coordinate each would show less.
        Some(convention) => {
            let (slots, count) = ((0..law.slots()).collect(), departing.iter().map(|(_, count)| count).sum());
            vec![AlonePart { axes: (0..axes).collect(), slots, convention: Some(convention), count }]
        }
        None => departing.iter().map(|&(axis, count)| AlonePart::of(law, axis, count)).collect(),
    };
    let judged: Vec<Option<JudgedAxis>> = parts.iter().map(|part| alone(case, part)).collect::<Result<_, _>>()?;
    let explained = |judged: &JudgedAxis| {
        let all = judged.findings.iter().all(|finding| finding.status == Status::Confirmed);
        // A base of another dimension than the axis has is not the one that it states.
        let found = judged.report.found.as_ref();
        let alike = found.is_none_or(|found| found.frequency_dim == judged.report.expected.frequency_dim);
        !judged.findings.is_empty() && all && alike
    };
    let known: Vec<&JudgedAxis> = judged.iter().flatten().filter(|judged| explained(judged)).collect();
    let told = |known: &[&JudgedAxis]| known.iter().flat_map(|judged| judged.findings.clone()).collect::<Vec<_>>();
    let findings = together(told(&known), axes);
    let is_one = known.len() == parts.len() && known.iter().all(|judged| judged.findings.len() == findings.len());
    if !is_one {
        let concerned: Vec<usize> = departing.iter().map(|(axis, _)| *axis).collect();
        for judged in &known {
            let Some(mend) = judged.mend(case, case.law.convention(), &concerned).filter(conforms) else { continue };
            let explains = Explained { entries: case.exceeding, of: case.exceeding };
            let confined = concerned.len() < axes;
            let of_all = |finding: &Finding| Finding { explains, confined, region: None, ..finding.clone() };
            let findings = judged.findings.iter().map(of_all).collect();
            return Ok(Some(Alone { findings, grade: judged.report.grade, mend: Some(mend), is_of_all: true }));
        }
    }
    if known.len() < parts.len() {
        return Ok(None);
    }
    let grade = known.iter().fold(Grade::Degraded, |grade, judged| grade.max(judged.report.grade));
    let mend = known.iter().try_fold(None, |whole: Option<AxialMend>, judged| {
        let stated = whole.as_ref().map_or(case.law.convention(), |mend| &mend.convention);
        judged.mend(case, stated, &judged.axes).map(Some)
    });
    Ok(Some(Alone { findings, grade, mend: mend.flatten(), is_of_all: false }))
}

/// An axis, or several with one coordinate, as an encoding of one axis.
struct AlonePart {
    axes: Vec<usize>,
    slots: Vec<usize>,
    /// None where it is that of none.
    convention: Option<Convention>,
    /// Entries beyond their bounds.
    count: u64,
}

impl AlonePart {
    fn of(law: &AxialLaw, axis: usize, count: u64) -> Self {
        Self { axes: vec![axis], slots: law.axes()[axis].slots().to_vec(), convention: convention(law, axis), count }
    }
}

/// Its judgement.
struct JudgedAxis {
    axes: Vec<usize>,
    report: Report,
    /// With their places among several axes.
    findings: Vec<Finding>,
}

impl JudgedAxis {
    /// Its mend, as a restatement of some axes of a convention; none where it has none, or axes cannot say it.
    fn mend(&self, case: &AxialSymptoms<'_>, stated: &AxialConvention, axes: &[usize]) -> Option<AxialMend> {
        let Report { mend, expected, .. } = &self.report;
        let mend = mend.as_ref().filter(|mend| mend.path == case.compute.1 || mend.path.is_none())?;
        // The order of the columns that were picked is not that of the convention.
        let alike = mend.convention.order == expected.order;
        let convention = stated.restated(axes, (expected, &mend.convention)).filter(|_| alike)?;
        let storage = mend.storage.filter(|format| *format != case.storage);
        Some(AxialMend::of(convention, mend.compute, storage))
    }
}

/// Judgement of a part; none where it cannot be asked, or conforms.
fn alone(case: &AxialSymptoms<'_>, part: &AlonePart) -> Result<Option<JudgedAxis>, Invalid> {
    let (law, coordinates, subject) = (case.law, case.coordinates, case.subject);
    let AlonePart { axes, slots, convention, count } = part;
    let Some(convention) = convention.clone().map(|convention| picked(law, convention)) else { return Ok(None) };
    let Some((rows, positions)) = positions(coordinates, axes[0]) else { return Ok(None) };
    let grid = subject.judged();
    let entries = rows.len().saturating_mul(convention.dim).saturating_mul(grid.slabs());
    let as_it_is = convention.clone().for_length(positions.max() + 1) == convention;
    let whole = (0..grid.slabs()).eq(case.scope.slabs.iter().copied());
    if entries > MOST_ENTRIES || !as_it_is || !whole {
        return Ok(None);
    }
    let Some((written, read, times)) = columns(subject, law, slots)? else { return Ok(None) };
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
    if report.conforms {
        return Ok(None);
    }
    let of = case.exceeding;
    let part = JudgedPart { law, coordinates, slots, rows: &rows, tables: grid.slabs() };
    let told = |finding: &Finding| {
        let placed = part.placed(finding);
        // The bounds of one axis and of several may differ in a last place.
        let entries = Explained { entries: placed.explains.entries * times, of: placed.explains.of * times };
        Finding { explains: Explained { of, ..entries.among(*count, of) }, ..placed }
    };
    let findings = report.findings.iter().map(told).collect();
    Ok(Some(JudgedAxis { axes: axes.clone(), report, findings }))
}

/// The convention of an axis alone.
fn convention(law: &AxialLaw, number: usize) -> Option<Convention> {
    let axis = &law.axes()[number];
    axis.run().filter(|_| axis.slots().iter().all(|&slot| law.claims(slot).len() == 1))
}

/// The convention as the columns are picked: slots as the pairs of one.
fn picked(law: &AxialLaw, convention: Convention) -> Convention {
    let sinusoid = law.convention().encoding == Encoding::Sinusoid;
    let interleaved = sinusoid || law.convention().layout == AxialLayout::Interleaved;
    Convention {
        encoding: law.convention().encoding,
        dim: convention.rotated_dim(),
        rotary_dim: None,
        layout: if interleaved { Layout::Interleaved } else { Layout::Halves },
        order: Order::SinCos,
        ..convention
    }
}

/// Columns of each grid, those of the vectors of a rotation, and how many columns stand for each slot.
type Picked = (Vec<Vec<usize>>, Vec<usize>, u64);

/// The columns in which an axis is written, as those of an encoding of one axis.
fn columns(subject: Subject<'_>, law: &AxialLaw, slots: &[usize]) -> Result<Option<Picked>, Invalid> {
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
