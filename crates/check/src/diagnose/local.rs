//! Faults of a part: of some entries, rows, tables or pairs.

use super::super::compare::{Scope, VACUOUS};
use super::super::faults::{Cause, LOCAL, PADDING_ROW, PAIRS_EXCHANGED, PartCause, Region, SCALED_PART, ZERO};
use super::super::measure::frequency;
use super::super::sample::{Phasors, wrap};
use super::super::subject::Subject;
use super::hypothesis::{Context, Hypothesis};
use super::stage::Tweak;
use posproof_encoding::Law;
use posproof_encoding::convention::Component;

/// Rows and tables of a region.
pub fn scope(region: &Region) -> Scope {
    Scope { slabs: region.heads, rows: region.rows }
}

/// Programs that alter the entries of a region, to be tested on all of them; `few` where these are less than a quarter of all.
pub fn hypotheses(context: &Context<'_>, (region, few): (&Region, bool), phasors: &Phasors) -> Vec<Hypothesis> {
    let rotation = matches!(context.subject, Subject::Rotation { .. });
    let components =
        if rotation { vec![None, Some(Component::Sin), Some(Component::Cos)] } else { vec![region.component] };
    // A row of a table for what is no token: of that of position 0 only the cosines are not 0 anyway.
    let whole = region.pairs.is_some_and(|pairs| pairs.is_all(region.of.pairs));
    let is_padding = matches!(context.subject, Subject::Sinusoid(_)) && region.rows.count == 1 && whole && few;
    let mut all = Vec::new();
    for component in components {
        let part = (region.pairs, component);
        let local = region.is_part() && few;
        let mut times = |cause: Cause, by: f64| {
            // An entry of a rotated vector is no cosine: what is altered is a component of the angle.
            let component = component.filter(|_| rotation || !local);
            let cause = component.map_or(cause, |component| Cause::OfComponent { component, by });
            let fault = match by {
                0.0 if is_padding => &PADDING_ROW,
                _ if local => &LOCAL,
                0.0 if component.is_none() => &ZERO,
                _ => &SCALED_PART,
            };
            all.push(context.with(fault, cause, |stages| (stages.tweak, stages.part) = (Some(Tweak::Times(by)), part)));
        };
        times(Cause::Zero, 0.0);
        if region.is_part() || component.is_some() {
            times(Cause::Negated, -1.0);
            if let Some(by) = quotient(context, region, phasors, component) {
                times(Cause::Multiplied { by }, by);
            }
        }
    }
    if let Some(pairs) = region.pairs.filter(|pairs| pairs.count == 2) {
        let pairs = [pairs.first, pairs.last];
        all.push(context.with(&PAIRS_EXCHANGED, PartCause::Exchanged { pairs }.into(), |stages| {
            stages.omega.swap(pairs[0], pairs[1]);
        }));
    }
    let one = region.pairs.filter(|pairs| pairs.count == 1 && region.of.pairs > 1);
    all.extend(one.and_then(|pairs| pair_frequency(context, pairs.first, phasors)));
    all
}

/// The one pair that has a frequency of its own; none where several have.
pub fn lone_frequency(context: &Context<'_>, phasors: &Phasors) -> Option<Hypothesis> {
    let mut all = (0..phasors.pairs).filter_map(|pair| pair_frequency(context, pair, phasors));
    let one = all.next().filter(|_| phasors.pairs > 1)?;
    all.next().is_none().then_some(one)
}

/// Factor of the entries of a region: the median of the quotients.
fn quotient(context: &Context<'_>, region: &Region, phasors: &Phasors, component: Option<Component>) -> Option<f64> {
    let honest = context.honest();
    let mut quotients = Vec::new();
    for (row, &position) in phasors.positions.iter().enumerate() {
        for pair in region.pairs?.iter() {
            let angle = honest.angle(context.slab, position, pair, 0);
            let mut add = |found: Option<f64>, right: f64| {
                quotients.extend(found.filter(|_| right.abs() > 0.5).map(|found| found / right));
            };
            if component != Some(Component::Sin) {
                add(phasors.cos(row, pair), core_math::cos(angle));
            }
            if component != Some(Component::Cos) {
                add(phasors.sin(row, pair), core_math::sin(angle));
            }
        }
    }
    quotients.sort_by(f64::total_cmp);
    // One quotient explains one entry whatever it is: three do not agree by chance.
    (quotients.len() >= 3).then(|| quotients[quotients.len() / 2]).filter(|by| by.is_finite() && *by != 0.0)
}

/// A pair with a frequency of its own, which is told from the stated one.
fn pair_frequency(context: &Context<'_>, pair: usize, phasors: &Phasors) -> Option<Hypothesis> {
    let estimate = frequency(phasors, pair, context.noise(phasors))?;
    let scale = Law::new(&context.expected).scale();
    let (expected, found) = (context.omega[pair] * scale.abs(), estimate.value);
    let told = (found - expected).abs() > 2.0 * estimate.error;
    // Where the last row may be at any angle, the frequency predicts nothing: entries of any kind would confirm it.
    let law = Law::new(&context.expected);
    let last = phasors.positions.last().map_or(0.0, |&position| law.reach(position as f64));
    let predicts = estimate.error.min(1e-3 * found) * last < VACUOUS;
    if !(told && predicts && found > 4.0 * estimate.error) {
        return None;
    }
    // By least squares, of all rows: what is said has to predict every entry within its bound, with nothing left open.
    let (mut sum, mut weight) = (0.0, 0.0);
    for (row, &position) in phasors.positions.iter().enumerate() {
        let t = law.effective(position as f64);
        sum += t * wrap(phasors.phase(row, pair)? - t * found / scale);
        weight += t * t;
    }
    let found = found + if weight > 0.0 { scale * sum / weight } else { 0.0 };
    Some(context.with(&LOCAL, Cause::PairFrequency { pair, expected, found }, |stages| {
        stages.omega[pair] = found / scale;
    }))
}
