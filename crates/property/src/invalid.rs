//! Reasons why nothing is asked or judged.

use super::role::Role;

/// Why nothing was judged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// No claim of that name, or one that asks no function.
    #[error("{0}")]
    Claim(String),
    /// A claim that asks other functions than those given.
    #[error("{claim}: expected {expected}; found {found}")]
    Role {
        /// The claim.
        claim: String,
        /// The functions that it asks.
        expected: String,
        /// Those given.
        found: String,
    },
    /// A setup that cannot be used.
    #[error("{0}")]
    Setup(String),
    /// An answer that is not what was asked for.
    #[error("{claim}: {role} {}: expected {expected}; found {found}", role.signature())]
    Answer {
        /// The claim.
        claim: &'static str,
        /// The function.
        role: Role,
        /// Shape, format or entries that were expected.
        expected: String,
        /// The shape, format or entry in its place.
        found: String,
    },
}
