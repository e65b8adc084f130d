//! Conventions: everything that decides the exact real value of every entry of a table.

use super::amplitude::{Amplitude, Gain};
use super::real::Real;
use super::scaling::Scaling;
use serde::{Deserialize, Serialize};

/// Contents of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// A positional encoding that is added: one array [positions, dim].
    Sinusoid,
    /// The cosines and sines of a rotary encoding: two arrays [positions, pairs].
    Rope,
}

/// Spacing of the frequencies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spacing {
    /// ω_k = base^(−2k/dim) (Vaswani et al. 2017, section 3.5).
    #[default]
    Paper,
    /// ω_k = base^(−k/(dim/2 − 1)), so that 1 and 1/base are both frequencies.
    Endpoints,
}

/// Which entries of a row form a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// Entries 2k and 2k + 1.
    #[default]
    Interleaved,
    /// Entries k and k + pairs.
    Halves,
    /// Entries 2k and 2k + 1 of a vector, and k and k + pairs of the rotated one: a permutation is part of the rotation
    /// (DeepSeek V2 and V3). Of vectors only.
    InterleavedToHalves,
}

/// Which component of a pair comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// The sine.
    #[default]
    SinCos,
    /// The cosine.
    CosSin,
}

/// The sense of the rotation, and with it the sign of every sine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// (x, y) ↦ (x cos θ − y sin θ, x sin θ + y cos θ).
    #[default]
    CounterClockwise,
    /// The inverse: every sine is that of −θ.
    Clockwise,
}

/// One of the two parts of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Component {
    /// amplitude·cos θ.
    Cos,
    /// ±amplitude·sin θ.
    Sin,
}

/// A convention in exact real arithmetic. Entry (p, k) is
///
/// amplitude·cos θ and ±amplitude·sin θ with θ = (p + position_offset)·position_scale·ω_k,
///
/// where ω_k comes from `base`, `frequency_origin`, `frequency_spacing` and `scaling`, and the
/// amplitude is multiplied by the attention factor of the scaling rule. Every parameter is the
/// exact decimal that was written. The serialised form is that of `posproof.check/1`.
///
/// ```
/// use posproof_encoding::convention::Convention;
/// let rope: Convention = serde_json::from_str(r#"{"encoding": "rope", "dim": 128, "base": 500000}"#).unwrap();
/// assert_eq!(rope.pairs(), 64);
/// assert_eq!(rope, Convention { base: 500000.into(), ..Convention::rope(128) });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Convention {
    /// Contents of the table.
    pub encoding: Encoding,
    /// The model's dimension (sinusoid) or that of a head (rope).
    pub dim: usize,
    /// The base, > 1.
    #[serde(default = "default_base")]
    pub base: Real,
    /// The index of the first frequency: 0, or 1 where a document counts from 1; any where `frequency_dim` is stated.
    #[serde(default)]
    pub frequency_origin: u32,
    /// D in the exponents −2k/D, where it is not the number of dimensions that are rotated: the pairs are then a run of the frequencies
    /// of D/2 pairs, as a section of a multimodal rotary encoding has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency_dim: Option<usize>,
    /// The distance of successive indices in such a run: 1, or more where sections have their pairs in turn.
    #[serde(default = "unit_step", skip_serializing_if = "is_unit_step")]
    pub frequency_step: u32,
    /// The spacing of the frequencies.
    #[serde(default)]
    pub frequency_spacing: Spacing,
    /// Addend of a position.
    #[serde(default = "zero")]
    pub position_offset: Real,
    /// Factor of the angle.
    #[serde(default = "one")]
    pub position_scale: Real,
    /// Which entries form a pair.
    #[serde(default)]
    pub layout: Layout,
    /// Which component comes first.
    #[serde(default)]
    pub order: Order,
    /// The sense of the rotation.
    #[serde(default)]
    pub direction: Direction,
    /// The factor of every entry, without the attention factor of the scaling rule.
    #[serde(default)]
    pub amplitude: Amplitude,
    /// Number of dimensions that are rotated, if not all: rope only. The frequencies are then
    /// those of this dimension.
    #[serde(default)]
    pub rotary_dim: Option<usize>,
    /// The rule that changes the frequencies for longer contexts: rope only.
    #[serde(default)]
    pub scaling: Option<Scaling>,
}

fn unit_step() -> u32 {
    1
}

fn is_unit_step(step: &u32) -> bool {
    *step == unit_step()
}

fn default_base() -> Real {
    10000.into()
}

fn zero() -> Real {
    0.into()
}

