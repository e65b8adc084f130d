//! What differs between two descriptions of a rotation.

use crate::Code;

/// A difference between what a configuration means and what another file says or holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What differs.
    pub what: What,
    /// The kind of layers that it is about, by the configuration's name.
    pub kind: String,
    /// The field of the convention: `base`, `scaling.factor`; a tensor's name for its rows.
    pub field: String,
    /// What the configuration says.
    pub expected: String,
    /// What the other file says.
    pub found: String,
    /// One sentence.
    pub message: String,
}

/// What can differ. Names are those of the findings of `check`, where a program shows what a file says here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What {
    /// How many entries of a head are rotated, or how many a head has.
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
    /// Whether layers rotate at all.
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
