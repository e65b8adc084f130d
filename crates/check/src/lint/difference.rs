//! Differences of two descriptions of a rotation.

use crate::Code;

/// A difference between what a configuration means and what another file says or holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The fact that differs.
    pub what: What,
    /// The kind of layers that it is about, by the configuration's name.
    pub kind: String,
    /// The field of the convention: `base`, `scaling.factor`; a tensor's name for its rows.
    pub field: String,
    /// Value of the configuration.
    pub expected: String,
    /// Value of the other file.
    pub found: String,
    /// One sentence.
    pub message: String,
}

/// Facts that can differ. Names are those of the findings of `check`, where a program shows what a file says here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What {
    /// Number of entries of a head, all or those that are rotated.
    Width,
    /// The base.
    Base,
    /// The scaling rule or one of its parameters.
    Scaling,
    /// Frequencies that are rounded to a narrow format.
    Precision,
    /// The pairing, or the arrangement of rows that it asks for.
    Layout,
    /// Which pairs belong to which axis.
    Axes,
    /// The factor on cosines and sines.
    Amplitude,
    /// The factor on the logits.
    Softmax,
    /// Presence of rotation.
    Rotation,
    /// One frequency, where all others are right.
    Local,
    /// None of the others.
    Unexplained,
}

impl What {
    /// The name of the finding.
    pub fn name(self) -> &'static str {
        let code = match self {
            Self::Width => Code::PartialRotary,
            Self::Base => Code::OtherBase,
            Self::Scaling => Code::FrequencyScaling,
            Self::Precision => Code::LowPrecisionFrequencies,
            Self::Layout => Code::Layout,
            Self::Axes => Code::AxisArrangement,
            Self::Amplitude => Code::Amplitude,
            Self::Softmax => Code::SoftmaxScale,
            Self::Rotation => Code::NoRotation,
            Self::Local => Code::Local,
            Self::Unexplained => Code::Unexplained,
        };
        code.name()
    }
}
