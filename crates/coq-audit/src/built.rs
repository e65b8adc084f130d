//! The files of a build: their places in its directory, and the status of each.

use super::coq::Lacking;
use super::digest;
use super::query::Answers;
use super::violation::Violation;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Status of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Compiled, asked about and re-checked before, from these very sources.
    Unchanged,
    /// Some step was taken now, and all went well.
    Checked,
    /// Some step failed.
    Failed,
    /// Not tried, because a file that it requires failed.
    Skipped,
}

/// The outcome of a build.
#[derive(Clone, Debug, Default)]
pub struct Built {
    /// Status of each file that was wanted.
    pub files: BTreeMap<String, Status>,
    /// Coq's answers by file.
    pub answers: BTreeMap<String, Answers>,
    /// Files that do not compile, cannot be asked about or are not accepted by `coqchk`.
    pub findings: Vec<Violation>,
}

/// Answers beside the key that they were given for.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) key: String,
    pub(super) answers: Answers,
}

/// Places in the build directory.
pub(super) struct Places<'a> {
    pub(super) directory: &'a Path,
}

impl Places<'_> {
    fn file(&self, module: &str, extension: &str) -> PathBuf {
        self.directory.join(format!("{module}.{extension}"))
    }

    pub(super) fn holds(&self, module: &str, extension: &str, key: &str) -> bool {
        fs::read_to_string(self.file(module, extension)).is_ok_and(|found| found == key)
    }

    pub(super) fn compiled(&self, module: &str, key: &str) -> bool {
        self.stamp(module, key).is_some_and(|stamp| self.holds(module, "key", &stamp))
    }

    /// The key and the compiled file together: another file under that name is not taken for this one.
    pub(super) fn stamp(&self, module: &str, key: &str) -> Option<String> {
        let compiled = fs::read(self.file(module, "vo")).ok()?;
        Some(digest([key.as_bytes(), &compiled]))
    }

    pub(super) fn answers(&self, module: &str, key: &str) -> Option<Answers> {
        let text = fs::read_to_string(self.file(module, "answers.json")).ok()?;
        let kept: Kept = serde_json::from_str(&text).ok()?;
        (kept.key == key).then_some(kept.answers)
    }

    pub(super) fn write(&self, module: &str, extension: &str, text: &str) -> Result<(), Lacking> {
        let path = self.file(module, extension);
        fs::write(&path, text).map_err(|error| Lacking::Io(path, error))
    }
}
