//! Entries on an integer grid: integers that stand for multiples of a step.

mod found;
mod restated;
mod search;
mod steps;

pub(crate) use found::{Quantised, Statement};
pub(crate) use restated::restated;

use crate::faults::RoundingMode;
use posproof_numerics::format::{Format, power_of_two};
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// An integer grid: the integer q stands for the number (q − zero)·step. Entries that are no integers are such numbers themselves.
///
/// ```
/// use posproof_check::Levels;
/// let levels = Levels::new(1.0 / 127.0, 0.0)?;
/// assert_eq!(levels.value(127.0), 1.0);
/// assert!(Levels::new(0.0, 0.0).is_err() && Levels::new(0.1, 0.5).is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    step: f64,
    zero: f64,
    /// The least and the largest integer there can be.
    integers: Option<(f64, f64)>,
    /// The format of what is quantised, if it is known.
    before: Option<Format>,
    /// The largest relative error of a step that was found from the data; none of a stated one.
    found: Option<f64>,
    /// True if the entries are multiples of the step, not the integers that stand for them.
    multiples: bool,
    /// The neighbour that is taken in place of the nearest multiple.
    rounding: Option<RoundingMode>,
}

/// Integers from a least to a largest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integers {
    /// The least.
    pub least: i32,
    /// The largest.
    pub largest: i32,
}

impl Integers {
    /// Those of 8 bits.
    pub fn of_a_byte(signed: bool) -> Self {
        if signed { Self { least: -128, largest: 127 } } else { Self { least: 0, largest: 255 } }
    }

    /// True if one stands at an end: what is beyond it is stored as that.
    pub(super) fn is_end(self, integer: f64) -> bool {
        integer == f64::from(self.least) || integer == f64::from(self.largest)
    }
}

impl Levels {
    /// True if integers are stored, not what they stand for.
    pub(super) fn are_stored(self) -> bool {
        self.integers.is_some() && !self.multiples
    }

    /// True if a number is no multiple of the step.
    pub(super) fn is_between(self, x: f64) -> bool {
        let at = x / self.step;
        x.is_finite() && (at - at.round()).abs() > NEAR.max(ROUNDINGS * at.abs())
    }

    /// For a step, and the integer that stands for 0.
    ///
    /// # Errors
    ///
    /// A sentence, for a step that is no positive number, and for a zero point that is no integer below 2^53.
    pub fn new(step: f64, zero: f64) -> Result<Self, String> {
        if !step.is_normal() || step < 0.0 || step > power_of_two(512) {
            return Err(format!(
                "the step: expected a number above 0 and below 2^512, such as 0.0078125; found {step:e}"
            ));
        }
        if zero.fract() != 0.0 || zero.abs() >= power_of_two(53) {
            return Err(format!("the zero point: expected an integer; found {zero}"));
        }
        Ok(Self { step, zero, integers: None, before: None, found: None, multiples: false, rounding: None })
    }

    /// This grid with integers of so many bits: a number beyond them is stored as the nearest one.
    pub fn of_integers(self, bits: i32, signed: bool) -> Self {
        let half = power_of_two(bits - 1);
        let integers = if signed { (-half, half - 1.0) } else { (0.0, 2.0 * half - 1.0) };
        Self { integers: Some(integers), ..self }
    }

    /// This grid of entries that are multiples of the step themselves: those of so many bits after the point end at 1 less one step.
    pub(super) fn of_multiples(self, bits: Option<i32>) -> Self {
        let ends = bits.map(|bits| (-power_of_two(bits), power_of_two(bits) - 1.0));
        Self { integers: ends, multiples: true, ..self }
    }

    /// This grid of entries that are rounded to another neighbour than the nearest.
    pub(super) fn rounded(self, rounding: Option<RoundingMode>) -> Self {
        Self { rounding, ..self }
    }

    /// This grid as somebody states it: without the room that an estimate has, and without ends of multiples.
    pub(super) fn exactly(self) -> Self {
        let stated = Self { found: None, rounding: None, ..self };
        match self.multiples {
            true => Self { before: self.before.filter(|_| self.integers.is_none()), integers: None, ..stated },
            false => stated,
        }
    }

    /// The narrower one of [`computed_in`](Self::computed_in) and the format of an array that holds multiples of the step.
    pub fn held_in(&self, own: Format) -> Format {
        if self.computed_in().precision() < own.precision() { self.computed_in() } else { own }
    }

    /// This grid of numbers that had a format before they were quantised.
    pub fn after(self, format: Format) -> Self {
        Self { before: Some(format), ..self }
    }

    /// The format of what is quantised, where it was stated.
    pub(super) fn stated_before(self) -> Option<Format> {
        self.before
    }

