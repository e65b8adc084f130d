//! Which convention a table, a cache or a rotation follows, with no expectation given.
//!
//! Each arrangement of the entries gives phasors; their lengths give the amplitude, their phases the
//! frequency of every pair ([`super::measure`]), or half a cache gives both ([`part`]), and the frequencies the
//! laws that may be behind them ([`laws`]). A law is kept if every sampled entry is within the bound of binary32 arithmetic;
//! the first that is kept, the simplest, is then compared with every entry.

mod answer;
mod expected;
mod factors;
mod laws;
mod measurement;
mod part;
mod respected;

use super::Invalid;
use super::diagnose::{Context, gains};
use super::duplication::Duplication;
use super::measure::gap;
use super::picked::PickedRows;
use super::rates::omega;
use super::reference::Reading;
use super::sample::{Phasors, Sample, choose};
use super::subject::{Subject, Wiring};
use super::view::narrowest_of;
pub use answer::{Confidence, Identification, MeasuredAxis, MeasuredFrequency, Undetermined};
#[cfg(feature = "axes")]
pub(crate) use answer::{ranges, standing};
pub(super) use expected::convention;
use factors::{factors, is_measured};
pub(super) use laws::{complexity, is_in_use};
use measurement::Measurement;
use posproof_bound::{Allowance, Path};
use posproof_encoding::Law;
use posproof_encoding::convention::{Convention, Direction, Encoding, Layout, Order};
use posproof_encoding::real::Real;
use posproof_numerics::Rational;
use posproof_numerics::format::Format;
use posproof_table::Positions;
use respected::holds;
pub(super) use respected::{computed, order_of, respects};

/// A convention that was recognised.
pub(super) struct Recognised {
    pub answer: Identification,
    /// The simplest convention that every entry follows, where one of a narrower bound is the answer.
    pub simplest: Option<Convention>,
    /// Where nothing is: conventions that the measurement suggests, those that miss less of the sample first.
    pub suggested: Vec<Convention>,
}

/// The convention, without the precision that it is computed in.
pub(super) fn recognise(subject: Subject<'_>, positions: &Positions) -> Result<Recognised, Invalid> {
    recognised(subject, positions, None)
}

