//! The law of an axis at equally spaced coordinates of any kind: fractional, negative and repeated ones.

use super::judged::JudgedAxis;
use super::parts::{AlonePart, PickedSlots, picked};
use crate::Invalid;
use crate::axes::symptoms::AxialSymptoms;
use crate::check::judge_repeated;
use crate::expectation::Expectation;
use crate::faults::{Code, Finding, Status};
use crate::mend::Mend;
use crate::picked::PickedRows;
use crate::report::Report;
use posproof_bound::{Compute, Path};
use posproof_encoding::convention::Convention;
use posproof_encoding::real::Real;
use posproof_table::Positions;

/// Codes of faults whose figures do not depend on where coordinates are counted from, and in which steps.
const OF_LAWS: [Code; 5] =
    [Code::OtherBase, Code::FrequencySpacing, Code::FrequencyOrigin, Code::Amplitude, Code::Direction];

/// Rows that show no law.
const FEWEST: usize = 8;

/// The judgement of a part by one row of each coordinate, counted in steps from the first: n ↦ (n + (x₀ + o)/h)·hs has the angles of
/// x₀ + nh ↦ (x + o)·s. None where it cannot be asked, or its law is not what is wrong.
pub(super) fn law_of(
    case: &AxialSymptoms<'_>,
    part: &AlonePart,
    path: Option<Path>,
) -> Result<Option<JudgedAxis>, Invalid> {
    let (law, coordinates, axis) = (case.law, case.coordinates, part.axis);
    let Some(stated) = part.convention.clone().map(|convention| picked(law, convention)) else { return Ok(None) };
    let (Some(first), Some((step, beyond))) = (coordinates.distinct(axis).first(), coordinates.steps(axis)) else {
        return Ok(None);
    };
    let mut rows = vec![None; beyond.len()];
    for row in 0..coordinates.rows() {
        if let Some(at) = coordinates.place(row, axis) {
            rows[at].get_or_insert(row);
        }
    }
    let (positions, rows): (Vec<u64>, Vec<usize>) =
        beyond.into_iter().zip(rows).filter_map(|(position, row)| Some((position, row?))).unzip();
    let Ok(positions) = Positions::list(positions) else { return Ok(None) };
    let counted = |of: &Convention| Convention {
        position_offset: Real::from((first + of.position_offset.value()) / &step),
        position_scale: Real::from(of.position_scale.value() * &step),
        ..of.clone()
    };
    let convention = counted(&stated);
    let as_it_is = convention.clone().for_length(positions.max() + 1) == convention && convention.validate().is_ok();
    let Some(columns) = PickedSlots::new(case.subject, law, &part.slots)?.filter(|_| as_it_is && rows.len() >= FEWEST)
    else {
        return Ok(None);
    };
    let Compute { format: compute, libraries } = case.compute.0;
    let (positions, storage) = (Some(positions), Some(case.storage));
    let expectation = Expectation { convention, positions, compute, libraries, path, storage, duplication: None };
    let report = judge_repeated(PickedRows::new(columns.subject(), &rows).subject(), &expectation)?;
    let of_law = |finding: &Finding| finding.status == Status::Confirmed && OF_LAWS.contains(&finding.code());
    let all = !report.findings.is_empty() && report.findings.iter().all(of_law);
    let Some(mend) = report.mend.clone().filter(|_| all) else { return Ok(None) };
    let back = Convention {
        position_offset: Real::from(mend.convention.position_offset.value() * &step - first),
        position_scale: Real::from(mend.convention.position_scale.value() / &step),
        ..mend.convention.clone()
    };
    let findings = report.findings.clone();
    let report = Report { expected: stated, mend: Some(Mend { convention: back, ..mend }), ..report };
    Ok(Some(JudgedAxis { axis: part.axis, report, findings }))
}
