//! The step and the zero point of integers of 8 bits, from the data: a rotation leaves the length of a pair as it is, and cosine
//! and sine of one angle have the length 1. Nothing else has to be known, no base and no position.

use super::{Integers, Levels};
use crate::Invalid;
use crate::grid::Grid;
use crate::subject::{Subject, pairs_of};
use posproof_encoding::convention::Layout;
use std::collections::BTreeSet;

/// The integers of a pair, or of a row, by their sums, and the square of the length that they should have.
#[derive(Clone, Copy)]
struct Length {
    count: f64,
    sum: f64,
    squares: f64,
    /// True if one of them stands at an end.
    ends: bool,
    square: f64,
}

/// A zero point and a step with its relative error.
#[derive(Clone, Copy, Debug)]
struct GridFit {
    zero: f64,
    step: f64,
    within: f64,
}

/// Rows that are read of a table, tables that are read, and lengths that every zero point is tried on.
const ROWS: usize = 1024;
const TABLES: usize = 8;
const TRIED: usize = 4096;

/// Variance of a rounding to integers.
const ROUNDING: f64 = 1.0 / 12.0;

/// The median distance from one length, in standard deviations of roundings, that integers may have which were rounded twice; it is
/// 0.67 after one rounding.
const NEAR: f64 = 1.5;

/// Standard deviations that an estimate may be off.
const SURE: f64 = 5.0;

/// Fewer pairs say nothing.
const FEWEST: usize = 24;

impl Length {
    fn of(all: &[f64], integers: Integers, square: f64) -> Self {
        let squares = all.iter().map(|integer| integer * integer).sum();
        let ends = all.iter().any(|integer| integers.is_end(*integer));
        Self { count: all.len() as f64, sum: all.iter().sum(), squares, ends, square }
    }

    /// The square of the length in steps, and its variance: that of products of two roundings where all are small.
    fn from(self, zero: f64) -> (f64, f64) {
        let square = self.squares - 2.0 * zero * self.sum + self.count * zero * zero;
        (square - self.count * ROUNDING, 4.0 * ROUNDING * square + 0.05 * self.count)
    }
}

/// The levels of the integers that a subject's grids are, by the lengths of its pairs in one of the usual layouts, `stated` first, or
/// of its rows; none where they show no step.
pub(super) fn levels(
    subject: Subject<'_>,
    integers: Integers,
    (stated, gain): (Option<Layout>, f64),
) -> Result<Option<Levels>, Invalid> {
    let layouts = [stated.unwrap_or(Layout::Halves), Layout::Halves, Layout::Interleaved];
    // Rows of a table have one length whatever their entries are in noise.
    let rows = matches!(subject, Subject::Rotation { .. }).then_some(None);
    for layout in layouts.map(Some).into_iter().chain(rows) {
        if let Some(GridFit { zero, step, within }) = fit(&lengths(subject, layout, integers)?, integers) {
            let exact = !matches!(subject, Subject::Rotation { .. });
            let step = gain * if exact { nearest_quotient(step, within) } else { step };
            return Ok(Levels::new(step, zero).ok().map(|levels| levels.found(within)));
        }
    }
    Ok(None)
}

/// The 1/n or 2/n that a step is within its error.
fn nearest_quotient(step: f64, within: f64) -> f64 {
    let near = 2.0 / (2.0 / step).round();
    if (near - step).abs() <= within * step { near } else { step }
}

/// Some of the numbers below `end`, the first and others equally far apart.
pub(super) fn spread(end: usize, most: usize) -> impl Iterator<Item = usize> {
    let step = end.div_ceil(most).max(1);
    (0..end).step_by(step)
}