    /// The number that an integer stands for, in binary64.
    pub fn value(&self, integer: f64) -> f64 {
        (integer - self.zero) * self.step
    }

    /// The integer that stands for a number.
    pub(super) fn integer(&self, value: f64) -> f64 {
        (value / self.step).round() + self.zero
    }

    /// The distance of two neighbours.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// The integer that stands for 0.
    pub fn zero_point(&self) -> f64 {
        self.zero
    }

    /// The largest relative error of a step that was found from the data; none of a stated one.
    pub fn found_within(&self) -> Option<f64> {
        self.found
    }

    /// This grid with a step that was found from the data, within a relative error.
    pub(super) fn found(self, within: f64) -> Self {
        Self { found: Some(within), ..self }
    }

    /// The integers of 8 bits that the entries are, if they are such.
    pub(super) fn of_a_byte(&self) -> Option<Integers> {
        let all = [true, false].map(Integers::of_a_byte);
        let (least, largest) = self.integers.filter(|_| !self.multiples)?;
        all.into_iter().find(|all| (f64::from(all.least), f64::from(all.largest)) == (least, largest))
    }

    /// The format of what is quantised: the stated one; else the widest whose unit roundoff is half a step or more, binary32, binary16,
    /// or bfloat16.
    pub fn computed_in(&self) -> Format {
        let within = |format: &Format| format.unit_roundoff() >= self.step / 2.0;
        let usual = || [Format::F32, Format::F16].into_iter().find(within).unwrap_or(Format::Bf16);
        self.before.unwrap_or_else(usual)
    }

    /// Adds half a step to the bounds of entries, and takes exact values beyond the last level for that level.
    pub(super) fn keep(&self, expected: &mut [f64], bounds: &mut [f64]) {
        if let Some((least, largest)) = self.integers {
            expected.iter_mut().for_each(|entry| *entry = entry.clamp(self.value(least), self.value(largest)));
        }
        if let Some(mode) = self.rounding {
            // The middle of what is rounded so to one multiple, all of which is within half a step of it.
            let half = self.step / 2.0;
            expected.iter_mut().for_each(|entry| *entry += half * mode.sense(*entry));
        }
        let within = self.relative();
        bounds.iter_mut().zip(expected).for_each(|(bound, exact)| *bound += HALF * self.step + within * exact.abs());
    }

    /// The largest relative error of the step.
    pub(super) fn relative(&self) -> f64 {
        self.found.unwrap_or(0.0)
    }

    /// By how much an entry may be off because it is on this grid, where the exact value is of a magnitude at most: half a step, the error of
    /// the step, and the distance to the nearer end.
    #[cfg(feature = "positions")]
    pub(super) fn room(&self, exact: f64) -> f64 {
        let beyond = (exact - self.nearer_end()).max(0.0);
        HALF * self.step + self.relative() * exact + beyond
    }

    /// The magnitude of the nearer one of the least and the largest number.
    #[cfg(feature = "positions")]
    pub(super) fn nearer_end(&self) -> f64 {
        self.integers.map_or(f64::INFINITY, |(least, largest)| self.value(largest).min(-self.value(least)))
    }

    /// A description for the report.
    pub(super) fn note(&self) -> String {
        let Self { step, zero, .. } = self;
        let from = if *zero == 0.0 { String::new() } else { format!(", {zero} for 0") };
        let step = match self.found {
            Some(within) => format!("{step:.9} (found from the data, to within {:.1e})", within * step),
            None => step.to_string(),
        };
        match self.integers {
            Some(_) if !self.multiples => {
                format!("integers, steps of {step}{from}, of numbers in {}", self.computed_in())
            }
            _ => format!("in steps of {step}, of numbers in {}", self.computed_in()),
        }
    }
}

impl From<Levels> for [f64; 2] {
    /// The step and the zero point.
    fn from(levels: Levels) -> Self {
        [levels.step, levels.zero]
    }
}

impl Serialize for Levels {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Levels", 3)?;
        object.serialize_field("step", &self.step)?;
        object.serialize_field("zero_point", &self.zero)?;
        object.serialize_field("found_within", &self.found)?;
        object.end()
    }
}

/// A half, and more than the roundings of a multiple of the step and of a bound's sum.
const HALF: f64 = 0.5 + 1.0 / (1u64 << 40) as f64;

/// Distance from a multiple of the step at which an entry that is none may be taken for one, in steps: products that were rounded to
/// binary32.
const NEAR: f64 = 1.0 / 256.0;

/// Distance from a large multiple at which an entry may be taken for one, relative to it.
const ROUNDINGS: f64 = 1.0 / (1u64 << 23) as f64;
