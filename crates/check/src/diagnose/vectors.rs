//! Rotations: other parts of a vector, other pairs, other caches, none at all.

use super::super::Invalid;
use super::super::faults::{
    AXES_EXCHANGED, COUNTED_TABLES, Cause, EXCHANGED_ARRAYS, Fault, IN_PLACE, MIXTURE, NO_ROTATION, OTHER_PART,
    OTHER_PART_AND_DENOMINATOR, PositionRule, WHOLE_VECTOR,
};
use super::super::rates::omega;
use super::super::reference::Reading;
use super::super::sample::Sample;
use super::super::subject::{Products, Subject, Wiring, pairs_of};
use super::hypothesis::{Context, Hypothesis};
use super::placement::Placement;
use super::stage::Tweak;
use super::{maps, moved};
use posproof_encoding::convention::{Component, Convention, Layout, Order};

/// Possible fates of vectors; to be tested on the rows of the sample.
pub fn hypotheses(context: &Context<'_>, sample: &Sample) -> Vec<Hypothesis> {
    let Subject::Rotation { y, .. } = context.subject else { return Vec::new() };
    let mut all = vec![context.with(&NO_ROTATION, Cause::NotRotated, |stages| stages.omega.fill(0.0))];
    let order = Cause::Order { expected: Order::SinCos, found: Order::CosSin };
    all.push(context.with(&EXCHANGED_ARRAYS, order, |stages| stages.tweak = Some(Tweak::Exchanged)));
    all.extend(parts(context, sample));
    for layout in [context.expected.layout, other(context.expected.layout)] {
        all.extend([None, Some(Component::Cos), Some(Component::Sin)].map(|part| mixture(context, layout, part)));
    }
    let in_place = Wiring { in_place: true, ..context.reading.wiring.clone() };
    all.push(wired(context.with(&IN_PLACE, Cause::InPlace, |_| ()), in_place));
    // [batch, positions, heads, dim] in place of [batch, heads, positions, dim]: the tables are numbered by positions.
    for batch in (1..=8).filter(|batch| y.slabs() % batch == 0 && y.slabs() / batch > 1) {
        all.push(table_numbers(context, &AXES_EXCHANGED, (1, y.slabs() / batch), None));
    }
    all.extend(along_axes(context, &AXES_EXCHANGED));
    all.extend(counted(context, [y.slabs(), y.rows()]));
    all
}

/// The position of every row is so much further for each table along an axis: by one, or by the rows of a table.
fn counted(context: &Context<'_>, [tables, rows]: [usize; 2]) -> Vec<Hypothesis> {
    let (mut run, mut all) = (1, Vec::new());
    let mut leading: Vec<_> =
        context.subject.judged().leading().into_iter().rev().map(|(axis, period)| (Some(axis), period)).collect();
    if leading.len() < 2 {
        leading = vec![(None, tables)];
    }
    for (axis, period) in leading {
        for by in [1.0, rows as f64].into_iter().filter(|_| period > 1) {
            let rule = PositionRule::Counted { by, axis };
            all.push(context.with(&COUNTED_TABLES, rule.into(), |stages| {
                stages.placement = Placement::Counted { run, period, by };
            }));
        }
        run *= period;
    }
    all
}

/// Every row is that of its table's number, counted in runs of so many tables, modulo a period.
pub fn table_numbers(
    context: &Context<'_>,
    fault: &'static Fault,
    (run, period): (usize, usize),
    axis: Option<usize>,
) -> Hypothesis {
    let cause = Cause::AxesExchanged { period, axis };
    context.with(fault, cause, |stages| stages.placement = Placement::Table { run, period })
}

/// Every row is that of its place along another axis of the array, for each of these: [positions, batch, heads, dim].
pub fn along_axes(context: &Context<'_>, fault: &'static Fault) -> Vec<Hypothesis> {
    let mut run = 1;
    let axes = context.subject.judged().leading();
    let of = |(axis, period): (usize, usize)| {
        let one = table_numbers(context, fault, (run, period), Some(axis));
        run *= period;
        one
    };
    axes.into_iter().rev().map(of).collect()
}

pub fn other(layout: Layout) -> Layout {
    if layout == Layout::Halves { Layout::Interleaved } else { Layout::Halves }
}

fn wired(hypothesis: Hypothesis, wiring: Wiring) -> Hypothesis {
    Hypothesis { reading: Reading { wiring, ..hypothesis.reading.clone() }, found: None, exactly: false, ..hypothesis }
}

