//! The names of findings.

use serde::{Serialize, Serializer};
use std::fmt;

/// Name of a finding: in JSON and in messages that of the variant in kebab-case. Names are added, never changed.
///
/// ```
/// use posproof_check::Code;
/// assert_eq!(Code::LowPrecisionFrequencies.to_string(), "low-precision-frequencies");
/// assert!(Code::LowPrecisionFrequencies.is_low_precision() && !Code::OtherBase.is_low_precision());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// Frequencies rounded to a narrow format.
    LowPrecisionFrequencies,
    /// Positions rounded to a narrow format.
    LowPrecisionPositions,
    /// Angles rounded to a narrow format.
    LowPrecisionAngles,
    /// Entries rounded to a narrow format.
    LowPrecisionStorage,
    /// Sine and cosine of right angles are inaccurate.
    LowPrecisionTrigonometry,
    /// Frequencies of another base.
    OtherBase,
    /// The first frequency has another index.
    FrequencyOrigin,
    /// The frequencies follow another law.
    FrequencySpacing,
    /// Rows are those of positions a whole number further.
    PositionOffset,
    /// Every angle is multiplied by a number.
    PositionScale,
    /// A scaling rule is missing, doubled, or another one.
    FrequencyScaling,
    /// Every entry is multiplied by a number.
    Amplitude,
    /// Other entries form the pairs.
    Layout,
    /// Sines and cosines are exchanged.
    Order,
    /// Every sine is negated.
    Direction,
    /// Another part of the dimensions is rotated.
    PartialRotary,
    /// The axes of an encoding of several claim other slots.
    AxisArrangement,
    /// Axes turn by each other's coordinates.
    AxesExchanged,
    /// An axis follows another one, or stands still.
    AxisLost,
    /// The slots of an axis have the frequencies of other indices.
    FrequencyIndex,
    /// The frequencies of an axis are computed from another dimension.
    FrequencyDim,
    /// Rows are those of rows before or after.
    RowShift,
    /// Rows have no position that should have one, or the reverse.
    NullRow,
    /// Rows of axes are at other coordinates than stated.
    Positions,
    /// Rows of an earlier call, or one row for all.
    StalePositions,
    /// Rows past the end of a cache.
    ClampedPositions,
    /// Vectors are multiplied by the scale of the softmax.
    SoftmaxScale,
    /// Vectors are not rotated.
    NoRotation,
    /// Axes of an array are exchanged.
    Shape,
    /// Entries, rows or heads that depart alone.
    Local,
    /// The entries are no cosines and sines of one angle.
    NotARotation,
    /// The columns of a cache are repeated otherwise.
    Duplication,
    /// Entries are rounded by another rule than to nearest.
    RoundingMode,
    /// Integers stand for other numbers than stated.
    Quantisation,
    /// Most entries could be anything.
    NotJudged,
    /// Infinities, or no numbers at all.
    NotFinite,
    /// None of the others.
    Unexplained,
}

impl Code {
    /// Every code, in the order of the documentation.
    pub const ALL: [Self; 37] = [
        Self::LowPrecisionFrequencies,
        Self::LowPrecisionPositions,
        Self::LowPrecisionAngles,
        Self::LowPrecisionStorage,
        Self::LowPrecisionTrigonometry,
        Self::OtherBase,
        Self::FrequencyOrigin,
        Self::FrequencySpacing,
        Self::FrequencyScaling,
        Self::PositionOffset,
        Self::PositionScale,
        Self::ClampedPositions,
        Self::StalePositions,
        Self::Layout,
        Self::Order,
        Self::Direction,
        Self::PartialRotary,
        Self::AxisArrangement,
        Self::AxesExchanged,
        Self::AxisLost,
        Self::FrequencyIndex,
        Self::FrequencyDim,
        Self::RowShift,
        Self::NullRow,
        Self::Positions,
        Self::Amplitude,
        Self::SoftmaxScale,
        Self::NoRotation,
        Self::Shape,
        Self::Local,
        Self::NotARotation,
        Self::Duplication,
        Self::RoundingMode,
        Self::Quantisation,
        Self::NotJudged,
        Self::NotFinite,
        Self::Unexplained,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::LowPrecisionFrequencies => "low-precision-frequencies",
            Self::LowPrecisionPositions => "low-precision-positions",
            Self::LowPrecisionAngles => "low-precision-angles",
            Self::LowPrecisionStorage => "low-precision-storage",
            Self::LowPrecisionTrigonometry => "low-precision-trigonometry",
            Self::OtherBase => "other-base",
            Self::FrequencyOrigin => "frequency-origin",
            Self::FrequencySpacing => "frequency-spacing",
            Self::PositionOffset => "position-offset",
            Self::PositionScale => "position-scale",
            Self::FrequencyScaling => "frequency-scaling",
            Self::Amplitude => "amplitude",
            Self::Layout => "layout",
            Self::Order => "order",
            Self::Direction => "direction",
            Self::PartialRotary => "partial-rotary",
            Self::AxisArrangement => "axis-arrangement",
            Self::AxesExchanged => "axes-exchanged",
            Self::AxisLost => "axis-lost",
            Self::FrequencyIndex => "frequency-index",
            Self::FrequencyDim => "frequency-dim",
            Self::RowShift => "row-shift",
            Self::NullRow => "null-row",
            Self::Positions => "positions",
            Self::StalePositions => "stale-positions",
            Self::ClampedPositions => "clamped-positions",
            Self::SoftmaxScale => "softmax-scale",
            Self::NoRotation => "no-rotation",
            Self::Shape => "shape",
            Self::Local => "local",
            Self::NotARotation => "not-a-rotation",
            Self::Duplication => "duplication",
            Self::RoundingMode => "rounding-mode",
            Self::Quantisation => "quantisation",
            Self::NotJudged => "not-judged",
            Self::NotFinite => "not-finite",
            Self::Unexplained => "unexplained",
        }
    }

    /// True if the convention is the right one, computed or stored at too low a precision.
    pub fn is_low_precision(self) -> bool {
        matches!(
            self,
            Self::LowPrecisionFrequencies
                | Self::LowPrecisionPositions
                | Self::LowPrecisionAngles
                | Self::LowPrecisionStorage
                | Self::LowPrecisionTrigonometry
        )
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
