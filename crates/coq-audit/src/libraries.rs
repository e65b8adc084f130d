//! The libraries that compiled files stand on: whether each is the installed one, by its digest.

use super::Development;
use super::compiled::{self, Compiled, Unread};
use super::digest;
use super::rules::Rules;
use super::violation::{Violation, ViolationKind};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Compiled files by their full names, such as `Coq.Reals.Rdefinitions`, each with the digest that Coq knows it by.
pub type Digests = BTreeMap<String, String>;

/// The libraries as they are installed beside Coq.
#[derive(Clone, Debug)]
pub struct Installed {
    folder: PathBuf,
    /// A digest of all compiled files of the libraries that the development may stand on.
    pub digest: String,
}

impl Installed {
    /// The libraries in the folder that `coqc -where` prints.
    pub fn new(folder: &Path, rules: &Rules) -> Self {
        let mut files = BTreeSet::new();
        for library in rules.libraries {
            let mut folders = vec![root(folder, library)];
            while let Some(folder) = folders.pop() {
                for path in fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
                    if path.is_dir() {
                        folders.push(path);
                    } else if path.extension().is_some_and(|extension| extension == "vo") {
                        files.insert(path);
                    }
                }
            }
        }
        let digests = files.iter().flat_map(|path| {
            let found = compiled::digest(path).unwrap_or_else(|error| error.to_string());
            [path.to_string_lossy().into_owned(), found]
        });
        Self { folder: folder.to_owned(), digest: digest(digests) }
    }

    /// Fault of a library that was loaded; none where it is the installed one, or the development's own.
    pub(super) fn objection(&self, rules: &Rules, library: &str, digest: &str) -> Option<String> {
        if own(rules, library).is_some() {
            return None;
        }
        let parts: Vec<&str> = library.split('.').collect();
        if !rules.libraries.contains(&parts[0]) {
            return Some("it was loaded, but is of no library that the proofs stand on".to_owned());
        }
        let path = parts[1..].iter().fold(root(&self.folder, parts[0]), |path, part| path.join(part));
        let path = path.with_added_extension("vo");
        match compiled::digest(&path) {
            Ok(found) if found == digest => None,
            Ok(_) => Some(format!("it was loaded, but is another file than {}", path.display())),
            Err(error) => Some(format!("it was loaded, but is not installed: {}: {error}", path.display())),
        }
    }
}

/// Where the files of a library are: Coq's own lie apart from the others.
fn root(folder: &Path, library: &str) -> PathBuf {
    if library == "Coq" { folder.join("theories") } else { folder.join("user-contrib").join(library) }
}

/// The file of the development that bears this full name.
fn own<'a>(rules: &Rules, library: &'a str) -> Option<&'a str> {
    library.strip_prefix(rules.name).and_then(|rest| rest.strip_prefix('.'))
}

/// The files that a compiled file had loaded.
pub fn loaded(bytes: &[u8]) -> Result<Digests, Unread> {
    Compiled::read(bytes)?.loaded()
}

/// Files that were loaded, but are neither of the development nor of a library as it is installed, and files of the
/// development that bear the name of a library's: such a name would be printed as the library's.
pub fn foreign<'a>(
    development: &Development,
    installed: &Installed,
    loaded: impl Iterator<Item = &'a Digests>,
) -> Vec<Violation> {
    let rules = development.rules;
    // One name may have been loaded from several files.
    let loaded: BTreeSet<(&String, &String)> = loaded.flatten().collect();
    let finding = |library: &str, message: String| Violation::new(ViolationKind::Library, library, None, message);
    let mut findings: BTreeMap<(&str, String), Violation> = BTreeMap::new();
    let mut add = |library: &'a str, message: String| {
        findings.entry((library, message.clone())).or_insert_with(|| finding(library, message));
    };
    for (library, digest) in &loaded {
        match own(rules, library) {
            Some(module) if development.source(module).is_some() => {}
            Some(_) => add(library, "it was loaded, but is no file of this development".to_owned()),
            None => {
                let file = library.rsplit('.').next().unwrap_or_default();
                if development.source(file).is_some() {
                    add(library, "a file of this development bears the name of this file of a library".to_owned());
                }
                if let Some(message) = installed.objection(rules, library, digest) {
                    add(library, message);
                }
            }
        }
    }
    findings.into_values().collect()
}