/// Lengths of the pairs of a subject in a layout, those of a cache in whatever layout its columns have; without one those of rows.
fn lengths(subject: Subject<'_>, layout: Option<Layout>, integers: Integers) -> Result<Vec<Length>, Invalid> {
    let (mut all, mut one, mut other) = (Vec::new(), Vec::new(), Vec::new());
    let first = subject.judged();
    let shape = |grid: &dyn Grid| (grid.slabs(), grid.rows(), grid.width());
    let beside = match subject {
        Subject::Rope { sin: Some(sin), .. } => sin,
        Subject::Rotation { x, .. } => x,
        _ => first,
    };
    if shape(first) != shape(beside) {
        // The judgement says so.
        return Ok(all);
    }
    let half = first.width() / 2;
    let placed = |layout| pairs_of(layout, half);
    let to = layout.map(placed);
    let from = layout.map(|layout| match layout {
        Layout::InterleavedToHalves => placed(Layout::Interleaved),
        layout => placed(layout),
    });
    let rotation = matches!(subject, Subject::Rotation { .. });
    // Slow pairs repeat themselves: their roundings are not independent.
    let mut seen = BTreeSet::new();
    let mut add = |entries: &[f64], square: f64| {
        let again = match entries {
            [a, b] if !rotation => !seen.insert((a.to_bits(), b.to_bits())),
            _ => false,
        };
        if !again && square > 0.0 && square.is_finite() {
            all.push(Length::of(entries, integers, square));
        }
    };
    for slab in spread(first.slabs(), TABLES) {
        for row in spread(first.rows(), ROWS) {
            first.read(slab, row..row + 1, &mut one)?;
            beside.read(slab, row..row + 1, &mut other)?;
            match (subject, &from, &to) {
                (Subject::Rope { .. }, ..) => one.iter().zip(&other).for_each(|(cos, sin)| add(&[*cos, *sin], 1.0)),
                (Subject::Sinusoid(_), _, Some(to)) => to.iter().for_each(|&(a, b)| add(&[one[a], one[b]], 1.0)),
                (Subject::Sinusoid(_), ..) => {}
                (Subject::Rotation { .. }, Some(from), Some(to)) => {
                    for (&(a, b), &(to_a, to_b)) in from.iter().zip(to) {
                        add(&[one[to_a], one[to_b]], other[a].powi(2) + other[b].powi(2));
                    }
                }
                (Subject::Rotation { .. }, ..) => add(&one, other.iter().map(|x| x * x).sum()),
            }
        }
    }
    Ok(all)
}

/// The zero point under which pairs have the lengths that they should have, and the step that these say.
fn fit(all: &[Length], integers: Integers) -> Option<GridFit> {
    let within: Vec<Length> = all.iter().filter(|length| !length.ends).copied().collect();
    let within = if within.len() < FEWEST { all.to_vec() } else { within };
    if within.len() < FEWEST {
        return None;
    }
    let few: Vec<Length> = spread(within.len(), TRIED).map(|at| within[at]).collect();
    let mut tried: Vec<(f64, f64, f64)> = (integers.least..=integers.largest)
        .map(f64::from)
        .filter_map(|zero| spread_at(&few, zero).map(|(spread, quotient)| (zero, spread, quotient)))
        .collect();
    tried.sort_by(|a, b| a.1.total_cmp(&b.1));
    let least = tried.first().filter(|(_, spread, _)| *spread <= NEAR)?.1;
    let as_good: Vec<_> = tried.iter().filter(|(_, spread, _)| *spread <= (1.5 * least).max(0.9)).collect();
    let middle = f64::from(integers.least + integers.largest + 1) / 2.0;
    // Some integers that all lie near one point of a circle leave the middle open: then it is the usual one.
    let usual = as_good.iter().find(|(zero, ..)| *zero == middle);
    let (zero, _, quotient) = match (usual, &as_good[..]) {
        (Some(usual), _) => **usual,
        (None, [only]) => **only,
        _ => return None,
    };
    let (mut top, mut bottom, mut squares, mut count) = (0.0, 0.0, 0.0, 0.0);
    for pair in &within {
        let (square, variance) = pair.from(zero);
        let distance = (square - quotient * pair.square) / variance.sqrt();
        // A few entries may be wrong.
        if distance.abs() <= SURE {
            top += pair.square * square / variance;
            bottom += pair.square.powi(2) / variance;
            squares += distance.powi(2);
            count += 1.0;
        }
    }
    let quotient: f64 = top / bottom;
    let error = (squares / count).sqrt().max(1.0) / bottom.sqrt();
    let within = SURE * error / (2.0 * quotient);
    (quotient > 0.0 && within < 0.02).then(|| GridFit { zero, step: 1.0 / quotient.sqrt(), within })
}

/// The median of the squares of lengths in steps for those that they should have, and the median distance from it in standard
/// deviations.
fn spread_at(pairs: &[Length], zero: f64) -> Option<(f64, f64)> {
    let mut quotients: Vec<f64> = pairs.iter().map(|pair| pair.from(zero).0 / pair.square).collect();
    let quotient = median(&mut quotients)?;
    let distance = |pair: &Length| {
        let (square, variance) = pair.from(zero);
        (square - quotient * pair.square).abs() / variance.sqrt()
    };
    let mut distances: Vec<f64> = pairs.iter().map(distance).collect();
    Some((median(&mut distances)?, quotient)).filter(|_| quotient > 0.0)
}

fn median(numbers: &mut [f64]) -> Option<f64> {
    let middle = numbers.len() / 2;
    (!numbers.is_empty()).then(|| *numbers.select_nth_unstable_by(middle, f64::total_cmp).1)
}