fn one() -> Real {
    1.into()
}

/// A convention that defines no table: which field, what was found, what is expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {found}; expected {expected}")]
pub struct InvalidConvention {
    /// The field, by its name in the convention.
    pub field: &'static str,
    /// Value found.
    pub found: String,
    /// Values that are allowed.
    pub expected: String,
}

/// A check of one field.
pub(crate) fn require(
    holds: bool,
    field: &'static str,
    found: impl ToString,
    expected: impl ToString,
) -> Result<(), InvalidConvention> {
    if holds {
        return Ok(());
    }
    Err(InvalidConvention { field, found: found.to_string(), expected: expected.to_string() })
}

/// The largest dimension that is accepted: far above any model's, far below an overflow.
const MAX_DIM: usize = 1 << 24;

/// The largest index of a first frequency.
const MAX_INDEX: u32 = 1 << 20;

impl Convention {
    fn new(encoding: Encoding, dim: usize) -> Self {
        Self {
            encoding,
            dim,
            base: default_base(),
            frequency_origin: 0,
            frequency_dim: None,
            frequency_step: unit_step(),
            frequency_spacing: Spacing::Paper,
            position_offset: zero(),
            position_scale: one(),
            layout: Layout::Interleaved,
            order: Order::SinCos,
            direction: Direction::CounterClockwise,
            amplitude: Amplitude::default(),
            rotary_dim: None,
            scaling: None,
        }
    }

    /// The sinusoidal encoding of Vaswani et al. 2017: base 10000, sine and cosine interleaved.
    pub fn sinusoid(dim: usize) -> Self {
        Self::new(Encoding::Sinusoid, dim)
    }

    /// The rotary encoding of Su et al. 2021: base 10000, all dimensions rotated.
    pub fn rope(dim: usize) -> Self {
        Self::new(Encoding::Rope, dim)
    }

    /// Refuses a convention that defines no table, and says why.
    pub fn validate(&self) -> Result<(), InvalidConvention> {
        let rope = self.encoding == Encoding::Rope;
        require((2..=MAX_DIM).contains(&self.dim), "dim", self.dim, format!("2 to {MAX_DIM}"))?;
        require(
            self.dim.is_multiple_of(2),
            "dim",
            format!("{}, which is odd", self.dim),
            "an even dimension: implementations pad, drop or add a column differently for an odd one, and no convention here defines it",
        )?;
        require(
            rope || self.layout != Layout::InterleavedToHalves,
            "layout",
            "interleaved-to-halves for a sinusoid",
            "interleaved or halves: only a rotation reads entries and writes others",
        )?;
        // A run of frequencies may ascend.
        let (least, expected) = match self.frequency_dim {
            None => (1, "a finite real number > 1"),
            Some(_) => (0, "a finite real number > 0"),
        };
        require(*self.base.value() > least, "base", &self.base, expected)?;
        let (last, indices) = match self.frequency_dim {
            None => (1, "0 or 1".to_owned()),
            Some(_) => (MAX_INDEX, format!("0 to {MAX_INDEX}")),
        };
        require(self.frequency_origin <= last, "frequency_origin", self.frequency_origin, indices)?;
        if let Some(dim) = self.frequency_dim {
            require((1..=MAX_DIM).contains(&dim), "frequency_dim", dim, format!("1 to {MAX_DIM}"))?;
        }
        require(
            self.frequency_step == 1 || self.frequency_dim.is_some() && (1..=MAX_INDEX).contains(&self.frequency_step),
            "frequency_step",
            self.frequency_step,
            format!("1, or up to {MAX_INDEX} where frequency_dim is stated"),
        )?;
        require(!self.position_scale.is_zero(), "position_scale", "0", "a number other than 0")?;
        let endpoints = self.frequency_spacing == Spacing::Endpoints;
        require(
            !endpoints || self.frequency_dim() >= 4 && self.frequency_dim().is_multiple_of(2),
            "frequency_spacing",
            format!("endpoints with dimension {}", self.frequency_dim()),
            "at least two pairs (dimension 4) between the end points",
        )?;
        if let Some(rotary) = self.rotary_dim {
            require(
                rope,
                "rotary_dim",
                format!("{rotary} for a sinusoid"),
                "none: only rope rotates a part of its dimensions",
            )?;
            require(
                rotary >= 2 && rotary.is_multiple_of(2) && rotary <= self.dim,
                "rotary_dim",
                rotary,
                format!("an even number from 2 to dim = {}", self.dim),
            )?;
        }
        let Some(scaling) = &self.scaling else { return Ok(()) };
        require(
            rope,
            "scaling",
            format!("{} for a sinusoid", scaling.name()),
            "none: the scaling rules are defined for rope",
        )?;
        let (end, dim) = (self.frequency_index(self.pairs().saturating_sub(1)), self.frequency_dim());
        require(
            !endpoints && dim.is_multiple_of(2) && end < dim / 2,
            "scaling",
            format!("{} with frequency_origin {} and other spacing", scaling.name(), self.frequency_origin),
            "frequency_origin 0 and the paper's spacing, on which the scaling rules are defined",
        )?;
        scaling.validate(dim)
    }

