//! Each axis of several, by the judge of one axis.

use super::judged::JudgedAxis;
use super::lattice::law_of;
use super::part_judgement::judge_part;
use super::parts::{AlonePart, PickedSlots, picked, positions, runs};
use super::placed::{JudgedPart, together};
use crate::Invalid;
use crate::axes::mend::{AxialMend, MostExplained};
use crate::axes::symptoms::AxialSymptoms;
use crate::expectation::Expectation;
use crate::faults::{Cause, Code, Explained, Finding, Status};
use crate::judged::Judged;
use crate::picked::PickedRows;
use crate::rates::omega;
use crate::report::Grade;
use crate::subject::Subject;
use posproof_bound::{Compute, Path};
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_table::Positions;

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
    /// True if the axes say the same.
    pub is_one: bool,
}

impl Alone {
    /// True if a finding is of entries by themselves.
    pub fn has_apart(&self) -> bool {
        self.findings.iter().any(|finding| matches!(finding.cause, Cause::Apart { .. }))
    }

    /// True if no finding is a factor of all angles, a list of positions of single rows or the matrix of a rotation, and the first is not of
    /// entries by themselves: a hypothesis about several axes says more of these.
    pub fn is_of_a_law(&self, subject: Subject<'_>) -> bool {
        let rotation = matches!(subject, Subject::Rotation { .. });
        let listed = |finding: &Finding| {
            use Cause::{Earlier, PairFrequency, Scaled};
            rotation && finding.code() == Code::NotARotation
                || matches!(finding.cause, Scaled { .. } | Earlier { .. } | PairFrequency { .. })
        };
        let apart = |finding: &Finding| matches!(finding.cause, Cause::Apart { .. });
        !self.findings.first().is_some_and(apart) && !self.findings.iter().any(listed)
    }
}

/// Answers of the judge of one axis, about axes.
#[derive(Default)]
pub(in crate::axes) struct JudgedAlone {
    /// The judgement that explains every entry.
    pub told: Option<Alone>,
    /// The answer of one axis that leaves the fewest entries of all, where that is few.
    pub most: Option<MostExplained>,
    /// The findings of each axis, where one has a cause and another is left unexplained.
    pub open: Vec<Finding>,
}

/// Axes with entries beyond their bounds, and how many each has; `counts` has those of each slot.
pub(in crate::axes) fn departing(law: &AxialLaw, counts: &[u64]) -> Vec<(usize, u64)> {
    let of = |axis: usize| law.axes()[axis].slots().iter().filter_map(|&slot| counts.get(slot)).sum();
    (0..law.axes().len()).map(|axis| (axis, of(axis))).filter(|(_, count)| *count > 0).collect()
}

