//! Errors beside their bounds, by position and by pair: the data of a picture.

use super::Invalid;
#[cfg(feature = "axes")]
use super::axes::{AxialComparison, AxialExpectation, AxialReport};
use super::check::increasing;
use super::compare::TableComparison;
use super::compared::ComparedRows;
#[cfg(feature = "axes")]
use super::joined::JoinedSequences;
use super::judged::Judged;
use super::levels::{Quantised, Statement};
use super::mend::Restatement;
use super::picked::PickedRows;
use super::rates::omega;
use super::report::{PairPart, Report};
use super::subject::Subject;
use super::totals::Seen;
use super::view::StatedGrids;
#[cfg(feature = "axes")]
use posproof_bound::AxialAllowance;
use posproof_encoding::convention::Component;
#[cfg(feature = "axes")]
use posproof_numerics::Rational;
use posproof_table::Positions;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The entry of a row with the largest quotient of error and bound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowError {
    /// Its row.
    pub row: usize,
    /// The position of the row, a number for each axis; none where it has no position.
    pub position: Vec<f64>,
    /// The number of its table among the leading dimensions (batch, head).
    pub slab: usize,
    /// Its pair; none for an entry that is not rotated.
    pub pair: Option<usize>,
    /// Its component.
    pub component: Option<Component>,
    /// |entry − exact value|; none where the entry is not finite.
    pub error: Option<f64>,
    /// The bound for the entry.
    pub bound: f64,
    /// Error over bound; none where the entry is not finite.
    pub share: Option<f64>,
    /// Entries of the row that are beyond their bounds, those that are not finite included.
    pub exceeding: u64,
}

/// A pair, over all rows that were judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairError {
    /// The pair, or the slot of an encoding of several axes.
    pub pair: usize,
    /// The largest error; none where an entry is not finite.
    pub error: Option<f64>,
    /// The largest quotient of error and bound; none where an entry is not finite.
    pub share: Option<f64>,
    /// Entries beyond their bounds, those that are not finite included.
    pub exceeding: u64,
}

/// Errors beside their bounds. Pairs are those of every entry; rows are some, from the first to the last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// Rows, in order; none of a vector of frequencies.
    pub rows: Vec<RowError>,
    /// Rows of a table.
    pub of_rows: usize,
    /// Tables that these rows were looked at in.
    pub slabs: Vec<usize>,
    /// Tables of the array.
    pub of_slabs: usize,
    /// Pairs, in order.
    pub pairs: Vec<PairError>,
}

/// Rows that a picture shows at most, but for those that a finding begins or ends with.
const ROWS: usize = 512;

/// Entries that are compared at most: a picture costs little beside the judgement.
const ENTRIES: usize = 1 << 21;

/// Share of the bound that is shown, or none where nothing finite is.
fn finite(x: f64) -> Option<f64> {
    x.is_finite().then_some(x)
}

impl PairError {
    /// From the statistics of a pair.
    fn new(pair: usize, part: &super::PartStatistics) -> Self {
        let (error, share) = (finite(part.max_error), finite(part.max_ratio));
        Self { pair, error: error.filter(|_| share.is_some()), share, exceeding: part.exceeding }
    }
}

impl Profile {
    /// The pairs of a report alone.
    pub fn of_pairs(pairs: &[PairPart]) -> Self {
        let pairs = pairs.iter().map(|pair| PairError::new(pair.pair, &pair.part)).collect();
        Self { pairs, ..Self::default() }
    }

    /// The subject of a report, at the positions that it was judged at: by the bound that decided.
    ///
    /// # Errors
    ///
    /// As of [`check`](super::check).
    pub fn new(subject: Subject<'_>, positions: Option<&Positions>, report: &Report) -> Result<Self, Invalid> {
        let statement = Statement::of(&report.expected, Some(report.storage));
        let quantised = Quantised::new(subject, statement)?;
        let subject = quantised.as_ref().map_or(subject, Quantised::subject);
        let stated = StatedGrids::new(subject, Some(report.storage));
        let subject = stated.as_ref().map_or(subject, StatedGrids::subject);
        let of_rows = subject.judged().rows();
        let positions = increasing(positions, of_rows)?;
        let (convention, compute) = (&report.expected, report.computes());
        let omega = omega(convention).unwrap_or_default();
        let judged = Judged::new(subject, convention, &positions, (&omega, compute));
        let allowance = judged.allowance(report.path);

        let rows = chosen(of_rows, report);
        let picked = PickedRows::new(subject, &rows);
        let here = Positions::list(rows.iter().filter_map(|row| positions.get(*row)))?;
        let comparison = TableComparison::new(picked.subject(), convention, &here, &allowance)?;
        let position = |row| positions.get(row).map_or_else(Vec::new, |position| vec![position as f64]);
        Self::of_rows((&comparison, of_rows), (&rows, &position), report)
    }

