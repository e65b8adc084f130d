#![doc = include_str!("../README.md")]

pub mod bases;
mod circle;
mod document;
pub mod hard_cases;
pub mod rotation;
mod shard;

pub use document::{Document, InvalidResult, Sweep, VERSION, named};
pub use shard::Shard;

/// A parameter of a sweep that is out of range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} {found}: expected {expected}")]
pub struct InvalidSweep {
    /// The parameter.
    pub name: &'static str,
    /// Its value.
    pub found: String,
    /// Values that are allowed.
    pub expected: String,
}

impl InvalidSweep {
    fn new(name: &'static str, found: impl ToString, expected: String) -> Self {
        Self { name, found: found.to_string(), expected }
    }
}
