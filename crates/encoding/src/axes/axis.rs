//! Meaning of an axis of a convention: its effective positions, its frequencies and its gain.

use super::angle::ExactAngle;
use super::coefficient::Coefficient;
use super::convention::{AxialConvention, Axis, Index};
use super::frequencies::{Frequencies, FrequencyLaw, StoredFrequencies};
use super::invalid::InvalidAxes;
use super::parameters::{AxialSpacing, AxisParameters};
use super::ranges::MOST;
use crate::amplitude::{Amplitude, Gain};
use crate::convention::{Convention, Direction, Encoding, Order};
use crate::scaling::Scaling;
use posproof_numerics::{Interval, Rational};

/// The largest index of a frequency, which decides how long computing them takes.
const MOST_INDEX: usize = 1 << 20;

/// An axis that claims a slot: which, and the number of the slot among the axis's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The axis.
    pub axis: usize,
    /// The number of the slot among those of the axis.
    pub at: usize,
}

/// An axis with everything that its convention leaves to defaults.
#[derive(Debug)]
pub struct AxisLaw {
    pub(super) name: String,
    pub(super) slots: Vec<usize>,
    pub(super) frequencies: Frequencies,
    offset: Coefficient,
    scale: Coefficient,
    direction: Direction,
    pub(super) order: Order,
    pub(super) gain: Gain,
    pub(super) amplitude: Amplitude,
}

impl AxisLaw {
    pub(super) fn new(
        axis: &Axis,
        whole: &AxialConvention,
        (slots, width): (usize, usize),
        load: &dyn Fn(&str) -> Result<StoredFrequencies, String>,
    ) -> Result<Self, InvalidAxes> {
        let name = axis.name.as_str();
        let require = |holds, field, found: String, expected: String| {
            InvalidAxes::unless(holds, (Some(name), field), found, expected)
        };
        let expected = format!("slots below {slots}, the slots of the span");
        require(axis.pairs.max() < slots, "pairs", axis.pairs.to_string(), expected)?;
        let claimed: Vec<usize> = axis.pairs.iter().collect();
        let mut sorted = claimed.clone();
        sorted.sort_unstable();
        sorted.dedup();
        require(sorted.len() == claimed.len(), "pairs", axis.pairs.to_string(), "every slot once".into())?;

        let stated = axis.parameters.or(&whole.parameters);
        let AxisParameters { position_offset, position_scale, order, direction, amplitude, scaling, .. } =
            stated.clone();
        let scale = position_scale.unwrap_or_else(|| 1.into());
        require(!scale.is_zero(), "position_scale", scale.to_string(), "a number other than 0".into())?;
        let frequencies = match &axis.frequencies {
            Some(source) => {
                let AxisParameters { base, frequency_origin, frequency_spacing, scaling, .. } = &axis.parameters;
                let alone =
                    base.is_none() && frequency_origin.is_none() && frequency_spacing.is_none() && scaling.is_none();
                let alone = alone && axis.index.is_none() && axis.frequency_dim.is_none();
                let expected = "no base, spacing, origin, index, frequency_dim or scaling beside stored frequencies";
                require(alone, "frequencies", format!("'{source}' and a law"), expected.into())?;
                stored(name, source, claimed.len(), load)?
            }
            None => Self::indexed(axis, (&claimed, width), &stated, whole.encoding)?,
        };
        let amplitude = amplitude.unwrap_or_default();
        let attention = match &frequencies {
            FrequencyLaw::Indexed { .. } => scaling.as_ref().map(Scaling::attention_factor),
            FrequencyLaw::Stored { .. } => None,
        };
        let gain = attention.unwrap_or_else(|| Gain::rational(1.into())).times(amplitude.gain());
        Ok(Self {
            name: name.to_owned(),
            slots: claimed,
            frequencies: Frequencies::new(frequencies),
            offset: position_offset.unwrap_or_else(|| 0.into()),
            scale,
            direction: direction.unwrap_or_default(),
            order: order.unwrap_or_default(),
            gain,
            amplitude,
        })
    }

