//! Roles: the functions of somebody's code that claims speak of.

use posproof_encoding::suggestion::unknown;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A function of somebody's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// positions \[n\] → encodings \[n, d\].
    Encode,
    /// x \[n, d\], positions \[n\] → the rotated rows \[n, d\].
    Rotate,
    /// A rotation by complex numbers: x \[n, d\], positions \[n\] → \[n, d\].
    RotateComplex,
    /// q, k, v, each \[n, d\] → outputs \[n, d\].
    Attention,
    /// x \[n, d\] → y \[n, d\].
    Layer,
}

impl Role {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Encode, Self::Rotate, Self::RotateComplex, Self::Attention, Self::Layer];

    /// The keyword that gives the function.
    pub fn name(self) -> &'static str {
        match self {
            Self::Encode => "encode",
            Self::Rotate => "rotate",
            Self::RotateComplex => "rotate_complex",
            Self::Attention => "attention",
            Self::Layer => "layer",
        }
    }

    /// Arguments and result of the function.
    pub fn signature(self) -> &'static str {
        match self {
            Self::Encode => "(positions [n]) -> [n, d]",
            Self::Rotate | Self::RotateComplex => "(x [n, d], positions [n]) -> [n, d]",
            Self::Attention => "(q [n, d], k [n, d], v [n, d]) -> [n, d]",
            Self::Layer => "(x [n, d]) -> [n, d]",
        }
    }

    /// The name of the array that holds the answers.
    pub fn answer(self) -> &'static str {
        match self {
            Self::Encode => "encoding",
            Self::Rotate | Self::Layer => "y",
            Self::RotateComplex => "y_complex",
            Self::Attention => "o",
        }
    }

    /// True if one answer is a matrix, for a call of its own.
    pub fn is_of_matrices(self) -> bool {
        matches!(self, Self::Attention | Self::Layer)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Role {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|role| role.name() == name);
        found.ok_or_else(|| unknown("role", name, Self::ALL.iter().map(|role| role.name())))
    }
}
