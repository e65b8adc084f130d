//! The laws that measured rates may follow: r_k = ±s·base^(−2i/D), or evenly spaced, with the angle o·r_k at the origin.
//!
//! The rates of an axis show the factor s·base^(−2i₀/D) of its first slot and the ratio base^(2/D) of neighbours, and nothing else: the same
//! entries belong to every D with a base of its own, and to every scale with another first index. Of these the usual ones are tried
//! first: bases that models have, indices counted in the axis or going on through the row, whole offsets.

use super::measure::{MeasuredNumber, wrap};
use crate::rates::BASES;
use posproof_encoding::axes::{AxialSpacing, Axis, AxisParameters, Coefficient, Index, Ranges};
use posproof_encoding::convention::Direction;
use posproof_encoding::real::Real;
use posproof_numerics::Rational;
use std::f64::consts::PI;

/// The slots of an axis in increasing order, the rate of each, and the angle at the origin.
#[derive(Clone, Debug)]
pub(super) struct MeasuredSlots {
    pub slots: Vec<usize>,
    pub rates: Vec<MeasuredNumber>,
    pub origins: Vec<MeasuredNumber>,
    /// π/g: rates are known modulo twice this.
    pub limit: f64,
}

impl MeasuredSlots {
    /// The same from the last slot to the first.
    fn reversed(&self) -> Self {
        let mut own = self.clone();
        own.slots.reverse();
        own.rates.reverse();
        own.origins.reverse();
        own
    }

    /// Only the slots whose rates, unwrapped, are those that were measured.
    fn unaliased(&self, unwrapped: &[f64]) -> Self {
        let kept: Vec<usize> =
            (0..self.slots.len()).filter(|&k| unwrapped[k].abs() <= self.limit * (1.0 + 1e-6)).collect();
        Self {
            slots: kept.iter().map(|&k| self.slots[k]).collect(),
            rates: kept.iter().map(|&k| self.rates[k]).collect(),
            origins: kept.iter().map(|&k| self.origins[k]).collect(),
            limit: self.limit,
        }
    }
}

/// Rates in geometric progression: r_k = first·e^(−fall·k).
#[derive(Clone, Copy, Debug)]
struct Progression {
    first: MeasuredNumber,
    fall: MeasuredNumber,
}

/// The most digits of a base, which binary64 tells apart.
const DIGITS: i32 = 15;

/// The largest denominator of a scale or an offset that is taken for a stated one.
const MOST_DENOMINATOR: i64 = 1024;

/// Steps between the indices of neighbouring slots that are tried.
const STEPS: [usize; 3] = [1, 2, 3];

/// The lists of axes that may be behind these rates, the simplest first; `width` is that of the span. Axes without slots are left out.
pub(super) fn laws(axes: &[(String, MeasuredSlots)], width: usize) -> Vec<Vec<Axis>> {
    let mut all = Vec::new();
    all.extend(going_on(axes, width));
    let each: Option<Vec<Vec<Axis>>> = axes
        .iter()
        .map(|(name, measured)| Some(alternatives(name, measured, width)).filter(|list| !list.is_empty()))
        .collect();
    let Some(each) = each else { return all };
    let most = each.iter().map(Vec::len).max().unwrap_or(0);
    all.extend((0..most).map(|i| each.iter().map(|list| list[i.min(list.len() - 1)].clone()).collect()));
    all
}

