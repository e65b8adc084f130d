//! Every entry against the certified reference, block by block.

mod entries;
mod factor;
pub(crate) mod overflow;
mod place;
mod predict;
mod rows;
mod scope;

use super::Invalid;
use super::cache;
use super::duplication::Duplication;
use super::extent::Extent;
use super::grid::Grid;
use super::input::About;
use super::reference::{Reading, Reference};
use super::subject::{ColumnEntries, Subject, Wiring, columns, joined};
use overflow::Overflowed;
use posproof_bound::{Allowance, Origin};
use posproof_encoding::Law;
use posproof_encoding::convention::Convention;
use posproof_encoding::frequency::Entries;
use posproof_table::Positions;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

#[cfg(feature = "axes")]
pub(super) use scope::LeftEntries;
pub(super) use scope::{ComparedScopes, Coverage, EVIDENCE, Scope, VACUOUS};

/// A comparison that is set up: the reference, the bounds, the meaning of every column.
pub(super) struct TableComparison<'a> {
    subject: Subject<'a>,
    positions: &'a Positions,
    allowance: &'a Allowance,
    reference: Reference<'a>,
    entries: Entries,
    grids: Vec<JudgedGrid<'a>>,
    wiring: Wiring,
    /// True if each pair's entries are the products of its own angle.
    own_angles: bool,
    /// Entries of vectors that no pair writes.
    untouched: Vec<usize>,
    law: Law,
    pairs: usize,
    faithful: AtomicBool,
    beyond: Extent,
    strange: Extent,
    overflowed: Overflowed,
}

/// A grid and the meaning of its columns.
struct JudgedGrid<'a> {
    grid: &'a dyn Grid,
    /// The entry of the joined row [cos…, sin…] that each column should be; unused for a rotation.
    columns: ColumnEntries,
    /// The parts of the reference row that make up a row, one after the other.
    runs: Vec<Range<usize>>,
    /// The pair of each column; beyond the last one for entries that are not rotated.
    pairs: Vec<usize>,
    /// Slope of each column's bound.
    slopes: Vec<f64>,
}

/// Consecutive numbers as ranges.
fn runs(columns: &[usize]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for &column in columns {
        match runs.last_mut() {
            Some(run) if run.end == column => run.end += 1,
            _ => runs.push(column..column + 1),
        }
    }
    runs
}

/// Refuses a grid that gave more or fewer entries than it was asked for.
pub(super) fn require(grid: &dyn Grid, rows: usize, entries: &[f64]) -> Result<(), Invalid> {
    let (expected, found) = (rows.saturating_mul(grid.width()), entries.len());
    if expected == found {
        return Ok(());
    }
    let expected = format!("{expected} entries of {rows} rows");
    let advice = "Grid::read is to write rows × width entries";
    Err(About(grid.name()).error("the rows", expected, format!("{found} entries"), advice).into())
}

/// Above the error of a correctly rounded binary64 number, and enough to move it by one number.
pub(super) fn last_place(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.abs() * f64::EPSILON + f64::from_bits(1) }
}

impl<'a> TableComparison<'a> {
    /// With the certified table of a convention.
    pub fn new(
        subject: Subject<'a>,
        convention: &Convention,
        positions: &'a Positions,
        allowance: &'a Allowance,
    ) -> Result<Self, Invalid> {
        subject.check_shape(convention, positions.len())?;
        let reference = Reference::certified(convention, positions, matches!(subject, Subject::Sinusoid(_)))?;
        Self::with(subject, &Reading::new(convention), positions, allowance, reference)
    }

    /// With any reference, and entries that are read in any way.
    pub fn with(
        subject: Subject<'a>,
        reading: &Reading,
        positions: &'a Positions,
        allowance: &'a Allowance,
        reference: Reference<'a>,
    ) -> Result<Self, Invalid> {
        let convention = &reading.convention;
        subject.check_shape(convention, positions.len())?;
        let sinusoid = matches!(subject, Subject::Sinusoid(_));
        let arranged = sinusoid && reference.program().is_none();
        let entries = Entries::new(&if sinusoid { convention.clone() } else { joined(convention) });
        let wiring = reading.wiring.clone();
        let rotates = matches!(subject, Subject::Rotation { .. });
        let mut grids = Vec::new();
        for (component, grid) in subject.grids() {
            let repeated = component.is_some()
                && grid.width() == 2 * convention.pairs()
                && cache::duplication(grid)? == Some(Duplication::Repeated);
            let width = grid.width();
            let (columns, pairs) = if rotates {
                let mut pairs = vec![usize::MAX; width];
                wiring.write.iter().enumerate().for_each(|(k, &(a, b))| (pairs[a], pairs[b]) = (k, k));
                (vec![0; width], pairs)
            } else {
                let columns = columns(convention, reading.component(component), width, repeated);
                let pairs = columns.iter().map(|entry| entry % convention.pairs()).collect();
                (columns, pairs)
            };
            let slopes = pairs.iter().map(|&pair| allowance.slope(pair)).collect();
            let runs = if arranged { std::iter::once(0..width).collect() } else { runs(&columns) };
            grids.push(JudgedGrid { grid, columns, runs, pairs, slopes });
        }
        let (first, pairs) = (subject.judged(), convention.pairs());
        let extent = || Extent::new(first.slabs(), first.rows(), grids.iter().map(|judged| judged.columns.len()));
        let (beyond, strange) = (extent(), extent());
        Ok(Self {
            subject,
            positions,
            allowance,
            reference,
            entries,
            grids,
            own_angles: wiring.turns_by_own_angles(),
            untouched: if rotates { wiring.untouched(first.width()) } else { Vec::new() },
            wiring,
            law: Law::new(convention),
            pairs,
            faithful: AtomicBool::new(true),
            beyond,
            strange,
            overflowed: Overflowed::default(),
        })
    }

    /// Where the bounds come from.
    pub fn origin(&self) -> Origin {
        self.allowance.origin()
    }

    /// The position of a row.
    pub fn position(&self, row: usize) -> u64 {
        self.positions.get(row).unwrap_or_default()
    }
}
