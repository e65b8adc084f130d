//! Injections: what a faulty program does in place of a right one, as data.

use super::entry_faults::EntryFault;
use super::program::{Arithmetic, EncodingProgram, pick};
use super::wiring::PairRotation;
use crate::subject::pairs_of;
use posproof_encoding::Law;
use posproof_encoding::convention::{Convention, Layout};
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;

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
    /// Rounded to so many decimals.
    Decimals(i32),
    /// 1/ω.
    Reciprocal,
    /// 1.
    One,
    /// 2k·ln(base)/dim.
    Linear,
    /// ω².
    Square,
    /// Those of the pairs in reverse order.
    Reversed,
    /// base^(−2k/dim) where only a part of the dimensions is rotated.
    WholeDimension,
    /// Exponents from −1 on.
    FromMinusOne,
    /// Every other one, twice.
    EachTwice,
    /// Times a number.
    Times(f64),
    /// (2k/dim)^(1/base).
    ExchangedPower,
    /// Those of even pairs before those of odd ones.
    EvenFirst,
    /// Those of two pairs exchanged.
    ExchangedPairs(usize, usize),
    /// LongRoPE's long factors.
    Factors,
    /// 0^(−2k/dim).
    OfBaseZero,
    /// A scaling rule in reverse: each pair has the ratio to the unscaled frequency that belongs to its mirror image.
    Mirrored,
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
    /// The second entry of each pair takes cosine and sine of the next pair.
    OtherColumns,
    /// Pairs (k, k + dim/2) take theirs from a cache that repeats each column, as it stands at k and at k + dim/2.
    OtherDuplication,
    /// The second entry is left as it was.
    HalfWritten,
    /// x₂·sin is added where it is to be subtracted.
    WrongSign,
    /// Entry j of y is multiplied by 1 + (j mod 3)/4.
    Weighted,
    /// y is reflected at the plane that is orthogonal to (1, 1, …, 1).
    Reflected,
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
            Self::Places(PlacementFault::OtherColumns) => {
                PairRotation { angles: (0..pairs).map(|k| (k, (k + 1) % pairs)).collect(), ..right }
            }
            Self::Places(PlacementFault::OtherDuplication) => {
                let columns = |k: usize| (k / 2, (k + pairs) / 2);
                PairRotation {
                    angles: (0..pairs).map(columns).collect(),
                    ..PairRotation::new(pairs_of(Layout::Halves, pairs))
                }
            }
            Self::Places(PlacementFault::HalfWritten) => PairRotation { half: true, ..right },
            Self::Places(PlacementFault::WrongSign) => PairRotation { factors: [1.0; 4], ..right },
            Self::Places(PlacementFault::Weighted) => {
                let weight = |j: usize| 1.0 + (j % 3) as f64 / 4.0;
                PairRotation { weights: (0..convention.dim).map(weight).collect(), ..right }
            }
            Self::Places(PlacementFault::Reflected) => PairRotation { reflected: true, ..right },
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
            Self::Decimals(digits) => {
                let parts = 10f64.powi(digits);
                Box::new(move |k| N::of((frequency(k).to_f64() * parts).round() / parts))
            }
            Self::Reciprocal => Box::new(move |k| frequency(k).inverse()),
            Self::One => Box::new(|_| N::of(1.0)),
            Self::Linear => {
                let (base, dim) = (convention.base.value().to_f64(), convention.frequency_dim() as f64);
                let indices: Vec<f64> = (0..convention.pairs()).map(|k| convention.frequency_index(k) as f64).collect();
                Box::new(move |k| N::of(2.0 * indices.get(k).copied().unwrap_or(0.0) * (core_math::log(base) / dim)))
            }
            Self::Square => Box::new(move |k| frequency(k).times(&frequency(k))),
            Self::Reversed => {
                let last = convention.pairs().saturating_sub(1);
                Box::new(move |k| frequency(last.saturating_sub(k)))
            }
            Self::WholeDimension => {
                let whole = N::frequencies(&Convention { rotary_dim: None, ..convention.clone() });
                Box::new(move |k| pick(&whole, k))
            }
            Self::FromMinusOne => {
                let ratio = frequency(0).times(&frequency(1).inverse());
                Box::new(move |k| frequency(k).times(&ratio))
            }
            Self::EachTwice => Box::new(move |k| frequency(k - k % 2)),
            Self::Times(factor) => Box::new(move |k| frequency(k).times(&N::of(factor))),
            Self::ExchangedPower => {
                let (base, dim) = (convention.base.value().to_f64(), convention.frequency_dim() as f64);
                Box::new(move |k| N::of((2.0 * k as f64 / dim).powf(1.0 / base)))
            }
            Self::EvenFirst => {
                let even = convention.pairs().div_ceil(2);
                Box::new(move |k| frequency(if k < even { 2 * k } else { 2 * (k - even) + 1 }))
            }
            Self::ExchangedPairs(one, other) => Box::new(move |k| match k {
                k if k == one => frequency(other),
                k if k == other => frequency(one),
                k => frequency(k),
            }),
            Self::Factors => {
                let factors = match &convention.scaling {
                    Some(Scaling::Longrope { long_factor, .. }) => long_factor.clone(),
                    _ => Vec::new(),
                };
                Box::new(move |k| factors.get(k).map_or_else(|| frequency(k), |factor| N::of(factor.value().to_f64())))
            }
            Self::OfBaseZero => Box::new(move |k| if k == 0 { frequency(0) } else { N::of(f64::INFINITY) }),
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
