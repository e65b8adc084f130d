//! The frequencies of an axis.

use super::parameters::AxialSpacing;
use super::radical::Radical;
use crate::amplitude::Amplitude;
use crate::convention::{Convention, Direction, Encoding, Layout, Order, Spacing};
use crate::frequency::{Levels, Progression, narrowed};
use crate::real::Real;
use crate::scaling::Scaling;
use posproof_numerics::{Interval, Rational};

/// Frequencies that an array holds, each exactly as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredFrequencies {
    /// Number of lists: one, or one for each head.
    pub heads: usize,
    /// \[heads, slots\], list after list.
    pub omega: Vec<f64>,
}

/// Law of the frequencies of an axis.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there is one for each axis")]
pub enum FrequencyLaw {
    /// A law: with n = D/2 and i the index of a slot, ω_i as the spacing says.
    Indexed {
        /// base.
        base: Real,
        /// The spacing.
        spacing: AxialSpacing,
        /// The index of the first frequency.
        origin: u32,
        /// D.
        dim: usize,
        /// The rule for longer contexts.
        scaling: Option<Scaling>,
        /// i, slot by slot.
        index: Vec<usize>,
    },
    /// Stored numbers, head by head and slot by slot.
    Stored {
        /// Number of heads.
        heads: usize,
        /// \[heads, slots\].
        omega: Vec<Rational>,
    },
}

/// The frequencies of an axis, exact where they are rational, and enclosed at any precision.
#[derive(Debug)]
pub(super) struct Frequencies {
    pub law: FrequencyLaw,
    levels: Levels,
}

impl Frequencies {
    pub fn new(law: FrequencyLaw) -> Self {
        Self { law, levels: Levels::default() }
    }

    /// An enclosure of the frequency of slot number `at` of the axis, of relative width at most 2^−bits. `None` beyond the last
    /// slot or head, and beyond 2^18 bits.
    pub fn enclose(&self, head: usize, at: usize, bits: u32) -> Option<Interval> {
        match &self.law {
            FrequencyLaw::Stored { .. } => self.rational(head, at).map(|omega| Interval::rational(&omega, bits + 8)),
            FrequencyLaw::Indexed { index, .. } => {
                let k = *index.get(at)?;
                if let Some(linear) = self.linear(k) {
                    return Some(Interval::rational(&linear, bits + 8));
                }
                self.levels.get(k, bits, |bits| {
                    narrowed(bits, |working| self.progression().map_or_else(Vec::new, |all| all.at(working)))
                })
            }
        }
    }

    /// first + (last − first)·k/(D/2 − 1), where the frequencies are spaced so.
    fn linear(&self, k: usize) -> Option<Rational> {
        let FrequencyLaw::Indexed { spacing: AxialSpacing::Linear([first, last]), dim, .. } = &self.law else {
            return None;
        };
        let part = Rational::from((2 * k as u64, *dim as u64 - 2));
        Some(first.value() + (last.value() - first.value()) * part)
    }