    /// Number of dimensions that are rotated, or that a sinusoid has.
    pub fn rotated_dim(&self) -> usize {
        self.rotary_dim.unwrap_or(self.dim)
    }

    /// D, the dimension that the frequencies are computed from: that of what is rotated, if it is not stated.
    pub fn frequency_dim(&self) -> usize {
        self.frequency_dim.unwrap_or(self.rotated_dim())
    }

    /// The index of a pair's frequency: ω = base^(−2·index/D) with the paper's spacing.
    pub fn frequency_index(&self, pair: usize) -> usize {
        self.frequency_origin as usize + self.frequency_step as usize * pair
    }

    /// The number of a pair among the D/2 that the frequencies are computed for: its index where `frequency_dim` is stated, and itself
    /// where not.
    pub fn pair_of_all(&self, pair: usize) -> usize {
        if self.frequency_dim.is_some() { self.frequency_index(pair) } else { pair }
    }

    /// The number of pairs in a row.
    pub fn pairs(&self) -> usize {
        self.rotated_dim() / 2
    }

    /// The entries of a row of the joined table (sinusoid), 2·pairs.
    pub fn width(&self) -> usize {
        2 * self.pairs()
    }

    /// Where a component of a pair stands in a row of the joined table.
    pub fn column(&self, pair: usize, component: Component) -> usize {
        let second = (component == Component::Cos) == (self.order == Order::SinCos);
        match self.layout {
            Layout::Interleaved => 2 * pair + usize::from(second),
            Layout::Halves | Layout::InterleavedToHalves => pair + usize::from(second) * self.pairs(),
        }
    }

    /// The factor of every entry: the amplitude times the scaling rule's attention factor.
    pub fn gain(&self) -> Gain {
        let attention = self.scaling.as_ref().map_or_else(|| Gain::rational(1.into()), Scaling::attention_factor);
        attention.times(self.amplitude.gain())
    }

    /// The convention for a sequence of this length, where the scaling rule depends on it and does
    /// not state it.
    pub fn for_length(mut self, length: u64) -> Self {
        if let Some(scaling) = &mut self.scaling {
            scaling.set_length(length);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_follow_layout_and_order() {
        let paper = Convention::sinusoid(8);
        assert_eq!(paper.column(3, Component::Sin), 6);
        assert_eq!(paper.column(3, Component::Cos), 7);
        let halves = Convention { layout: Layout::Halves, order: Order::CosSin, ..paper };
        assert_eq!(halves.column(3, Component::Cos), 3);
        assert_eq!(halves.column(3, Component::Sin), 7);
    }

    #[test]
    fn what_defines_no_table_is_named() {
        let field = |convention: Convention| convention.validate().unwrap_err().field;
        assert_eq!(field(Convention::sinusoid(7)), "dim");
        assert_eq!(field(Convention { base: 1.into(), ..Convention::sinusoid(8) }), "base");
        assert_eq!(field(Convention { rotary_dim: Some(10), ..Convention::rope(8) }), "rotary_dim");
        assert_eq!(field(Convention { rotary_dim: Some(4), ..Convention::sinusoid(8) }), "rotary_dim");
        let endpoints = Convention { frequency_spacing: Spacing::Endpoints, ..Convention::sinusoid(2) };
        assert_eq!(field(endpoints), "frequency_spacing");
        assert_eq!(Convention::sinusoid(2).validate(), Ok(()));
    }

    #[test]
    fn the_serialised_form_has_every_field() {
        let json = serde_json::to_value(Convention::rope(64)).unwrap();
        let expected = serde_json::json!({
            "encoding": "rope", "dim": 64, "base": 10000, "frequency_origin": 0, "frequency_spacing": "paper",
            "position_offset": 0, "position_scale": 1, "layout": "interleaved", "order": "sin-cos",
            "direction": "counter-clockwise", "amplitude": 1, "rotary_dim": null, "scaling": null
        });
        assert_eq!(json, expected);
    }
}
