//! Other conventions and known mistakes, one by one: those that the catalogue says, and those of tables.

use super::super::faults::{
    Alternative, COMPONENT_BASE, COMPONENT_SHIFT, COSINE_EXPONENT, CacheRead, Cause, ONES, OTHER_COLUMNS,
    PARITY_OF_ROWS, PER_TOKEN, PartCause, ProductsCause, QUOTIENT_RAISED, UNSIGNED, catalogue, is_most,
};
use super::super::rates::{BASES, FACTORS, LENGTHS, omega};
use super::super::sample::Phasors;
use super::hypothesis::{Context, Hypothesis};
use super::laws::{PerToken, Quotient};
use super::placement::Placement;
use super::stage::Tweak;
use posproof_encoding::Law;
use posproof_encoding::convention::{Component, Convention, Encoding, Spacing};
use posproof_encoding::real::Real;
use posproof_encoding::scaling::Scaling;

/// Other conventions, and frequencies that no convention has: the rows of the catalogue, first to last.
pub fn hypotheses(context: &Context<'_>) -> Vec<Hypothesis> {
    let expected = &context.expected;
    let mut all = Vec::new();
    for fault in catalogue() {
        for alternative in fault.alternatives {
            match alternative {
                Alternative::Convention { made, .. } => {
                    let other = |found: &Convention| found != expected && found.validate().is_ok();
                    all.extend(made(expected).into_iter().filter(other).filter_map(|found| {
                        let (expected, to) = (Box::new(expected.clone()), Box::new(found.clone()));
                        context.other(fault, Cause::Convention { expected, found: to }, found)
                    }));
                }
                Alternative::Frequencies { made, cause } => {
                    let Some(omega) = made(expected).filter(|omega| *omega != context.omega) else { continue };
                    let at = Context { omega: omega.clone(), found: None, ..context.clone() };
                    all.push(at.with(fault, cause(expected, omega), |_| ()));
                }
            }
        }
    }
    all
}

/// Dynamic NTK scaling that is computed anew for each row: by the stated rule, or by one in use where none is stated and rows
/// from its length on are wrong.
pub fn per_token(context: &Context<'_>) -> Vec<Hypothesis> {
    let expected = &context.expected;
    let rules: Vec<(Real, u64)> = match (&expected.scaling, context.boundary) {
        (Some(Scaling::Dynamic { factor, original_max_position_embeddings: original, .. }), _) => {
            vec![(factor.clone(), *original)]
        }
        (None, Some((before, from))) if expected.encoding == Encoding::Rope => {
            let lengths = LENGTHS.into_iter().filter(|length| (before + 1..=from).contains(length));
            lengths.flat_map(|length| FACTORS.map(|factor| (factor.into(), length))).collect()
        }
        _ => return Vec::new(),
    };
    let unscaled = Convention { scaling: None, ..expected.clone() };
    let Some(at) = omega(&unscaled).and_then(|omega| context.at(&unscaled, omega)) else { return Vec::new() };
    // Rows before that length follow the convention without a rule.
    let at = Context { found: context.found.as_ref().map(|_| unscaled), ..at };
    let of = |(factor, original): (Real, u64)| {
        let rule = PerToken { factor: factor.value().to_f64(), original, dim: expected.frequency_dim() };
        at.with(&PER_TOKEN, Cause::PerToken { factor, original }, |stages| stages.per_token = Some(rule))
    };
    rules.into_iter().map(of).collect()
}

