//! Which convention a table, a cache or a rotation follows, with no expectation given.
//!
//! Each arrangement of the entries gives phasors; their lengths give the amplitude, their phases the
//! frequency of every pair ([`super::measure`]), and the frequencies the laws that may be behind them
//! ([`laws`]). A law is kept if every sampled entry is within the bound of binary32 arithmetic;
//! the first that is kept, the simplest, is then compared with every entry.

mod laws;

use super::Invalid;
use super::allowance::{Allowance, Path};
use super::check::{increasing, omega};
use super::compare::Comparison;
use super::diagnose::{Context, matches};
use super::measure::{Frequency, frequencies, shift};
use super::sample::{Phasors, Sample, choose};
use super::subject::{Subject, Wiring};
use crate::encoding::convention::{Convention, Direction, Encoding, Layout, Order};
use crate::encoding::real::Real;
use crate::number::format::Format;
use crate::table::Positions;
use rug::Rational;
use serde::Serialize;
use std::fmt;

/// How sure the answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// One listed hypothesis is within the bound, and only one.
    Established,
    /// Several are.
    Ambiguous,
    /// None is.
    Unexplained,
}

/// A frequency that was measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// The pair.
    pub pair: usize,
    /// Its frequency in radians per position.
    pub frequency: f64,
    /// How far off that may be.
    pub error: f64,
}

/// What a table, a cache or a rotation follows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Identification {
    /// `posproof.identify/1`.
    pub schema: &'static str,
    /// `sinusoid`, `rope` or `rotation`.
    pub subject: &'static str,
    /// How sure the answer is.
    pub confidence: Confidence,
    /// The convention, if one was found; the simplest, if several were.
    pub convention: Option<Convention>,
    /// All conventions that remain.
    pub remaining: Vec<Convention>,
    /// A position that would tell the first two of them apart.
    pub separating_position: Option<u64>,
    /// The format of the entries; a narrower one if all of them are numbers of it.
    pub storage: Format,
    /// The highest precision whose bound every entry respects.
    pub compute: Option<Format>,
    /// The code path with the tightest bound that every entry respects at that precision: `rounded` for
    /// frequencies that are right to one rounding, however they were computed.
    pub path: Option<Path>,
    /// The amplitude that was measured.
    pub amplitude: Option<f64>,
    /// The frequencies that were measured, in the arrangement that was found or else the first.
    pub measured: Vec<Measured>,
}

impl fmt::Display for Identification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.confidence, &self.convention) {
            (Confidence::Established, Some(convention)) => {
                writeln!(f, "{} established: {}", self.subject, describe(convention))?;
            }
            (Confidence::Ambiguous, _) => {
                writeln!(f, "{} ambiguous: {} conventions remain", self.subject, self.remaining.len())?;
                for convention in &self.remaining {
                    writeln!(f, "  {}", describe(convention))?;
                }
                if let Some(position) = self.separating_position {
                    writeln!(f, "  position {position} would tell the first two apart")?;
                }
            }
            _ => {
                writeln!(f, "{} unexplained: measured frequencies, in radians per position", self.subject)?;
                for Measured { pair, frequency, error } in &self.measured {
                    writeln!(f, "  pair {pair:4} {frequency:.9e} ± {error:.1e}")?;
                }
            }
        }
        writeln!(f, "  stored in {}", self.storage)?;
        let (Some(compute), Some(path)) = (self.compute, self.path) else { return Ok(()) };
        writeln!(f, "  every entry is within the bound for {compute} arithmetic, frequencies by the path '{path}'")
    }
}

fn describe(convention: &Convention) -> String {
    serde_json::to_string(convention).unwrap_or_default()
}