    /// The law of an axis's frequencies.
    fn indexed(
        axis: &Axis,
        (slots, width): (&[usize], usize),
        stated: &AxisParameters,
        encoding: Encoding,
    ) -> Result<FrequencyLaw, InvalidAxes> {
        let require = |holds, field, found: &dyn ToString, expected: &str| {
            InvalidAxes::unless(holds, (Some(axis.name.as_str()), field), found.to_string(), expected)
        };
        let index: Vec<usize> = match &axis.index {
            None => (0..slots.len()).collect(),
            Some(Index::Pairs) => slots.to_vec(),
            Some(Index::Ranges(ranges)) => {
                let expected = format!("{} numbers, one for each slot", slots.len());
                require(
                    ranges.len() == slots.len(),
                    "index",
                    &format!("{ranges}: {} numbers", ranges.len()),
                    &expected,
                )?;
                ranges.iter().collect()
            }
        };
        let last = index.iter().copied().max().unwrap_or(0);
        require(last <= MOST_INDEX, "index", &last, &format!("at most {MOST_INDEX}"))?;
        let dim = axis.frequency_dim.unwrap_or(if axis.index.is_some() { width } else { 2 * slots.len() });
        require((1..=MOST).contains(&dim), "frequency_dim", &dim, &format!("1 to {MOST}"))?;
        let base = stated.base.clone().unwrap_or_else(|| 10000.into());
        require(*base.value() > 0 && *base.value() != 1, "base", &base, "a positive number other than 1")?;
        let origin = stated.frequency_origin.unwrap_or(0);
        require(origin <= 1, "frequency_origin", &origin, "0 or 1")?;
        let spacing = stated.frequency_spacing.clone().unwrap_or_default();
        let ends = spacing != AxialSpacing::Paper;
        require(
            !ends || dim > 2,
            "frequency_spacing",
            &format!("two ends with frequency_dim {dim}"),
            "a frequency_dim of 3 or more",
        )?;
        if let AxialSpacing::Linear(_) = spacing {
            let own = |parameters: &AxisParameters| {
                let AxisParameters { base, frequency_origin, frequency_spacing, .. } = parameters;
                matches!(frequency_spacing, Some(AxialSpacing::Linear(_)))
                    && (base.is_some() || frequency_origin.is_some())
            };
            require(
                !own(&axis.parameters),
                "base",
                &"a base or an origin beside linear spacing",
                "neither: linear spacing has none",
            )?;
        }
        if let Some(scaling) = &stated.scaling {
            require(encoding == Encoding::Rope, "scaling", &scaling.name(), "none: the rules are defined for rope")?;
            let paper = spacing == AxialSpacing::Paper && origin == 0 && *base.value() > 1 && dim.is_multiple_of(2);
            let expected = "a base above 1, the paper's spacing, frequency_origin 0 and an even frequency_dim, on which the rules are defined";
            require(paper, "scaling", &scaling.name(), expected)?;
            require(
                last < dim / 2,
                "index",
                &last,
                &format!("below {}, frequency_dim/2, with {} scaling", dim / 2, scaling.name()),
            )?;
            // Rules have a factor for every pair of the dimension.
            require(dim / 2 <= MOST_INDEX, "frequency_dim", &dim, &format!("at most {} with scaling", 2 * MOST_INDEX))?;
            scaling.validate(dim).map_err(|error| InvalidAxes::of(error, &axis.name))?;
        }
        Ok(FrequencyLaw::Indexed { base, spacing, origin, dim, scaling: stated.scaling.clone(), index })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The slots that it claims.
    pub fn slots(&self) -> &[usize] {
        &self.slots
    }

    /// The index of the frequency of each slot; none where frequencies are stored.
    pub fn index(&self) -> Option<&[usize]> {
        match &self.frequencies.law {
            FrequencyLaw::Indexed { index, .. } => Some(index),
            FrequencyLaw::Stored { .. } => None,
        }
    }

    /// Law of its frequencies.
    pub fn frequency_law(&self) -> &FrequencyLaw {
        &self.frequencies.law
    }

    /// Addend of a coordinate.
    pub fn offset(&self) -> &Coefficient {
        &self.offset
    }

    /// Factor of the sum.
    pub fn scale(&self) -> &Coefficient {
        &self.scale
    }

    /// The sense in which it turns.
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// The factor of every entry.
    pub fn gain(&self) -> &Gain {
        &self.gain
    }

    /// A convention of one axis that has this one's frequencies at their indices, at the position (x + offset)·scale, with its gain and
    /// direction, where there is one.
    pub fn one_axis(&self) -> Option<Convention> {
        self.frequencies.one_axis().map(|convention| self.as_turned(convention))
    }

    /// The same, or a run of the frequencies of more pairs: whatever one table of one axis has.
    pub fn tabulated(&self) -> Option<Convention> {
        self.frequencies.tabulated().map(|convention| self.as_turned(convention))
    }

    /// A convention with its direction and its amplitude.
    fn as_turned(&self, convention: Convention) -> Convention {
        Convention { direction: self.direction, amplitude: self.amplitude.clone(), ..convention }
    }

    /// An enclosure of ω of slot number `at`, of relative width at most 2^−bits.
    pub fn frequency(&self, head: usize, at: usize, bits: u32) -> Option<Interval> {
        self.frequencies.enclose(head, at, bits)
    }

    /// An enclosure of ±(x + offset)·scale·ω.
    pub fn angle(&self, head: usize, at: usize, x: &Rational, bits: u32) -> Option<Interval> {
        let omega = self.frequencies.enclose(head, at, bits)?;
        let count = match self.offset.rational() {
            Some(offset) => Interval::rational(&(x + offset), bits + 8),
            None => Interval::rational(x, bits + 8) + self.offset.enclose(bits + 8),
        };
        let angle = count * self.scale.enclose(bits + 8) * omega;
        Some(if self.direction == Direction::Clockwise { -angle } else { angle })
    }

    /// ±(x + offset)·scale, where it is a + b·π.
    pub(super) fn exact_count(&self, x: &Rational) -> Option<ExactAngle> {
        let offset = self.offset.value.value();
        let count = match self.offset.of_pi {
            true => ExactAngle { plain: x.clone(), of_pi: offset.clone() },
            false => ExactAngle { plain: x + offset, of_pi: Rational::ZERO },
        };
        let count = count.times(self.scale.value.value());
        let count = if self.scale.of_pi { count.times_pi()? } else { count };
        Some(if self.direction == Direction::Clockwise { count.times(&(-1).into()) } else { count })
    }
}

/// Frequencies that are loaded.
fn stored(
    axis: &str,
    source: &str,
    slots: usize,
    load: &dyn Fn(&str) -> Result<StoredFrequencies, String>,
) -> Result<FrequencyLaw, InvalidAxes> {
    let refuse = |found: String| InvalidAxes {
        axis: Some(axis.to_owned()),
        field: "frequencies",
        found,
        expected: format!("an array [{slots}] or [heads, {slots}] of finite numbers"),
    };
    let StoredFrequencies { heads, omega } = load(source).map_err(refuse)?;
    if heads == 0 || omega.len() != heads * slots {
        return Err(refuse(format!("'{source}' holds {} numbers for {heads} heads", omega.len())));
    }
    let exact: Option<Vec<Rational>> = omega.iter().map(|&omega| Rational::from_f64(omega)).collect();
    let omega = exact.ok_or_else(|| refuse(format!("'{source}' holds what is no finite number")))?;
    Ok(FrequencyLaw::Stored { heads, omega })
}
