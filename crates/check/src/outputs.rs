//! Two outputs of one convention: each judged, and how far they are from each other.

use super::Invalid;
#[cfg(feature = "axes")]
use super::axes::{AxialComparison, AxialExpectation, AxialMend, check_axes};
use super::check::{check, increasing};
use super::compare::TableComparison;
use super::compared::ComparedRows;
use super::differences::Differences;
use super::exactness::ComparedEntries;
use super::expectation::Expectation;
use super::first::{FirstVersion, both};
use super::grid::Grid;
use super::input::About;
#[cfg(feature = "axes")]
use super::joined::JoinedSequences;
use super::judged::Judged;
use super::levels::{Quantised, Statement};
use super::mend::{Mend, Restatement};
use super::rates::omega;
use super::report::Report;
use super::subject::Subject;
use super::totals::GridPlace;
use super::view::{ENTRIES_AT_A_TIME, StatedGrids};
use posproof_bound::Verdict;
#[cfg(feature = "axes")]
use posproof_bound::{AxialAllowance, Compute};
use posproof_encoding::convention::Component;
use serde::Serialize;
use std::fmt;

/// Two outputs, each with its report.
///
/// If both conform, no entries differ by more than the sum of their bounds: both are that near to the exact value.
#[derive(Clone, Debug, Serialize)]
#[serde(bound = "Report<M>: FirstVersion")]
pub struct ComparedOutputs<M: Restatement = Mend> {
    /// `posproof.compare-outputs/1`.
    pub schema: &'static str,
    /// Whose fault a difference is.
    pub verdict: Verdict,
    /// The reports of the first and of the second output.
    #[serde(serialize_with = "both")]
    pub reports: [Report<M>; 2],
    /// The entries of each.
    pub entries: u64,
    /// Entries that are not equal numbers.
    pub differing: u64,
    /// Entries that differ by more than the sum of their bounds, those that are no number in one output alone included.
    pub beyond: u64,
    /// The largest difference of finite entries; none where all are equal.
    pub largest: Option<EntryDifference>,
}

/// An entry of both outputs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EntryDifference {
    /// Its row.
    pub row: usize,
    /// The number of its table among the leading dimensions.
    pub slab: usize,
    /// The position of the row; none where it has several coordinates.
    pub position: Option<u64>,
    /// Its pair, or the slot of several axes; none for an entry that is not rotated.
    pub pair: Option<usize>,
    /// Its component.
    pub component: Option<Component>,
    /// The entry of the first output, and of the second.
    pub got: [f64; 2],
    /// Their distance from each other.
    pub difference: f64,
    /// The sum of the bounds of both: honest outputs differ by no more.
    pub allowed: f64,
}