/// Tables whose cosines and sines belong to no common angle.
pub fn of_components(context: &Context<'_>) -> Vec<Hypothesis> {
    if context.expected.encoding != Encoding::Sinusoid {
        return Vec::new();
    }
    let mut all = Vec::new();
    for first in [0, 1] {
        let change = |stages: &mut super::program::Stages| stages.tweak = Some(Tweak::Parity(first));
        all.push(context.with(&PARITY_OF_ROWS, Cause::AlternatingRows, change));
    }
    let base = context.expected.base.value().to_f64();
    let dim = context.expected.frequency_dim() as f64;
    // base^(−(factor·k + shift)/dim).
    let powers = |(factor, shift): (f64, f64)| {
        let index = |pair: usize| context.expected.pair_of_all(pair) as f64;
        let rate = |pair: usize| core_math::exp(-(factor * index(pair) + shift) / dim * core_math::log(base));
        (0..context.expected.pairs()).map(rate).collect::<Vec<f64>>()
    };
    let sines = [((2.0, 0.0), "2k/dim"), ((4.0, 0.0), "4k/dim")];
    let cosines = [((4.0, 2.0), "2(2k + 1)/dim"), ((2.0, 1.0), "(2k + 1)/dim"), ((2.0, 2.0), "2(k + 1)/dim")];
    for (sine, sin) in sines {
        for (cosine, cos) in cosines {
            all.push(context.with(&COSINE_EXPONENT, Cause::OwnExponents { sin, cos }, |stages| {
                (stages.omega, stages.sine_omega) = (powers(cosine), Some(powers(sine)));
            }));
        }
    }
    all
}

/// A number that is further from another than this is not the one that was read. What is near is compared by its bound afterwards.
const FAR: f64 = 0.1;

/// Pairs of a row that are compared, at most.
const PAIRS: usize = 32;

/// Cosines and sines that are read at other places of a cache's rows, as far as the last row of the sample tells, and sines of pairs at
/// rest that are 1.
pub fn read_elsewhere(context: &Context<'_>, phasors: &Phasors) -> Vec<Hypothesis> {
    let (omega, pairs) = (&context.omega, phasors.pairs);
    let (Some(cosines), Some(sines), Some(position)) = (&phasors.cos, &phasors.sin, phasors.positions.last()) else {
        return Vec::new();
    };
    if context.expected.encoding != Encoding::Rope || omega.len() != pairs {
        return Vec::new();
    }
    let law = Law::new(&context.expected);
    let row = |p: f64| {
        let t = law.effective(p);
        [f64::cos, f64::sin]
            .into_iter()
            .flat_map(|of| omega.iter().map(move |omega| of(t * omega)))
            .collect::<Vec<f64>>()
    };
    let rows = [*position as f64, *position as f64 + 1.0].map(row);
    let last = (phasors.positions.len() - 1) * pairs;
    let near = |read: &CacheRead| {
        let is = |component: Component, pair: usize| {
            let found = if component == Component::Sin { sines } else { cosines };
            let exact = read.taken(component, pair, pairs).map_or(0.0, |(rows_on, of, other)| {
                rows[rows_on][if of == Component::Sin { pairs + other } else { other }]
            });
            (found[last + pair] - exact).abs() <= FAR
        };
        let told = (0..pairs).step_by(pairs.div_ceil(PAIRS).max(1));
        let all: Vec<bool> = told.flat_map(|pair| [is(Component::Cos, pair), is(Component::Sin, pair)]).collect();
        is_most(all.iter().filter(|near| **near).count() as u64, all.len() as u64)
    };
    // From the third part on they are the sines of the next row.
    let from = (0..3 * pairs).filter(|column| *column != pairs).map(CacheRead::SinesFrom);
    let from = from.chain((pairs + 1..2 * pairs).map(CacheRead::SinesUpToTheEnd));
    let read = |read: CacheRead| {
        let rate = |component, pair| read.taken(component, pair, pairs).map_or(0.0, |(_, _, other)| omega[other]);
        let of = |component| (0..pairs).map(|pair| rate(component, pair)).collect::<Vec<f64>>();
        context.with(&OTHER_COLUMNS, ProductsCause::Read(read).into(), |stages| {
            (stages.omega, stages.sine_omega) = (of(Component::Cos), Some(of(Component::Sin)));
            stages.tweak = Some(Tweak::Read(read));
        })
    };
    let at_rest = omega.iter().filter(|omega| **omega == 0.0).count();
    let ones = (at_rest > 0).then(|| {
        context.with(&ONES, PartCause::Ones { pairs: at_rest }.into(), |stages| stages.tweak = Some(Tweak::Ones))
    });
    let all = from.chain([CacheRead::Alternating, CacheRead::Halves]).filter(near).map(read).chain(ones);
    all.map(|hypothesis| Hypothesis { found: None, ..hypothesis }).collect()
}

/// Positions that cosines or sines alone may be off by.
const SHIFTS: [f64; 6] = [1.0, -1.0, 2.0, -2.0, 3.0, -3.0];

