//! Mistakes of an input.

use posproof_encoding::printable;
use std::fmt;

/// Why an input cannot be used: which file, where in it, what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidInput {
    /// The file, as it was named.
    pub file: String,
    /// The place in it: a header, a tensor's name, a row.
    pub place: String,
    /// Expected value.
    pub expected: String,
    /// Value found.
    pub found: String,
    /// Advice.
    pub advice: String,
}

impl fmt::Display for InvalidInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, place, expected, found, advice } = self;
        // Names of tensors and keys are whatever a file has.
        f.write_str(&printable(&format!("{file}: {place}: expected {expected}; found {found}; {advice}")))
    }
}

impl std::error::Error for InvalidInput {}

/// An error about one file: the file's name is said once.
#[derive(Clone, Copy)]
pub(crate) struct About<'a>(pub &'a str);

impl About<'_> {
    pub fn error(
        self,
        place: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
        advice: impl Into<String>,
    ) -> InvalidInput {
        InvalidInput {
            file: self.0.to_owned(),
            place: place.into(),
            expected: expected.into(),
            found: found.into(),
            advice: advice.into(),
        }
    }
}
