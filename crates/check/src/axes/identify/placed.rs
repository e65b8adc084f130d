//! Axes at known positions: of all rows, or of a sequence where one departs and all rows together show no convention.

use super::answer::AxialIdentification;
use super::found::found_in;
use super::judged::{self, Aim, is_explained};
use crate::Invalid;
use crate::axes::alone;
use crate::axes::check::check_axes;
use crate::axes::expectation::AxialExpectation;
use crate::faults::is_most;
use crate::input::About;
use crate::joined::JoinedSequences;
use crate::levels::{Quantised, Statement};
use crate::picked::PickedRows;
use crate::recognise::Confidence;
use crate::subject::Subject;
use posproof_encoding::axes::Coordinates;

/// Says which convention the entries follow at these coordinates. `names` are those of the columns of the coordinates; x0, x1, … where
/// there are fewer.
///
/// # Errors
///
/// For half a cache, which shows no angle, for more names than columns, and for arrays that do not go with each other or with the
/// coordinates.
pub fn identify_axes(
    subject: Subject<'_>,
    coordinates: &Coordinates,
    names: &[String],
) -> Result<AxialIdentification, Invalid> {
    if names.len() > coordinates.axes() {
        let expected = format!("{} at most, one for each column of the positions", coordinates.axes());
        let advice = "give the positions along each axis, or fewer names";
        return Err(About("axes").error("the names", expected, names.len().to_string(), advice).into());
    }
    let joined = JoinedSequences::of(subject, coordinates)?;
    let subject = joined.as_ref().map_or(subject, JoinedSequences::subject);
    let quantised = Quantised::new(subject, Statement::default())?;
    let subject = quantised.as_ref().map_or(subject, Quantised::subject);
    let name = names.first().map_or("x0", String::as_str);
    let alone = alone::identified(subject, coordinates, name)?;
    let aim = if alone.is_some() { Aim::Rates } else { Aim::Judged(check_axes) };
    let measured = found_in(subject, (coordinates, names), (0, aim))?;
    match alone {
        Some(alone) => Ok(judged::of_one_axis(name, alone, measured)),
        None if measured.convention.is_some() => Ok(measured),
        None => Ok(of_one_sequence(subject, coordinates, names)?.unwrap_or(measured)),
    }
}

/// Sequences that are identified by themselves, at most: the longest ones.
const TRIED: usize = 3;

/// The identification of one sequence, where the judgement of all explains every entry under its convention: the findings are those of all.
fn of_one_sequence(
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