/// The judgement of these axes, each alone. Where they do not say the same, what one of them says of itself is asked of all: they have one
/// cause before they have several. `left` counts the entries that a mend leaves beyond their bounds.
pub(in crate::axes) fn each(
    case: &AxialSymptoms<'_>,
    (counts, path): (&[u64], Option<Path>),
    left: &dyn Fn(&AxialMend) -> Option<u64>,
) -> Result<JudgedAlone, Invalid> {
    let mut most: Option<MostExplained> = None;
    let departing = departing(case.law, counts);
    // Axes with one coordinate are judged as one, of which each would show less.
    if case.law.heads() > 1 || departing.is_empty() || case.law.of_one_axis_at(case.coordinates).is_some() {
        return Ok(JudgedAlone::default());
    }
    let (law, axes) = (case.law, case.law.axes().len());
    let parts: Vec<AlonePart> = departing.iter().flat_map(|&(axis, _)| AlonePart::of(law, axis, counts)).collect();
    let judged: Vec<Option<JudgedAxis>> = parts.iter().map(|part| alone(case, part, path)).collect::<Result<_, _>>()?;
    // A part of which only entries that are no numbers depart has nothing to say.
    let says = |judged: &Option<JudgedAxis>| judged.as_ref().is_none_or(|judged| !judged.findings.is_empty());
    let (parts, judged): (Vec<AlonePart>, Vec<Option<JudgedAxis>>) =
        parts.into_iter().zip(judged).filter(|(_, judged)| says(judged)).unzip();
    if parts.is_empty() {
        return Ok(JudgedAlone::default());
    }
    let explained = |judged: &JudgedAxis| {
        let all = judged.findings.iter().all(|finding| finding.status == Status::Confirmed);
        // A base of another dimension than the axis has is not the one that it states.
        let found = judged.report.found.as_ref();
        let alike = found.is_none_or(|found| found.frequency_dim == judged.report.expected.frequency_dim);
        // The scale of a softmax is that of a head's dimension, of which an axis has a part.
        let of_head = judged.findings.iter().any(|finding| finding.code() == Code::SoftmaxScale);
        !judged.findings.is_empty() && all && alike && !of_head
    };
    let known: Vec<&JudgedAxis> = judged.iter().flatten().filter(|judged| explained(judged)).collect();
    let told = |known: &[&JudgedAxis]| known.iter().flat_map(|judged| judged.findings.clone()).collect::<Vec<_>>();
    let whole = parts_of(law);
    let findings = together(told(&known), whole);
    let is_one = known.len() == parts.len() && known.iter().all(|judged| judged.findings.len() == findings.len());
    if !is_one {
        let concerned: Vec<usize> = departing.iter().map(|(axis, _)| *axis).collect();
        let mut of_all = |judged: &JudgedAxis| {
            let mend = judged.restated(case, (case.law.convention(), path), &concerned)?;
            let left = left(&mend)?;
            let explains = Explained { entries: case.exceeding, of: case.exceeding };
            let confined = concerned.len() < axes;
            let told = |finding: &Finding| Finding { explains, confined, region: None, ..finding.clone() };
            // What is of a part of the axis is judged again, with what is left.
            let of_whole = |finding: &&Finding| judged.report.mend.is_some() || !finding.confined;
            let findings = judged.findings.iter().filter(of_whole).map(told).collect();
            if left > 0 {
                if most.as_ref().is_none_or(|most| left < most.left) {
                    most = Some(MostExplained { findings, mend, left });
                }
                return None;
            }
            Some(Alone { findings, grade: judged.report.grade, mend: Some(mend), is_of_all: true, is_one: true })
        };
        if let Some(alone) = known.iter().find_map(|judged| of_all(judged)) {
            return Ok(JudgedAlone { told: Some(alone), ..JudgedAlone::default() });
        }
        for part in &parts {
            if let Some(alone) = law_of(case, part, path)?.as_ref().and_then(&mut of_all) {
                return Ok(JudgedAlone { told: Some(alone), ..JudgedAlone::default() });
            }
        }
    }
    if known.len() < parts.len() {
        let all: Vec<&JudgedAxis> = judged.iter().flatten().collect();
        let named =
            |judged: &&JudgedAxis| judged.findings.first().is_some_and(|first| first.code() != Code::Unexplained);
        let says = all.len() == parts.len() && all.iter().any(named);
        let open = if says { together(told(&all), whole) } else { Vec::new() };
        return Ok(JudgedAlone { told: None, most, open });
    }
    let grade = known.iter().fold(Grade::Degraded, |grade, judged| grade.max(judged.report.grade));
    let mend = known.iter().try_fold(None, |whole: Option<AxialMend>, judged| {
        let stated = whole.as_ref().map_or(case.law.convention(), |mend| &mend.convention);
        judged.mend(case, (stated, path), &[judged.axis]).map(Some)
    });
    let told = Some(Alone { findings, grade, mend: mend.flatten(), is_of_all: false, is_one });
    Ok(JudgedAlone { told, most, ..JudgedAlone::default() })
}

/// Number of parts that the axes have.
fn parts_of(law: &AxialLaw) -> usize {
    (0..law.axes().len()).map(|axis| runs(law, axis).len()).sum()
}

