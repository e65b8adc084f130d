//! A development: its sources and the pins beside them.

use super::axioms::{self, Seals};
use super::coq::Coq;
use super::digest;
use super::pins::{self, Pins};
use super::query::FORMAT;
use super::rules::Rules;
use super::source::{Declaration, Source};
use super::violation::{Violation, ViolationKind};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Which paths editors and `coq_makefile` give to Coq.
pub const PROJECT: &str = "_CoqProject";

/// The sources of the Coq development and the pins beside them.
#[derive(Clone, Debug)]
pub struct Development {
    /// Its name, the libraries that it stands on and the axioms that it may assume.
    pub rules: &'static Rules,
    /// The directory of the sources.
    pub directory: PathBuf,
    /// The files, in an order in which each comes after those that it requires.
    pub sources: Vec<Source>,
    /// The pins.
    pub pins: Pins,
    /// For which sources the pinned axioms were printed.
    pub seals: Seals,
    /// Text of `_CoqProject`, which editors and `coq_makefile` read, where there is one.
    pub project: Option<String>,
}

/// Why the development cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// A file cannot be read.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// A file requires one that does not exist.
    #[error("{file}.v: requires {name}.{missing}, but there is no {missing}.v beside it")]
    Missing {
        /// The file.
        file: String,
        /// Prefix of the development's files before their own names.
        name: &'static str,
        /// The name that it requires.
        missing: String,
    },
    /// Files require each other.
    #[error("{0}.v requires itself, directly or through others")]
    Cycle(String),
    /// A pin file is not as this program writes it.
    #[error("{0}")]
    Pins(#[from] pins::MalformedPins),
}

impl Development {
    /// Reads the sources and the pins in a directory.
    pub fn read(directory: &Path, rules: &'static Rules) -> Result<Self, Unreadable> {
        let mut sources = Vec::new();
        for (module, text) in texts(directory, "v")? {
            sources.push(Source::new(rules, &module, &text));
        }
        let pins = Pins::parse(&texts(&directory.join(pins::DIRECTORY), pins::EXTENSION)?)?;
        let project = fs::read_to_string(directory.join(PROJECT)).ok();
        let seals = fs::read_to_string(directory.join(pins::DIRECTORY).join(axioms::FILE)).unwrap_or_default();
        let seals = Seals::parse(&seals);
        Ok(Self { rules, directory: directory.to_owned(), sources: in_order(sources, rules)?, pins, seals, project })
    }

    /// The theorems, each with the file that it stands in.
    pub fn theorems(&self) -> impl Iterator<Item = (&Source, &Declaration)> {
        self.sources.iter().flat_map(|source| source.theorems.iter().map(move |theorem| (source, theorem)))
    }

    /// The file of a module of the development.
    pub fn source(&self, module: &str) -> Option<&Source> {
        self.sources.iter().find(|source| source.module == module)
    }

    /// The files named and all that they require.
    pub fn closure(&self, modules: impl IntoIterator<Item = String>) -> BTreeSet<String> {
        let mut wanted: BTreeSet<String> = modules.into_iter().collect();
        for source in self.sources.iter().rev() {
            if wanted.contains(&source.module) {
                wanted.extend(source.requires.iter().cloned());
            }
        }
        wanted
    }

    /// A hash of all that the outcome of an audit depends on: the sources, the pins, Coq's version, the digests of the
    /// libraries, what is asked of Coq, and what else the caller names.
    pub fn hash<'a>(&self, coq: &Coq, also: impl IntoIterator<Item = &'a str>) -> String {
        let sources = self.sources.iter().flat_map(|source| [source.module.as_str(), source.text.as_str()]);
        let pins = digest(self.pins.to_texts().into_iter().flat_map(|(module, text)| [module, text]));
        digest([FORMAT, &coq.version, &coq.installed.digest, &digest(sources), &pins, &digest(also)])
    }

    /// Commands in the sources that have no place in a proof, and names that two theorems bear: no Coq is needed to see them.
    pub fn findings(&self) -> Vec<Violation> {
        let finding = |file: &str, place, words: &str, why| {
            let message = format!("'{words}' has no place in a proof: {why}");
            Violation::new(ViolationKind::Forbidden, file, place, message)
        };
        let words = self.sources.iter().flat_map(|source| source.forbidden.iter().map(move |words| (source, words)));
        let words = words.map(|(source, found)| {
            finding(&format!("{}.v", source.module), Some(format!("line {}", found.line)), &found.words, found.why)
        });
        let mut findings: Vec<Violation> = words.collect();
        // The only paths that the development needs.
        let paths = format!("-Q . {}", self.rules.name);
        let project = self.project.as_deref().map_or(paths.as_str(), str::trim);
        if project != paths {
            let why = "an editor would show other files, or check them otherwise, than the audit does";
            findings.push(finding(PROJECT, None, project, why).differing(&paths, project));
        }
        let mut first: BTreeMap<&str, &Source> = BTreeMap::new();
        for (source, theorem) in self.theorems() {
            if let Some(other) = first.insert(&theorem.name, source) {
                let place = Some(format!("{}.v, line {}", source.module, theorem.line));
                let message = format!("a theorem of {}.v bears this name too", other.module);
                findings.push(Violation::new(ViolationKind::Duplicate, &theorem.name, place, message));
            }
        }
        findings
    }
}

/// The files of a directory with that extension, by stem. A directory that does not exist has none.
fn texts(directory: &Path, extension: &str) -> Result<BTreeMap<String, String>, Unreadable> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| Unreadable::Io(path, error)
    };
    let mut texts = BTreeMap::new();
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && extension != "v" => return Ok(texts),
        entries => entries.map_err(failed(directory))?,
    };
    for entry in entries {
        let path = entry.map_err(failed(directory))?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        // Editors leave files such as `.#Shift.v` about.
        let stem = stem.filter(|stem| stem.starts_with(|first: char| first.is_ascii_alphabetic()));
        if let (Some(stem), true) = (stem, path.extension().is_some_and(|found| found == extension)) {
            texts.insert(stem.to_owned(), fs::read_to_string(&path).map_err(failed(&path))?);
        }
    }
    Ok(texts)
}

/// Each file after those that it requires.
fn in_order(mut sources: Vec<Source>, rules: &Rules) -> Result<Vec<Source>, Unreadable> {
    for source in &sources {
        let exists = |module: &&String| sources.iter().any(|other| other.module == **module);
        if let Some(missing) = source.requires.iter().find(|module| !exists(module)) {
            return Err(Unreadable::Missing {
                file: source.module.clone(),
                name: rules.name,
                missing: missing.clone(),
            });
        }
    }
    let mut ordered: Vec<Source> = Vec::with_capacity(sources.len());
    while !sources.is_empty() {
        let placed = |module: &String| ordered.iter().any(|source| source.module == *module);
        match sources.iter().position(|source| source.requires.iter().all(placed)) {
            Some(place) => ordered.push(sources.remove(place)),
            None => return Err(Unreadable::Cycle(sources[0].module.clone())),
        }
    }
    Ok(ordered)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Those of a development that stands on Coq alone.
    pub(crate) const RULES: Rules = Rules {
        name: "Own",
        version: "8.16",
        libraries: &["Coq"],
        needed: &[],
        install: "",
        loaded: "",
        context: "",
        axioms: &[],
    };
}
