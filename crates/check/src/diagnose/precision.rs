//! Right angles at too low a precision: storage, positions, frequencies, angles, sine and cosine.

use super::super::faults::{
    Cause, FAST_MATH, Fault, INACCURATE_ANGLES, LOW_PRECISION_ANGLES, LOW_PRECISION_FREQUENCIES,
    LOW_PRECISION_POSITIONS, LOW_PRECISION_STORAGE,
};
use super::super::sample::{Phasors, wrap};
use super::hypothesis::{Context, Hypothesis};
use super::is_most;
use super::program::Narrow;
use posproof_encoding::Law;
use posproof_numerics::format::Format;

/// Formats below what was stated, the wider first.
pub fn lower(stated: Format) -> Vec<Format> {
    let wider = [Format::F32, Format::F16, Format::Bf16];
    wider.into_iter().filter(|format| format.precision() < stated.precision()).collect()
}

/// Entries that were rounded to a narrower format before they were stored.
pub fn storage(context: &Context<'_>) -> Option<Hypothesis> {
    let holds = |format: &Format| context.values.iter().all(|value| format.round(*value) == *value);
    let format = lower(context.storage).into_iter().rev().find(holds)?;
    let cause = Cause::Narrowed { stored: context.storage, format };
    let narrow = Context { storage: format, ..context.clone() };
    let hypothesis = narrow.lowered(&LOW_PRECISION_STORAGE, cause, |_| ());
    Some(Hypothesis { exactly: context.itself().exactly, ..hypothesis })
}

/// The contexts of frequencies in a narrower format, for a second fault besides.
pub fn contexts<'a>(context: &Context<'a>) -> Vec<Context<'a>> {
    let stated = context.compute.0;
    let of = |format: Format| {
        let mut named = context.named.clone();
        named.push((&LOW_PRECISION_FREQUENCIES, Cause::Rounded { format, stated }));
        let omega = context.omega.iter().map(|omega| format.round(*omega)).collect();
        Context { omega, named, ..context.clone() }
    };
    lower(stated).into_iter().map(of).collect()
}

/// Positions, frequencies or angles in a narrower format: what programs of it do.
pub fn computation(context: &Context<'_>) -> Vec<Hypothesis> {
    // Position, frequency and product: which of them are rounded. A rounded product hides what comes before it.
    let ways: [(&'static Fault, [bool; 3]); 7] = [
        (&LOW_PRECISION_FREQUENCIES, [false, true, false]),
        (&LOW_PRECISION_FREQUENCIES, [true, true, false]),
        (&LOW_PRECISION_POSITIONS, [true, false, false]),
        (&LOW_PRECISION_ANGLES, [false, false, true]),
        (&LOW_PRECISION_ANGLES, [true, true, true]),
        (&LOW_PRECISION_ANGLES, [true, false, true]),
        (&LOW_PRECISION_ANGLES, [false, true, true]),
    ];
    if context.narrow.is_some() {
        return Vec::new();
    }
    let stated = context.compute.0;
    let formats = lower(stated);
    let of = |format: Format| {
        ways.iter().map(move |&(fault, [position, frequency, angle])| {
            let cause = Cause::Rounded { format, stated };
            let mut hypothesis = context.lowered(fault, cause.clone(), |stages| {
                stages.narrow = Some(Narrow { format, position, frequency, angle });
            });
            if position && frequency && !angle {
                hypothesis.named.push((&LOW_PRECISION_POSITIONS, Cause::RoundedPositions { format }));
            }
            hypothesis
        })
    };
    formats.into_iter().flat_map(of).collect()
}

/// Angles that are right but whose sines and cosines, or whose last bits, are not.
pub fn trigonometry(context: &Context<'_>, phasors: &Phasors) -> Vec<Hypothesis> {
    let stated = context.compute.0;
    let mut all = Vec::new();
    if stated != Format::F64 {
        all.push(context.lowered(&FAST_MATH, Cause::ReducedInSingle, |stages| stages.single_turns = true));
    }
    let law = Law::new(&context.expected);
    let (mut largest, mut fastest) = (0f64, false);
    let (mut rows, mut pairs) = (vec![false; phasors.positions.len()], vec![false; phasors.pairs]);
    let allowance = context.allowance(&context.expected, &context.omega);
    for (row, row_departs) in rows.iter_mut().enumerate() {
        let position = phasors.positions[row] as f64;
        let t = law.effective(position);
        for (pair, pair_departs) in pairs.iter_mut().enumerate() {
            let angle = t * context.omega[pair];
            let Some(phase) = phasors.phase(row, pair) else { return all };
            let off = wrap(phase - angle).abs();
            let limit = 2.0 * phasors.tolerance(&allowance, pair, law.reach(position));
            if off > limit {
                largest = largest.max((off - limit) / angle.abs().max(1.0));
                (*row_departs, *pair_departs) = (true, true);
                fastest |= pair == 0;
            }
        }
    }
    // Such errors grow with the angle. Where they show in a row, they show in most rows after it, and in most pairs that are
    // faster than one in which they show; a few entries that are off are no lower precision.
    let shows =
        |departs: &[bool]| is_most(departs.iter().filter(|departs| **departs).count() as u64, departs.len() as u64);
    let after = rows.iter().position(|departs| *departs).map_or(&[][..], |first| &rows[first..]);
    let faster = pairs.iter().rposition(|departs| *departs).map_or(&[][..], |last| &pairs[..=last]);
    let many = after.len() > 1 && shows(after) && shows(faster);
    if many && largest > 0.0 && largest <= 2e-5 {
        let fault: &'static Fault = if fastest && stated != Format::F64 { &FAST_MATH } else { &INACCURATE_ANGLES };
        let open = 4.0 * largest;
        all.push(context.lowered(fault, Cause::Inaccurate { error: open, stated }, |stages| stages.open = open));
    }
    all
}
