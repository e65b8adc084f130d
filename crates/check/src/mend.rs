//! Statement under which a subject conforms that does not conform to the stated one.

use super::Invalid;
use super::expectation::Expectation;
use super::faults::{Code, Finding};
use super::levels::Levels;
use posproof_bound::{Libraries, Path};
use posproof_encoding::arguments::arguments;
use posproof_encoding::axes::WithAxes;
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use serde::{Serialize, Serializer};
use std::fmt;

/// Statement in place of the given one, so that the subject conforms: every entry was compared under it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Mend {
    /// The convention.
    pub convention: Convention,
    /// The precision of the angles.
    pub compute: Format,
    /// Accuracies of functions.
    pub libraries: Libraries,
    /// The path of the frequencies; any if none is given.
    pub path: Option<Path>,
    /// The format that the entries should have; that of the arrays if none is given.
    pub storage: Option<Format>,
    /// The grid of integers, where it is not the stated one.
    pub levels: Option<Levels>,
}

impl Mend {
    /// The statement as it was made.
    pub(super) fn same(stated: &Expectation) -> Self {
        let Expectation { convention, compute, libraries, path, storage, .. } = stated.clone();
        Self { convention, compute, libraries, path, storage, levels: None }
    }

    /// The arguments of the command line that state it, in place of those that specify the encoding.
    pub fn arguments(&self) -> Vec<String> {
        let mut all = arguments(&self.convention);
        let mut state = |option: &str, value: &str| all.extend([option.to_owned(), value.to_owned()]);
        if self.compute != Format::F32 {
            state("--compute", &self.compute.to_string());
        }
        if self.libraries != Libraries::default() {
            state("--ulp", &self.libraries.to_string());
        }
        if let Some(path) = self.path {
            state("--path", path.name());
        }
        if let Some(storage) = self.storage {
            state("--dtype", &storage.to_string());
        }
        if let Some(levels) = self.levels {
            state("--step", &levels.step().to_string());
            state("--zero-point", &levels.zero_point().to_string());
        }
        all
    }

    /// The expectation that is mended: positions and duplication stay as they are.
    pub fn expectation(&self, stated: &Expectation) -> Expectation {
        let Self { convention, compute, libraries, path, storage, .. } = self.clone();
        Expectation { convention, compute, libraries, path, storage, ..stated.clone() }
    }
}

/// A statement in place of one that was made: of a convention of one axis, or of several.
pub trait Restatement: Clone + fmt::Debug + fmt::Display + PartialEq {
    /// Its conventions.
    type Convention: Clone + fmt::Debug + PartialEq + Serialize;

    /// Statement on another grid of integers.
    fn on(self, levels: Option<Levels>) -> Self;

    /// The statement in version 2 of the JSON, which has one schema of both.
    fn document(&self) -> impl Serialize;
}

/// A mend of one axis or of several, each with what it has.
#[derive(Serialize)]
pub(super) struct MendDocument<'a, C: Serialize> {
    pub arguments: Option<Vec<String>>,
    pub compute: Option<Format>,
    pub convention: Option<WithAxes<'a, C>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Levels>,
    pub positions: Option<Vec<Option<Vec<String>>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage: Option<Format>,
}

impl Restatement for Mend {
    type Convention = Convention;

    fn on(self, levels: Option<Levels>) -> Self {
        Self { levels, storage: self.storage.or(levels.and_then(Levels::stated_before)), ..self }
    }

    fn document(&self) -> impl Serialize {
        let arguments = Some(self.arguments());
        let none: Option<WithAxes<'_, Convention>> = None;
        MendDocument { arguments, compute: None, convention: none, levels: None, positions: None, storage: None }
    }
}

impl Serialize for Mend {
    /// As arguments.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.arguments().serialize(serializer)
    }
}

impl fmt::Display for Mend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.arguments().join(" "))
    }
}

/// The convention that was found, at the precision that was found, if the subject `conforms` under it.
pub(super) fn mend(
    stated: &Expectation,
    found: &Convention,
    findings: &[Finding],
    conforms: &dyn Fn(&Expectation) -> Result<bool, Invalid>,
) -> Result<Option<Mend>, Invalid> {
    let is_of_storage = |finding: &&Finding| matches!(finding.code(), Code::LowPrecisionStorage | Code::RoundingMode);
    let stored = findings.iter().filter(is_of_storage).find_map(|finding| finding.cause.format());
    let computed = findings
        .iter()
        .filter(|finding| !is_of_storage(finding))
        .filter_map(|finding| finding.cause.format())
        .min_by_key(|format| format.precision());
    let as_stated = Mend { convention: found.clone(), ..Mend::same(stated) };
    let stored = Mend { storage: stored.or(stated.storage), ..as_stated.clone() };
    let computed = Mend { compute: computed.unwrap_or(stated.compute), path: None, ..stored.clone() };
    // What was stated is known to fail.
    let same = Mend { convention: stated.convention.clone(), ..as_stated.clone() };
    let mut tried: Vec<Mend> = vec![same];
    for mend in [as_stated, stored, computed] {
        if tried.contains(&mend) {
            continue;
        }
        if mend.convention.validate().is_ok() && conforms(&mend.expectation(stated))? {
            return Ok(Some(mend));
        }
        tried.push(mend);
    }
    Ok(None)
}