/// The convention whose frequencies are a run of more, as those of a stated one are, where one is.
fn recognised(subject: Subject<'_>, positions: &Positions, run: Option<&Convention>) -> Result<Recognised, Invalid> {
    let starting_points = |subject, unchanged| {
        let mut all = starting_points(subject, unchanged);
        for (start, run) in
            all.iter_mut().zip(run.into_iter().cycle()).filter(|(start, run)| start.pairs() == run.pairs())
        {
            start.frequency_dim = run.frequency_dim;
            (start.frequency_origin, start.frequency_step) = (run.frequency_origin, run.frequency_step);
        }
        all
    };
    let none = |answer| Recognised { answer, simplest: None, suggested: Vec::new() };
    let first = starting_points(subject, 0);
    let fitting = first.iter().find(|convention| subject.check_shape(convention, positions.len()).is_ok());
    let Some(shape) = fitting else {
        let stated = first.first().cloned().unwrap_or_else(|| Convention::rope(2));
        subject.check_shape(&stated, positions.len())?;
        return Ok(none(nothing(subject, subject.format())));
    };
    subject.check_shape(shape, positions.len())?;
    let sample = Sample::read(subject, 0, &choose(positions.len(), None), positions)?;
    let values: Vec<f64> = sample.values().collect();
    let storage = narrowest_of(subject.format(), values.iter().copied()).unwrap_or(subject.format());
    let mut recognised = none(nothing(subject, storage));
    let mut suggested: Vec<(usize, Convention)> = Vec::new();
    let unchanged = if matches!(subject, Subject::Rotation { .. }) { sample.unchanged().len() } else { 0 };
    for arrangement in starting_points(subject, unchanged) {
        let wiring = matches!(subject, Subject::Rotation { .. }).then(|| Wiring::new(&arrangement));
        let Some(phasors) = sample.phasors(&arrangement, wiring.as_ref()) else { continue };
        let context = Context {
            subject,
            positions,
            reading: Reading::new(&arrangement),
            expected: arrangement.clone(),
            omega: vec![0.0; arrangement.pairs()],
            compute: (Format::F32.into(), None),
            narrow: None,
            storage,
            boundary: None,
            values: &values,
            slab: 0,
            named: Vec::new(),
            found: Some(arrangement.clone()),
            degraded: false,
            known: Default::default(),
        };
        let noise = context.noise(&phasors);
        let Some(found) = measurement::measure(&phasors, noise, context.compute.0.format) else { continue };
        let Some(candidates) = hypotheses(&context, &phasors, &found, noise) else { continue };
        let result = &mut recognised.answer;
        if result.axes.is_empty() {
            (result.amplitude, result.axes) = (Some(found.amplitude), found.axes());
        }
        let candidates = candidates.into_iter().map(|candidate| candidate.for_length(positions.max() + 1));
        let candidates: Vec<Convention> = candidates.filter(|candidate| candidate.validate().is_ok()).collect();
        // Entries show more digits than their phasors do: of the sampled rows, too.
        let picked = PickedRows::new(subject, &sample.rows);
        let sampled = Positions::list(sample.rows.iter().filter_map(|&row| positions.get(row)))?;
        let mut remaining: Vec<Convention> = Vec::new();
        for candidate in &candidates {
            if remaining.len() == 4 {
                break;
            }
            if !remaining.contains(candidate)
                && misses(&context, &phasors, candidate, 0) == Some(0)
                && holds(picked.subject(), candidate, &sampled, storage)?
            {
                remaining.push(candidate.clone());
            }
        }
        if remaining.is_empty() {
            let total = phasors.positions.len() * phasors.pairs;
            for other in candidates.into_iter().filter(|candidate| !is_measured(candidate)).take(RANKED) {
                // No more is asked than whether it is among the first.
                let last = suggested.get(SUGGESTED - 1).map_or(total, |(missed, _)| *missed);
                let known = suggested.iter().any(|(_, before)| *before == other);
                let Some(limit) = last.checked_sub(1).filter(|_| !known) else { continue };
                if let Some(missed) = misses(&context, &phasors, &other, limit) {
                    suggested.truncate(SUGGESTED - 1);
                    suggested.push((missed, other));
                    suggested.sort_by_key(|(missed, _)| *missed);
                }
            }
        }
        // Sampled rows are enough to compare bounds.
        let rank = |convention: &Convention| {
            let found = computed(picked.subject(), convention, &sampled, storage)?;
            Ok::<_, Invalid>(found.map_or(usize::MAX, order_of))
        };
        let simplest = remaining.first().cloned();
        remaining = laws::without_restatements(laws::narrowest(remaining, rank)?);
        // The sample agrees; the name is given if every entry does.
        let mut kept = Vec::new();
        for convention in remaining {
            if holds(subject, &convention, positions, storage)? {
                // What holds of cosines holds of those of the other direction.
                let both = result.undetermined.contains(&Undetermined::Direction);
                if both { kept.extend(both_directions(convention)) } else { kept.push(convention) }
            } else if !is_measured(&convention) {
                // Entries that the sample has not depart.
                suggested.insert(0, (0, convention));
            }
        }
        if let Some(convention) = kept.first() {
            let free = kept.iter().all(is_measured);
            result.confidence = match kept.len() {
                // A factor of its own for each pair is what was measured, not a law.
                _ if free => Confidence::Unexplained,
                1 => Confidence::Established,
                _ => Confidence::Ambiguous,
            };
            (result.amplitude, result.axes) = (Some(found.amplitude), found.axes());
            if free {
                result.measured_law = Some(convention.clone());
            } else {
                result.separating_position =
                    kept.get(1).and_then(|other| separating(subject, convention, other, storage));
                let other = simplest.filter(|simplest| !kept.contains(simplest));
                recognised.simplest = match other {
                    Some(other) if holds(subject, &other, positions, storage)? => Some(other),
                    _ => None,
                };
                result.undetermined.extend((convention.pairs() == 1).then_some(Undetermined::Base));
                result.convention = Some(convention.clone());
                result.remaining = kept;
            }
            return Ok(recognised);
        }
    }
    recognised.suggested = suggested.into_iter().map(|(_, convention)| convention).collect();
    Ok(recognised)
}