/// Refuses outputs of other shapes, or of other parts.
pub(super) fn require_alike([first, second]: [Subject<'_>; 2]) -> Result<(), Invalid> {
    let (grids, others) = (first.grids(), second.grids());
    let shape = |grid: &dyn Grid| format!("[{}, {}, {}]", grid.slabs(), grid.rows(), grid.width());
    let parts = |grids: &[(Option<Component>, &dyn Grid)]| {
        let parts: Vec<String> = grids.iter().map(|(_, grid)| shape(*grid)).collect();
        if parts.is_empty() { "none".to_owned() } else { parts.join(" and ") }
    };
    let alike = grids.len() == others.len()
        && grids.iter().zip(&others).all(|((part, a), (other, b))| {
            part == other && [a.slabs(), a.rows(), a.width()] == [b.slabs(), b.rows(), b.width()]
        });
    if alike && !grids.is_empty() {
        return match [first, second] {
            [Subject::Rotation { x, .. }, Subject::Rotation { x: other, .. }] => require_one(x, other),
            _ => Ok(()),
        };
    }
    let name = others.first().or(grids.first()).map_or("the outputs", |(_, grid)| grid.name());
    let expected = format!("arrays of the shapes of the first output, {} (tables, rows, entries)", parts(&grids));
    let advice = "name the same parts of both, in one shape: cosines, sines or both";
    Err(About(name).error("the shape", expected, parts(&others), advice).into())
}

/// Refuses rotations of other vectors.
fn require_one(x: &dyn Grid, other: &dyn Grid) -> Result<(), Invalid> {
    let (mut one, mut two) = (Vec::new(), Vec::new());
    let advice = "rotate the same vectors by both";
    if [x.slabs(), x.rows(), x.width()] != [other.slabs(), other.rows(), other.width()] {
        return Err(About(other.name()).error("the shape", "that of the other vectors", "another", advice).into());
    }
    let step = (ENTRIES_AT_A_TIME / x.width().max(1)).max(1);
    for slab in 0..x.slabs() {
        for start in (0..x.rows()).step_by(step) {
            let rows = start..(start + step).min(x.rows());
            x.read(slab, rows.clone(), &mut one)?;
            other.read(slab, rows, &mut two)?;
            if let Some(at) = one.iter().zip(&two).position(|(a, b)| a != b) {
                let place = format!("row {}", start + at / x.width().max(1));
                let (expected, found) = (format!("{}, as in {}", one[at], x.name()), two[at].to_string());
                return Err(About(other.name()).error(place, expected, found, advice).into());
            }
        }
    }
    Ok(())
}

/// Judges two outputs of what should be one convention at the same positions, and says how far they are from each other.
///
/// Two honest outputs differ by at most the sum of their bounds, each of its own format and path.
///
/// # Errors
///
/// As of [`check`], and for outputs of different shapes.
pub fn compare_outputs(outputs: [Subject<'_>; 2], expectation: &Expectation) -> Result<ComparedOutputs, Invalid> {
    let statement = Statement::of(&expectation.convention, expectation.storage);
    let quantised = [Quantised::new(outputs[0], statement)?, Quantised::new(outputs[1], statement)?];
    let outputs = [0, 1].map(|side: usize| quantised[side].as_ref().map_or(outputs[side], Quantised::subject));
    require_alike(outputs)?;
    let reports = [check(outputs[0], expectation)?, check(outputs[1], expectation)?];
    let stated = outputs.map(|subject| StatedGrids::new(subject, expectation.storage));
    let subjects = [0, 1].map(|side: usize| stated[side].as_ref().map_or(outputs[side], StatedGrids::subject));
    let positions = increasing(expectation.positions.as_ref(), subjects[0].judged().rows())?;
    let allowances = [0, 1].map(|side: usize| {
        let report = &reports[side];
        let omega = omega(&report.expected).unwrap_or_default();
        let (subject, convention) = (subjects[side], &report.expected);
        let judged = Judged::new(subject, convention, &positions, (&omega, report.computes()));
        judged.allowance(report.path)
    });
    let comparison =
        |side: usize| TableComparison::new(subjects[side], &reports[side].expected, &positions, &allowances[side]);
    let [first, second] = [comparison(0)?, comparison(1)?];
    let differences = first.beside(&second)?;
    let meaning = |place: GridPlace| (positions.get(place.row), first.meaning(place));
    Ok(ComparedOutputs::of(&differences, reports, meaning))
}

/// [`compare_outputs`] of an encoding of several axes.
///
/// # Errors
///
/// As of [`check_axes`], and for outputs of different shapes.
#[cfg(feature = "axes")]
pub fn compare_axial_outputs(
    outputs: [Subject<'_>; 2],
    expectation: &AxialExpectation<'_>,
) -> Result<ComparedOutputs<AxialMend>, Invalid> {
    let at = expectation.coordinates;
    let joined = [JoinedSequences::of(outputs[0], at)?, JoinedSequences::of(outputs[1], at)?];
    let outputs = [0, 1].map(|side: usize| joined[side].as_ref().map_or(outputs[side], JoinedSequences::subject));
    let statement = Statement::only(expectation.storage);
    let quantised = [Quantised::new(outputs[0], statement)?, Quantised::new(outputs[1], statement)?];
    let outputs = [0, 1].map(|side: usize| quantised[side].as_ref().map_or(outputs[side], Quantised::subject));
    require_alike(outputs)?;
    let reports = [check_axes(outputs[0], expectation)?, check_axes(outputs[1], expectation)?];
    let stated = outputs.map(|subject| StatedGrids::new(subject, expectation.storage));
    let AxialExpectation { law, coordinates, compute: format, libraries, .. } = *expectation;
    let compute = Compute { format, libraries };
    let subjects = [0, 1].map(|side: usize| stated[side].as_ref().map_or(outputs[side], StatedGrids::subject));
    let comparison = |side: usize| AxialComparison::new(subjects[side], law, coordinates, subjects[side].format());
    let allowance =
        |side: usize| AxialAllowance::new(law, coordinates, (compute, reports[side].path), subjects[side].format());
    let [first, second] = [comparison(0)?, comparison(1)?];
    let [first, second] = [first.along(allowance(0)), second.along(allowance(1))];
    let differences = first.beside(&second)?;
    let meaning = |place: GridPlace| (None, first.meaning(place));
    Ok(ComparedOutputs::of(&differences, reports, meaning))
}

impl<M: Restatement> ComparedOutputs<M> {
    /// Two reports and the differences; `meaning` gives position, pair and component of a place.
    fn of(
        differences: &Differences,
        reports: [Report<M>; 2],
        meaning: impl Fn(GridPlace) -> (Option<u64>, Option<(usize, Component)>),
    ) -> Self {
        let verdict = match reports.each_ref().map(|report| report.conforms) {
            [true, true] => Verdict::Honest,
            [false, true] => Verdict::First,
            [true, false] => Verdict::Second,
            [false, false] => Verdict::Both,
        };
        let largest = differences.largest.map(|(place, got, allowed)| {
            let (position, meaning) = meaning(place);
            let (pair, component) = (meaning.map(|(pair, _)| pair), meaning.map(|(_, component)| component));
            let difference = (got[0] - got[1]).abs();
            EntryDifference { row: place.row, slab: place.slab, position, pair, component, got, difference, allowed }
        });
        let Differences { entries, differing, beyond, .. } = *differences;
        Self { schema: "posproof.compare-outputs/1", verdict, reports, entries, differing, beyond, largest }
    }

    /// True if both outputs conform.
    pub fn conforms(&self) -> bool {
        self.verdict == Verdict::Honest
    }
}

impl<M: Restatement> fmt::Display for ComparedOutputs<M> {
    /// The verdict and the largest difference, without the reports.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { verdict, entries, differing, beyond, largest, .. } = self;
        let said = match verdict {
            Verdict::Honest => "an honest difference: both conform",
            Verdict::First => "a fault in A: B conforms",
            Verdict::Second => "a fault in B: A conforms",
            Verdict::Both => "neither conforms",
        };
        writeln!(f, "{said}")?;
        match largest {
            None => writeln!(f, "  all {entries} entries are equal"),
            Some(EntryDifference { row, slab, pair, component, got: [a, b], difference, allowed, .. }) => {
                let table = if *slab > 0 { format!(", table {slab}") } else { String::new() };
                let part = match (pair, component) {
                    (Some(pair), Some(Component::Cos)) => format!(", pair {pair}, cos"),
                    (Some(pair), Some(Component::Sin)) => format!(", pair {pair}, sin"),
                    _ => String::new(),
                };
                writeln!(
                    f,
                    "  {differing} of {entries} entries differ, the furthest by {difference:.3e}: {a:.9e} and {b:.9e} (row {row}{table}{part})"
                )?;
                writeln!(f, "  honest outputs differ by {allowed:.3e} at most there; {beyond} entries differ by more")
            }
        }
    }
}
