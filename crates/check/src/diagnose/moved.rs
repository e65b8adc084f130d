//! Rotations of other vectors of x than those of the row: of other rows, or of other tables.

use super::super::Invalid;
use super::super::faults::{CROSS_WIRED, ProductsCause};
use super::super::grid::Grid;
use super::super::sample::Sample;
use super::super::subject::Subject;
use super::hypothesis::{Context, Hypothesis};
use super::placement::Placement;
use super::source::Source;
use posproof_numerics::format::Format;
use std::collections::BTreeMap;

/// Number of rows of y whose vectors are looked for in x.
pub const SOUGHT: usize = 12;

/// Rows by which the order of tables is told.
pub const FEW: usize = 3;

/// Entries of x that are searched for them.
const SEARCHED: usize = 1 << 24;

/// The entries of a pair.
type Pair = (usize, usize);

/// Tables whose order is asked about, at most.
const ORDERED: usize = 1 << 12;

/// Rows of y whose vectors are looked for in x: the number of each, and the lengths of its pairs.
pub struct Sought {
    pub rows: Vec<(usize, Vec<f64>)>,
    /// The table that they are of.
    pub table: usize,
    /// The relative error of a length.
    pub unit: f64,
}

impl Sought {
    /// Where the vectors stand in x, if the pairs that are read have the same lengths there and nowhere else: how many rows and tables before,
    /// as most of them have it.
    pub fn distance(&self, x: &dyn Grid, read: &[(usize, usize)]) -> Result<Option<(usize, usize)>, Invalid> {
        let (rows, tables, width) = (x.rows(), x.slabs(), x.width());
        if rows.saturating_mul(tables).saturating_mul(width) > SEARCHED {
            return Ok(None);
        }
        let mut found: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut vector = Vec::new();
        for table in 0..tables {
            for row in 0..rows {
                x.read(table, row..row + 1, &mut vector)?;
                for (at, lengths) in &self.rows {
                    let mut pairs = read.iter().zip(lengths);
                    let same = |(&(a, b), length): (&(usize, usize), &f64)| {
                        (vector[a].hypot(vector[b]) - length).abs() <= self.unit * length.max(1e-3)
                    };
                    if pairs.all(same) {
                        let moved = ((at + rows - row) % rows, (self.table + tables - table) % tables);
                        *found.entry(moved).or_default() += 1;
                    }
                }
            }
        }
        let most = found.into_iter().max_by_key(|(_, count)| *count);
        Ok(most.filter(|(moved, count)| 2 * count > self.rows.len() && *moved != (0, 0)).map(|(moved, _)| moved))
    }
}

/// The table of x that each table of y is made of, by the lengths of the pairs in some rows: its own where these are the same, or else the
/// first; none where all are in order, and where a table has none. Pairs are read, and written with a gain.
pub fn order(
    (x, y): (&dyn Grid, &dyn Grid),
    rows: &[usize],
    (read, written): (&[Pair], &[(Pair, f64)]),
    unit: f64,
) -> Result<Option<Vec<usize>>, Invalid> {
    let tables = x.slabs();
    if !(2..=ORDERED).contains(&tables) || y.slabs() != tables {
        return Ok(None);
    }
    let mut vector = Vec::new();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for table in 0..tables {
        let (mut here, mut there) = (Vec::new(), Vec::new());
        for &row in rows {
            x.read(table, row..row + 1, &mut vector)?;
            here.extend(read.iter().map(|&(a, b)| vector[a].hypot(vector[b])));
            y.read(table, row..row + 1, &mut vector)?;
            there.extend(written.iter().map(|&((a, b), gain)| vector[a].hypot(vector[b]) / gain));
        }
        before.push(here);
        after.push(there);
    }
    let same = |from: &[f64], to: &[f64]| {
        !to.is_empty() && from.iter().zip(to).all(|(from, to)| (from - to).abs() <= unit * to.max(1e-3))
    };
    let of = |table: usize| std::iter::once(table).chain(0..tables).find(|&other| same(&before[other], &after[table]));
    let order: Option<Vec<usize>> = (0..tables).map(of).collect();
    Ok(order.filter(|order| order.iter().enumerate().any(|(table, other)| table != *other)))
}

/// The relative error of a length of stored and of computed numbers.
pub fn length_error(storage: Format, compute: Format) -> f64 {
    8.0 * storage.unit_roundoff() + 32.0 * compute.unit_roundoff()
}

fn distance(context: &Context<'_>, sample: &Sample) -> Result<Option<(usize, usize)>, Invalid> {
    let Subject::Rotation { x, .. } = context.subject else { return Ok(None) };
    let wiring = &context.reading.wiring;
    let gain = context.expected.gain().enclose(64).abs().approximate();
    let step = sample.rows.len().div_ceil(SOUGHT).max(1);
    let few: Vec<usize> = sample.rows.iter().rev().step_by(step).copied().collect();
    let read = Sample::read(context.subject, context.slab, &few, context.positions)?;
    let lengths = |y: &[f64]| wiring.write.iter().map(|&(a, b)| y[a].hypot(y[b]) / gain).collect::<Vec<f64>>();
    let rows = read.rows.iter().copied().zip(read.vectors().map(|(_, y)| lengths(y))).collect();
    let unit = length_error(context.storage, context.compute.0.format);
    Sought { rows, table: context.slab, unit }.distance(x, &wiring.read)
}

/// Tables of x in another order.
fn exchanged(context: &Context<'_>, sample: &Sample) -> Result<Option<Hypothesis>, Invalid> {
    let Subject::Rotation { x, y } = context.subject else { return Ok(None) };
    let wiring = &context.reading.wiring;
    let gain = context.expected.gain().enclose(64).abs().approximate();
    let rows: Vec<usize> = sample.rows.iter().rev().take(FEW).copied().collect();
    let written: Vec<_> = wiring.write.iter().map(|&pair| (pair, gain)).collect();
    let unit = length_error(context.storage, context.compute.0.format);
    let Some(order) = order((x, y), &rows, (&wiring.read, &written), unit)? else { return Ok(None) };
    let cause = ProductsCause::Tables { order: order.clone() };
    let mut hypothesis = context.with(&CROSS_WIRED, cause.into(), |_| ());
    hypothesis.moved = Source { order, ..Source::default() };
    hypothesis.found = None;
    Ok(Some(hypothesis))
}

/// Vectors of other rows or tables, turned by the angle of the row of y or by that of their own row; these hold for every entry.
pub fn hypotheses(context: &Context<'_>, sample: &Sample) -> Result<Vec<Hypothesis>, Invalid> {
    let Subject::Rotation { x, .. } = context.subject else { return Ok(Vec::new()) };
    let exchanged = exchanged(context, sample)?;
    let Some((rows, tables)) = distance(context, sample)? else { return Ok(exchanged.into_iter().collect()) };
    let of = |whole: bool| {
        let cause = ProductsCause::Moved { rows, tables, whole };
        let mut hypothesis = context.with(&CROSS_WIRED, cause.into(), |stages| {
            if whole {
                stages.placement = Placement::Rolled { by: rows, of: x.rows() };
            }
        });
        hypothesis.moved = Source { rows, tables, order: Vec::new() };
        hypothesis.found = None;
        hypothesis
    };
    let counted = context.positions.get(0) == Some(0) && context.positions.max() + 1 == x.rows() as u64;
    let ways: &[bool] = if rows > 0 && counted { &[false, true] } else { &[false] };
    Ok(ways.iter().map(|whole| of(*whole)).chain(exchanged).collect())
}
