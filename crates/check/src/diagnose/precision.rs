//! Right angles at too low a precision: storage, positions, frequencies, angles, sine and cosine.

use super::super::faults::{
    Cause, FAST_MATH, Fault, INACCURATE_ANGLES, INTERPOLATED, LOOKED_UP, LOW_PRECISION_ANGLES, LOW_PRECISION_CACHE,
    LOW_PRECISION_FREQUENCIES, LOW_PRECISION_POSITIONS, LOW_PRECISION_STORAGE, PrecisionCause, ROUNDED_FREQUENCIES,
    is_most,
};
use super::super::rates::omega;
use super::super::sample::{Phasors, wrap};
use super::super::subject::Subject;
use super::super::view::narrowest_of;
use super::hypothesis::{Context, Hypothesis};
use super::stage::{Narrow, Turns};
use posproof_encoding::Law;
use posproof_encoding::convention::Spacing;
use posproof_numerics::format::Format;
use std::f64::consts::{PI, TAU};
use std::ops::Range;

/// Formats that compute, below what was stated, the wider first.
pub fn lower(stated: Format) -> Vec<Format> {
    let wider = [Format::F32, Format::F16, Format::Bf16];
    wider.into_iter().filter(|format| format.precision() < stated.precision()).collect()
}

/// Entries that were rounded to a narrower format before they were stored.
pub fn storage(context: &Context<'_>) -> Option<Hypothesis> {
    let format = narrowest_of(context.storage, context.values.iter().copied())?;
    let cause = Cause::Narrowed { stored: context.storage, format };
    let narrow = Context { storage: format, ..context.clone() };
    let hypothesis = narrow.lowered(&LOW_PRECISION_STORAGE, cause, |_| ());
    Some(Hypothesis { exactly: context.itself().exactly, ..hypothesis })
}

/// The context of entries that were rounded to a narrower format before they were stored, for a second fault besides.
pub fn stored<'a>(context: &Context<'a>) -> Option<Context<'a>> {
    let Hypothesis { named, storage, .. } = storage(context)?;
    Some(Context { named, storage, ..context.clone() })
}

/// The contexts of frequencies in a narrower format, for a second fault besides.
pub fn contexts<'a>(context: &Context<'a>) -> Vec<Context<'a>> {
    let stated = context.compute.0.format;
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
    let stated = context.compute.0.format;
    let of = |format: Format| {
        // Positions that a format holds are not rounded to it.
        let held = holds_positions(context, format);
        ways.iter().filter(move |(_, [position, ..])| !(held && *position)).map(
            move |&(fault, [position, frequency, angle])| {
                let cause = Cause::Rounded { format, stated };
                let mut hypothesis = context.lowered(fault, cause, |stages| {
                    stages.narrow = Some(Narrow { format, position, frequency, angle, entry: false });
                });
                if position && frequency && !angle {
                    hypothesis.named.push((&LOW_PRECISION_POSITIONS, Cause::RoundedPositions { format }));
                }
                hypothesis
            },
        )
    };
    let all = lower(stated).into_iter().flat_map(of).chain(lower(stated).into_iter().flat_map(|format| {
        recipes(context, format).into_iter().flat_map(move |recipe| computed(context, format, &recipe))
    }));
    let all: Vec<Hypothesis> = all.chain(digits(context)).collect();
    if !matches!(context.subject, Subject::Rotation { .. }) || !context.degraded {
        return all;
    }
    let rounded = lower(context.storage).into_iter().flat_map(|format| with_rounded_entries(context, format, &all));
    let rounded: Vec<Hypothesis> = rounded.collect();
    all.into_iter().chain(rounded).collect()
}

/// A frequency that is off by more roundoffs than this was rounded: by fewer, it was computed along another path.
const SEEN: f64 = 16.0;

