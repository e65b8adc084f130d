//! Other conventions and known mistakes, one by one.

use super::super::faults::{Cause, Fault, Hypothesis, OTHER_PART, OTHER_PART_AND_DENOMINATOR, WHOLE_VECTOR};
use super::super::sample::{Phasors, Sample};
use super::super::subject::{Subject, Wiring};
use super::Context;
use super::explain::{Explanation, agrees, follows, recognise};
use posproof_encoding::Law;
use posproof_encoding::convention::{Convention, Layout};

/// Bases in use.
pub const BASES: [i64; 16] = [
    10_000,
    500_000,
    1_000_000,
    1_000,
    100,
    100_000,
    5_000,
    25_000,
    50_000,
    150_000,
    160_000,
    200_000,
    5_000_000,
    10_000_000,
    100_000_000,
    1_000_000_000,
];

/// Other conventions, and frequencies that no convention has.
pub fn laws(context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let expected = context.expected;
    recognise(|fault, hypothesis| match hypothesis {
        Hypothesis::Convention { made, .. } => made(expected).into_iter().find_map(|found| {
            let other = found != *expected && found.validate().is_ok();
            if !other || !agrees(context, phasors, &found, 1.0) {
                return None;
            }
            let cause = Cause::Convention { expected: Box::new(expected.clone()), found: Box::new(found.clone()) };
            Some(Explanation::other(fault, cause, found))
        }),
        Hypothesis::Frequencies { made, cause } => {
            let omega = made(expected)?;
            turns(context, phasors, &omega).then(|| Explanation::fault(fault, cause(expected, omega)))
        }
        _ => None,
    })
}

/// Whether the pairs turn by these frequencies.
fn turns(context: &Context<'_>, phasors: &Phasors, omega: &[f64]) -> bool {
    let expected = context.expected;
    let law = Law::new(expected);
    let position = |row: usize| law.effective(phasors.positions[row] as f64);
    if follows(context, phasors, (expected, omega), &position, 1.0) {
        return true;
    }
    // Reciprocal frequencies are large: binary32 angles are then off by turns at large positions.
    let early = phasors.before(EARLY);
    early.positions.len() > 8
        && omega.iter().any(|w| *w > 1.0)
        && follows(context, &early, (expected, omega), &position, 0.97)
}

/// Positions below which large frequencies are compared.
const EARLY: u64 = 64;

/// How far an entry of a table may be from that of a program in binary32.
struct Closeness<'a> {
    phasors: &'a Phasors,
    law: Law,
    gain: f64,
    storage: f64,
}

impl<'a> Closeness<'a> {
    fn new(context: &Context<'_>, phasors: &'a Phasors) -> Self {
        let gain = context.expected.gain().enclose(64).approximate();
        Self { phasors, law: Law::new(context.expected), gain, storage: context.storage.unit_roundoff() }
    }

    /// Whether an entry is `right` times the amplitude, where the angle is t·ω.
    fn holds(&self, entry: Option<f64>, right: f64, t: f64, omega: f64) -> bool {
        let tolerance = self.gain * (1e-4 + 1e-4 * t.abs() * omega) + 2.0 * self.storage;
        entry.is_some_and(|entry| (entry - self.gain * right).abs() <= tolerance.min(0.5))
    }

    /// Whether every row and pair satisfies a test, given its position.
    fn all(&self, test: impl Fn(usize, usize, u64) -> bool) -> bool {
        let Phasors { positions, pairs, .. } = self.phasors;
        positions.iter().enumerate().all(|(row, &t)| (0..*pairs).all(|k| test(row, k, t)))
    }
}

/// base^(−(factor·k + shift)/dim).
fn power(expected: &Convention, (factor, shift): (f64, f64), k: usize) -> f64 {
    expected.base.value().to_f64().powf(-(factor * k as f64 + shift) / expected.dim as f64)
}

/// Sine or cosine by the row in place of the column.
pub fn alternating_rows(fault: &'static Fault, context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let closeness = Closeness::new(context, phasors);
    let alternates = |first: u64| {
        closeness.all(|row, k, position| {
            let (t, omega) = (closeness.law.effective(position as f64), power(context.expected, (2.0, 0.0), k));
            let (sin, cos) = (t * omega).sin_cos();
            let right = if position % 2 == first { sin } else { cos };
            let close = |entry| closeness.holds(entry, right, t, omega);
            close(phasors.cos(row, k)) && close(phasors.sin(row, k))
        })
    };
    (alternates(0) || alternates(1)).then(|| Explanation::fault(fault, Cause::AlternatingRows))
}