/// A cache of one duplication with pairs of the other, or a part of it: the entries of a pair turn by the angles of their columns.
fn mixture(context: &Context<'_>, layout: Layout, component: Option<Component>) -> Hypothesis {
    let pairs = context.expected.pairs();
    let read = pairs_of(layout, pairs);
    let repeated = layout == Layout::Halves;
    let products = |pair: usize, column: usize| {
        let other = if repeated { column / 2 } else { column % pairs };
        let of = |part| if component.is_none_or(|component| component == part) { other } else { pair };
        Products::between(of(Component::Cos), of(Component::Sin))
    };
    let turns = read.iter().enumerate().map(|(pair, &(a, b))| [a, b].map(|column| products(pair, column))).collect();
    let wiring = Wiring { turns, ..Wiring::between(read.clone(), read) };
    wired(context.with(&MIXTURE, Cause::Mixture { repeated, layout, component }, |_| ()), wiring)
}

/// Rotations of a part of the dimensions, where another part was stated.
fn parts(context: &Context<'_>, sample: &Sample) -> Vec<Hypothesis> {
    let expected = &context.expected;
    let rotated = expected.dim - sample.unchanged().len();
    let (dim, stated) = (expected.dim, expected.rotary_dim);
    let mut all = Vec::new();
    for layout in [expected.layout, other(expected.layout)] {
        for rotary in [rotated, expected.dim] {
            let rotary_dim = (rotary < expected.dim).then_some(rotary);
            let candidate = Convention { rotary_dim, layout, ..expected.clone() };
            if candidate == *expected || rotary_dim == stated || candidate.validate().is_err() {
                continue;
            }
            let Some(omega) = omega(&candidate) else { continue };
            let at = Context {
                reading: Reading::new(&candidate),
                expected: candidate.clone(),
                omega,
                found: context.found.as_ref().map(|_| candidate.clone()),
                degraded: false,
                ..context.clone()
            };
            let mut part = at.itself();
            part.named.push((&OTHER_PART, Cause::Rotated { dim, expected: stated, found: rotary_dim }));
            all.push(part);
            let pairs = candidate.pairs();
            let cause = Cause::RotatedWithOther { dim, expected: stated, found: rotary_dim };
            let denominator = at.with(&OTHER_PART_AND_DENOMINATOR, cause, |stages| {
                stages.omega = powers(expected, pairs, expected.frequency_dim());
            });
            all.push(Hypothesis { found: None, ..denominator });
        }
    }
    if expected.rotary_dim.is_some() {
        // Pairs (k, k + dim/2), where rotary_dim asks for (k, k + rotary_dim/2).
        let pairs = expected.pairs();
        let wide: Vec<(usize, usize)> = (0..pairs).map(|k| (k, k + expected.dim / 2)).collect();
        for omega in [context.omega.clone(), powers(expected, pairs, expected.dim)] {
            let whole = context.with(&WHOLE_VECTOR, Cause::WholeVector, |stages| stages.omega = omega);
            all.push(wired(whole, Wiring::between(wide.clone(), wide.clone())));
        }
    }
    all
}

/// base^(−2k/denominator).
fn powers(convention: &Convention, pairs: usize, denominator: usize) -> Vec<f64> {
    let ln = core_math::log(convention.base.value().to_f64());
    let index = |k: usize| convention.pair_of_all(k) as f64;
    (0..pairs).map(|k| core_math::exp(-2.0 * index(k) / denominator as f64 * ln)).collect()
}

/// Fates of vectors, those that are measured included.
pub fn all(context: &Context<'_>, sample: &Sample) -> Result<Vec<Hypothesis>, Invalid> {
    let mut all = hypotheses(context, sample);
    all.extend(maps::hypotheses(context, sample)?);
    all.extend(moved::hypotheses(context, sample)?);
    Ok(all)
}

/// The first hypothesis that holds for every row of the sample.
pub fn screened(context: &Context<'_>, sample: &Sample) -> Result<Vec<Hypothesis>, Invalid> {
    let mut all = Vec::new();
    for hypothesis in hypotheses(context, sample) {
        // A few rows reject most.
        let few = sample.rows.len().min(8);
        let last = &sample.rows[sample.rows.len() - few..];
        if context.holds_in(&hypothesis, last)? && context.holds_in(&hypothesis, &sample.rows)? {
            all.push(hypothesis);
        }
    }
    if all.is_empty() {
        for hypothesis in maps::hypotheses(context, sample)?.into_iter().chain(moved::hypotheses(context, sample)?) {
            if context.holds_in(&hypothesis, &sample.rows)? {
                all.push(hypothesis);
            }
        }
    }
    Ok(all)
}