/// Says which convention the entries follow. Positions are 0, 1, 2, … if none are given.
pub fn identify(subject: Subject<'_>, positions: Option<&Positions>) -> Result<Identification, Invalid> {
    let positions = match subject {
        Subject::Rope { cos: None, sin: None } => Positions::range(0..1)?,
        _ => increasing(positions, subject.judged().rows())?,
    };
    let first = starting_points(subject, 0);
    let fitting = first.iter().find(|convention| subject.check_shape(convention, positions.len()).is_ok());
    let Some(shape) = fitting else {
        let stated = first.first().cloned().unwrap_or_else(|| Convention::rope(2));
        subject.check_shape(&stated, positions.len())?;
        return Ok(nothing(subject, subject.format()));
    };
    subject.check_shape(shape, positions.len())?;
    let sample = Sample::read(subject, 0, &choose(positions.len(), None), &positions)?;
    let values: Vec<f64> = sample.values().collect();
    let narrow = |format: &Format| {
        format.precision() <= subject.format().precision() && values.iter().all(|value| format.round(*value) == *value)
    };
    let storage =
        [Format::Bf16, Format::F16, Format::F32, Format::F64].into_iter().find(narrow).unwrap_or(subject.format());
    let mut result = nothing(subject, storage);
    let unchanged = if matches!(subject, Subject::Rotation { .. }) { sample.unchanged().len() } else { 0 };
    for arrangement in starting_points(subject, unchanged) {
        let wiring = matches!(subject, Subject::Rotation { .. }).then(|| Wiring::new(&arrangement));
        let Some(phasors) = sample.phasors(&arrangement, wiring.as_ref()) else { continue };
        let context = Context {
            expected: &arrangement,
            omega: Vec::new(),
            compute: (Format::F32, Path::Any),
            storage,
            last: positions.max(),
            boundary: None,
            values: Vec::new(),
        };
        let Some((candidates, amplitude, measured)) = hypotheses(&context, &phasors) else { continue };
        if result.measured.is_empty() {
            (result.amplitude, result.measured) = (Some(amplitude), list(&measured));
        }
        let mut remaining: Vec<Convention> = Vec::new();
        for candidate in candidates {
            if remaining.len() == 4 {
                break;
            }
            let candidate = candidate.for_length(positions.max() + 1);
            let new = !remaining.contains(&candidate) && candidate.validate().is_ok();
            if new && matches(&context, &phasors_of(&candidate, &phasors), &candidate) {
                remaining.push(candidate);
            }
        }
        remaining = laws::without_restatements(remaining);
        if let Some(convention) = remaining.first() {
            result.confidence = if remaining.len() == 1 { Confidence::Established } else { Confidence::Ambiguous };
            result.separating_position = remaining.get(1).and_then(|other| separating(convention, other, storage));
            if let Some((compute, path)) = computed(subject, convention, &positions, storage)? {
                (result.compute, result.path) = (Some(compute), Some(path));
            }
            result.convention = Some(convention.clone());
            (result.amplitude, result.measured) = (Some(amplitude), list(&measured));
            result.remaining = remaining;
            return Ok(result);
        }
    }
    Ok(result)
}

fn nothing(subject: Subject<'_>, storage: Format) -> Identification {
    Identification {
        schema: "posproof.identify/1",
        subject: subject.name(),
        confidence: Confidence::Unexplained,
        convention: None,
        remaining: Vec::new(),
        separating_position: None,
        storage,
        compute: None,
        path: None,
        amplitude: None,
        measured: Vec::new(),
    }
}

fn list(measured: &[Frequency]) -> Vec<Measured> {
    let entry = |(pair, found): (usize, &Frequency)| Measured { pair, frequency: found.value, error: found.error };
    measured.iter().enumerate().map(entry).collect()
}

/// The arrangements that a subject of this shape may have.
fn starting_points(subject: Subject<'_>, unchanged: usize) -> Vec<Convention> {
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
            let part = layouts.map(|layout| Convention { layout, rotary_dim: rotary, ..Convention::rope(width) });
            let whole = layouts.map(|layout| Convention { layout, ..Convention::rope(width) });
            part.into_iter().chain(whole).collect()
        }
    }
}

/// Whether the last row of a cache holds every value twice.
fn is_doubled(grid: &dyn super::Grid) -> bool {
    let (width, mut row) = (grid.width(), Vec::new());
    let last = grid.rows() - 1;
    if width % 2 != 0 || grid.read(0, last..last + 1, &mut row).is_err() {
        return false;
    }
    (0..width / 2).all(|k| row[k] == row[k + width / 2]) || (0..width / 2).all(|k| row[2 * k] == row[2 * k + 1])
}

/// A clockwise convention is compared in its counter-clockwise form.
fn phasors_of(convention: &Convention, phasors: &Phasors) -> Phasors {
    let mut phasors = phasors.clone();
    if convention.direction == Direction::Clockwise {
        phasors.sin.iter_mut().flatten().for_each(|sin| *sin = -*sin);
    }
    phasors
}

