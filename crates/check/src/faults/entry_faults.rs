//! Cosines and sines that a faulty program delivers in place of the right ones.

use super::program::{Arithmetic, EncodingProgram, EntryOf, pick};
use super::wiring::CacheRead;
use posproof_encoding::Law;
use posproof_encoding::convention::{Component, Convention};
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;
use std::cell::RefCell;
use std::f64::consts::TAU;

/// Changes of the cosine and the sine of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum EntryFault {
    /// Rounded to a format.
    Rounded(Format),
    /// Rounded to a multiple of one of so many parts of 1.
    InSteps(u32),
    /// Those of the nearest one of so many angles in a turn.
    LookedUp(u32),
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
    /// Zero in one of ten by chance, and 10/9 times what is right in the others.
    Dropped,
    /// The sine is that of another base.
    SinesOfBase(i64),
    /// The sine is that of the next row.
    SinesOfTheNextRow,
    /// The sine is what stands so many columns further in rows [cosines | sines], which go on in the next one.
    SinesFurther(usize),
    /// The sine of a pair at rest is 1.
    Ones,
    /// On the line between those of the next two of so many angles in a turn.
    Interpolated(u32),
    /// Those of (p/base)^(2k/dim).
    QuotientRaised,
    /// Times ((2k/dim + 2/5)·5/7)^(p/512), as xPos has it.
    PowersOfPositions,
    /// Zero in one row.
    ZeroRow(u64),
    /// Wrong by 1/2 in the cosine of this row and pair.
    Wrong(u64, usize),
    /// Zero.
    Zero,
    /// Not a number in one entry, of this row and pair.
    NotANumber(u64, usize),
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
    pub(super) fn program<N: Arithmetic>(
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
            Self::InSteps(parts) => Box::new(move |angle, p, k| {
                let parts = f64::from(parts);
                let round = |x: N| N::of((x.to_f64() * parts).round() / parts);
                let (cos, sin) = entry(angle, p, k);
                (round(cos), round(sin))
            }),
            Self::LookedUp(angles) => Box::new(move |angle, p, k| {
                let step = TAU / f64::from(angles);
                entry(&N::of((angle.to_f64() / step).round() * step), p, k)
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
            Self::Dropped => Box::new(move |angle, p, k| {
                let (cos, sin) = entry(angle, p, k);
                let mixed = |j: usize| (p << 20 | j as u64).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                let times =
                    |j: usize| N::of(if (mixed(j) ^ mixed(j) >> 29) >> 40 & 1023 < 102 { 0.0 } else { 10.0 / 9.0 });
                (cos.times(&times(2 * k)), sin.times(&times(2 * k + 1)))
            }),
            Self::SinesOfBase(base) => {
                let other = Convention { base: base.into(), ..convention.clone() };
                let (omega, law) = (N::frequencies(&other), Law::new(convention));
                Box::new(move |angle, p, k| {
                    let turned = pick(&omega, k).times(&N::of(law.sense() * law.effective(p as f64)));
                    (entry(angle, p, k).0, entry(&turned, p, k).1)
                })
            }
            Self::SinesOfTheNextRow => {
                let (omega, law) = (N::frequencies(convention), Law::new(convention));
                Box::new(move |angle, p, k| {
                    let next = pick(&omega, k).times(&N::of(law.sense() * law.effective((p + 1) as f64)));
                    (entry(angle, p, k).0, entry(&next, p, k).1)
                })
            }
            Self::SinesFurther(columns) => {
                let (omega, law, pairs) = (N::frequencies(convention), Law::new(convention), convention.pairs());
                Box::new(move |angle, p, k| {
                    let read = CacheRead::SinesFrom(pairs + columns);
                    let (rows, component, pair) =
                        read.taken(Component::Sin, k, pairs).unwrap_or((0, Component::Sin, k));
                    let further = pick(&omega, pair).times(&N::of(law.effective((p + rows as u64) as f64)));
                    let (cos, sin) = entry(&further, p, k);
                    let read = if component == Component::Cos { cos } else { sin };
                    (entry(angle, p, k).0, read.times(&N::of(law.sense())))
                })
            }
            Self::Ones => {
                let omega = N::frequencies(convention);
                Box::new(move |angle, p, k| {
                    let (cos, sin) = entry(angle, p, k);
                    let at_rest = pick(&omega, k).to_f64() == 0.0;
                    (cos.clone(), if at_rest { cos } else { sin })
                })
            }
            Self::Interpolated(angles) => Box::new(move |angle, p, k| {
                let step = TAU / f64::from(angles);
                let at = (angle.to_f64() / step).floor();
                let share = angle.to_f64() / step - at;
                let [one, next] = [at, at + 1.0].map(|at| entry(&N::of(at * step), p, k));
                let between = |one: &N, next: &N| one.times(&N::of(1.0 - share)).plus(&next.times(&N::of(share)));
                (between(&one.0, &next.0), between(&one.1, &next.1))
            }),
            Self::QuotientRaised => {
                let (base, dim) = (convention.base.value().to_f64(), convention.frequency_dim() as f64);
                let law = Law::new(convention);
                Box::new(move |_, p, k| {
                    let power = (law.effective(p as f64) / base).powf(2.0 * k as f64 / dim);
                    entry(&N::of(law.sense() * power), p, k)
                })
            }
            Self::PowersOfPositions => {
                let dim = convention.frequency_dim() as f64;
                Box::new(move |angle, p, k| {
                    let (cos, sin) = entry(angle, p, k);
                    let power = N::of(((2.0 * k as f64 / dim + 0.4) / 1.4).powf(p as f64 / 512.0));
                    (cos.times(&power), sin.times(&power))
                })
            }
            Self::ZeroRow(row) => {
                Box::new(move |angle, p, k| if p == row { (N::of(0.0), N::of(0.0)) } else { entry(angle, p, k) })
            }
            Self::Wrong(row, pair) => Box::new(move |angle, p, k| {
                let (cos, sin) = entry(angle, p, k);
                (if (p, k) == (row, pair) { cos.plus(&N::of(0.5)) } else { cos }, sin)
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
