//! The pieces of work of a build.

use super::axioms::Group;
use std::collections::BTreeSet;

/// One piece of work, on a file or on several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// `coqc`.
    Compile(String),
    /// The query for the names that the files declare.
    List(BTreeSet<String>),
    /// The query for the axioms of theorems.
    Axioms(Group),
    /// The query for statements and definitions.
    Ask(BTreeSet<String>),
    /// `coqchk`, of files together: it loads the libraries once.
    Recheck(BTreeSet<String>),
}

impl Step {
    /// The files that it is about.
    pub fn modules(&self) -> BTreeSet<&str> {
        match self {
            Self::Compile(module) => [module.as_str()].into(),
            Self::List(modules) | Self::Ask(modules) | Self::Recheck(modules) => {
                modules.iter().map(String::as_str).collect()
            }
            Self::Axioms(group) => group.theorems.iter().map(|(module, _)| module.as_str()).collect(),
        }
    }

    /// As how many steps it counts: files that are asked about or re-checked together may have to be taken one by one.
    pub fn planned(&self) -> usize {
        if let Self::Ask(modules) | Self::Recheck(modules) = self { modules.len() } else { 1 }
    }

    /// Order of work: files that others wait for go first; re-checking, for which nothing waits, last.
    pub fn order(&self) -> u8 {
        match self {
            Self::Compile(_) => 0,
            Self::List(_) => 1,
            Self::Axioms(_) => 2,
            Self::Ask(_) => 3,
            Self::Recheck(_) => 4,
        }
    }

    /// Without files that do not compile; none where nothing is left.
    pub fn without(mut self, lost: &BTreeSet<String>) -> Option<Self> {
        match &mut self {
            Self::Compile(module) if lost.contains(module) => return None,
            Self::Compile(_) => {}
            Self::List(modules) | Self::Ask(modules) | Self::Recheck(modules) => {
                modules.retain(|module| !lost.contains(module));
            }
            Self::Axioms(group) => group.theorems.retain(|(module, _)| !lost.contains(module)),
        }
        (!self.modules().is_empty()).then_some(self)
    }
}