/// Cosines or sines that are magnitudes: none is below 0, though some should be well below it.
pub fn unsigned(context: &Context<'_>, phasors: &Phasors) -> Vec<Hypothesis> {
    const WELL: f64 = 0.1;
    let law = Law::new(&context.expected);
    let is = |component: &Component| {
        let of_sines = *component == Component::Sin;
        let Some(found) = (if of_sines { &phasors.sin } else { &phasors.cos }) else { return false };
        let exact = |(row, position): (usize, &u64)| {
            let t = law.effective(*position as f64);
            let wave = |pair: usize| {
                let angle = t * context.omega[pair];
                (row * phasors.pairs + pair, if of_sines { law.sense() * angle.sin() } else { angle.cos() })
            };
            (0..phasors.pairs).map(wave).collect::<Vec<_>>()
        };
        let entries: Vec<(usize, f64)> = phasors.positions.iter().enumerate().flat_map(exact).collect();
        let lost = entries.iter().filter(|(at, exact)| *exact < -WELL && found[*at] > WELL / 2.0).count();
        lost > 1 && found.iter().all(|x| *x > -WELL / 2.0)
    };
    let of = |component| {
        context.with(&UNSIGNED, PartCause::Unsigned { component }.into(), |stages| {
            (stages.tweak, stages.part) = (Some(Tweak::Unsigned), (None, Some(component)));
        })
    };
    [Component::Sin, Component::Cos].into_iter().filter(is).map(of).collect()
}

/// Cosines or sines alone of another base, or of the rows of other positions.
pub fn of_one_component(context: &Context<'_>) -> Vec<Hypothesis> {
    let expected = &context.expected;
    let mut all = Vec::new();
    if context.subject.is_half() || omega(expected).as_ref() != Some(&context.omega) {
        return all;
    }
    let own = || Some(context.omega.clone());
    for component in [Component::Sin, Component::Cos] {
        let of_sines = component == Component::Sin;
        for base in BASES.into_iter().map(Real::from).filter(|base| *base != expected.base) {
            let other = Convention { base: base.clone(), ..expected.clone() };
            let Some(found) = other.validate().ok().and_then(|()| omega(&other)) else { continue };
            let cause = PartCause::Base { component, found: base, expected: expected.base.clone() };
            all.push(context.with(&COMPONENT_BASE, cause.into(), |stages| {
                if of_sines {
                    stages.sine_omega = Some(found);
                } else {
                    (stages.omega, stages.sine_omega) = (found, own());
                }
            }));
        }
        for by in SHIFTS {
            all.push(context.with(&COMPONENT_SHIFT, PartCause::Shifted { component, by }.into(), |stages| {
                if of_sines {
                    stages.sine_shift = by;
                } else {
                    (stages.placement, stages.sine_shift) = (Placement::Shifted(by), -by);
                }
            }));
        }
    }
    all
}

/// Angles that are powers of a quotient: (p/base)^(2k/dim).
pub fn quotient(context: &Context<'_>) -> Option<Hypothesis> {
    let convention = &context.expected;
    let plain = convention.scaling.is_none() && convention.frequency_spacing == Spacing::Paper;
    let (base, dim) = (convention.base.value().to_f64(), convention.frequency_dim() as f64);
    let exponent = |pair: usize| 2.0 * convention.pair_of_all(pair) as f64 / dim;
    let exponents = (0..convention.pairs()).map(exponent).collect();
    let change = |stages: &mut super::program::Stages| stages.quotient = Some(Quotient { base, exponents });
    let made = || Hypothesis { found: None, ..context.with(&QUOTIENT_RAISED, Cause::QuotientRaised, change) };
    plain.then(made)
}

/// The contexts of other conventions and frequencies, for a second fault besides.
pub fn contexts<'a>(context: &Context<'a>) -> Vec<Context<'a>> {
    let of = |hypothesis: Hypothesis| {
        let Hypothesis { named, stages, convention, found, .. } = hypothesis;
        let at = context.at(&convention, omega(&convention)?)?;
        Some(Context { named, omega: stages.omega, found, degraded: false, ..at })
    };
    hypotheses(context).into_iter().filter_map(of).collect()
}
