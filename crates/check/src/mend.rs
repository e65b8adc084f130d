//! What a subject conforms under that does not conform to what was stated.

use super::Invalid;
use super::check::Expectation;
use super::compare::{Scope, TableComparison};
use super::faults::{Code, Finding, Span};
use super::rates::omega;
use super::subject::Subject;
use super::view::StatedGrids;
use posproof_bound::{Allowance, Path};
use posproof_encoding::arguments::arguments;
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use posproof_table::Positions;
use serde::{Serialize, Serializer};
use std::fmt;

/// What is to be stated in place of what was, so that the subject conforms: every entry was compared under it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Mend {
    /// The convention.
    pub convention: Convention,
    /// The precision of the angles.
    pub compute: Format,
    /// The path of the frequencies; any if none is given.
    pub path: Option<Path>,
    /// The format that the entries should have; that of the arrays if none is given.
    pub storage: Option<Format>,
}

impl Mend {
    /// The arguments of the command line that state it, in place of those that specify the encoding.
    pub fn arguments(&self) -> Vec<String> {
        let mut all = arguments(&self.convention);
        let mut state = |option: &str, value: &str| all.extend([option.to_owned(), value.to_owned()]);
        if self.compute != Format::F32 {
            state("--compute", &self.compute.to_string());
        }
        if let Some(path) = self.path {
            state("--path", path.name());
        }
        if let Some(storage) = self.storage {
            state("--dtype", &storage.to_string());
        }
        all
    }

    /// The expectation that is mended: positions and duplication stay as they are.
    pub fn expectation(&self, stated: &Expectation) -> Expectation {
        let Self { convention, compute, path, storage } = self.clone();
        Expectation { convention, compute, path, storage, ..stated.clone() }
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

/// The convention that was found, at the precision that was found.
pub(super) fn mend(
    subject: Subject<'_>,
    stated: &Expectation,
    positions: &Positions,
    found: Option<&Convention>,
    findings: &[Finding],
) -> Result<Option<Mend>, Invalid> {
    let Some(found) = found else { return Ok(None) };
    let of = |code: Code| findings.iter().filter(move |finding| finding.code() == code);
    let stored = of(Code::LowPrecisionStorage).find_map(|finding| finding.cause.format());
    let computed = findings
        .iter()
        .filter(|finding| finding.code() != Code::LowPrecisionStorage)
        .filter_map(|finding| finding.cause.format())
        .min_by_key(|format| format.precision());
    let as_stated =
        Mend { convention: found.clone(), compute: stated.compute, path: stated.path, storage: stated.storage };
    let stored = Mend { storage: stored.or(stated.storage), ..as_stated.clone() };
    let computed = Mend { compute: computed.unwrap_or(stated.compute), path: None, ..stored.clone() };
    let mut tried: Vec<Mend> = Vec::new();
    for mend in [as_stated, stored, computed] {
        if tried.contains(&mend) {
            continue;
        }
        if conforms(subject, &mend.expectation(stated), positions)? {
            return Ok(Some(mend));
        }
        tried.push(mend);
    }
    Ok(None)
}

/// Whether every entry is within its bound, and stored as is stated.
fn conforms(subject: Subject<'_>, expectation: &Expectation, positions: &Positions) -> Result<bool, Invalid> {
    let convention = expectation.convention.clone().for_length(positions.max() + 1);
    if convention.validate().is_err() || subject.check_shape(&convention, positions.len()).is_err() {
        return Ok(false);
    }
    let view = StatedGrids::new(subject, expectation.storage);
    let subject = view.as_ref().map_or(subject, StatedGrids::subject);
    let storage = subject.format();
    if expectation.storage.is_some_and(|stated| storage.precision() < stated.precision()) {
        return Ok(false);
    }
    let omega = omega(&convention).unwrap_or_default();
    let computed = (expectation.compute, expectation.path);
    let allowance = Allowance::new(&convention, &omega, positions.max(), computed, storage);
    let comparison = TableComparison::new(subject, &convention, positions, &allowance)?;
    let first = subject.judged();
    comparison.holds(Scope { slabs: Span::all(first.slabs()), rows: Span::all(first.rows()) })
}
