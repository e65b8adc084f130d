//! Right frequencies at wrong positions: offsets, factors, clamped, wrapped and stale positions.

use super::super::faults::{
    ANGLES_SCALED, APPLIED_TWICE, CLAMPED_POSITIONS, CONSTANT_ROWS, Cause, Code, FIRST_POSITION, FREQUENCIES_SCALED,
    Fault, LATER_OFFSET, LOW_PRECISION_POSITIONS, PADDED_ROWS, POSITION_RULE, PositionRule, TABLE_NUMBERS,
    UNROTATED_ROWS, WRAPPED_POSITIONS,
};
use super::super::measure::candidates;
use super::super::sample::{Phasors, wrap};
use super::super::subject::Subject;
use super::hypothesis::{Context, Hypothesis};
use super::measured::{OF_FACTOR, scaled, simple};
use super::placement::Placement;
use super::row_positions::{is_zero, shown, slowest};
use super::vectors;
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

/// Hypotheses on the positions of the rows, if the frequencies are right; one row of so many may be wrong by itself.
pub fn hypotheses(context: &Context<'_>, phasors: &Phasors, but_one_of: Option<usize>) -> Vec<Hypothesis> {
    let mut all: Vec<Hypothesis> = table_numbers(context);
    if let Some(known) = known(context, phasors, but_one_of) {
        let start = context.positions.get(0);
        // Rows after others that are right: where they begin is a part of what is wrong with them.
        let beyond = context.boundary.is_some_and(|(before, from)| {
            start < Some(before) && phasors.positions.first().is_some_and(|first| *first >= from)
        });
        if beyond {
            all.extend(later(context, &known));
            all.extend(compressed(context, &known));
        }
        all.extend(one_position(context, &known));
        all.extend(rounded(context, &known));
        all.extend(shifted(context, &known));
        all.extend(ratio(context, &known));
        all.extend(ruled(context, &known));
        if !beyond {
            all.extend(later(context, &known));
        }
    } else {
        all.extend(guessed(context));
    }
    // Few pairs tell positions badly.
    all.extend(past_the_end(context));
    all
}

/// The positions of the sampled rows. Beyond half the longest wavelength a shift cannot be told, so that rows
/// there may be silent.
fn known(context: &Context<'_>, phasors: &Phasors, but_one_of: Option<usize>) -> Option<Vec<Placed>> {
    let found = shown(context, phasors, false)?;
    let slowest = slowest(context);
    let reach = 0.9 * std::f64::consts::PI / slowest / Law::new(&context.expected).scale().abs();
    let silent = |row: &usize| found[*row].is_none() && !is_zero(phasors, *row);
    let within = |row: &usize| (phasors.positions[*row] as f64) < reach;
    if (0..found.len()).filter(silent).filter(within).count() > but_one_of.map_or(0, |of| found.len() / of) {
        return None;
    }
    let known: Vec<Placed> = phasors
        .positions
        .iter()
        .zip(&found)
        .filter_map(|(&position, found)| Some(Placed { position: position as f64, found: (*found)? }))
        .collect();
    (!known.is_empty()).then_some(known)
}

/// True if two positions are the same, as far as phases tell them.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-2 * (1.0 + a.abs().max(b.abs()) * 1e-5)
}

/// A number that is nearly whole, as that.
fn whole(x: f64) -> f64 {
    if (x - x.round()).abs() < 1e-2 { x.round() } else { x }
}

/// Number of consecutive rows of each position, where the first rows show several; and the first row of each, at the position that it
/// is then of: their frequencies are those of a law.
pub fn repeated(context: &Context<'_>, phasors: &Phasors) -> Option<(u64, Phasors)> {
    let fastest = (0..phasors.pairs).max_by(|a, b| context.omega[*a].total_cmp(&context.omega[*b]))?;
    let near = context.noise(phasors);
    let phase = |row: usize| phasors.phase(row, fastest).filter(|phase| phase.is_finite());
    let first = phase(0)?;
    let counted = |row: &usize| phasors.positions[*row] == phasors.positions[0] + *row as u64;
    let rows = (0..phasors.positions.len())
        .take_while(counted)
        .take_while(|row| phase(*row).is_some_and(|phase| wrap(phase - first).abs() <= 2.0 * near));
    let by = rows.count() as u64;
    if by < 2 || phasors.positions[0] != 0 {
        return None;
    }
    let slower = phasors.every(by);
    (slower.positions.len() >= FEWEST).then_some((by, slower))
}

