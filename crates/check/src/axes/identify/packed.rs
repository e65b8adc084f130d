//! The convention of sequences of which one departs, where all rows together show none.

use super::{AxialIdentification, identify_axes, judged::is_explained};
use crate::Invalid;
use crate::axes::judgement::{AxialExpectation, check_axes};
use crate::diagnose::is_most;
use crate::picked::PickedRows;
use crate::recognise::Confidence;
use crate::subject::Subject;
use posproof_encoding::axes::Coordinates;

/// Sequences that are identified by themselves, at most: the longest ones.
const TRIED: usize = 3;

/// The identification of one sequence, where the judgement of all explains every entry under its convention: the findings are those of all.
pub(super) fn of_one_sequence(
    subject: Subject<'_>,
    coordinates: &Coordinates,
    names: &[String],
) -> Result<Option<AxialIdentification>, Invalid> {
    let mut sequences = coordinates.packed();
    if sequences.len() < 2 {
        return Ok(None);
    }
    sequences.sort_by_key(|rows| std::cmp::Reverse(rows.len()));
    for rows in sequences.into_iter().take(TRIED) {
        let rows: Vec<usize> = rows.collect();
        let own = coordinates.with_rows(&rows.iter().copied().map(Some).collect::<Vec<_>>());
        let found = identify_axes(PickedRows::new(subject, &rows).subject(), &own, names)?;
        let established = found.confidence == Confidence::Established && found.findings.is_empty();
        let Some(convention) = found.convention.as_ref().filter(|_| established) else { continue };
        let turning = &found.columns_of_positions;
        let placed = if turning.is_empty() { Some(coordinates.clone()) } else { coordinates.with_columns(turning) };
        let (Some(placed), Ok(law)) = (placed, convention.law(|_| Err("none are stored".into()))) else { continue };
        let stated = AxialExpectation { storage: Some(found.storage), ..AxialExpectation::new(&law, &placed) };
        let report = check_axes(subject, &stated)?;
        let explained = report.findings.iter().all(|finding| is_explained(finding, &law, report.entries));
        if explained && !is_most(report.statistics.exceeding, report.entries) {
            return Ok(Some(AxialIdentification { findings: report.findings, ..found }));
        }
    }
    Ok(None)
}
