//! Numbers of entries, by how they were settled.

use posproof_encoding::convention::Component;
use serde::Serialize;

/// Numbers of entries, by how they were settled. The counts of the fallbacks depend on the instruction set, whose
/// rounding errors differ; the entries do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Statistics {
    /// All entries.
    pub entries: u64,
    /// Those that the fast path did not settle and that are exact: θ = 0 or X = 0.
    pub exact: u64,
    /// Those that took binary64 or double-double arithmetic.
    pub refined: u64,
    /// Those that took arbitrary precision.
    pub multiprecision: u64,
}

impl std::ops::Add for Statistics {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            entries: self.entries + other.entries,
            exact: self.exact + other.exact,
            refined: self.refined + other.refined,
            multiprecision: self.multiprecision + other.multiprecision,
        }
    }
}

/// Statistics of the cosines and of the sines.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Each {
    pub cos: Statistics,
    pub sin: Statistics,
}

impl Each {
    pub fn of(&mut self, component: Component) -> &mut Statistics {
        match component {
            Component::Cos => &mut self.cos,
            Component::Sin => &mut self.sin,
        }
    }

    pub fn all(self) -> Statistics {
        self.cos + self.sin
    }
}

impl std::ops::Add for Each {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { cos: self.cos + other.cos, sin: self.sin + other.sin }
    }
}