/// Rows at which frequencies are measured.
const FEWEST: usize = 8;

/// Every position is divided by a whole number.
pub fn divided(context: &Context<'_>, by: u64) -> Hypothesis {
    placed(context, &POSITION_RULE, PositionRule::Divided { by }.into(), Placement::Divided(by))
}

/// Every row is that of one position.
fn one_position(context: &Context<'_>, known: &[Placed]) -> Option<Hypothesis> {
    let position = whole(known.first()?.found);
    let all = known.len() > 1 && known.iter().all(|row| close(row.found, position));
    all.then(|| placed(context, &CONSTANT_ROWS, Cause::OnePosition { position }, Placement::At(position)))
}

/// Every row is that of the number of its table. For rotations this is one of what becomes of vectors.
fn table_numbers(context: &Context<'_>) -> Vec<Hypothesis> {
    let period = context.subject.judged().slabs();
    if period < 2 || matches!(context.subject, Subject::Rotation { .. }) {
        return Vec::new();
    }
    let whole = vectors::table_numbers(context, &TABLE_NUMBERS, (1, period), None);
    std::iter::once(whole).chain(vectors::along_axes(context, &TABLE_NUMBERS)).collect()
}

/// Positions are numbers of a narrow format.
fn rounded(context: &Context<'_>, known: &[Placed]) -> Option<Hypothesis> {
    [Format::F16, Format::Bf16].into_iter().find_map(|format| {
        let finite = || known.iter().filter(|row| format.round(row.position).is_finite());
        let rounded = finite().all(|row| close(format.round(row.position), row.found))
            && finite().any(|row| format.round(row.position) != row.position);
        rounded.then(|| {
            context.lowered(&LOW_PRECISION_POSITIONS, Cause::RoundedPositions { format }, |stages| {
                stages.placement = Placement::Rounded(format);
            })
        })
    })
}

/// Every row is that of a position so much further: by a whole number, or by one with few digits near the measured one.
fn shifted(context: &Context<'_>, known: &[Placed]) -> Vec<Hypothesis> {
    let Some(first) = known.first() else { return Vec::new() };
    let shift = first.found - first.position;
    if shift.abs() <= 0.02 || !known.iter().all(|row| close(row.position + shift, row.found)) {
        return Vec::new();
    }
    if whole(shift) == shift.round() {
        return shifted_by(context, shift.round()).into_iter().collect();
    }
    let off = OF_SHIFT.max(2.0 * context.storage.unit_roundoff());
    let numbers = candidates(shift, off).into_iter().map(|number| number.value().to_f64());
    numbers.filter_map(|by| shifted_by(context, by)).collect()
}

/// Error of a measured shift, at most, in formats that hold as much: what is near enough is decided entry by entry.
const OF_SHIFT: f64 = 1e-4;

fn shifted_by(context: &Context<'_>, by: f64) -> Option<Hypothesis> {
    let total = Rational::from_f64(by)? + context.expected.position_offset.value();
    let found = Convention { position_offset: Real::from(total), ..context.expected.clone() };
    context.other(&FIRST_POSITION, Cause::Shifted { by }, found)
}

/// Positions, or angles, that are multiplied by a number.
fn ratio(context: &Context<'_>, known: &[Placed]) -> Vec<Hypothesis> {
    let law = Law::new(&context.expected);
    let Some(&Placed { position: last, found }) = known.iter().rev().find(|row| law.count(row.position) != 0.0) else {
        return Vec::new();
    };
    let ratio = law.count(found) / law.count(last);
    // Positions near whole numbers were taken as whole.
    let fits = known.iter().all(|row| {
        let p = law.count(row.position);
        (law.count(row.found) - ratio * p).abs() <= 0.16 + 1e-5 * p.abs()
    });
    if known.len() < 2 || !fits || (ratio - 1.0).abs() < 1e-4 || ratio.abs() < 1e-9 {
        return Vec::new();
    }
    let fastest = context.omega.iter().copied().fold(0.0, f64::max);
    let spread = 2.0 * context.storage.unit_roundoff() / (fastest * law.count(found).abs());
    scaled(context, &[&APPLIED_TWICE, &ANGLES_SCALED, &FREQUENCIES_SCALED], (ratio, spread.clamp(OF_FACTOR, 1e-2)))
}