/// One progression that goes on through the row: every slot has the frequency of its own number.
fn going_on(axes: &[(String, MeasuredSlots)], width: usize) -> Option<Vec<Axis>> {
    let mut fall: Option<MeasuredNumber> = None;
    for (slot, rate) in axes.iter().flat_map(|(_, own)| own.slots.iter().zip(&own.rates)).filter(|(slot, _)| **slot > 0)
    {
        let value = -rate.value.abs().ln() / *slot as f64;
        let error = rate.relative() / *slot as f64;
        if fall.is_none_or(|fall| error < fall.error) {
            fall = Some(MeasuredNumber { value, error });
        }
    }
    let fall = fall?;
    let fits = |slot: usize, rate: &MeasuredNumber| {
        let expected = (-fall.value * slot as f64).exp();
        (rate.value.abs() - expected).abs() <= rate.error + expected * (fall.error * slot as f64 + 1e-12)
    };
    let right = axes.iter().all(|(_, own)| own.slots.iter().zip(&own.rates).all(|(&slot, rate)| fits(slot, rate)));
    let base =
        base_of(&MeasuredNumber { value: fall.value * width as f64 / 2.0, error: fall.error * width as f64 / 2.0 })?;
    if !right || axes.iter().all(|(_, own)| own.slots[0] == 0 && own.slots.len() == own.slots[own.slots.len() - 1] + 1)
    {
        return None;
    }
    let one = |(name, own): &(String, MeasuredSlots)| {
        let mut axis = Axis::new(name, Ranges::of(&own.slots)?);
        (axis.index, axis.parameters) = (Some(Index::Pairs), parameters(own)?);
        axis.parameters.base = Some(base.clone());
        Some(axis)
    };
    axes.iter().map(one).collect()
}

/// The ratio of the rates of neighbouring slots, base^(2/D), where they are in geometric progression.
pub(super) fn ratio(own: &MeasuredSlots) -> Option<f64> {
    fall(own).map(|fall| fall.value.exp())
}

/// The logarithm of that ratio.
pub(super) fn fall(own: &MeasuredSlots) -> Option<MeasuredNumber> {
    (own.rates.len() > 1).then(|| progression(own).map(|(progression, _)| progression.fall))?
}

/// Alternatives of an axis by itself.
fn alternatives(name: &str, own: &MeasuredSlots, width: usize) -> Vec<Axis> {
    let mut all = Vec::new();
    let Some(ranges) = Ranges::of(&own.slots) else { return all };
    let count = own.slots.len();
    let Some((progression, unwrapped)) = progression(own).filter(|(progression, _)| progression.first.value > 0.0)
    else {
        return linear(name, &ranges, own);
    };
    let Some(parameters) = parameters(&own.unaliased(&unwrapped)) else { return all };
    let plain = Axis { parameters, ..Axis::new(name, ranges) };
    let one = (progression.first.value - 1.0).abs() <= progression.first.error;
    let of = |half: f64| MeasuredNumber { value: progression.fall.value * half, error: progression.fall.error * half };
    if count == 1 {
        // A single slot shows its rate and no ratio: the base is left as it is.
        all.push(scaled(&plain, &progression.first));
        return all;
    }
    let mut push = |axis: &Axis, half: f64, dim: Option<usize>, spacing: Option<AxialSpacing>, usual: bool| {
        let Some(base) = base_of(&of(half)).filter(|base| !usual || is_usual(base)) else { return };
        let mut axis = axis.clone();
        axis.frequency_dim = dim;
        (axis.parameters.base, axis.parameters.frequency_spacing) = (Some(base), spacing);
        if !all.contains(&axis) {
            all.push(axis);
        }
    };
    let n = count as f64;
    let dims = [width, width / 2, 2 * width];
    let start = if one { plain.clone() } else { scaled(&plain, &progression.first) };
    // Usual bases first, then any.
    for usual in [true, false] {
        if !one {
            for step in STEPS {
                let unit = progression.fall.value / step as f64;
                let from = -progression.first.value.ln() / unit;
                let error = progression.first.relative() / unit.abs() + from.abs() * progression.fall.relative();
                let first = from.round();
                if first < 1.0 || first > width as f64 || (from - first).abs() > error.min(0.25) {
                    continue;
                }
                let index: Vec<usize> = (0..count).map(|k| first as usize + step * k).collect();
                let mut axis = plain.clone();
                axis.index = Ranges::of(&index).map(Index::Ranges);
                push(&axis, width as f64 / 2.0 / step as f64, None, None, usual);
            }
        }
        push(&start, n, None, None, usual);
        push(&start, n - 1.0, None, Some(AxialSpacing::Endpoints), usual);
        for dim in dims {
            push(&start, dim as f64 / 2.0, Some(dim), None, usual);
        }
    }
    all
}

