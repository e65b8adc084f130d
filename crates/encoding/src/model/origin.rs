//! Where a value comes from, and what else is to be said.

use std::fmt;

/// A value of a convention and its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The field of the convention: `dim`, `base`, `layout`, `rotary_dim`, `scaling`, `scaling.factor`.
    pub field: String,
    /// The value, as the convention's serialised form writes it.
    pub value: String,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The file: the keys that it was taken or computed from, with the keys that these are under.
    File {
        /// `rope_parameters.rope_theta`; `hidden_size` and `num_attention_heads`.
        keys: Vec<String>,
    },
    /// The family's value where the file leaves the key out, as measured.
    Family {
        /// The key that would say it; none for what no key decides, such as a pairing.
        key: Option<String>,
    },
    /// The scaling rule's value where a parameter is left out.
    Rule,
    /// The user.
    Stated {
        /// The option or argument, by its name in the convention.
        field: String,
    },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { keys } => write!(f, "file: {}", keys.join(", ")),
            Self::Family { key: Some(key) } => write!(f, "family's default for {key}"),
            Self::Family { key: None } => f.write_str("family"),
            Self::Rule => f.write_str("the rule's default"),
            Self::Stated { field } => write!(f, "stated: {field}"),
        }
    }
}

/// Something about a configuration that its conventions do not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Its kind.
    pub kind: NoteKind,
    /// The key that it is about.
    pub key: String,
    /// One sentence.
    pub message: String,
}

/// Words of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// A key of the file that has no effect in this family.
    Ignored,
    /// A value that the file leaves to the family.
    Defaulted,
    /// Two values of the file that differ, of which the family takes one.
    Contradiction,
    /// Several axes, read for positions that are equal on all of them.
    Axes,
    /// The family rotates nothing: how it tells positions apart instead.
    Unrotated,
    /// Dependent on the program or the moment: a length, a later call.
    Depends,
}
