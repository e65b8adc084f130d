//! Injections: what a faulty program does in place of a right one, as data.

use super::program::{Arithmetic, EncodingProgram, EntryOf, pick};
use super::wiring::PairRotation;
use crate::subject::pairs_of;
use posproof_encoding::Law;
use posproof_encoding::convention::{Convention, Layout};
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;
use std::cell::RefCell;

/// Changes that make a right program faulty.
#[non_exhaustive]
pub enum Injection {
    /// The program computes another convention.
    Convention(fn(&Convention) -> Convention),
    /// Other frequencies.
    Frequencies(FrequencyFault),
    /// Other positions.
    Positions(fn(u64) -> f64),
    /// Angles rounded to a format.
    Angles(Format),
    /// Positions, frequencies and angles rounded to a format.
    Everything(Format),
    /// Other cosines and sines.
    Entries(EntryFault),
    /// Other entries of vectors.
    Places(PlacementFault),
}

/// Changes of a frequency ω.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum FrequencyFault {
    /// Rounded to a format.
    Rounded(Format),
    /// 1/ω.
    Reciprocal,
    /// 1.
    One,
    /// ω².
    Square,
    /// Those of the pairs in reverse order.
    Reversed,
    /// base^(−2k/dim) where only a part of the dimensions is rotated.
    WholeDimension,
    /// A scaling rule in reverse: each pair has the ratio to the unscaled frequency that belongs to its mirror image.
    Mirrored,
}

/// Changes of the cosine and the sine of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum EntryFault {
    /// Rounded to a format.
    Rounded(Format),
    /// Those of an angle that was reduced with 2π of binary32.
    FastMath,
    /// Exchanged.
    Exchanged,
    /// Both the sine in even rows, both the cosine in odd ones.
    ParityOfRows,
    /// The column j of the interleaved table takes base^(−f·j/dim): f is 1, or 2 where it is doubled.
    OwnExponents(u32),
    /// Those of the frequencies that the rule has for a sequence which ends with the row.
    PerToken,
    /// The sine is its magnitude.
    Unsigned,
    /// Zero.
    Zero,
    /// Not a number in one entry, of this row and pair.
    NotANumber(u64, usize),
}

/// Changes of the places of a rotation's entries.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PlacementFault {
    /// Read and written in the other layout.
    OtherLayout,
    /// Written in the other layout.
    WrittenInOtherLayout,
    /// The vector of another row.
    CrossWired,
    /// Computed in place.
    InPlace,
    /// Pairs (k, k + dim/2) though fewer dimensions are rotated.
    WholeVector,
}

impl Injection {
    /// A program with the fault; `right` makes right ones, [`EncodingProgram::exact`] or [`EncodingProgram::single`].
    pub fn program<N: Arithmetic>(
        &self,
        convention: &Convention,
        right: fn(&Convention) -> EncodingProgram<'static, N>,
    ) -> EncodingProgram<'static, N> {
        let computed = self.convention(convention);
        let program = right(&computed);
        self.alter(&computed, program)
    }

    /// The convention that a program with the fault computes: the promised one, but for an injected convention.
    pub fn convention(&self, promised: &Convention) -> Convention {
        if let Self::Convention(made) = self { made(promised) } else { promised.clone() }
    }

    /// A program for the convention, with this fault of its steps besides those that it has: of two faults of the same
    /// step the later one stays. Injected conventions and places are no steps.
    pub fn alter<N: Arithmetic>(
        &self,
        convention: &Convention,
        program: EncodingProgram<'static, N>,
    ) -> EncodingProgram<'static, N> {
        match *self {
            Self::Convention(_) | Self::Places(_) => program,
            Self::Frequencies(change) => change.program(convention, program),
            Self::Positions(map) => {
                let law = Law::new(convention);
                let position = move |p| law.sense() * law.effective(map(p));
                EncodingProgram { position: Box::new(position), ..program }
            }
            Self::Angles(format) => {
                let angle = move |t: f64, omega: &N| omega.times(&N::of(t)).round(format);
                EncodingProgram { angle: Box::new(angle), ..program }
            }
            Self::Everything(format) => {
                let angle = move |t: f64, omega: &N| omega.round(format).times(&N::of(t).round(format)).round(format);
                EncodingProgram { angle: Box::new(angle), ..program }
            }
            Self::Entries(change) => change.program(convention, program),
        }
    }

    /// Rotation of vectors by a program with the fault.
    pub fn turn(&self, convention: &Convention) -> PairRotation {
        let pairs = convention.pairs();
        let other = if convention.layout == Layout::Halves { Layout::Interleaved } else { Layout::Halves };
        let right = PairRotation::new(pairs_of(convention.layout, pairs));
        match self {
            Self::Convention(made) => {
                let made = made(convention);
                PairRotation::new(pairs_of(made.layout, made.pairs()))
            }
            Self::Places(PlacementFault::OtherLayout) => PairRotation::new(pairs_of(other, pairs)),
            Self::Places(PlacementFault::WrittenInOtherLayout) => {
                PairRotation { write: pairs_of(other, pairs), ..right }
            }
            Self::Places(PlacementFault::CrossWired) => PairRotation { shifted: 3, ..right },
            Self::Places(PlacementFault::InPlace) => PairRotation { in_place: true, ..right },
            Self::Places(PlacementFault::WholeVector) => {
                PairRotation::new((0..pairs).map(|k| (k, k + convention.dim / 2)).collect())
            }
            _ => right,
        }
    }
}

