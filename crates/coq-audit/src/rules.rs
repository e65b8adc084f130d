//! Name, libraries and axioms of a development: all that an audit has to be told.

/// The rules of a development.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Prefix of all its files before their own name: `Posproof` for `Posproof.Shift`.
    pub name: &'static str,
    /// The versions of Coq that it is written for, by their beginning: `8.16`.
    pub version: &'static str,
    /// The libraries that it may stand on, by the first part of their names.
    pub libraries: &'static [&'static str],
    /// Libraries that have to be there: of each the first part of its name, a file of it, and what people call it.
    pub needed: &'static [(&'static str, &'static str, &'static str)],
    /// Instructions to install Coq and the libraries, for people.
    pub install: &'static str,
    /// Sentences that load what it is printed with, and import nothing, so that axioms are printed with their modules.
    pub loaded: &'static str,
    /// Sentences that import the libraries with whose notations it is printed for readers.
    pub context: &'static str,
    /// The axioms that a theorem may depend upon.
    pub axioms: &'static [&'static str],
}