    /// As [`new`](Self::new), of axes.
    ///
    /// # Errors
    ///
    /// As of [`check_axes`](crate::axes::check_axes).
    #[cfg(feature = "axes")]
    pub fn of_axes(
        subject: Subject<'_>,
        expectation: &AxialExpectation<'_>,
        report: &AxialReport,
    ) -> Result<Self, Invalid> {
        let (law, coordinates) = (expectation.law, expectation.coordinates);
        let joined = JoinedSequences::of(subject, coordinates)?;
        let subject = joined.as_ref().map_or(subject, JoinedSequences::subject);
        let quantised = Quantised::new(subject, Statement::only(expectation.storage))?;
        let subject = quantised.as_ref().map_or(subject, Quantised::subject);
        let rows = chosen(coordinates.rows(), report);
        let picked = PickedRows::new(subject, &rows);
        let here = coordinates.with_rows(&rows.iter().copied().map(Some).collect::<Vec<_>>());
        let comparison = AxialComparison::new(picked.subject(), law, &here, report.storage)?;
        let allowance = AxialAllowance::new(law, &here, (report.computes(), report.path), report.storage);
        let position = |row| coordinates.row(row).unwrap_or_default().iter().map(Rational::to_f64).collect();
        Self::of_rows((&comparison.along(allowance), coordinates.rows()), (&rows, &position), report)
    }

    /// Rows of a comparison of some rows, by the numbers and the positions that they have among all.
    fn of_rows<M: Restatement>(
        (comparison, of_rows): (&impl ComparedRows, usize),
        (rows, position): (&[usize], &dyn Fn(usize) -> Vec<f64>),
        report: &Report<M>,
    ) -> Result<Self, Invalid> {
        let subject = comparison.subject();
        let width: usize = subject.grids().iter().map(|(_, grid)| grid.width()).sum();
        let (of_slabs, worst) = (subject.judged().slabs(), report.worst.as_ref().map_or(0, |worst| worst.slab));
        let slabs = spread(of_slabs, ENTRIES / (rows.len() * width).max(1), worst);
        let shown = |((seen, exceeding), &row): ((Seen, u64), &usize)| {
            let (meaning, is_number) = (comparison.meaning(seen.place), seen.got.is_finite());
            RowError {
                row,
                position: position(row),
                slab: seen.place.slab,
                pair: meaning.map(|(pair, _)| pair),
                component: meaning.map(|(_, component)| component),
                error: is_number.then_some(seen.error),
                bound: seen.bound,
                share: is_number.then_some(seen.share()),
                exceeding,
            }
        };
        let rows = comparison.furthest(&slabs)?.into_iter().zip(rows).map(shown).collect();
        Ok(Self { rows, of_rows, slabs, of_slabs, ..Self::of_pairs(&report.pairs) })
    }

    /// The positions of the rows along one axis, where they increase from 0 or from a number above it; none where rows are known by
    /// their numbers alone.
    pub fn increasing(&self) -> Option<Vec<f64>> {
        let one = |row: &RowError| if let [position] = row.position[..] { Some(position) } else { None };
        let all: Vec<f64> = self.rows.iter().map(one).collect::<Option<_>>()?;
        let increase = all.first().is_some_and(|first| *first >= 0.0) && all.windows(2).all(|two| two[0] < two[1]);
        increase.then_some(all)
    }
}

/// So many of the numbers below an end, evenly, with the first, the last and another among them.
fn spread(end: usize, count: usize, with: usize) -> Vec<usize> {
    let count = count.clamp(1, end.max(1));
    let even = (0..count).map(|i| i * end.saturating_sub(1) / (count - 1).max(1));
    let all: BTreeSet<usize> = even.chain([with]).filter(|number| *number < end).collect();
    all.into_iter().collect()
}