impl FrequencyFault {
    fn program<N: Arithmetic>(
        self,
        convention: &Convention,
        right: EncodingProgram<'static, N>,
    ) -> EncodingProgram<'static, N> {
        let EncodingProgram { frequency, .. } = right;
        let changed: Box<dyn Fn(usize) -> N> = match self {
            Self::Rounded(format) => Box::new(move |k| frequency(k).round(format)),
            Self::Reciprocal => Box::new(move |k| frequency(k).inverse()),
            Self::One => Box::new(|_| N::of(1.0)),
            Self::Square => Box::new(move |k| frequency(k).times(&frequency(k))),
            Self::Reversed => {
                let last = convention.pairs().saturating_sub(1);
                Box::new(move |k| frequency(last.saturating_sub(k)))
            }
            Self::WholeDimension => {
                let whole = N::frequencies(&Convention { rotary_dim: None, ..convention.clone() });
                Box::new(move |k| pick(&whole, k))
            }
            Self::Mirrored => {
                let plain = N::frequencies(&Convention { scaling: None, ..convention.clone() });
                let last = plain.len().saturating_sub(1);
                Box::new(move |k| {
                    let mirror = last.saturating_sub(k);
                    let ratio = frequency(mirror).times(&pick(&plain, mirror).inverse());
                    pick(&plain, k).times(&ratio)
                })
            }
        };
        EncodingProgram { frequency: changed, ..right }
    }
}

/// The convention without the length of its sequence, which [`Convention::for_length`] sets.
fn unset_length(convention: &Convention) -> Convention {
    let mut convention = convention.clone();
    if let Some(Scaling::Dynamic { sequence_length, .. } | Scaling::Longrope { sequence_length, .. }) =
        &mut convention.scaling
    {
        *sequence_length = None;
    }
    convention
}

impl EntryFault {
    fn program<N: Arithmetic>(
        self,
        convention: &Convention,
        right: EncodingProgram<'static, N>,
    ) -> EncodingProgram<'static, N> {
        let EncodingProgram { position, frequency, angle, entry } = right;
        let changed: EntryOf<'static, N> = match self {
            Self::Rounded(format) => Box::new(move |angle, p, k| {
                let (cos, sin) = entry(angle, p, k);
                (cos.round(format), sin.round(format))
            }),
            Self::FastMath => Box::new(move |angle, p, k| {
                let angle = angle.to_f64() as f32;
                let turns = (angle / std::f32::consts::TAU).round();
                entry(&N::of(f64::from(angle - turns * std::f32::consts::TAU)), p, k)
            }),
            Self::Exchanged => Box::new(move |angle, p, k| {
                let (cos, sin) = entry(angle, p, k);
                (sin, cos)
            }),
            Self::ParityOfRows => Box::new(move |angle, p, k| {
                let (cos, sin) = entry(angle, p, k);
                if p.is_multiple_of(2) { (sin.clone(), sin) } else { (cos.clone(), cos) }
            }),
            Self::OwnExponents(factor) => {
                // base^(−j/dim) for every column j: the frequencies of twice as many pairs.
                let columns = N::frequencies(&Convention { dim: 2 * convention.dim, ..convention.clone() });
                let omega = move |j: usize| {
                    let one = pick(&columns, j);
                    (1..factor).fold(one.clone(), |power, _| power.times(&one))
                };
                let law = Law::new(convention);
                Box::new(move |_, p, k| {
                    let at = |j: usize| omega(j).times(&N::of(law.sense() * law.effective(p as f64)));
                    (entry(&at(2 * k + 1), p, k).0, entry(&at(2 * k), p, k).1)
                })
            }
            Self::PerToken => {
                let unset = unset_length(convention);
                let law = Law::new(convention);
                let last = RefCell::new((u64::MAX, Vec::new()));
                Box::new(move |_, p, k| {
                    let mut last = last.borrow_mut();
                    if last.0 != p {
                        *last = (p, N::frequencies(&unset.clone().for_length(p + 1)));
                    }
                    entry(&pick(&last.1, k).times(&N::of(law.sense() * law.effective(p as f64))), p, k)
                })
            }
            Self::Unsigned => Box::new(move |angle, p, k| {
                let (cos, sin) = entry(angle, p, k);
                let sign = if sin.to_f64() < 0.0 { -1.0 } else { 1.0 };
                (cos, sin.times(&N::of(sign)))
            }),
            Self::Zero => Box::new(|_, _, _| (N::of(0.0), N::of(0.0))),
            Self::NotANumber(row, pair) => Box::new(move |angle, p, k| {
                let (cos, sin) = entry(angle, p, k);
                (if (p, k) == (row, pair) { N::of(f64::NAN) } else { cos }, sin)
            }),
        };
        EncodingProgram { position, frequency, angle, entry: changed }
    }
}