/// Direction and offset, from the signs of the rates and the angles at the origin.
fn parameters(own: &MeasuredSlots) -> Option<AxisParameters> {
    let clockwise = own.rates.first()?.value < 0.0;
    let mut sorted: Vec<(MeasuredNumber, MeasuredNumber)> =
        own.rates.iter().copied().zip(own.origins.iter().copied()).collect();
    sorted.sort_by(|(a, _), (b, _)| a.value.abs().total_cmp(&b.value.abs()));
    let mut offset: Option<MeasuredNumber> = None;
    for (rate, origin) in sorted {
        let left = wrap(origin.value - offset.map_or(0.0, |offset| offset.value * rate.value));
        let error = (origin.error + offset.map_or(0.0, |offset| offset.value.abs() * rate.error)) / rate.value.abs();
        let grown = offset.map_or(0.0, |offset| offset.error * rate.value.abs());
        if grown > 1.0 {
            continue;
        }
        if offset.is_some_and(|_| left.abs() > grown + 2.0 * error * rate.value.abs()) {
            return None;
        }
        if offset.is_none_or(|offset| error < offset.error) {
            let value = offset.map_or(0.0, |offset| offset.value) + left / rate.value;
            offset = Some(MeasuredNumber { value, error });
        }
    }
    let offset = offset?;
    let still = offset.value.abs() <= offset.error;
    Some(AxisParameters {
        direction: clockwise.then_some(Direction::Clockwise),
        position_offset: if still { None } else { Some(coefficient(&offset, false)?) },
        ..AxisParameters::default()
    })
}

/// An axis whose coordinates are multiplied by the magnitude of a rate.
fn scaled(axis: &Axis, rate: &MeasuredNumber) -> Axis {
    let mut axis = axis.clone();
    axis.parameters.position_scale = coefficient(rate, true);
    axis
}

/// The simplest rational number, or multiple of π, that a measured one may be; the measured one itself where none is simple.
fn coefficient(measured: &MeasuredNumber, pi: bool) -> Option<Coefficient> {
    let of = |unit: f64| simplest(&MeasuredNumber { value: measured.value / unit, error: measured.error / unit });
    let plain = of(1.0).map(|(value, cost)| (cost, Coefficient { value, of_pi: false }));
    let multiple = of(PI).filter(|_| pi).map(|(value, cost)| (cost, Coefficient { value, of_pi: true }));
    let best = [plain, multiple].into_iter().flatten().min_by_key(|(cost, _)| *cost);
    let exact = || Rational::from_f64(measured.value).map(|value| Real::from(value).into());
    best.map(|(_, coefficient)| coefficient).or_else(exact)
}

/// The fraction of the smallest denominator in an interval, with numerator plus denominator; none where that is large.
fn simplest(measured: &MeasuredNumber) -> Option<(Real, i64)> {
    let magnitude = measured.value.abs();
    let find = |q: i64| {
        let p = (magnitude * q as f64).round();
        ((p / q as f64 - magnitude).abs() <= measured.error && p > 0.0 && p < 1e15).then_some((p as i64, q))
    };
    let (p, q) = (1..=MOST_DENOMINATOR).find_map(find)?;
    // Every number is within about 1/q² of such a fraction (Dirichlet): one that is no nearer tells nothing.
    if measured.error * (q as f64) * (q as f64) > 0.1 {
        return None;
    }
    let p = if measured.value < 0.0 { -p } else { p };
    Some((Real::from(Rational::from((p, q))), p.abs() + q))
}