/// Positions that are whole numbers by a rule: a·p + b, or ⌊p/n⌋.
fn ruled(context: &Context<'_>, known: &[Placed]) -> Vec<Hypothesis> {
    let (Some(first), Some(last)) = (known.first(), known.last()) else { return Vec::new() };
    let mut all = Vec::new();
    if known.len() < 4 || last.position <= first.position {
        return all;
    }
    let by = ((last.found - first.found) / (last.position - first.position)).round();
    let plus = whole(first.found - by * first.position);
    // Positions that fall are those of the other direction.
    if by > 1.0 && plus != 0.0 && known.iter().all(|row| close(by * row.position + plus, row.found)) {
        let placement = Placement::Affine(by, plus);
        all.push(placed(context, &POSITION_RULE, PositionRule::Affine { from: None, by, plus }.into(), placement));
    }
    let divisor = (last.position / last.found).round();
    let near = [divisor, divisor + 1.0, divisor - 1.0].into_iter().filter(|by| *by >= 2.0 && *by <= 1e6);
    let divides = |by: &f64| known.iter().all(|row| close((row.position / by).floor(), row.found));
    if let Some(by) = near.into_iter().find(divides) {
        let by = by as u64;
        all.push(divided(context, by));
    }
    all
}

/// Positions beyond a window that count on more slowly, as those of Leaky ReRoPE: a·p + b, a line that begins in the last right row or in
/// the first wrong one, or one with a whole number b. In the other direction no row before them is right.
fn compressed(context: &Context<'_>, known: &[Placed]) -> Option<Hypothesis> {
    let stated = context.named.iter().all(|(fault, _)| fault.code != Code::Direction);
    let ([first, .., last], Some((before, from)), true) = (known, context.boundary, stated) else { return None };
    let by = simple((last.found - first.found) / (last.position - first.position))?.to_f64();
    let plus = first.found - by * first.position;
    let begins = [before, from].map(|at| at as f64 * (1.0 - by));
    let plus = begins.into_iter().find(|begins| alike(*begins, plus)).unwrap_or_else(|| whole(plus));
    let on = |row: &Placed| alike(by * row.position + plus, row.found);
    (known.len() > 3 && by > 0.0 && by < 1.0 && known.iter().all(on)).then(|| {
        let placement = Placement::From(from, Box::new(Placement::Affine(by, plus)));
        placed(context, &POSITION_RULE, PositionRule::Affine { from: Some(from), by, plus }.into(), placement)
    })
}

