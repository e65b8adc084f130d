//! Right frequencies at wrong positions: offsets, factors, clamped, wrapped and stale positions.

use super::super::faults::{Cause, Fault, Hypothesis};
use super::super::measure::shift;
use super::super::sample::Phasors;
use super::Context;
use super::explain::{Explanation, agrees, recognise};
use posproof_encoding::Law;
use posproof_encoding::convention::Convention;
use posproof_encoding::real::Real;
use posproof_numerics::Rational;
use posproof_numerics::format::Format;

/// A row, by the position that it should be of and the one that it was computed for.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    pub position: f64,
    pub found: f64,
}

/// What the positions of the rows are, if the frequencies are right, and why.
pub fn positions(context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let expected = context.expected;
    if expected.position_scale.value().is_zero() || phasors.cos.is_none() || phasors.sin.is_none() {
        return None;
    }
    let law = Law::new(expected);
    let stated: Vec<f64> = phasors.positions.iter().map(|&p| law.effective(p as f64)).collect();
    let allowance = context.allowance(expected, &context.omega);
    let found: Vec<Option<f64>> = (0..stated.len())
        .map(|row| {
            let noise = |k: usize| {
                let t = (stated[row] / law.scale()).abs().max(64.0);
                (3.0 * phasors.tolerance(&allowance, k, t)).min(1.0) + 1e-9
            };
            shift(phasors, row, &context.omega, stated[row], noise).map(|shift| law.position(stated[row] + shift))
        })
        .collect();
    // found[row] is the position that the row was computed for. Beyond half the longest wavelength a
    // shift cannot be told, so that rows there may be silent.
    let slowest = context.omega.iter().copied().filter(|w| *w > 0.0).fold(f64::INFINITY, f64::min);
    let reach = 0.9 * std::f64::consts::PI / slowest / law.scale().abs();
    let silent = |row: usize| found[row].is_none();
    if (0..stated.len()).any(|row| silent(row) && (phasors.positions[row] as f64) < reach) {
        return None;
    }
    let known: Vec<Placed> = phasors
        .positions
        .iter()
        .zip(&found)
        .filter_map(|(&position, found)| Some(Placed { position: position as f64, found: (*found)? }))
        .collect();
    if known.len() < 2 {
        return None;
    }
    recognise(|fault, hypothesis| match hypothesis {
        Hypothesis::Positions(test) => test(fault, context, phasors, &known),
        _ => None,
    })
}

/// Whether two positions are the same, as far as phases tell them.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-2 * (1.0 + a.abs().max(b.abs()) * 1e-5)
}

/// Every row is that of one position.
pub fn one_position(fault: &'static Fault, _: &Context<'_>, _: &Phasors, known: &[Placed]) -> Option<Explanation> {
    let position = known.first()?.found;
    let all = known.iter().all(|row| close(row.found, position));
    all.then(|| Explanation::fault(fault, Cause::OnePosition { position }))
}

/// Positions are numbers of a narrow format.
pub fn rounded(fault: &'static Fault, _: &Context<'_>, _: &Phasors, known: &[Placed]) -> Option<Explanation> {
    [Format::F16, Format::Bf16].into_iter().find_map(|format| {
        let finite = || known.iter().filter(|row| format.round(row.position).is_finite());
        let rounded = finite().all(|row| close(format.round(row.position), row.found))
            && finite().any(|row| format.round(row.position) != row.position);
        rounded.then(|| Explanation::degraded(fault, Cause::RoundedPositions { format }))
    })
}

/// Every row is that of a position so much further.
pub fn shifted(
    fault: &'static Fault,
    context: &Context<'_>,
    phasors: &Phasors,
    known: &[Placed],
) -> Option<Explanation> {
    let first = known.first()?;
    let shift = first.found - first.position;
    if shift.abs() <= 0.02 || !known.iter().all(|row| close(row.position + shift, row.found)) {
        return None;
    }
    let by = if (shift - shift.round()).abs() < 1e-2 { shift.round() } else { shift };
    let total = Rational::from_f64(by)? + context.expected.position_offset.value();
    let found = Convention { position_offset: Real::from(total), ..context.expected.clone() };
    let agrees = agrees(context, phasors, &found, 1.0);
    let cause = Cause::Shifted { by };
    Some(if agrees { Explanation::other(fault, cause, found) } else { Explanation::fault(fault, cause) })
}

/// Rows that are right up to a position and whole positions off from there on: that position and these rows.
fn from_boundary<'a>(context: &Context<'_>, known: &'a [Placed]) -> Option<(u64, &'a [Placed])> {
    let right = |row: &Placed| (row.found - row.position).abs() < 1e-2 + 1e-5 * row.position;
    let boundary = context.boundary?;
    let split = known.partition_point(|row| row.position < boundary as f64);
    let (before, after) = known.split_at(split);
    let first = after.first()?;
    let off = (first.position - first.found).abs() >= 0.5;
    (off && !before.is_empty() && before.iter().all(right)).then_some((boundary, after))
}

/// Whether two positions beyond a boundary are the same.
fn alike(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-2 + 1e-5 * a.abs()
}

/// Rows from a position on are those of position 0.
pub fn unrotated(fault: &'static Fault, context: &Context<'_>, _: &Phasors, known: &[Placed]) -> Option<Explanation> {
    let (from, after) = from_boundary(context, known)?;
    let all = after.len() > 1 && after.iter().all(|row| row.found.abs() < 1e-2);
    all.then(|| Explanation::fault(fault, Cause::Unrotated { from }))
}

/// Rows from a position on are all the same.
pub fn clamped(fault: &'static Fault, context: &Context<'_>, _: &Phasors, known: &[Placed]) -> Option<Explanation> {
    let (from, after) = from_boundary(context, known)?;
    let position = after.first()?.found;
    let all = after.len() > 1 && after.iter().all(|row| alike(row.found, position));
    all.then(|| Explanation::fault(fault, Cause::Clamped { from, position }))
}

/// Rows from a position on are those from 0 on.
pub fn wrapped(fault: &'static Fault, context: &Context<'_>, _: &Phasors, known: &[Placed]) -> Option<Explanation> {
    let (from, after) = from_boundary(context, known)?;
    let all = after.iter().all(|row| alike(row.position % from as f64, row.found));
    all.then(|| Explanation::fault(fault, Cause::Wrapped { from }))
}

/// Rows from a position on are those of positions so much further.
pub fn shifted_later(
    fault: &'static Fault,
    context: &Context<'_>,
    _: &Phasors,
    known: &[Placed],
) -> Option<Explanation> {
    let (from, after) = from_boundary(context, known)?;
    let first = after.first()?;
    let by = first.found - first.position;
    let all = after.iter().all(|row| alike(row.position + by, row.found));
    all.then(|| Explanation::fault(fault, Cause::ShiftedFrom { from, by }))
}

/// Rows from a position on are those of other whole positions.
pub fn earlier(fault: &'static Fault, context: &Context<'_>, _: &Phasors, known: &[Placed]) -> Option<Explanation> {
    let (from, after) = from_boundary(context, known)?;
    let whole = after.iter().all(|row| (row.found - row.found.round()).abs() < 0.05 && row.found > -0.5);
    let rows = after.iter().map(|row| (row.position, row.found)).collect();
    whole.then(|| Explanation::fault(fault, Cause::Earlier { from, rows }))
}