/// e^x as a base: with the fewest digits that the error admits, or the reciprocal of such a one.
fn base_of(exponent: &MeasuredNumber) -> Option<Real> {
    let (value, error) = (exponent.value.abs().exp(), exponent.error + 1e-12);
    if !(value.is_finite() && value > 1.0 && error < 0.5) {
        return None;
    }
    let power = value.log10().floor() as i32;
    // A base that models have before one of fewer digits: 256 before 260.
    let usual = usual_bases().find(|known| (known.to_f64() / value - 1.0).abs() <= error);
    let rounded = (0..DIGITS).find_map(|digits| {
        let unit = 10f64.powi(power - digits);
        let near = (value / unit).round();
        ((near * unit / value - 1.0).abs() <= error).then(|| {
            let unit = Rational::power_of_ten(power - digits);
            Rational::from(near as i64) * unit
        })
    });
    let magnitude = usual.or(rounded).or_else(|| Rational::from_f64(value))?;
    Some(Real::from(if exponent.value < 0.0 { magnitude.recip() } else { magnitude }))
}

/// True if a base, or its reciprocal, is one of those that models have.
fn is_usual(base: &Real) -> bool {
    let reciprocal = base.value().clone().recip();
    usual_bases().any(|known| *base.value() == known || reciprocal == known)
}

fn usual_bases() -> impl Iterator<Item = Rational> {
    BASES.into_iter().chain([256, 2000, 5_000_000]).map(Rational::from)
}

/// The progression of rates, and their magnitudes: unwrapped slot by slot from the first one, or else from the last.
fn progression(own: &MeasuredSlots) -> Option<(Progression, Vec<f64>)> {
    ascending(own).or_else(|| {
        let (back, mut unwrapped) = ascending(&own.reversed())?;
        unwrapped.reverse();
        let first = MeasuredNumber { value: *unwrapped.first()?, error: own.rates.first()?.error };
        let fall = MeasuredNumber { value: -back.fall.value, error: back.fall.error };
        Some((Progression { first, fall }, unwrapped))
    })
}

/// The same from the first slot on, whose rate is taken to be less than half a turn for a step of the coordinates.
fn ascending(own: &MeasuredSlots) -> Option<(Progression, Vec<f64>)> {
    let first = MeasuredNumber { value: own.rates.first()?.value.abs(), ..own.rates[0] };
    let Some(second) = own.rates.get(1) else {
        return Some((Progression { first, fall: MeasuredNumber { value: 0.0, error: 0.0 } }, vec![first.value]));
    };
    let mut unwrapped = vec![first.value];
    let sign = own.rates[0].value.signum();
    let mut fall =
        MeasuredNumber { value: -(second.value.abs() / first.value).ln(), error: first.relative() + second.relative() };
    for (k, rate) in own.rates.iter().enumerate().skip(1) {
        let expected = first.value * (-fall.value * k as f64).exp();
        let doubt = expected * (fall.error * k as f64 + first.relative()) + rate.error;
        let turns = ((expected - sign * rate.value) / (2.0 * own.limit)).round();
        let found = sign * rate.value + turns * 2.0 * own.limit;
        if doubt > own.limit / 2.0 || (found - expected).abs() > 2.0 * doubt {
            return None;
        }
        unwrapped.push(found);
        let relative = rate.error / found;
        let error = (relative + first.relative()) / k as f64;
        if found > 0.0 && relative < KNOWN && error < fall.error {
            fall = MeasuredNumber { value: -(found / first.value).ln() / k as f64, error };
        }
    }
    let progression = refined(Progression { first, fall }, &unwrapped, &own.rates);
    // Equal rates are no progression.
    (progression.fall.value.abs() > progression.fall.error).then_some((progression, unwrapped))
}

/// A rate whose relative error is below this has a logarithm whose error is about as large. What follows is a proposal: it is said only if it
/// predicts every entry within its bound.
const KNOWN: f64 = 0.25;