/// Cosines with exponents of their own.
pub fn own_exponents(fault: &'static Fault, context: &Context<'_>, phasors: &Phasors) -> Option<Explanation> {
    let closeness = Closeness::new(context, phasors);
    let follows = |cosine: bool, exponent: (f64, f64)| {
        closeness.all(|row, k, position| {
            let (t, omega) = (closeness.law.effective(position as f64), power(context.expected, exponent, k));
            let (sin, cos) = (t * omega).sin_cos();
            let (entry, right) = if cosine { (phasors.cos(row, k), cos) } else { (phasors.sin(row, k), sin) };
            closeness.holds(entry, right, t, omega)
        })
    };
    let sines = [((2.0, 0.0), "2k/dim"), ((4.0, 0.0), "4k/dim")];
    let cosines = [((4.0, 2.0), "2(2k + 1)/dim"), ((2.0, 1.0), "(2k + 1)/dim"), ((2.0, 2.0), "2(k + 1)/dim")];
    sines.into_iter().find_map(|(sine, sin)| {
        cosines.into_iter().find_map(|(cosine, cos)| {
            let explains = follows(true, cosine) && follows(false, sine);
            explains.then(|| Explanation::fault(fault, Cause::OwnExponents { sin, cos }))
        })
    })
}

/// Rotations of a part of the dimensions, where another part was stated.
pub fn partial(context: &Context<'_>, sample: &Sample, subject: Subject<'_>) -> Option<Explanation> {
    let expected = context.expected;
    let Subject::Rotation { .. } = subject else { return None };
    let law = Law::new(expected);
    let unchanged = sample.unchanged();
    let rotated = expected.dim - unchanged.len();
    let layouts =
        [expected.layout, if expected.layout == Layout::Halves { Layout::Interleaved } else { Layout::Halves }];
    for layout in layouts {
        for rotary in [rotated, expected.dim] {
            let rotary_dim = (rotary < expected.dim).then_some(rotary);
            let candidate = Convention { rotary_dim, layout, ..expected.clone() };
            if candidate == *expected || candidate.validate().is_err() {
                continue;
            }
            let phasors = sample.phasors(&candidate, Some(&Wiring::new(&candidate)));
            let Some(phasors) = phasors else { continue };
            let (dim, stated) = (expected.dim, expected.rotary_dim);
            if agrees(context, &phasors, &candidate, 1.0) {
                let cause = Cause::Rotated { dim, expected: stated, found: rotary_dim };
                return Some(Explanation::other(&OTHER_PART, cause, candidate));
            }
            let base = expected.base.value().to_f64();
            let other: Vec<f64> =
                (0..phasors.pairs).map(|k| base.powf(-2.0 * k as f64 / expected.frequency_dim() as f64)).collect();
            let position = |row: usize| law.effective(phasors.positions[row] as f64);
            if follows(context, &phasors, (&candidate, &other), &position, 1.0) {
                let cause = Cause::RotatedWithOther { dim, expected: stated, found: rotary_dim };
                return Some(Explanation::fault(&OTHER_PART_AND_DENOMINATOR, cause));
            }
        }
    }
    // Pairs (k, k + dim/2), where rotary_dim asks for (k, k + rotary_dim/2).
    let pairs = expected.pairs();
    let wide: Vec<(usize, usize)> = (0..pairs).map(|k| (k, k + expected.dim / 2)).collect();
    let wiring = Wiring { read: wide.clone(), write: wide };
    let phasors = sample.phasors(expected, Some(&wiring))?;
    let position = |row: usize| law.effective(phasors.positions[row] as f64);
    let base = expected.base.value().to_f64();
    let whole: Vec<f64> = (0..pairs).map(|k| base.powf(-2.0 * k as f64 / expected.dim as f64)).collect();
    for omega in [&context.omega, &whole] {
        if expected.rotary_dim.is_some() && follows(context, &phasors, (expected, omega), &position, 1.0) {
            return Some(Explanation::fault(&WHOLE_VECTOR, Cause::WholeVector));
        }
    }
    None
}