    /// The frequencies of all indices up to the largest one in use, where they are a geometric progression.
    fn progression(&self) -> Option<Progression<'_>> {
        let FrequencyLaw::Indexed { base, spacing, origin, dim, scaling, index } = &self.law else { return None };
        let spacing = match spacing {
            AxialSpacing::Paper => Rational::from((2, *dim as u64)),
            AxialSpacing::Endpoints => Rational::from((2, *dim as u64 - 2)),
            AxialSpacing::Linear(_) => return None,
        };
        // Rules with a factor for each pair have dim/2 of them, which no index is beyond.
        let count = index.iter().max().map_or(0, |last| last + 1);
        let count = if scaling.is_some() { dim / 2 } else { count };
        let (origin, dim) = (*origin, *dim);
        Some(Progression { base: base.value(), spacing, origin, step: 1, dim, count, scaling: scaling.as_ref() })
    }

    /// The frequency of slot number `at` of the axis, where it is known to be rational: one that is stored, a linear spacing,
    /// base^(−m/n) for a base that is the n-th power of a rational number, or 0.
    pub fn rational(&self, head: usize, at: usize) -> Option<Rational> {
        let k = match &self.law {
            FrequencyLaw::Stored { heads, omega } => {
                let slots = omega.len() / heads;
                return omega.get(head * slots + at).filter(|_| at < slots).cloned();
            }
            FrequencyLaw::Indexed { index, .. } => *index.get(at)?,
        };
        if let Some(linear) = self.linear(k) {
            return Some(linear);
        }
        match self.radical(k) {
            Some(radical) => radical.rational(),
            None => self.enclose(head, at, 1).filter(Interval::is_zero).map(|_| Rational::ZERO),
        }
    }

    /// The frequency of an index, where it is a power of the base or one over a rational number.
    fn radical(&self, k: usize) -> Option<Radical<'_>> {
        let FrequencyLaw::Indexed { base, spacing, origin, dim, scaling, .. } = &self.law else { return None };
        let numerator = 2 * (k as u64 + u64::from(*origin));
        let denominator = *dim as u64
            - match spacing {
                AxialSpacing::Paper => 0,
                AxialSpacing::Endpoints => 2,
                AxialSpacing::Linear(_) => return None,
            };
        let divisor = match scaling {
            None => Rational::ONE,
            Some(Scaling::Linear { factor }) => factor.value().clone(),
            // Another base leaves base^0 alone.
            Some(Scaling::Ntk { .. } | Scaling::Dynamic { .. }) if numerator == 0 => Rational::ONE,
            Some(_) => return None,
        };
        Some(Radical { base: base.value(), numerator, denominator, divisor })
    }

    /// The quotient of two frequencies by laws, where it is known to be rational: of two powers, or of one frequency by itself.
    pub fn over(&self, at: usize, other: &Self, there: usize) -> Option<Rational> {
        let (FrequencyLaw::Indexed { index, .. }, FrequencyLaw::Indexed { index: others, .. }) =
            (&self.law, &other.law)
        else {
            return None;
        };
        let (k, l) = (*index.get(at)?, *others.get(there)?);
        match (self.radical(k), other.radical(l)) {
            (Some(mine), Some(others)) => mine.over(&others),
            _ => (k == l && self.is_law_of(other)).then_some(Rational::ONE),
        }
    }

    /// True if both have one law, whatever their indices are.
    fn is_law_of(&self, other: &Self) -> bool {
        let without_index = |law: &FrequencyLaw| match law {
            FrequencyLaw::Indexed { base, spacing, origin, dim, scaling, .. } => {
                Some((base.clone(), spacing.clone(), *origin, *dim, scaling.clone()))
            }
            FrequencyLaw::Stored { .. } => None,
        };
        without_index(&self.law).is_some_and(|mine| without_index(&other.law) == Some(mine))
    }

    /// A convention of one axis whose pairs have these frequencies at their indices, where there is one: not for ascending or
    /// linearly spaced frequencies, stored ones, or an odd dimension.
    pub fn one_axis(&self) -> Option<Convention> {
        self.tabulated().filter(|convention| convention.frequency_dim.is_none())
    }

    /// The same, or a run of more frequencies than the convention has pairs ([`Convention::frequency_dim`]), which may ascend and be of an
    /// odd dimension: whatever one table of one axis has. None for frequencies that are linearly spaced or stored.
    pub fn tabulated(&self) -> Option<Convention> {
        let FrequencyLaw::Indexed { base, spacing, origin, dim, scaling, index } = &self.law else { return None };
        let frequency_spacing = match spacing {
            AxialSpacing::Paper => Spacing::Paper,
            AxialSpacing::Endpoints => Spacing::Endpoints,
            AxialSpacing::Linear(_) => return None,
        };
        let last = index.iter().max()?;
        let plain = dim.is_multiple_of(2) && *last < dim / 2 && *base.value() > 1;
        let convention = Convention {
            encoding: Encoding::Rope,
            dim: if plain { *dim } else { 2 * (last + 1) },
            base: base.clone(),
            frequency_origin: *origin,
            frequency_dim: (!plain).then_some(*dim),
            frequency_step: 1,
            frequency_spacing,
            position_offset: 0.into(),
            position_scale: 1.into(),
            layout: Layout::Halves,
            order: Order::CosSin,
            direction: Direction::CounterClockwise,
            amplitude: Amplitude::default(),
            rotary_dim: None,
            scaling: scaling.clone(),
        };
        convention.validate().is_ok().then_some(convention)
    }

    /// Number of heads that have frequencies of their own: 1 for a law.
    pub fn heads(&self) -> usize {
        if let FrequencyLaw::Stored { heads, .. } = self.law { heads } else { 1 }
    }
}