/// Conventions of one arrangement that are ranked.
const RANKED: usize = 64;

/// Conventions that are suggested.
const SUGGESTED: usize = 2;

/// Number of phasors of a sample that are not what a convention says, amplitude included; none where they are more than
/// `limit`.
fn misses(context: &Context<'_>, phasors: &Phasors, convention: &Convention, limit: usize) -> Option<usize> {
    let at = context.at(convention, omega(convention)?)?;
    let gain = convention.gain().enclose(64).approximate();
    let unit = phasors_of(convention, phasors).divided(gain);
    let bound = at.bounds_of(convention, &at.omega, at.storage);
    let missed = at.honest_within(&bound).misfits(at.slab, &unit, &bound, limit);
    (missed <= limit).then_some(missed)
}

fn nothing(subject: Subject<'_>, storage: Format) -> Identification {
    let undetermined = match subject {
        Subject::Rope { cos: Some(_), sin: None } => vec![Undetermined::Direction, Undetermined::Layout],
        Subject::Rope { cos: None, sin: Some(_) } => vec![Undetermined::AmplitudeSign, Undetermined::Layout],
        Subject::Rope { .. } => vec![Undetermined::Layout],
        _ => Vec::new(),
    };
    Identification { undetermined, ..Identification::nothing(subject, storage) }
}

/// The cosines of a convention are those of its reverse.
pub(super) fn both_directions(convention: Convention) -> [Convention; 2] {
    [Direction::CounterClockwise, Direction::Clockwise].map(|direction| Convention { direction, ..convention.clone() })
}

/// The arrangements that a subject of this shape may have.
pub(super) fn starting_points(subject: Subject<'_>, unchanged: usize) -> Vec<Convention> {
    let width = subject.grids().first().map_or(2, |(_, grid)| grid.width());
    let layouts = [Layout::Interleaved, Layout::Halves];
    match subject {
        Subject::Sinusoid(_) => {
            let each = |layout| {
                [Order::SinCos, Order::CosSin].map(|order| Convention { layout, order, ..Convention::sinusoid(width) })
            };
            layouts.into_iter().flat_map(each).collect()
        }
        // A cache of width w holds w pairs, or w/2 pairs twice.
        Subject::Rope { .. } => {
            let twice = subject.grids().first().is_some_and(|(_, grid)| is_doubled(*grid));
            vec![Convention::rope(if twice { width } else { 2 * width })]
        }
        Subject::Rotation { .. } => {
            let rotary = (unchanged > 0).then_some(width - unchanged);
            let layouts = [Layout::Interleaved, Layout::Halves, Layout::InterleavedToHalves];
            let part = layouts.map(|layout| Convention { layout, rotary_dim: rotary, ..Convention::rope(width) });
            let whole = layouts.map(|layout| Convention { layout, ..Convention::rope(width) });
            part.into_iter().chain(whole).collect()
        }
    }
}

/// True if a cache holds most values twice, in one of both ways; one that holds the same value everywhere shows no other width.
fn is_doubled(grid: &dyn super::Grid) -> bool {
    let (mut rows, mut row) = (Vec::new(), Vec::new());
    for place in choose(grid.rows(), None) {
        if grid.read(0, place..place + 1, &mut row).is_err() {
            return false;
        }
        rows.extend_from_slice(&row);
    }
    let width = grid.width();
    let constant = || rows.chunks_exact(width).all(|row| row.iter().all(|value| *value == row[0]));
    width.is_multiple_of(2) && (Duplication::of(&rows, width).is_some() || constant())
}