/// Frequencies with few digits: those after the point, decimal or binary, or significant ones.
fn digits(context: &Context<'_>) -> Vec<Hypothesis> {
    let after = |base: u32| (2..=24).map(move |digits| PrecisionCause::Decimals { digits, base });
    let significant = (2..=6).map(|digits| PrecisionCause::Significant { digits });
    let read = |printed: String| printed.parse().unwrap_or(f64::NAN);
    let round = |omega: f64, cause: &PrecisionCause| match *cause {
        PrecisionCause::Decimals { digits, base: 10 } => read(format!("{omega:.0$}", digits as usize)),
        PrecisionCause::Decimals { digits, .. } => (omega * f64::from(1 << digits)).round() / f64::from(1 << digits),
        PrecisionCause::Significant { digits } => read(format!("{omega:.0$e}", digits as usize - 1)),
        _ => omega,
    };
    let unit = context.compute.0.format.unit_roundoff();
    let of = |cause: PrecisionCause| {
        let omega: Vec<f64> = context.omega.iter().map(|omega| round(*omega, &cause)).collect();
        let far = |(rounded, omega): (&f64, &f64)| (rounded - omega).abs() > SEEN * unit * omega.abs();
        omega
            .iter()
            .zip(&context.omega)
            .any(far)
            .then(|| context.lowered(&ROUNDED_FREQUENCIES, cause.into(), |stages| stages.omega = omega))
    };
    after(10).take(11).chain(significant).chain(after(2)).filter_map(of).collect()
}

/// True if all effective positions are numbers of a format, as whole ones below its largest are.
fn holds_positions(context: &Context<'_>, format: Format) -> bool {
    let law = Law::new(&context.expected);
    let [zero, one] = [0.0, 1.0].map(|p| law.effective(p));
    let whole = zero.fract() == 0.0 && one.fract() == 0.0;
    whole && law.reach(context.positions.max() as f64) <= 1.0 / format.unit_roundoff()
}

/// Cosines and sines that are rounded to a format before vectors are rotated with them: alone, and beside each computation.
fn with_rounded_entries(context: &Context<'_>, format: Format, computed: &[Hypothesis]) -> Vec<Hypothesis> {
    let alone = Narrow { format, position: false, frequency: false, angle: false, entry: true };
    let cause: Cause = PrecisionCause::Cache { format }.into();
    let alone = context.lowered(&LOW_PRECISION_CACHE, cause.clone(), |stages| stages.narrow = Some(alone));
    let also = computed.iter().filter_map(|hypothesis| {
        let mut hypothesis = hypothesis.clone();
        let narrow = hypothesis.stages.narrow.unwrap_or(Narrow { entry: false, ..alone.stages.narrow? });
        (narrow.format == format).then_some(())?;
        hypothesis.stages.narrow = Some(Narrow { entry: true, ..narrow });
        hypothesis.named.push((&LOW_PRECISION_CACHE, cause.clone()));
        Some(hypothesis)
    });
    let also: Vec<Hypothesis> = also.collect();
    std::iter::once(alone.clone()).chain(also).collect()
}

/// Frequencies that are computed in a narrow format, and the first pair whose power overflows in it.
struct Recipe {
    omega: Vec<f64>,
    overflows: Option<usize>,
}

