//! Errors found in the documents, the most surprising first.

use crate::claim::{About, Verdict};

/// The corrections that readers of the documents are least likely to expect, from the first. The order is a judgement;
/// that each of them is a correction is tested.
pub const MOST_SURPRISING: [&str; 5] = [
    "sinusoid.no-integer-cycle",
    "sinusoid.real-cycle",
    "toeplitz.printed-values",
    "rope.row-vector",
    "sinusoid.wavelengths",
];

/// True if a claim is mathematics that a document has wrong, or leaves ambiguous.
pub fn is_error(about: &About) -> bool {
    about.written.is_some() && matches!(about.verdict, Verdict::Corrected | Verdict::Refuted)
}

/// The place of a claim by surprise; those that are not listed share the last.
pub fn rank(id: &str) -> usize {
    MOST_SURPRISING.iter().position(|listed| *listed == id).unwrap_or(MOST_SURPRISING.len())
}