/// Rows that are shown: all where they are few; else evenly spread ones, the more of the first the nearer they are to the
/// beginning, the row of the worst entry, and the ends of what findings explain with the rows next to them.
fn chosen<M: Restatement>(rows: usize, report: &Report<M>) -> Vec<usize> {
    if rows <= ROWS {
        return (0..rows).collect();
    }
    let mut chosen: BTreeSet<usize> = spread(rows, ROWS / 2, 0).into_iter().collect();
    let steps = (ROWS / 2) as f64;
    chosen.extend((0..ROWS / 2).map(|i| ((rows as f64).powf(i as f64 / steps) - 1.0) as usize));
    let regions = report.findings.iter().filter_map(|finding| finding.region.as_ref());
    for end in regions.flat_map(|region| [region.rows.first, region.rows.last]) {
        chosen.extend(end.saturating_sub(1)..=end + 1);
    }
    chosen.extend(report.worst.as_ref().map(|worst| worst.row));
    chosen.into_iter().filter(|row| *row < rows).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Expectation, Slice, check};
    use posproof_encoding::convention::Convention;

    const ROWS: usize = 3000;
    const PAIRS: usize = 8;

    /// Angles in binary64: far more exact than the entries.
    fn angle(row: usize, pair: usize) -> f64 {
        row as f64 * 10000f64.powf(-(pair as f64) / PAIRS as f64)
    }

    /// A right cache in binary32, one sine of which is off, and one cosine no number.
    fn damaged() -> [Vec<f32>; 2] {
        let entries =
            |f: fn(f64) -> f64| (0..ROWS * PAIRS).map(|i| f(angle(i / PAIRS, i % PAIRS)) as f32).collect::<Vec<f32>>();
        let (mut cos, mut sin) = (entries(f64::cos), entries(f64::sin));
        sin[1777 * PAIRS + 5] += 1e-2;
        cos[2500 * PAIRS + 3] = f32::NAN;
        [cos, sin]
    }

    #[test]
    fn rows_and_pairs_are_those_of_the_array() -> Result<(), Box<dyn std::error::Error>> {
        let [cos, sin] = damaged();
        let grids = [Slice::new("cos", &cos, PAIRS)?, Slice::new("sin", &sin, PAIRS)?];
        let subject = Subject::Rope { cos: Some(&grids[0]), sin: Some(&grids[1]) };
        let report = check(subject, &Expectation::new(Convention::rope(2 * PAIRS)))?;
        let profile = Profile::new(subject, None, &report)?;
        assert_eq!((profile.of_rows, profile.slabs.as_slice(), profile.of_slabs), (ROWS, &[0][..], 1));
        assert!(profile.rows.len() < 600, "{} rows", profile.rows.len());
        for row in &profile.rows {
            assert_eq!(row.position, [row.row as f64]);
            let (pair, component) = (row.pair.ok_or("a pair")?, row.component.ok_or("a component")?);
            let cosine = component == Component::Cos;
            let got = if cosine { &cos } else { &sin }[row.row * PAIRS + pair];
            let exact = if cosine { angle(row.row, pair).cos() } else { angle(row.row, pair).sin() };
            match row.error {
                Some(error) => assert!((error - (f64::from(got) - exact).abs()).abs() < 1e-12, "{row:?}"),
                None => assert!(got.is_nan(), "{row:?}"),
            }
            assert_eq!(row.exceeding, u64::from([1777, 2500].contains(&row.row)), "{row:?}");
            let most = profile.pairs[pair].share;
            assert!(row.share.is_none() || most.is_none() || row.share <= most, "{row:?} is further than {most:?}");
        }
        let off = profile.rows.iter().find(|row| row.row == 1777).ok_or("the row that is off")?;
        assert_eq!((off.pair, off.component), (Some(5), Some(Component::Sin)));
        assert!(profile.rows.iter().any(|row| row.row == 2500 && row.error.is_none()), "the row without a number");
        let beyond: Vec<usize> = profile.pairs.iter().filter(|pair| pair.exceeding > 0).map(|pair| pair.pair).collect();
        assert_eq!(beyond, [3, 5]);
        Ok(())
    }

    #[test]
    fn few_rows_are_all_shown_and_tables_are_spread() {
        assert_eq!(spread(1, 5, 0), [0]);
        assert_eq!(spread(9, 3, 7), [0, 4, 7, 8]);
        assert_eq!(spread(4, 100, 2), [0, 1, 2, 3]);
    }
}