/// The ways in which programs compute frequencies, every step in a format: the reciprocal of a power, a negative power, an
/// exponential; of the base as it is, or rounded too.
fn recipes(context: &Context<'_>, format: Format) -> Vec<Recipe> {
    let convention = &context.expected;
    // Other conventions that are computed so are two faults at once.
    let plain = context.degraded && convention.scaling.is_none() && convention.frequency_spacing == Spacing::Paper;
    if !plain || Some(&context.omega) != omega(convention).as_ref() {
        return Vec::new();
    }
    let round = |x: f64| format.round(x);
    let (base, dim) = (convention.base.value().to_f64(), convention.frequency_dim() as f64);
    let index = |k: usize| 2.0 * convention.frequency_index(k) as f64;
    let exponents: [&dyn Fn(usize) -> f64; 2] = [&|k| round(round(index(k)) / dim), &|k| round(index(k) * (1.0 / dim))];
    let mut all: Vec<Recipe> = Vec::new();
    let mut add = |of: &dyn Fn(usize) -> (f64, bool)| {
        let made: Vec<(f64, bool)> = (0..convention.pairs()).map(of).collect();
        let overflows = made.iter().position(|(_, overflows)| *overflows);
        let omega: Vec<f64> = made.into_iter().map(|(omega, _)| omega).collect();
        if omega.iter().all(|omega| omega.is_finite()) && !all.iter().any(|other| other.omega == omega) {
            all.push(Recipe { omega, overflows });
        }
    };
    for base in [base, round(base)] {
        let power = |x: f64| core_math::exp(x * core_math::log(base));
        for exponent in exponents {
            add(&|k| {
                // The power of the smallest exponent is 1, whatever the base is.
                let power = if exponent(k) == 0.0 { 1.0 } else { round(power(exponent(k))) };
                (round(1.0 / power), power.is_infinite())
            });
            add(&|k| (round(power(-exponent(k))), false));
        }
        let ln = core_math::log(base);
        for step in [-ln / dim, round(-ln / dim), round(round(-ln) / dim)] {
            add(&|k| (round(core_math::exp(round(round(index(k)) * step))), false));
        }
    }
    all
}

/// Programs with frequencies that were computed in a narrow format: with positions and angles in it, or without.
fn computed(context: &Context<'_>, format: Format, recipe: &Recipe) -> Vec<Hypothesis> {
    let stated = context.compute.0.format;
    let frequencies: Cause = PrecisionCause::Frequencies { format, overflows: recipe.overflows }.into();
    let held = holds_positions(context, format);
    [[false, false], [true, false], [false, true], [true, true]]
        .into_iter()
        .filter(|[position, _]| !(held && *position))
        .map(|[position, angle]| {
            let mut hypothesis = context.lowered(&LOW_PRECISION_FREQUENCIES, frequencies.clone(), |stages| {
                stages.omega.clone_from(&recipe.omega);
                let narrow = Narrow { format, position, frequency: false, angle, entry: false };
                stages.narrow = Some(narrow).filter(|_| position || angle);
            });
            if angle {
                hypothesis.named.push((&LOW_PRECISION_ANGLES, Cause::Rounded { format, stated }));
            } else if position {
                hypothesis.named.push((&LOW_PRECISION_POSITIONS, Cause::RoundedPositions { format }));
            }
            hypothesis
        })
        .collect()
}