/// Judgement of a part; none where it cannot be asked, or conforms.
fn alone(case: &AxialSymptoms<'_>, part: &AlonePart, path: Option<Path>) -> Result<Option<JudgedAxis>, Invalid> {
    let (law, coordinates, subject) = (case.law, case.coordinates, case.subject);
    let AlonePart { axis, slots, convention, count } = part;
    let Some(convention) = convention.clone().map(|convention| picked(law, convention)) else { return Ok(None) };
    let Some((rows, positions)) = positions(coordinates, *axis) else { return Ok(None) };
    let grid = subject.judged();
    let entries = rows.len().saturating_mul(convention.dim).saturating_mul(grid.slabs());
    let as_it_is = convention.clone().for_length(positions.max() + 1) == convention;
    let whole = (0..grid.slabs()).eq(case.scope.slabs.iter().copied());
    if entries > MOST_ENTRIES || !as_it_is || !whole {
        return Ok(None);
    }
    let Some(columns) = PickedSlots::new(subject, law, slots)? else { return Ok(None) };
    let (in_order, times) = (PickedRows::new(columns.subject(), &rows), columns.times);
    let Compute { format: compute, libraries } = case.compute.0;
    let (positions, storage) = (Some(positions), Some(case.storage));
    let expectation = Expectation { convention, positions, compute, libraries, path, storage, duplication: None };
    let report = judge_part(in_order.subject(), &expectation)?;
    if report.conforms {
        return Ok(None);
    }
    let of = case.exceeding;
    let part = JudgedPart { law, coordinates, slots, rows: &rows, beyond: &case.beyond, tables: grid.slabs() };
    let told = |finding: &Finding| {
        let placed = part.placed(finding);
        // The bounds of one axis and of several may differ in a last place.
        let entries = Explained { entries: placed.explains.entries * times, of: placed.explains.of * times };
        let cause = repeated(placed.cause, times);
        Finding { explains: Explained { of, ..entries.among(*count, of) }, cause, ..placed }
    };
    // Entries that are no numbers are told of all axes.
    let finite = |finding: &&Finding| finding.code() != Code::NotFinite;
    let findings = report.findings.iter().filter(finite).map(told).collect();
    Ok(Some(JudgedAxis { axis: *axis, report, findings }))
}

/// A cause that counts entries, of columns that a cache has so many times.
fn repeated(cause: Cause, times: u64) -> Cause {
    match cause {
        Cause::Apart { entries, others, silent } => {
            Cause::Apart { entries: entries * times, others: others * times, silent: silent * times }
        }
        Cause::Unexplained { entries, first, last, frequencies } => {
            Cause::Unexplained { entries: entries * times, first, last, frequencies }
        }
        other => other,
    }
}

/// True if the frequencies of an axis depart from the exact ones as no path makes them, each though it is within the bound of one.
pub(in crate::axes) fn departs_from_every_path(
    subject: Subject<'_>,
    (law, coordinates): (&AxialLaw, &Coordinates),
    compute: Compute,
) -> Result<bool, Invalid> {
    let runs = (0..law.axes().len()).flat_map(|axis| runs(law, axis).into_iter().map(move |run| (axis, run)));
    for (axis, (slots, convention)) in runs.filter(|_| law.heads() == 1) {
        let Some(convention) = convention.map(|convention| picked(law, convention)) else { continue };
        let Some((rows, positions)) = positions(coordinates, axis) else { continue };
        // One row of each position shows the frequencies.
        let mut each: Vec<(u64, usize)> = positions.iter().zip(rows).collect();
        each.dedup_by_key(|(position, _)| *position);
        let (positions, rows): (Vec<u64>, Vec<usize>) = each.into_iter().unzip();
        let positions = Positions::list(positions)?;
        let Some(columns) = PickedSlots::new(subject, law, &slots)? else { continue };
        let (in_order, omega) = (PickedRows::new(columns.subject(), &rows), omega(&convention).unwrap_or_default());
        let (subject, convention) = (in_order.subject(), &convention);
        let judged = Judged::new(subject, convention, &positions, (&omega, compute));
        if judged.departs_from_every_path()? {
            return Ok(true);
        }
    }
    Ok(false)
}
