//! Refusals of graphs.

/// A graph that is no program of the theorems: the place, what was found there, what is expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: found {found}; expected {expected}")]
pub struct Unread {
    /// The operation or the entry.
    pub place: String,
    /// The operation, number or tensor that stands there.
    pub found: String,
    /// The operations, numbers or tensors that a graph may have there.
    pub expected: String,
}

impl Unread {
    pub(super) fn new(place: impl ToString, found: impl ToString, expected: impl ToString) -> Self {
        Self { place: place.to_string(), found: found.to_string(), expected: expected.to_string() }
    }
}