/// Conventions that the measurement suggests, the simplest first; the amplitude and the frequencies.
fn hypotheses(context: &Context<'_>, phasors: &Phasors) -> Option<(Vec<Convention>, f64, Vec<Frequency>)> {
    let noise = context.noise(phasors);
    let mut norms: Vec<f64> = Vec::new();
    for row in 0..phasors.positions.len() {
        for pair in 0..phasors.pairs {
            norms.push(phasors.norm(row, pair)?);
        }
    }
    norms.sort_by(f64::total_cmp);
    let (low, median, high) = (*norms.first()?, norms[norms.len() / 2], *norms.last()?);
    if !(median > 0.0 && (high - low) <= (8.0 * noise).max(1e-4) * median) {
        return None;
    }
    let mut phasors = phasors.divided(median);
    let mut measured = frequencies(&phasors, noise)?;
    let sign: f64 = measured
        .iter()
        .map(|found| found.value.signum() * f64::from(u8::from(found.value.abs() > 4.0 * found.error)))
        .sum();
    let mut start = context.expected.clone();
    if sign < 0.0 {
        phasors.sin.iter_mut().flatten().for_each(|sin| *sin = -*sin);
        measured.iter_mut().for_each(|found| found.value = -found.value);
        start.direction = Direction::Clockwise;
    }
    let rates: Vec<f64> =
        measured.iter().map(|found| if found.value > 4.0 * found.error { found.value } else { 0.0 }).collect();
    let at = phasors.positions[0] as f64;
    let offset = shift(&phasors, 0, &rates, at, |_| 0.3).map_or(0.0, f64::round);
    let mut candidates = Vec::new();
    for convention in laws::laws(&start, &measured, context.last) {
        for amplitude in laws::amplitudes(&convention, median, noise) {
            for offset in if offset == 0.0 { vec![0.0] } else { vec![offset, 0.0] } {
                let offset = Real::from(Rational::from_f64(offset)?);
                candidates.push(Convention {
                    position_offset: offset,
                    amplitude: amplitude.clone(),
                    ..convention.clone()
                });
            }
        }
    }
    candidates.sort_by_key(laws::complexity);
    Some((candidates, median, measured))
}

/// The highest precision, and the code path with the tightest bound, that every entry respects.
fn computed(
    subject: Subject<'_>,
    convention: &Convention,
    positions: &Positions,
    storage: Format,
) -> Result<Option<(Format, Path)>, Invalid> {
    let omega = omega(convention).unwrap_or_default();
    for compute in [Format::F64, Format::F32] {
        for path in [Path::Any, Path::Rounded, Path::Pow, Path::Exp] {
            let allowance = Allowance::new(convention, &omega, positions.max(), (compute, path), storage);
            let fits = Comparison::new(subject, convention, positions, &allowance)?.run()?.exceeding == 0;
            match (path, fits) {
                // The widest bound: nothing narrower holds where it does not.
                (Path::Any, false) => break,
                (Path::Any, true) | (_, false) => {}
                (_, true) => return Ok(Some((compute, path))),
            }
            if path == Path::Exp {
                return Ok(Some((compute, Path::Repeated)));
            }
        }
    }
    Ok(None)
}

/// The first power of two, or three quarters of one, at which two conventions differ by more than
/// twice their bounds.
fn separating(one: &Convention, other: &Convention, storage: Format) -> Option<u64> {
    let rates = (omega(one)?, omega(other)?);
    let position = |convention: &Convention, p: u64| {
        (p as f64 + convention.position_offset.value().to_f64()) * convention.position_scale.value().to_f64()
    };
    let steps = (1..40).flat_map(|i| [1u64 << i, (1u64 << i) + (1 << (i - 1))]);
    steps.into_iter().find(|&p| {
        let allowance = Allowance::new(one, &rates.0, p, (Format::F32, Path::Any), storage);
        let (t, u) = (position(one, p), position(other, p));
        (0..rates.0.len().min(rates.1.len())).any(|k| {
            let ((s, c), (s2, c2)) = ((t * rates.0[k]).sin_cos(), (u * rates.1[k]).sin_cos());
            (s - s2).abs().max((c - c2).abs()) > 2.0 * allowance.of(k, t.abs(), 1.0)
        })
    })
}

/// Whether an encoding may have scaling rules.
fn scales(convention: &Convention) -> bool {
    convention.encoding == Encoding::Rope
}