/// Rows that are right up to a position and wrong from there on.
fn later(context: &Context<'_>, known: &[Placed]) -> Vec<Hypothesis> {
    // Where the sample is of wrong rows only, what comes before them is right.
    let right = |row: &&Placed| (row.found - row.position).abs() < 1e-2 + 1e-5 * row.position;
    let before = known.iter().take_while(right).count();
    let after = &known[before..];
    let (Some(first), Some(last)) = (after.first(), after.last()) else { return Vec::new() };
    if context.boundary.is_none() || (first.position - first.found).abs() < 0.5 {
        return Vec::new();
    }
    let Some((_, from)) = context.boundary else { return Vec::new() };
    // A row that is right before the sample's first wrong one leaves the boundary in between; where it lies beyond the
    // boundary, another fault began there.
    let first_wrong = first.position as u64;
    let from = match known[..before].last() {
        None => from,
        Some(right) if right.position >= from as f64 => first_wrong,
        Some(_) => from.min(first_wrong),
    };
    let of = |placement: Placement| Placement::From(from, Box::new(placement));
    let mut all = Vec::new();
    let position = whole(first.found);
    if after.iter().all(|row| alike(row.found, position)) {
        let origin = origin(context);
        let unrotated = (position - origin).abs() < 1e-2;
        // The end of a cache is not before its last right row.
        let clamped = context.boundary.is_some_and(|(last, _)| position >= last as f64);
        let (fault, cause, at): (&'static Fault, Cause, f64) = if unrotated {
            (&UNROTATED_ROWS, Cause::Unrotated { from }, origin)
        } else {
            let fault = if clamped { &CLAMPED_POSITIONS } else { &PADDED_ROWS };
            (fault, Cause::Clamped { from, position }, position)
        };
        // A clamped row stays behind its own position.
        if unrotated || position < from as f64 {
            all.push(placed(context, fault, cause, of(Placement::At(at))));
        }
    }
    // The modulus is how far the first row was carried back, or a part of it.
    let back = (first.position - first.found).round();
    for turns in 1..=8 {
        let modulus = (back / f64::from(turns)).round();
        if modulus >= 1.0
            && modulus <= first.position
            && after.iter().all(|row| alike(row.position % modulus, row.found))
        {
            let cause = Cause::Wrapped { from: modulus as u64 };
            all.push(placed(context, &WRAPPED_POSITIONS, cause, Placement::Modulo(modulus)));
            break;
        }
    }
    let by = whole(first.found - first.position);
    if first.position < context.positions.max() as f64 && after.iter().all(|row| alike(row.position + by, row.found)) {
        all.push(placed(context, &LATER_OFFSET, Cause::ShiftedFrom { from, by }, of(Placement::Shifted(by))));
    }
    let ratio = last.found / last.position;
    // A negative multiple in the other direction is a positive one in the stated direction.
    let reversed = context.named.iter().any(|(fault, _)| fault.code == Code::Direction);
    if after.len() > 2
        && ratio.abs() > 1e-9
        && !(reversed && ratio < 0.0)
        && after.iter().all(|row| (row.position * ratio - row.found).abs() <= 0.16 + 1e-5 * row.position)
        && let Some(by) = simple(ratio)
    {
        let placement = of(Placement::Scaled(by.to_f64()));
        let cause = Cause::ScaledFrom { from, by: Real::from(by) };
        all.push(placed(context, &ANGLES_SCALED, cause, placement));
    }
    all
}

/// The position of which every angle is 0.
fn origin(context: &Context<'_>) -> f64 {
    Law::new(&context.expected).position(0.0)
}

/// True if two positions beyond a boundary are the same.
fn alike(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-2 + 1e-5 * a.abs()
}

/// Offsets that are tried where entries show none.
const OFFSETS: [i32; 7] = [1, 2, -1, 3, 4, 16, 17];

/// The contexts of these, for a second fault besides.
pub fn offsets<'a>(context: &Context<'a>) -> Vec<Context<'a>> {
    OFFSETS.iter().filter_map(|by| context.after(shifted_by(context, f64::from(*by))?)).collect()
}

/// Conventions that half a cache may have, which shows no positions: the usual ones.
fn guessed(context: &Context<'_>) -> Vec<Hypothesis> {
    let mut all: Vec<Hypothesis> = OFFSETS.iter().filter_map(|by| shifted_by(context, f64::from(*by))).collect();
    let first = context.positions.get(0).unwrap_or_default() as f64;
    for position in [0.0, first] {
        all.push(placed(context, &CONSTANT_ROWS, Cause::OnePosition { position }, Placement::At(position)));
    }
    if let Some((_, from)) = context.boundary {
        for by in [1.0, -1.0, 2.0, -2.0, 3.0, -3.0] {
            let placement = Placement::From(from, Box::new(Placement::Shifted(by)));
            all.push(placed(context, &LATER_OFFSET, Cause::ShiftedFrom { from, by }, placement));
        }
    }
    all
}

/// Usual contents of rows past the end of a cache.
fn past_the_end(context: &Context<'_>) -> Vec<Hypothesis> {
    let Some((before, from)) = context.boundary else { return Vec::new() };
    let mut all = Vec::new();
    let of = |placement: Placement| Placement::From(from, Box::new(placement));
    all.push(placed(context, &UNROTATED_ROWS, Cause::Unrotated { from }, of(Placement::At(origin(context)))));
    for position in [before as f64, 0.0] {
        all.push(placed(context, &CLAMPED_POSITIONS, Cause::Clamped { from, position }, of(Placement::At(position))));
    }
    all.push(placed(context, &WRAPPED_POSITIONS, Cause::Wrapped { from }, Placement::Modulo(from as f64)));
    all
}

pub fn placed(context: &Context<'_>, fault: &'static Fault, cause: Cause, placement: Placement) -> Hypothesis {
    context.with(fault, cause, |stages| stages.placement = placement)
}