/// Angles that are right but whose sines and cosines, or whose last bits, are not.
pub fn trigonometry(context: &Context<'_>, phasors: &Phasors) -> Vec<Hypothesis> {
    let stated = context.compute.0.format;
    let mut all = Vec::new();
    if stated != Format::F64 {
        all.push(context.lowered(&FAST_MATH, Cause::ReducedInSingle, |stages| stages.turns = Turns::Single));
    }
    all.extend(reduced(context));
    all.extend(looked_up(context, phasors));
    all.extend(interpolated(context, phasors));
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

/// Angles of which a usual table has one entry each, at most.
const MOST_ANGLES: f64 = 65536.0;

/// Sampled angles that were rounded, at least: fewer are those of some table.
const FEWEST_ANGLES: usize = 32;

/// Angles that are reduced by multiples of a turn, of half of one or of a quarter, with few digits, in binary64 or binary32.
fn reduced(context: &Context<'_>) -> Vec<Hypothesis> {
    let few = |digits: i32| {
        let parts = 10f64.powi(digits);
        [(PI * parts).round() / parts, (PI * parts).floor() / parts]
    };
    let short = (2..=6).flat_map(few).chain([22.0 / 7.0, 355.0 / 113.0]);
    let of = |pi: f64| {
        let single = |x: f64| f64::from(x as f32);
        let taken = [2.0, 1.0, 0.5].into_iter().flat_map(move |by| [(by, by * pi), (by, single(by * pi))]);
        taken.flat_map(move |(by, taken)| [false, true].map(|down| (pi, Turns::By { part: by * PI, taken, down })))
    };
    let hypothesis = |(pi, turns): (f64, Turns)| {
        context.lowered(&FAST_MATH, PrecisionCause::Reduced { pi }.into(), |stages| stages.turns = turns)
    };
    short.flat_map(of).map(hypothesis).collect()
}

/// Numbers of angles in tables: powers of two, but for their ends, or degrees.
fn usual(range: Range<f64>) -> impl Iterator<Item = u32> {
    let powers = (2..=16).flat_map(|power| [1 << power, (1 << power) - 1]);
    powers.chain([360, 720, 1000, 3600, 10000]).filter(move |parts| range.contains(&f64::from(*parts)))
}

/// Cosines and sines on the lines between those of so many angles in a turn: these are short by (π/parts)²/3 on average, where angles are
/// anywhere between.
fn interpolated(context: &Context<'_>, phasors: &Phasors) -> Vec<Hypothesis> {
    let honest = context.honest();
    let of = |at: usize| {
        let (row, pair) = (at / phasors.pairs, at % phasors.pairs);
        let angle = honest.angle(context.slab, phasors.positions[row], pair, 0);
        let short = 1.0 - phasors.cos(row, pair)?.hypot(phasors.sin(row, pair)?);
        (angle.abs() > 1.0).then_some(short).filter(|short| short.is_finite())
    };
    let short: Vec<f64> = (0..phasors.positions.len() * phasors.pairs).filter_map(of).collect();
    let parts = PI / (3.0 * short.iter().sum::<f64>() / short.len() as f64).sqrt();
    if short.len() < FEWEST_ANGLES || !(4.0..=MOST_ANGLES / 8.0).contains(&parts) {
        return Vec::new();
    }
    let hypothesis = |parts: u32| {
        let cause = PrecisionCause::Interpolated { parts };
        context.lowered(&INTERPOLATED, cause.into(), |stages| stages.turns = Turns::Between { parts })
    };
    let near = (0.97 * parts) as u32..=(1.03 * parts) as u32;
    usual(0.7 * parts..1.4 * parts).chain(near).map(hypothesis).collect()
}

/// Angles that are rounded to parts of a turn: to the nearest one, by half a part at most, or down by a whole one.
fn looked_up(context: &Context<'_>, phasors: &Phasors) -> Vec<Hypothesis> {
    let (honest, mut offs) = (context.honest(), Vec::new());
    for (row, &position) in phasors.positions.iter().enumerate() {
        for pair in 0..phasors.pairs {
            let Some(phase) = phasors.phase(row, pair) else { return Vec::new() };
            offs.push(wrap(phase - honest.angle(context.slab, position, pair, 0)).abs());
        }
    }
    let largest = offs.iter().copied().fold(0.0, f64::max);
    let far = offs.iter().filter(|off| 8.0 * **off > largest).count();
    let of = |down: bool| {
        let most = if down { TAU } else { PI } / largest;
        // Few angles of a sample are as far off as any could be.
        let near = (0.9 * most).max(4.0) as u32..=most.min(MOST_ANGLES / 8.0) as u32;
        usual(0.1 * most..1.1 * most).chain(near).map(move |parts| (parts, down))
    };
    if far < FEWEST_ANGLES || !(PI / MOST_ANGLES..=1.0).contains(&largest) {
        return Vec::new();
    }
    let hypothesis = |(parts, down): (u32, bool)| {
        let cause = PrecisionCause::Turns { parts, down };
        context.lowered(&LOOKED_UP, cause.into(), |stages| stages.turns = Turns::Parts { parts, down })
    };
    [false, true].into_iter().flat_map(of).map(hypothesis).collect()
}
