//! Violations that an audit finds.

use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// Kinds of violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ViolationKind {
    /// A file does not compile.
    Build,
    /// A word that has no place in a proof.
    Forbidden,
    /// The doc comment before a theorem is not the text that it should be.
    Header,
    /// Something that should have a theorem and has none, or a theorem of nothing that should have one.
    Coverage,
    /// A theorem is pinned, but no longer there.
    Missing,
    /// A theorem is there, but not pinned.
    Unpinned,
    /// The printed statement is not the pinned one.
    Statement,
    /// The axioms are not the pinned ones.
    Axioms,
    /// A theorem depends on an axiom that no theorem may depend on.
    ForbiddenAxiom,
    /// A definition that statements rest on is not the pinned one.
    Definition,
    /// A statement rests on something whose meaning cannot be pinned.
    Hidden,
    /// A file was loaded that is of no known library, or one of the development bears a library's name.
    Library,
    /// A function recurses otherwise than by a `match` on its own argument.
    Recursion,
    /// Two theorems bear one name.
    Duplicate,
    /// `coqchk` does not accept a compiled file.
    Recheck,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// Kind of violation.
    pub code: ViolationKind,
    /// The theorem, the definition, the claim or the file.
    pub subject: String,
    /// Where it is: the file and, where it is known, the line.
    pub place: Option<String>,
    /// Mistake, in words.
    pub message: String,
    /// Expected value.
    pub expected: Option<String>,
    /// Finding.
    pub found: Option<String>,
}

impl Violation {
    /// A finding described in words alone.
    pub fn new(code: ViolationKind, subject: &str, place: Option<String>, message: impl Into<String>) -> Self {
        let (expected, found) = (None, None);
        Self { code, subject: subject.to_owned(), place, message: message.into(), expected, found }
    }

    /// With what was expected and what was found.
    pub fn differing(mut self, expected: impl Into<String>, found: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self.found = Some(found.into());
        self
    }

    /// True if a reviewer may accept it as a deliberate change of the pins.
    pub fn acceptable(&self) -> bool {
        matches!(
            self.code,
            ViolationKind::Missing
                | ViolationKind::Unpinned
                | ViolationKind::Statement
                | ViolationKind::Axioms
                | ViolationKind::Definition
        )
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
        write!(f, "{}{place}: {}", self.subject, self.message)?;
        for (name, text) in [("expected", &self.expected), ("found", &self.found)] {
            if let Some(text) = text {
                write!(f, "\n  {name}:")?;
                text.lines().try_for_each(|line| write!(f, "\n    {line}"))?;
            }
        }
        f.write_char('\n')
    }
}
