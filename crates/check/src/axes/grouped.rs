//! Sequences and tables that are told each by itself, where all of them together have no cause.

use super::comparison::AxialComparison;
use super::expectation::AxialExpectation;
use super::judgement::judge;
use super::precedence::patternless;
use super::report::AxialReport;
use crate::Invalid;
use crate::batch::{self, Groups};
use crate::check::is_unexplained;
use crate::compared::ComparedRows;
use crate::faults::{Cause, DELTA_LOST, Finding, Status};
use crate::subject::Subject;
use posproof_bound::AxialAllowance;
use posproof_encoding::axes::{AxialConvention, Coordinates};
use std::ops::Range;

/// Rows of packed sequences, on average, at least: rows that fall, or wander, are no sequences of a few rows each.
const FEWEST_ROWS: usize = 8;

/// Rows of sequences: of those of a batch first, and of those that are packed into one. None where there is but one.
fn sequences(coordinates: &Coordinates) -> Vec<Vec<Range<usize>>> {
    let (batch, packed) = (coordinates.by_sequence(), coordinates.packed());
    let more = packed.len() > batch.len() && FEWEST_ROWS * packed.len() <= coordinates.rows();
    [batch].into_iter().filter(|batch| batch.len() > 1).chain(more.then_some(packed)).collect()
}

/// The rows with a finite entry beyond its bound, in increasing order.
fn beyond(
    report: &AxialReport,
    subject: Subject<'_>,
    expectation: &AxialExpectation<'_>,
) -> Result<Vec<usize>, Invalid> {
    let (law, coordinates) = (expectation.law, expectation.coordinates);
    let allowance = AxialAllowance::new(law, coordinates, (report.computes(), report.path), report.storage);
    let comparison = AxialComparison::new(subject, law, coordinates, report.storage)?;
    let rows = comparison.along(allowance);
    rows.run()?;
    Ok(rows.beyond.rows.list())
}

/// The sequences that have one of these rows, each with its number.
fn departing(sequences: Vec<Range<usize>>, rows: &[usize]) -> Vec<(usize, Range<usize>)> {
    let departs = |(_, own): &(usize, Range<usize>)| {
        rows.get(rows.partition_point(|row| *row < own.start)).is_some_and(|row| *row < own.end)
    };
    sequences.into_iter().enumerate().filter(departs).collect()
}

/// True of entries that depart by themselves, which may be all of a sequence, and of rows at coordinates of no pattern, which may be those of
/// another factor.
fn is_loose(finding: &Finding) -> bool {
    matches!(finding.cause, Cause::Apart { .. }) || patternless(finding.fault)
}

/// True of coordinates that are off from the first row of a packed sequence to the last row of all: what precedes it is another sequence.
fn is_of_a_sequence(finding: &Finding, coordinates: &Coordinates) -> bool {
    let first = finding.region.as_ref().map(|region| region.rows.first).filter(|_| finding.fault == &DELTA_LOST);
    first.is_some_and(|first| coordinates.packed().iter().skip(1).any(|rows| rows.start == first))
}

/// A report with the findings of sequences or of groups of tables, where all of them together have no cause.
pub(super) fn told(
    report: AxialReport,
    subject: Subject<'_>,
    expectation: &AxialExpectation<'_>,
) -> Result<AxialReport, Invalid> {
    let (coordinates, law) = (expectation.coordinates, expectation.law);
    let open = report.findings.iter().any(is_unexplained);
    let loose = open || report.findings.first().is_some_and(is_loose);
    let sequences = match report.findings.first() {
        Some(first) if loose || is_of_a_sequence(first, coordinates) => sequences(coordinates),
        _ => Vec::new(),
    };
    let of_tables = (open && coordinates.sequences() == 1).then(|| Groups::of_tables(subject, law.heads())).flatten();
    let (exceeding, silent) = (report.statistics.exceeding, report.information.uninformative);
    let others = report.entries.saturating_sub(exceeding + silent);
    let rest = |entries| Cause::Apart { entries, others, silent };
    let rows = if sequences.is_empty() { Vec::new() } else { beyond(&report, subject, expectation)? };
    let asked: Vec<_> = sequences.into_iter().map(|all| (all.len(), departing(all, &rows))).collect();
    let asked = asked.iter().map(|(all, asked)| (Groups::Sequences(asked, coordinates.rows()), asked.len() < *all));
    let mut best = None;
    for (groups, is_part) in asked.chain(of_tables.map(|tables| (tables, false))) {
        let group = |group: Subject<'_>, number: usize| {
            let own = match groups {
                Groups::Tables(..) => coordinates.clone(),
                Groups::Sequences(sequences, _) => {
                    coordinates.with_rows(&sequences[number].1.clone().map(Some).collect::<Vec<_>>())
                }
            };
            let report = judge(group, &AxialExpectation { coordinates: &own, ..*expectation })?;
            Ok((report.findings, report.found))
        };
        let each = batch::each(subject, (groups, exceeding), &report.findings, &rest, &group)?;
        let Some((findings, found)) = each else { continue };
        // Sequences that are not asked follow what is stated.
        let of_all = |found: &AxialConvention| !is_part || found == law.convention();
        let told = (findings, found.filter(of_all));
        let confirmed = |finding: &Finding| finding.status == Status::Confirmed && !is_loose(finding);
        if told.0.iter().all(confirmed) {
            best = Some(told);
            break;
        }
        if open || loose && !told.0.iter().any(|finding| patternless(finding.fault)) {
            best = best.or(Some(told));
        }
    }
    Ok(match best {
        Some((findings, found)) => AxialReport { findings, found, ..report },
        None => report,
    })
}