/// Frequencies of binary32 are off by so many units of roundoff: those of honest paths need fewer than 20.
const OFF: f64 = 20.0 / (1u64 << 24) as f64;

/// A progression as the two slots show it that show it best. Coordinates far apart make slow slots precise and leave fast ones open: the first
/// slot need not be one of the two, and follows from them.
fn refined(
    Progression { mut first, mut fall }: Progression,
    unwrapped: &[f64],
    rates: &[MeasuredNumber],
) -> Progression {
    let precise: Vec<(usize, f64, f64)> = unwrapped
        .iter()
        .zip(rates)
        .enumerate()
        .map(|(k, (&found, rate))| (k, found, rate.error / found + OFF))
        .filter(|(_, found, relative)| *found > 0.0 && *relative < KNOWN)
        .collect();
    for (at, &(j, later, error)) in precise.iter().enumerate() {
        for &(i, earlier, other) in &precise[..at] {
            let (steps, error) = ((j - i) as f64, error + other);
            if error / steps < fall.error {
                fall = MeasuredNumber { value: (earlier / later).ln() / steps, error: error / steps };
            }
        }
    }
    for (k, found, relative) in precise {
        let relative = relative + fall.error * k as f64;
        if relative < first.relative() {
            let value = found * (fall.value * k as f64).exp();
            first = MeasuredNumber { value, error: value * relative };
        }
    }
    Progression { first, fall }
}

/// Whole turns, for a step of the coordinates, by which the step from the first rate to the second may be larger than it shows.
const TURNS: [f64; 7] = [0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0];

/// Evenly spaced rates, as multiples of the first. Coordinates on a grid show their step modulo a turn, so that there are several, the slowest
/// first; the angles at the origin tell some of them apart.
fn linear(name: &str, ranges: &Ranges, own: &MeasuredSlots) -> Vec<Axis> {
    let Some((first, second)) = own.rates.first().zip(own.rates.get(1)) else { return Vec::new() };
    let shown = first.value.signum() * second.value - first.value.abs();
    let error = first.error + second.error;
    let mut steps: Vec<f64> = TURNS.iter().map(|turns| shown + turns * 2.0 * own.limit).collect();
    steps.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    steps.into_iter().filter_map(|value| spaced(name, ranges.clone(), own, MeasuredNumber { value, error })).collect()
}

/// Evenly spaced rates with about this step.
fn spaced(name: &str, ranges: Ranges, own: &MeasuredSlots, mut step: MeasuredNumber) -> Option<Axis> {
    let first = own.rates.first()?;
    let (sign, start) = (first.value.signum(), first.value.abs());
    let mut unwrapped = vec![start];
    for (k, rate) in own.rates.iter().enumerate().skip(1) {
        let expected = start + step.value * k as f64;
        let doubt = step.error * k as f64 + first.error + rate.error;
        let found = sign * rate.value + 2.0 * own.limit * ((expected - sign * rate.value) / (2.0 * own.limit)).round();
        if doubt > own.limit / 2.0 || (found - expected).abs() > 2.0 * doubt {
            return None;
        }
        unwrapped.push(found);
        let error = (rate.error + first.error) / k as f64;
        if error < step.error {
            step = MeasuredNumber { value: (found - start) / k as f64, error };
        }
    }
    let last = own.rates.len() as f64 - 1.0;
    let ratio = (start + step.value * last) / start;
    let error = (ratio * first.error).abs() / start + step.error * last / start;
    let last = coefficient(&MeasuredNumber { value: ratio, error }, false)?;
    let plain = Axis { parameters: parameters(&own.unaliased(&unwrapped))?, ..Axis::new(name, ranges) };
    let mut axis = scaled(&plain, &MeasuredNumber { value: start, error: first.error });
    axis.parameters.frequency_spacing = Some(AxialSpacing::Linear([Real::from(1), last.value]));
    Some(axis)
}