/// A clockwise convention is compared in its counter-clockwise form.
fn phasors_of(convention: &Convention, phasors: &Phasors) -> Phasors {
    let mut phasors = phasors.clone();
    if convention.direction == Direction::Clockwise {
        phasors.sin.iter_mut().flatten().for_each(|sin| *sin = -*sin);
    }
    phasors
}

/// Conventions that the measurement suggests, the simplest first.
fn hypotheses(context: &Context<'_>, phasors: &Phasors, found: &Measurement, noise: f64) -> Option<Vec<Convention>> {
    let mut start = context.expected.clone();
    if found.clockwise {
        start.direction = Direction::Clockwise;
    }
    let mut candidates = Vec::new();
    let gap = gap(&phasors.positions);
    let mut laws = laws::laws(&start, &found.frequencies, context.positions.max());
    let narrow = context.storage.unit_roundoff() > context.compute.0.format.unit_roundoff();
    if scales(&start) || narrow {
        let omega: Vec<f64> = found.frequencies.iter().map(|found| found.value.abs()).collect();
        let rounded = (context.compute.0.format, Some(Path::Rounded));
        let allowance = Allowance::new(&start, &omega, context.positions.max(), rounded, context.storage);
        let allowed = found.allowed(&phasors_of(&start, phasors).divided(found.amplitude), &allowance);
        if scales(&start) {
            laws.extend(factors(&start, &allowed, gap));
        }
        if narrow {
            // Where each entry is rounded to, all of them know a base to many digits more than a phase does.
            laws.extend(laws::laws(&start, &allowed, context.positions.max()));
        }
    }
    for convention in laws {
        let mut offsets = vec![measurement::offset(&convention, &phasors_of(&start, phasors)).unwrap_or(found.offset)];
        if offsets[0] != 0.0 {
            offsets.push(0.0);
        }
        for convention in gains(&convention, found.amplitude, (4.0 * noise).max(1e-5)) {
            for &offset in &offsets {
                let offset = Real::from(Rational::from_f64(offset)?);
                candidates.push(Convention { position_offset: offset, ..convention.clone() });
            }
        }
    }
    candidates.sort_by_cached_key(laws::complexity);
    candidates.dedup();
    Some(candidates)
}

/// The first power of two, or three quarters of one, at which the entries of two conventions differ by more than
/// twice their bounds.
fn separating(subject: Subject<'_>, one: &Convention, other: &Convention, storage: Format) -> Option<u64> {
    let rates = (omega(one)?, omega(other)?);
    let (law, other_law) = (Law::new(one), Law::new(other));
    let (cosines, sines) = match subject {
        Subject::Rope { cos, sin } => (cos.is_some(), sin.is_some()),
        _ => (true, true),
    };
    let steps = (1..40).flat_map(|i| [1u64 << i, (1u64 << i) + (1 << (i - 1))]);
    steps.into_iter().find(|&p| {
        let allowance = Allowance::new(one, &rates.0, p, (Format::F32, None), storage);
        let (t, u) = (law.effective(p as f64), other_law.effective(p as f64));
        (0..rates.0.len().min(rates.1.len())).any(|k| {
            let ((s, c), (s2, c2)) = ((t * rates.0[k]).sin_cos(), (u * rates.1[k]).sin_cos());
            let off = |counts: bool, x: f64, y: f64| if counts { (x - y).abs() } else { 0.0 };
            let difference = off(cosines, c, c2).max(off(sines, law.sense() * s, other_law.sense() * s2));
            difference > 2.0 * allowance.of(k, t.abs(), 1.0)
        })
    })
}

/// True if an encoding may have scaling rules.
fn scales(convention: &Convention) -> bool {
    convention.encoding == Encoding::Rope
}
